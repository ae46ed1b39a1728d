// Clients and upstreams that disconnect, fail, stall or send invalid data.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "proxy/failed_requests.hpp"
#include "support/proxied.hpp"
#include "support/scratch_folder.hpp"

using namespace loopback;

namespace {

using citestream::proxy_options;

struct death {
  std::string name;
  std::string code;
  std::function<void(wire&)> die;
  milliseconds silence{patience};  ///< the proxy's read timeout
};

const std::string text_then_nothing = event_stream_head + chunk(delta("It grew [x](f"));

std::vector<death> deaths() {
  return {
      {"the end between two chunks", "upstream_closed", [](wire& client) { client.close(); }},
      {"the end inside a chunk", "upstream_closed",
       [](wire& client) { client.send("ff\r\ndata: {"), client.close(); }},
      {"a reset", "upstream_reset", [](wire& client) { client.rst(); }},
      {"a malformed chunk", "upstream_malformed",
       [](wire& client) { client.send("zz\r\n"), client.read_all(); }},
      {"silence", "upstream_timeout", [](wire& client) { client.read_all(); }, milliseconds(300)},
      {"a clean end without a finish", "upstream_closed",
       [](wire& client) { client.send("0\r\n\r\n"), client.read_all(); }},
  };
}

/// Fails in one way after the client has the first part, because a reset discards bytes that were not read.
upstream::script dying(const death& how, gate& begun) {
  return [how, &begun](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(text_then_nothing);
    begun.wait();
    how.die(client);
  };
}

/// Bytes in the kernel's buffers for a client of the proxy at \p port: the maximum of all clients.
std::size_t kernel_holds(std::uint16_t port) {
  std::ifstream table("/proc/self/net/tcp");
  std::string line;
  std::size_t most = 0;
  std::getline(table, line);  // titles
  while (std::getline(table, line)) {
    unsigned local{};
    std::size_t unsent{};
    const int found = std::sscanf(line.c_str(), "%*d: %*8x:%x %*8x:%*x 01 %zx:", &local, &unsent);
    if (found == 2 && local == port) most = std::max(most, unsent);
  }
  return most;
}

/// Checks that the upstream connection is closed when the client disconnects, while the upstream sends \p
/// answer and then nothing. Every timer of the proxy runs for longer than the test waits, so only the
/// disconnection itself can have closed the connection.
void check_closed_by_disconnect(const std::string& answer,
                                const std::function<void(wire& client)>& disconnect) {
  gate asked;
  gate closed;
  const proxied setup(
      [&](wire& client, int) {
        reader requests(client);
        requests.next();
        client.send(answer);
        asked.open();
        if (client.wait_for_end(2 * patience)) closed.open();
      },
      [](proxy_options& options) {
        for (milliseconds* each : {&options.deadlines.keep_alive_comment, &options.deadlines.idle,
                                   &options.deadlines.client_body, &options.deadlines.client_head,
                                   &options.deadlines.client_idle, &options.deadlines.client_stall}) {
          *each = 10 * patience;
        }
      });
  wire client = setup.dial();
  client.send(chat_request);
  asked.wait();
  disconnect(client);
  CHECK(closed.wait_for(patience));
  CHECK(eventually([&] { return setup.server.metrics().requests.clients_left == 1; }));
}

}  // namespace

TEST_CASE("a client that disconnects before the first byte closes a silent upstream") {
  check_closed_by_disconnect("", [](wire& client) { client.close(); });
}

TEST_CASE("a client that disconnects in the middle of a stream closes a silent upstream") {
  for (const bool reset : {false, true}) {
    INFO(reset);
    check_closed_by_disconnect(event_stream_head + chunk(delta("one")), [&](wire& client) {
      std::string all;
      REQUIRE(client.read_until("one", all));
      reset ? client.rst() : client.close();
    });
  }
}

