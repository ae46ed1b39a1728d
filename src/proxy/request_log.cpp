// Lines wait in bounded memory for one thread, which writes them to a log_file. If there are too many, the
// oldest are dropped and counted. After each write the thread rests for a moment in which it is not woken: to
// wake it for each line was a fifth of the CPU time of a small request.
//
// log_file writes to anything that open() accepts. It polls before each write, at most a second,
// because the reader of a pipe may hang and standard error cannot be made non-blocking. Lines are written
// together as far as a pipe takes them at once, so that lines of several processes are not mixed. A line that
// was written in part is completed by a line feed in front of the next one. Log rotation sets a flag that is
// checked before lines are written.

#include "request_log.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <fcntl.h>
#include <mutex>
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
/// Lines of this time are written together.
constexpr std::chrono::milliseconds rest{10};

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

void log_file::write(const std::deque<std::string>& lines) {
  // If the new file cannot be opened, the old one is still used.
  if (!path_.empty() && reopen_.exchange(false, std::memory_order_relaxed)) static_cast<void>(open());
  std::string bytes;
  bytes.reserve(PIPE_BUF);
  auto next = lines.begin();
  std::string_view unwritten = torn_ ? write_all("\n") : std::string_view();
  std::ptrdiff_t lost = 0;
  while (next != lines.end() && unwritten.empty()) {
    bytes.clear();
    do bytes.append(*next++) += '\n';
    while (next != lines.end() && bytes.size() + next->size() < PIPE_BUF);
    unwritten = write_all(bytes);
    lost = std::ranges::count(unwritten, '\n');
  }
  lost += lines.end() - next;
  if (lost > 0) lost_.fetch_add(static_cast<std::uint64_t>(lost), std::memory_order_relaxed);
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

/// The lines that wait, and the thread that writes them.
class request_log::impl {
 public:
  impl(std::string path, std::size_t most_lines) : file(std::move(path)), most_lines_(most_lines) {}
  /// Writes what waits, as far as that is possible without waiting.
  ~impl();
  void start() {
    thread_ = std::thread([this] { write_lines(); });
  }
  void add(std::string_view line);
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

  log_file file;

 private:
  void write_lines();

  const std::size_t most_lines_;
  std::atomic<std::uint64_t> dropped_{};
  std::thread thread_;
  std::condition_variable changed_;
  std::mutex mutex_;               ///< of the following
  std::deque<std::string> lines_;  ///< that wait
  bool closing_{};
};

request_log::impl::~impl() {
  file.close_soon();
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void request_log::impl::add(std::string_view line) {
  std::unique_lock lock(mutex_);
  const bool first = lines_.empty();
  if (lines_.size() == most_lines_) {
    lines_.pop_front();
    dropped_.fetch_add(1, std::memory_order_relaxed);
  }
  lines_.emplace_back(line);
  lock.unlock();
  if (first) changed_.notify_one();
}

void request_log::impl::write_lines() {
  std::deque<std::string> taken;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closing_ || !lines_.empty(); });
    if (lines_.empty()) return;
    taken.swap(lines_);
    lock.unlock();
    file.write(taken);
    taken.clear();
    lock.lock();
    changed_.wait_for(lock, rest, [this] { return closing_; });
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
  made->start();
  impl_ = std::move(made);
  return {};
}

bool request_log::wants(log_level level) const noexcept {
  return impl_ != nullptr && level <= level_.load(std::memory_order_relaxed);
}

void request_log::write(log_level level, std::string_view line) {
  if (wants(level)) impl_->add(line);
}

void request_log::message(log_level level, std::string_view message) {
  if (!wants(level)) return;
  std::string line;
  append_message_line(format(), level, std::chrono::system_clock::now(), message, line);
  write(level, line);
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
  return impl_ ? impl_->file.lost() + impl_->dropped() : 0;
}

}  // namespace citestream
