#include "replay_serving.hpp"

#include <arpa/inet.h>
#include <cstdint>
#include <filesystem>
#include <netinet/in.h>
#include <pthread.h>
#include <string>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>

#include "base/decimal.hpp"
#include "commands.hpp"
#include "file_limit.hpp"

namespace citestream::tools {

void read_listen(std::string_view listen, replay_options& options) {
  const std::size_t colon = listen.rfind(':');
  const std::string_view host = colon == std::string_view::npos ? "" : listen.substr(0, colon);
  const auto port = whole_number<std::uint16_t>(listen.substr(colon + 1));
  if (host.empty() || !port) {
    throw CLI::ValidationError(
        "--listen", "'" + std::string(listen) + "' is not an address and port like 127.0.0.1:8080");
  }
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  options.address = bracketed ? host.substr(1, host.size() - 2) : host == "localhost" ? "127.0.0.1" : host;
  options.port = *port;
  in_addr version_4{};
  in6_addr version_6{};
  const std::string without_zone = options.address.substr(0, options.address.find('%'));
  const char* const address = without_zone.c_str();
  if (::inet_pton(AF_INET, address, &version_4) == 1 || ::inet_pton(AF_INET6, address, &version_6) == 1)
    return;
  throw CLI::ValidationError("--listen", "'" + options.address + "' is not an IP address or localhost");
}

sigset_t block_signals(std::initializer_list<int> which) {
  sigset_t out;
  sigemptyset(&out);
  for (const int each : which) sigaddset(&out, each);
  pthread_sigmask(SIG_BLOCK, &out, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return out;
}

void serve_until_signal(replay_options options, const std::string& listen,
                        const std::function<void(const std::string& url)>& announce) {
  const bool v6 = options.address.find(':') != std::string::npos;
  const std::string host = v6 ? '[' + options.address + ']' : options.address;

  const sigset_t end_signals = block_signals({SIGINT, SIGTERM});
  raise_file_limit();
  replay_server server(std::move(options));
  const std::error_code error = server.start();
  if (error) throw command_error("cannot listen on " + listen + ": " + error.message());
  announce("http://" + host + ":" + std::to_string(server.port()));
  int signal = 0;
  sigwait(&end_signals, &signal);
  server.stop();
}

std::vector<page_file> find_page(const std::string& folder) {
  namespace fs = std::filesystem;
  if (!folder.empty()) return load_page(folder);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  for (const char* place : {"../js/page", "../share/citestream/page"}) {
    if (std::vector<page_file> found = load_page((program / place).lexically_normal()); !found.empty()) {
      return found;
    }
  }
  return {};
}

}  // namespace citestream::tools
