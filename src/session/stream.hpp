// A stream under way: what each event does to the choices, and what leaves for it.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "additions.hpp"
#include "beside.hpp"
#include "choice.hpp"
#include "event_memory.hpp"
#include "event_queue.hpp"
#include "rewrite/splice.hpp"
#include "session_memory.hpp"
#include "sse/decoder.hpp"

namespace citestream {

// What takes the place of a text, or of what repeats it, in an event that an envelope matched.
struct text_change {
  byte_range where;
  std::string_view json;  // valid until the next event
};

class stream {
 public:
  // `shared`: may be null; used within calls only.
  stream(session_options given, session_memory* shared);
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  status write(std::string_view bytes, std::string& out);
  status finish(std::string& out, stream_end how, std::string_view message, std::string_view code);
  status rewrite_body(std::string_view body, std::string& out);
  void reset() noexcept;
  /// The last that the stream said is an error.
  [[nodiscard]] bool upstream_error() const noexcept { return errored_; }

  [[nodiscard]] const beside_texts& beside() const noexcept { return beside_; }

  session_options options;
  event_queue events;
  session_statistics counts;
  kept_events kept;                                    // before whoever has a share of one
  const dialect* spoken{};                             // recognised, or chosen
  std::vector<std::unique_ptr<choice_state>> choices;  // the first `choice_count` are in use
  std::size_t choice_count{};

 private:
  void take(const sse_item& item, std::string& out);
  void take_event(const sse_item& item, std::string& out);
  [[nodiscard]] bool take_enveloped(std::string& out);
  bool take_carried(std::string_view bytes, std::string& out);
  void replay_carried(std::size_t count, std::string& out);
  bool take_as_known(const sse_item& item, std::string& out);
  void take_known(learned_event& known, std::string_view raw, std::string_view& passing, std::string& out);
  void take_known_text(learned_event& known, std::size_t text, std::string_view raw);
  void keep_shape(const learned_event& known, std::size_t text, std::string_view raw);
  void hold_shape(choice_state& one);
  void settle_shape(choice_state& one);
  [[nodiscard]] bool dropped_references() const noexcept;
  void learn(const sse_item& item);
  void take_oversize(const sse_item& item, std::string& out);
  bool read(std::string_view payload, payload_kind kind, status& why);
  bool reads_as(const dialect& candidate, payload_kind kind, status& why);
  bool reads_anyhow(payload_kind kind, status& why);
  [[nodiscard]] bool may_turn_out(bool read) const noexcept;
  [[nodiscard]] bool may_become(const dialect& other) const noexcept;
  void speak(const dialect* recognised);
  void reopen_choices();
  choice_state& next_choice(std::uint32_t number);
  void pass_unread(const sse_item& item, status why, std::string& out);
  void pass_error(const sse_item& item, std::string& out);
  void take_payload(const sse_item& item, std::string& out);
  void open_choices();
  [[nodiscard]] bool guards() const noexcept { return options.egress != egress_mode::off; }
  void take_beside(std::string_view payload, const sse_item* item, std::string& out);
  static void pass_beside(const text_beside& found, beside_text& one, const citations& known);
  void place_beside(std::string_view payload, const text_beside& found, beside_text& one, std::string& out);
  void release_beside(std::string& out);
  void record_beside(std::string& out);
  [[nodiscard]] std::string_view guarded_mirror(const choice_state& one, std::string_view text);
  void take_references();
  void cite(choice_state& one, std::size_t begin, std::size_t end);
  void push_text(std::string_view text, choice_state& one);
  void push_text(const choice_event& found, choice_state& one);
  bool take_choice(const sse_item& item, const choice_event& found, choice_state& one, std::string& out);
  void place_text(std::string_view payload, const choice_event& found, choice_state& one, std::string& out);
  void place_mirror(const choice_event& found, choice_state& one);
  bool settle_choices(std::string& out);
  void add_citations(std::string_view payload);
  void add_annotations(std::string_view payload, const choice_event& found, choice_state& one);

  choice_state* find(std::uint32_t choice) noexcept;
  [[nodiscard]] bool can_settle(choice_state& one) const noexcept;
  void settle(choice_state& one);
  void list_sources(choice_state& one);
  void release(choice_state& one, std::string& out);
  void release_all(std::string& out);
  void break_off(std::string& out);
  void close(choice_state& one);
  void close_all(std::string& out);
  [[nodiscard]] bool has_rest(const choice_state& one);
  void finish_text(choice_state& one);
  void finish_choice(const choice_event& found, choice_state& one);
  void keep_like(const sse_item& item, const choice_event& found, choice_state& one);
  [[nodiscard]] bool too_many_choices() const noexcept;
  [[nodiscard]] bool is_fragment(const sse_item& item);
  [[nodiscard]] bool incomplete(stream_end how, bool cut_off) const noexcept;
  void add_event(choice_state& one, event_content content, std::string& out);
  void add_event(event_template& shape, const event_content& content, std::string& out);
  void note_open(std::string_view raw);
  void end_block(std::string& out);

  std::vector<std::uint32_t> by_number_;  // places in `choices`, by the choices' numbers
  event_memory memory_;
  std::vector<choice_state*> learners_;  // reused
  const char* tried_{};                  // the bytes of an event that no envelope matched
  bool grammars_by_dialect_;             // none were chosen
  bool given_;                           // references were, beforehand: see cites_given()
  const dialect* grammars_of_{};         // whose grammars texts are read with
  sse_decoder decoder_;
  std::string carried_;                  // the start of an event that a read cut, put off by the decoder
  std::unique_ptr<session_memory> own_;  // where none is shared
  session_memory& space_;
  document& payload_;
  document& shape_;  // reads the events remembered
  dialect_event& read_;
  splicer& edits_;
  std::vector<text_change> changes_;  // reused
  beside_texts beside_;
  addition_writer additions_;
  citations shared_;      // holds the references that the stream brought for every choice
  std::string released_;  // text that the current delta or end released
  std::string json_;
  std::string open_;    // the last bytes, at most four, that left of a block whose blank line has not left
  status error_;        // the last one of this call
  status oversize_;     // the last block over the bound
  bool texts_begun_{};  // some choice has text: what it cites with is settled
  bool done_{};         // `[DONE]` has come
  bool errored_{};      // the last that the stream said is an error
  bool finished_{};
};

}  // namespace citestream
