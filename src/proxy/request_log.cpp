#include "request_log.hpp"

#include <mutex>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/base_sink.h>
#include <utility>

#include "log_file.hpp"
#include "log_line.hpp"

namespace citestream {
namespace {

/// Lines come whole: they need no pattern.
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
  impl_->pool.reset();  // the thread ends behind the last line
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

void request_log::say(log_level level, std::string_view message) {
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
