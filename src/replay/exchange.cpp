// How a request gets its answer.
//
// The path names the API, and with it the form of the answer. It streams if the path says so (Bedrock,
// Gemini) or the request's `stream`. The model's name selects a recording. Without such a recording those of
// the wanted form take turns. Streams and their bodies are prepared once at the start, because a request must
// not wait for them. Gemini's API has two framings: its recordings are prepared as events and as an array.
#include "replay/exchange.hpp"

#include <citestream/base/limits.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/session/rewrite_mode.hpp>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/field_text.hpp"
#include "framing/frame_decoder.hpp"
#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"

namespace citestream::replay {
namespace {

/// Returns true if a recording of \p form can answer a request for \p wanted. An unknown form fits any
/// request.
bool fits(answer_form form, answer_form wanted) {
  return form == wanted || form == answer_form::unknown;
}

/// Reads a path of Bedrock: `/model/<name>/<operation>`.
endpoint endpoint_of_model(std::string_view path) {
  const std::size_t end = path.find('/');
  const std::string_view operation = end == std::string_view::npos ? std::string_view() : path.substr(end);
  const std::string_view model = path.substr(0, end);
  if (operation == "/converse-stream") return {answer_form::converse, true, model};
  if (operation == "/converse") return {answer_form::converse, false, model};
  if (operation == "/invoke-with-response-stream") return {answer_form::invoke, true, model};
  if (operation == "/invoke") return {answer_form::invoke, false, model};
  return {};
}

/// Reads a path of Gemini: `/v1beta/models/<name>:<operation>`, also below a project of Vertex.
endpoint endpoint_of_gemini(std::string_view target) {
  constexpr std::string_view models = "/models/";
  const std::string_view path = target.substr(0, target.find('?'));
  const std::size_t begin = path.rfind(models);
  const std::size_t end = path.rfind(':');
  if (!path.starts_with("/v1") || begin == std::string_view::npos || end == std::string_view::npos ||
      end < begin + models.size())
    return {};
  const std::string_view operation = path.substr(end);
  const std::string_view model = path.substr(begin + models.size(), end - begin - models.size());
  if (operation == ":generateContent") return {answer_form::gemini, false, model};
  if (operation != ":streamGenerateContent") return {};
  std::string_view query = target.substr(path.size());
  bool array = true;
  while (!query.empty()) {
    query.remove_prefix(1);
    const std::string_view one = query.substr(0, query.find('&'));
    array = array && one != "alt=sse";
    query.remove_prefix(one.size());
  }
  return {answer_form::gemini, true, model, array};
}

/// Returns the form of the answers at a path; unknown if there is no such endpoint.
answer_form form_at(std::string_view path) {
  if (path == "/v1/chat" || path == "/v1/chat/completions") return answer_form::chat;
  if (path == "/v1/graphs/question") return answer_form::graph_question;
  if (path == "/v1/responses") return answer_form::response;
  if (path == "/v1/messages") return answer_form::message;
  if (path == "/v2/chat") return answer_form::cohere;
  if (path == "/v1/interactions" || path == "/v1beta/interactions") return answer_form::interaction;
  if (path == "/api/chat") return answer_form::ollama_chat;
  return path == "/api/generate" ? answer_form::ollama_generate : answer_form::unknown;
}

/// Reads the target of a request.
endpoint endpoint_at(std::string_view target) {
  constexpr std::string_view models = "/model/";
  const std::string_view path = target.substr(0, target.find('?'));
  if (path.starts_with(models)) return endpoint_of_model(path.substr(models.size()));
  const answer_form form = form_at(path);
  return form == answer_form::unknown ? endpoint_of_gemini(target) : endpoint{form, {}, {}};
}

struct events_of_recording {
  std::vector<recording_piece> all;  ///< the payloads, which are JSON objects
  bool cut_off{};
};

/// Payloads without line breaks, which are between tokens only.
events_of_recording payloads_of(const recording& from) {
  events_of_recording out;
  const std::string bytes = from.bytes();
  std::size_t piece = 0;
  std::size_t end_of_piece = from.pieces().empty() ? 0 : from.pieces().front().bytes.size();
  for_each_frame(bytes, limits{}.max_event_bytes, [&](const frame& item) {
    if (item.kind == frame_kind::unterminated) out.cut_off = true;
    if (item.kind != frame_kind::event || !item.data.starts_with('{')) return;
    const std::size_t end = static_cast<std::size_t>(item.offset) + item.raw.size();
    while (end > end_of_piece) end_of_piece += from.pieces()[++piece].bytes.size();
    std::string payload(item.data);
    std::erase_if(payload, ascii::is_line_break);
    out.all.push_back({from.pieces()[piece].seconds, std::move(payload)});
  });
  return out;
}

/// Returns the JSON events of \p from as an event stream with CRLF. An event is sent when its last byte was.
recording as_events(const recording& from) {
  if (from.content_type() == "text/event-stream") return from;
  events_of_recording events = payloads_of(from);
  for (recording_piece& one : events.all) one.bytes = "data: " + one.bytes + "\r\n\r\n";
  return {from.name(), std::move(events.all), from.timed()};
}

/// Returns the JSON events of \p from as one JSON array, `application/json`. If \p from is cut off in an
/// event, the array is not closed.
recording as_array(const recording& from) {
  if (from.content_type() != "text/event-stream") return from;
  events_of_recording events = payloads_of(from);
  for (std::size_t i = 0; i < events.all.size(); ++i) events.all[i].bytes.insert(0, i == 0 ? "[" : ",\r\n");
  if (!events.all.empty() && !events.cut_off) events.all.back().bytes += "\r\n]";
  return {from.name(), std::move(events.all), from.timed(), "application/json"};
}

prepared_stream prepared(const recording& from, const replay_options& options) {
  return {from.name(), from.content_type(), make_plan(from, options, true), make_plan(from, options, false)};
}

/// Prepares the stream of \p from, if it is one, and its body.
prepared_recording prepared_answer(const recording& from, const replay_options& options) {
  prepared_recording out{prepared(from, options), {}, {}, true, {}};
  const bool array = json_opening(from.bytes()) == '[';
  if (array || citestream::http::is_stream(from.content_type())) out.body = join_stream(from);
  if (out.body.form == answer_form::gemini) {
    out.events = prepared(as_events(from), options);
    out.array = prepared(as_array(from), options);
    return out;
  }
  out.streams = citestream::http::is_stream(from.content_type());
  if (!out.streams) out.body = {answer_form::unknown, from.bytes()};
  return out;
}

answer method_not_allowed(std::string_view allowed) {
  answer out = error_answer(405, "method_not_allowed", "this endpoint takes " + std::string(allowed));
  out.fields.append("Allow: ").append(allowed).append("\r\n");
  return out;
}

}  // namespace

answer error_answer(unsigned status, std::string_view code, std::string_view message) {
  answer out;
  out.status = status;
  object_writer error(out.body.append("{\"error\":"));
  error.string("message", message);
  error.string("type", status < 500 ? "invalid_request_error" : "server_error");
  error.string("code", code);
  out.body += "}}";
  out.note = "error " + std::to_string(status);
  return out;
}

recording_set::recording_set(const replay_options& options) : page_(options.page) {
  recordings_.reserve(options.recordings.size());
  for (const recording& each : options.recordings) recordings_.push_back(prepared_answer(each, options));
}

answer recording_set::respond(std::string_view method, std::string_view target, std::string_view body) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == "/v1/models") {
    if (method != "GET") return method_not_allowed("GET");
    answer out;
    out.body = models();
    out.note = "models";
    return out;
  }
  if (const page_file* file = find_page(method, path); file != nullptr) {
    answer out;
    out.content_type = file->content_type;
    out.fields = page_fields(*file);
    out.body = file->body;
    out.note = "page " + file->path;
    return out;
  }
  const endpoint wanted = endpoint_at(target);
  if (wanted.form == answer_form::unknown) {
    return error_answer(404, "not_found", "no such endpoint: " + std::string(path));
  }
  if (method != "POST") return method_not_allowed("POST");
  return respond_with_recording(body, wanted);
}

