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
constexpr int ending[] = {SIGINT, SIGTERM};

std::string megabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MB", bytes / 1e6);
  return text;
}

/// Signal handler: erases the line and raises the signal again. SA_RESETHAND has restored the default action,
/// so this ends the process.
void erase_and_end(int signal) {
  static_cast<void>(!::write(STDERR_FILENO, erase_line.data(), erase_line.size()));
  ::raise(signal);
}

void on_ending_signals(void (*handler)(int)) {
  for (const int signal : ending) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction now {};
    now.sa_handler = handler;
    now.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(signal, &now, nullptr);
  }
}

}  // namespace

progress::progress(std::optional<std::uint64_t> total)
    : total_(total), wanted_(::isatty(STDERR_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 0) {
  if (!wanted_) return;
  started_ = clock::now();
  next_ = started_ + patience;
}

progress::~progress() {
  if (!shown_) return;
  std::fputs(erase_line.data(), stderr);
  on_ending_signals(SIG_DFL);
}

void progress::advance(std::size_t bytes) {
  done_ += bytes;
  if (!wanted_) return;
  const clock::time_point now = clock::now();
  if (now >= next_) show(now);
}

void progress::show(clock::time_point now) {
  if (!shown_) on_ending_signals(&erase_and_end);
  shown_ = true;
  next_ = now + interval;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const auto done = static_cast<double>(done_);
  std::string line = std::string(erase_line) + megabytes(done);
  if (total_ && *total_ > 0) {
    const auto total = static_cast<double>(*total_);
    line += " of " + megabytes(total) + ", " + std::to_string(static_cast<int>(100 * done / total)) + " %";
  }
  line += ", " + megabytes(done / seconds) + "/s";
  std::fputs(line.c_str(), stderr);
}

}  // namespace citestream::tools
