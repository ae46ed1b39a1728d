#include "faults/fault_front.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <malloc.h>
#include <signal.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include "support/data.hpp"
#include "support/proxied.hpp"
#include "support/scratch_folder.hpp"

namespace citestream_tests {
namespace {

using citestream::failure;
using std::chrono::milliseconds;

std::size_t files_of(const std::string& process) {
  const std::filesystem::directory_iterator all("/proc/" + process + "/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

class proxy_front : public fault_front {
 public:
  proxy_front(const std::string& url, milliseconds silence)
      : proxy_(url, [&](citestream::proxy_options& out) {
          out.deadlines.idle = silence;
          out.pool.max_idle_time = milliseconds(200);
        }) {}
  [[nodiscard]] std::uint16_t port() const override { return proxy_.server.port(); }
  [[nodiscard]] std::string request(std::size_t number, const std::string& style) const override {
    return "POST /" + std::to_string(number) + " HTTP/1.1\r\nHost: proxy\r\n" +
           (style.empty() ? "" : "X-Citestream-Style: " + style + "\r\n");
  }
  [[nodiscard]] std::optional<failure> told(failure what) const override { return what; }
  [[nodiscard]] citestream::http::own_error told_of_a_missing_end() const override {
    return citestream::describe(failure::incomplete);
  }
  [[nodiscard]] std::size_t active() const override { return proxy_.server.state().open_connections; }
  [[nodiscard]] std::size_t open_files() const override { return files_of("self"); }
  [[nodiscard]] std::size_t heap() const override { return mallinfo2().uordblks; }
  [[nodiscard]] std::size_t smallest_leak() const override { return 16; }  // the smallest block is larger

 private:
  loopback::running_proxy proxy_;
};

std::uint16_t free_port() {
  std::uint16_t port{};
  ::close(loopback::listening_socket(port));
  return port;
}

void fill(std::string& text, const std::string& name, const std::string& value) {
  const std::string place = "@" + name + "@";
  for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size()) {
    text.replace(at, place.size(), value);
  }
}

class nginx_front : public fault_front {
 public:
  nginx_front(const std::string& url, milliseconds silence) : port_(free_port()) {
    std::string text = read_file(CITESTREAM_SOURCE_DIR "/tests/peers/nginx_front.conf");
    fill(text, "MODULE", CITESTREAM_NGINX_MODULE);
    fill(text, "USER", ::geteuid() == 0 ? "user root;" : "");
    fill(text, "FOLDER", folder_.path());
    fill(text, "LISTEN", "127.0.0.1:" + std::to_string(port_));
    fill(text, "OPTIONS", "proxy_read_timeout " + std::to_string(silence.count()) + "ms;");
    fill(text, "UPSTREAM", url);
    std::ofstream(folder_.path("nginx.conf")) << text;
    start();
    if (!loopback::eventually([&] { return is_up(); })) {
      stop();
      throw std::runtime_error("nginx does not start: " + folder_.read("log"));
    }
    at_rest_ = open_files();
  }
  ~nginx_front() override { stop(); }

  [[nodiscard]] std::uint16_t port() const override { return port_; }
  [[nodiscard]] std::string request(std::size_t number, const std::string& style) const override {
    return "POST /" + (style.empty() ? "" : style + "/") + std::to_string(number) +
           " HTTP/1.1\r\nHost: nginx\r\n";
  }
  /// nginx treats a reset like a close. After an invalid chunk it closes without calling the filters.
  [[nodiscard]] std::optional<failure> told(failure what) const override {
    if (what == failure::malformed) return {};
    return what == failure::reset ? failure::closed : what;
  }
  [[nodiscard]] citestream::http::own_error told_of_a_missing_end() const override {
    return {};
  }  // the library's message
  [[nodiscard]] std::size_t active() const override {
    const std::size_t now = open_files();
    return now > at_rest_ ? now - at_rest_ : 0;
  }
  [[nodiscard]] std::size_t open_files() const override { return files_of(worker_); }
  [[nodiscard]] std::size_t heap() const override {
    std::istringstream numbers(read_file("/proc/" + worker_ + "/statm"));
    std::size_t all = 0;
    std::size_t resident = 0;
    numbers >> all >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  }
  /// More connections at once than ever before cost some pages. A session that leaks costs more per request.
  [[nodiscard]] std::size_t smallest_leak() const override { return 512; }

 private:
  void start() {
    const std::string configuration = folder_.path("nginx.conf");
    const std::string log = folder_.path("log");
    process_ = ::fork();
    if (process_ != 0) return;
    if (::freopen(log.c_str(), "w", stderr) == nullptr) ::_exit(126);
    // Freed memory is kept, so that the resident size grows only if more memory is in use than ever before.
    ::setenv("MALLOC_TRIM_THRESHOLD_", "1073741824", 1);
    ::setenv("MALLOC_MMAP_THRESHOLD_", "33554432", 1);
    ::execl(CITESTREAM_NGINX_PROGRAM, CITESTREAM_NGINX_PROGRAM, "-c", configuration.c_str(), "-e", "stderr",
            nullptr);
    ::_exit(127);
  }
  bool is_up() {
    const std::string log = folder_.read("log");
    const std::string mark = "start worker process ";
    const std::size_t at = log.find(mark);
    if (at == std::string::npos || log.find('\n', at) == std::string::npos) return false;
    worker_ = std::to_string(std::stoi(log.substr(at + mark.size())));
    loopback::wire client = loopback::dial(port_);
    client.send("GET /up HTTP/1.0\r\n\r\n");
    return client.read_all().find(" 204 ") != std::string::npos;  // the worker answers
  }
  void stop() const {
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
  }

  citestream_tests::scratch_folder folder_;
  std::uint16_t port_;
  pid_t process_{};
  std::string worker_;
  std::size_t at_rest_{};
};

}  // namespace

front_maker our_proxy(milliseconds silence) {
  return [=](const std::string& url) { return std::make_unique<proxy_front>(url, silence); };
}

front_maker our_module_in_nginx(milliseconds silence) {
  return [=](const std::string& url) { return std::make_unique<nginx_front>(url, silence); };
}

bool have_nginx() {
  const bool here = *CITESTREAM_NGINX_MODULE != '\0' && *CITESTREAM_NGINX_PROGRAM != '\0';
  if (!here) std::cout << "SKIPPED: there is no nginx with our module\n";
  return here;
}

}  // namespace citestream_tests
