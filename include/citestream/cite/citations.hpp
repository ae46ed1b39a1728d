/// \file
/// The citations of one answer: numbering, positions, and joining with references whenever they come.
///
/// \code
///   citestream::citations cites(limits);
///   const auto number = cites.number_of(identifier);             // before the style prints it
///   cites.add(label, identifier, marker, number, place, claim);  // a marker was found
///   cites.add_reference(ref);                                    // at any time, in any order
///   cites.resolve();                                             // what is pending is resolved, or not
/// \endcode
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/cite/citation.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace citestream {

/// A span of output text.
struct text_span {
  text_offset start;  ///< from the start of the answer's output text
  text_offset end;    ///< exclusive
};

/// The citations and references of one answer. Warm, it allocates only for strings longer than before.
class citations {
 public:
  /// \param bounds  of these those of citations and references
  explicit citations(const limits& bounds = {});
  ~citations();
  citations(citations&&) noexcept;             ///< the moved-from object can only be assigned to or destroyed
  citations& operator=(citations&&) noexcept;  ///< the same

  /// The number of the source that \p identifier names: the one it had before, or the next, from 1. URLs
  /// that are the same place (RFC 3986, 6.2) share a number; other identifiers compare byte for byte.
  /// 0 for a new identifier where `max_citations` are known: its marker stays text. \p first_place is what
  /// the first place in a list is called by identifiers of digits alone: `0` of one count and of another are
  /// different identifiers.
  [[nodiscard]] std::uint32_t number_of(std::string_view identifier, std::int64_t first_place = 1);

  /// Whether a reference known by now is what \p identifier means: resolve() would find one.
  [[nodiscard]] bool knows(std::string_view identifier) const;

  /// Whether \p count citations more, with \p bytes of label, identifier and marker in all, fit the bounds.
  [[nodiscard]] bool has_room(std::size_t count, std::size_t bytes) const noexcept;

  /// Adds a citation; everything is copied. \p shown is the identifier that its record has until it is
  /// resolved, if that differs: one that no renderer takes for a link. \return its index, or nothing if
  /// has_room() is false.
  std::optional<std::size_t> add(std::string_view label, std::string_view identifier, std::string_view marker,
                                 std::uint32_t number, text_span place, text_span claim,
                                 std::int64_t first_place = 1,
                                 std::optional<std::string_view> shown = std::nullopt);

  /// Adds a reference unless it (every field equal) is there already. A score that is not a number is none.
  /// \return whether it was added.
  bool add_reference(const reference& ref);

  /// Joins every pending citation with the references known by now: `cite` first, then `id`, then `url`
  /// exactly, then `url` normalised. All that match on the first of these that matches, best score first,
  /// those without a score last, then in order of arrival. An identifier of digits alone that matches on none
  /// of them means the references with that `number`, or with the next where places count from 0; `Source 4`,
  /// `source 4`, `src_4`, `src4` and `doc4`, too, mean what `4` does.
  ///
  /// What is resolved or unresolved stays so: called again after more citations and references came, it joins
  /// the new citations only. Linear in citations and references (a logarithm for sorting the matches); each
  /// distinct identifier is looked up once, however often it is cited.
  void resolve();

  /// In order of appearance. Valid until the next add() or reset().
  [[nodiscard]] std::span<const citation> all() const noexcept;
  /// In order of arrival. Valid until the next add_reference() or reset().
  [[nodiscard]] std::span<const reference> references() const noexcept;
  /// Indexes of references that no resolved citation means, in order of arrival. Valid after resolve().
  [[nodiscard]] std::span<const std::uint32_t> uncited() const noexcept;
  /// Numbers of sources that were cited and that no reference matched, rising, each once. Valid after
  /// resolve().
  [[nodiscard]] std::span<const std::uint32_t> unresolved() const noexcept;
  /// One citation for each distinct source, in order of its number: the first that is resolved, else the
  /// first. Indexes into all().
  [[nodiscard]] std::span<const std::uint32_t> sources() const noexcept;
  /// The best of the references known by now that \p identifier, which number_of() was given, means (see
  /// resolve()), before it is resolved; null: none. Constant time. Valid until a reference is added.
  [[nodiscard]] const reference* best(std::string_view identifier,
                                      std::int64_t first_place = 1) const noexcept;
  /// The same for the citation with that index, pending or not.
  [[nodiscard]] const reference* best(std::size_t index) const noexcept;
  /// Whether a citation is still pending.
  [[nodiscard]] bool pending() const noexcept;
  /// References dropped at `max_references` and `max_reference_bytes`.
  [[nodiscard]] std::uint64_t dropped_references() const noexcept;

  /// The title to show for a citation: its label, else its best reference's title, else its identifier.
  [[nodiscard]] std::string_view title(const citation& cite) const noexcept;

  /// Back to empty; keeps capacity.
  void reset() noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
