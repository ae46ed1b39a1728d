// Clients that fail at any byte of a request or any event of an answer; requests and answers that are too
// large.
#include <functional>
#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "faults/fault_cases.hpp"
#include "faults/fault_front.hpp"
#include "support/proxied.hpp"

using namespace citestream_tests;
using citestream::proxy_options;
using loopback::eventually;
using loopback::milliseconds;
using loopback::wire;

namespace {

const std::vector<std::string>& requests() {
  static const std::vector<std::string> all{
      "POST /0 HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json\r\nContent-Length: "
      "15\r\n\r\n{\"stream\":true}",
      "POST /0 HTTP/1.1\r\nHost: proxy\r\nTransfer-Encoding: "
      "chunked\r\n\r\n6\r\n{\"stre\r\n9;x=y\r\nam\":true}\r\n0\r\nA: b\r\n\r\n"};
  return all;
}

fault_plan good_answer() {
  return {{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"}, afterwards::keep, false};
}

/// The first base of an object with a proxy, which it outlives.
struct planned {
  explicit planned(std::vector<fault_plan> given) : plans(std::move(given)), up(plans) {}
  std::vector<fault_plan> plans;
  fault_upstream up;
};

struct setting : planned, loopback::running_proxy {
  explicit setting(std::vector<fault_plan> given, const std::function<void(proxy_options&)>& tweak = {})
      : planned(std::move(given)), running_proxy(up.url(), [&](proxy_options& options) {
          options.pool.max_idle_time = milliseconds(100);
          if (tweak) tweak(options);
        }) {}
  /// Checks that no connection of the clients is left and that the next request is served.
  void check_rest() const {
    CHECK(ask(requests()[0]).body == "ok");
    CHECK(eventually([&] { return server.state().open_connections == 0 && up.open() == 0; }));
  }
};

void end(wire& client, std::size_t kind) {
  if (kind == 0) client.fin();
  if (kind == 1) client.rst();
  if (kind == 2) client.send(std::string("\0\r\n\xFF\r\n\r\n\x01", 9));
}

/// Plans for answers that stop after each of their events. The first plan is a complete answer.
std::vector<fault_plan> unended_answers() {
  std::vector<fault_plan> out{good_answer()};
  for (const fault_stream& of : fault_streams()) {
    std::string came;
    for (const std::string& one : of.events) {
      came += one;
      out.push_back({{fault_head + framed(came)}, afterwards::stall, false});
    }
  }
  return out;
}

wire ask_for(std::uint16_t port, const std::string& request) {
  wire out = loopback::dial(port);
  out.send(request + "Content-Length: 0\r\n\r\n");
  return out;
}

std::string plain(std::size_t number) {
  return "POST /" + std::to_string(number) + " HTTP/1.1\r\nHost: proxy\r\n";
}

/// Requests all plans except the first and disconnects after the start of the answer, in two ways.
void leave_all(const std::vector<fault_plan>& plans, const fault_upstream& up,
               const std::function<wire(std::size_t number)>& ask) {
  for (const std::size_t kind : {0U, 1U}) {
    std::vector<wire> clients;
    for (std::size_t number = 1; number < plans.size(); ++number) clients.push_back(ask(number));
    for (wire& client : clients) {
      std::string some;
      CHECK(client.read_until("\r\n\r\n", some));
      if (kind == 0) client.close();
      if (kind == 1) client.rst();
    }
    CHECK(eventually([&] { return up.open() == 0; }));
  }
}

}  // namespace

TEST_CASE("a request truncated at any byte never reaches the upstream") {
  const setting here({good_answer()}, [](proxy_options& options) {
    // An idle connection is not closed during the test, so these deadlines start with a client's first byte
    // however late a busy machine sends it.
    options.deadlines.client_head = options.deadlines.client_body = milliseconds(60);
    options.deadlines.client_idle = 2 * loopback::patience;
  });
  for (const std::string& request : requests()) {
    for (std::size_t kind = 0; kind < 4; ++kind) {  // FIN, RST, garbage, silence
      std::vector<wire> clients;
      for (std::size_t size = 0; size < request.size(); ++size) {
        clients.push_back(here.dial());
        clients.back().send(std::string_view(request).substr(0, size));
        end(clients.back(), kind);
      }
      for (std::size_t size = 0; size < clients.size(); ++size) {
        if (kind == 1) continue;               // the connection was reset
        if (kind == 3 && size == 0) continue;  // an idle connection
        // Garbage may complete the body of a request, whose connection then stays open.
        const std::string told = kind == 2 ? clients[size].read_some() : clients[size].read_all();
        const bool refused = told.starts_with("HTTP/1.1 4") || told.starts_with("HTTP/1.1 5");
        // After the head, garbage may be the rest of the body.
        const bool may_be_body =
            kind == 2 && request[request.size() - 1] == '}' && size + 9 >= request.size();
        if (!told.empty() && !refused && !may_be_body)
          FAIL_CHECK(kind << " after byte " << size << ": " << told);
        if (kind == 3 && told.empty()) FAIL_CHECK("no answer to silence after byte " << size);
      }
    }
  }
  CHECK(here.up.requests() <= 9);
  here.check_rest();
}

TEST_CASE("a client that disconnects at any event leaks nothing") {
  const std::vector<fault_plan> plans = unended_answers();
  const setting here(plans);
  leave_all(plans, here.up, [&](std::size_t number) { return ask_for(here.server.port(), plain(number)); });
  CHECK(eventually([&] { return here.server.metrics().requests.clients_left == 2 * (plans.size() - 1); }));
  here.check_rest();
}

TEST_CASE("a client that disconnects at any event through nginx leaks nothing") {
  if (!have_nginx()) return;
  const std::vector<fault_plan> plans = unended_answers();
  const fault_upstream up(plans);
  const std::unique_ptr<fault_front> front = our_module_in_nginx(loopback::patience)(up.url());
  leave_all(plans, up,
            [&](std::size_t number) { return ask_for(front->port(), front->request(number, {})); });
  CHECK(eventually([&] { return front->active() == 0; }));
}

TEST_CASE("each oversize input has its error and the next request is served") {
  const std::string event =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + std::string(3000, 'x') + "\"}}]}\n\n";
  const std::string json =
      "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"" + std::string(9000, 'x') + "\"}}]}";
  const setting here(
      {good_answer(),
       {{fault_head + framed(event) + "0\r\n\r\n"}, afterwards::keep, false},
       {{"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
         framed(json) + "0\r\n\r\n"},
        afterwards::keep,
        false},
       {{"HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x')}, afterwards::stall, false}},
      [](proxy_options& options) {
        options.limits.max_request_bytes = 1000;
        options.limits.max_head_bytes = 2000;
        loopback::default_route(options).session.bounds.max_event_bytes = 1000;
        loopback::default_route(options).session.bounds.max_body_bytes = 4000;
      });
  const auto post = [](int number, const std::string& fields) {
    return "POST /" + std::to_string(number) + " HTTP/1.1\r\nHost: proxy\r\n" + fields;
  };
  struct attempt {
    std::string request;
    int status;
    std::string said;
  };
  const std::vector<attempt> attempts{
      {post(0, "Content-Length: 1001\r\n\r\n") + std::string(1001, 'x'), 413, "body_too_large"},
      {post(0, "Content-Length: 99999999999999\r\n\r\n"), 413, "body_too_large"},
      {post(0, "Transfer-Encoding: chunked\r\n\r\n") + framed(std::string(1001, 'x')), 413, "body_too_large"},
      {post(0, "X: " + std::string(3000, 'x')), 431, "head_too_large"},
      {post(1, "Content-Length: 0\r\n\r\n"), 200, event},  // passes through unchanged
      {post(2, "Content-Length: 0\r\n\r\n"), 200, json},
      {post(3, "Content-Length: 0\r\n\r\n"), 502, "upstream_malformed"}};
  for (const attempt& one : attempts) {
    const loopback::message got = here.ask(one.request);
    INFO(one.request.substr(0, 60));
    CHECK(got.status() == one.status);
    CHECK(got.complete);
    CHECK(got.body.find(one.said) != std::string::npos);
    CHECK(here.ask(requests()[0]).body == "ok");
  }
  here.check_rest();
}