TEST_CASE("a client that disconnects with unread requests closes a silent upstream") {
  for (const bool reset : {false, true}) {
    INFO(reset);
    check_closed_by_disconnect(event_stream_head + chunk(delta("one")), [&](wire& client) {
      std::string all;
      REQUIRE(client.read_until("one", all));
      const std::string early(100'000, 'z');
      client.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + early);
      CHECK(eventually([&] { return client.unacknowledged() == 0; }));
      reset ? client.rst() : client.close();
    });
  }
}

TEST_CASE("an upstream that does not read sees at once that the client has disconnected") {
  for (const std::size_t size : {1'000'000U, 16'000'000U}) {  // the system takes all of the first
    gate asked;
    gate ended;
    const proxied setup([&](wire& client, int) {
      std::string head;
      client.read_until("\r\n\r\n", head);
      asked.open();
      pollfd end{client.fd(), POLLRDHUP, 0};
      if (::poll(&end, 1, static_cast<int>(patience.count())) == 1) ended.open();
    });
    wire client = setup.dial();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" +
                std::string(size, 'b'));
    asked.wait();
    client.close();
    CHECK(ended.wait_for(patience));
  }
}

TEST_CASE("requests beyond the read-ahead limit are answered in order") {
  const proxied setup([](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
      std::this_thread::sleep_for(
          milliseconds(80));  // longer than the interval at which a blocked client is checked
      client.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + one.field("X-Name"));
    }
  });
  wire client = setup.dial();
  const std::string body(50'000, 'b');
  std::string all;
  for (int i = 0; i < 5; ++i) {
    all += "POST / HTTP/1.1\r\nHost: a\r\nX-Name: nr-" + std::to_string(i) +
           "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  client.send(all);
  reader answers(client);
  for (int i = 0; i < 5; ++i) CHECK(answers.next().body == "nr-" + std::to_string(i));
}

TEST_CASE("a client that disconnects from a flowing stream closes the upstream") {
  gate measured;
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(event_stream_head);
    while (client.send(chunk(delta("more")))) {
    }
    measured.open();
  });
  wire client = setup.dial();
  client.send(chat_request);
  std::string all;
  REQUIRE(client.read_until("more", all));
  client.close();
  CHECK(measured.wait_for(patience));
}

TEST_CASE("an upstream that fails in a stream causes an error event and no last chunk") {
  for (const death& how : deaths()) {
    INFO(how.name);
    gate begun;
    const proxied setup(dying(how, begun),
                        [&](proxy_options& options) { options.deadlines.idle = how.silence; });
    wire client = setup.dial();
    client.send(chat_request);
    reader answers(client);
    REQUIRE(answers.until("It grew"));
    begun.open();
    const message answer = answers.next();
    CHECK(answer.status() == 200);
    CHECK_FALSE(answer.complete);
    CHECK_FALSE(client.reset_seen());
    CHECK(text_of(answer.body) == "It grew [x](f");
    CHECK(answer.body.find("event: error\ndata: {\"error\":{\"message\":") != std::string::npos);
    CHECK(answer.body.find("\"code\":\"" + how.code + "\"}}\n\n") != std::string::npos);
    CHECK(answer.body.find("[DONE]") == std::string::npos);
    CHECK(failed_requests(setup.server) == 1);
  }
}

TEST_CASE("a truncated stream of unknown form is reset for an HTTP 1.0 client") {
  gate half_seen;
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(event_stream_head + chunk("data: {\"half\":1}\n\n"));
    half_seen.wait();
    client.close();
  });
  wire client = setup.dial();
  client.send("POST / HTTP/1.0\r\n\r\n");
  std::string all;
  CHECK(client.read_until("half", all));
  half_seen.open();
  CHECK(client.read_all().empty());
  CHECK(client.reset_seen());
  CHECK(eventually([&] { return failed_requests(setup.server) == 1; }));
}

