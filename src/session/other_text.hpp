/// \file
/// Text next to the answer that clients may show: refusals, or a `message` next to the `delta`. If egress is
/// on, each such text passes through an egress stage of its own (sent_text.hpp). It is not changed otherwise.
#pragma once

#include <citestream/cite/citations.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>
#include <citestream/session/session.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "event_adder.hpp"
#include "event_template.hpp"
#include "kept_events.hpp"
#include "rewrite/splice.hpp"
#include "sent_text.hpp"

namespace citestream {

/// One such text of one choice.
struct other_text {
  other_text(const session_options& options, std::uint32_t number, other_text_place where)
      : choice(number), place(where), guard(options) {}

  /// Starts another text after the last one has ended. URLs of the references `known` are allowed in it.
  void begin(const citations& known);

  std::uint32_t choice;
  other_text_place place;
  sent_text guard;
  event_template shape;  ///< unusable if each event contains the whole text
  bool begun{};
};

/// All such texts of one stream or body.
class other_texts {
 public:
  /// \param kept  stores the templates
  other_texts(const session_options& options, kept_events& kept, event_adder& adder) noexcept
      : options_(&options), kept_(&kept), adder_(&adder) {}

  /// Rewrites one such text in a payload. `known`: the references of its choice; `item`: null for a body.
  void take(const other_text_event& found, const citations& known, const frame* item, splicer& edits,
            event_output& out);
  /// Sends text that is held back in events of our own.
  void release(event_output& out);
  /// Adds a reference of one choice, or of all.
  void add_reference(const reference& ref, std::optional<std::uint32_t> choice);
  /// Passes a complete text of a payload through the egress stage if egress is on, and replaces it at
  /// `token`. Its URLs are recorded unless there are more texts than limits::max_choices.
  void guard(const std::optional<byte_range>& token, std::string_view text, std::uint32_t choice,
             const citations& known, splicer& edits);
  /// A template for an event without text, or null.
  [[nodiscard]] event_template* any_template() noexcept;

  /// Number of blocked URLs and tags recorded in the other texts of a choice.
  [[nodiscard]] std::uint64_t found(std::uint32_t choice) const noexcept;
  [[nodiscard]] std::span<const std::unique_ptr<other_text>> all() const noexcept { return all_; }
  /// Adds the counts of all texts.
  void add_to(session_statistics& counts) const noexcept;
  void reset() noexcept { all_.clear(); }

 private:
  [[nodiscard]] other_text* find(std::uint32_t choice, other_text_place place) const noexcept;
  other_text& add(std::uint32_t choice, other_text_place place, const citations& known);

  const session_options* options_;
  kept_events* kept_;
  event_adder* adder_;
  std::vector<std::unique_ptr<other_text>> all_;
};

}  // namespace citestream
