/// \file
/// The annotations of a choice: the provider's and ours, without duplicates, with positions in the sent text.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/session/options.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "choice.hpp"

namespace citestream {

/// One list of annotations, for the client.
struct annotation_list {
  bool changed{};               ///< false: the event's own list, if there is one, can be sent unchanged
  std::string elements;         ///< comma-separated JSON
  std::set<std::string> pages;  ///< normalized URLs of the pages in it
};

/// The values of `annotations` in one event of a choice; empty if there are none.
struct provider_lists {
  std::string_view own;      ///< next to the text
  std::string_view message;  ///< in a `message` that repeats the text; a JSON list
};

/// Merges the annotations of a provider with ours.
class annotation_writer {
 public:
  /// \param reader  used only during calls
  annotation_writer(const session_options& options, document& reader) noexcept
      : options_(&options), reader_(&reader) {}

  /// Takes the annotations in an event of a choice that has not settled. Returns the elements of the list
  /// that the event has to carry instead; nothing if they pass unchanged.
  [[nodiscard]] std::optional<std::string> hold(choice_state& choice, const provider_lists& given);

  /// Returns one list for a choice whose text has ended: the elements held, those `given` in the event, and
  /// ours if `with_ours` is set. When it has been sent, or `given` because nothing changed, call
  /// choice_annotations::note_sent().
  [[nodiscard]] annotation_list merge(const choice_state& choice, const provider_lists& given,
                                      bool with_ours);

 private:
  struct merging;
  [[nodiscard]] json_value parse(std::string_view list);
  void append_ours(const choice_state& choice, merging& into);
  void append_theirs(const choice_state& choice, std::string_view list, merging& into);

  const session_options* options_;
  document* reader_;
};

}  // namespace citestream
