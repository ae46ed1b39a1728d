// The real binary, run as a program of its own.
#pragma once

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace citestream_tests {

/// A program that says nothing for so long hangs.
inline constexpr int child_patience_ms = 100'000;

/// One run of `citestream ARGUMENTS…` with pipes to all three of its streams.
class child {
 public:
  explicit child(const std::vector<std::string>& arguments) {
    ::signal(SIGPIPE, SIG_IGN);  // one that ends without reading must not end the test
    std::array<std::array<int, 2>, 3> pipes{};
    for (auto& ends : pipes) {
      if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("no process");
    if (process_ == 0) start(arguments, pipes[0][0], pipes[1][1], pipes[2][1]);
    for (const int theirs : {pipes[0][0], pipes[1][1], pipes[2][1]}) ::close(theirs);
    input_ = pipes[0][1];
    output_ = pipes[1][0];
    error_ = pipes[2][0];
    ::fcntl(input_, F_SETFL, O_NONBLOCK);
  }

  ~child() {
    close_input();
    ::close(output_);
    ::close(error_);
    if (process_ > 0) {  // left early by a failed test
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  /// Writes all of \p bytes, taking up output meanwhile, so that neither side waits for the other.
  void write(std::string_view bytes) {
    while (!bytes.empty() && input_ >= 0) {
      const auto count = ::write(input_, bytes.data(), bytes.size());
      if (count >= 0) bytes.remove_prefix(static_cast<std::size_t>(count));
      if (count < 0 && errno != EAGAIN && errno != EINTR) close_input();
      if (!bytes.empty() && input_ >= 0) take_up(true);
    }
  }

  void close_input() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
  }

  /// Waits until the output holds \p text. \return whether it came before the program hung or ended
  bool await(std::string_view text) {
    while (out.find(text) == std::string::npos) {
      if (output_ended_ || !take_up(false)) return false;
    }
    return true;
  }

  /// Takes up all output to its end. \return the exit code, or minus the signal
  int wait() {
    close_input();
    while (!output_ended_ || !error_ended_) {
      if (!take_up(false)) throw std::runtime_error("the program does not end");
    }
    int state = 0;
    ::waitpid(process_, &state, 0);
    process_ = -1;
    return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
  }

  void signal(int number) const { ::kill(process_, number); }

  std::string out;  ///< what it wrote so far
  std::string err;

 private:
  [[noreturn]] static void start(const std::vector<std::string>& arguments, int in, int out, int err) {
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

  /// Waits for something to happen and reads what is there. \return false: nothing happens any more
  bool take_up(bool writing) {
    std::array<pollfd, 3> watched{pollfd{output_ended_ ? -1 : output_, POLLIN, 0},
                                  pollfd{error_ended_ ? -1 : error_, POLLIN, 0},
                                  pollfd{writing ? input_ : -1, POLLOUT, 0}};
    if (::poll(watched.data(), watched.size(), child_patience_ms) <= 0) return false;
    if (watched[0].revents != 0) output_ended_ = !read_some(output_, out);
    if (watched[1].revents != 0) error_ended_ = !read_some(error_, err);
    return true;
  }

  static bool read_some(int from, std::string& into) {
    std::array<char, 65536> buffer{};
    const auto count = ::read(from, buffer.data(), buffer.size());
    if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  pid_t process_{};
  int input_{-1};
  int output_{-1};
  int error_{-1};
  bool output_ended_{};
  bool error_ended_{};
};

/// How a run ended.
struct run_result {
  int code{};
  std::string out;
  std::string err;
};

/// Runs the binary to its end with \p input on its standard input.
inline run_result run(const std::vector<std::string>& arguments, std::string_view input = {}) {
  child program(arguments);
  program.write(input);
  const int code = program.wait();
  return {code, program.out, program.err};
}

/// `citestream filter ARGUMENTS…`
inline run_result filter(std::vector<std::string> arguments, std::string_view input = {}) {
  arguments.insert(arguments.begin(), "filter");
  return run(arguments, input);
}

}  // namespace citestream_tests
