// The proxy under a service manager: its notifications, and the unit and container files of the project.
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <catch2/catch.hpp>

#include "support/data.hpp"
#include "support/scratch_folder.hpp"

using citestream_tests::read_file;
using citestream_tests::scratch_folder;

namespace {

const std::string container_file = CITESTREAM_SOURCE_DIR "/src/tools/Dockerfile";
const std::string unit_file = CITESTREAM_SOURCE_DIR "/src/tools/citestream.service";

/// Receives the notifications of a service.
class manager {
 public:
  explicit manager(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, path.c_str(), sizeof at.sun_path - 1);
    const auto* generic = static_cast<const sockaddr*>(static_cast<const void*>(&at));
    if (::bind(fd_, generic, sizeof at) != 0) throw std::runtime_error("cannot bind " + path);
  }
  ~manager() { ::close(fd_); }
  manager(const manager&) = delete;
  manager& operator=(const manager&) = delete;

  /// The next notification that is not \p but; empty if none arrives in time.
  std::string next(const std::string& but = {}) {
    for (;;) {
      pollfd wanted{fd_, POLLIN, 0};
      if (::poll(&wanted, 1, 20'000) <= 0) return {};
      std::array<char, 512> word{};
      const auto size = ::recv(fd_, word.data(), word.size(), 0);
      std::string out(word.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
      if (out != but) return out;
    }
  }

 private:
  int fd_;
};

pid_t start_service(const std::string& socket) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::setenv("NOTIFY_SOCKET", socket.c_str(), 1);
  ::setenv("WATCHDOG_USEC", "100000", 1);
  if (std::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(126);
  ::execl(CITESTREAM_BINARY, CITESTREAM_BINARY, "proxy", "--listen", "127.0.0.1:0", "--upstream",
          "http://127.0.0.1:1", static_cast<char*>(nullptr));
  ::_exit(127);
}

/// Runs a command and sets \p said to its output. \return its exit code; 127 if it does not exist
int run(const std::string& line, std::string& said) {
  std::FILE* out = ::popen((line + " 2>&1").c_str(), "r");
  std::array<char, 4096> part{};
  for (std::size_t got = std::fread(part.data(), 1, part.size(), out); got > 0;
       got = std::fread(part.data(), 1, part.size(), out)) {
    said.append(part.data(), got);
  }
  const int how = ::pclose(out);
  return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/// Writes the unit with the path of the built binary. \return the file
std::string unit_with_own_binary(const scratch_folder& in) {
  std::string unit = read_file(unit_file);
  const std::string installed = "/usr/bin/citestream";
  const std::size_t at = unit.find(installed + " proxy");
  REQUIRE(at != std::string::npos);
  unit.replace(at, installed.size(), CITESTREAM_BINARY);
  const std::string path = in.path("citestream.service");
  std::ofstream(path) << unit;
  return path;
}

}  // namespace

TEST_CASE("a service manager is notified of ready and alive and reload and stop") {
  const scratch_folder files;
  manager hears(files.path("notify"));
  const pid_t pid = start_service(files.path("notify"));
  CHECK(hears.next() == "READY=1");
  CHECK(hears.next() == "WATCHDOG=1");
  CHECK(hears.next() == "WATCHDOG=1");
  ::kill(pid, SIGHUP);
  CHECK(hears.next("WATCHDOG=1").starts_with("RELOADING=1\nMONOTONIC_USEC="));
  CHECK(hears.next("WATCHDOG=1") == "READY=1");
  ::kill(pid, SIGTERM);
  CHECK(hears.next("WATCHDOG=1") == "STOPPING=1");
  int how = 0;
  ::waitpid(pid, &how, 0);
  CHECK(WIFEXITED(how));
  CHECK(WEXITSTATUS(how) == 0);
}

TEST_CASE("systemd accepts the unit without a warning") {
  const scratch_folder files;
  std::string said;
  const int code = run("systemd-analyze verify --man=no " + unit_with_own_binary(files), said);
  if (code == 127) {
    WARN("SKIPPED: no systemd-analyze here");
    return;
  }
  INFO(said);
  CHECK(code == 0);
  CHECK(said.find("citestream") == std::string::npos);
}

TEST_CASE("systemd rates the exposure of the unit as low") {
  const scratch_folder files;
  std::string said;
  const std::string unit = unit_with_own_binary(files);
  const int code = run("systemd-analyze security --offline=yes --threshold=20 --no-pager " + unit, said);
  if (code == 127) {
    WARN("SKIPPED: no systemd-analyze here");
    return;
  }
  INFO(said);  // the exposure is at most 2.0 of 10
  CHECK(code == 0);
}

TEST_CASE("the container runs as nobody and is based on Debian only") {
  std::istringstream lines(read_file(container_file));
  std::vector<std::string> from;
  std::string user;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("FROM ")) from.push_back(line.substr(5));
    if (line.starts_with("USER ")) user = line.substr(5);
  }
  CHECK(from == std::vector<std::string>{"debian:12-slim AS build", "debian:12-slim"});
  CHECK(user == "65534:65534");
}

TEST_CASE("the container has every library of the program and every copied file") {
  const std::string text = read_file(container_file);
  const std::string last_stage = text.substr(text.rfind("\nFROM "));
  std::string packages;
  const int code = run("ldd " CITESTREAM_BINARY
                       " | sed -n 's/.* => \\(\\/[^ ]*\\).*/\\1/p' | xargs -r readlink -f | sed 'p;s,^/usr,,'"
                       " | xargs -r dpkg -S 2>/dev/null | cut -d: -f1 | sort -u",
                       packages);
  std::istringstream lines(packages);
  std::size_t found = 0;
  for (std::string package; std::getline(lines, package);) {
    if (package == "libc6" || package == "libgcc-s1")
      continue;  // part of the image, and a dependency of libstdc++6
    INFO(package);
    CHECK(last_stage.find(" " + package + " ") != std::string::npos);
    ++found;
  }
  if (found == 0) WARN("SKIPPED: no dpkg here that knows the libraries");
  CHECK(code == 0);
  std::istringstream copies(text);
  for (std::string word, line; std::getline(copies, line);) {
    std::istringstream words(line);
    if (!(words >> word) || word != "COPY" || line.find("--from") != std::string::npos) continue;
    std::vector<std::string> paths;
    while (words >> word) paths.push_back(word);
    for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
      INFO(paths[i]);
      CHECK(std::filesystem::exists(std::string(CITESTREAM_SOURCE_DIR "/") + paths[i]));
    }
  }
}
