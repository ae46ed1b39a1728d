// Lines go through a bounded queue of spdlog to one thread, which writes them to a log_file. If the queue is
// full, the oldest lines are dropped and counted.
//
// log_file writes to anything that open() accepts. It polls before each write, at most a second for a line,
// because the reader of a pipe may hang and standard error cannot be made non-blocking. A line that was
// written in part is completed by a line feed in front of the next one. Log rotation sets a flag that is
// checked before each line.

#include "request_log.hpp"

#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/base_sink.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <climits>

#include "log_line.hpp"

namespace citestream {
namespace {

constexpr int patience_ms = 1000;
constexpr int look_every_ms = 50;

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

void log_file::write(std::string_view line) {
  // If the new file cannot be opened, the old one is still used.
  if (!path_.empty() && reopen_.exchange(false, std::memory_order_relaxed)) static_cast<void>(open());
  std::string bytes;
  bytes.reserve(line.size() + 2);
  if (torn_) bytes += '\n';
  bytes.append(line) += '\n';
  if (!write_all(bytes)) lost_.fetch_add(1, std::memory_order_relaxed);
}

bool log_file::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    // Standard error is shared with other processes, so it cannot be made non-blocking. A writable pipe takes
    // PIPE_BUF bytes without blocking (pipe(7)).
    if (!wait_until_writable()) return false;
    const auto wrote = ::write(fd_, bytes.data(), std::min(bytes.size(), std::size_t{PIPE_BUF}));
    if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    torn_ = !bytes.empty();
  }
  return true;
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

namespace {

/// Lines are complete and need no pattern.
class line_sink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit line_sink(log_file& to) : to_(to) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& line) override {
    to_.write({line.payload.data(), line.payload.size()});
  }
  void flush_() override {}

 private:
  log_file& to_;
};

}  // namespace

struct request_log::impl {
  impl(std::string path, std::size_t queue_lines)
      : file(std::move(path)),
        pool(std::make_shared<spdlog::details::thread_pool>(queue_lines, 1)),
        logger(std::make_shared<spdlog::async_logger>("citestream", std::make_shared<line_sink>(file), pool,
                                                      spdlog::async_overflow_policy::overrun_oldest)) {}

  log_file file;
  std::shared_ptr<spdlog::details::thread_pool> pool;
  std::shared_ptr<spdlog::async_logger> logger;
};

request_log::request_log(log_options options)
    : options_(std::move(options)), level_(options_.level), format_(options_.format) {}

request_log::~request_log() {
  if (!impl_) return;
  impl_->file.close_soon();
  impl_->logger.reset();
  impl_->pool.reset();  // the thread ends after the last line
}

std::string request_log::start() {
  if (options_.level == log_level::off) return {};
  auto made = std::make_unique<impl>(options_.file, std::max<std::size_t>(1, options_.queue_lines));
  std::string why = made->file.open();
  if (why.empty()) impl_ = std::move(made);
  return why;
}

bool request_log::wants(log_level level) const noexcept {
  return impl_ != nullptr && level <= level_.load(std::memory_order_relaxed);
}

void request_log::write(log_level level, std::string_view line) {
  if (wants(level))
    impl_->logger->log(spdlog::level::critical, spdlog::string_view_t(line.data(), line.size()));
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
  return impl_ ? impl_->file.lost() + impl_->pool->overrun_counter() : 0;
}

}  // namespace citestream
