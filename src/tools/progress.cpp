#include "progress.hpp"

#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <unistd.h>

namespace citestream::tools {

namespace {

constexpr std::chrono::milliseconds patience{500};  // shorter runs show no line
constexpr std::chrono::milliseconds interval{100};
constexpr std::string_view erase_line = "\r\033[K";  // ECMA-48, 8.3.41
constexpr int fatal_signals[] = {SIGINT, SIGTERM};

std::string megabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MB", bytes / 1e6);
  return text;
}

/// Returns a time such as `1:05` or `2:00:07`.
std::string minutes(double seconds) {
  const auto whole = static_cast<unsigned long long>(seconds);
  char text[32];
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%llu:%02llu", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%llu:%02llu:%02llu", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return text;
}

/// Signal handler: erases the line and raises the signal again. SA_RESETHAND has restored the default action,
/// so this ends the process.
void erase_and_end(int signal) {
  static_cast<void>(!::write(STDERR_FILENO, erase_line.data(), erase_line.size()));
  ::raise(signal);
}

void on_end_signals(void (*handler)(int)) {
  for (const int signal : fatal_signals) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction now {};
    now.sa_handler = handler;
    now.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &now, nullptr);
  }
}

}  // namespace

progress::progress(bool to_file)
    : wanted_(::isatty(STDERR_FILENO) == 1 && (to_file || ::isatty(STDOUT_FILENO) == 0)) {
  if (!wanted_) return;
  started_ = clock::now();
  next_ = started_ + patience;
}

progress::~progress() {
  erase();
}

void progress::expect_bytes(std::optional<std::uint64_t> total) {
  const std::lock_guard lock(mutex_);
  total_bytes_ = total;
}

void progress::expect_documents(std::optional<std::uint64_t> total, std::uint64_t before) {
  const std::lock_guard lock(mutex_);
  several_ = true;
  total_documents_ = total;
  before_ = before;
}

void progress::advance(std::size_t bytes) {
  if (!wanted_) return;
  const std::lock_guard lock(mutex_);
  bytes_ += bytes;
  const clock::time_point now = clock::now();
  if (now >= next_) show(now);
}

void progress::end_document() {
  if (!wanted_) return;
  const std::lock_guard lock(mutex_);
  ++documents_;
}

void progress::erase() {
  const std::lock_guard lock(mutex_);
  if (!shown_) return;
  shown_ = false;
  next_ = clock::time_point::min();
  std::fputs(erase_line.data(), stderr);
  on_end_signals(SIG_DFL);
}

/// Returns the part of this run that is done, 0 to 1; 0 if that is not known.
double progress::part_done() const noexcept {
  if (several_) {
    const std::uint64_t left = total_documents_.value_or(0) > before_ ? *total_documents_ - before_ : 0;
    return left == 0 ? 0 : static_cast<double>(documents_) / static_cast<double>(left);
  }
  if (total_bytes_.value_or(0) == 0) return 0;
  return static_cast<double>(bytes_) / static_cast<double>(*total_bytes_);
}

std::string progress::counts() const {
  std::string read = megabytes(static_cast<double>(bytes_));
  if (several_) {
    const std::string total = total_documents_ ? " of " + std::to_string(*total_documents_) : "";
    return std::to_string(before_ + documents_) + total + " documents, " + read;
  }
  if (total_bytes_.value_or(0) == 0) return read;
  return read + " of " + megabytes(static_cast<double>(*total_bytes_)) + ", " +
         std::to_string(static_cast<int>(100 * part_done())) + " %";
}

void progress::show(clock::time_point now) {
  if (!shown_) on_end_signals(&erase_and_end);
  shown_ = true;
  next_ = now + interval;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  std::string line = std::string(erase_line) + counts();
  line += ", " + megabytes(static_cast<double>(bytes_) / seconds) + "/s";
  if (const double part = part_done(); part > 0 && part <= 1) {
    line += ", " + minutes(seconds * (1 - part) / part) + " left";
  }
  std::fputs(line.c_str(), stderr);
}

}  // namespace citestream::tools
