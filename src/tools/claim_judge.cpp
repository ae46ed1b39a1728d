// How a judge is asked.
//
// The program has one end of a socket as its standard input and output, so that a program that has ended
// gives an error and no signal. Question and answer are exchanged in one loop with one deadline, because a
// program may write before it has read all of a long question. Anything that is there before a question was
// sent, or after the answer's line, would be taken for the answer to another one: such a program is not asked
// again.
#include "claim_judge.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "check_text.hpp"
#include "commands.hpp"
#include "rewrite/finding_json.hpp"
#include "rewrite/json.hpp"

namespace citestream::tools {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds farewell{1000};  // for the program to end
constexpr std::size_t max_answer_bytes = 65536;

int milliseconds_until(clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
  return static_cast<int>(std::max<decltype(left)>(left, 0));
}

/// The program, and the socket to it.
class judge_process {
 public:
  judge_process(std::string command, std::chrono::milliseconds patience)
      : command_(std::move(command)), patience_(patience) {}
  judge_process(const judge_process&) = delete;
  judge_process& operator=(const judge_process&) = delete;
  ~judge_process() { end(farewell); }

  std::optional<claim_verdict> ask(const std::string& question) {
    if (state_ == state::gone) return std::nullopt;
    if (state_ == state::idle && !start())
      return give_up("cannot be started: " + std::generic_category().message(errno));
    std::string answer;
    if (const std::string why = exchange(question, answer); !why.empty()) return give_up(why);
    document parsed;
    if (!parsed.parse(answer)) {
      if (const auto verdict = verdict_named(parsed.root()["verdict"].string())) return verdict;
    }
    std::string shown;
    append_plain_line(answer, 100, shown);
    report("gave no verdict: " + shown);
    return std::nullopt;
  }

 private:
  enum class state : std::uint8_t { idle, running, gone };

  bool start() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // its own group: all of it can be ended
    std::string shell = "sh";
    std::string option = "-c";
    const std::array<char*, 4> arguments{shell.data(), option.data(), command_.data(), nullptr};
    const int error = posix_spawn(&process_, "/bin/sh", &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    socket_ = ends[0];
    state_ = state::running;
    errno = error;
    if (error != 0) process_ = 0;
    return error == 0;
  }

  /// Sends \p question and reads one line. Returns the reason if that fails.
  std::string exchange(std::string_view question, std::string& answer) {
    const clock::time_point end = clock::now() + patience_;
    std::array<char, 4096> part{};
    if (recv(socket_, part.data(), part.size(), MSG_DONTWAIT) > 0) return "has written before it was asked";
    while (!question.empty() || !answer.ends_with('\n')) {
      const short wanted = question.empty() ? POLLIN : POLLIN | POLLOUT;
      pollfd ready{socket_, wanted, 0};
      if (poll(&ready, 1, milliseconds_until(end)) == 0) return "gave no answer in time (--judge-timeout)";
      if ((ready.revents & POLLOUT) != 0) {
        const ssize_t sent = send(socket_, question.data(), question.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN) return "has ended";
        question.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
      }
      if ((ready.revents & (POLLIN | POLLHUP)) == 0) continue;
      const ssize_t got = recv(socket_, part.data(), part.size(), MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno != EAGAIN)) return "has ended";
      answer.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      if (answer.size() > max_answer_bytes) return "gave an answer of more than 64 KiB";
      const std::size_t line = answer.find('\n');
      if (line != std::string::npos && line + 1 != answer.size()) return "gave more than one line";
    }
    answer.pop_back();
    return {};
  }

  std::nullopt_t give_up(const std::string& why) {
    report(why + "; it is not asked again");
    end(std::chrono::milliseconds(0));
    return std::nullopt;
  }

  void report(const std::string& why) {
    if (!std::exchange(reported_, true)) print_error_line("check", "--judge " + why);
  }

  /// Ends the program, which may first notice that nothing more is asked.
  void end(std::chrono::milliseconds wait) {
    if (socket_ >= 0) close(std::exchange(socket_, -1));
    state_ = state::gone;
    if (process_ == 0) return;
    const auto handle = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
    pollfd ended{handle, POLLIN, 0};
    if (handle < 0 || poll(&ended, 1, static_cast<int>(wait.count())) != 1) kill(-process_, SIGKILL);
    if (handle >= 0) close(handle);
    waitpid(std::exchange(process_, 0), nullptr, 0);
  }

  std::string command_;
  std::chrono::milliseconds patience_;  ///< for one answer
  state state_{state::idle};
  pid_t process_{};
  int socket_{-1};
  bool reported_{};
};

}  // namespace

claim_judge judge_by(const std::string& command, double seconds) {
  if (command.empty()) return {};
  const std::chrono::milliseconds patience(std::llround(seconds * 1000));
  return [process = std::make_shared<judge_process>(command, patience)](
             std::string_view claim, std::span<const std::string_view> references, double support) {
    std::string question = "{\"claim\":";
    append_json_string(claim, question);
    const char* before = ",\"references\":[";
    for (const std::string_view each : references) {
      append_json_string(each, question.append(std::exchange(before, ",")));
    }
    question += "],\"support\":";
    append_share_json(support, question);
    return process->ask(question.append("}\n"));
  };
}

}  // namespace citestream::tools
