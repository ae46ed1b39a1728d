// How an answer is read: form_of() detects its form. Plain text is run through one `answer`, a stream or a
// body through one `session`. A recording is passed in its recorded pieces. The whole input is in memory.
#include "read_answer.hpp"

#include <citestream/session/answer.hpp>
#include <citestream/session/session.hpp>

#include <map>
#include <utility>

#include "byte_input.hpp"
#include "commands.hpp"
#include "framing/frame.hpp"
#include "replay/recording.hpp"
#include "stream_start.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

/// Returns true if \p bytes begin with a list of objects: an answer of Gemini.
bool begins_with_objects(std::string_view bytes) {
  const std::size_t begin = bytes.find_first_not_of(before_json);
  const std::size_t next = bytes.find_first_not_of(" \t\r\n", begin + 1);
  return json_opening(bytes) == '[' && next != std::string_view::npos && bytes[next] == '{';
}

/// Detects the form of an input: a recording or a stream by the file name or the first bytes, a body by its
/// opening brace, unless it is one of several lines. Anything else is text.
answer_form form_of(const std::string& file, std::string_view bytes) {
  if (file.ends_with(".sse") || file.ends_with(".ndjson") || file.ends_with(".eventstream"))
    return answer_form::stream;
  if (begins_as_stream(bytes) || begins_with_message(bytes) || begins_with_objects(bytes))
    return answer_form::stream;
  if (json_opening(bytes) != '{') return answer_form::text;
  input_start start(file, true);
  input_kind kind = start.take(bytes);
  if (kind == input_kind::unknown) kind = start.take({});
  return kind == input_kind::body ? answer_form::body : answer_form::stream;
}

/// Passes the bytes of a stream to \p take with their time of arrival, if it was recorded.
template <typename Take>
void for_each_piece(const std::string& name, const std::string& bytes, const Take& take) {
  if (!name.ends_with(".ndjson") && !bytes.starts_with(recording_start)) return take(bytes, std::nullopt);
  recording_error error;
  const auto recorded = parse_recording(name, bytes, error);
  if (!recorded) throw command_error(error.text());
  for (const recording_piece& piece : recorded->pieces()) {
    take(piece.bytes, recorded->timed() ? std::optional(piece.seconds) : std::nullopt);
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
    for_each_piece(name, bytes, [this](std::string_view piece, std::optional<double> seconds) {
      (void)run_.write(piece, rewritten_);
      drain(seconds);
    });
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
