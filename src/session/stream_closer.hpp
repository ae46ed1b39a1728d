// What is sent where a stream pauses, breaks off or ends.
//
// - An event without text or references, or one that cannot be read, must not be overtaken: what is held back
//   is sent before it (release).
// - The answer is complete (`[DONE]`, or the end after every choice has its finish): citations are resolved,
//   and what is left of texts, lists, annotations and records is sent in events of their own (close).
// - The stream broke off: what is held back is sent, and the list of what was cited. Citations are not
//   resolved and no record is added, as the answer is not known (break_off).
#pragma once

#include <citestream/session/session.hpp>

#include <string>

#include "additions.hpp"
#include "choice_list.hpp"
#include "choice_rewriter.hpp"
#include "event_adder.hpp"
#include "event_output.hpp"
#include "other_text.hpp"

namespace citestream {

class stream_closer {
 public:
  stream_closer(choice_list& choices, choice_rewriter& texts, other_texts& others, addition_writer& additions,
                event_adder& adder) noexcept
      : choices_(&choices), texts_(&texts), others_(&others), additions_(&additions), adder_(&adder) {}

  void release(event_output& out);
  void close(event_output& out);
  void break_off(event_output& out);

  // Whether a choice whose end the dialect says has not ended.
  [[nodiscard]] bool lacks_finish() const noexcept;

 private:
  void close(choice_state& one);
  [[nodiscard]] bool has_rest(const choice_state& one);
  void send_rest(choice_state& one, bool with_records, event_output& out);

  choice_list* choices_;
  choice_rewriter* texts_;
  other_texts* others_;
  addition_writer* additions_;
  event_adder* adder_;
  std::string released_;  // reused within each function
};

}  // namespace citestream
