// Lines are queued in bounded memory and written to a log_file by one thread. If the queue is full, the
// oldest lines are dropped and counted. After each write the thread sleeps for `batch_interval`, so that
// lines are written in batches: waking it for each line took a fifth of the CPU time of a small request.
//
// log_file writes to anything that open() accepts. It polls before each write, because the reader of a pipe
// may hang and standard error cannot be made non-blocking. Up to PIPE_BUF bytes of whole lines are written in
// one call, which a pipe takes atomically, so lines of several processes do not mix. If a line was written
// only partly, the next write starts with a line feed. Log rotation sets a flag that is checked before each
// batch.

#include "request_log.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <climits>

#include "log_line.hpp"

namespace citestream {
namespace {

constexpr int poll_interval_ms = 50;
/// Time between two batches.
constexpr std::chrono::milliseconds batch_interval{10};

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
  do {
    // If the new file cannot be opened, the old one is still used.
    if (reopen_.exchange(false, std::memory_order_relaxed)) static_cast<void>(open());
    if (torn_) static_cast<void>(write_all("\n"));
    if (torn_) continue;
    lines = write_all(lines);
    if (torn_) {
      lines.remove_prefix(lines.find('\n') + 1);  // the rest of a line is not written later
      lost_.fetch_add(1, std::memory_order_relaxed);
    }
  } while (!lines.empty() && reopen_.load(std::memory_order_relaxed));
  const auto lost = std::ranges::count(lines, '\n');
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

/// \return false if the log is being closed or opened again, or the file cannot be waited for
bool log_file::wait_until_writable() const {
  pollfd one{fd_, POLLOUT, 0};
  for (;;) {
    const bool give_up = closing_.load(std::memory_order_relaxed) || reopen_.load(std::memory_order_relaxed);
    const int ready = ::poll(&one, 1, give_up ? 0 : poll_interval_ms);
    if (ready > 0) return true;  // or an error, which the write reports
    if (give_up || (ready < 0 && errno != EINTR)) return false;
  }
}

/// The queue, and the thread that writes it.
class request_log::impl {
 public:
  impl(std::string path, std::size_t most_lines) : file(std::move(path)), most_lines_(most_lines) {}
  /// Writes the queued lines, without waiting for a slow reader.
  ~impl();
  void start() {
    thread_ = std::thread([this] { write_lines(); });
  }
  void add(std::string_view line) noexcept;
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

  log_file file;

 private:
  void write_lines();
  void take_lines() noexcept;

  const std::size_t most_lines_;
  std::atomic<std::uint64_t> dropped_{};
  std::thread thread_;
  std::string taken_;  ///< by the thread: whole lines that are written in one call
  std::condition_variable added_;
  std::condition_variable closed_;
  std::mutex mutex_;               ///< of the following
  std::deque<std::string> lines_;  ///< the queue, each with its line feed
  bool closing_{};
};

request_log::impl::~impl() {
  file.close_soon();
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  added_.notify_one();
  closed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void request_log::impl::add(std::string_view line) noexcept try {
  std::string ended;
  ended.reserve(line.size() + 1);
  ended.append(line) += '\n';
  std::unique_lock lock(mutex_);
  lines_.push_back(std::move(ended));
  const bool first = lines_.size() == 1;
  if (lines_.size() > most_lines_) {
    lines_.pop_front();
    dropped_.fetch_add(1, std::memory_order_relaxed);
  }
  lock.unlock();
  if (first) added_.notify_one();
} catch (const std::bad_alloc&) {
  dropped_.fetch_add(1, std::memory_order_relaxed);
}

void request_log::impl::write_lines() {
  std::unique_lock lock(mutex_);
  for (;;) {
    added_.wait(lock, [this] { return closing_ || !lines_.empty(); });
    if (lines_.empty()) return;
    while (!lines_.empty()) {
      take_lines();
      lock.unlock();
      file.write(taken_);
      lock.lock();
    }
    closed_.wait_for(lock, batch_interval, [this] { return closing_; });
  }
}

/// Takes as many lines as a pipe takes at once, and at least one.
void request_log::impl::take_lines() noexcept try {
  taken_.clear();
  do {
    taken_.append(lines_.front());
    lines_.pop_front();
  } while (!lines_.empty() && taken_.size() + lines_.front().size() <= PIPE_BUF);
} catch (const std::bad_alloc&) {
  lines_.pop_front();
  dropped_.fetch_add(1, std::memory_order_relaxed);
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
