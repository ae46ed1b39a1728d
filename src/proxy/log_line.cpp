#include "log_line.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "http/ascii_text.hpp"
#include "http/request_id.hpp"

namespace citestream {
namespace {

using duration = request_facts::clock::duration;

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
    start(key);
    out_ += std::to_string(value);
  }
  void milliseconds(std::string_view key, duration value) {
    char digits[40];
    const double count = std::chrono::duration<double, std::milli>(value).count();
    const auto [last, error] =
        std::to_chars(digits, digits + sizeof digits, count, std::chars_format::fixed, 3);
    start(key);
    out_.append(digits, last);
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
      text, [](char c) { return c < 0x20 || c > 0x7E; }, '?');
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
  const hh_mm_ss time(floor<std::chrono::milliseconds>(when - day));
  char text[64];
  const int size =
      std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                    static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  out.append(text, static_cast<std::size_t>(size));
}

void append_request_line(log_format format, log_level level, std::chrono::system_clock::time_point now,
                         const request_facts& of, std::string_view client, duration took, std::string& out) {
  const session_statistics& counts = of.rewriting;
  const std::string_view path = of.target.substr(0, of.target.find('?'));
  line_writer line(format, out);
  start_line(line, level, now);
  line.text("request_id", of.id);
  // Header values may be long and contain any byte except control bytes.
  line.optional_text("upstream_request_id",
                     std::string_view(of.answer_id).substr(0, http::max_request_id_bytes));
  line.text("client", client);
  line.text("method", of.method.substr(0, 32));
  line.text("path", path.substr(0, max_logged_path_bytes));
  line.text("route", of.route.substr(0, 64));
  line.text("upstream", of.upstream.substr(0, 64));
  line.number("status", of.status);
  line.text("end", ending(of));
  if (!of.error.empty()) line.sentence("error", printable(of.error.substr(0, max_logged_error_bytes)));
  line.number("bytes_in", of.request_bytes);
  line.number("bytes_upstream", of.upstream_bytes);
  line.number("bytes_out", of.client_bytes);
  line.optional_text("dialect", of.dialect);
  line.number("events", counts.events);
  line.number("citations", counts.resolved + counts.unresolved + counts.pending);
  line.number("unresolved", counts.unresolved);
  line.optional_text("bypassed", of.bypassed);
  line.optional_text("model", of.model);
  line.milliseconds("hold_ms", of.hold_max);
  line.milliseconds("added_ms", of.added_max);
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
