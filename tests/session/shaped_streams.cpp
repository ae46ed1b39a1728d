#include "session/shaped_streams.hpp"

#include "support/strings.hpp"

namespace citestream_tests {

namespace {

using view = std::string_view;

/// Replaces `@t`, `@f` and `@a` with the arguments.
std::string filled(view form, view text, view field, view all) {
  std::string out;
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] != '@') {
      out += form[at];
      continue;
    }
    const char which = form[++at];
    out += which == 't' ? text : which == 'f' ? field : all;
  }
  return out;
}

std::string writer(view text, view field, view all) {
  return filled(
      R"(data: {"id":@f,"choices":[{"index":0,"finish_reason":null,"message":{"content":"@t","role":"assistant",)"
      R"("graph_data":{"sources":null}},"delta":{"content":"@t","role":"assistant"}}],"usage":null,)"
      R"("object":"chat.completion.chunk"})"
      "\n\n",
      text, field, all);
}

std::string openai(view text, view field, view all) {
  return filled(
      R"(data: {"id":"c","object":"chat.completion.chunk","created":17,"choices":[{"index":0,"delta":{"content":"@t"},)"
      R"("logprobs":@f,"finish_reason":null}],"obfuscation":@f})"
      "\n\n",
      text, field, all);
}

std::string obfuscated(view text, view field, view all) {
  return filled(
      "event: message\r\n"
      R"(data: {"obfuscation":@f,"object":"chat.completion.chunk","choices":[{"delta":{"content":"@t","refusal":null},)"
      R"("finish_reason":null,"index":0}]})"
      "\r\n\r\n",
      text, field, all);
}

std::string perplexity(view text, view field, view all) {
  return filled(
      R"(data: {"model":"sonar","usage":{"n":@f},"citations":["https://a.example/1","https://a.example/2"],)"
      R"("search_results":[{"title":"A","url":"https://a.example/1","date":"d"}],"object":"chat.completion.chunk",)"
      R"("choices":[{"index":0,"message":{"role":"assistant","content":"@a"},"delta":{"role":"assistant",)"
      R"("content":"@t"}}]})"
      "\r\n\r\n",
      text, field, all);
}

std::string mirror_last(view text, view field, view all) {
  return filled(
      R"(data:{"x":@f,"model":"sonar","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"@t"},)"
      R"("message":{"content":"@a"}}],"citations":["https://a.example/1"]})"
      "\n\n",
      text, field, all);
}

std::string two_choices(view text, view field, view all) {
  return filled(
      R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"@t"},"finish_reason":null},)"
      R"({"index":1,"delta":{"content":"b @t"},"x":@f,"finish_reason":null}]})"
      "\r\r",
      text, field, all);
}

std::string question(view text, view field, view all) {
  return filled(R"(data: {"question":"q","answer":"@t","sources":[],"subqueries":@f,)"
                R"("references":{"files":[{"fileId":"id1","text":"x"}]}})"
                "\n\n",
                text, field, all);
}

std::string parts(view text, view field, view all) {
  return filled(
      R"(data: {"object":"chat.completion.chunk","model":"mistral-x","choices":[{"index":0,"delta":{"content":[)"
      R"({"type":"text","text":"@t"},{"type":"reference","reference_ids":@f},{"type":"text","text":" and @t"}]},)"
      R"("finish_reason":null}]})"
      "\n\n",
      text, field, all);
}

std::string thinking(view text, view field, view all) {
  return filled(
      R"(data: {"object":"chat.completion.chunk","model":"mistral-x","choices":[{"index":0,"delta":{"content":[)"
      R"({"type":"text","text":"@t"},{"type":"thinking","thinking":@f},{"type":"text","text":" and @t"}]},)"
      R"("finish_reason":null}]})"
      "\n\n",
      text, field, all);
}

std::string repeated_list(view text, view field, view all) {
  return filled(
      R"(data: {"object":"chat.completion.chunk","references":[{"id":"id1","title":"T","page":3}],"t":@f,)"
      R"("choices":[{"delta":{"content":"@t","annotations":[]}}]})"
      "\n\n",
      text, field, all);
}

std::string scored_list(view text, view field, view all) {
  return filled(
      R"(data: {"object":"chat.completion.chunk","references":[{"id":"id1","title":"T","score":@f,"page":@f}],)"
      R"("choices":[{"delta":{"content":"@t"}}]})"
      "\n\n",
      text, field, all);
}

/// Writer's form, with a `message` that has another text.
std::string other_message(view text, view field, view all) {
  return filled(
      R"(data: {"id":@f,"choices":[{"index":0,"finish_reason":null,"message":{"content":" sky","graph_data":null},)"
      R"("delta":{"content":"@t","graph_data":{"sources":null}}}],"object":"chat.completion.chunk"})"
      "\n\n",
      text, field, all);
}

}  // namespace

const std::vector<event_form>& event_forms() {
  static const std::vector<event_form> forms{{"writer", writer},           {"openai", openai},
                                             {"obfuscated", obfuscated},   {"perplexity", perplexity},
                                             {"mirror last", mirror_last}, {"two choices", two_choices},
                                             {"question", question},       {"parts", parts},
                                             {"thinking", thinking},       {"repeated list", repeated_list},
                                             {"scored list", scored_list}, {"other message", other_message}};
  return forms;
}

std::vector<std::string> shaped_stream(const event_form& form, const std::vector<std::string>& texts,
                                       const std::vector<std::string>& fields) {
  std::vector<std::string> events;
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    all += texts[i];
    events.push_back(form.event(texts[i], fields.empty() ? "null" : fields[i % fields.size()], all));
  }
  const std::string_view end = events.front().ends_with("\r\n") ? "\r\n\r\n"
                               : events.front().ends_with('\r') ? "\r\r"
                                                                : "\n\n";
  events.push_back(
      R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})" +
      std::string(end));
  events.push_back("data: [DONE]" + std::string(end));
  return events;
}

}  // namespace citestream_tests
