/// \file
/// Citations that citestream adds, in the form of a provider, and the events that carry them.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/dialect/choice_event.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// An added citation, to be written in the provider's form. The strings are JSON, with their quotes.
struct own_citation {
  text_unit unit{};            ///< the text that it is in
  source_type type{};          ///< of its best reference
  std::uint32_t number{};      ///< of its source, from 1
  std::string_view url{};      ///< of the page, or the link to the file; empty: neither is known
  std::string_view title{};    ///< never empty
  std::string_view id{};       ///< the provider's id of the reference
  std::string_view excerpt{};  ///< the start of the reference's text
  std::optional<request_place> requested{};  ///< where the request has the reference
  /// The passage of its text that the claim is about; `""` if none was found or looked for: see
  /// own_citation_form::quotes_requests.
  std::string_view quote{};
  std::int64_t quote_start{};  ///< where it is in the source, in characters
  std::int64_t quote_end{};    ///< exclusive
  text_span printed{};         ///< what the style printed, from the start of the text sent
  text_span claim{};           ///< the text that it supports, from the start of the text sent
  /// The claim; `""` if the text sent is not kept (choice_event::keeps_text).
  std::string_view claim_text{};
  std::size_t source{};  ///< index of its source, if the dialect lists sources apart

  /// The index of the document of the request that `quote` is from; nothing if it is from none.
  [[nodiscard]] std::optional<std::int64_t> quoted_document() const noexcept {
    constexpr std::size_t empty = 2;  // `""`
    const bool quoted = requested && requested->part == request_part::document && quote.size() > empty;
    return quoted ? std::optional(requested->index) : std::nullopt;
  }
};

/// The event for an added citation.
struct annotation_event {
  text_unit unit;                      ///< the text that it is about
  std::string_view item_id;            ///< id of its output item
  std::size_t index{};                 ///< number of the text's annotations before it
  std::uint64_t index_in_answer{};     ///< number of the annotations of all texts before it
  std::optional<std::int64_t> number;  ///< of the event; nothing if the events have no numbers
  std::string_view citation;           ///< the JSON that own_citation_form::append wrote
};

/// An added event.
struct own_event {
  std::string_view type;  ///< static; empty: it has none
  std::string payload;    ///< JSON without line breaks
};

/// How a dialect writes added citations. By default, they are annotations of chat completions, next to the
/// text.
struct own_citation_form {
  /// Appends an added citation as the provider writes its own, in lists and events. \return false if it has
  /// no form for this one. Null: annotations are those of chat completions.
  bool (*append)(const own_citation& one, std::string& out){};
  /// Appends the source of an added citation, as citation_lists holds it. \return false if the dialect has
  /// no form for it. Null: citations contain their sources.
  bool (*append_source)(const own_citation& one, std::string& out){};
  /// Appends the events for a citation, which are sent when its text has ended. Null: there are none.
  void (*append_events)(const annotation_event& one, std::vector<own_event>& out){};
  /// An event whose whole text is held or removed may become the event of a citation that is complete, so
  /// that clients show it before its text has ended. append_events() appends one event.
  bool replaces_text{};
  /// The member of a text with the list of its citations, if a payload may lack it (text_repeat::holder).
  std::string_view list_name{};
  std::string_view sources_name{};  ///< the member with the list of sources: see citation_lists
  std::string_view lists_name{};    ///< the member with both lists
  /// Clients fail on citations that the request did not enable: they are added only if it enables
  /// them (reference::citable), or with additions::always.
  bool only_if_requested{};
  /// Added citations quote documents of the request that are plain text (own_citation::quote). If a request
  /// has any, the text of the answer is kept.
  bool quotes_requests{};
  /// Its citations are sources without a place: each source is shown once in an answer, by the provider
  /// or by citestream, however often it is cited.
  bool shows_sources_once{};
};

}  // namespace citestream
