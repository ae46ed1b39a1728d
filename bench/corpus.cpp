#include "corpus.hpp"

#include <citestream/session/session.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "rewrite/json.hpp"

namespace citestream_bench {

namespace {

constexpr std::size_t padding = 64;             // simdjson may read this far past the end of a payload
constexpr std::size_t stream_events = 1000;     // a long answer
constexpr std::size_t perplexity_events = 200;  // of 3.5 KB and more each
constexpr std::size_t sources = 8;

/// Random numbers, the same in every run (Knuth's MMIX generator).
class sequence {
 public:
  std::size_t next(std::size_t below) noexcept {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % below;
  }

 private:
  std::uint64_t state_{2024};
};

constexpr std::array words{" the",       " market", " grew",   " by",     " and",     " of",     " in",
                           " results",   " which",  " a",      " first",  " quarter", " costs",  " about",
                           " increased", " was",    " their",  " higher", " **",      " demand", "ing",
                           " revenue",   "ly",      " for",    " 12",     "%",        " not",    " as",
                           " caf\u00e9", " sector", " report", " \u2013"};
constexpr std::array ends{".", ".", ",", ":", ".\n\n", "!", ".", "\n- "};

std::string identifier(std::size_t source) {
  return "7c1e40aa-52d3-4f0b-9d6e-0000000000" + std::to_string(10 + source);
}
std::string title(std::size_t source) {
  return "Annual_Report_" + std::to_string(2010 + source) + ".pdf";
}
std::string address(std::size_t source) {
  return "https://www.example.org/library/articles/" + std::to_string(1000 + source) + "/an-article.html";
}

/// Appends the pieces of one marker, divided like a model's tokens.
void add_marker(shape how, std::size_t source, std::vector<std::string>& tokens) {
  if (how == shape::perplexity) {
    tokens.insert(tokens.end(), {"[", std::to_string(source + 1), "]"});
    return;
  }
  const std::string target = how == shape::writer ? identifier(source) : address(source);
  const std::string marker = " [" + title(source) + "](" + target + ")";
  for (std::size_t at = 0; at < marker.size(); at += 5) tokens.push_back(marker.substr(at, 5));
}

/// Returns the first \p count tokens of an answer.
std::vector<std::string> tokens_of(shape how, density markers, std::size_t count) {
  const std::size_t gap = markers == density::dense ? tokens_between_dense_markers : tokens_between_markers;
  sequence draw;
  std::vector<std::string> tokens{"The"};
  std::size_t words_since = 1;
  while (tokens.size() < count) {
    if (markers != density::none && words_since >= gap) {
      add_marker(how, draw.next(sources), tokens);
      tokens.emplace_back(ends[draw.next(ends.size())]);
      words_since = 0;
    } else {
      const bool end = draw.next(16) == 0;
      tokens.emplace_back(end ? ends[draw.next(ends.size())] : words[draw.next(words.size())]);
      ++words_since;
    }
  }
  tokens.resize(count);
  return tokens;
}

std::string json(std::string_view text) {
  std::string out;
  citestream::append_json_string(text, out);
  return out;
}

/// Returns the object with the text and its neighbours, which a Writer event contains twice.
std::string writer_part(const std::string& content, const std::string& graph) {
  return "{\"content\":" + content + ",\"role\":\"assistant\",\"tool_calls\":null,\"graph_data\":" + graph +
         ",\"llm_data\":null,\"image_data\":null,\"translation_data\":null,\"web_search_data\":null,"
         "\"refusal\":null}";
}

std::string writer_event(const std::string& content, const std::string& graph, const std::string& finish) {
  const std::string part = writer_part(content, graph);
  return "{\"id\":\"00000000-1111-4222-8333-444444444444\",\"object\":\"chat.completion.chunk\",\"choices\":"
         "[{\"index\":0,\"finish_reason\":" +
         finish + ",\"message\":" + part + ",\"delta\":" + part +
         ",\"logprobs\":null,\"trace_details\":null}],\"created\":1700000000,\"model\":\"palmyra-x5\","
         "\"usage\":null,\"system_fingerprint\":\"v1\",\"service_tier\":null}";
}

std::string writer_references() {
  std::string files;
  for (std::size_t i = 0; i < sources; ++i) {
    files += (i > 0 ? "," : "") +
             std::string("{\"text\":\"What the report says on this page.\",\"fileId\":\"") + identifier(i) +
             "\",\"score\":0.9,\"page\":" + std::to_string(i + 1) + ",\"cite\":\"" + identifier(i) + "\"}";
  }
  return "{\"sources\":null,\"status\":\"finished\",\"subqueries\":[],\"references\":{\"files\":[" + files +
         "],\"web\":[]}}";
}

std::string openai_event(const std::string& delta, const std::string& finish, const std::string& tail) {
  return "{\"id\":\"chatcmpl-000000000000000000000000000\",\"choices\":[{\"delta\":" + delta +
         ",\"finish_reason\":" + finish +
         ",\"index\":0,\"logprobs\":null}],\"created\":1700000000,\"model\":\"gpt-4o-2024-08-06\",\"object\":"
         "\"chat.completion.chunk\",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_0000000000\","
         "\"usage\":null" +
         tail + "}";
}

std::string openai_delta(const std::string& content) {
  return "{\"content\":" + content +
         ",\"function_call\":null,\"refusal\":null,\"role\":null,\"tool_calls\":null}";
}

std::string openai_annotations() {
  std::string list;
  for (std::size_t i = 0; i < sources; ++i) {
    list += (i > 0 ? "," : "") + std::string("{\"type\":\"url_citation\",\"url_citation\":{\"url\":\"") +
            address(i) + "\",\"title\":\"" + title(i) + "\",\"start_index\":0,\"end_index\":0}}";
  }
  return "{\"content\":null,\"annotations\":[" + list + "]}";
}

std::string random_field(sequence& draw) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string text(1 + draw.next(15), ' ');
  for (char& c : text) c = letters[draw.next(letters.size())];
  return ",\"obfuscation\":\"" + text + "\"";
}

std::string perplexity_sources() {
  std::string cited;
  std::string results;
  for (std::size_t i = 0; i < sources; ++i) {
    const std::string comma = i > 0 ? "," : "";
    cited += comma + json(address(i));
    results += comma + "{\"title\":" + json(title(i)) + ",\"url\":" + json(address(i)) +
               ",\"date\":\"2024-01-01\",\"last_updated\":\"2024-06-01\",\"snippet\":\"" +
               std::string(30, 'a') +
               " what the page says about the question, in about as many words as are " +
               "shown below a result of a search, \\\"quoted\\\" now and then, \xe2\x80\xa6 and cut off " +
               std::string(60, 'z') + " ...\",\"source\":\"web\"}";
  }
  return "\"citations\":[" + cited + "],\"search_results\":[" + results + "]";
}

std::string perplexity_event(const std::string& given, std::size_t count, const std::string& all,
                             const std::string& delta, bool last) {
  const std::string tokens = std::to_string(count);
  return "{\"id\":\"00000000-1111-4222-8333-444444444444\",\"model\":\"sonar\",\"created\":1700000000,"
         "\"usage\":"
         "{\"prompt_tokens\":8,\"completion_tokens\":" +
         tokens + ",\"total_tokens\":" + std::to_string(count + 8) +
         ",\"search_context_size\":\"low\",\"cost\":{\"input_tokens_cost\":0,\"output_tokens_cost\":0,"
         "\"total_cost\":0}}," +
         given + ",\"object\":\"chat.completion." + (last ? "done" : "chunk") +
         "\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":" + json(all) +
         "},\"delta\":{\"role\":\"assistant\",\"content\":" + delta + "}" +
         (last ? ",\"finish_reason\":\"stop\"" : "") + "}]}";
}

/// An event with its type in a line of its own, as `data` with what precedes it.
std::string typed_event(const std::string& type, const std::string& members) {
  return "event: " + type + "\ndata: {\"type\":\"" + type + "\"," + members + "}";
}

std::vector<std::string> responses_events(const std::vector<std::string>& tokens) {
  const std::string item = "\"item_id\":\"msg_000000000000000000000000000000000000000000000000\"";
  const std::string at = "\"content_index\":0," + item + ",\"output_index\":0";
  sequence draw;
  std::vector<std::string> events;
  const auto add = [&](const std::string& type, const std::string& members) {
    events.push_back(
        typed_event("response." + type, members + ",\"sequence_number\":" + std::to_string(events.size())));
  };
  add("created", "\"response\":{\"id\":\"r\",\"object\":\"response\",\"output\":[]}");
  std::string all;
  for (const std::string& token : tokens) {
    all += token;
    add("output_text.delta", at + ",\"delta\":" + json(token) + ",\"logprobs\":[]" + random_field(draw));
  }
  const std::string part = "{\"type\":\"output_text\",\"annotations\":[],\"text\":" + json(all) + "}";
  const std::string message = R"({"id":"m","type":"message","role":"assistant","content":[)" + part + "]}";
  add("output_text.done", at + ",\"text\":" + json(all));
  add("content_part.done", at + ",\"part\":" + part);
  add("output_item.done", "\"output_index\":0,\"item\":" + message);
  add("completed", R"("response":{"id":"r","object":"response","output":[)" + message + "]}");
  return events;
}

std::vector<std::string> anthropic_events(const std::vector<std::string>& tokens) {
  const std::string at = "\"index\":0";
  std::vector<std::string> events{
      typed_event("message_start", R"("message":{"type":"message","role":"assistant","content":[]})"),
      typed_event("content_block_start", at + R"(,"content_block":{"type":"text","text":""})")};
  for (const std::string& token : tokens)
    events.push_back(typed_event("content_block_delta",
                                 at + R"(,"delta":{"type":"text_delta","text":)" + json(token) + "}"));
  events.push_back(typed_event("content_block_stop", at));
  events.push_back(typed_event("message_delta", R"("delta":{"stop_reason":"end_turn"})"));
  events.push_back(typed_event("message_stop", R"("x":0)"));
  return events;
}

/// Returns the payloads of a stream of \p tokens, including its end.
std::vector<std::string> payloads_of(shape how, const std::vector<std::string>& tokens) {
  const std::string quiet = "{\"sources\":null,\"status\":null,\"subqueries\":null}";
  const std::string given = perplexity_sources();
  sequence draw;
  std::vector<std::string> payloads;
  std::string all;
  for (const std::string& token : tokens) {
    all += token;
    switch (how) {
      case shape::writer:
        payloads.push_back(writer_event(json(token), quiet, "null"));
        break;
      case shape::openai:
        payloads.push_back(openai_event(openai_delta(json(token)), "null", ""));
        break;
      case shape::random:
        payloads.push_back(openai_event(openai_delta(json(token)), "null", random_field(draw)));
        break;
      case shape::perplexity:
        payloads.push_back(perplexity_event(given, payloads.size() + 1, all, json(token), false));
        break;
      case shape::responses:
      case shape::anthropic:
        break;
    }
  }
  if (how == shape::writer) {
    payloads.push_back(writer_event("null", writer_references(), "\"stop\""));
  } else if (how == shape::perplexity) {
    payloads.push_back(perplexity_event(given, payloads.size() + 1, all, "\"\"", true));
  } else {
    payloads.push_back(
        openai_event(openai_annotations(), "\"stop\"", how == shape::random ? random_field(draw) : ""));
  }
  return payloads;
}

std::string_view name_of(shape how) noexcept {
  switch (how) {
    case shape::writer:
      return "writer";
    case shape::openai:
      return "openai";
    case shape::random:
      return "random";
    case shape::perplexity:
      return "perplexity";
    case shape::responses:
      return "responses";
    case shape::anthropic:
      return "anthropic";
  }
  return {};
}

std::string_view name_of(density markers) noexcept {
  return markers == density::none ? "-none" : markers == density::dense ? "-dense" : "";
}

/// Returns the text deltas of a stream, as a session finds them.
std::vector<std::string> deltas_of(const std::string& bytes) {
  citestream::session_options options;
  options.style = &citestream::keep_style;
  options.typed_events = true;
  citestream::session session(options);
  std::string rewritten;
  static_cast<void>(session.write(bytes, rewritten));
  std::vector<std::string> deltas;
  for (citestream::session_event event; session.next(event);) {
    if (event.type == citestream::session_event_type::text) deltas.emplace_back(event.text);
  }
  return deltas;
}

}  // namespace

