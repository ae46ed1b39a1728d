/// \file
/// Numbers the citations of one answer and joins them with its references, in whatever order they arrive.
///
/// \code
///   citestream::citations cites(limits);
///   const auto number = cites.number_of(identifier);  // before the style prints it
///   cites.add({.label = label, .identifier = identifier, .marker = marker, .number = number,
///              .place = place, .claim = claim});
///   cites.add_reference(ref);  // at any time, in any order
///   cites.resolve();  // joins the citations with the references
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
#include <vector>

namespace citestream {

/// What the record of a citation shows instead of the label and identifier of its marker.
struct shown_citation {
  std::string_view label;       ///< as clients may display it
  std::string_view identifier;  ///< until the citation is resolved
};

/// A citation to be added. Positions are in the answer's output text, unless noted otherwise.
struct new_citation {
  std::string_view label{};               ///< as in the marker; empty: it has none
  std::string_view identifier{};          ///< as in the marker
  std::string_view marker{};              ///< empty: the provider cites at a point, without a marker
  std::uint32_t number{};                 ///< from citations::number_of()
  text_span place{};                      ///< where the citation is printed
  text_span claim{};                      ///< the text that it supports
  std::int64_t first_place{1};            ///< see citations::number_of()
  std::optional<shown_citation> shown{};  ///< what the record has instead, for example without active links
  bool joins{};                           ///< it is in the group of the citation added before it
  citation_path path{};                   ///< the text that it is in
  text_range received{};                  ///< the marker, in the received text
};

/// The citations and references of one answer. A warm object allocates only for strings longer than before.
class citations {
 public:
  /// \param bounds  the limits of citations and references are used
  /// \param repair  see \ref match_kind::repaired
  explicit citations(const limits& bounds = {}, bool repair = false);
  ~citations();
  citations(citations&&) noexcept;             ///< the moved-from object can only be assigned to or destroyed
  citations& operator=(citations&&) noexcept;  ///< the same

  /// Returns the number of the source that \p identifier names: its number if it has one, else the next, from
  /// 1. URLs that are equal after normalization (RFC 3986, 6.2) share a number; other identifiers are
  /// compared byte for byte. Identifiers that mean the same reference now share a number, and so do `4`,
  /// `src_4` and `Source 4` while no reference is known. Returns 0 for a new identifier if there are
  /// `max_citations` already: its marker remains text.
  ///
  /// \p first_place is the number of the first place in a list (0 or 1), for identifiers that are digits. The
  /// same digits with another \p first_place are another identifier. With repair, an identifier that means no
  /// reference has the number of the one whose title is \p label.
  [[nodiscard]] std::uint32_t number_of(std::string_view identifier, std::int64_t first_place = 1,
                                        std::string_view label = {});

  /// Returns true if resolve() would find a reference for \p identifier now. \p first_place: see number_of().
  [[nodiscard]] bool knows(std::string_view identifier, std::int64_t first_place = 1) const;

  /// Returns true if resolve() would find a reference now for a marker with this label. Unlike knows(), it
  /// applies repair.
  [[nodiscard]] bool matches(std::string_view identifier, std::int64_t first_place, std::string_view label);

  /// Returns true if \p count more citations, with \p bytes of label, identifier and marker in total, are
  /// within the limits.
  [[nodiscard]] bool has_room(std::size_t count, std::size_t bytes) const noexcept;

  /// Adds a citation; everything is copied. Returns its index, or nothing if has_room() is false.
  std::optional<std::size_t> add(const new_citation& one);

  /// Adds a reference, unless one with all fields equal is already there. A reference to the same page as an
  /// earlier one (compared by normalized URL) that differs only in its title, and in fields that one of them
  /// lacks, is not added: the earlier one gets the fields that it lacks. A score that is not a number is
  /// removed. Returns true if anything has changed, or the URL is spelled differently.
  bool add_reference(const reference& ref);

  /// Joins every pending citation with the references known now. These fields are compared in order, and all
  /// references that match on the first matching field are taken: `cite`, `id`, `url` exactly, `url`
  /// normalized. They are ordered by score, best first; those without a score are last, in order of arrival.
  ///
  /// If none of these matches and the identifier is digits, it means the references with that `number` (or
  /// the next one if places count from 0). `Source 4`, `source 4`, `src_4`, `src4` and `doc4` mean the same
  /// as `4`.
  ///
  /// A later call joins only citations added since; see resolve_late() for the others. Linear in citations
  /// and references (plus sorting of the matches): each distinct identifier is looked up once, however often
  /// it is cited.
  void resolve();
  /// Joins the citations that are unresolved with references that arrived since, or that add_native() has
  /// found. Returns those that are resolved now, as indexes into all(). A resolved citation does not change
  /// any more.
  std::vector<std::uint32_t> resolve_late();

