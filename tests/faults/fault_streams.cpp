#include "faults/fault_streams.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <utility>

namespace citestream_tests {
namespace {

using citestream::document;
using citestream::json_value;

std::string event(std::string_view json, std::string_view end) {
  return "data: " + std::string(json) + std::string(end) + std::string(end);
}

std::string writer_delta(std::string_view text) {
  return event(
      R"({"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"finish_reason":null,"delta":{"content":")" +
          std::string(text) + R"(","graph_data":null}}]})",
      "\n");
}

fault_stream writer_stream() {
  fault_stream out{"writer", {}, 0, R"( ?\[[^\]\[]*\]\([^)]*\))"};
  for (const char* text : {"Sales grew", " by 20% [Rep", "ort.pdf](f-1", "7), caf\u00e9 [no", "t one] end"}) {
    out.events.push_back(writer_delta(text));
  }
  out.references = out.events.size();
  out.events.push_back(event(
      R"({"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"finish_reason":"stop","delta":{"content":null,"graph_data":)"
      R"({"references":{"files":[{"text":"Sales rose 20%.","fileId":"f-17","score":0.9,"page":3,"cite":"f-17"}],"web":[]}}}}]})",
      "\n"));
  out.events.push_back("data: [DONE]\n\n");
  return out;
}

fault_stream openai_stream() {
  fault_stream out{"openai", {}, 0, R"( ?\[[^\]\[]*\]\([^)]*\))"};
  const auto chunk = [](int choice, std::string_view delta, std::string_view finish = "null") {
    return event(R"({"object":"chat.completion.chunk","choices":[{"index":)" + std::to_string(choice) +
                     R"(,"delta":)" + std::string(delta) + R"(,"finish_reason":)" + std::string(finish) +
                     "}]}",
                 "\r\n");
  };
  out.events = {
      ": ping\r\n\r\n",
      chunk(0, R"({"role":"assistant","content":"One [A"})"),
      chunk(1, R"({"role":"assistant","content":"Two"})"),
      chunk(0, R"x({"content":"](https://example.com/a) and"})x"),
      chunk(1, R"x({"content":" more [B](https://example.com/b)"})x"),
      chunk(0, R"x({"content":" [c] (d)"})x"),
      chunk(1, R"({"content":"!"})"),
      chunk(0, "{}", R"("stop")"),
      chunk(
          1,
          R"({"annotations":[{"type":"url_citation","url_citation":{"url":"https://example.com/b","title":"B",)"
          R"("start_index":4,"end_index":9}}]})",
          R"("stop")")};
  out.references = out.events.size() - 1;
  return out;
}

fault_stream rag_stream() {
  fault_stream out{"rag", {}, 0, R"( ?\[(\d+|src_\d+)\])"};
  const auto chunk = [](std::string_view text, std::string_view more = {}, std::string_view finish = "null") {
    return event(R"({"object":"chat.completion.chunk",)" + std::string(more) +
                     R"("choices":[{"index":0,"delta":{"content":")" + std::string(text) +
                     R"("},"finish_reason":)" + std::string(finish) + "}]}",
                 "\n");
  };
  out.events = {
      chunk(
          "",
          R"("sources":[{"title":"A","url":"https://example.com/a","content":"Blue."},{"title":"B","content":"Wide."}],)"),
      chunk("The sky"),
      chunk(" is blue [1"),
      chunk("] and"),
      ": ping\n\n",
      chunk(" wide [src_2]. ["),
      chunk("x, [3"),
      chunk(" yes"),
      chunk("", {}, R"("stop")"),
      "data: [DONE]\n\n"};
  return out;
}

/// The blocks without their ends and with LF between lines. Each comment is a separate block. A truncated
/// block is completed if others follow, because clients cannot distinguish the two.
std::vector<std::string> blocks_of(std::string_view bytes) {
  std::string lines;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] == '\n' && at != 0 && bytes[at - 1] == '\r') continue;
    lines += bytes[at] == '\r' ? '\n' : bytes[at];
  }
  std::vector<std::string> out;
  for (std::size_t at = lines.find_first_not_of('\n'); at < lines.size();) {
    const std::size_t end = std::min(lines.find(lines[at] == ':' ? "\n" : "\n\n", at), lines.size());
    out.push_back(lines.substr(at, end - at));
    at = lines.find_first_not_of('\n', end);
  }
  return out;
}

std::string_view data_of(std::string_view block) {
  constexpr std::string_view name = "data: ";
  std::size_t at = block.starts_with(name) ? 0 : block.find("\n" + std::string(name));
  if (at == std::string_view::npos) return {};
  at += (block.starts_with(name) ? 0 : 1) + name.size();
  return block.substr(at, block.find('\n', at) - at);
}

/// Returns true if a line of \p block, the last block of \p bytes, is a `data` field or may become one.
bool has_data(std::string_view bytes, std::string_view block) {
  constexpr std::string_view field = "data";
  while (!block.empty()) {
    const std::size_t end = block.find('\n');
    const std::string_view name = block.substr(0, std::min(end, block.find(':')));
    const bool open = end == std::string_view::npos && !bytes.ends_with('\n') && !bytes.ends_with('\r') &&
                      block.find(':') == std::string_view::npos;
    if (name == field || (open && field.starts_with(name))) return true;
    block.remove_prefix(end == std::string_view::npos ? block.size() : end + 1);
  }
  return false;
}

