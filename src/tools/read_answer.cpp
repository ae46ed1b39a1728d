// How an answer is read: form_of() detects its form. Plain text is run through one `answer`, a stream or a
// body through one `session`. A recording is passed in its recorded pieces. The whole input is in memory.
#include "read_answer.hpp"

#include <citestream/session/answer.hpp>
#include <citestream/session/session.hpp>

#include <map>
#include <utility>

#include "byte_input.hpp"
#include "commands.hpp"
#include "replay/input_start.hpp"
#include "replay/recording.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

/// Detects the form of an input. A file whose name is that of JSON is not text.
answer_form form_of(const std::string& file, std::string_view bytes) {
  if (file.ends_with(".sse") || file.ends_with(".eventstream")) return answer_form::stream;
  const bool json = file.ends_with(".json") || file.ends_with(".jsonl");
  switch (input_start::kind_of(file, bytes)) {
    case input_kind::body:
      return answer_form::body;
    case input_kind::other_array:
    case input_kind::text:
      return json ? answer_form::body : answer_form::text;
    default:
      return answer_form::stream;
  }
}

void read_text(std::string_view bytes, session_options options, const choice_taker& take) {
  if (options.grammars.empty()) {
    for (const std::string_view each : {"link", "numeric", "source", "ref"}) {
      options.grammars.push_back(find_grammar(each));
    }
  }
  answer one(options);
  for (const reference& ref : options.references) one.add_reference(ref);
  std::string text;
  one.push(valid_utf8(bytes), text);
  one.finish(text);
  one.resolve();
  take(text, one.cites());
}

/// A stream or a body that runs through a session.
class session_reading {
 public:
  explicit session_reading(const session_options& options) : run_(options) {}

  void read_stream(const std::string& name, const std::string& bytes) {
    recording_error error;
    const auto recorded = parse_recording(name, bytes, error);
    if (!recorded) throw command_error(error.text());
    for (const recording_piece& piece : recorded->pieces()) {
      (void)run_.write(piece.bytes, rewritten_);
      drain(recorded->timed() ? std::optional(piece.seconds) : std::nullopt);
    }
    error_ = run_.finish(rewritten_);
    drain(std::nullopt);
  }

  void read_body(const std::string& bytes) {
    error_ = run_.rewrite_body(bytes, rewritten_);
    drain(std::nullopt);
  }

  answer_reading finish(const choice_taker& take) {
    const citations none;
    for (const auto& [number, parts] : choices_) {
      const citations* found = &none;
      for (std::size_t place = 0; place < run_.choices(); ++place) {
        if (&run_.cites(place) == parts.second) found = parts.second;
      }
      take(parts.first, *found);
    }
    return {why(), choices_.empty(), run_.statistics().held_max, first_text_seconds_};
  }

 private:
  void drain(std::optional<double> seconds) {
    for (session_event event; run_.next(event);) {
      auto& [text, cites] = choices_[event.choice];
      cites = event.cites;
      if (event.type != session_event_type::text) continue;
      if (!event.text.empty() && !first_text_seconds_) first_text_seconds_ = seconds;
      text += event.text;
    }
    rewritten_.clear();
  }

  [[nodiscard]] std::string why() const {
    if (choices_.empty()) return "no answer in a known format (see --dialect)";
    if (error_) return message_with_place(error_);
    return run_.upstream_error() ? "the stream reports an error" : "";
  }

  session run_;
  status error_;
  std::string rewritten_;
  std::map<std::uint32_t, std::pair<std::string, const citations*>> choices_;
  std::optional<double> first_text_seconds_;
};

}  // namespace

answer_reading read_answer(const answer_input& from, const std::string& bytes, const choice_taker& take) {
  session_options options = from.options;
  options.typed_events = true;
  const answer_form form = from.from == answer_form::automatic ? form_of(from.file, bytes) : from.from;
  if (form == answer_form::text) {
    read_text(bytes, std::move(options), take);
    return {};
  }
  session_reading reading(options);
  if (form == answer_form::body) {
    reading.read_body(bytes);
  } else {
    reading.read_stream(from.file, bytes);
  }
  return reading.finish(take);
}

}  // namespace citestream::tools
