#include "eventstream_message.hpp"

#include <array>

#include "base/base64.hpp"

namespace citestream {

namespace {

constexpr std::size_t max_headers_bytes = std::size_t{128} * 1024;
constexpr std::size_t max_payload_bytes = std::size_t{24} * 1024 * 1024;

constexpr std::array<std::uint32_t, 256> make_crc_table() noexcept {
  constexpr std::uint32_t polynomial = 0xEDB88320;  // bits in reverse order
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1U ^ polynomial : crc >> 1U;
    out[byte] = crc;
  }
  return out;
}

constexpr std::array<std::uint32_t, 256> crc_table = make_crc_table();

/// Reads a number of \p size bytes at the start of \p bytes, which has that many.
std::uint32_t number_at(std::string_view bytes, std::size_t size) noexcept {
  std::uint32_t out = 0;
  for (const char byte : bytes.substr(0, size)) out = out << 8U | static_cast<unsigned char>(byte);
  return out;
}

void append_number(std::uint32_t value, std::size_t size, std::string& out) {
  while (size-- > 0) out += static_cast<char>(value >> 8U * size & 255U);
}

/// Removes and returns the first \p size bytes. Returns nothing if there are fewer.
std::optional<std::string_view> take(std::string_view& bytes, std::size_t size) noexcept {
  if (size > bytes.size()) return std::nullopt;
  const std::string_view out = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return out;
}

/// Removes and returns what follows a length of \p size bytes.
std::optional<std::string_view> take_counted(std::string_view& bytes, std::size_t size) noexcept {
  const auto length = take(bytes, size);
  return length ? take(bytes, number_at(*length, size)) : std::nullopt;
}

/// Removes and returns the value of a header of this type.
std::optional<std::string_view> take_value(std::string_view& bytes, unsigned type) noexcept {
  constexpr unsigned binary = 6;
  constexpr unsigned text = 7;
  if (type == binary || type == text) return take_counted(bytes, 2);
  // true, false, byte, short, integer, long, (binary, text), time, UUID
  constexpr std::array<std::size_t, 10> sizes{0, 0, 1, 2, 4, 8, 0, 0, 8, 16};
  return type < sizes.size() ? take(bytes, sizes[type]) : std::nullopt;
}

void append_header(std::string_view name, std::string_view value, std::string& out) {
  constexpr char text = 7;
  append_number(static_cast<std::uint32_t>(name.size()), 1, out);
  out.append(name).append(1, text);
  append_number(static_cast<std::uint32_t>(value.size()), 2, out);
  out.append(value);
}

/// Starts a message. Returns its place in \p out.
std::size_t begin_message(std::string& out) {
  out.append(eventstream_prelude_bytes, '\0');
  return out.size() - eventstream_prelude_bytes;
}

/// Ends a message whose headers and payload are in \p out: writes the lengths and both CRCs.
void end_message(std::size_t begin, std::size_t headers_size, std::string& out) {
  std::string prelude;
  append_number(static_cast<std::uint32_t>(out.size() - begin + 4), 4, prelude);
  append_number(static_cast<std::uint32_t>(headers_size), 4, prelude);
  append_number(crc32(prelude), 4, prelude);
  out.replace(begin, prelude.size(), prelude);
  append_number(crc32(std::string_view(out).substr(begin)), 4, out);
}

void append_typed(std::string_view kind, std::string_view key, std::string_view type,
                  std::string_view payload, std::string& out) {
  std::string headers;
  append_header(key, type, headers);
  append_header(":content-type", "application/json", headers);
  append_header(":message-type", kind, headers);
  append_message(headers, payload, out);
}

void skip_blanks(std::string_view& json) noexcept {
  constexpr std::string_view blanks = " \t\r\n";
  json.remove_prefix(std::min(json.find_first_not_of(blanks), json.size()));
}

/// Removes and returns a string without escapes, without its quotes.
std::optional<std::string_view> take_string(std::string_view& json) noexcept {
  if (!json.starts_with('"')) return std::nullopt;
  const std::size_t end = json.find_first_of("\"\\", 1);
  if (end == std::string_view::npos || json[end] != '"') return std::nullopt;
  const std::string_view out = json.substr(1, end - 1);
  json.remove_prefix(end + 1);
  return out;
}

/// Removes a value that is not an object or array. Returns its text, if it is a string.
std::optional<std::string_view> take_scalar(std::string_view& json) noexcept {
  if (json.starts_with('"')) return take_string(json);
  const std::size_t end = std::min(json.find_first_of(",} \t\r\n"), json.size());
  if (end == 0 || json.substr(0, end).find_first_of("[{\"") != std::string_view::npos) return std::nullopt;
  json.remove_prefix(end);
  return std::string_view();
}

bool take_byte(std::string_view& json, char byte) noexcept {
  skip_blanks(json);
  const bool found = json.starts_with(byte);
  if (found) json.remove_prefix(1);
  skip_blanks(json);
  return found;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) noexcept {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) crc = crc >> 8U ^ crc_table[(crc ^ static_cast<unsigned char>(byte)) & 255U];
  return ~crc;
}