TEST_CASE("a truncated stream gets an error event and a close for an HTTP 1.0 client") {
  const proxied setup(answer_and_close(text_then_nothing));
  wire client = setup.dial();
  client.send("POST / HTTP/1.0\r\n\r\n");
  const message answer = reader(client).next();
  CHECK_FALSE(client.reset_seen());
  CHECK(answer.body.find("\"code\":\"upstream_closed\"}}\n\n") != std::string::npos);
}

TEST_CASE("a body truncated by the upstream is truncated for the client") {
  for (const std::string start : {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
                                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"}) {
    const proxied setup(answer_and_close(start));
    const message answer = setup.ask(get_request);
    CHECK(answer.status() == 200);
    CHECK(answer.body == "half");
    CHECK_FALSE(answer.complete);
  }
}

TEST_CASE("a body without length that the upstream resets is reset for HTTP 1.0") {
  gate half_seen;
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send("HTTP/1.1 200 OK\r\n\r\nhalf");
    half_seen.wait();
    client.rst();
  });
  wire client = setup.dial();
  client.send("GET / HTTP/1.0\r\n\r\n");
  std::string all;
  CHECK(client.read_until("half", all));
  half_seen.open();
  CHECK(client.read_all().empty());
  CHECK(client.reset_seen());
}

TEST_CASE("an unreachable upstream is a 502 and the client connection is kept") {
  std::string url;
  {
    const upstream gone(answer_all(""));
    url = gone.url();
  }
  const proxied setup(answer_all(""), [&](proxy_options& options) { options.upstream.url = url; });
  wire client = setup.dial();
  reader answers(client);
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 2; ++i) {
    client.send(chat_request);
    const message answer = answers.next();
    CHECK(answer.status() == 502);
    CHECK(answer.field("Content-Type") == "application/json");
    CHECK(answer.body.find("\"type\":\"upstream_error\",\"code\":\"upstream_unreachable\"") !=
          std::string::npos);
  }
  // One retry each after 100 ms, since nothing had been sent.
  CHECK(std::chrono::steady_clock::now() - began >= milliseconds(200));
  CHECK(setup.server.metrics().upstreams.connects == 0);
}

