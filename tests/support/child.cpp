#include "support/child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <set>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace citestream_tests {
namespace {

/// A process that is silent for this long hangs.
constexpr int patience_ms = 100'000;

/// Returns true for the first process of a command. LeakSanitizer takes a third of the time of a short
/// process, so each test program runs it once for each command.
bool searches_leaks(const std::vector<std::string>& arguments) {
  static std::set<std::string> commands;
  return commands.insert(arguments.empty() ? "" : arguments.front()).second;
}

[[noreturn]] void execute(const std::vector<std::string>& arguments, int in, int out, int err) {
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  std::vector<char*> list{const_cast<char*>(CITESTREAM_BINARY)};
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  ::execv(CITESTREAM_BINARY, list.data());
  ::_exit(127);
}

bool read_some(int from, std::string& into) {
  std::array<char, 65536> buffer{};
  const auto count = ::read(from, buffer.data(), buffer.size());
  if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

}  // namespace

child::child(const std::vector<std::string>& arguments, unsigned max_files, bool always_search_leaks) {
  ::signal(SIGPIPE, SIG_IGN);  // a process that ends without reading its input must not end the test
  std::array<std::array<int, 2>, 3> pipes{};
  for (auto& ends : pipes) {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot create a pipe");
  }
  const bool leaks = always_search_leaks || searches_leaks(arguments);
  const rlimit files{max_files, max_files};
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("cannot fork");
  if (process_ == 0 && !leaks) ::setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
  if (process_ == 0 && max_files != 0) ::setrlimit(RLIMIT_NOFILE, &files);
  if (process_ == 0) execute(arguments, pipes[0][0], pipes[1][1], pipes[2][1]);
  for (const int theirs : {pipes[0][0], pipes[1][1], pipes[2][1]}) ::close(theirs);
  input_ = pipes[0][1];
  output_ = pipes[1][0];
  error_ = pipes[2][0];
  ::fcntl(input_, F_SETFL, O_NONBLOCK);
}

child::~child() {
  close_input();
  ::close(output_);
  ::close(error_);
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
}

void child::write(std::string_view bytes) {
  while (!bytes.empty() && input_ >= 0) {
    const auto count = ::write(input_, bytes.data(), bytes.size());
    if (count >= 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EAGAIN && errno != EINTR) close_input();
    if (!bytes.empty() && input_ >= 0) poll_once(true);
  }
}

void child::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

bool child::await(std::string_view text) {
  while (out.find(text) == std::string::npos) {
    if (output_ended_ || !poll_once(false)) return false;
  }
  return true;
}

std::string child::error_line() {
  while (err.find('\n', lines_) == std::string::npos && !error_ended_ && poll_once(false)) {
  }
  const std::size_t end = std::min(err.find('\n', lines_), err.size());
  std::string line = err.substr(lines_, end - lines_);
  lines_ = std::min(end + 1, err.size());
  return line;
}

int child::wait() {
  close_input();
  while (!output_ended_ || !error_ended_) {
    if (!poll_once(false)) throw std::runtime_error("the process does not end");
  }
  if (process_ < 0) return code_;
  int state = 0;
  ::waitpid(std::exchange(process_, -1), &state, 0);
  return code_ = WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

std::string child::other_errors() {
  wait();
  return err.substr(lines_);
}

void child::signal(int number) const {
  ::kill(process_, number);
}

bool child::poll_once(bool writing) {
  std::array<pollfd, 3> watched{pollfd{output_ended_ ? -1 : output_, POLLIN, 0},
                                pollfd{error_ended_ ? -1 : error_, POLLIN, 0},
                                pollfd{writing ? input_ : -1, POLLOUT, 0}};
  if (::poll(watched.data(), watched.size(), patience_ms) <= 0) return false;
  if (watched[0].revents != 0) output_ended_ = !read_some(output_, out);
  if (watched[1].revents != 0) error_ended_ = !read_some(error_, err);
  return true;
}

run_result run(const std::vector<std::string>& arguments, std::string_view input) {
  child program(arguments);
  program.write(input);
  const int code = program.wait();
  return {code, program.out, program.err};
}

run_result filter(std::vector<std::string> arguments, std::string_view input) {
  arguments.insert(arguments.begin(), "filter");
  return run(arguments, input);
}

}  // namespace citestream_tests