  /// Indexes of the references that citation \p index means now, as resolve() would find them. Valid until
  /// reset().
  [[nodiscard]] std::span<const std::uint32_t> references_of(std::size_t index);
  /// Sets \ref citation::finding of the citation at() \p index.
  void set_finding(std::size_t index, std::shared_ptr<const claim_finding> found);

  /// The index of a reference that was added; nothing if it was dropped. Valid until reset().
  [[nodiscard]] std::optional<std::uint32_t> index_of(const reference& ref) const;
  /// Announces a citation that add_native() will add later. Until then best() returns its reference for the
  /// pending marker that it covers, unless a better one is known. Citations before \p first are skipped.
  void expect_native(const placed_citation& one, std::size_t first);
  /// Adds a citation of the provider. Call resolve() before and resolve_late() after. The citation is merged
  /// into that of a marker, whose origin becomes `both`, if
  /// - that marker cites the same source at this place, or
  /// - that marker is unresolved and `received` covers only it, or, with the anchor `marker`, up to two bytes
  ///   on each side: its identifier then means this reference, with the number that it has.
  /// Otherwise it is added to native(), with the number of its source or the next one, and true is returned.
  bool add_native(const placed_citation& one);

  /// All citations of markers, in order of appearance. Valid until the next add() or reset().
  [[nodiscard]] std::span<const citation> all() const noexcept;
  /// The citations of the provider that no marker cites too, in order. Valid until the next add_native() or
  /// reset().
  [[nodiscard]] std::span<const citation> native() const noexcept;
  /// Number of citations in all() and native().
  [[nodiscard]] std::size_t count() const noexcept { return all().size() + native().size(); }
  /// The citation \p index (less than count()): those of all() first, then those of native().
  [[nodiscard]] const citation& at(std::size_t index) const noexcept {
    const std::size_t markers = all().size();
    return index < markers ? all()[index] : native()[index - markers];
  }
  /// All references, in order of arrival. Valid until the next add_reference() or reset().
  [[nodiscard]] std::span<const reference> references() const noexcept;
  /// Indexes of references that no resolved citation cites, in order of arrival. Valid after resolve().
  [[nodiscard]] std::span<const std::uint32_t> uncited() const noexcept;
  /// Numbers of cited sources for which no reference was found, ascending, each once; 0 for all that have no
  /// number (see \ref unresolved_print). Valid after resolve().
  [[nodiscard]] std::span<const std::uint32_t> unresolved() const noexcept;
  /// One citation for each distinct source, in order of its number: the first resolved one, else the first.
  /// Indexes into all().
  [[nodiscard]] std::span<const std::uint32_t> sources() const noexcept;
  /// The best reference known now for \p identifier, which must have been passed to number_of(). Null if
  /// none matches (see resolve()). Constant time. Valid until a reference is added.
  [[nodiscard]] const reference* best(std::string_view identifier, std::int64_t first_place = 1) const;
  /// The best reference known now for the citation \p index, pending or not.
  [[nodiscard]] const reference* best(std::size_t index) const;
  /// The label of the citation \p index as in the marker, also if the record shows another.
  [[nodiscard]] std::string_view label(std::size_t index) const noexcept;
  /// Returns true if a citation is still pending.
  [[nodiscard]] bool pending() const noexcept;
  /// Number of references dropped because of `max_references` or `max_reference_bytes`.
  [[nodiscard]] std::uint64_t dropped_references() const noexcept;

  /// The title of the reference \p index, or, if it has none, of another reference to the same page (compared
  /// by normalized URL; only the newest 16 are looked at). May be empty.
  [[nodiscard]] std::string_view page_title(std::uint32_t index) const noexcept;
  /// The title to show for a citation: its label, else the title or URL of its best reference, else its
  /// identifier or, if that is a number, the `id` of the reference.
  [[nodiscard]] std::string_view title(const citation& cite) const noexcept;

  /// Removes everything; keeps capacity.
  void reset() noexcept;

 private:
  struct impl;
  [[nodiscard]] impl& make();

  /// The limits that are used. Not all of \ref limits, because many empty objects exist.
  struct used_limits {
    std::size_t citations;
    std::size_t citation_bytes;
    std::size_t references;
    std::size_t reference_bytes;
  };
  used_limits bounds_;
  bool repair_;
  std::unique_ptr<impl> impl_;  ///< null: no citation and no reference yet
};

}  // namespace citestream
