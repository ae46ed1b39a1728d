// The same stream read with envelopes and without: there is to be no difference, whatever the bytes.
#pragma once

#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

/// Both ways of reading. Reusable; takes any bytes, so that a fuzzer can call it.
class envelope_difference {
 public:
  explicit envelope_difference(const citestream::session_options& options = {});
  /// Without envelopes as \p other says.
  envelope_difference(const citestream::session_options& options, const citestream::session_options& other);

  /// Runs \p bytes in reads of \p read bytes through both. \return what is not the same, in words: empty
  /// where everything is. Compared are what leaves at each read, every status, typed event and counter.
  [[nodiscard]] std::string of(std::string_view bytes, std::size_t read);
  /// The same with reads that end at each of \p cuts, in order.
  [[nodiscard]] std::string of(std::string_view bytes, const std::vector<std::size_t>& cuts);

  /// Text deltas, and events read by an envelope, of the last run.
  std::uint64_t deltas{};
  std::uint64_t enveloped{};

 private:
  citestream::session with_;
  citestream::session without_;
};

}  // namespace citestream_tests
