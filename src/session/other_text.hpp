// Texts besides the answer's that clients may show all the same: refusals, a message beside the delta. With
// the egress guard on each passes through a guard of its own; nothing else is done to them.
#pragma once

#include <citestream/cite/citations.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_edits.hpp"
#include "egress/egress_stage.hpp"
#include "event_adder.hpp"
#include "event_template.hpp"
#include "rewrite/splice.hpp"

namespace citestream {

// One of them in the payloads of a stream, or of a body.
struct other_text {
  other_text(const session_options& options, std::uint32_t number, beside_place where)
      : choice(number),
        place(where),
        guard(options.egress, options.egress_on_code, options.egress_allowed, options.bounds) {}

  // A whole text has ended: the next one begins. `known`: the references of its choice, which may be named.
  void begin(const citations& known);

  std::uint32_t choice;
  beside_place place;
  egress_stage guard;
  text_edits edits;      // what the guard does to the text
  event_template shape;  // unusable if each event holds all of the text
  bool begun{};
  std::string released;  // reused
  std::string json;      // reused
};

class other_texts {
 public:
  explicit other_texts(const session_options& options) noexcept : options_(&options) {}

  // Rewrites one such text of a payload. `known`: see other_text::begin(); `item`: null for a body.
  void take(const text_beside& found, const citations& known, std::string_view payload, const sse_item* item,
            splicer& edits, event_adder& adder, event_output& out);
  // Sends what is held back in events of their own.
  void release(event_adder& adder, event_output& out);
  // A reference has come for a choice, or for all.
  void know(const reference& ref, std::optional<std::uint32_t> choice);
  // What `text`, all of such a text, is sent as. Valid until the next call for the same choice.
  std::string_view guarded(std::uint32_t choice, std::string_view text, const citations& known);
  // A template that an event without text can be made from; null: there is none.
  [[nodiscard]] event_template* any_template() noexcept;

  // How much was found in the texts besides a choice's answer.
  [[nodiscard]] std::uint64_t found(std::uint32_t choice) const noexcept;
  [[nodiscard]] std::span<const std::unique_ptr<other_text>> all() const noexcept { return all_; }
  void reset() noexcept { all_.clear(); }

 private:
  other_text& at(std::uint32_t choice, beside_place place, const citations& known);
  other_text* find(const text_beside& found, const citations& known);

  const session_options* options_;
  std::vector<std::unique_ptr<other_text>> all_;
};

}  // namespace citestream
