/// \file
/// Markers that a user describes: `[ref:{key}]` compiled to a grammar.
///
/// A pattern is literal text with fields: `{key}`, `{identifier}` or `{number}` says what is cited (exactly
/// one of them), `{label}` may stand beside it; `{{` and `}}` are braces. A field holds at least one byte, no
/// line break or other control byte, and neither the pattern's first byte nor the first byte of what follows
/// the field:
///   - `{key}`: at most 256 bytes; `a, b` are two keys
///   - `{number}`: digits, at most 10; `1, 2` are two, in at most 64 bytes
///   - `{identifier}`: at most 2,048 bytes without blanks
///   - `{label}`: at most 256 bytes
/// Code holds no markers, and no byte of one may be escaped. So every pattern is recognised in linear time
/// and with bounded hold-back; one that could not be is refused.
///
/// \code
///   citestream::pattern_error why;
///   if (auto pattern = citestream::compile_marker_pattern("[ref:{key}]", why)) {
///     options.patterns.push_back(*pattern);
///   } else {
///     std::cerr << message(why.problem) << " at byte " << why.offset << '\n';
///   }
/// \endcode
#pragma once

#include <citestream/marker/grammar.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace citestream {

/// Why a pattern is none.
enum class pattern_problem : std::uint8_t {
  none,
  empty,
  too_long,           ///< more than 256 bytes
  control_byte,       ///< a line break or another control byte
  not_utf8,           ///< no valid UTF-8
  code_or_escape,     ///< a backtick or a backslash, which make what follows no marker
  brace,              ///< a brace that opens or closes nothing
  unknown_field,      ///< not `{label}`, `{identifier}`, `{key}`, `{number}`
  second_field,       ///< a second label, or a second field that says what is cited
  starts_with_field,  ///< anything could be its start
  adjacent_fields,    ///< nothing says where the first one ends
  ends_with_field,    ///< nothing says where it ends
  letter_at_edge,     ///< the first byte, or the one behind a field, is one that fields are made of
  overlaps_start,     ///< inside it another marker could begin
  cites_nothing,      ///< no `{identifier}`, `{key}` or `{number}`
};

/// A sentence about \p problem, in English, without a full stop.
[[nodiscard]] std::string_view message(pattern_problem problem) noexcept;

/// Why and where a pattern is none.
struct pattern_error {
  pattern_problem problem{};  ///< `none` where it is one
  std::size_t offset{};       ///< byte of the pattern, from 0
  std::size_t column{};       ///< character of the pattern, from 1
};

/// A compiled pattern. Copies share what was compiled; it lives as long as one of them.
class marker_pattern {
 public:
  /// The grammar: valid as long as this pattern or a copy of it. Its name is the pattern.
  [[nodiscard]] const grammar& as_grammar() const noexcept;

 private:
  friend std::optional<marker_pattern> compile_marker_pattern(std::string_view, pattern_error&);
  struct compiled;
  explicit marker_pattern(std::shared_ptr<const compiled> from) noexcept : compiled_(std::move(from)) {}
  std::shared_ptr<const compiled> compiled_;
};

/// Compiles \p pattern, which is copied. \return nothing where it is none: \p why then says why and where.
[[nodiscard]] std::optional<marker_pattern> compile_marker_pattern(std::string_view pattern,
                                                                   pattern_error& why);

}  // namespace citestream
