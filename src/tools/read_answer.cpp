// How an answer is read: form_of() detects its form, and an answer_run gives its texts and citations. A
// recording is passed in its recorded pieces. The whole input is in memory.
#include "read_answer.hpp"

#include <map>
#include <memory>

#include "commands.hpp"
#include "framing/frame.hpp"
#include "replay/input_start.hpp"
#include "replay/recording.hpp"

namespace citestream::tools {

namespace {

/// Detects the form of an input. A file whose name is that of JSON is not text.
input_form form_of(const std::string& file, std::string_view bytes) {
  if (file.ends_with(".sse") || file.ends_with(".eventstream")) return input_form::sse;
  const bool json = file.ends_with(".json") || file.ends_with(".jsonl");
  switch (input_start::kind_of(file, bytes)) {
    case input_kind::body:
      return input_form::json;
    case input_kind::other_array:
    case input_kind::text:
      return json ? input_form::json : input_form::text;
    default:
      return input_form::sse;
  }
}

/// The options of the caller, with default grammars for plain text.
session_options options_for(input_form form, session_options options) {
  if (form == input_form::text && options.grammars.empty()) {
    for (const std::string_view each : {"link", "numeric", "source", "ref"}) {
      options.grammars.push_back(find_grammar(each));
    }
  }
  return options;
}

/// Passes a recording to \p run in its recorded pieces. Sets \p seconds to the time of each.
template <typename Take>
void write_recording(answer_run& run, const std::string& file, const std::string& bytes, const Take& take,
                     std::optional<double>& seconds) {
  recording_error error;
  const auto recorded = parse_recording(file, bytes, error);
  if (!recorded) throw command_error(error.text());
  for (const recording_piece& piece : recorded->pieces()) {
    if (recorded->timed()) seconds = piece.seconds;
    run.write(piece.bytes, take);
  }
  seconds.reset();
}

}  // namespace

answer_reading read_answer(const answer_input& from, const std::string& bytes, const choice_taker& take) {
  const input_form form = from.from == input_form::automatic ? form_of(from.file, bytes) : from.from;
  const bool stream = form == input_form::sse;
  const session_options options = options_for(form, from.options);
  const std::unique_ptr<answer_run> run = make_run(options, stream ? input_form::automatic : form);
  answer_reading out;
  std::map<std::uint32_t, std::string> choices;
  std::optional<double> seconds;
  const auto take_event = [&](const session_event& event) {
    const std::string_view text = added_text(event);
    choices[event.choice] += text;
    if (!text.empty() && !out.first_text_seconds) out.first_text_seconds = seconds;
  };
  if (stream) {
    write_recording(*run, from.file, bytes, take_event, seconds);
  } else {
    run->write(bytes, take_event);
  }
  out.error = run->finish(take_event);
  const bool empty = bytes.find_first_not_of(before_json) == std::string::npos;
  out.unknown_form = choices.empty() && !empty && run->unknown_form();
  if (out.unknown_form) {
    out.error = unknown_format;
  } else if (choices.empty() && empty) {
    out.error = "the input is empty";
  } else if (choices.empty() && out.error.empty()) {
    out.error = run->no_answer();
  }
  if (form != input_form::text) out.held_max = run->statistics().held_max;
  const citations none;
  for (const auto& [choice, text] : choices) {
    const citations* const cites = run->cites(choice);
    take(text, cites == nullptr ? none : *cites);
  }
  return out;
}

}  // namespace citestream::tools
