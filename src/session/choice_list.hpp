/// \file
/// The choices of a stream, in order of first appearance, and the references that belong to all of them.
#pragma once

#include <citestream/cite/citations.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "active_grammars.hpp"
#include "choice.hpp"

namespace citestream {

/// The choices of one stream. Reusable; keeps the memory of its choices.
class choice_list {
 public:
  /// \param options  must outlive the list
  explicit choice_list(const session_options& options);

  /// The choice with this number, or null.
  [[nodiscard]] choice_state* find(std::uint32_t number) noexcept {
    const bool in_place = number < count_ && choices_[number]->number == number;  // the usual case
    return in_place ? choices_[number].get() : search(number);
  }
  /// The choice with this number, which is added if it is new; null if there are too many.
  choice_state* open(std::uint32_t number, const dialect& spec) {
    choice_state* const known = find(number);
    return known != nullptr ? known : add_new(number, spec);
  }
  /// Adds the choices of an event's texts and citations, if they are new. Their text is read with the
  /// grammars of `spec`. Returns false if there are more than `max_choices`; the additional ones are ignored.
  bool open(const dialect_event& content, const dialect& spec) {
    bool room = true;
    for (const choice_event& found : content.choices) {
      choice_state* const choice = open(found.choice, spec);
      if (choice != nullptr) choice->name_unit(found.unit);
      room = choice != nullptr && room;
    }
    for (const native_citation& found : content.natives) room = open(found.choice, spec) != nullptr && room;
    return room;
  }
  /// The references that a new choice would have.
  [[nodiscard]] citations initial_references() const;
  /// Adds a reference of one choice, or of all.
  void add_reference(const found_reference& found);
  /// Keeps the citations of the provider in an event until their texts have ended.
  void keep_natives(const dialect_event& content);
  /// Reopens settled choices: the server sends another answer in the same stream
  /// (stream_rules::joins_answers).
  void reopen() noexcept;
  /// Returns true if the records of a choice have changed since they were sent.
  [[nodiscard]] bool any_unsent_record() const noexcept {
    return std::ranges::any_of(all(), [](const auto& one) { return one->unsent.record; });
  }
  /// The records of all choices have been sent.
  void note_records_sent() noexcept {
    for (const auto& one : all()) one->unsent.record = false;
  }
  /// Returns true if a reference was dropped because of a limit.
  [[nodiscard]] bool dropped_references() const noexcept;
  /// Makes the open choices use the grammars and the style of `spec`. If these differ, the choices must have
  /// no text yet, and their templates must be made.
  void switch_to(const dialect& spec);

  [[nodiscard]] const limits& bounds() const noexcept { return options_->bounds; }
  [[nodiscard]] std::span<const std::unique_ptr<choice_state>> all() const noexcept {
    return {choices_.data(), count_};
  }
  /// Adds the counts of all choices.
  void add_to(session_statistics& counts) const noexcept;
  void reset() noexcept;

 private:
  [[nodiscard]] choice_state* search(std::uint32_t number) noexcept;
  choice_state* add_new(std::uint32_t number, const dialect& spec);
  template <typename Target>
  void add_known(Target& to) const;
  [[nodiscard]] std::vector<std::uint32_t>::const_iterator place_of(std::uint32_t number) const noexcept;

  const session_options* options_;
  bool given_;        ///< references were given beforehand: see cites_given()
  citations shared_;  ///< references that the stream sent for all choices
  std::vector<std::unique_ptr<choice_state>> choices_;  ///< the first `count_` are in use
  std::size_t count_{};
  std::vector<std::uint32_t> by_number_;  ///< indices into `choices_`, sorted by number
};

}  // namespace citestream
