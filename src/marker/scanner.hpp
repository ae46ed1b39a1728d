/// \file
/// The scanner: finds markers in text that arrives in pieces, and holds no byte back longer than necessary.
///
/// For every input: the tokens do not depend on how the text is divided. Only text that may still become part
/// of a marker is held back, at most `limits::max_marker_bytes`. The cost is linear. The texts of all tokens
/// together are the input.
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
#include <string_view>
#include <vector>

namespace citestream {

/// What a token is.
enum class token_kind : std::uint8_t { text, marker };

/// A run of text or one marker. Views are valid until the next call of next(), feed(), finish() or reset().
struct marker_token {
  token_kind kind{};               ///< text or marker
  std::string_view text;           ///< the bytes; for a marker, the whole marker
  marker_fields fields;            ///< for a marker
  const grammar* recognised_by{};  ///< for a marker: the grammar that found it
  bool code{};       ///< for text: the run ends inside code, so no marker can come directly after it
  bool abandoned{};  ///< for text: it was held back until the limit was reached
};

/// Options of a scanner.
struct scanner_options {
  std::vector<const grammar*> grammars{&link_grammar};  ///< all are searched for at the same time
  grammar_options markers{};                            ///< for all of them
};

/// Scans one text. Movable.
class marker_scanner {
 public:
  /// The grammars in \p options must outlive the scanner.
  explicit marker_scanner(scanner_options options = {});
  ~marker_scanner();
  marker_scanner(marker_scanner&&) noexcept;  ///< the moved-from scanner may only be assigned to or destroyed
  marker_scanner& operator=(marker_scanner&&) noexcept;  ///< the same

  /// A scanner of another text with the same options.
  [[nodiscard]] marker_scanner fresh() const;

  /// Adds the next bytes of the text. \p delta must stay valid until next() returns false.
  void feed(std::string_view delta);

  /// Returns the next token in \p out. \return false if more text is needed: call feed() or finish(). A run
  /// of text is returned before the bytes after it are read, so that the caller can call reserve() in
  /// between.
  [[nodiscard]] bool next(marker_token& out);

  /// A shortcut for feed() and next(): accepts \p delta if it is one run of text that next() would return
  /// unchanged and nothing is held back. \p reserved: see reserve(). \return false if that is not certain;
  /// nothing has happened then, and the caller calls feed().
  [[nodiscard]] bool pass(std::string_view delta, std::size_t reserved) noexcept;

  /// Ends the text: next() returns held bytes as text.
  void finish() noexcept;

  /// Sets the number of bytes that a later stage still holds before the next byte. They count towards the
  /// limit.
  void reserve(std::size_t bytes) noexcept;

  /// The number of bytes held back now.
  [[nodiscard]] std::size_t held() const noexcept;
  /// If the held text can only become a marker with cited text (marker_fields::cited), or text: the cited
  /// text so far. White space before it will then be kept. Otherwise empty. Valid until the
  /// next call of next(), feed(), finish() or reset().
  [[nodiscard]] std::string_view cited() const noexcept;
  /// How many times held text was returned because the limit was reached.
  [[nodiscard]] std::uint64_t abandoned() const noexcept;

  /// Starts a new text. Keeps the capacity.
  void reset() noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