/// Returns true if \p block, the last block of \p bytes, is a truncated event.
bool breaks_off(std::string_view bytes, std::string_view block) {
  if (bytes.ends_with("\n\n") || bytes.ends_with("\r\n\r") || bytes.ends_with("\r\n\r\n")) return false;
  document json;
  const std::string_view data = data_of(block);
  return has_data(bytes, block) && data != "[DONE]" && json.parse(data);
}

/// Calls \p use for each choice. \return true if the payload has choices
template <class Use>
bool each_choice(std::string_view data, const Use& use) {
  thread_local document json;
  if (data.empty() || json.parse(data)) return false;
  const json_value choices = json.root()["choices"];
  if (!choices) return false;
  for (json_value one = choices.first(); one; one = one.next()) {
    use(static_cast<std::size_t>(one["index"].number().value_or(0)), one);
  }
  return true;
}

std::string content(const json_value& choice) {
  const json_value text = choice["delta"]["content"];
  return text.is_string() ? std::string(text.string()) : std::string();
}

/// The text of one choice that has arrived.
struct told {
  std::string open;  ///< text whose end may still become part of a marker
  std::string clean;
  bool finished{};
  void settle(const std::regex& marker) {
    clean += std::regex_replace(open, marker, "");
    open.clear();
  }
};

}  // namespace

std::string fault_stream::raw() const {
  std::string out;
  for (const std::string& one : events) out += one;
  return out;
}

const std::vector<fault_stream>& fault_streams() {
  static const std::vector<fault_stream> all{writer_stream(), openai_stream(), rag_stream()};
  return all;
}

expected_view expect(const fault_stream& of, std::string_view arrived, bool framed) {
  expected_view out;
  static std::map<std::string, const std::regex, std::less<>> made;
  static std::mutex making;
  const std::regex& marker = [&]() -> const std::regex& {
    const std::lock_guard lock(making);
    return made.try_emplace(of.marker, of.marker).first->second;
  }();
  std::map<std::size_t, told> choices;
  bool done = false;
  bool any = false;
  const auto settle = [&] {
    for (auto& [choice, one] : choices) one.settle(marker);
  };
  std::vector<std::string> blocks = blocks_of(arrived);
  const auto is_done = [](const std::string& each) { return data_of(each) == "[DONE]"; };
  const bool cut_off = !blocks.empty() && breaks_off(arrived, blocks.back()) &&
                       std::none_of(blocks.begin(), blocks.end(), is_done);
  if (cut_off) blocks.pop_back();  // it is not sent
  for (const std::string& each : blocks) {
    const std::string_view block = each;
    const std::string_view data = data_of(block);
    any = any || block.starts_with("data");  // other blocks are not events
    const auto take = [&](std::size_t choice, const json_value& said) {
      told& to = choices[choice];
      to.open += content(said);
      const bool finishes = said["finish_reason"].is_string();
      if (done) {
        to.clean += std::exchange(to.open, {});  // passes through unchanged
      } else if (finishes) {
        to.settle(marker);
      }
      to.finished = to.finished || finishes;
      out.ends += finishes ? 1 : 0;
    };
    if (each_choice(data, take)) {
      ++out.events;
      continue;
    }
    if (!data.empty()) settle();
    done = done || (data == "[DONE]");
    out.blocks.push_back(each);
  }
  settle();
  bool finished = !cut_off;
  for (const auto& [choice, one] : choices) {
    out.texts.resize(std::max(out.texts.size(), choice + 1));
    out.texts[choice] = one.clean;
    finished = finished && one.finished;
  }
  out.whole = framed && (done || finished);
  out.error = !done && !(framed && finished) && (!choices.empty() || !any);
  return out;
}

std::string difference(const expected_view& expected, const fault_stream& of, std::string_view body) {
  std::vector<std::string> texts(expected.texts.size());
  std::vector<std::string> blocks;
  std::size_t events = 0;
  std::size_t added = 0;
  std::size_t errors = 0;
  std::size_t records = 0;
  bool foreign = false;
  for (const std::string& each : blocks_of(body)) {
    const std::string_view block = each;
    const std::string_view data = data_of(block);
    std::size_t length = 0;
    const auto take = [&](std::size_t choice, const json_value& said) {
      foreign = foreign || choice >= texts.size();
      if (!foreign) texts[choice] += content(said);
      length += content(said).size();
    };
    if (each_choice(data, take)) {
      ++events;
      const bool record = data.find(R"("citestream":{"version":1)") != std::string_view::npos;
      records += record ? 1 : 0;
      added += record || length != 0 ? 1 : 0;
    } else if (block.starts_with("event: error\n") &&
               block.find("\"upstream_error\"") != std::string_view::npos) {
      ++errors;
    } else {
      blocks.push_back(each);
    }
  }
  if (foreign) return "a choice that nobody sent";
  if (texts != expected.texts) return "text: '" + texts[0] + "' instead of '" + expected.texts[0] + "'";
  if (events < expected.events || events > expected.events + added) return std::to_string(events) + " events";
  if (errors != (expected.error ? 1U : 0U)) return std::to_string(errors) + " error events";
  if (blocks != expected.blocks) return "other blocks";
  // One more if the text continued after its end.
  if (records > expected.ends + 1) return std::to_string(records) + " records of citations";
  return of.events.empty() ? "no stream" : "";
}

}  // namespace citestream_tests
