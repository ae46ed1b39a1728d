/// \file
/// Rewrites the parts of events that are about whole texts: repeats of a text, the provider's annotations
/// with positions in it, and our annotations next to them.
#pragma once

#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

#include "choice.hpp"
#include "choice_list.hpp"
#include "event_adder.hpp"
#include "other_text.hpp"
#include "own_annotations.hpp"
#include "rewrite/event_output.hpp"
#include "rewrite/splice.hpp"

namespace citestream {

/// Rewrites the repeats and annotations of one stream or body. The state of each text is in its choice_text.
class unit_rewriter {
 public:
  unit_rewriter(const session_options& options, const addition_writer& additions, other_texts& others,
                event_adder& adder, session_statistics& counts) noexcept
      : options_(&options), others_(&others), adder_(&adder), counts_(&counts), ours_(options, additions) {}

  void reset() noexcept {
    next_number_ = sent_ = 0;
    annotated_ = false;
    ours_.reset();
  }
  /// The current text of a choice has ended: sends our annotations of it, as events. `item_id`: of its output
  /// item, as JSON; empty if it has none.
  void annotate(std::string_view item_id, choice_state& choice, event_output& out);

  /// No text of this event can be sent now: sends a citation of ours instead of it, if one is due. Returns
  /// false if the event has to be sent.
  [[nodiscard]] bool replace_text(const event_reading& one, choice_state& choice, event_output& out);

  /// Returns true if a repeat is the text itself, because no event has sent any of it. \p choice: null before
  /// the first text.
  [[nodiscard]] static bool is_first(const text_repeat& found, choice_state* choice);
  /// An event or a body has the text itself, which has ended: collects our annotations of it.
  void note_whole(const dialect_event& content, const text_repeat& found, choice_state& choice);
  /// A body has the text itself, which has ended: rewrites its annotations and adds ours.
  void rewrite_whole(text_unit id, choice_state& choice, event_edit& edit);
  /// Rewrites repeats of all texts joined (\ref all_texts).
  void rewrite_joined(choice_state& choice, event_edit& edit);
  /// Egress: makes repeats and quotes inert that precede the first text of their choice.
  void guard_first(choice_list& choices, event_edit& edit);
  /// Rewrites the repeats of whole texts in an event of a stream, and the annotations of them. Adds our
  /// annotations of the texts that it ends.
  void rewrite_event(const dialect_event& content, choice_list& choices, splicer& edits, event_output& out);
  /// Rewrites the repeats and annotations of one choice.
  void rewrite(choice_state& choice, event_edit& edit);

 private:
  /// Rewrites the number of an annotation, if some of ours were sent before it.
  void renumber(choice_list& choices, event_edit& edit);
  [[nodiscard]] std::uint64_t sent_before(const dialect_event& content, choice_list& choices) const;
  void rewrite_repeat(const text_repeat& found, choice_state& choice, event_edit& edit);
  void rewrite_all(const text_repeat& found, const choice_state& choice, splicer& edits);
  void guard(const std::optional<byte_range>& token, std::string_view text, const choice_state& choice,
             splicer& edits);
  void note_unconverted(const std::optional<byte_range>& token, std::string_view text,
                        const choice_state& choice, splicer& edits);
  void convert_in_place(const native_annotation& found, const choice_state& choice, choice_text& text,
                        splicer& edits);
  void convert_span(const native_annotation& found, unit_annotations::span received,
                    const choice_state& choice, choice_text& text, splicer& edits);

  const session_options* options_;
  other_texts* others_;
  event_adder* adder_;
  session_statistics* counts_;
  annotation_collector ours_;
  std::uint64_t next_number_{};  ///< of the provider's annotations, if they are numbered over all texts
  std::uint64_t sent_{};         ///< number of our annotations sent as events
  bool annotated_{};             ///< the provider has annotated text, or one of its search tools has run
};

}  // namespace citestream
