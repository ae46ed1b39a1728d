// An upstream with TLS: which certificates are trusted, and which closes end a body.
#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/loopback_tls.hpp"
#include "support/proxied.hpp"

using namespace loopback;

namespace {

const std::string stream = delta("a [x](f1).") + finish() + done;

message ask_over_tls(const std::string& url, const std::string& authority_file) {
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL's own writes, in the upstream
  const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
    options.upstream.url = url;
    options.upstream.ca_file = authority_file;
  });
  return setup.ask(chat_request);
}

std::uint16_t port_of(const std::string& url) {
  return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
}

/// An upstream with the addresses 127.0.0.1 and 127.0.0.2 in the order \p given.
void use_two_addresses(citestream::proxy_options& options, std::uint16_t port, const authority& trusted,
                       const std::vector<std::string>& given = {"127.0.0.1", "127.0.0.2"}) {
  options.lookup = [given](const std::string&) { return given; };
  options.upstream.url = "https://two.test:" + std::to_string(port);
  options.upstream.ca_file = trusted.file();
  options.threads = 1;
}

}  // namespace

TEST_CASE("a stream over TLS is rewritten and the handshake names the host") {
  const authority trusted;
  const tls_upstream up(trusted, "DNS:localhost", event_stream_head + chunk(stream) + "0\r\n\r\n");
  const message answer = ask_over_tls(up.url("localhost"), trusted.file());
  CHECK(answer.complete);
  CHECK(text_of(answer.body) == "a.");
  CHECK(up.server_name() == "localhost");
}

TEST_CASE("an IP address is checked against the certificate and not sent as name") {
  const authority trusted;
  const tls_upstream up(trusted, "IP:127.0.0.1", event_stream_head + chunk(stream) + "0\r\n\r\n");
  CHECK(ask_over_tls(up.url("127.0.0.1"), trusted.file()).complete);
  CHECK(up.server_name().empty());
}

TEST_CASE("a certificate for another host is rejected before any byte is sent") {
  const authority trusted;
  for (const std::string name : {"DNS:api.example", "DNS:localhost.example", "IP:127.0.0.2"}) {
    const tls_upstream up(trusted, name, event_stream_head + chunk(stream) + "0\r\n\r\n");
    const message answer = ask_over_tls(up.url("localhost"), trusted.file());
    CHECK(answer.status() == 502);
    CHECK(answer.body.find("\"code\":\"upstream_tls\"") != std::string::npos);
    CHECK(up.requests() == 0);
  }
}

TEST_CASE("a certificate of an unknown authority is rejected") {
  const authority trusted;
  const authority other;
  const tls_upstream up(other, "DNS:localhost", event_stream_head + chunk(stream) + "0\r\n\r\n");
  CHECK(ask_over_tls(up.url("localhost"), trusted.file()).status() == 502);
  CHECK(ask_over_tls(up.url("localhost"), "").status() ==
        502);  // the system's trust store does not contain it
  CHECK(up.requests() == 0);
}

TEST_CASE("an upstream that does not speak TLS is a 502") {
  const authority trusted;
  const upstream plain(
      [](wire& client, int) { client.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"); });
  const std::string url = "https://127.0.0.1:" + std::to_string(plain.port());
  CHECK(ask_over_tls(url, trusted.file()).body.find("upstream_tls") != std::string::npos);
}

TEST_CASE("a TCP close without close_notify does not end a body") {
  const authority trusted;
  for (const bool goodbye : {true, false}) {
    const tls_upstream up(trusted, "DNS:localhost", "HTTP/1.1 200 OK\r\n\r\nhalf", goodbye);
    const message answer = ask_over_tls(up.url("localhost"), trusted.file());
    CHECK(answer.body == "half");
    CHECK(answer.complete == goodbye);
  }
}

TEST_CASE("unreadable CA and client certificates are reported in one line") {
  citestream::proxy_options options;
  options.listen.addresses = "127.0.0.1:0";
  options.upstream.url = "https://localhost";
  options.upstream.ca_file = "/nowhere/ca.pem";
  citestream::proxy_server server(options);
  CHECK(server.start().find("/nowhere/ca.pem") != std::string::npos);
}

TEST_CASE("a second connection resumes the first one's TLS session") {
  std::signal(SIGPIPE, SIG_IGN);
  const authority trusted;
  const tls_upstream up(trusted,
                        "DNS:localhost",  // it announces the close, so the first connection is not reused
                        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
  const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
    options.upstream.url = up.url("localhost");
    options.upstream.ca_file = trusted.file();
    options.threads = 1;
  });
  CHECK(setup.ask(chat_request).status() == 200);
  CHECK(setup.ask(chat_request).status() == 200);
  CHECK(up.requests() == 2);
  CHECK(up.resumed() == 1);
}

TEST_CASE("an upstream that requests a certificate gets the configured one") {
  const authority trusted;
  const std::string cert = trusted.file() + ".client";
  trusted.issue("DNS:client", cert);
  const tls_upstream up(trusted, "DNS:localhost", event_stream_head + chunk(stream) + "0\r\n\r\n", true,
                        true);
  const auto ask = [&](const std::string& shown) {
    std::signal(SIGPIPE, SIG_IGN);
    const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
      options.upstream.url = up.url("localhost");
      options.upstream.ca_file = trusted.file();
      options.upstream.cert_file = shown;
    });
    return setup.ask(chat_request);
  };
  CHECK(text_of(ask(cert).body) == "a.");
  CHECK(ask("").status() == 502);
  CHECK(up.requests() == 1);
  std::remove(cert.c_str());
  citestream::proxy_options options = proxied::options("https://localhost", {});
  options.upstream.cert_file = cert;
  citestream::proxy_server server(options);
  CHECK(server.start().find(cert) != std::string::npos);
}