const page_file* recording_set::find_page(std::string_view method, std::string_view path) const {
  if (method != "GET" && method != "HEAD") return nullptr;
  const auto found = std::ranges::lower_bound(page_, path, {}, &page_file::path);
  return found != page_.end() && found->path == path ? &*found : nullptr;
}

answer recording_set::respond_with_recording(std::string_view body, const endpoint& wanted) {
  document json;
  const status parsed = json.parse(body);
  if (parsed || !json.root().is_object()) {
    return error_answer(400, "invalid_body", "the request's body is not a JSON object");
  }
  const prepared_recording* chosen =
      choose(wanted.model.empty() ? json.root()["model"].string() : wanted.model, wanted.form);
  if (chosen == nullptr) return error_answer(503, "no_recording", "there is no recording to answer with");
  answer out;
  out.note = chosen->recorded.name;
  const bool by_default =
      wanted.form == answer_form::ollama_chat || wanted.form == answer_form::ollama_generate;
  const bool streams = wanted.streams.value_or(json.root()["stream"].boolean().value_or(by_default));
  if (chosen->streams && streams) {
    out.stream = &chosen->recorded;
    const std::optional<prepared_stream>& framed = wanted.array ? chosen->array : chosen->events;
    if (framed) out.stream = &*framed;
    return out;
  }
  if (chosen->streams && chosen->body.json.empty()) {
    return error_answer(501, "no_single_body",
                        "the recording " + chosen->recorded.name +
                            " holds no events of a known form: it can only be streamed (\"stream\":true)");
  }
  if (!chosen->streams) out.content_type = chosen->recorded.content_type;
  out.body = chosen->body.json;
  return out;
}

const prepared_recording* recording_set::choose(std::string_view model, answer_form wanted) {
  for (const prepared_recording& each : recordings_) {
    if (each.recorded.name == model) return &each;
  }
  const std::size_t count = recordings_.size();
  const prepared_recording* any = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = (turn_ + i) % count;
    if (any == nullptr) any = &recordings_[place];
    if (!fits(recordings_[place].body.form, wanted)) continue;
    turn_ = place + 1;
    return &recordings_[place];
  }
  ++turn_;
  return any;
}

std::string recording_set::models() const {
  // Clients read OpenAI's `data` or Writer's `models`.
  std::string out = "{\"object\":\"list\"";
  append_json_list("data", recordings_, out, [&](const prepared_recording& each) {
    out += "{\"id\":" + json_string(each.recorded.name) +
           ",\"object\":\"model\",\"created\":0,\"owned_by\":\"citestream replay\"}";
  });
  append_json_list("models", recordings_, out, [&](const prepared_recording& each) {
    const std::string name = json_string(each.recorded.name);
    out += "{\"id\":" + name + ",\"name\":" + name + "}";
  });
  return out + "}";
}

}  // namespace citestream::replay
