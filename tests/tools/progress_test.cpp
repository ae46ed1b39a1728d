// The progress line that a long run shows on a terminal.
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/scratch_folder.hpp"
#include "support/strings.hpp"
#include "support/waiting.hpp"

using namespace citestream_tests;

namespace {

/// `citestream filter` with a pipe as input and a terminal as standard error, and with \p both as standard
/// output too. \param more  further arguments
class watched_filter {
 public:
  explicit watched_filter(bool both, std::vector<std::string> more = {"--to", "text"}) {
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
      std::vector<std::string> all{CITESTREAM_BINARY, "filter", "--jobs", "1"};
      all.insert(all.end(), more.begin(), more.end());
      all.emplace_back("-");
      std::vector<char*> arguments;
      for (std::string& one : all) arguments.push_back(one.data());
      arguments.push_back(nullptr);
      ::execv(CITESTREAM_BINARY, arguments.data());
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
  /// Writes text until the terminal has shown \p mark.
  bool shows(std::string_view mark) {
    return eventually([&] {
      write(chunk(0, json_text("text ")));
      watch(50);
      return shown.find(mark) != std::string::npos;
    });
  }
  /// Ends the answer and reads to the end.
  void end() {
    write(chunk(0, json_text("."), "\"stop\""));
    ::close(std::exchange(input_, -1));
    while (watch(20'000)) continue;
  }

  /// Reads what the terminal shows within \p milliseconds. \return false if it is closed or nothing was shown
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

}  // namespace

TEST_CASE("a long run shows its progress on the terminal and erases the line at the end") {
  watched_filter run(false);
  REQUIRE(run.started());
  CHECK(run.shows("MB/s"));
  CHECK(run.shown.starts_with("\r\033[K"));
  CHECK(run.shown.find(" MB, ") != std::string::npos);
  run.end();
  CHECK(run.shown.ends_with("\r\033[K"));
}

TEST_CASE("a run over several documents shows their number and the time that is left") {
  const scratch_file file("answer.sse", answer_stream());
  watched_filter run(false, {"--to", "text", file.path()});
  REQUIRE(run.started());
  CHECK(run.shows(" left"));
  CHECK(run.shown.find("\r\033[K1 of 2 documents, 0.0 MB, 0.0 MB/s, 0:0") != std::string::npos);
  run.end();
  CHECK(run.shown.ends_with("\r\033[K"));
}

TEST_CASE("progress is shown on a terminal if the output goes to the file of --resume") {
  const scratch_file file("answer.sse", answer_stream());
  const scratch_folder folder;
  watched_filter run(true, {"--to", "json", "--resume", folder.path("out.ndjson"), file.path()});
  REQUIRE(run.started());
  CHECK(run.shows("1 of 2 documents"));
}

TEST_CASE("a terminal that shows the output shows no progress") {
  watched_filter run(true);
  REQUIRE(run.started());
  const std::string word = "0123456789";
  // The input lasts longer than the delay of the progress line.
  for (int i = 0; i < 15; ++i) {
    run.write(chunk(0, json_text(word)));
    run.watch(50);
    while (run.watch(50)) continue;
  }
  run.end();
  CHECK(run.shown == repeated(word, 15) + ".\r\n");
}

TEST_CASE("no progress is written to a standard error that is not a terminal") {
  child program({"filter", "--to", "text"});
  // As above, the input lasts longer than the delay of the progress line.
  for (int i = 0; i < 15; ++i) {
    program.write(chunk(0, json_text("text " + std::to_string(i) + " ")));
    CHECK(program.await("text " + std::to_string(i)));
    ::poll(nullptr, 0, 50);
  }
  program.write(chunk(0, json_text("."), "\"stop\""));
  CHECK(program.wait() == 0);
  CHECK(program.err.empty());
}
