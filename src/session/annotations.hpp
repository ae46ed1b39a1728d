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

class annotation_writer {
 public:
  /// \param reader  used only during calls
  annotation_writer(const session_options& options, document& reader) noexcept
      : options_(&options), reader_(&reader) {}

  /// Takes the value of `annotations` in an event of a choice that has not settled. Returns the elements of
  /// the list that the event has to carry instead; nothing if it passes unchanged. Valid until the next call.
  [[nodiscard]] std::optional<std::string_view> hold(choice_state& one, std::string_view list);

  /// Returns the elements of a list for a choice that has settled: those held, those of `list` (the value in
  /// the event; may be empty), and ours if `with_ours` is set. Nothing if there is nothing to send, or if
  /// `list` is complete as it is. Call note_sent() when they have been sent. Valid until the next call.
  [[nodiscard]] std::optional<std::string_view> merge(const choice_state& one, std::string_view list,
                                                      bool with_ours);
  /// The elements of the last merge() for the choice have been sent, or its list passes unchanged.
  void note_sent(choice_state& one);

 private:
  bool parse(std::string_view list);
  void append_ours(const choice_state& one);
  bool append_theirs(const choice_state& one, std::string_view list);
  bool append_converted(const answer& text, json_value element);

  const session_options* options_;
  document* reader_;
  std::string list_;             ///< the result
  std::string ours_;             ///< our elements of it
  std::string json_;             ///< reused
  std::string url_;              ///< reused
  std::set<std::string> pages_;  ///< normalized URLs of the result
  std::set<std::string> our_pages_;
  std::set<std::string> seen_;  ///< the provider's elements of the result: normalized URL and positions
};

}  // namespace citestream