TEST_CASE("an unreachable upstream is an error of the API that the path names") {
  const proxied setup(answer_all(""),
                      [](proxy_options& options) { options.upstream.url = "http://nowhere.invalid"; });
  const auto body = [&](const std::string& path) {
    return setup.ask("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}").body;
  };
  CHECK(body("/api/chat").starts_with(R"({"error":"the upstream)"));
  CHECK(body("/v1/messages").starts_with(R"({"type":"error","error":{"type":"api_error","message":"the)"));
  CHECK(body("/model/x/converse-stream").starts_with(R"({"message":"the upstream)"));
  CHECK(body("/v1beta/models/g:generateContent").starts_with(R"({"error":{"code":502,"message":"the)"));
  CHECK(body("/v1/responses").starts_with(R"({"error":{"message":"the upstream)"));
}

TEST_CASE("a host name that does not exist is a 502") {
  const proxied setup(answer_all(""),
                      [](proxy_options& options) { options.upstream.url = "http://nowhere.invalid"; });
  CHECK(setup.ask(chat_request).status() == 502);
}

TEST_CASE("an upstream that does not respond is a 504") {
  const proxied setup([](wire& client, int) { client.read_all(); },
                      [](proxy_options& options) { options.deadlines.head = milliseconds(200); });
  const message answer = setup.ask(chat_request);
  CHECK(answer.status() == 504);
  CHECK(answer.body.find("\"code\":\"upstream_timeout\"") != std::string::npos);
}

TEST_CASE("a request is never sent again once a byte of it was written") {
  const proxied setup([](wire& client, int) {
    reader requests(client);
    requests.next();
  });
  const message answer = setup.ask(chat_request);
  CHECK(answer.status() == 502);
  CHECK(answer.body.find("\"code\":\"upstream_closed\"") != std::string::npos);
  CHECK(setup.up.connections() == 1);
}

TEST_CASE("responses that cannot be forwarded are a 502") {
  for (const std::string answer :
       {"HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: b\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\nSet-Cookie: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "SSH-2.0-x\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"}) {
    INFO(answer);
    const proxied setup(answer_all(answer));
    const message got = setup.ask(chat_request);
    CHECK(got.status() == 502);
    CHECK(got.body.find("\"code\":\"upstream_malformed\"") != std::string::npos);
  }
}

TEST_CASE("an idle connection that the upstream has closed is not reused") {
  gate closed;
  const proxied setup([&](wire& client, int number) {
    reader requests(client);
    requests.next();
    client.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + std::to_string(number));
    client.close();
    closed.open();
  });
  wire client = setup.dial();
  reader answers(client);
  client.send(get_request);
  CHECK(answers.next().body == "0");
  closed.wait();
  client.send(get_request);
  CHECK(answers.next().body == "1");
}

TEST_CASE("idle upstream connections are limited in number and time and age") {
  /// Connections used for three requests. With \p closed_between each is closed before the next request.
  const auto connects = [](const std::function<void(citestream::pool_options&)>& tweak, milliseconds pause,
                           bool closed_between = false) {
    std::atomic<int> closed{0};
    const proxied setup(
        [&](wire& client, int) {
          reader requests(client);
          while (!requests.next().head.empty()) client.send(ok_answer);
          ++closed;
        },
        [&](proxy_options& options) {
          options.threads = 1;
          tweak(options.pool);
        });
    wire client = setup.dial();
    reader answers(client);
    for (int i = 0; i < 3; ++i) {
      if (i != 0) std::this_thread::sleep_for(pause);
      if (closed_between) CHECK(eventually([&] { return closed == i; }));
      client.send(get_request);
      CHECK(answers.next().body == "ok");
    }
    return setup.up.connections();
  };
  constexpr milliseconds at_once{0};
  CHECK(connects([](auto&) {}, at_once) == 1);
  CHECK(connects([](auto& pool) { pool.max_idle = 0; }, at_once) == 3);
  CHECK(connects([](auto& pool) { pool.max_idle_time = milliseconds(10); }, at_once, true) == 3);
  CHECK(connects([](auto& pool) { pool.max_age = milliseconds(10); }, milliseconds(30)) == 3);
}

TEST_CASE("an idle upstream connection is closed after its timeout") {
  gate closed;
  const proxied setup(
      [&](wire& client, int) {
        reader requests(client);
        requests.next();
        client.send(ok_answer);
        if (client.wait_for_end(patience)) closed.open();
      },
      [](proxy_options& options) { options.pool.max_idle_time = milliseconds(20); });
  CHECK(setup.ask(get_request).body == "ok");
  CHECK(closed.wait_for(patience));
}

TEST_CASE("an endless answer is ended after the maximum duration") {
  // The deadline starts with the request. It is long enough for a busy machine to receive the head before it.
  const proxied setup(
      [](wire& client, int) {
        reader requests(client);
        requests.next();
        client.send(text_then_nothing);
        while (client.send(chunk(delta("more")))) std::this_thread::sleep_for(milliseconds(100));
      },
      [](proxy_options& options) { options.deadlines.total = milliseconds(2'000); });
  const message answer = setup.ask(chat_request);
  CHECK(answer.status() == 200);
  CHECK_FALSE(answer.complete);
  CHECK(answer.body.find("\"message\":\"the upstream did not finish its response in time\"") !=
        std::string::npos);
}

TEST_CASE("extra bytes after an answer never become the next answer") {
  const proxied setup([&](wire& client, int number) {
    reader requests(client);
    requests.next();
    client.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + std::to_string(number) +
                "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
    client.read_all();
  });
  wire client = setup.dial();
  reader answers(client);
  client.send(get_request);
  CHECK(answers.next().body == "0");
  client.send(get_request);
  CHECK(answers.next().body == "1");
}

TEST_CASE("an early answer is forwarded before the request body is read") {
  gate heard;
  const proxied setup([&](wire& client, int) {
    std::string head;
    client.read_until("\r\n\r\n", head);
    client.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig");
    heard.wait();
  });
  wire client = setup.dial();
  const std::string body(16 * 1024 * 1024, 'b');
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
              body);
  const message answer = reader(client).next();
  heard.open();
  CHECK(answer.status() == 413);
  CHECK(answer.body == "big");
}

TEST_CASE("reading from the upstream pauses while the client does not read") {
  gate stuck;
  gate ended;
  std::size_t offered = 0;
  constexpr std::size_t enough = 256 * 1024 * 1024;
  const std::string event = chunk(delta(std::string(4000, 'x')));
  std::string head = event_stream_head;
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(head);
    std::string_view rest = event;
    stillness still;  // the proxy has stopped reading
    for (std::size_t sent = client.send_some(rest); offered < enough && !still.after(sent != 0);
         sent = client.send_some(rest)) {
      offered += sent;
      rest.remove_prefix(sent);
      if (rest.empty()) rest = event;
    }
    stuck.open();
    client.send(rest);
    client.send(chunk(finish() + done) + "0\r\n\r\n");
    ended.open();
    requests.next();
  });
  wire client = setup.dial(16 * 1024);
  client.send(chat_request);
  stuck.wait();
  // The kernel's buffers towards the proxy grow to some megabytes; the proxy's own are small.
  CHECK(offered < enough / 4);
  std::size_t held = 0;
  CHECK(eventually([&] { return (held = kernel_holds(setup.server.port())) > 0; }));
  CHECK(held < 192 * 1024);
  CHECK(setup.server.metrics().unsent_max <= 128 * 1024);
  const message answer = reader(client).next();
  CHECK(answer.complete);
  CHECK(answer.body.ends_with(done));
  CHECK(ended.wait_for(patience));
}

TEST_CASE("citation records of a client that does not read are bounded like unsent bytes") {
  std::string markers;
  for (int i = 0; i < 20; ++i) markers += "[x](f" + std::to_string(i) + ")";
  const std::string event = chunk(delta(markers));
  constexpr int events = 4000;
  std::atomic<int> sent{};
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(event_stream_head);
    for (; sent < events && client.send(event); ++sent) {
    }
    client.send(chunk(finish() + done) + "0\r\n\r\n");
    requests.next();
  });
  wire client = setup.dial(16 * 1024);
  client.send(chat_request);
  int before = -1;
  stillness still;
  CHECK(eventually([&] { return still.after(std::exchange(before, sent.load()) != sent); }));
  const auto held = setup.server.metrics().unsent_max;
  CHECK(held > 64 * 1024);
  CHECK(held < 256 * 1024);  // threat 23
  const message answer = reader(client).next();
  CHECK(answer.complete);
  CHECK(answer.body.ends_with(done));
}

TEST_CASE("output buffered for a client does not change while others are served") {
  constexpr int parts = 256;
  const auto text_for = [](char letter) {
    std::string out;
    for (int i = 0; i < parts; ++i) out += delta(std::string(4000, letter));
    return out;
  };
  const proxied setup(
      [&](wire& client, int) {
        reader requests(client);
        for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
          const char letter = one.head.at(one.head.find(" HTTP/") - 1);
          const bool events = one.head.find("/events/") != std::string::npos;
          const std::string body = text_for(letter);
          const std::string length = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size());
          client.send(events ? event_stream_head + chunk(body) + chunk(finish() + done) + "0\r\n\r\n"
                             : length + "\r\n\r\n" + body);
        }
      },
      [](proxy_options& options) { options.threads = 1; });
  const auto request = [](std::string path) {
    return "GET /" + std::move(path) + " HTTP/1.1\r\nHost: a\r\n\r\n";
  };
  wire slow_events = setup.dial(16 * 1024);
  wire slow_bytes = setup.dial(16 * 1024);
  slow_events.send(request("events/a"));
  slow_bytes.send(request("bytes/b"));
  for (int i = 0; i < 3; ++i) {
    CHECK(setup.ask(request("events/c")).body.starts_with(text_for('c')));
    CHECK(setup.ask(request("bytes/d")).body == text_for('d'));
  }
  const message events = reader(slow_events).next();
  CHECK(events.complete);
  CHECK(events.body.starts_with(text_for('a')));
  CHECK(events.body.ends_with(done));
  CHECK(reader(slow_bytes).next().body == text_for('b'));
}

TEST_CASE("a client that does not read for too long is closed with its upstream") {
  const citestream_tests::scratch_folder directory;
  gate ended;
  const proxied setup(
      [&](wire& client, int) {
        reader requests(client);
        requests.next();
        client.send("HTTP/1.1 200 OK\r\n\r\n");
        const std::string piece(64 * 1024, 'x');
        while (client.send(piece)) {
        }
        ended.open();
      },
      [&](proxy_options& options) {
        options.deadlines.client_stall = milliseconds(300);
        options.log.level = citestream::log_level::info;
        options.log.format = citestream::log_format::text;
        options.log.file = directory.path("log");
      });
  wire client = setup.dial(16 * 1024);
  client.send(get_request);
  CHECK(ended.wait_for(patience));
  CHECK(eventually([&] { return setup.server.metrics().requests.clients_left == 1; }));
  CHECK(eventually([&] {
    const std::string log = directory.read("log");
    return log.find("level=warn") != std::string::npos &&
           log.find("end=client_stalled error=\"the client did not read\"") != std::string::npos;
  }));
}

namespace {

/// A proxy whose upstream answers a POST with \p body, and anything else with an empty answer.
proxied with_long_answer(const std::string& body, const std::function<void(proxy_options&)>& set) {
  const std::string short_answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  return proxied(
      [=](wire& client, int) {
        reader requests(client);
        for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
          client.send(one.head.starts_with("POST") ? json_answer(body) : short_answer);
        }
      },
      set);
}

/// Reads from \p client until \p over. Other requests pass the time between two reads.
template <typename Over>
std::string read_slowly(const proxied& setup, wire& client, const Over& over) {
  std::string all;
  while (!over()) {
    std::string read(128, '\0');
    const auto size = client.readable(patience) ? ::recv(client.fd(), read.data(), read.size(), 0) : 0;
    if (size <= 0) break;
    all.append(read, 0, static_cast<std::size_t>(size));
    CHECK(setup.ask(get_request).status() == 200);
  }
  return all;
}

const std::string long_body = "{\"text\":\"" + std::string(12'000'000, 'x') + "\"}";

}  // namespace

