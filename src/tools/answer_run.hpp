/// \file
/// Runs an input through the library and gives its typed events.
#pragma once

#include <citestream/session/session.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// Values of `filter --from`.
enum class input_form : std::uint8_t { automatic, sse, ndjson, array, eventstream, deltas, json, text };

/// Returns true if an input of this form is the text of one answer.
[[nodiscard]] constexpr bool is_text(input_form form) noexcept {
  return form == input_form::text || form == input_form::deltas;
}

inline constexpr const char* unknown_format = "the format of the answer is unknown (see --dialect)";

/// Takes one event.
using event_taker = std::function<void(const session_event&)>;

/// Returns the text that an event adds to its choice; empty if it adds none.
[[nodiscard]] inline std::string_view added_text(const session_event& event) noexcept {
  return event.type == session_event_type::text ? event.text : std::string_view();
}

/// The answer or answers of one input.
class answer_run {
 public:
  virtual ~answer_run() = default;
  /// Processes \p bytes, or the text of one delta, and passes the events that are complete to \p take.
  virtual void write(std::string_view bytes, const event_taker& take) = 0;
  /// Ends the input. \return the error in the input, or an empty string
  [[nodiscard]] virtual std::string finish(const event_taker& take) = 0;
  /// Returns why a run without errors found no answer. Empty if there is an answer or the input was empty.
  [[nodiscard]] virtual std::string no_answer() const { return {}; }
  /// Returns true if a run that found no answer did so because the format of the input is unknown.
  [[nodiscard]] virtual bool unknown_form() const { return true; }
  /// See pipeline::notice().
  [[nodiscard]] virtual std::string notice() { return {}; }
  /// Adds a reference that follows what was written. For text and deltas.
  virtual void add_reference(const reference&) {}
  /// Returns the citations of a choice; null if the answer does not have it.
  [[nodiscard]] virtual const citations* cites(std::uint32_t choice) const = 0;
  /// Returns what egress recorded of a choice for which cites() is not null.
  [[nodiscard]] virtual std::span<const egress_record> egress(std::uint32_t choice) const = 0;
  [[nodiscard]] virtual session_statistics statistics() const = 0;
};

/// Returns the run for an input of this form; for `automatic`, that of a stream.
/// \param any_bytes  do not replace invalid UTF-8 in text
[[nodiscard]] std::unique_ptr<answer_run> make_run(const session_options& options, input_form form,
                                                   bool any_bytes = false);

}  // namespace citestream::tools
