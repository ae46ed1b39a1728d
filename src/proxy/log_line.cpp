#include "log_line.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>

#include "base/ascii.hpp"
#include "http/ascii_text.hpp"
#include "http/request_id.hpp"

namespace citestream {
namespace {

using duration = request_facts::clock::duration;

/// Appends the last \p digits digits of \p value, which is not negative.
void append_digits(std::int64_t value, std::size_t digits, std::string& out) {
  out.append(digits, '0');
  for (std::size_t i = 1; i <= digits; ++i, value /= 10) {
    out[out.size() - i] = static_cast<char>('0' + value % 10);
  }
}

/// Writes the members of a JSON object, or `key=value` words.
class line_writer {
 public:
  line_writer(log_format format, std::string& out) : json_(format == log_format::json), out_(out) {
    if (json_) out_ += '{';
  }
  void end() {
    if (json_) out_ += '}';
  }
  void text(std::string_view key, std::string_view value) {
    start(key);
    return json_ ? append_ascii_json(value, out_) : append_word(value, out_);
  }
  /// Text for people, in quotes in both formats.
  void sentence(std::string_view key, std::string_view value) {
    start(key);
    append_ascii_json(value, out_);
  }
  void optional_text(std::string_view key, std::string_view value) {
    if (!value.empty()) text(key, value);
  }
  void number(std::string_view key, std::uint64_t value) {
    char digits[20];
    const auto [last, error] = std::to_chars(digits, digits + sizeof digits, value);
    start(key);
    out_.append(digits, last);
  }
  void milliseconds(std::string_view key, duration value) {
    const auto count = std::chrono::round<std::chrono::microseconds>(value).count();
    number(key, static_cast<std::uint64_t>(count / 1000));
    append_digits(count, 3, out_ += '.');
  }

 private:
  void start(std::string_view key) {
    if (!first_) out_ += json_ ? ',' : ' ';
    first_ = false;
    if (json_) out_ += '"';
    out_ += key;
    out_ += json_ ? "\":" : "=";
  }

  bool json_;
  bool first_{true};
  std::string& out_;
};

/// Escapes would make the line longer than a pipe takes at once.
std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c != ' ' && !ascii::is_visible(c); }, '?');
  return text;
}

void start_line(line_writer& line, log_level level, std::chrono::system_clock::time_point now) {
  std::string time;
  append_time(now, time);
  line.text("time", time);
  line.text("level", name(level));
}

}  // namespace

void append_time(std::chrono::system_clock::time_point when, std::string& out) {
  using namespace std::chrono;
  const auto day = floor<days>(when);
  const year_month_day date(day);
  const hh_mm_ss time(floor<milliseconds>(when - day));
  append_digits(int{date.year()}, 4, out);
  append_digits(unsigned{date.month()}, 2, out += '-');
  append_digits(unsigned{date.day()}, 2, out += '-');
  append_digits(time.hours().count(), 2, out += 'T');
  append_digits(time.minutes().count(), 2, out += ':');
  append_digits(time.seconds().count(), 2, out += ':');
  append_digits(time.subseconds().count(), 3, out += '.');
  out += 'Z';
}

void append_request_line(log_format format, log_level level, std::chrono::system_clock::time_point now,
                         const request_facts& of, std::string_view client, duration took, std::string& out) {
  const session_statistics& counts = of.rewriting.counts;
  const std::string_view path = of.requested.target.substr(0, of.requested.target.find('?'));
  line_writer line(format, out);
  start_line(line, level, now);
  line.text("request_id", of.id);
  // Header values may be long and contain any byte except control bytes.
  line.optional_text("upstream_request_id",
                     std::string_view(of.answer_id).substr(0, http::max_request_id_bytes));
  line.text("client", client);
  line.text("method", of.requested.method.substr(0, 32));
  line.text("path", path.substr(0, max_logged_path_bytes));
  line.text("route", of.requested.route.substr(0, 64));
  line.text("upstream", of.requested.upstream.substr(0, 64));
  line.number("status", of.status);
  line.text("end", end_name(of));
  if (!of.error.empty()) line.sentence("error", printable(of.error.substr(0, max_logged_error_bytes)));
  line.number("bytes_in", of.bytes.request);
  line.number("bytes_upstream", of.bytes.upstream);
  line.number("bytes_out", of.bytes.client);
  line.optional_text("dialect", of.rewriting.dialect);
  line.number("events", counts.events);
  line.number("citations", counts.resolved + counts.unresolved + counts.pending);
  line.number("unresolved", counts.unresolved);
  if (counts.native > 0) line.number("native", counts.native);
  if (counts.verdicts != verdict_counts{}) {
    for (std::size_t i = 0; i < counts.verdicts.size(); ++i)
      line.number(name(static_cast<claim_verdict>(i)), counts.verdicts[i]);
  }
  line.optional_text("bypassed", name(of.rewriting.bypassed));
  line.optional_text("model", of.rewriting.model);
  line.milliseconds("hold_ms", of.rewriting.hold_max);
  line.milliseconds("added_ms", of.rewriting.added_max);
  line.milliseconds("duration_ms", took);
  line.end();
}

void append_message_line(log_format format, log_level level, std::chrono::system_clock::time_point now,
                         std::string_view message, std::string& out) {
  line_writer line(format, out);
  start_line(line, level, now);
  line.sentence("message", message.substr(0, 512));
  line.end();
}

}  // namespace citestream
