// The numbers of the events of OpenAI Responses are consecutive in every stream, however its texts
// interleave.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "rewrite/json.hpp"
#include "support/parsed_json.hpp"
#include "support/rounds.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// Writes a random stream: texts of several items that interleave, and events of other kinds between them.
class writer {
 public:
  explicit writer(std::uint32_t seed) : random_(seed), named_(pick(2) == 0) {}

  std::string stream() {
    event("response.created", R"("response":{"id":"r","object":"response","output":[]})");
    texts_.resize(1 + pick(3));
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < texts_.size(); ++i) open.push_back(i);
    for (std::size_t left = 5 + pick(30); left > 0 && !open.empty(); --left) {
      if (pick(6) == 0) other();
      if (pick(8) == 0) {
        end(take(open));
      } else {
        deltas(open[pick(open.size())]);
      }
    }
    while (!open.empty()) end(take(open));
    std::string items;
    for (const std::string& text : texts_) items += (items.empty() ? "" : ",") + message(text);
    event("response.completed", R"("response":{"id":"r","object":"response","output":[)" + items + "]}");
    return out_;
  }

 private:
  std::size_t pick(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }
  std::size_t take(std::vector<std::size_t>& from) {
    const auto at = from.begin() + static_cast<std::ptrdiff_t>(pick(from.size()));
    const std::size_t taken = *at;
    from.erase(at);
    return taken;
  }

  void event(const std::string& type, const std::string& rest) {
    if (named_) out_ += "event: " + type + "\n";
    out_ += "data: {\"type\":\"" + type + "\",\"sequence_number\":" + std::to_string(number_++) + "," + rest +
            "}\n\n";
  }
  static std::string at(std::size_t item) {
    return R"("item_id":"m","content_index":0,"output_index":)" + std::to_string(item);
  }
  static std::string part(const std::string& text) {
    std::string out = R"({"type":"output_text","annotations":[],"text":)";
    append_json_string(text, out);
    return out + "}";
  }
  static std::string message(const std::string& text) {
    return R"({"id":"m","type":"message","role":"assistant","content":[)" + part(text) + "]}";
  }

  void deltas(std::size_t item) {
    static constexpr const char* pieces[] = {
        "one", " two", " [Re", "port](https://", "t.example)", "",  " ",
        " [",  "[x",   "🐍é",   "([U](u",         "))",         ".", "\\n`[a](b)` "};
    for (std::size_t left = 1 + pick(3); left > 0; --left) {
      const std::string piece = pieces[pick(std::size(pieces))];
      texts_[item] += piece;
      std::string json;
      append_json_string(piece, json);
      event("response.output_text.delta", at(item) + ",\"delta\":" + json);
    }
  }

  /// An event without text: of the provider, of another kind, not understood, or a failure that is not final.
  void other() {
    const std::string failure = R"("error":{"type":"server_error","code":"x","message":"m","param":null})";
    switch (pick(6)) {
      case 0:
        return event("keepalive", "\"x\":1");
      case 1:
        return event("x.notice", "\"x\":{\"sequence_number\":7}");
      case 2:
        return event("response.output_text.delta", R"("output_index":-1,"delta":"lost")");
      case 3:
        return event("response.output_item.done",
                     R"("output_index":90,"item":{"id":"w","type":"web_search_call"})");
      case 4:
        return event("error", failure);
      default:
        out_ += ": comment\n\n";
    }
  }

  void end(std::size_t item) {
    std::string json;
    append_json_string(texts_[item], json);
    event("response.output_text.done", at(item) + ",\"text\":" + json);
    event("response.content_part.done", at(item) + ",\"part\":" + part(texts_[item]));
    event("response.output_item.done",
          "\"output_index\":" + std::to_string(item) + ",\"item\":" + message(texts_[item]));
  }

  std::mt19937 random_;
  bool named_;
  std::vector<std::string> texts_;
  std::string out_;
  int number_{};
};

struct client_text {
  std::string deltas;
  std::vector<std::string> repeats;
};

/// What a client makes of a stream.
struct client_view {
  std::map<std::int64_t, client_text> texts;
  std::vector<std::int64_t> numbers;
};

void read_item(json_value item, client_text& out) {
  if (item["type"].string() == "message") out.repeats.emplace_back(item["content"].first()["text"].string());
}

client_view view_of(std::string_view bytes) {
  client_view out;
  for (const std::string& payload : payloads(bytes)) {
    const document event = parsed(payload);
    const json_value root = event.root();
    const std::string_view type = root["type"].string();
    if (const auto number = root["sequence_number"].integer()) out.numbers.push_back(*number);
    const std::int64_t index = root["output_index"].integer().value_or(-1);
    if (index >= 0) {
      client_text& text = out.texts[index];
      if (type == "response.output_text.delta") text.deltas += root["delta"].string();
      if (type == "response.output_text.done") text.repeats.emplace_back(root["text"].string());
      if (type == "response.content_part.done") text.repeats.emplace_back(root["part"]["text"].string());
      read_item(root["item"], text);
    }
    std::int64_t item = 0;
    for (json_value one = root["response"]["output"].first(); one; one = one.next())
      read_item(one, out.texts[item++]);
  }
  return out;
}

void check(std::string_view out) {
  const client_view seen = view_of(out);
  std::int64_t expected = 0;
  for (const std::int64_t number : seen.numbers) {
    CHECK(number == expected);
    expected = number + 1;
  }
  for (const auto& [index, text] : seen.texts) {
    for (const std::string& repeat : text.repeats) CHECK(repeat == text.deltas);
  }
}

session_options options_of(std::uint32_t seed) {
  session_options options;
  options.style = styles()[seed % styles().size()];
  reference& page = options.references.emplace_back();
  page.type = source_type::web;
  page.url = "https://t.example";
  return options;
}

}  // namespace

TEST_CASE("numbers of Responses are consecutive in random streams whose texts interleave") {
  for (std::uint32_t seed = 0; seed < scaled(600); ++seed) {
    const session_options options = options_of(seed);
    const std::string stream = writer(seed).stream();
    INFO("seed " << seed << " style " << options.style->name);
    const std::string out = run_whole(options, stream).out;
    check(out);
    session_options uncached = options;
    uncached.bounds.max_envelopes = 0;
    CHECK(run_whole(uncached, stream).out == out);
    session one(options);
    CHECK(run(one, cut_every(stream, 1)).out == out);
    const std::size_t step =
        seed < 8 ? cut_step : 97;  // every cut of some streams, some cuts of every stream
    for (std::size_t cut = 1 + seed % step; cut < stream.size(); cut += step) {
      one.reset();
      const std::string_view bytes = stream;
      if (run(one, {bytes.substr(0, cut), bytes.substr(cut)}).out != out) FAIL("cut at " << cut);
    }
  }
}
