// A stream under way: what each event does to the choices, and what leaves for it.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/rewrite/splice.hpp>
#include <citestream/session/session.hpp>
#include <citestream/sse/decoder.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "additions.hpp"
#include "choice.hpp"
#include "event_queue.hpp"

namespace citestream {

class stream {
 public:
  explicit stream(session_options options);

  status write(std::string_view bytes, std::string& out);
  status finish(std::string& out, stream_end how, std::string_view message, std::string_view code);
  status rewrite_body(std::string_view body, std::string& out);
  void reset() noexcept;

  session_options options;
  event_queue events;
  session_statistics counts;
  const dialect* spoken{};                             // recognised, or chosen
  std::vector<std::unique_ptr<choice_state>> choices;  // the first `choice_count` are in use
  std::size_t choice_count{};

 private:
  void take(const sse_item& item, std::string& out);
  void take_event(const sse_item& item, std::string& out);
  bool read(std::string_view payload, payload_kind kind);
  bool reads_as(const dialect& candidate, payload_kind kind);
  void pass_unread(const sse_item& item, std::string& out);
  void take_payload(const sse_item& item, std::string& out);
  bool open_choices();
  void take_references();
  void take_choice(const sse_item& item, const choice_event& found, std::string& out);
  void place_text(std::string_view payload, const choice_event& found, choice_state& one, std::string& out);
  bool settle_choices();
  void add_citations(std::string_view payload);

  choice_state* find(std::uint32_t choice) noexcept;
  void settle(choice_state& one);
  void release(choice_state& one, std::string& out);
  void release_all(std::string& out);
  void close_all(std::string& out);
  void finish_text(choice_state& one);
  [[nodiscard]] bool wants_addition(const choice_state& one) const noexcept;
  [[nodiscard]] bool incomplete(stream_end how) const noexcept;
  void end_line(std::string& out) const;

  sse_decoder decoder_;
  document payload_;
  dialect_event read_;
  splicer edits_;
  addition_writer additions_;
  std::vector<reference> shared_;  // references that count for every choice
  std::string released_;           // text that the current delta or end released
  std::string json_;
  std::string tail_;  // an event that the end of the stream cut off
  status error_;
  bool stream_references_{};  // `shared_` holds some that the stream brought
  bool passing_oversize_{};
  bool done_{};     // `[DONE]` has come
  bool errored_{};  // an error has been reported in the stream
  bool unended_{};  // the last event that left lacks its blank line
  bool finished_{};
};

}  // namespace citestream
