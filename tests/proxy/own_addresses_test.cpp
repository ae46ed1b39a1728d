#include "proxy/own_addresses.hpp"

#include <arpa/inet.h>
#include <filesystem>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <vector>

#include <catch2/catch.hpp>

#include "proxy/proxy_server.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream;

namespace {

proxy_options listening_on(const std::string& list) {
  proxy_options out;
  out.listen.addresses = list;
  out.upstream.url = "https://api.example";
  return out;
}

/// The options that the conflicts are about, separated by spaces.
std::string conflicts_of(const proxy_options& options) {
  std::string out;
  for (const address_conflict& one : find_address_conflicts(options)) {
    out.append(out.empty() ? "" : " ").append(one.upstream).append(one.upstream.empty() ? "" : ".");
    out.append(one.option);
  }
  return out;
}

std::string conflicts_of_upstream(const std::string& listen, const std::string& url) {
  proxy_options options = listening_on(listen);
  options.upstream.url = url;
  return conflicts_of(options);
}

/// The IPv4 addresses of this machine's interfaces.
std::vector<std::string> interface_addresses() {
  std::vector<std::string> out;
  ifaddrs* all = nullptr;
  REQUIRE(::getifaddrs(&all) == 0);
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    char text[INET_ADDRSTRLEN]{};
    const void* raw = one->ifa_addr;
    ::inet_ntop(AF_INET, &static_cast<const sockaddr_in*>(raw)->sin_addr, text, sizeof text);
    out.emplace_back(text);
  }
  ::freeifaddrs(all);
  return out;
}

}  // namespace

TEST_CASE("an address that is configured twice is a conflict in every spelling") {
  for (const char* list :
       {"127.0.0.1:8080,127.0.0.1:8080", "0.0.0.0:8080,127.0.0.1:8080", "127.0.0.1:8080,:8080",
        "[::]:8080,127.0.0.1:8080", "[::1]:8080,[::]:8080", "localhost:8080,127.0.0.1:8080",
        "localhost:8080,[::1]:8080", "127.1:8080,127.0.0.1:8080", "0x7f000001:8080,127.0.0.1:8080",
        "0:8080,127.0.0.1:8080", "[::ffff:127.0.0.1]:8080,127.0.0.1:8080",
        "proxy.example:80,Proxy.Example:80", "127.0.0.1:8080,127.0.0.1:08080",
        "unix:/run/a.sock,unix:/run/./a.sock"}) {
    INFO(list);
    CHECK(conflicts_of(listening_on(list)) == "listen");
  }
  for (const char* list :
       {"127.0.0.1:8080,127.0.0.1:8081", "127.0.0.1:8080,127.0.0.2:8080", "0.0.0.0:8080,[::1]:8080",
        "127.0.0.1:0,127.0.0.1:0", "unix:/run/a.sock,unix:/run/b.sock", "unix:/run/a.sock,127.0.0.1:80"}) {
    INFO(list);
    CHECK(conflicts_of(listening_on(list)).empty());
  }
}

TEST_CASE("TLS and admin addresses are compared too") {
  proxy_options options = listening_on("127.0.0.1:8080");
  options.listen.tls_addresses = "0.0.0.0:8080";
  options.admin = ":8080";
  CHECK(conflicts_of(options) == "tls_listen admin");
  CHECK(find_address_conflicts(options).back().what ==
        "'127.0.0.1:8080' overlaps with listen '127.0.0.1:8080'; set another address or port");
  options.listen.tls_addresses.clear();
  options.admin = "8081";
  CHECK(conflicts_of(options).empty());
  options.admin.clear();
  CHECK(conflicts_of(options).empty());
}

TEST_CASE("two paths to one Unix socket are a conflict") {
  const citestream_tests::scratch_folder files;
  std::filesystem::create_directory(files.path("real"));
  std::filesystem::create_directory_symlink(files.path("real"), files.path("link"));
  CHECK(conflicts_of(listening_on("unix:" + files.path("real/a") + ",unix:" + files.path("link/a"))) ==
        "listen");
}

TEST_CASE("an upstream that is the proxy itself is a conflict") {
  for (const auto& [listen, url] : std::vector<std::pair<std::string, std::string>>{
           {"127.0.0.1:8080", "http://127.0.0.1:8080"},
           {"127.0.0.1:8080", "http://localhost:8080/v1"},
           {"127.0.0.1:8080", "https://127.0.0.1:8080"},
           {"127.0.0.1:80", "http://127.0.0.1"},
           {"127.0.0.1:443", "https://127.0.0.1"},
           {"127.0.0.1:8080", "http://0.0.0.0:8080"},
           {"0.0.0.0:8080", "http://127.0.0.3:8080"},
           {"0.0.0.0:8080", "http://localhost:8080"},
           {"[::]:8080", "http://127.0.0.1:8080"},
           {"[::]:8080", "http://[::1]:8080"},
           {"[::1]:8080", "http://[::]:8080"},
           {"127.0.0.1:8080", "http://127.1:8080"},
           {"127.0.0.1:8080", "http://2130706433:8080"},
           {"proxy.example:8080", "http://PROXY.example:8080"}}) {
    INFO(listen << " " << url);
    CHECK(conflicts_of_upstream(listen, url) == "upstream");
  }
  for (const auto& [listen, url] :
       std::vector<std::pair<std::string, std::string>>{{"127.0.0.1:8080", "http://127.0.0.1:8081"},
                                                        {"127.0.0.1:8080", "http://127.0.0.2:8080"},
                                                        {"127.0.0.1:8080", "http://[::1]:8080"},
                                                        {"0.0.0.0:8080", "http://192.0.2.1:8080"},
                                                        {"0.0.0.0:8080", "http://api.example:8080"},
                                                        {"127.0.0.1:8080", "demo:"}}) {
    INFO(listen << " " << url);
    CHECK(conflicts_of_upstream(listen, url).empty());
  }
  for (const std::string& mine : interface_addresses()) {
    CHECK(conflicts_of_upstream("0.0.0.0:8080", "http://" + mine + ":8080") == "upstream");
  }
}

TEST_CASE("each upstream is compared with every address of the proxy") {
  proxy_options options = listening_on("127.0.0.1:8080");
  options.listen.tls_addresses = "127.0.0.1:8443";
  options.admin = ":9090";
  for (const auto& [name, url] : std::vector<std::pair<std::string, std::string>>{
           {"a", "http://127.0.0.1:9090"}, {"b", "http://b.example"}, {"c", "https://127.0.0.1:8443"}}) {
    upstream_options& one = options.upstreams.emplace_back();
    one.name = name;
    one.url = url;
  }
  CHECK(conflicts_of(options) == "a.url c.url");
  CHECK(find_address_conflicts(options).front().what ==
        "'http://127.0.0.1:9090' is this proxy itself (admin 127.0.0.1:9090); requests would loop; set the "
        "address of the API");
}

TEST_CASE("a proxy with conflicting addresses does not start") {
  proxy_options options = listening_on("127.0.0.1:1,127.0.0.1:1");
  CHECK(proxy_server(options).start().starts_with("listen: '127.0.0.1:1' overlaps with listen"));
  options = listening_on("127.0.0.1:1");
  options.upstream.url = "http://127.0.0.1:1";
  CHECK(proxy_server(options).start().starts_with("upstream: 'http://127.0.0.1:1' is this proxy itself"));
  options = listening_on("127.0.0.1:1");
  options.trace.endpoint = "http://127.0.0.1:1";
  CHECK(proxy_server(options).start().starts_with("otlp_endpoint: 'http://127.0.0.1:1' is this proxy"));
}
