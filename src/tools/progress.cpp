#include "progress.hpp"

#include <cstdio>
#include <string>
#include <unistd.h>

namespace citestream::tools {

namespace {

constexpr std::chrono::milliseconds patience{500};  // a shorter run needs no line
constexpr std::chrono::milliseconds interval{100};
constexpr const char* erase_line = "\r\033[K";  // ECMA-48, 8.3.41

std::string megabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MB", bytes / 1e6);
  return text;
}

}  // namespace

progress::progress(std::optional<std::uint64_t> total)
    : total_(total), wanted_(::isatty(STDERR_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 0) {
  if (!wanted_) return;
  started_ = clock::now();
  next_ = started_ + patience;
}

progress::~progress() {
  if (shown_) std::fputs(erase_line, stderr);
}

void progress::advance(std::size_t bytes) {
  done_ += bytes;
  if (!wanted_) return;
  const clock::time_point now = clock::now();
  if (now >= next_) show(now);
}

void progress::show(clock::time_point now) {
  shown_ = true;
  next_ = now + interval;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const auto done = static_cast<double>(done_);
  std::string line = erase_line + megabytes(done);
  if (total_ && *total_ > 0) {
    const auto total = static_cast<double>(*total_);
    line += " of " + megabytes(total) + ", " + std::to_string(static_cast<int>(100 * done / total)) + " %";
  }
  line += ", " + megabytes(done / seconds) + "/s";
  std::fputs(line.c_str(), stderr);
}

}  // namespace citestream::tools