TEST_CASE("a client that reads slowly gets a long answer completely") {
  const proxied setup = with_long_answer(
      long_body, [](proxy_options& options) { options.deadlines.client_stall = milliseconds(400); });
  wire client = setup.dial(16 * 1024);
  client.send(chat_request);
  reader answer(client);
  const auto end = std::chrono::steady_clock::now() + milliseconds(1200);
  answer.rest() = read_slowly(setup, client, [&] { return std::chrono::steady_clock::now() >= end; });
  const message whole = answer.next();
  CHECK(whole.complete);
  CHECK(whole.body == long_body);
}

TEST_CASE("a client that reads slowly is closed at the total timeout") {
  const proxied setup = with_long_answer(long_body, [](proxy_options& options) {
    options.deadlines.client_stall = milliseconds(1000);
    options.deadlines.total = milliseconds(4000);
  });
  wire client = setup.dial(16 * 1024);
  client.send(chat_request);
  const auto closed = [&] { return setup.server.metrics().requests.clients_left == 1; };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  read_slowly(setup, client, [&] { return closed() || std::chrono::steady_clock::now() >= end; });
  CHECK(closed());
}

TEST_CASE("a client that disconnects while it sends a body is counted") {
  const proxied setup(answer_all(""));
  wire client = setup.dial();
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf");
  client.close();
  CHECK(eventually([&] { return setup.server.metrics().requests.clients_left == 1; }));
}

