#include "send_time.hpp"

#include <charconv>
#include <cstdint>

namespace citestream {

std::string blank_send_time() {
  return std::string(send_time_start) + std::string(send_time_digits, '0') + '\n';
}

void write_send_time(std::chrono::steady_clock::time_point time, char* digits) noexcept {
  const auto since_start = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
  auto rest = static_cast<std::uint64_t>(since_start.count());
  for (std::size_t i = send_time_digits; i-- > 0; rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
}

std::optional<std::chrono::steady_clock::time_point> read_send_time(std::string_view comment) noexcept {
  if (!comment.starts_with(send_time_start)) return std::nullopt;
  comment.remove_prefix(send_time_start.size());
  if (comment.size() < send_time_digits) return std::nullopt;
  const std::string_view after = comment.substr(send_time_digits);
  if (!after.empty() && after.front() != '\n' && after.front() != '\r') return std::nullopt;
  std::int64_t count{};
  const char* const end = comment.data() + send_time_digits;
  const auto [stop, error] = std::from_chars(comment.data(), end, count);
  if (error != std::errc{} || stop != end || count < 0) return std::nullopt;
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(count));
}

}  // namespace citestream
