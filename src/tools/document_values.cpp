// How dates are recognised.
//
// is_date() reads ISO 8601 as RFC 3339 and HTML use it, left to right: `2024`, `2024-03`, `2024-03-15`,
// `20240315`, and a time after a full date. A day must exist in its month. is_written_date() does not parse:
// it accepts a short text of letters, digits and punctuation with a year in it.
#include "document_values.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "base/ascii.hpp"
#include "base/decimal.hpp"

namespace citestream::tools {
namespace {

using ascii::is_digit;

/// Reads the parts of a date in order.
class date_reader {
 public:
  explicit date_reader(std::string_view text) : rest_(text) {}

  /// Reads exactly \p digits digits. \return true if their value() is from \p least to \p most
  [[nodiscard]] bool number(std::size_t digits, int least, int most) noexcept {
    if (rest_.size() < digits) return false;
    int value = 0;
    for (const char c : rest_.substr(0, digits)) {
      if (!is_digit(c)) return false;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    value_ = value;
    return value >= least && value <= most;
  }
  [[nodiscard]] bool one_of(std::string_view characters) noexcept {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip(std::string_view characters) noexcept {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(characters), rest_.size()));
  }
  [[nodiscard]] bool ended() const noexcept { return rest_.empty(); }
  /// The number that was read last.
  [[nodiscard]] int value() const noexcept { return value_; }

 private:
  std::string_view rest_;
  int value_{};
};

/// Reads `10:30` or `10:30:00.5`, then `Z`, `+01:00`, `+0100`, `+01` or nothing. The end of a day is `24:00`.
[[nodiscard]] bool is_time(date_reader& text) noexcept {
  if (!text.number(2, 0, 24) || !text.one_of(":")) return false;
  const bool end_of_day = text.value() == 24;
  if (!text.number(2, 0, end_of_day ? 0 : 59)) return false;
  if (text.one_of(":")) {
    if (!text.number(2, 0, end_of_day ? 0 : 60)) return false;  // 60: a leap second
    if (text.one_of(".,")) text.skip(end_of_day ? "0" : "0123456789");
  }
  if (text.one_of("Zz") || text.ended()) return text.ended();
  if (!text.one_of("+-") || !text.number(2, 0, 23)) return false;
  if (text.ended()) return true;
  (void)text.one_of(":");
  return text.number(2, 0, 59) && text.ended();
}

constexpr int first_year = 1000;
constexpr int last_year = 2999;

/// Returns true if \p name contains a letter or a digit and no empty label, except the last one, which may be
/// empty (RFC 1034, 3.1).
bool is_host_name(std::string_view name) noexcept {
  if (name.starts_with('.') || name.find("..") != std::string_view::npos) return false;
  return std::any_of(name.begin(), name.end(), ascii::is_alphanumeric);
}

}  // namespace

bool is_date(std::string_view text) noexcept {
  date_reader rest(text);
  if (!rest.number(4, first_year, last_year)) return false;
  if (rest.ended()) return true;
  const int year = rest.value();
  const bool has_dashes = rest.one_of("-");
  if (!rest.number(2, 1, 12)) return false;
  if (rest.ended()) return has_dashes;
  const auto month = static_cast<unsigned>(rest.value());
  if (has_dashes != rest.one_of("-") || !rest.number(2, 1, 31)) return false;
  const std::chrono::day day(static_cast<unsigned>(rest.value()));
  if (!(std::chrono::year(year) / std::chrono::month(month) / day).ok()) return false;
  return rest.ended() || (rest.one_of("Tt ") && is_time(rest));
}

bool is_written_date(std::string_view text) noexcept {
  constexpr std::size_t max_bytes = 40;
  constexpr std::string_view allowed =
      " ,./:+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  if (text.size() > max_bytes || text.find_first_not_of(allowed) != std::string_view::npos) return false;
  bool year = false;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    if (end - at > 4) return false;
    date_reader number(text.substr(at, end - at));
    year = year || (end - at == 4 && number.number(4, first_year, last_year));
    at = end;
  }
  return year && text.size() > 4;
}

bool is_valid_web_url(std::string_view text) noexcept {
  const auto parsed = boost::urls::parse_uri({text.data(), text.size()});
  if (!parsed) return false;
  const bool web =
      parsed->scheme_id() == boost::urls::scheme::http || parsed->scheme_id() == boost::urls::scheme::https;
  const std::string_view port(parsed->port().data(), parsed->port().size());
  if (!web || !(port.empty() || whole_number<std::uint16_t>(port))) return false;
  const auto host = parsed->encoded_host();
  if (parsed->host_type() != boost::urls::host_type::name) return !host.empty();
  return is_host_name({host.data(), host.size()});
}

}  // namespace citestream::tools
