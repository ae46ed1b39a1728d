/// \file
/// Marker patterns: a grammar compiled from a description such as `[ref:{key}]`.
///
/// A pattern is literal text with fields. Exactly one of `{key}`, `{identifier}` and `{number}` names what is
/// cited; `{label}` is optional. `{{` and `}}` are literal braces. A field matches at least one byte. It
/// matches no control byte (including line breaks), not the first character of the pattern, and not the first
/// character of the text that follows the field:
///   - `{key}`: at most 256 bytes; `a, b` are two keys
///   - `{number}`: at most 10 digits; `1, 2` are two numbers, in at most 64 bytes
///   - `{identifier}`: at most 2,048 bytes without blanks
///   - `{label}`: at most 256 bytes
///
/// Markers are not recognised in code or if one of their bytes is escaped. These rules make every pattern
/// recognisable in linear time with bounded hold-back; other patterns are rejected.
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
#include <utility>

namespace citestream {

/// Why a pattern was rejected.
enum class pattern_problem : std::uint8_t {
  none,
  empty,
  too_long,           ///< more than 256 bytes
  control_byte,       ///< a line break or another control byte
  not_utf8,           ///< invalid UTF-8
  code_or_escape,     ///< a backtick or a backslash, which would start code or an escape
  brace,              ///< a brace that belongs to no field
  unknown_field,      ///< not `{label}`, `{identifier}`, `{key}`, `{number}`
  second_field,       ///< a second label, or a second field that names what is cited
  starts_with_field,  ///< the marker could start anywhere
  adjacent_fields,    ///< no text marks the end of the first field
  ends_with_field,    ///< no text marks the end of the field
  letter_at_edge,     ///< the first character, or the one after a field, can be part of a field
  overlaps_start,     ///< another marker could start inside it
  cites_nothing,      ///< no `{identifier}`, `{key}` or `{number}`
};

/// Describes \p problem in one English sentence without a full stop.
[[nodiscard]] std::string_view message(pattern_problem problem) noexcept;

/// Why and where a pattern was rejected.
struct pattern_error {
  pattern_problem problem{};  ///< `none` if the pattern is valid
  std::size_t offset{};       ///< byte of the pattern, from 0
  std::size_t column{};       ///< character of the pattern, from 1
};

/// A compiled pattern. Copies share the compiled form, which lives as long as the last of them.
class marker_pattern {
 public:
  /// The grammar. Valid as long as this pattern or a copy of it. Its name is the pattern.
  [[nodiscard]] const grammar& as_grammar() const noexcept;

 private:
  friend std::optional<marker_pattern> compile_marker_pattern(std::string_view, pattern_error&);
  struct compiled;
  explicit marker_pattern(std::shared_ptr<const compiled> from) noexcept : compiled_(std::move(from)) {}
  std::shared_ptr<const compiled> compiled_;
};

/// Compiles \p pattern, which is copied. \return nothing if the pattern is rejected; \p why then holds the
/// reason and the place.
[[nodiscard]] std::optional<marker_pattern> compile_marker_pattern(std::string_view pattern,
                                                                   pattern_error& why);

}  // namespace citestream
