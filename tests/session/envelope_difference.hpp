/// \file
/// Compares a session that uses envelopes with one that parses every event. They must agree for any bytes.
#pragma once

#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

/// The two sessions. Reusable; accepts any bytes, so that a fuzzer can call it.
class envelope_difference {
 public:
  explicit envelope_difference(const citestream::session_options& options = {});
  /// \p other are the options of the session without envelopes.
  envelope_difference(const citestream::session_options& options, const citestream::session_options& other);

  /// Runs both over \p bytes in reads of \p read bytes and compares the output of each read, every status,
  /// typed event and counter. \return a description of the difference; empty if there is none
  [[nodiscard]] std::string of(std::string_view bytes, std::size_t read);
  /// The same with reads that end at each of \p cuts, in order.
  [[nodiscard]] std::string of(std::string_view bytes, const std::vector<std::size_t>& cuts);

  /// Numbers of text deltas, and of events read by an envelope, in the last run.
  std::uint64_t deltas{};
  std::uint64_t known_shape{};

 private:
  citestream::session with_;
  citestream::session without_;
};

}  // namespace citestream_tests
