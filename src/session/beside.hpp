// Texts that are none of the answer's and that clients may show all the same: refusals, a message beside the
// delta. Where the egress guard is on each passes it, alone; nothing else is done to them.
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

#include "choice.hpp"
#include "egress/guard.hpp"

namespace citestream {

// One of them in the payloads of a stream, or of a body.
struct beside_text {
  beside_text(const session_options& options, std::uint32_t number, beside_place stands)
      : choice(number), place(stands), guard(options.egress, options.egress_allowed, options.bounds) {}

  // A whole text has come to its end: the next one begins. `known`: of its choice, what may leave.
  void begin(const citations& known);

  std::uint32_t choice;
  beside_place place;
  egress_guard guard;
  event_template
      shape;  // of an event that carries what is withheld; unusable where all of the text is in one
  bool begun{};
  std::string released;  // reused
  std::string json;      // reused
};

class beside_texts {
 public:
  explicit beside_texts(const session_options& options) noexcept : options_(&options) {}

  // The text in that place; made where there is none. `known`: see beside_text::begin().
  beside_text& at(std::uint32_t choice, beside_place place, const citations& known);
  // The text that `found` goes on with; null where none has begun and this does not.
  beside_text* find(const text_beside& found, const citations& known);
  // A reference has come for a choice, or for all.
  void know(const reference& ref, std::optional<std::uint32_t> choice);
  // What `text`, all of such a text, leaves as. Valid until the next call for the same choice.
  std::string_view guarded(std::uint32_t choice, std::string_view text, const citations& known);

  // How much was found in the texts beside a choice's answer.
  [[nodiscard]] std::uint64_t found(std::uint32_t choice) const noexcept;
  [[nodiscard]] std::span<const std::unique_ptr<beside_text>> all() const noexcept { return all_; }
  void reset() noexcept { all_.clear(); }

 private:
  const session_options* options_;
  std::vector<std::unique_ptr<beside_text>> all_;
};

}  // namespace citestream
