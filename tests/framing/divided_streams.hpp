/// \file
/// Streams of elements or lines, divided in every way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/decoded_events.hpp"

namespace citestream_tests {

/// Checks that the items of \p stream contain every byte once and do not depend on the reads.
/// \param decode_parts returns the items of a stream in parts
/// \return the items
template <typename Decode>
std::vector<owned_item> decode_every_way(std::string_view stream, const Decode& decode_parts) {
  const std::vector<owned_item> whole = decode_parts({stream});
  CHECK(raw_of(whole) == stream);
  std::uint64_t offset = 0;
  for (const owned_item& one : whole) {
    CHECK(one.offset == offset);
    offset += one.raw.size();
  }
  for (const std::size_t size : {1U, 2U, 3U, 7U, 64U}) CHECK(decode_parts(cut_every(stream, size)) == whole);
  for (std::size_t at = 0; at <= stream.size(); ++at)
    REQUIRE(decode_parts({stream.substr(0, at), stream.substr(at)}) == whole);
  return whole;
}

/// Whether each byte of the data of \p item is the byte at its place in the stream.
inline bool data_is_in_place(const owned_item& item) {
  for (std::size_t i = 0; i < item.places.size(); ++i) {
    if (item.raw[item.places[i]] != item.data[i]) return false;
  }
  return true;
}

/// Reads \p stream in pieces of \p size as a caller that knows all its events. Some are skipped. If a piece
/// ends inside an event, its bytes are put off, and skipped as the start of the event.
/// \param skipped is called with the decoder and the number of events so far after an event that was put off
template <typename Decoder, typename Skipped>
std::vector<owned_item> decode_known(const std::string& stream, std::size_t size,
                                     const std::vector<owned_item>& events, std::mt19937& random,
                                     const Skipped& skipped) {
  Decoder decoder;
  std::vector<owned_item> got;
  std::string kept;
  const auto read_on = [&] {
    const std::string_view in = decoder.unread();
    const std::string raw = got.size() < events.size() ? events[got.size()].raw : "";
    if (!in.empty() && in.size() < raw.size()) {
      kept = in;
      decoder.defer();
    } else if (!in.empty() && random() % 2 == 0) {
      decoder.skip(raw.size());
      got.push_back(events[got.size()]);
      return true;
    }
    citestream::frame item;
    const bool more = decoder.next(item);
    if (more && item.kind == citestream::frame_kind::event) got.push_back(owned(item));
    return more;
  };
  for (const std::string_view piece : cut_every(stream, size)) {
    const std::string fed(piece);
    if (!kept.empty()) {  // the start of an event was put off
      const std::string_view raw = events[got.size()].raw;
      if (kept.size() + fed.size() < raw.size()) {
        kept += fed;
        continue;
      }
      decoder.feed(fed);
      decoder.skip(raw.size() - kept.size(), kept.size());
      skipped(decoder, got.size());
      got.push_back(events[got.size()]);
      kept.clear();
    } else {
      decoder.feed(fed);
    }
    while (read_on()) {
    }
  }
  return got;
}

}  // namespace citestream_tests
