// Listeners: TLS, Unix sockets, ports shared by two proxies, and connection limits.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <netinet/in.h>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

#include <catch2/catch.hpp>
#include <openssl/ssl.h>

#include "support/loopback_tls.hpp"
#include "support/proxied.hpp"
#include "support/scratch_folder.hpp"

using namespace loopback;
using citestream::proxy_options;
using citestream_tests::scratch_folder;

namespace {

/// A proxy with a TLS address and a plain one.
struct with_tls {
  explicit with_tls(upstream::script play, const std::function<void(proxy_options&)>& tweak = {})
      : cert(files.path("server.pem")), setup((issue(), std::move(play)), [&](proxy_options& options) {
          options.listen.tls_addresses = "127.0.0.1:0";
          options.listen.cert_file = cert;
          if (tweak) tweak(options);
          current = options;
        }) {}
  [[nodiscard]] std::uint16_t port() const {
    const std::string address = setup.server.addresses().back();
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  std::string reload() { return setup.server.reload(current).error; }
  void issue() const {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL's own writes, in the client
    trusted.issue("DNS:localhost", cert);
  }
  scratch_folder files;
  std::string cert;
  authority trusted;
  proxy_options current;
  proxied setup;
};

/// The events that epoll reports of each socket that is connected to \p port and registered in this process.
std::vector<unsigned> watched_events(std::uint16_t port) {
  std::vector<unsigned> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fdinfo")) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      int descriptor = 0;
      unsigned events = 0;
      if (std::sscanf(line.c_str(), "tfd: %d events: %x", &descriptor, &events) != 2) continue;
      sockaddr_in peer{};
      socklen_t size = sizeof peer;
      auto* const generic = static_cast<sockaddr*>(static_cast<void*>(&peer));
      if (::getpeername(descriptor, generic, &size) != 0 || peer.sin_family != AF_INET) continue;
      if (ntohs(peer.sin_port) == port) out.push_back(events);
    }
  }
  return out;
}

wire dial_unix(const std::string& path) {
  wire out(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::strncpy(to.sun_path, path.c_str(), sizeof to.sun_path - 1);
  const auto* generic = static_cast<const sockaddr*>(static_cast<const void*>(&to));
  if (::connect(out.fd(), generic, sizeof to) != 0) throw std::runtime_error("cannot connect");
  return out;
}

}  // namespace

TEST_CASE("a TLS client gets its stream rewritten and a TLS close_notify") {
  const with_tls one(
      answer_all(event_stream_head + chunk(delta("a [x](f1).") + finish() + done) + "0\r\n\r\n"));
  tls_client client(one.trusted, one.port());
  std::string request = chat_request;
  request.insert(request.find("\r\n") + 2, "Connection: close\r\n");
  client.send(request);
  std::string answer;
  REQUIRE(client.read_until("\r\n0\r\n\r\n", answer));
  CHECK(text_of(answer) == "a.");
  CHECK(client.ends_well());
}

TEST_CASE("a connection to an upstream wakes the proxy for what it reads only") {
  gate go_on;
  const proxied setup(in_two_parts(go_on));
  wire client = setup.dial();
  client.send(chat_request);
  reader answers(client);
  REQUIRE(answers.until("one"));
  const std::vector<unsigned> events = watched_events(setup.up.port());
  REQUIRE(events.size() == 1);
  CHECK((events[0] & EPOLLIN) != 0);
  CHECK((events[0] & EPOLLOUT) == 0);
  go_on.open();
  CHECK(answers.until("two"));
}

TEST_CASE("a client resumes its TLS session on any thread") {
  const with_tls one(answer_all(ok_answer), [](proxy_options& options) { options.threads = 2; });
  const std::uint16_t port = one.port();
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    std::vector<std::unique_ptr<tls_client>> clients;
    for (int i = 0; i < 9; ++i) {
      const tls_client* const earlier = clients.empty() ? nullptr : clients.back().get();
      clients.push_back(std::make_unique<tls_client>(one.trusted, port, version, earlier));
      CHECK(clients.back()->resumed() == (earlier != nullptr));
      clients.back()->send(chat_request);
      std::string answer;
      REQUIRE(clients.back()->read_until("\r\n\r\nok", answer));
    }
  }
}

