// Streams of every provider whose events come in any order. A fuzzer that changes bytes finds no order of
// events that a dialect reads, so an input describes events: options, then parts, each the letter of an event
// (see `protocols`), the index of its text, and the text.
//
// Events with the letters `x` and `y` are hostile: repeats of another text, positions outside of the text,
// the wrong way round or negative, indices of nothing, and indices that are no indices.
//
// Checked: no cut changes the output; each event that leaves is JSON; with style keep the stream passes as it
// is, and if its texts have only letters and digits with every style.
#include <citestream/session/session.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "framing/frame_decoder.hpp"
#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "rewrite/json.hpp"
#include "support/decoded_events.hpp"
#include "support/stream_runs.hpp"

namespace citestream_tests {
namespace {

using namespace citestream;

/// A kind of event. In `payload`, `#` is the index, `$` the text as JSON, `%` all texts of this index so far
/// as JSON, and `~` the number of the event.
struct event_shape {
  char letter;
  std::string_view type;  ///< of the event; empty: it has no `event:` line
  std::string_view payload;
};

constexpr event_shape chat[] = {
    {'d', "", R"({"object":"chat.completion.chunk","choices":[{"index":#,"delta":{"content":$}}]})"},
    {'a', "",
     R"({"object":"chat.completion.chunk","choices":[{"index":#,"delta":{"annotations":[{"type":"url_citation","url_citation":{"start_index":#,"end_index":5,"url":"https://a.example/","title":$}}]}}]})"},
    {'f', "",
     R"({"object":"chat.completion.chunk","choices":[{"index":#,"delta":{},"finish_reason":"stop"}]})"},
    {'c', "", R"({"object":"chat.completion.chunk","citations":["https://a.example/"],"choices":[]})"},
    {'x', "",
     R"({"object":"chat.completion.chunk","choices":[{"index":#,"delta":{"content":$,"annotations":[{"type":"url_citation","url_citation":{"start_index":99,"end_index":-1,"url":"https://a.example/","title":"T"}},{"type":"url_citation","url_citation":{"start_index":9007199254740993,"end_index":9007199254740994,"url":"https://b.example/","title":"T"}}]}}]})"},
    {'y', "",
     R"({"object":"chat.completion.chunk","choices":[{"index":#,"delta":{"content":"a"}},{"index":#,"delta":{"content":$}},{"index":-1,"delta":{"content":"b"}},{"index":4294967296,"delta":{"content":"c"}}]})"}};

constexpr event_shape responses[] = {
    {'s', "response.created",
     R"({"type":"response.created","sequence_number":~,"response":{"id":"r","object":"response","output":[]}})"},
    {'i', "response.output_item.added",
     R"({"type":"response.output_item.added","sequence_number":~,"output_index":#,"item":{"id":"m#","type":"message","role":"assistant","content":[]}})"},
    {'p', "response.content_part.added",
     R"({"type":"response.content_part.added","sequence_number":~,"item_id":"m#","output_index":#,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}})"},
    {'d', "response.output_text.delta",
     R"({"type":"response.output_text.delta","sequence_number":~,"item_id":"m#","output_index":#,"content_index":0,"delta":$})"},
    {'a', "response.output_text.annotation.added",
     R"({"type":"response.output_text.annotation.added","sequence_number":~,"item_id":"m#","output_index":#,"content_index":0,"annotation_index":#,"annotation":{"type":"url_citation","start_index":#,"end_index":6,"url":"https://a.example/","title":$}})"},
    {'t', "response.output_text.done",
     R"({"type":"response.output_text.done","sequence_number":~,"item_id":"m#","output_index":#,"content_index":0,"text":%})"},
    {'q', "response.content_part.done",
     R"({"type":"response.content_part.done","sequence_number":~,"item_id":"m#","output_index":#,"content_index":0,"part":{"type":"output_text","text":%,"annotations":[]}})"},
    {'o', "response.output_item.done",
     R"({"type":"response.output_item.done","sequence_number":~,"output_index":#,"item":{"id":"m#","type":"message","role":"assistant","content":[{"type":"output_text","text":%,"annotations":[]}]}})"},
    {'z', "response.completed",
     R"({"type":"response.completed","sequence_number":~,"response":{"id":"r","object":"response","status":"completed","output":[{"id":"m#","type":"message","role":"assistant","content":[{"type":"output_text","text":%,"annotations":[]}]}]}})"},
    {'x', "response.content_part.done",
     R"({"type":"response.content_part.done","sequence_number":~,"item_id":"m#","output_index":#,"content_index":0,"part":{"type":"output_text","text":$,"annotations":[{"type":"url_citation","start_index":6,"end_index":1,"url":"https://a.example/","title":"T"},{"type":"url_citation","start_index":999,"end_index":9999,"url":"https://b.example/","title":"T"},{"type":"file_citation","index":-1,"file_id":"f","filename":"F"}]}})"},
    {'y', "response.output_text.annotation.added",
     R"({"type":"response.output_text.annotation.added","sequence_number":0,"item_id":"m9","output_index":-1,"content_index":7,"annotation_index":99,"annotation":{"type":"url_citation","start_index":-5,"end_index":99,"url":"https://a.example/","title":$}})"}};

constexpr event_shape anthropic[] = {
    {'s', "message_start",
     R"({"type":"message_start","message":{"type":"message","role":"assistant","id":"m","content":[],"usage":{}}})"},
    {'b', "content_block_start",
     R"({"type":"content_block_start","index":#,"content_block":{"type":"text","text":""}})"},
    {'d', "content_block_delta",
     R"({"type":"content_block_delta","index":#,"delta":{"type":"text_delta","text":$}})"},
    {'c', "content_block_delta",
     R"({"type":"content_block_delta","index":#,"delta":{"type":"citations_delta","citation":{"type":"web_search_result_location","url":"https://a.example/","title":$,"cited_text":"a"}}})"},
    {'w', "content_block_start",
     R"({"type":"content_block_start","index":#,"content_block":{"type":"web_search_tool_result","content":[{"type":"web_search_result","url":"https://a.example/","title":$}]}})"},
    {'e', "content_block_stop", R"({"type":"content_block_stop","index":#})"},
    {'f', "message_delta", R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}})"},
    {'z', "message_stop", R"({"type":"message_stop"})"},
    {'x', "content_block_delta",
     R"({"type":"content_block_delta","index":#,"delta":{"type":"citations_delta","citation":{"type":"char_location","document_index":-1,"document_title":$,"start_char_index":9,"end_char_index":-9,"cited_text":"a"}}})"},
    {'y', "content_block_delta",
     R"({"type":"content_block_delta","index":4294967296,"delta":{"type":"text_delta","text":$}})"}};

constexpr event_shape cohere[] = {
    {'s', "message-start",
     R"({"id":"m","type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}})"},
    {'b', "content-start",
     R"({"type":"content-start","index":#,"delta":{"message":{"content":{"type":"text","text":""}}}})"},
    {'d', "content-delta",
     R"({"type":"content-delta","index":#,"delta":{"message":{"content":{"text":$}}}})"},
    {'c', "citation-start",
     R"({"type":"citation-start","index":#,"delta":{"message":{"citations":{"start":#,"end":5,"text":$,"sources":[{"type":"document","id":"d","document":{"id":"d","title":"D"}}],"type":"TEXT_CONTENT"}}}})"},
    {'g', "citation-end", R"({"type":"citation-end","index":#})"},
    {'e', "content-end", R"({"type":"content-end","index":#})"},
    {'z', "message-end", R"({"type":"message-end","delta":{"finish_reason":"COMPLETE"}})"},
    {'x', "citation-start",
     R"({"type":"citation-start","index":#,"delta":{"message":{"citations":{"start":99,"end":3,"text":$,"content_index":9,"sources":[{"type":"tool","id":"t","tool_output":{}}],"type":"TEXT_CONTENT"}}}})"},
    {'y', "citation-start",
     R"({"type":"citation-start","index":-1,"delta":{"message":{"citations":{"start":-1,"end":9007199254740993,"text":$,"content_index":#,"sources":[],"type":"TEXT_CONTENT"}}}})"}};

constexpr event_shape gemini[] = {
    {'d', "",
     R"({"candidates":[{"content":{"parts":[{"text":$}],"role":"model"},"index":#}],"modelVersion":"m"})"},
    {'p', "",
     R"({"candidates":[{"content":{"parts":[{"text":"a","thought":true},{"text":$},{"text":" "}],"role":"model"},"index":#}],"modelVersion":"m"})"},
    {'g', "",
     R"({"candidates":[{"content":{"parts":[{"text":""}]},"index":#,"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/","title":$}}],"groundingSupports":[{"segment":{"startIndex":#,"endIndex":5,"text":"It ro"},"groundingChunkIndices":[0]}]}}],"modelVersion":"m"})"},
    {'f', "",
     R"({"candidates":[{"content":{"parts":[{"text":$}],"role":"model"},"finishReason":"STOP","index":#}],"modelVersion":"m"})"},
    {'x', "",
     R"({"candidates":[{"content":{"parts":[{"text":$}]},"index":#,"groundingMetadata":{"groundingChunks":[{"web":{}}],"groundingSupports":[{"segment":{"startIndex":9,"endIndex":2,"text":"a"},"groundingChunkIndices":[0,9,-1]},{"segment":{"partIndex":3,"startIndex":999,"endIndex":9999,"text":"b"},"groundingChunkIndices":[4294967296],"confidenceScores":["x"]}]},"citationMetadata":{"citations":[{"startIndex":-1,"endIndex":99}]}}],"modelVersion":"m"})"},
    {'y', "",
     R"({"candidates":[{"content":{"parts":[{"text":"a"}]},"index":#},{"content":{"parts":[{"text":$}]},"index":#},{"content":{"parts":[{"text":"b"}]},"index":-1}],"modelVersion":"m"})"}};

constexpr event_shape ui[] = {
    {'s', "", R"({"type":"start","messageId":"m"})"},
    {'b', "", R"({"type":"text-start","id":"#"})"},
    {'d', "", R"({"type":"text-delta","id":"#","delta":$})"},
    {'e', "", R"({"type":"text-end","id":"#"})"},
    {'u', "", R"({"type":"source-url","sourceId":"#","url":"https://a.example/","title":$})"},
    {'f', "", R"({"type":"finish-step"})"},
    {'z', "", R"({"type":"finish"})"},
    {'x', "", R"({"type":"text-delta","id":"never begun #","delta":$})"},
    {'y', "", R"({"type":"source-url","sourceId":"","url":"not a URL","title":$})"}};

constexpr event_shape ag_ui[] = {
    {'s', "", R"({"type":"RUN_STARTED","threadId":"t","runId":"r"})"},
    {'b', "", R"({"type":"TEXT_MESSAGE_START","messageId":"m#","role":"assistant"})"},
    {'d', "", R"({"type":"TEXT_MESSAGE_CONTENT","messageId":"m#","delta":$})"},
    {'c', "", R"({"type":"TEXT_MESSAGE_CHUNK","messageId":"m#","role":"assistant","delta":$})"},
    {'e', "", R"({"type":"TEXT_MESSAGE_END","messageId":"m#"})"},
    {'n', "",
     R"({"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"q"},{"id":"m#","role":"assistant","content":%}]})"},
    {'z', "", R"({"type":"RUN_FINISHED","threadId":"t","runId":"r"})"},
    {'x', "",
     R"({"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m#","role":"assistant","content":$},{"id":"m#","role":"assistant","content":$}]})"},
    {'y', "", R"({"type":"TEXT_MESSAGE_CONTENT","messageId":"","delta":$})"}};

constexpr event_shape ollama[] = {
    {'d', "",
     R"({"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":$},"done":false})"},
    {'g', "", R"({"model":"m","created_at":"2026-01-01T00:00:00Z","response":$,"done":false})"},
    {'z', "",
     R"({"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true})"}};

constexpr event_shape interactions[] = {
    {'s', "interaction.created",
     R"({"interaction":{"id":"i","status":"in_progress","object":"interaction"},"event_type":"interaction.created"})"},
    {'b', "step.start", R"({"index":#,"step":{"type":"model_output"},"event_type":"step.start"})"},
    {'d', "step.delta",
     R"({"index":#,"delta":{"text":$,"type":"text"},"event_type":"step.delta","event_id":"e~"})"},
    {'a', "step.delta",
     R"({"index":#,"delta":{"annotations":[{"start_index":#,"end_index":5,"url":"https://a.example/","title":$,"type":"url_citation"}],"type":"text_annotation_delta"},"event_type":"step.delta"})"},
    {'e', "step.stop", R"({"index":#,"event_type":"step.stop"})"},
    {'z', "interaction.completed",
     R"({"interaction":{"id":"i","status":"completed","object":"interaction"},"event_type":"interaction.completed"})"},
    {'x', "step.delta",
     R"({"index":#,"delta":{"annotations":[{"start_index":9,"end_index":2,"url":"https://a.example/","title":$,"type":"url_citation"},{"start_index":-1,"end_index":9999,"url":"https://b.example/","title":"T","type":"url_citation"}],"type":"text_annotation_delta"},"event_type":"step.delta"})"},
    {'y', "step.delta", R"({"index":-1,"delta":{"text":$,"type":"text"},"event_type":"step.delta"})"}};

constexpr event_shape converse[] = {
    {'s', "messageStart", R"({"role":"assistant","p":"ab"})"},
    {'d', "contentBlockDelta", R"({"contentBlockIndex":#,"delta":{"text":$},"p":"ab"})"},
    {'c', "contentBlockDelta",
     R"({"contentBlockIndex":#,"delta":{"citation":{"title":$,"location":{"web":{"url":"https://a.example/"}}}}})"},
    {'e', "contentBlockStop", R"({"contentBlockIndex":#})"},
    {'f', "messageStop", R"({"stopReason":"end_turn"})"},
    {'z', "metadata", R"({"usage":{},"metrics":{}})"},
    {'x', "contentBlockDelta",
     R"({"contentBlockIndex":#,"delta":{"citation":{"title":$,"location":{"documentChar":{"documentIndex":-1,"start":9,"end":-9}}}}})"},
    {'y', "contentBlockDelta", R"({"contentBlockIndex":-1,"delta":{"text":$}})"}};

constexpr event_shape retrieved[] = {
    {'d', "output", R"({"text":$})"},
    {'c', "citation",
     R"({"generatedResponsePart":{"textResponsePart":{"span":{"start":#,"end":4},"text":$}},"retrievedReferences":[{"content":{"text":"."},"location":{"webLocation":{"url":"https://a.example/"}}}]})"},
    {'g', "guardrail", R"({"action":"NONE"})"},
    {'x', "citation",
     R"({"generatedResponsePart":{"textResponsePart":{"span":{"start":9,"end":2},"text":$}},"retrievedReferences":[]})"},
    {'y', "citation",
     R"({"citation":{"generatedResponsePart":{"textResponsePart":{"span":{"start":-1,"end":9223372036854775807},"text":$}}}})"}};

constexpr event_shape nova[] = {
    {'s', "chunk", R"({"messageStart":{"role":"assistant"}})"},
    {'d', "chunk", R"({"contentBlockDelta":{"delta":{"text":$},"contentBlockIndex":#}})"},
    {'e', "chunk", R"({"contentBlockStop":{"contentBlockIndex":#}})"},
    {'b', "chunk", R"({"contentBlockStart":{"start":{"toolUse":{"name":"t"}},"contentBlockIndex":#}})"},
    {'f', "chunk", R"({"messageStop":{"stopReason":"end_turn"}})"},
    {'z', "chunk", R"({"metadata":{}})"},
    {'x', "chunk", R"({"contentBlockDelta":{"delta":{"text":$},"contentBlockIndex":-1}})"}};

constexpr event_shape invoked[] = {
    {'d', "chunk", R"({"outputText":$,"index":#})"},
    {'g', "chunk", R"({"generation":$,"generation_token_count":#,"stop_reason":null})"},
    {'z', "chunk", R"({"outputText":$,"index":#,"completionReason":"FINISH"})"},
    {'f', "chunk", R"({"generation":$,"generation_token_count":#,"stop_reason":"stop"})"},
    {'x', "chunk", R"({"outputText":null,"generation":$,"index":-1,"completionReason":7})"}};

struct protocol {
  stream_framing how;
  std::span<const event_shape> shapes;
  std::string_view type{};  ///< of all events; empty: that of each shape
};

constexpr std::array<protocol, 16> protocols{{{stream_framing::sse, chat},
                                              {stream_framing::sse, responses},
                                              {stream_framing::sse, anthropic},
                                              {stream_framing::sse, cohere},
                                              {stream_framing::sse, gemini},
                                              {stream_framing::array, gemini},
                                              {stream_framing::sse, ui},
                                              {stream_framing::sse, ag_ui},
                                              {stream_framing::ndjson, ollama},
                                              {stream_framing::ndjson, chat},
                                              {stream_framing::sse, interactions},
                                              {stream_framing::eventstream, converse},
                                              {stream_framing::eventstream, retrieved},
                                              {stream_framing::eventstream, nova},
                                              {stream_framing::eventstream, invoked},
                                              {stream_framing::eventstream, anthropic, "chunk"}}};

/// Builds a stream of one protocol from the parts of an input.
class stream_builder {
 public:
  explicit stream_builder(const protocol& chosen) : chosen_(chosen) {}

  void add(std::string_view part) {
    const auto is_of = [&](const event_shape& one) { return one.letter == part.front(); };
    const auto shape = std::ranges::find_if(chosen_.shapes, is_of);
    if (shape == chosen_.shapes.end()) return;
    const std::size_t index = part.size() > 1 ? static_cast<unsigned char>(part[1]) % all_.size() : 0;
    const std::string_view text = part.substr(std::min<std::size_t>(part.size(), 2));
    all_[index].append(text);
    // A blank may be held, and an annotation of a chat waits for the end of its text.
    constexpr std::string_view waiting[] = {R"(" ")", R"("url_citation":{)"};
    const auto waits = [&](std::string_view one) { return shape->payload.find(one) != one.npos; };
    plain_ =
        plain_ && std::ranges::all_of(text, ascii::is_alphanumeric) && std::ranges::none_of(waiting, waits);
    std::string payload;
    for (const char c : shape->payload) {
      if (c == '#') {
        payload += std::to_string(index);
      } else if (c == '~') {
        payload += std::to_string(number_++);
      } else if (c == '$' || c == '%') {
        append_json_string(c == '$' ? text : all_[index], payload);
      } else {
        payload += c;
      }
    }
    const frame_place at{chosen_.how, "\n", out_.size() > 1 ? frame_gap::element : frame_gap::none, false};
    if (chosen_.how == stream_framing::array && out_.empty()) out_ = "[";
    if (chosen_.how == stream_framing::array && out_.size() == 1) {
      out_ += payload;
    } else {
      append_frame(at, chosen_.type.empty() ? shape->type : chosen_.type, payload, out_);
    }
  }
  /// Returns true if no text may be changed.
  [[nodiscard]] bool plain() const noexcept { return plain_; }
  [[nodiscard]] std::string finish() && {
    if (chosen_.how == stream_framing::array && !out_.empty()) out_ += "]";
    return std::move(out_);
  }

 private:
  const protocol& chosen_;
  std::array<std::string, 4> all_;  ///< the texts of each index
  std::size_t number_{};
  bool plain_{true};
  std::string out_;
};

session_options options_with_egress(fuzz_input& input) {
  session_options out;
  out.typed_events = true;
  out.style = styles()[input.choice(styles().size())];
  const additions adds[] = {additions::automatic, additions::always, additions::never};
  out.add = adds[input.choice(3)];
  const egress_mode guards[] = {egress_mode::off, egress_mode::report, egress_mode::enforce};
  out.egress = guards[input.choice(3)];
  return out;
}

std::string check_events(std::string_view out) {
  document parsed;
  for (const owned_item& item : decode<frame_decoder>({out})) {
    if (item.kind != frame_kind::event && item.kind != frame_kind::unterminated) continue;
    if (parsed.parse(item.data)) return "an event is no JSON: " + shown(item.data);
  }
  return {};
}

}  // namespace

std::string check_dialects(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  stream_builder builder(protocols[input.choice(protocols.size())]);
  session_options options = options_with_egress(input);
  const std::size_t seed = input.choice(251);
  while (!input.rest().empty()) {
    const std::string_view part = input.until(part_end);
    if (!part.empty()) builder.add(part);
  }
  const bool plain = builder.plain();
  const std::string stream = std::move(builder).finish();
  if (!check_events(stream).empty()) return {};  // a text is not UTF-8

  session one(options);
  stream_run whole = run(one, {stream});
  if (how == fuzz_run::planted && !whole.out.empty()) whole.out[whole.out.size() / 2] = '\x01';
  if (std::string wrong = check_events(whole.out); !wrong.empty()) return wrong;
  for (const auto& parts : {cut_every(stream, 1), cut_by(stream, seed, 60)}) {
    one.reset();
    if (comparable(run(one, parts)) != comparable(whole)) return "the output depends on the reads";
  }
  options.add = additions::never;
  options.egress = egress_mode::off;
  if (plain && !run_whole(options, stream).out.starts_with(stream)) return "a text without markers changed";
  options.style = &keep_style;
  const stream_run kept = run_whole(options, stream);
  return kept.end || kept.out == stream ? "" : "keep changed the stream: " + shown(kept.out);
}

}  // namespace citestream_tests
