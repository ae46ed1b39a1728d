// Lines wait in a bounded queue for one thread, which writes them to a log_file. If the queue is full, the
// oldest lines are dropped and counted. Waking the thread for each line would cost more than the line: after
// the first one it lets others arrive for some milliseconds, and writes several at once.
//
// log_file writes to anything that open() accepts. It polls before each write, at most a second, because the
// reader of a pipe may hang and standard error cannot be made non-blocking. A line that was written in part
// is completed by a line feed in front of the next one. Log rotation sets a flag that is checked before each
// write.

#include "request_log.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <fcntl.h>
#include <poll.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <climits>

#include "log_line.hpp"

namespace citestream {
namespace {

constexpr int patience_ms = 1000;
constexpr int look_every_ms = 50;
/// How long the thread lets lines arrive before it writes them.
constexpr std::chrono::milliseconds collect_time{5};

}  // namespace

log_file::~log_file() {
  if (!path_.empty() && fd_ >= 0) ::close(fd_);
}

std::string log_file::open() {
  if (path_.empty()) {
    fd_ = STDERR_FILENO;
    return {};
  }
  // Non-blocking, because a named pipe without a reader would block here and in every write.
  const int opened =
      ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0640);
  if (opened < 0) return "cannot open the log '" + path_ + "': " + std::generic_category().message(errno);
  if (fd_ >= 0) ::close(fd_);
  fd_ = opened;
  torn_ = false;
  return {};
}

void log_file::write(std::string_view lines) {
  // If the new file cannot be opened, the old one is still used.
  if (!path_.empty() && reopen_.exchange(false, std::memory_order_relaxed)) static_cast<void>(open());
  if (torn_) static_cast<void>(write_all("\n"));
  if (!torn_) lines = write_all(lines);
  const auto lost = std::count(lines.begin(), lines.end(), '\n');
  lost_.fetch_add(static_cast<std::uint64_t>(lost), std::memory_order_relaxed);
}

std::string_view log_file::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    // Standard error is shared with other processes, so it cannot be made non-blocking. A writable pipe takes
    // PIPE_BUF bytes without blocking (pipe(7)).
    if (!wait_until_writable()) break;
    const auto wrote = ::write(fd_, bytes.data(), std::min(bytes.size(), std::size_t{PIPE_BUF}));
    if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (wrote <= 0) break;
    torn_ = bytes[static_cast<std::size_t>(wrote) - 1] != '\n';
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return bytes;
}

bool log_file::wait_until_writable() const {
  pollfd one{fd_, POLLOUT, 0};
  for (int waited = 0; waited <= patience_ms; waited += look_every_ms) {
    const bool closing = closing_.load(std::memory_order_relaxed);
    const int ready = ::poll(&one, 1, closing ? 0 : look_every_ms);
    if (ready > 0) return true;  // or an error, which the write reports
    if (closing || (ready < 0 && errno != EINTR)) return false;
  }
  return false;
}

struct request_log::impl {
  impl(std::string path, std::size_t max_lines_in) : file(std::move(path)), max_lines(max_lines_in) {}
  ~impl();
  impl(const impl&) = delete;
  impl& operator=(const impl&) = delete;

  void push(std::string line);
  void run();
  [[nodiscard]] std::string take_block();

  log_file file;  ///< used by the thread
  const std::size_t max_lines;
  std::mutex mutex;
  std::condition_variable changed;  ///< there is a first line, or `ending` is set
  std::deque<std::string> lines;    ///< oldest first
  bool ending{};
  std::atomic<std::uint64_t> dropped{};
  std::thread thread;
};

request_log::impl::~impl() {
  if (!thread.joinable()) return;
  file.close_soon();
  {
    const std::lock_guard lock(mutex);
    ending = true;
  }
  changed.notify_one();
  thread.join();
}

void request_log::impl::push(std::string line) {
  bool is_first = false;
  {
    const std::lock_guard lock(mutex);
    if (lines.size() == max_lines) {
      lines.pop_front();
      dropped.fetch_add(1, std::memory_order_relaxed);
    }
    is_first = lines.empty();
    lines.push_back(std::move(line));
  }
  if (is_first) changed.notify_one();
}

/// Returns the oldest lines, each with a line feed: as many as a pipe takes at once.
std::string request_log::impl::take_block() {
  std::string out = std::move(lines.front()) + '\n';
  lines.pop_front();
  while (!lines.empty() && out.size() + lines.front().size() < PIPE_BUF) {
    out.append(lines.front()) += '\n';
    lines.pop_front();
  }
  return out;
}

/// Ends after the last line.
void request_log::impl::run() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return ending || !lines.empty(); });
    if (lines.empty()) return;
    changed.wait_for(lock, collect_time, [&] { return ending; });
    while (!lines.empty()) {
      const std::string block = take_block();
      lock.unlock();
      file.write(block);
      lock.lock();
    }
  }
}

request_log::request_log(log_options options)
    : options_(std::move(options)), level_(options_.level), format_(options_.format) {}

request_log::~request_log() = default;

std::string request_log::start() {
  if (options_.level == log_level::off) return {};
  auto made = std::make_unique<impl>(options_.file, std::max<std::size_t>(1, options_.queue_lines));
  std::string why = made->file.open();
  if (!why.empty()) return why;
  made->thread = std::thread([to = made.get()] { to->run(); });
  impl_ = std::move(made);
  return {};
}

bool request_log::wants(log_level level) const noexcept {
  return impl_ != nullptr && level <= level_.load(std::memory_order_relaxed);
}

void request_log::write(log_level level, std::string line) {
  if (wants(level)) impl_->push(std::move(line));
}

void request_log::message(log_level level, std::string_view message) {
  if (!wants(level)) return;
  std::string line;
  append_message_line(format(), level, std::chrono::system_clock::now(), message, line);
  write(level, std::move(line));
}

bool request_log::change(log_level level, log_format format) noexcept {
  if (!impl_) return level == log_level::off;
  level_.store(level, std::memory_order_relaxed);
  format_.store(format, std::memory_order_relaxed);
  return true;
}

void request_log::reopen() noexcept {
  if (impl_) impl_->file.reopen();
}

std::uint64_t request_log::lost() const noexcept {
  return impl_ ? impl_->file.lost() + impl_->dropped.load(std::memory_order_relaxed) : 0;
}

}  // namespace citestream
