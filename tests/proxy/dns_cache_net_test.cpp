// Host name lookups that hang do not delay anything else.
#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <vector>

#include <catch2/catch.hpp>

#include "proxy/dns_cache.hpp"
#include "proxy/upstream_link.hpp"
#include "support/proxied.hpp"

using namespace citestream;
using namespace loopback;

namespace {

/// A name server for tests. Shared, because lookups that hang outlive the proxy.
struct name_server {
  std::atomic<int> lookups{};
  std::atomic<bool> hangs{};
  gate released;

  static name_lookup lookup(const std::shared_ptr<name_server>& self) {
    return [self](const std::string& host) {
      ++self->lookups;
      if (self->hangs || host.starts_with("hanging")) self->released.wait();
      return std::vector<std::string>{"127.0.0." + std::to_string(self->lookups.load())};
    };
  }
};

std::string url_of(const std::string& host, const std::string& url) {
  return "http://" + host + url.substr(url.rfind(':'));
}

/// A route to an upstream whose name server hangs, and another one for all other paths.
void use_hanging_upstream(proxy_options& options) {
  upstream_options hanging;
  hanging.name = "hanging";
  hanging.url = url_of("hanging.test", options.upstream.url);
  options.upstreams.push_back(hanging);
  route_options route;
  route.path = "/hanging";
  route.upstream = "hanging";
  options.routes.push_back(route);
  options.upstream.url = url_of("localhost", options.upstream.url);
  options.threads = 1;
}

/// The address that a cache returns at a given time; empty if none.
std::string find(dns_cache& cache, asio::io_context& io, clock::time_point now) {
  std::optional<found_addresses> result;
  cache.find(now, [&](const found_addresses& found) { result = found; });
  io.restart();
  while (!result) io.run_one();
  return result->error ? "" : result->addresses.front().to_string();
}

}  // namespace

