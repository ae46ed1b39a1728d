// The choices of a stream, in order of first appearance, and the references that count for all of them.
#pragma once

#include <citestream/cite/citations.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "choice.hpp"

namespace citestream {

class choice_list {
 public:
  // `options`: outlives it; its grammars are set to those of the dialect, if none were chosen.
  explicit choice_list(session_options& options);

  // Null: there is none with that number.
  [[nodiscard]] choice_state* find(std::uint32_t number) noexcept {
    const bool in_place = number < count_ && choices_[number]->choice == number;  // mostly
    return in_place ? choices_[number].get() : search(number);
  }
  // Adds those of an event that are new; their texts are read with the grammars of `by`. \return whether
  // there is room: beyond `max_choices` they are not followed.
  bool open(const dialect_event& content, const dialect& by) {
    for (const choice_event& found : content.choices) {
      if (find(found.choice) == nullptr) return add_all(content, by);
    }
    return true;
  }
  // A reference has come for a choice, or for all.
  void know(const found_reference& found);
  // Whether one was dropped.
  [[nodiscard]] bool dropped_references() const noexcept;
  // The choices so far, which have no text yet, are read with the grammars of `by`. Their templates are made.
  void read_as(const dialect& by);

  [[nodiscard]] std::span<const std::unique_ptr<choice_state>> all() const noexcept {
    return {choices_.data(), count_};
  }
  void reset() noexcept;

 private:
  [[nodiscard]] choice_state* search(std::uint32_t number) noexcept;
  bool add_all(const dialect_event& content, const dialect& by);
  choice_state& add(std::uint32_t number, const dialect& by);
  std::unique_ptr<choice_state> make(std::uint32_t number, const dialect& by);

  session_options* options_;
  bool grammars_chosen_;
  bool given_;        // references were, beforehand: see cites_given()
  citations shared_;  // holds the references that the stream brought for every choice
  std::vector<std::unique_ptr<choice_state>> choices_;  // the first `count_` are in use
  std::size_t count_{};
  std::vector<std::uint32_t> by_number_;  // places in `choices_`, by the choices' numbers
};

}  // namespace citestream
