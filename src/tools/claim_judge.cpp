// How questions are sent to a judge.
//
// A judge is a program or a server. Both get the same question and return the same answer. After its first
// failure, a judge gets no more questions.
//
// The program has one end of a socket as its standard input and output, so that a program that has ended
// gives an error and no signal. Question and answer are exchanged in one loop with one deadline, because a
// program may write before it has read all of a long question. A program that writes before a question, or
// more than one line, gets no more questions: its answers could not be matched to them.
#include "claim_judge.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <CLI/CLI.hpp>

#include "base/web_url.hpp"
#include "check_text.hpp"
#include "commands.hpp"
#include "framing/frame.hpp"
#include "json_post.hpp"
#include "rewrite/finding_json.hpp"
#include "rewrite/json.hpp"

namespace citestream::tools {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds exit_timeout{1000};
constexpr std::size_t max_answer_bytes = 65536;
constexpr const char* too_long = "gave an answer of more than 64 KiB";

int milliseconds_until(clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
  return static_cast<int>(std::max<decltype(left)>(left, 0));
}

/// Sends \p question, one line of JSON, and waits for \p answer. Returns the reason if that fails.
using judge = std::function<std::string(const std::string& question, std::string& answer)>;

/// A program, and the socket to it.
class judge_process {
 public:
  judge_process(std::string command, std::chrono::milliseconds answer_timeout)
      : command_(std::move(command)), answer_timeout_(answer_timeout) {}
  ~judge_process() { end(exit_timeout); }
  judge_process(const judge_process&) = delete;
  judge_process& operator=(const judge_process&) = delete;

  std::string exchange(const std::string& question, std::string& answer) {
    if (process_ == 0 && !start()) return "cannot be started: " + std::generic_category().message(errno);
    std::string why = ask(question, answer);
    if (!why.empty()) end(std::chrono::milliseconds(0));
    return why;
  }

 private:
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
    errno = error;
    if (error != 0) process_ = 0;
    return error == 0;
  }

  /// Sends \p question and reads one line. Returns the reason if that fails.
  std::string ask(std::string_view question, std::string& answer) const {
    const clock::time_point end = clock::now() + answer_timeout_;
    std::array<char, 4096> part{};
    if (recv(socket_, part.data(), part.size(), MSG_DONTWAIT) > 0) return "wrote output before a question";
    while (!question.empty() || !answer.ends_with('\n')) {
      const short events = question.empty() ? POLLIN : POLLIN | POLLOUT;
      pollfd ready{socket_, events, 0};
      if (poll(&ready, 1, milliseconds_until(end)) == 0) return "gave no answer in time (--judge-timeout)";
      if ((ready.revents & POLLOUT) != 0) {
        const ssize_t sent = send(socket_, question.data(), question.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN) return "exited";
        question.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
      }
      if ((ready.revents & (POLLIN | POLLHUP)) == 0) continue;
      const ssize_t got = recv(socket_, part.data(), part.size(), MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno != EAGAIN)) return "exited";
      answer.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      if (answer.size() > max_answer_bytes) return too_long;
      const std::size_t line = answer.find('\n');
      if (line != std::string::npos && line + 1 != answer.size()) return "gave more than one line";
    }
    answer.pop_back();
    return {};
  }

  /// Closes the socket, gives the program time to exit, then kills it.
  void end(std::chrono::milliseconds wait) {
    if (socket_ >= 0) close(std::exchange(socket_, -1));
    if (process_ == 0) return;
    const auto handle = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
    pollfd ended{handle, POLLIN, 0};
    if (handle < 0 || poll(&ended, 1, static_cast<int>(wait.count())) != 1) kill(-process_, SIGKILL);
    if (handle >= 0) close(handle);
    waitpid(std::exchange(process_, 0), nullptr, 0);
  }

  std::string command_;
  std::chrono::milliseconds answer_timeout_;
  pid_t process_{};
  int socket_{-1};
};

/// Returns a server as a judge. It gets a request for each question.
judge judge_server(const std::string& named, std::chrono::milliseconds answer_timeout) {
  http::upstream_url url;
  std::string why = http::parse_upstream_url(named, url);
  if (why.empty() && url.tls)
    why = "'" + named + "' is an https URL; use a command, such as a loop with curl, instead";
  if (!why.empty()) throw CLI::ValidationError("--judge", why);
  return [url, answer_timeout](const std::string& question, std::string& answer) {
    const auto take = [&](std::string_view bytes) {
      answer.append(bytes);
      return answer.size() <= max_answer_bytes;
    };
    std::string failed = post_json(url, question, answer_timeout, take);
    return answer.size() > max_answer_bytes ? too_long : failed;
  };
}

judge make_judge(const std::string& named, std::chrono::milliseconds answer_timeout) {
  if (!web_scheme(named).empty()) return judge_server(named, answer_timeout);
  return
      [process = std::make_shared<judge_process>(named, answer_timeout)](
          const std::string& question, std::string& answer) { return process->exchange(question, answer); };
}

/// A judge, until it fails.
class judge_questions {
 public:
  explicit judge_questions(judge by) : judge_(std::move(by)) {}

  std::optional<claim_verdict> ask(const std::string& question) {
    if (!judge_) return std::nullopt;
    std::string answer;
    if (const std::string why = judge_(question, answer); !why.empty()) {
      judge_ = nullptr;
      report(why + "; it gets no more questions, and claims stay unsure");
      return std::nullopt;
    }
    document parsed;
    if (!parsed.parse(without_byte_order_mark(answer))) {
      if (const auto verdict = verdict_named(parsed.root()["verdict"].string())) return verdict;
    }
    std::string shown;
    append_plain_line(answer, 100, shown);
    report("gave an answer without a verdict: " + shown);
    return std::nullopt;
  }

 private:
  void report(const std::string& why) {
    if (!std::exchange(reported_, true)) print_error_line("check", "--judge " + why);
  }

  judge judge_;  ///< empty after a failure
  bool reported_{};
};

}  // namespace

claim_judge judge_by(const std::string& named, double seconds) {
  if (named.empty()) return {};
  const std::chrono::milliseconds answer_timeout(std::llround(seconds * 1000));
  return [questions = std::make_shared<judge_questions>(make_judge(named, answer_timeout))](
             std::string_view claim, std::span<const std::string_view> references, double support) {
    std::string question = "{\"claim\":" + json_string(claim);
    append_json_list("references", references, question);
    append_share_json(support, question.append(",\"support\":"));
    return questions->ask(question.append("}\n"));
  };
}

}  // namespace citestream::tools
