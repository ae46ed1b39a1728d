/// \file
/// Our citations in the lists of a provider: annotations of a text, and lists of citations and sources.
#pragma once

#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "additions.hpp"
#include "choice.hpp"
#include "rewrite/json.hpp"
#include "rewrite/splice.hpp"

namespace citestream {

/// The lists of our citations that a payload does not have yet. Several texts may share one.
class new_lists {
 public:
  /// Adds elements to a list. \p place: that of `null`, or of the object that gets the member \p name.
  void add(byte_range place, std::string_view name, std::string_view elements, const moved_members& moved);
  void write(splicer& edits) const;

 private:
  struct new_list {
    byte_range place;
    std::string_view name;  ///< empty: `null` is replaced
    moved_members moved;
    std::string elements;  ///< comma-separated
  };
  std::vector<new_list> all_;
};

/// How one event or body is edited.
struct event_edit {
  const dialect_event& content;
  splicer& edits;
  new_lists lists{};  ///< to be written after all texts were rewritten
};

/// Adds our annotations to the provider's list, in the order in which clients received them. If there is no
/// list, they are added to event_edit::lists.
void add_ours(const text_repeat& found, std::string_view name, const own_annotations& ours, event_edit& edit);

/// Collects our annotations of the texts of one stream or body. They are kept in unit_annotations::ours.
class annotation_collector {
 public:
  annotation_collector(const session_options& options, const addition_writer& additions) noexcept
      : options_(&options), additions_(&additions) {}

  void reset() noexcept { quoted_kib_ = 0; }
  /// Remembers what an annotation of the provider cites, so that citestream does not annotate it again.
  static void note_annotation(const native_annotation& found, choice_text& text);
  /// Notes the sources that an earlier payload lists. A later list may repeat those before it.
  void note_lists(const citation_lists& found, const dialect_event& content, choice_state& choice) const;
  /// Collects our annotations of the current text: of new citations, and, if the text has \p ended, also of
  /// those whose reference was not known. Returns all so far; null if there are none.
  own_annotations* collect_new_citations(choice_state& choice, bool ended);
  /// Adds our citations and their sources to the lists of a payload.
  void add_lists(const citation_lists& found, const choice_state& choice, const event_edit& edit) const;

 private:
  struct added_lists;
  [[nodiscard]] bool takes_ours(const dialect& spec) const noexcept;
  bool collect_citation(choice_state& choice, std::size_t index);
  [[nodiscard]] cited_text cited_in(const choice_state& choice, std::size_t index,
                                    bool (*append)(const own_citation&, std::string&)) const noexcept;
  void list_citation(const choice_state& choice, std::size_t index, added_lists& to) const;

  const session_options* options_;
  const addition_writer* additions_;
  std::uint32_t quoted_kib_{};  ///< how much of documents was read to find quotes, in KiB
};

}  // namespace citestream
