// The line that tells a person how far a run has come.
#include <cstdlib>
#include <poll.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>

#include "child.hpp"
#include "inputs.hpp"

using namespace citestream_tests;

namespace {

/// `citestream filter --to text` with a pipe for input and a terminal for standard error, and for standard
/// output where \p both.
class watched_filter {
 public:
  explicit watched_filter(bool both) {
    terminal_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal_ < 0 || ::grantpt(terminal_) != 0 || ::unlockpt(terminal_) != 0) return;
    const int other = ::open(::ptsname(terminal_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    std::array<int, 2> input{};
    if (other < 0 || ::pipe2(input.data(), O_CLOEXEC) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(input[0], STDIN_FILENO);
      ::dup2(both ? other : ::open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
      ::dup2(other, STDERR_FILENO);
      ::execl(CITESTREAM_BINARY, CITESTREAM_BINARY, "filter", "--to", "text", nullptr);
      ::_exit(127);
    }
    ::close(input[0]);
    ::close(other);
    input_ = input[1];
  }
  ~watched_filter() {
    if (input_ >= 0) ::close(input_);
    if (terminal_ >= 0) ::close(terminal_);
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
  }
  watched_filter(const watched_filter&) = delete;
  watched_filter& operator=(const watched_filter&) = delete;

  [[nodiscard]] bool started() const noexcept { return process_ > 0; }

  void write(std::string_view bytes) { CHECK(::write(input_, bytes.data(), bytes.size()) > 0); }
  void end_input() {
    ::close(input_);
    input_ = -1;
  }

  /// Reads what the terminal shows within \p milliseconds. \return false: it is closed, or nothing came
  bool watch(int milliseconds) {
    pollfd watched{terminal_, POLLIN, 0};
    if (::poll(&watched, 1, milliseconds) <= 0) return false;
    std::array<char, 4096> buffer{};
    const auto count = ::read(terminal_, buffer.data(), buffer.size());
    if (count > 0) shown.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  std::string shown;

 private:
  int terminal_{-1};
  int input_{-1};
  pid_t process_{-1};
};

constexpr int attempts = 400;  // of 50 milliseconds: far more than the line waits

}  // namespace

TEST_CASE("a run that lasts tells the terminal how far it is and takes the line away") {
  watched_filter run(false);
  REQUIRE(run.started());
  for (int i = 0; i < attempts && run.shown.find("MB/s") == std::string::npos; ++i) {
    run.write(chunk(0, json_text("text ")));
    run.watch(50);
  }
  CHECK(run.shown.starts_with("\r\033[K"));
  CHECK(run.shown.find(" MB, ") != std::string::npos);
  run.write(chunk(0, json_text("."), "\"stop\""));
  run.end_input();
  while (run.watch(20'000)) continue;
  CHECK(run.shown.ends_with("\r\033[K"));
}

TEST_CASE("a terminal that shows the output shows nothing else") {
  watched_filter run(true);
  REQUIRE(run.started());
  const std::string word = "0123456789";
  // Reads go on for longer than the line waits.
  for (int i = 0; i < 15; ++i) {
    run.write(chunk(0, json_text(word)));
    run.watch(50);
    while (run.watch(50)) continue;
  }
  run.write(chunk(0, json_text(word), "\"stop\""));
  run.end_input();
  while (run.watch(20'000)) continue;
  std::string expected;
  for (int i = 0; i < 16; ++i) expected += word;
  CHECK(run.shown == expected + "\r\n");
}

TEST_CASE("where standard error is no terminal nothing is written to it") {
  child program({"filter", "--to", "text"});
  // As above: longer than the line would wait.
  for (int i = 0; i < 15; ++i) {
    program.write(chunk(0, json_text("text " + std::to_string(i) + " ")));
    CHECK(program.await("text " + std::to_string(i)));
    ::poll(nullptr, 0, 50);
  }
  program.write(chunk(0, json_text("."), "\"stop\""));
  CHECK(program.wait() == 0);
  CHECK(program.err.empty());
}