TEST_CASE("a large body passes both ways over TLS") {
  const std::string large(3'000'000, 'y');
  std::mutex mutex;
  std::string heard;
  const with_tls one([&](wire& client, int) {
    reader requests(client);
    const message request = requests.next();
    {
      const std::lock_guard lock(mutex);
      heard = request.body;
    }
    client.send("HTTP/1.1 200 OK\r\nContent-Length: 3000004\r\n\r\n" + large + "END\n");
  });
  tls_client client(one.trusted, one.port());
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n" + large);
  std::string answer;
  REQUIRE(client.read_until("\r\n\r\n", answer));
  while (answer.size() < large.size()) {
    std::string more;
    client.read_until("y", more);
    answer += more;
  }
  CHECK((answer.ends_with("END\n") || client.read_until("END\n", answer)));
  const std::lock_guard lock(mutex);
  CHECK(heard == large);
}

TEST_CASE("a TLS client that disconnects closes a silent upstream immediately") {
  gate measured;
  std::optional<milliseconds> took;
  const with_tls one([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(event_stream_head + chunk(delta("one")));
    took = client.wait_for_end(patience);
    measured.open();
  });
  tls_client client(one.trusted, one.port());
  client.send(chat_request);
  std::string all;
  REQUIRE(client.read_until("one", all));
  client.socket().fin();
  measured.wait();
  CHECK(took.has_value());
}

TEST_CASE("a TLS client that floods key updates without reading is disconnected") {
  gate go_on;
  const with_tls one(in_two_parts(go_on));
  tls_client client(one.trusted, one.port());
  client.send(chat_request);
  std::string answer;
  REQUIRE(client.read_until("one", answer));
  CHECK(client.renew_keys(20) == 20);  // an ordinary number
  go_on.open();
  REQUIRE(client.read_until("[DONE]", answer));
  constexpr int many = 1'000'000;
  CHECK(client.renew_keys(many) < many);
}

TEST_CASE("clients that do not speak TLS or stall in the handshake are closed") {
  const with_tls one(answer_all(ok_answer),
                     [](proxy_options& options) { options.deadlines.client_head = milliseconds(100); });
  wire plain = dial(one.port());
  plain.send(get_request);
  CHECK(plain.read_all().find("HTTP") == std::string::npos);
  wire silent = dial(one.port());
  silent.send("\x16\x03\x01");
  CHECK(silent.read_all().empty());
  // The next client is served. On a busy machine it may be too slow at first.
  CHECK(eventually([&] {
    try {
      tls_client client(one.trusted, one.port());
      client.send(get_request);
      std::string answer;
      return client.read_until("ok", answer);
    } catch (const std::exception&) {
      return false;
    }
  }));
}

TEST_CASE("a reloaded certificate is for new clients and running streams continue") {
  gate go_on;
  with_tls one(in_two_parts(go_on));
  const std::uint16_t port = one.port();
  tls_client old(one.trusted, port);
  old.send(chat_request);
  std::string all;
  REQUIRE(old.read_until("one", all));
  const authority other;
  other.issue("DNS:localhost", one.cert);
  CHECK(one.reload().empty());
  for (int i = 0; i < 8; ++i) CHECK_NOTHROW(tls_client(other, port));  // in every event loop
  CHECK_THROWS(tls_client(one.trusted, port));
  go_on.open();
  REQUIRE(old.read_until("0\r\n\r\n", all));
  CHECK(text_of(all) == "one two");
  std::ofstream(one.cert) << "no certificate";
  CHECK(one.reload().find(one.cert) != std::string::npos);
  CHECK_NOTHROW(tls_client(other, port));
}

TEST_CASE("a reload without TLS options keeps the certificate and applies the rest") {
  with_tls one(answer_all(ok_answer));
  const std::uint16_t port = one.port();
  one.current.listen.tls_addresses.clear();
  one.current.listen.cert_file.clear();
  one.current.limits.max_request_bytes = 10;
  for (int i = 0; i < 2; ++i) {  // the address stays pending
    const citestream::reload_result result = one.setup.server.reload(one.current);
    CHECK(result.error.empty());
    CHECK(result.waiting == "tls_listen");
  }
  CHECK_NOTHROW(tls_client(one.trusted, port));
  CHECK(one.setup.ask(chat_request).status() == 413);
}

TEST_CASE("an unreadable server certificate is reported in one line") {
  proxy_options options = proxied::options("http://127.0.0.1:1", {});
  options.listen.tls_addresses = "127.0.0.1:0";
  options.listen.cert_file = "/nowhere/cert.pem";
  citestream::proxy_server server(options);
  CHECK(server.start().find("/nowhere/cert.pem") != std::string::npos);
}