TEST_CASE("a hanging name server does not delay other upstreams or the exit") {
  const auto names = std::make_shared<name_server>();
  proxied setup(answer_all(ok_answer), [&](proxy_options& options) {
    use_hanging_upstream(options);
    options.lookup = name_server::lookup(names);
  });
  wire stuck = setup.dial();
  stuck.send("GET /hanging HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(eventually([&] { return names->lookups == 1; }));
  names->lookups = 0;  // the next address is 127.0.0.1
  CHECK(setup.ask(get_request).body == "ok");
  auto stopped = std::async(std::launch::async, [&] { setup.server.stop(milliseconds(1)); });
  CHECK(stopped.wait_for(patience) == std::future_status::ready);
  names->released.open();
}

TEST_CASE("a connection closed during its DNS lookup is freed") {
  const auto names = std::make_shared<name_server>();
  asio::io_context io;
  name_resolver resolver(name_server::lookup(names));
  const auto cache =
      std::make_shared<dns_cache>(io, resolver, "hanging.test", dns_cache::times{patience, patience});
  auto link = std::make_shared<upstream_link>(io, std::make_shared<upstream_target>(),
                                              std::make_shared<upstream_caches>(cache));
  const std::weak_ptr<upstream_link> given_up = link;
  link->connect();
  CHECK(eventually([&] { return names->lookups == 1; }));
  link->close();
  link.reset();
  CHECK(given_up.expired());
  names->released.open();
}

TEST_CASE("a DNS lookup that times out is a 504") {
  const auto names = std::make_shared<name_server>();
  const proxied setup(answer_all(ok_answer), [&](proxy_options& options) {
    use_hanging_upstream(options);
    options.lookup = name_server::lookup(names);
    options.deadlines.connect = milliseconds(100);
  });
  CHECK(setup.ask("GET /hanging HTTP/1.1\r\nHost: a\r\n\r\n").status() == 504);
  names->released.open();
}

TEST_CASE("an address that does not answer is left for the next one") {
  const auto silent = [](std::uint16_t port) {
    wire socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
    REQUIRE(::bind(socket.fd(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
    REQUIRE(::listen(socket.fd(), 0) == 0);
    return std::pair(std::move(socket), at);
  };
  std::vector<wire> open;
  const proxied setup(answer_all(ok_answer), [&](proxy_options& options) {
    const auto port = static_cast<std::uint16_t>(
        std::stoi(options.upstream.url.substr(options.upstream.url.rfind(':') + 1)));
    auto [socket, at] = silent(port);
    open.push_back(std::move(socket));
    for (int i = 0; i < 4; ++i) {  // fills the queue of the socket, so that it takes no further connection
      open.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      static_cast<void>(::connect(open.back().fd(), reinterpret_cast<const sockaddr*>(&at), sizeof at));
    }
    options.lookup = [](const std::string&) { return std::vector<std::string>{"127.0.0.2", "127.0.0.1"}; };
    options.upstream.url = url_of("two.test", options.upstream.url);
    options.deadlines.connect = patience;
  });
  CHECK(setup.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status() == 200);
}

TEST_CASE("an address that has answered before others comes first until the next lookup") {
  asio::io_context io;
  name_resolver resolver([](const std::string&) {
    return std::vector<std::string>{"127.0.0.1", "127.0.0.2"};
  });
  const std::chrono::hours age(4);
  const auto cache = std::make_shared<dns_cache>(io, resolver, "a.test", dns_cache::times{age, patience});
  const auto now = clock::now();
  CHECK(find(*cache, io, now) == "127.0.0.1");
  cache->prefer(asio::ip::make_address("127.0.0.2"));
  cache->prefer(asio::ip::make_address("127.0.0.9"));  // not one of them
  CHECK(find(*cache, io, now) == "127.0.0.2");
  CHECK(find(*cache, io, now + 2 * age) == "127.0.0.1");
}

TEST_CASE("addresses are refreshed early and the old ones are used meanwhile") {
  const auto names = std::make_shared<name_server>();
  asio::io_context io;
  name_resolver resolver(name_server::lookup(names));
  const std::chrono::hours age(4);
  const auto cache = std::make_shared<dns_cache>(io, resolver, "a.test", dns_cache::times{age, patience});
  CHECK(find(*cache, io, clock::now()) == "127.0.0.1");
  const auto now = clock::now();
  CHECK(find(*cache, io, now + age / 2) == "127.0.0.1");
  CHECK(names->lookups == 1);
  names->hangs = true;
  CHECK(find(*cache, io, now + age * 7 / 8) == "127.0.0.1");
  CHECK(eventually([&] { return names->lookups == 2; }));
  CHECK(find(*cache, io, now + age * 7 / 8) == "127.0.0.1");
  names->released.open();
  CHECK(find(*cache, io, now + 2 * age) == "127.0.0.2");
  CHECK(names->lookups == 2);
}

TEST_CASE("expired addresses are used if the name server does not answer in time") {
  const auto names = std::make_shared<name_server>();
  asio::io_context io;
  name_resolver resolver(name_server::lookup(names));
  const dns_cache::times bounds{std::chrono::hours(4), milliseconds(50)};
  const auto cache = std::make_shared<dns_cache>(io, resolver, "a.test", bounds);
  std::string known;  // on a busy machine the first lookups may be late, too
  CHECK(eventually([&] { return !(known = find(*cache, io, clock::now())).empty(); }));
  names->hangs = true;
  cache->expire();
  CHECK(find(*cache, io, clock::now()) == known);
  names->released.open();
}

TEST_CASE("overdue lookups do not block others") {
  const auto names = std::make_shared<name_server>();
  asio::io_context io;
  name_resolver resolver(name_server::lookup(names));
  const auto ignore = [](const found_addresses&) {};
  for (std::size_t i = 0; i < name_resolver::max_threads; ++i) {
    resolver.find("hanging" + std::to_string(i) + ".test", io, ignore);
  }
  constexpr int all = static_cast<int>(name_resolver::max_threads);
  CHECK(eventually([&] { return names->lookups == all; }));
  std::atomic<bool> found{};
  resolver.find("healthy.test", io, [&](const found_addresses&) { found = true; });
  resolver.overdue("hanging3.test");
  CHECK(eventually([&] {
    io.restart();
    io.poll();
    return found.load();
  }));
  CHECK(names->lookups == all + 1);
  names->released.open();
}
