/// \file
/// The citation record: a citation joined with the references that it cites.
#pragma once

#include <citestream/base/byte_range.hpp>
#include <citestream/base/offsets.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/cite/claim_check.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace citestream {

/// Whether the references of a citation are known.
enum class citation_status : std::uint8_t {
  pending,     ///< references have not arrived yet
  resolved,    ///< at least one reference matched
  unresolved,  ///< no reference matched: the model cited something that does not exist
};

/// How an identifier and a reference match.
enum class match_kind : std::uint8_t {
  exact,
  normalized,  ///< URLs only: scheme and host case, default port, percent-encoding, trailing slash, fragment,
               ///< `utm_source=openai`
  native,      ///< the provider has said which reference it cites
  /// Nothing matches, but the identifier is within two edits of exactly one known `cite` or `id` of at least
  /// 8 characters, or the label is exactly one known title. Only if repair is on.
  repaired,
};

/// Who has cited.
enum class citation_origin : std::uint8_t {
  marker,    ///< the model, with a marker in the text
  provider,  ///< the provider, apart from the text
  both,      ///< both cite the same reference at the same place
};

/// "marker", "provider" or "both".
[[nodiscard]] std::string_view name(citation_origin origin) noexcept;
/// "pending", "resolved" or "unresolved".
[[nodiscard]] std::string_view name(citation_status status) noexcept;
/// "exact", "normalized", "native" or "repaired".
[[nodiscard]] std::string_view name(match_kind match) noexcept;

/// A citation of the provider as its payload has it.
struct native_form {
  std::string json;                 ///< an object; empty if the provider has not cited, or if it was not kept
  std::optional<offset_unit> unit;  ///< of its positions; nothing: it has none in the answer
  std::optional<double> score;      ///< how sure the provider is that its reference supports the claim
  bool end_inclusive{};             ///< ends of its positions are inclusive
};

/// Which text of an answer a citation is in, if the dialect divides answers into several: an item, such as a
/// content block, and for some dialects a part of it.
struct citation_path {
  std::string_view item_name;         ///< "block", "output", ...; static; empty: there is no path
  std::string_view part_name;         ///< "content" or "part"; static; empty: items have no parts
  std::optional<std::uint32_t> item;  ///< index of the item; nothing: it has only an id, or is the only one
  std::uint32_t part{};               ///< index of the part
  std::shared_ptr<const std::string> item_id;  ///< the id of the item, as JSON; null: it has none
};

/// One record for each citation, in order of appearance. Positions are in the answer's output text.
struct citation {
  /// Of its source, from 1. Citations of one source share it. 0: see \ref unresolved_print.
  std::uint32_t number{};
  std::uint32_t group{};    ///< from 0; citations of one marker, or of one place of the provider, share it
  std::string label;        ///< as in the marker (inert if egress is enforced); empty if the grammar has none
  std::string identifier;   ///< the same; of a citation that only the provider has made: a URL or an id
  std::string marker;       ///< the bytes of the marker (inert if egress is enforced); may be empty
  text_offset start;        ///< position of what the style printed; equal to `end` if it printed nothing
  text_offset end;          ///< exclusive
  text_offset claim_start;  ///< start of the text that the citation supports
  text_offset claim_end;    ///< exclusive
  citation_origin origin{};                          ///< who has cited
  citation_anchor anchor{};                          ///< what `start` and `end` are
  citation_status status{citation_status::pending};  ///< as of the last citations::resolve()
  std::optional<source_type> type;                   ///< of the first reference
  /// Indexes into the answer's references, best score first, but after the passage that the provider quotes
  /// if both cite. Citations of one identifier share the list.
  /// Valid until reset() or destruction of the \ref citations that it comes from.
  std::span<const std::uint32_t> references;
  std::optional<match_kind> match;  ///< set when resolved
  native_form native;               ///< if the provider has cited
  citation_path path;               ///< which text of the answer it is in
  /// The comparison of its claim with its references. Null if claims are not checked, if there is no text to
  /// compare, or if a limit was reached.
  std::shared_ptr<const claim_finding> finding;
};

/// A citation of the provider with its place in the answer's output text.
struct placed_citation : native_traits {
  text_span place;                  ///< all 0 if the anchor is `none`
  text_range received;              ///< the same place in the received text; empty: a point, or not known
  text_span claim;                  ///< the text that it supports
  std::uint32_t reference{};        ///< index of what it cites: see citations::index_of()
  std::string_view words;           ///< what `claim` is in the received text; empty: not known
  std::string_view json;            ///< see native_form
  std::optional<offset_unit> unit;  ///< the same
  citation_path path;               ///< the text that it is in; empty: not known
};

}  // namespace citestream
