/// \file
/// Rewrites the text of one choice in an event: passes it through the answer and writes back what can be
/// sent.
#pragma once

#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "additions.hpp"
#include "choice.hpp"
#include "event_queue.hpp"
#include "other_text.hpp"
#include "rewrite/splice.hpp"

namespace citestream {

/// Returns true if the payload has a place for text of the choice.
[[nodiscard]] inline bool has_place(const choice_event& found) noexcept {
  return found.slot != text_slot::none && (found.slot != text_slot::absent || found.holder.object);
}

/// Returns true if the text is in the place of its repeat: the payload has nothing else of the choice.
[[nodiscard]] inline bool is_own_repeat(const choice_event& found) noexcept {
  return found.slot == text_slot::string && found.mirror.token && *found.mirror.token == found.token;
}

/// Returns true if the payload repeats all text of the choice so far.
[[nodiscard]] inline bool repeats_all(const choice_event& found) noexcept {
  return found.mirror.accumulates && found.mirror.token;
}

/// The text of a choice that can be sent now.
struct released_text {
  std::string_view text;
  bool unchanged{};  ///< it is exactly the text of the event
};

/// Writes `released` to the place of a text in the payload. Returns false if there is text to write but no
/// place for it.
[[nodiscard]] bool place_text(const choice_event& found, const released_text& released, splicer& edits);

/// Rewrites the texts of one stream. The state of each choice is in its choice_state.
class choice_rewriter {
 public:
  choice_rewriter(const session_options& options, const addition_writer& additions, other_texts& others,
                  event_queue& events, session_statistics& counts) noexcept
      : options_(&options), additions_(&additions), others_(&others), events_(&events), counts_(&counts) {
    const auto plain = [](const reference& ref) { return ref.requested && ref.span; };
    quotable_ = std::ranges::any_of(options.references, plain);
  }

  /// Takes the content of an event for this choice. Returns the text that can be sent now. If this is exactly
  /// the received text, it is not copied. Otherwise it is in `buffer`, which must be empty.
  [[nodiscard]] released_text take(const choice_event& found, const dialect_event& content,
                                   choice_state& choice, std::string& buffer) {
    choice.expects.end = found.end.expected;
    // Most providers repeat the text only in the last event, so the text is not kept while it streams: see
    // start_repeats().
    const bool keeps =
        found.keeps_text || found.mirror.accumulates || (quotable_ && choice.read_as->own.quotes_requests);
    const bool late = found.end.here && choice.last_event.usable() && !is_own_repeat(found);
    repeated_text& repeats = choice.units.current.repeats;
    if (keeps && !late && !repeats.on() && may_be_repeated(choice)) {
      repeats.start();
      choice.answer.keep_places();
    }
    if (repeats.on() && may_keep(found.text, repeats)) repeats.receive(found.text);
    const bool text_alone = found.slot == text_slot::string && found.cited.begin == found.cited.end;
    if (!text_alone || found.unit.ends || found.unit.pauses || found.end.here) {
      take_rest(found, content, choice, buffer);
      return {buffer, false};
    }
    const bool unchanged = choice.answer.pass(found.text, buffer);
    const std::string_view sent = unchanged ? found.text : buffer;
    count_delta(choice, sent);
    return {sent, unchanged};
  }
  /// Takes a text that its payload has completely, and writes it there. A choice that ends with it is
  /// settled.
  void take_whole(const choice_event& found, const dialect_event& content, choice_state& choice,
                  splicer& edits);
  /// Takes the text of an event that differs from the previous one only in its text. The previous one was
  /// sent unchanged. Returns false, and takes nothing, if this one may have to be changed.
  [[nodiscard]] bool take_unchanged(const choice_event& found, choice_state& choice) {
    if (!choice.answer.pass_plain(found.text)) return false;
    repeated_text& repeats = choice.units.current.repeats;
    if (repeats.on() && may_keep(found.text, repeats)) repeats.pass(found.text);
    count_delta(choice, found.text);
    return true;
  }
  /// Ends the text: appends what was held back.
  void finish_text(choice_state& choice, std::string& released);
  /// Sets the text aside: appends what egress held back. Returns its number, or nothing if it has to be ended
  /// instead.
  [[nodiscard]] std::optional<std::size_t> interrupt(choice_state& choice, std::string& released);

  /// Returns true if the choice has finished and no reference is missing that its citations may need.
  [[nodiscard]] bool can_settle(const choice_state& choice) const noexcept {
    const auto keyed = [&] { return options_->provenance && choice.answer.keyed_by_request(); };
    return choice.phase == choice_phase::finished && (!choice.expects.references || keyed());
  }
  /// Resolves the citations and appends the list of the style, unless end_unit() has already appended it.
  void settle(choice_state& choice, std::string& released);
  /// Adds the citations of the provider that arrived after the choice was settled, and resolves citations
  /// whose references arrived only then. Call once, at the end of the stream: a record after each of many
  /// such events would be quadratic output.
  void add_late(choice_state& choice);
  /// Ends one of several texts: appends its held text and the style's list. The choice continues.
  void end_unit(choice_state& choice, std::string& released);
  /// Appends the list that the style prints after the text, if it prints one. Call after the last citation.
  void list_references(choice_state& choice, std::string& released);

  /// Notes the text that is sent in the place of the choice's text, for later repeats of it.
  static void note_sent(const choice_event& found, choice_state& choice, std::string_view released) {
    repeated_text& repeats = choice.units.current.repeats;
    if (repeats.on() && has_place(found)) repeats.send(released);
  }
  /// Returns true if the event may have to be changed, because `released` may differ from its text or because
  /// it repeats other text.
  [[nodiscard]] static bool changes(const choice_event& found, const released_text& released) noexcept {
    return !released.unchanged || repeats_all(found);
  }
  /// Replaces a repeat of all text received so far by all text sent so far. \p same_if_same_size: the repeat
  /// is known to be equal to the received text if both have the same size.
  void place_mirror(const choice_event& found, bool same_if_same_size, choice_state& choice, splicer& edits);

 private:
  /// Returns false if no event or body can repeat the choice, because it has more text than the limit.
  [[nodiscard]] bool may_be_repeated(const choice_state& choice) const noexcept {
    return choice.answer.texts().received_end().utf8 <= options_->bounds.max_body_bytes;
  }
  /// Returns false if no event or body can repeat one text with \p more text. Its texts are then freed.
  [[nodiscard]] bool may_keep(std::string_view more, repeated_text& all) const noexcept {
    if (all.received().text().size() + more.size() <= options_->bounds.max_body_bytes) return true;
    all.give_up();
    return false;
  }
  void start_repeats(std::string_view all, choice_state& choice) const;
  void take_rest(const choice_event& found, const dialect_event& content, choice_state& choice,
                 std::string& released);
  void take_cited(const choice_event& found, const dialect_event& content, choice_state& choice,
                  std::string& released);
  void finish(const choice_event& found, choice_state& choice, std::string& released);
  void count_delta(choice_state& choice, std::string_view sent) {
    if (events_->enabled()) events_->released(choice, counts_->deltas, sent);
    ++counts_->deltas;
  }

  const session_options* options_;
  const addition_writer* additions_;
  other_texts* others_;
  event_queue* events_;
  session_statistics* counts_;
  bool quotable_{};  ///< the request has documents that may be quoted
};

}  // namespace citestream
