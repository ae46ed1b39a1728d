/// \file
/// The scanner: finds markers in text that arrives in pieces, and withholds no byte longer than it must.
///
/// Five promises hold for every input (see README, "Guarantees"): the same result for every way of cutting
/// it; only what may still become a marker is withheld; never more than `limits::max_marker_bytes`; linear
/// time; tokens put together are the input.
///
/// \code
///   citestream::marker_scanner scanner(options);
///   scanner.feed(delta);
///   for (citestream::marker_token token; scanner.next(token);) use(token);
///   scanner.finish();
///   for (citestream::marker_token token; scanner.next(token);) use(token);
/// \endcode
#pragma once

#include <citestream/marker/grammar.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What a token is.
enum class token_kind : std::uint8_t { text, marker };

/// A run of text or one marker. Views die at the next call of next(), feed(), finish() or reset().
struct marker_token {
  token_kind kind{};      ///< text or marker
  std::string_view text;  ///< the bytes; for a marker all of it
  marker_fields fields;   ///< for a marker
  const grammar* from{};  ///< for a marker: the grammar that found it
  bool code{};            ///< for text: the run ends inside code, so no marker can come directly after it
  bool abandoned{};       ///< for text: it had been withheld and the bound let it go
};

/// What a scanner looks for.
struct scanner_options {
  std::vector<const grammar*> grammars{&link_grammar};  ///< all are looked for at once
  grammar_options markers{};                            ///< for all of them
};

/// Scans one answer. Movable.
class marker_scanner {
 public:
  /// The grammars that \p options point to outlive the scanner.
  explicit marker_scanner(scanner_options options = {});
  ~marker_scanner();
  marker_scanner(marker_scanner&&) noexcept;             ///< leaves what can be assigned to or destroyed
  marker_scanner& operator=(marker_scanner&&) noexcept;  ///< the same

  /// Gives the next bytes of the text. \p delta is borrowed until next() returns false.
  void feed(std::string_view delta);

  /// The next token, or false: feed more, or finish. A run of text is given before the bytes behind it are
  /// looked at, so that reserve() can be up to date.
  [[nodiscard]] bool next(marker_token& out);

  /// Takes bytes that would come out of next() at once as one run of text, where that is plain to see:
  /// nothing is withheld and none of them can begin anything. \p reserved: see reserve(). \return false:
  /// nothing has been done, feed() takes them.
  [[nodiscard]] bool pass(std::string_view delta, std::size_t reserved) noexcept;

  /// The answer has ended: what is withheld comes out of next() as text.
  void finish() noexcept;

  /// Tells how many bytes a later stage withholds in front of the next byte: they count against the bound.
  void reserve(std::size_t bytes) noexcept;

  /// Bytes withheld now.
  [[nodiscard]] std::size_t held() const noexcept;
  /// Where the first thing withheld will be a marker with cited text (see marker_fields), or text, and no
  /// other marker: its cited text so far. Else empty. White space before it is then sure to stay. The view
  /// dies at the next call of next(), feed(), finish() or reset().
  [[nodiscard]] std::string_view cited() const noexcept;
  /// How often the bound let text go.
  [[nodiscard]] std::uint64_t abandoned() const noexcept;

  /// Back to the start of an answer; keeps capacity.
  void reset() noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
