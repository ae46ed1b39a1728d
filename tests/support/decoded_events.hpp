/// \file
/// Copies of the items of a decoded stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "framing/frame_decoder.hpp"
#include "support/strings.hpp"

namespace citestream_tests {

/// An item that owns its strings.
struct owned_item {
  citestream::frame_kind kind{};
  std::string raw;
  std::uint64_t offset{};
  std::string data;
  std::string event;
  std::string id;
  std::optional<std::uint64_t> retry;
  std::vector<std::size_t> places;  ///< raw_offset() of every byte of `data`

  friend bool operator==(const owned_item&, const owned_item&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const owned_item& item) {
  return out << "kind " << static_cast<int>(item.kind) << " at " << item.offset << " raw <" << item.raw
             << "> data <" << item.data << "> event <" << item.event << "> id <" << item.id << '>';
}

inline owned_item owned(const citestream::frame& item) {
  owned_item copy{item.kind,
                  std::string(item.raw),
                  item.offset,
                  std::string(item.data),
                  std::string(item.event),
                  std::string(item.id),
                  item.retry,
                  {}};
  for (std::size_t i = 0; i < item.data.size(); ++i) copy.places.push_back(item.raw_offset(i));
  return copy;
}

template <typename Decoder>
void drain(Decoder& decoder, std::vector<owned_item>& out) {
  for (citestream::frame item; decoder.next(item);) out.push_back(owned(item));
}

/// Joins adjacent frames of kind `oversize`, and of kind `foreign`: only their division depends on the cuts
/// of the input.
inline std::vector<owned_item> joined(std::vector<owned_item> items) {
  std::vector<owned_item> out;
  for (owned_item& item : items) {
    using enum citestream::frame_kind;
    if ((item.kind == oversize || item.kind == foreign) && !out.empty() && out.back().kind == item.kind) {
      out.back().raw += item.raw;
    } else {
      out.push_back(std::move(item));
    }
  }
  return out;
}

/// All items of \p parts fed one after the other.
template <typename Decoder = citestream::sse_decoder>
std::vector<owned_item> decode(const std::vector<std::string_view>& parts,
                               std::size_t max_event_bytes = citestream::limits{}.max_event_bytes) {
  Decoder decoder(max_event_bytes);
  std::vector<owned_item> out;
  for (const std::string_view piece : parts) {
    const std::string borrowed(piece);  // freed before the next piece, so that dangling views are detected
    decoder.feed(borrowed);
    drain(decoder, out);
  }
  decoder.finish();
  drain(decoder, out);
  return joined(std::move(out));
}

inline std::string raw_of(const std::vector<owned_item>& items) {
  std::string out;
  for (const owned_item& item : items) out += item.raw;
  return out;
}

}  // namespace citestream_tests
