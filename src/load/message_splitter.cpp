// A message has two lengths and their CRC, headers, a payload, and the CRC of all this, each number of 32
// bits, the highest byte first. A header has a name, a kind, and for strings (kind 7) a length of 16 bits.
#include "message_splitter.hpp"

#include <cstdint>
#include <optional>

#include <boost/crc.hpp>
#include <openssl/evp.h>

namespace citestream::load {
namespace {

constexpr std::size_t prelude_bytes = 12;
constexpr std::size_t crc_bytes = 4;

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size = 4) {
  std::uint32_t number = 0;
  for (const char one : bytes.substr(at, size)) number = number << 8U | static_cast<unsigned char>(one);
  return number;
}

std::uint32_t crc_of(std::string_view bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

/// The type of a message; nothing if its headers are not all strings.
std::optional<std::string_view> type_of(std::string_view headers) {
  constexpr char string_kind = 7;
  std::string_view type;
  while (!headers.empty()) {
    const std::size_t name = static_cast<unsigned char>(headers[0]);
    if (headers.size() < name + 4 || headers[name + 1] != string_kind) return std::nullopt;
    const std::string_view key = headers.substr(1, name);
    const std::size_t size = number_at(headers, name + 2, 2);
    if (headers.size() < name + 4 + size) return std::nullopt;
    const std::string_view value = headers.substr(name + 4, size);
    if (key == ":event-type" && type.empty()) type = value;
    if (key == ":message-type" && value != "event") type = "error";
    headers.remove_prefix(name + 4 + size);
  }
  return type;
}

/// Decodes the base64 of a payload with encoded bytes. \return false if it has none that can be decoded
bool decode(std::string_view payload, std::string& out) {
  constexpr std::string_view member = "\"bytes\":\"";
  const std::size_t begin = payload.find(member);
  if (begin == std::string_view::npos) return false;
  std::string_view text = payload.substr(begin + member.size());
  text = text.substr(0, text.find('"'));
  out.resize(text.size() / 4 * 3);
  const int size =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size < 0) return false;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  out.resize(static_cast<std::size_t>(size) - padding);
  return true;
}

}  // namespace

bool message_splitter::next(stream_item& out) {
  const std::string_view left = std::string_view(input_).substr(taken_);
  if (lost_ || left.size() < prelude_bytes) return false;
  const std::size_t total = number_at(left, 0);
  const std::size_t headers = number_at(left, 4);
  const bool fits = total >= headers + prelude_bytes + crc_bytes;
  lost_ = !fits || crc_of(left.substr(0, 8)) != number_at(left, 8);
  const bool too_large = !lost_ && total > max_event_bytes_;
  if (!lost_ && !too_large && left.size() < total) return false;
  std::optional<std::string_view> type;
  if (!lost_ && !too_large && crc_of(left.substr(0, total - crc_bytes)) == number_at(left, total - crc_bytes))
    type = type_of(left.substr(prelude_bytes, headers));
  lost_ = !type;
  out = {too_large ? stream_item::kind::too_large : stream_item::kind::damaged, {}, {}};
  if (lost_) return true;
  const std::size_t begin = prelude_bytes + headers;
  out = {stream_item::kind::event, *type, left.substr(begin, total - crc_bytes - begin)};
  if (*type == "chunk" && decode(out.data, decoded_)) out.data = decoded_;
  taken_ += total;
  return true;
}

void message_splitter::reset() noexcept {
  input_.clear();
  taken_ = 0;
  lost_ = false;
}

}  // namespace citestream::load
