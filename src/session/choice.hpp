/// \file
/// The state of one choice of a stream.
#pragma once

#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "answer_stages.hpp"
#include "choice_template.hpp"
#include "choice_text.hpp"
#include "native_citations.hpp"
#include "text_order.hpp"

namespace citestream {

/// Whether a choice has ended.
enum class choice_phase : std::uint8_t {
  open,
  finished,  ///< its finish event was received
  settled,   ///< its citations are resolved
};

/// Whether our list of annotations of a choice has been sent.
enum class annotation_state : std::uint8_t {
  none,
  due,  ///< to be sent in the next event with a place for it
  sent,
};

/// The annotations of a choice, until its list has been sent.
struct choice_annotations {
  annotation_state state{annotation_state::none};
  std::string held;              ///< the provider's, comma-separated, with positions in the received text
  std::set<std::string> places;  ///< pages and positions of those, each once
  std::set<std::string> pages;   ///< normalized URLs of the annotations sent so far

  /// Annotations of these pages have been sent. Pages over `max_bytes` in all are not remembered.
  void note_sent(const std::set<std::string>& sent, std::size_t max_bytes);

 private:
  std::size_t page_bytes_{};
};

/// Counts of citations of a choice, by status.
struct citation_tally {
  std::size_t counted{};  ///< number of citations counted so far
  std::uint64_t resolved{};
  std::uint64_t unresolved{};
  std::size_t natives_counted{};  ///< number of citations of the provider counted so far
  std::size_t uncited{};          ///< references that nothing cites, as in the records
  verdict_counts verdicts{};
};

/// What an event of a choice still has to carry.
struct unsent_content {
  bool record{};     ///< settled, but no event has carried its records yet
  std::string text;  ///< the rest of the text, for its last event
};

/// What has been reported as typed events.
struct reported_content {
  text_order text;
  std::string finish_reason;
};

/// What a choice still expects of the stream.
struct expected_content {
  bool end{true};         ///< the dialect reports the end of a choice
  bool references{true};  ///< none have arrived, and none were known before the answer
};

/// The state of one choice.
struct choice_state {
  choice_state(std::uint32_t index, const session_options& options, const dialect& spec)
      : number(index), answer(options, &spec, options.check) {
    set_dialect(spec);
  }

  /// Reuses the object and its memory for another choice. \p spec must be used_alike() with the present
  /// dialect.
  void restart(std::uint32_t index, const dialect& spec) noexcept;
  void set_dialect(const dialect& spec) {
    read_as = &spec;
    if (spec.stream.cites_places) answer.keep_places();
    answer.set_path(units.current.path(spec));
  }
  /// Counts the citations that were resolved since the last call.
  void count_resolved() noexcept;
  /// Moves these citations from `unresolved` to `resolved`.
  void count_late(std::span<const std::uint32_t> late) noexcept;
  /// Starts the text of \p mark, or continues it if it is an earlier one. Call answer_stages::finish()
  /// or answer_stages::interrupt() first.
  void begin_unit(const unit_mark& mark);
  /// Sets the name of the first text if its id equals the initial id, in which case begin_unit() is not
  /// called.
  void name_unit(const unit_mark& mark);
  /// Returns true if any of the current text has been received.
  [[nodiscard]] bool has_text() const noexcept {
    return units.current.continued() || answer.texts().received_end() != units.current.start.received;
  }
  /// The end, in the received text, of what is not held back of the current text.
  [[nodiscard]] text_offset decided_end() const {
    const indexed_text& all = units.current.repeats.received();
    const std::size_t size = all.text().size();
    return all.offset_at(size - std::min(answer.held(), size));
  }
  /// Where the last part of a text ends. The current text ends where more of it would continue.
  [[nodiscard]] text_place end_of(const choice_text& text) const noexcept {
    return &text == &units.current ? text_place{answer.texts().received_end(), answer.texts().sent_end()}
                                   : text.end;
  }
  /// Returns false if no more of the current text can be sent: it has ended, or it follows another text and
  /// has not begun.
  [[nodiscard]] bool accepts_text() const noexcept;

  std::uint32_t number;  ///< its `index` in the payloads
  choice_phase phase{choice_phase::open};
  expected_content expects;
  const dialect* read_as{};  ///< the dialect of the stream: decides the form of our citations and records
  answer_stages answer;
  choice_template last_event;
  choice_annotations annotations;
  native_citations natives;
  choice_texts units;
  unsent_content unsent;
  citation_tally tally;
  reported_content reported;
};

}  // namespace citestream