corpus make_corpus(shape how, density markers, std::size_t events) {
  corpus made;
  made.name = std::string(name_of(how)) + std::string(name_of(markers));
  made.deltas = tokens_of(how, markers, events - 1);
  const bool typed = how == shape::responses || how == shape::anthropic;
  if (typed) {
    const auto all = how == shape::responses ? responses_events(made.deltas) : anthropic_events(made.deltas);
    for (const std::string& event : all) made.bytes += event + "\n\n";
    made.events = all.size();
  } else {
    for (const std::string& payload : payloads_of(how, made.deltas))
      made.bytes += "data: " + payload + "\n\n";
    made.bytes += "data: [DONE]\n\n";
    made.events = events;
  }
  made.bytes.reserve(made.bytes.size() + padding);
  made.alike = true;
  return made;
}

corpus read_corpus(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file);
  corpus made;
  made.name = file.substr(file.find_last_of('/') + 1);
  std::replace(made.name.begin(), made.name.end(), '/', '_');
  made.bytes.assign(std::istreambuf_iterator<char>(in), {});
  made.bytes.reserve(made.bytes.size() + padding);
  for_each_payload(made.bytes, [&](std::string_view) { ++made.events; });
  if (made.events == 0) throw std::runtime_error("no event in " + file);
  made.deltas = deltas_of(made.bytes);
  return made;
}

std::vector<corpus> all_corpora(const std::vector<std::string>& files) {
  std::vector<corpus> made;
  const auto add = [&](density markers) {
    for (const shape how : {shape::writer, shape::openai, shape::random, shape::perplexity, shape::responses,
                            shape::anthropic}) {
      made.push_back(make_corpus(how, markers, how == shape::perplexity ? perplexity_events : stream_events));
      made.back().variant = markers != density::usual;
    }
  };
  add(density::usual);
  for (const std::string& file : files) made.push_back(read_corpus(file));
  add(density::none);
  add(density::dense);
  return made;
}

std::vector<std::string> four_character_deltas(density markers, std::size_t count) {
  std::string text;
  for (const std::string& token : tokens_of(shape::writer, markers, count)) text += token;
  while (text.size() < count * 4) text += text;
  std::vector<std::string> deltas;
  for (std::size_t i = 0; i < count; ++i) deltas.push_back(text.substr(i * 4, 4));
  return deltas;
}

}  // namespace citestream_bench