TEST_CASE("a Unix socket replaces a stale one and is removed on exit") {
  const scratch_folder files;
  const std::string path = files.path("proxy.sock");
  const std::string url = "unix:" + path;
  {
    proxied setup(answer_all(ok_answer), [&](proxy_options& options) {
      options.listen.addresses = url + ",127.0.0.1:0";
      options.listen.unix_mode = 0600;
    });
    CHECK(setup.server.addresses().front() == url);
    CHECK(setup.ask(get_request).body == "ok");
    struct stat found {};
    REQUIRE(::stat(path.c_str(), &found) == 0);
    CHECK((found.st_mode & 0777) == 0600);
    wire client = dial_unix(path);
    client.send(get_request);
    CHECK(reader(client).next().body == "ok");

    // A second proxy takes over the path. The first one does not remove it on exit.
    const proxied beside(answer_all(ok_answer),
                         [&](proxy_options& options) { options.listen.addresses = url; });
    setup.server.stop();
    wire again = dial_unix(path);
    again.send(get_request);
    CHECK(reader(again).next().body == "ok");
  }
  CHECK_FALSE(std::filesystem::exists(path));
  std::ofstream(path) << "somebody's file";
  citestream::proxy_server third(proxied::options(
      "http://127.0.0.1:1", [&](proxy_options& options) { options.listen.addresses = url; }));
  CHECK(third.start().find(path) != std::string::npos);
  CHECK(std::filesystem::is_regular_file(path));
}

TEST_CASE("a new proxy starts on the same port while the old one completes its streams") {
  gate go_on;
  proxied old(in_two_parts(go_on));
  wire client = old.dial();
  client.send(chat_request);
  reader answers(client);
  REQUIRE(answers.until("one"));
  const std::string same = "127.0.0.1:" + std::to_string(old.server.port());
  const proxied fresh(answer_all(ok_answer),
                      [&](proxy_options& options) { options.listen.addresses = same; });
  REQUIRE(fresh.server.port() == old.server.port());
  old.server.drain();
  CHECK(eventually([&] { return old.server.state().open_connections == 1; }));
  for (int i = 0; i < 20; ++i) CHECK(fresh.ask(get_request).body == "ok");
  go_on.open();
  const message answer = answers.next();
  CHECK(answer.complete);
  CHECK(text_of(answer.body) == "one two");
  CHECK(old.server.wait_until_idle(patience));
}

TEST_CASE("a client accepted just before the drain still gets its answer") {
  proxied setup(answer_all(ok_answer));
  wire client = setup.dial();
  CHECK(eventually([&] { return setup.server.metrics().connections.accepted == 1; }));
  setup.server.drain();
  client.send(get_request);
  const message answer = reader(client).next();
  CHECK(answer.body == "ok");
  CHECK(answer.has("Connection: close"));
}

TEST_CASE("a connection over the limit is a 503 until another one closes") {
  const proxied setup(answer_all(ok_answer),
                      [](proxy_options& options) { options.limits.max_connections = 3; });
  std::vector<wire> crowd;
  for (int i = 0; i < 3; ++i) {
    crowd.push_back(setup.dial());
    crowd.back().send(get_request);
    CHECK(reader(crowd.back()).next().body == "ok");
  }
  wire late = setup.dial();
  const message answer = reader(late).next();
  CHECK(answer.status() == 503);
  CHECK(answer.field("Retry-After") == "1");
  CHECK(answer.body.find("\"code\":\"too_many_connections\"") != std::string::npos);
  late.close();
  crowd.pop_back();
  CHECK(eventually([&] { return setup.server.state().open_connections == 2; }));
  CHECK(setup.ask(get_request).body == "ok");
}

TEST_CASE("a connection that is refused takes no place while it is open") {
  const proxied setup(answer_all(ok_answer),
                      [](proxy_options& options) { options.limits.max_connections = 1; });
  wire first = setup.dial();
  first.send(get_request);
  CHECK(reader(first).next().body == "ok");
  wire late = setup.dial();
  CHECK(reader(late).next().status() == 503);
  CHECK(setup.server.state().open_connections == 1);
}

TEST_CASE("a stream over the limit is a 503 with Retry-After on a kept connection") {
  gate go_on;
  const proxied setup(in_two_parts(go_on), [](proxy_options& options) { options.limits.max_streams = 1; });
  wire first = setup.dial();
  first.send(chat_request);
  reader answers(first);
  REQUIRE(answers.until("one"));
  wire second = setup.dial();
  reader refused(second);
  second.send(chat_request);
  const message answer = refused.next();
  CHECK(answer.status() == 503);
  CHECK(answer.field("Retry-After") == "1");
  CHECK(answer.body.find("\"type\":\"proxy_error\",\"code\":\"too_many_streams\"") != std::string::npos);
  CHECK(setup.up.connections() == 1);
  go_on.open();
  CHECK(answers.next().complete);
  CHECK(eventually([&] { return setup.server.metrics().ended.counts[{"/", 200}] == 1; }));
  second.send(chat_request);
  CHECK(refused.next().complete);
}