TEST_CASE("a draining proxy completes running requests and accepts no new ones") {
  gate go_on;
  proxied setup(in_two_parts(go_on));
  wire idle = setup.dial();
  wire client = setup.dial();
  client.send(chat_request);
  reader answers(client);
  REQUIRE(answers.until("one"));
  CHECK_FALSE(setup.server.state().draining);
  setup.server.drain();
  CHECK(setup.server.state().draining);
  CHECK(idle.read_all().empty());
  CHECK(eventually([&] {
    try {
      wire late = setup.dial();
      return false;
    } catch (const std::exception&) {
      return true;
    }
  }));
  go_on.open();
  const message answer = answers.next();
  CHECK(answer.complete);
  CHECK(text_of(answer.body) == "one two");
  CHECK(setup.server.wait_until_idle(patience));
}

TEST_CASE("requests that outlast the drain time end like an upstream failure") {
  proxied setup(answer_and_wait(event_stream_head + chunk(delta("one [x](f"))));
  wire client = setup.dial();
  client.send(chat_request);
  reader answers(client);
  REQUIRE(answers.until("one"));
  setup.server.stop(milliseconds(50));
  const message answer = answers.next();
  CHECK_FALSE(answer.complete);
  CHECK(text_of(answer.body) == "one [x](f");
  CHECK(answer.body.find("\"code\":\"proxy_shutdown\"") != std::string::npos);
}