TEST_CASE("the next address is tried if a TLS handshake breaks off or stalls") {
  std::signal(SIGPIPE, SIG_IGN);
  const authority trusted;
  const std::function<void(wire&)> deaths[] = {
      [](wire& client) { client.close(); },      // while the handshake begins
      [](wire& client) { client.read_some(); },  // the end
      [](wire& client) { client.readable(patience), client.rst(); },
      [](wire& client) { client.read_all(); },  // silence
  };
  for (const auto& die : deaths) {
    const tls_upstream up(trusted, "DNS:two.test",  // it answers one request on each connection
                          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    const upstream bad([&](wire& client, int) { die(client); }, port_of(up.url("")));
    const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
      use_two_addresses(options, port_of(up.url("")), trusted, {"127.0.0.2", "127.0.0.1"});
    });
    CHECK(setup.ask(chat_request).body == "ok");
    CHECK(setup.ask(chat_request).body == "ok");
    CHECK(bad.connections() == 1);  // it is the last one until the next lookup
  }
}

TEST_CASE("a name whose addresses all end the TLS handshake is a 502") {
  const authority trusted;
  const upstream first([](wire& client, int) { client.read_some(); });
  const upstream second([](wire& client, int) { client.read_some(); }, first.port());
  const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
    use_two_addresses(options, first.port(), trusted);
  });
  CHECK(setup.ask(chat_request).body.find("\"code\":\"upstream_tls\"") != std::string::npos);
  CHECK(first.connections() + second.connections() == 2);
}

TEST_CASE("a name whose addresses all stall is a 504 after the connect timeout") {
  const authority trusted;
  const upstream first([](wire& client, int) { client.read_all(); });
  const upstream second([](wire& client, int) { client.read_all(); }, first.port());
  const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
    use_two_addresses(options, first.port(), trusted);
    options.deadlines.connect = milliseconds(200);
  });
  CHECK(setup.ask(chat_request).status() == 504);
  CHECK(first.connections() + second.connections() == 2);
}

TEST_CASE("no other address is tried if TLS rejects one") {
  std::signal(SIGPIPE, SIG_IGN);
  const authority trusted;
  const tls_upstream wrong(trusted, "DNS:other.test", ok_answer);
  const upstream other([](wire& client, int) { client.read_some(); }, port_of(wrong.url("")));
  const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
    use_two_addresses(options, port_of(wrong.url("")), trusted);
  });
  CHECK(setup.ask(chat_request).body.find("\"code\":\"upstream_tls\"") != std::string::npos);
  CHECK(other.connections() == 0);
}

TEST_CASE("connecting takes no longer than the maximum duration of an answer") {
  const upstream silent([](wire& client, int) { client.read_all(); });
  const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
    options.upstream.url = "https://127.0.0.1:" + std::to_string(silent.port());
    options.deadlines.connect = 10 * patience;
    options.deadlines.total = milliseconds(150);
  });
  const message answer = setup.ask(chat_request);
  CHECK(answer.status() == 504);
  CHECK(answer.body.find("did not finish its response in time") != std::string::npos);
}

TEST_CASE("a TLS handshake without a response is a 504 after the connect timeout") {
  const upstream silent([](wire& client, int) { client.read_all(); });
  const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
    options.upstream.url = "https://127.0.0.1:" + std::to_string(silent.port());
    options.deadlines.connect = milliseconds(150);
  });
  const message answer = setup.ask(chat_request);
  CHECK(answer.status() == 504);
  CHECK(answer.body.find("could not be connected to in time") != std::string::npos);
}