TEST_CASE("bytes at the start of a request body do not allow a slow rest") {
  const proxied setup(answer_all(ok_answer), [](proxy_options& options) {
    options.deadlines.client_body = milliseconds(200);
    options.limits.min_body_rate = 1000;
  });
  wire client = setup.dial();
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + std::string(90'000, 'x'));
  int trickled = 0;
  while (!client.readable(milliseconds(20)) && client.send("x")) ++trickled;
  CHECK(reader(client).next().status() == 408);
  CHECK(trickled < 250);
}

TEST_CASE("request bodies share a limit until the upstream has them") {
  const proxied setup(answer_all(ok_answer),
                      [](proxy_options& options) { options.limits.max_request_memory = 1000; });
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n";
  wire one = setup.dial();
  one.send(head + std::string(800, 'x'));
  wire other = setup.dial();
  other.send(head + std::string(800, 'x'));
  // The one whose bytes are read last is refused.
  REQUIRE(eventually([&] { return one.readable(milliseconds(0)) || other.readable(milliseconds(0)); }));
  const bool refuses_one = one.readable(milliseconds(0));
  const message refused = reader(refuses_one ? one : other).next();
  CHECK(refused.status() == 503);
  CHECK(refused.body.find("too_many_request_bytes") != std::string::npos);
  CHECK(setup.server.metrics().refused.request_bytes == 1);
  wire& accepted = refuses_one ? other : one;
  accepted.send(std::string(100, 'x'));
  CHECK(reader(accepted).next().status() == 200);
  for (int i = 0; i < 5; ++i) CHECK(setup.ask(head + std::string(900, 'x')).status() == 200);
}

TEST_CASE("a request body that is larger than all bodies may be is a 413") {
  const proxied setup(answer_all(ok_answer),
                      [](proxy_options& options) { options.limits.max_request_memory = 1000; });
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\n";
  CHECK(setup.ask(head + "Content-Length: 1001\r\n\r\n").status() == 413);
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  CHECK(setup.ask(chunked + chunk(std::string(1001, 'x'))).status() == 413);
}

TEST_CASE("a request head may have as many bytes as a client sends ahead") {
  const std::size_t most = citestream::client_limits::most_head_bytes;
  const proxied setup(answer_all(ok_answer),
                      [=](proxy_options& options) { options.limits.max_head_bytes = most; });
  const auto head_of = [](std::size_t size) {
    const std::string start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
    return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
  };
  CHECK(setup.ask(head_of(most)).status() == 200);
  CHECK(setup.ask(head_of(most + 1)).status() == 431);
  CHECK(setup.ask(head_of(3 * most)).status() == 431);
}

TEST_CASE("request bodies that the upstream does not read have a common limit") {
  gate reads;
  const proxied setup(
      [&](wire& client, int) {
        reads.wait();
        reader requests(client);  // a connection that it closed could be one that the next request uses
        while (!requests.next().head.empty()) client.send(ok_answer);
      },
      [](proxy_options& options) { options.limits.max_request_memory = 20'000'000; });
  // More than the buffers of a connection, so that the proxy keeps most of the first one.
  const std::string body(16'000'000, 'x');
  const std::string request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16000000\r\n\r\n" + body;
  wire one = setup.dial();
  REQUIRE(one.send(request));
  REQUIRE(eventually([&] { return setup.server.metrics().bytes.request == body.size(); }));
  CHECK(setup.ask(request).status() == 503);
  reads.open();
  CHECK(reader(one).next().status() == 200);
  CHECK(setup.ask(request).status() == 200);
}

TEST_CASE("a request body that arrives too slowly is aborted") {
  const proxied setup(answer_all(ok_answer), [](proxy_options& options) {
    options.deadlines.client_body = milliseconds(200);
    options.limits.min_body_rate = 1'000'000;
  });
  wire client = setup.dial();
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n");
  int trickled = 0;
  while (!client.readable(milliseconds(20)) && client.send("x")) ++trickled;
  CHECK(reader(client).next().status() == 408);
  CHECK(trickled < 250);  // of 100,000
}