TEST_CASE("a request that is still arriving when the drain time ends is a 503") {
  const citestream_tests::scratch_folder directory;
  proxied setup(answer_all(ok_answer), [&](proxy_options& options) {
    options.log.level = citestream::log_level::warn;
    options.log.format = citestream::log_format::text;
    options.log.file = directory.path("log");
  });
  std::vector<wire> clients;
  for (const std::string begun :
       {"GET / HTTP/1.1\r\nHo", "POST /v1/body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf",
        "POST /v1/chunk HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha"}) {
    clients.push_back(setup.dial());
    // The answer to the first request shows that the proxy has read the second one, too.
    clients.back().send(get_request + begun);
    CHECK(reader(clients.back()).next().body == "ok");
  }
  setup.server.stop(milliseconds(50));
  for (wire& one : clients) {
    const message answer = reader(one).next();
    CHECK(answer.status() == 503);
    CHECK(answer.has("Connection: close"));
    CHECK(answer.body.find("\"code\":\"proxy_shutdown\"") != std::string::npos);
  }
  CHECK(eventually([&] {
    const std::string log = directory.read("log");
    return std::ranges::count(log, '\n') == 3 && log.find("path=/v1/chunk") != std::string::npos;
  }));
}

TEST_CASE("a client that does not read when the drain time ends has not left") {
  const citestream_tests::scratch_folder directory;
  gate stuck;
  proxied setup(
      [&](wire& client, int) {
        reader requests(client);
        requests.next();
        client.send("HTTP/1.1 200 OK\r\n\r\n");
        const std::string piece(64 * 1024, 'x');
        stillness still;  // the proxy has stopped reading
        while (!still.after(client.send_some(piece) != 0)) {
        }
        stuck.open();
        requests.next();
      },
      [&](proxy_options& options) {
        options.log.level = citestream::log_level::warn;
        options.log.format = citestream::log_format::text;
        options.log.file = directory.path("log");
      });
  wire client = setup.dial(16 * 1024);
  client.send(get_request);
  CHECK(stuck.wait_for(patience));
  setup.server.stop(milliseconds(50));
  CHECK(setup.server.metrics().requests.clients_left == 0);
  CHECK(eventually([&] {
    return directory.read("log").find("end=proxy_shutdown error=\"the proxy is shutting down\"") !=
           std::string::npos;
  }));
}