std::optional<eventstream_lengths> read_prelude(std::string_view bytes) noexcept {
  constexpr std::size_t frame_bytes = eventstream_prelude_bytes + 4;  // with the CRC at the end
  if (crc32(bytes.substr(0, 8)) != number_at(bytes.substr(8), 4)) return std::nullopt;
  const eventstream_lengths out{number_at(bytes, 4), number_at(bytes.substr(4), 4)};
  if (out.headers > max_headers_bytes || out.total < frame_bytes + out.headers ||
      out.total - out.headers - frame_bytes > max_payload_bytes)
    return std::nullopt;
  return out;
}

std::optional<eventstream_message> read_message(std::string_view bytes,
                                                const eventstream_lengths& size) noexcept {
  const std::size_t end = size.total - 4;
  if (crc32(bytes.substr(0, end)) != number_at(bytes.substr(end), 4)) return std::nullopt;
  const std::size_t payload = eventstream_prelude_bytes + size.headers;
  return eventstream_message{
      bytes.substr(eventstream_prelude_bytes, size.headers), bytes.substr(payload, end - payload), {}};
}

std::optional<eventstream_type> read_headers(std::string_view headers) noexcept {
  eventstream_type out;
  while (!headers.empty()) {
    const auto name = take_counted(headers, 1);
    const auto type = name ? take(headers, 1) : std::nullopt;
    const auto value = type ? take_value(headers, static_cast<unsigned char>(type->front())) : std::nullopt;
    if (!value) return std::nullopt;
    if (*name == ":event-type" || *name == ":exception-type") out.event = *value;
    if (*name == ":message-type") out.failure = *value == "exception" || *value == "error";
  }
  return out;
}

std::string_view encoded_event(std::string_view payload) noexcept {
  std::string_view out;
  if (!take_byte(payload, '{')) return {};
  for (bool more = true; more; more = take_byte(payload, ',')) {
    const auto key = take_string(payload);
    if (!key || !take_byte(payload, ':')) return {};
    const auto value = take_scalar(payload);
    if (!value) return {};
    if (*key == "bytes" && !out.empty()) return {};  // which of them counts is not certain
    if (*key == "bytes") out = *value;
  }
  return take_byte(payload, '}') && payload.empty() ? out : std::string_view();
}

void append_message(std::string_view headers, std::string_view payload, std::string& out) {
  const std::size_t begin = begin_message(out);
  out.append(headers).append(payload);
  end_message(begin, headers.size(), out);
}

void append_message(const eventstream_message& message, std::string_view event, std::string& out) {
  if (message.encoded.empty()) return append_message(message.headers, event, out);
  const std::size_t begin = begin_message(out);
  const auto at = static_cast<std::size_t>(message.encoded.data() - message.payload.data());
  out.append(message.headers).append(message.payload.substr(0, at));
  append_base64(event, out);
  out.append(message.payload.substr(at + message.encoded.size()));
  end_message(begin, message.headers.size(), out);
}

void append_event_message(std::string_view type, std::string_view event, std::string& out) {
  if (type != eventstream_chunk) return append_typed("event", ":event-type", type, event, out);
  std::string payload = "{\"bytes\":\"";
  append_base64(event, payload);
  append_typed("event", ":event-type", type, payload.append("\"}"), out);
}

void append_exception_message(std::string_view type, std::string_view payload, std::string& out) {
  append_typed("exception", ":exception-type", type, payload, out);
}

}  // namespace citestream
