/// \file
/// A recorded stream as read by the dialects.
#pragma once

#include <citestream/dialect/dialect.hpp>

#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "support/recorded_payloads.hpp"

namespace citestream_tests {

/// The contents of all payloads of one stream.
struct stream_summary {
  std::string dialect;  ///< of the first payload that some dialect recognises
  std::map<std::uint32_t, std::string> text;
  std::size_t choices{};
  std::size_t mirrored{};
  std::size_t finished{};
  std::size_t references{};
  std::string message;   ///< the last accumulated text
  std::size_t unread{};  ///< payloads that pass through, including those before the dialect is recognised
};

inline void add(const citestream::dialect_event& event, stream_summary& to) {
  for (const citestream::choice_event& choice : event.choices) {
    to.text[choice.choice] += choice.text;
    ++to.choices;
    if (choice.mirror.token) ++to.mirrored;
    if (choice.end.here) ++to.finished;
    if (choice.mirror.accumulates) to.message = choice.mirror.text;
  }
  to.references += event.references.size();
}

inline stream_summary summarise(const std::string& name) {
  stream_summary out;
  citestream::document doc;
  citestream::dialect_event event;
  const citestream::dialect* known = nullptr;
  for (const std::string& payload : payloads_of(data_dir() / "recordings" / name)) {
    REQUIRE_FALSE(doc.parse(payload));
    for (const citestream::dialect* candidate : citestream::dialects()) {
      if (known == nullptr && candidate->recognise(doc.root(), citestream::payload_kind::event))
        known = candidate;
    }
    if (known != nullptr && known->read(doc.root(), citestream::payload_kind::event, event)) {
      add(event, out);
    } else {
      ++out.unread;
    }
  }
  if (known != nullptr) out.dialect = known->name;
  return out;
}

inline std::size_t total(const stream_summary& of) {
  std::size_t bytes = 0;
  for (const auto& [choice, text] : of.text) bytes += text.size();
  return bytes;
}

}  // namespace citestream_tests
