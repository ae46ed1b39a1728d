// Answers of OpenAI Responses: several texts, each repeated four times, with annotations as numbered events.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dialect/client_view.hpp"
#include "support/parsed_json.hpp"
#include "support/rounds.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// An annotation of the provider, behind the text that it quotes.
struct annotation {
  std::string quote;
  std::string url;
  std::string title;
};

std::size_t code_points(std::string_view text) {
  text_offset size;
  size.advance(text);
  return size.codepoint;
}

/// \param before  the text up to the annotation
std::string json_of(const annotation& one, std::string_view before) {
  const std::size_t start = code_points(before.substr(0, before.rfind(one.quote)));
  return R"({"type":"url_citation","end_index":)" + std::to_string(start + code_points(one.quote)) +
         R"(,"start_index":)" + std::to_string(start) + R"(,"title":")" + one.title + R"(","url":")" +
         one.url + R"("})";
}

/// A text of the answer: pieces, each with the annotations behind it.
struct part {
  std::vector<std::pair<std::string, std::vector<annotation>>> pieces;

  [[nodiscard]] std::string text() const {
    std::string out;
    for (const auto& [text, after] : pieces) out += text;
    return out;
  }
  [[nodiscard]] std::string annotations() const {
    std::string before;
    std::string out;
    for (const auto& [text, after] : pieces) {
      before += text;
      for (const annotation& one : after) out += (out.empty() ? "" : ",") + json_of(one, before);
    }
    return "[" + out + "]";
  }
  [[nodiscard]] std::string json() const {
    return R"({"type":"output_text","annotations":)" + annotations() + R"(,"logprobs":[],"text":")" + text() +
           "\"}";
  }
};

/// What a stream of the test has.
struct shape {
  bool numbered{true};
  bool named{true};   ///< events have an `event` line
  bool search{true};  ///< a tool of the provider runs before each text
  bool background{};
  bool text_done{true};
  bool last{true};
  std::string format{"text"};
};

/// Writes a stream: one output item for each of \p texts, with a call of a tool before each.
class writer {
 public:
  explicit writer(shape how) : how_(how) {}

  std::string stream(const std::vector<part>& texts) {
    const std::string background = how_.background ? "true" : "false";
    event("response.created", R"("response":{"id":"r","object":"response","background":)" + background +
                                  R"(,"text":{"format":{"type":")" + how_.format + R"("}},"output":[]})");
    std::string items;
    for (const part& text : texts) items += (items.empty() ? "" : ",") + item(text);
    if (how_.last)
      event("response.completed", R"("response":{"id":"r","object":"response","output":[)" + items + "]}");
    return std::move(out_);
  }

  static std::string body(const std::vector<part>& texts) {
    std::string items;
    for (const part& text : texts) items += (items.empty() ? "" : ",") + search() + "," + message(text);
    return R"({"id":"r","object":"response","status":"completed","output":[)" + items + "]}";
  }

 private:
  static std::string search() { return R"({"id":"ws","type":"web_search_call","status":"completed"})"; }
  [[nodiscard]] std::string tool() const {
    return how_.search ? search() : R"({"id":"fc","type":"function_call","arguments":"{}"})";
  }
  static std::string message(const part& text) {
    return R"({"id":"msg","type":"message","role":"assistant","content":[)" + text.json() + "]}";
  }

  void event(const std::string& type, const std::string& rest) {
    if (how_.named) out_ += "event: " + type + "\n";
    out_ += "data: {\"type\":\"" + type + "\",";
    if (how_.numbered) out_ += "\"sequence_number\":" + std::to_string(number_++) + ",";
    out_ += rest + "}\n\n";
  }

  /// Both items: the call and the message.
  std::string item(const part& text) {
    event("response.output_item.done",
          "\"output_index\":" + std::to_string(index_++) + ",\"item\":" + tool());
    const std::string at = "\"item_id\":\"msg\",\"output_index\":" + std::to_string(index_);
    const std::string in = at + ",\"content_index\":0";
    event("response.content_part.added", in + R"(,"part":{"type":"output_text","text":"","annotations":[]})");
    std::size_t annotated = 0;
    std::string before;
    for (const auto& [piece, after] : text.pieces) {
      before += piece;
      event("response.output_text.delta", in + ",\"delta\":\"" + piece +
                                              R"(","logprobs":[],"obfuscation":")" +
                                              std::string(static_cast<std::size_t>(number_) % 7, 'x') + "\"");
      for (const annotation& one : after) {
        event("response.output_text.annotation.added",
              in + ",\"annotation_index\":" + std::to_string(annotated++) +
                  ",\"annotation\":" + json_of(one, before));
      }
    }
    if (how_.text_done) event("response.output_text.done", in + ",\"text\":\"" + text.text() + "\"");
    event("response.content_part.done", in + ",\"part\":" + text.json());
    event("response.output_item.done",
          "\"output_index\":" + std::to_string(index_++) + ",\"item\":" + message(text));
    return tool() + "," + message(text);
  }

  shape how_;
  std::string out_;
  int number_{};
  int index_{};
};

/// What a client knows of one text.
struct client_text {
  std::string deltas;
  std::vector<std::string> repeats;
  std::vector<std::string> annotations;         ///< from events
  std::vector<std::vector<std::string>> lists;  ///< from repeats
};

/// What a client makes of a stream.
struct client_view {
  std::map<std::int64_t, client_text> texts;  ///< by output index
  std::vector<std::int64_t> numbers;
  std::string records;
};

void read_part(json_value part, client_text& out) {
  if (part["type"].string() != "output_text") return;
  out.repeats.emplace_back(part["text"].string());
  auto& list = out.lists.emplace_back();
  for (json_value one = part["annotations"].first(); one; one = one.next()) list.emplace_back(one.raw());
}

void read_item(json_value item, client_text& out) {
  if (item["type"].string() == "message") read_part(item["content"].first(), out);
}

client_view view_of(std::string_view bytes) {
  client_view out;
  for (const std::string& payload : payloads(bytes)) {
    const document event = parsed(payload);
    const json_value root = event.root();
    const std::string_view type = root["type"].string();
    if (const auto number = root["sequence_number"].integer()) out.numbers.push_back(*number);
    client_text& text = out.texts[root["output_index"].integer().value_or(-1)];
    if (type == "response.output_text.delta") text.deltas += root["delta"].string();
    if (type == "response.output_text.done") text.repeats.emplace_back(root["text"].string());
    if (type == "response.content_part.done") read_part(root["part"], text);
    if (type == "response.output_item.done") read_item(root["item"], text);
    if (type == "response.output_text.annotation.added") {
      CHECK(root["annotation_index"].integer() == static_cast<std::int64_t>(text.annotations.size()));
      CHECK(root["item_id"].string() == "msg");
      text.annotations.emplace_back(root["annotation"].raw());
    }
    if (type != "response.completed") continue;
    std::int64_t index = 0;
    for (json_value item = root["response"]["output"].first(); item; item = item.next())
      read_item(item, out.texts[index++]);
    out.records = root["response"]["citestream"].raw();
  }
  std::erase_if(out.texts, [](const auto& one) { return one.second.repeats.empty(); });
  return out;
}

/// The bytes of a text between two code points.
std::string_view slice(std::string_view text, std::size_t start, std::size_t end) {
  text_offset at;
  std::size_t first = text.size();
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (at.codepoint == start && first == text.size()) first = i;
    if (at.codepoint == end && (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U))
      return text.substr(first, i - first);
    if (i < text.size()) at.advance(text.substr(i, 1));
  }
  return {};
}

/// Style strip, and references to pages.
session_options options_with(const std::vector<std::string>& urls) {
  session_options options = options_for(strip_style);
  for (const std::string& url : urls) {
    reference& page = options.references.emplace_back();
    page.type = source_type::web;
    page.url = url;
  }
  return options;
}

const part first{{{"🐍 Gro", {}},
                  {"wth was 20% ([a.ex](https://a.exa", {}},
                  {"mple/x)", {}},
                  {")", {{"([a.ex](https://a.example/x))", "https://a.example/x", "Page A"}}},
                  {". It fe", {}},
                  {"ll later [Re", {}},
                  {"port](https://b.example/y), as ", {}},
                  {"said ([a.ex](https://a.example/x))",
                   {{"([a.ex](https://a.example/x))", "https://a.example/x", "Page A"}}},
                  {".", {}}}};
const part second{{{"More ", {}}, {"on [B](https://b.example/y) and `[x", {}}, {"](y)` [Re", {}}}};
const part cited_page{
    {{"See [T](https://b.example/y).", {{"[T](https://b.example/y)", "https://b.example/y", "Page B"}}}}};

std::vector<std::int64_t> first_numbers(std::size_t count) {
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(static_cast<std::int64_t>(i));
  return out;
}

}  // namespace

TEST_CASE("all repeats of a text of Responses are the text that was sent") {
  const std::string stream = writer({}).stream({first, second, cited_page});
  const std::pair<const style*, std::vector<std::string>> styles[] = {
      {&keep_style, {first.text(), second.text(), cited_page.text()}},
      {&strip_style, {"🐍 Growth was 20%. It fell later, as said.", "More on and `[x](y)` [Re", "See."}},
      {&numeric_style,
       {"🐍 Growth was 20% ([1]). It fell later [2], as said ([1]).", "More on [2] and `[x](y)` [Re",
        "See [2]."}}};
  for (const auto& [how, expected] : styles) {
    INFO(how->name);
    const client_view seen = view_of(run_whole(options_for(*how), stream).out);
    REQUIRE(seen.texts.size() == expected.size());
    std::size_t place = 0;
    for (const auto& [index, text] : seen.texts) {
      CHECK(text.deltas == expected[place++]);
      CHECK(text.repeats == std::vector<std::string>(4, text.deltas));
      for (const auto& list : text.lists) CHECK(list == text.annotations);
    }
    CHECK(seen.numbers == first_numbers(seen.numbers.size()));
    CHECK(seen.records.empty() == (how == &keep_style));
  }
}

/// The stream with the same index in all items.
std::string with_one_index(std::string stream) {
  const std::string member = "\"output_index\":";
  for (std::size_t at = stream.find(member); at != std::string::npos; at = stream.find(member, at + 1))
    stream.replace(at + member.size(), stream.find_first_of(",}", at) - at - member.size(), "0");
  return stream;
}

TEST_CASE("texts of Responses whose items have the same index are rewritten like others") {
  const part again{{{"Again [A](https://a.example/x).", {}}}};
  for (const bool search : {true, false}) {
    for (const style* const how : styles()) {
      INFO(how->name << (search ? ", search" : ""));
      const session_options options = options_for(*how);
      const std::string stream = writer({.search = search}).stream({first, second, cited_page, again});
      const auto without_records = [](std::string sent) {
        return sent.substr(0, sent.find(",\"citestream\""));
      };
      CHECK(without_records(run_whole(options, with_one_index(stream)).out) ==
            without_records(with_one_index(run_whole(options, stream).out)));
    }
  }
}

TEST_CASE("annotations of Responses quote what is printed for their marker") {
  const std::pair<const style*, std::vector<std::string>> styles[] = {
      {&strip_style, {"", "", "", "", ""}}, {&numeric_style, {"[1]", "([2])", "([2])", "[1]", "[1]"}}};
  for (const auto& [how, expected] : styles) {
    INFO(how->name);
    const client_view seen =
        view_of(run_whole(options_for(*how), writer({}).stream({cited_page, first, second})).out);
    std::vector<std::string> quotes;
    for (const auto& [index, text] : seen.texts) {
      for (const std::string& json : text.annotations) {
        const document one = parsed(json);
        const auto at = [&](std::string_view key) {
          return static_cast<std::size_t>(one.root()[key].integer().value());
        };
        quotes.emplace_back(slice(text.deltas, at("start_index"), at("end_index")));
        CHECK_FALSE(one.root()["title"].string().empty());
      }
    }
    CHECK(quotes == expected);
  }
}

TEST_CASE("a source that the provider has annotated gets no annotation of ours") {
  const client_view seen =
      view_of(run_whole(options_for(strip_style), writer({}).stream({first, second, cited_page})).out);
  std::vector<std::vector<std::string>> titles;
  for (const auto& [index, text] : seen.texts) {
    auto& of_text = titles.emplace_back();
    for (const std::string& json : text.annotations)
      of_text.emplace_back(parsed(json).root()["title"].string());
  }
  // The first two texts also cite page B, which nothing has named yet when they end.
  CHECK(titles == std::vector<std::vector<std::string>>{{"Page A", "Page A"}, {}, {"Page B"}});
}

TEST_CASE("a Responses list has the source of an annotation that explains a marker") {
  const annotation one{"[7]", "https://a.example/1", "Page A"};
  const part text{{{"Fact [7]", {one}}, {" more.", {}}}};
  const part later{{{"Tea [8]", {{"[8]", "https://b.example/2", "Page B"}}}, {" and [7].", {one}}}};
  session_options options = options_for(footnote_style);
  options.grammars = {&numeric_grammar};
  const std::string a = "[^1]: [**Page A**](https://a.example/1)\n";
  const std::string b = "[^2]: [**Page B**](https://b.example/2)\n";
  const client_view seen = view_of(run_whole(options, writer({}).stream({text, later})).out);
  REQUIRE(seen.texts.size() == 2);
  CHECK(seen.texts.begin()->second.deltas == "Fact[^1] more.\n\n" + a);
  CHECK(seen.texts.rbegin()->second.deltas == "Tea[^2] and[^1].\n\n" + a + b);
  CHECK_THAT(seen.records, !Catch::Contains("unresolved"));
  session body(options);
  std::string sent;
  REQUIRE_FALSE(body.rewrite_body(writer::body({text, later}), sent));
  CHECK_THAT(sent, Catch::Contains("[**Page A**]") && Catch::Contains("[**Page B**]"));
}

TEST_CASE("a citation of Responses is resolved by an annotation in a later text") {
  const auto count = [](const std::vector<part>& texts) {
    return run_whole(options_for(strip_style), writer({}).stream(texts)).counts;
  };
  CHECK(count({first, second, cited_page}).unresolved == 0);
  CHECK(count({first, second, cited_page}).resolved == 5);
  CHECK(count({first, second}).unresolved == 2);
}

TEST_CASE("how a stream of Responses is cut decides nothing") {
  const std::string stream = writer({}).stream({first, second, cited_page});
  for (const style* how : {&strip_style, &numeric_style, &footnote_style}) {
    CHECK(cut_difference(options_for(*how), stream) == "");
  }
}

TEST_CASE("a body of Responses has the text and the annotations of the stream") {
  const std::vector<part> texts{cited_page, first, second};
  for (const style* how : {&keep_style, &strip_style, &numeric_style, &footnote_style}) {
    INFO(how->name);
    const client_view streamed = view_of(run_whole(options_for(*how), writer({}).stream(texts)).out);
    session one(options_for(*how));
    std::string body;
    REQUIRE_FALSE(one.rewrite_body(writer::body(texts), body));
    client_view seen;
    std::int64_t index = 0;
    const document answer = parsed(body);
    for (json_value item = answer.root()["output"].first(); item; item = item.next())
      read_item(item, seen.texts[index++]);
    for (const auto& [place, text] : streamed.texts) {
      CHECK(seen.texts[place].repeats.at(0) == text.deltas);
      CHECK(seen.texts[place].lists.at(0) == text.annotations);
    }
    CHECK(answer.root()["citestream"].raw() == streamed.records);
  }
}

TEST_CASE("a stream of Responses without markers passes unchanged") {
  const part plain{{{"A 🐍", {}}, {" [1] text", {{"text", "https://a.example/x", "Page A"}}}, {".", {}}}};
  session_options options = options_for(strip_style);
  options.add = additions::never;
  for (const bool numbered : {true, false}) {
    const std::string stream = writer({.numbered = numbered}).stream({plain});
    CHECK(run_whole(options, stream).out == stream);
  }
}

TEST_CASE("events that are added to a stream of Responses without numbers have none") {
  const std::string out =
      run_whole(options_for(strip_style), writer({.numbered = false}).stream({second})).out;
  CHECK(out.find("sequence_number") == std::string::npos);
  CHECK(view_of(out).texts.at(1).deltas == "More on and `[x](y)` [Re");
}

TEST_CASE("no number of a background response changes") {
  const std::string stream = writer({.background = true}).stream({second});
  const client_view seen = view_of(run_whole(options_for(strip_style), stream).out);
  CHECK(seen.texts.at(1).deltas == "More on and `[x](y)` [Re");
  CHECK(seen.texts.at(1).annotations.empty());
  std::vector<std::int64_t> numbers = view_of(stream).numbers;
  // The rest of the text is an event before `output_text.done`, with the number of the event before it.
  numbers.insert(numbers.begin() + 6, 5);
  CHECK(seen.numbers == numbers);
}

TEST_CASE("held text of Responses is sent before the first repeat of it") {
  for (const bool text_done : {true, false}) {
    const client_view seen = view_of(
        run_whole(options_for(strip_style), writer({.text_done = text_done}).stream({second, second})).out);
    for (const std::int64_t index : {1, 3}) {
      CHECK(seen.texts.at(index).deltas == "More on and `[x](y)` [Re");
      CHECK(seen.texts.at(index).repeats ==
            std::vector<std::string>(text_done ? 4 : 3, seen.texts.at(index).deltas));
    }
    CHECK(seen.numbers == first_numbers(seen.numbers.size()));
  }
}

TEST_CASE("a stream of Responses without its last event is incomplete") {
  const std::string stream = writer({.last = false}).stream({second});
  const stream_run seen =
      run_whole(options_for(strip_style), stream, {stream_end::aborted, "too slow", "upstream_timeout"});
  CHECK(seen.end.code == errc::upstream_incomplete);
  const std::string last = payloads(seen.out).back();
  const document error = parsed(last);
  CHECK(error.root()["type"].string() == "error");
  for (const json_value details : {error.root(), error.root()["error"]}) {
    CHECK(details["code"].string() == "upstream_error");
    CHECK(details["message"].string() == "too slow");
    CHECK(details["param"].is_null());
  }
  const client_view view = view_of(seen.out);
  CHECK(view.numbers == first_numbers(view.numbers.size()));
}

namespace {

/// The events of a stream, numbered anew in the order of \p blocks.
std::string numbered(const std::vector<std::string>& blocks) {
  constexpr std::string_view name = "\"sequence_number\":";
  std::string out;
  int number = 0;
  for (std::string block : blocks) {
    const std::size_t at = block.find(name) + name.size();
    block.replace(at, block.find(',', at) - at, std::to_string(number++));
    out += block;
  }
  return out;
}

std::vector<std::string> blocks_of(std::string_view stream) {
  std::vector<std::string> out;
  while (!stream.empty()) {
    const std::size_t size = stream.find("\n\n") + 2;
    out.emplace_back(stream.substr(0, size));
    stream.remove_prefix(size);
  }
  return out;
}

const part two_pages{
    {{"🐍 One [A](https://a.example/x).", {{"[A](https://a.example/x)", "https://a.example/x", "Page A"}}},
     {" Two [B](https://b.example/y).", {{"[B](https://b.example/y)", "https://b.example/y", "Page B"}}}}};

/// Calls \p check with streams of \p texts, whose events are merged in many ways.
template <typename Check>
void check_merged(const std::vector<part>& texts, const Check& check) {
  const std::vector<std::string> all = blocks_of(writer({}).stream(texts));
  std::vector<std::string> items[2];
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    const std::int64_t index = parsed(payloads(all[i]).front()).root()["output_index"].integer().value();
    items[index / 2].push_back(all[i]);
  }
  std::string order = std::string(items[0].size(), '0') + std::string(items[1].size(), '1');
  std::size_t merges = 0;
  do {
    if (merges++ % 97 != 0) continue;
    std::vector<std::string> blocks{all.front()};
    std::size_t next[2]{};
    for (const char item : order) {
      const auto of = static_cast<std::size_t>(item - '0');
      blocks.push_back(items[of][next[of]++]);
    }
    blocks.push_back(all.back());
    INFO(order);
    check(numbered(blocks));
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(merges > 1000);
}

}  // namespace

TEST_CASE("items of Responses that are open at the same time are rewritten like others") {
  check_merged({two_pages, two_pages}, [](const std::string& stream) {
    const client_view seen = view_of(run_whole(options_for(numeric_style), stream).out);
    REQUIRE(seen.texts.size() == 2);
    for (const auto& [index, text] : seen.texts) {
      REQUIRE(text.deltas == "🐍 One [1]. Two [2].");
      REQUIRE(text.repeats == std::vector<std::string>(4, text.deltas));
      for (const auto& list : text.lists) REQUIRE(list == text.annotations);
      std::string quotes;
      for (const std::string& json : text.annotations) {
        const document one = parsed(json);
        quotes += slice(text.deltas, static_cast<std::size_t>(one.root()["start_index"].integer().value()),
                        static_cast<std::size_t>(one.root()["end_index"].integer().value()));
      }
      REQUIRE(quotes == "[1][2]");
    }
    REQUIRE(seen.numbers == first_numbers(seen.numbers.size()));
    const document records = parsed(seen.records);
    for (json_value one = records.root()["citations"].first(); one; one = one.next()) {
      REQUIRE(one["path"]["output"].integer());
      REQUIRE(one["origin"].string() == "both");
    }
  });
}

TEST_CASE("markers that another item of Responses interrupts are the same in all repeats") {
  for (const style* how : {&strip_style, &footnote_style}) {
    check_merged({second, cited_page}, [how](const std::string& stream) {
      const client_view seen = view_of(run_whole(options_for(*how), stream).out);
      REQUIRE(seen.texts.size() == 2);
      for (const auto& [index, text] : seen.texts) {
        REQUIRE(text.repeats == std::vector<std::string>(4, text.deltas));
        for (const auto& list : text.lists) REQUIRE(list == text.annotations);
      }
      REQUIRE(seen.numbers == first_numbers(seen.numbers.size()));
    });
  }
}

TEST_CASE("an annotation of a text that is interrupted too often keeps its positions") {
  const std::vector<std::string> all = blocks_of(writer({}).stream({two_pages, cited_page}));
  const auto with = [&](std::string_view what, std::string_view index) {
    return std::ranges::find_if(all, [&](const std::string& one) {
      return one.find(what) < 40 && one.find("\"output_index\":" + std::string(index)) != std::string::npos;
    });
  };
  for (const std::size_t rounds : {2U, 1000U}) {
    std::vector<std::string> blocks{all.front()};
    for (std::size_t i = 0; i < rounds; ++i) {
      blocks.push_back(*with("output_text.delta", "1"));
      blocks.push_back(*with("output_text.delta", "3"));
    }
    blocks.push_back(*with("output_text.annotation.added", "1"));
    const stream_run seen = run_whole(options_for(strip_style), numbered(blocks));
    CHECK(seen.counts.unconverted == (rounds == 2 ? 0 : 1));
    CHECK((seen.out.find(R"("end_index":30,"start_index":6)") == std::string::npos) == (rounds == 2));
  }
}

TEST_CASE("an annotation of Responses before its text is the only one of its page") {
  std::vector<std::string> blocks = blocks_of(writer({}).stream({cited_page}));
  const auto of_type = [&](std::string_view type) {
    return std::ranges::find_if(blocks, [&](const std::string& one) { return one.find(type) < 40; });
  };
  const auto delta = of_type("output_text.delta");
  std::iter_swap(delta, of_type("output_text.annotation.added"));
  const std::string stream = numbered(blocks);
  for (const style* how : {&strip_style, &numeric_style}) {
    session one(options_for(*how));
    const stream_run whole = run(one, {stream});
    const client_text seen = view_of(whole.out).texts.at(1);
    CHECK(seen.annotations.size() == 1);  // with the positions of the provider: its text has not come
    CHECK(seen.annotations.front() == json_of(cited_page.pieces[0].second[0], cited_page.text()));
    for (const auto& list : seen.lists) {
      REQUIRE(list.size() == 1);
      const document only = parsed(list.front());
      const auto at = [&](std::string_view key) {
        return static_cast<std::size_t>(only.root()[key].integer().value());
      };
      CHECK(slice(seen.deltas, at("start_index"), at("end_index")) == (how == &strip_style ? "" : "[1]"));
      CHECK(at("start_index") <= code_points(seen.deltas));
    }
    CHECK(whole.counts.resolved == 1);
    for (std::size_t at = 1; at < stream.size(); at += 7) {
      one.reset();
      const std::string_view bytes = stream;
      REQUIRE(run(one, {bytes.substr(0, at), bytes.substr(at)}).out == whole.out);
    }
  }
}

TEST_CASE("a string of all texts of Responses is the text that was sent") {
  const auto with = [](std::string bytes, const std::string& text) {
    const std::string_view object = R"("object":"response",)";
    return bytes.insert(bytes.rfind(object), "\"output_text\":\"" + text + "\",");
  };
  const std::string all = first.text() + second.text() + cited_page.text();
  for (const style* how : {&keep_style, &strip_style, &numeric_style, &footnote_style}) {
    INFO(how->name);
    const auto texts = {first, second, cited_page};
    const std::string out = run_whole(options_for(*how), with(writer({}).stream(texts), all)).out;
    std::string expected;
    for (const auto& [index, text] : view_of(out).texts) expected += text.deltas;
    const document last = parsed(payloads(out).back());
    CHECK(last.root()["response"]["output_text"].string() == expected);
    session one(options_for(*how));
    std::string body;
    REQUIRE_FALSE(one.rewrite_body(with(writer::body(texts), all), body));
    const document seen = parsed(body);
    std::string joined;
    for (json_value item = seen.root()["output"].first(); item; item = item.next())
      joined += item["content"].first()["text"].string();
    CHECK(seen.root()["output_text"].string() == joined);
    CHECK(one.statistics().unconverted == 0);
  }
  const std::string other = with(writer({}).stream({second}), "[B](https://b.example/y)");
  const stream_run kept = run_whole(options_for(strip_style), other);
  CHECK(kept.out.find(R"~("output_text":"[B](https://b.example/y)")~") != std::string::npos);
  CHECK(kept.counts.unconverted == 1);
}

TEST_CASE("a repeat that differs from the deltas stays as it is") {
  std::string stream = writer({}).stream({second});
  const std::string done = "\"text\":\"" + second.text() + "\"";
  const std::size_t at = stream.find(done);
  stream.replace(at, done.size(), R"("text":"[B](https://b.example/y) other")");
  const stream_run whole = run_whole(options_for(strip_style), stream);
  const client_view seen = view_of(whole.out);
  CHECK(whole.counts.unconverted == 1);
  CHECK(seen.texts.at(1).repeats.at(0) == "[B](https://b.example/y) other");
  CHECK(seen.texts.at(1).repeats.at(1) == "More on and `[x](y)` [Re");
}

TEST_CASE("structured output of Responses passes unchanged") {
  const std::string stream = writer({.format = "json_schema"}).stream({first});
  CHECK(run_whole(options_for(strip_style), stream).out == stream);
}

TEST_CASE("text of Responses ends where another begins") {
  const client_view seen =
      view_of(run_whole(options_for(strip_style),
                        writer({}).stream({{{{"`open [a](b", {}}}}, {{{"c) [T](u) x", {}}}}}))
                  .out);
  CHECK(seen.texts.at(1).deltas == "`open [a](b");
  CHECK(seen.texts.at(3).deltas == "c) x");
}

TEST_CASE("a link to a file in the sandbox of a tool stays") {
  const part link{{{"Here: [a.csv](sandbox:/mnt/a.csv) [T](https://t.example).", {}}}};
  const client_view seen = view_of(run_whole(options_for(strip_style), writer({}).stream({link})).out);
  CHECK(seen.texts.at(1).deltas == "Here: [a.csv](sandbox:/mnt/a.csv).");
}

/// The path in records of the text in an output item.
std::string path_of(int output) {
  return "{\"output\":" + std::to_string(output) + R"(,"content":0,"item":"msg"})";
}

TEST_CASE("a record of Responses names the text of the citation") {
  const std::string out =
      run_whole(options_for(strip_style), writer({}).stream({first, second, cited_page})).out;
  CHECK(record_paths(view_of(out).records) ==
        std::vector<std::string>{path_of(1), path_of(1), path_of(1), path_of(3), path_of(5)});
}

TEST_CASE("a record of Responses names the item of the first text too") {
  const std::string stream = with_one_index(writer({}).stream({first}));
  CHECK_THAT(view_of(run_whole(options_for(strip_style), stream).out).records, Catch::Contains(path_of(0)));
  std::string body = writer::body({first});
  const std::size_t search = body.find("{\"id\":\"ws\"");
  body.erase(search, body.find("{\"id\":\"msg\"") - search);
  std::string sent;
  REQUIRE_FALSE(session(options_for(strip_style)).rewrite_body(body, sent));
  CHECK_THAT(sent, Catch::Contains(path_of(0)));
}

TEST_CASE("a stream of Responses that is resumed passes unchanged") {
  const std::string stream = writer({}).stream({first, second, cited_page});
  const session_options options = options_for(strip_style);
  std::string begun = stream;
  const std::string created = "response.created";
  for (std::size_t at = begun.find(created); at != std::string::npos; at = begun.find(created))
    begun.replace(at, created.size(), "response.in_progress");
  CHECK(run_whole(options, begun).out.find("\"citestream\"") != std::string::npos);
  begun.replace(begun.find("\"sequence_number\":0"), 19, "\"sequence_number\":1");
  CHECK(run_whole(options, begun).out == begun);
  for (std::size_t at = stream.find("\n\n"); at + 2 < stream.size(); at = stream.find("\n\n", at + 2)) {
    if (at + 2 == stream.rfind("event:")) break;  // the last event holds the whole response
    CHECK(run_whole(options, stream.substr(at + 2)).out == stream.substr(at + 2));
  }
}

TEST_CASE("a text of Responses that lacks a list of annotations gets one with ours") {
  const part link{{{"See [T](https://b.example/y) now.", {}}}};
  const std::string list = "\"annotations\":[]";
  session_options options = options_with({"https://b.example/y"});
  const auto lists_of = [&](const std::string& lacking) {
    std::string stream = writer({.search = false}).stream({link});
    std::string whole = writer::body({link});
    for (std::string* const text : {&stream, &whole}) {
      for (std::size_t at = text->find(list + ","); at != std::string::npos;
           at = text->find(list + ",", at + lacking.size()))
        text->replace(at, list.size() + 1, lacking);
    }
    session body(options);
    std::string rewritten;
    REQUIRE_FALSE(body.rewrite_body(whole, rewritten));
    client_text of_body;
    read_item(parsed(rewritten).root()["output"].first().next(), of_body);
    auto lists = view_of(run_whole(options, stream).out).texts.begin()->second.lists;
    lists.push_back(of_body.lists.at(0));
    return lists;
  };
  const auto expected = lists_of(list + ",");
  REQUIRE(expected.size() == 4);
  REQUIRE(expected.front().size() == 1);
  CHECK(lists_of("") == expected);
  CHECK(lists_of("\"annotations\":null,") == expected);
}

TEST_CASE("citations of Responses have records although the provider sends no references") {
  const part link{{{"See [T](https://t.example).", {}}}};
  const client_view seen = view_of(run_whole(options_for(strip_style), writer({}).stream({link})).out);
  const document records = parsed(seen.records);
  CHECK(records.root()["citations"].first()["identifier"].string() == "https://t.example");
  session one(options_for(strip_style));
  std::string body;
  REQUIRE_FALSE(one.rewrite_body(writer::body({link}), body));
  CHECK(parsed(body).root()["citestream"].raw() == seen.records);
}

TEST_CASE("a marker at the end of a text of Responses changes nothing in the next text") {
  const part ends{{{"Blue [T](https://t.example)", {}}}};
  const part next{{{"Red.", {}}}};
  for (const style* how : styles()) {
    if (how->space == spacing::untouched) continue;
    const client_view seen = view_of(run_whole(options_for(*how), writer({}).stream({ends, next})).out);
    CHECK(std::string_view(seen.texts.at(3).deltas).starts_with("Red."));
    CHECK(seen.texts.at(3).repeats == std::vector<std::string>(4, seen.texts.at(3).deltas));
  }
}

TEST_CASE("a Responses annotation without positions counts and is not repeated") {
  const std::string added =
      "event: response.output_text.annotation.added\ndata: {\"type\":"
      "\"response.output_text.annotation.added\",\"item_id\":\"msg\",\"output_index\":1,"
      "\"content_index\":0,\"annotation_index\":0,\"annotation\":"
      R"({"type":"url_citation","url":"https://t.example"}})"
      "\n\n";
  const part text{{{"See [T](https://t.example) and [U](https://u.example).", {}}}};
  std::string stream = writer({.numbered = false}).stream({text});
  stream.insert(stream.find("event: response.output_text.done"), added);
  const client_view seen = view_of(
      run_whole(options_with({"https://t.example", "https://u.example"}), stream).out);  // checks the indexes
  REQUIRE(seen.texts.at(1).annotations.size() == 2);
  CHECK(parsed(seen.texts.at(1).annotations[1]).root()["url"].string() == "https://u.example");
}

TEST_CASE("the lists of Responses have the place of an annotation in text that was held") {
  const part text{{{"It grew [note", {{"note", "https://t.example", "T"}}}}};
  const client_view seen = view_of(run_whole(options_for(strip_style), writer({}).stream({text, text})).out);
  REQUIRE(seen.texts.size() == 2);
  for (const auto& [output, one] : seen.texts) {
    CHECK(one.deltas == "It grew [note");
    for (const std::vector<std::string>& list : one.lists) {
      REQUIRE(list.size() == 1);
      CHECK(parsed(list.front()).root()["start_index"].integer() == 9);
      CHECK(parsed(list.front()).root()["end_index"].integer() == 13);
    }
  }
}

TEST_CASE("no annotation of Responses changes if no text may change") {
  const std::string added =
      "event: response.output_text.annotation.added\ndata: {\"type\":"
      "\"response.output_text.annotation.added\",\"item_id\":\"msg\",\"output_index\":1,"
      "\"content_index\":0,\"annotation_index\":0,\"annotation\":"
      R"({"type":"url_citation","start_index":0,"end_index":6,"url":"https://t.example","title":"T"}})"
      "\n\n";
  std::string stream =
      writer({.numbered = false}).stream({part{{{"See [T", {}}, {"](https://t.example)", {}}}}});
  const std::size_t next = stream.find("event: response.output_text.delta", stream.find("See [T"));
  stream.insert(next, added);  // while "[T" may be the start of a marker
  session_options options = options_for(keep_style);
  options.add = additions::never;
  CHECK(run_whole(options, stream).out == stream);
}

/// Deltas as models write them, without an annotation of the provider.
const part tokens{{{"It fell", {}},
                   {" [", {}},
                   {"T](https:", {}},
                   {"//t.example)", {}},
                   {",", {}},
                   {" rose", {}},
                   {" [", {}},
                   {"U](https://u.example)", {}},
                   {" [", {}},
                   {"T](https://t.example)", {}},
                   {" and", {}},
                   {" [U](https://u.example)", {}}}};

TEST_CASE("an emptied event of Responses becomes the annotation of a complete citation") {
  const session_options options = options_with({"https://t.example", "https://u.example"});
  for (const shape& how : {shape{.search = false}, shape{.named = false, .search = false},
                           shape{.numbered = false, .search = false}}) {
    const std::string stream = writer(how).stream({tokens, tokens});
    const stream_run whole = run_whole(options, stream);
    const client_view seen = view_of(whole.out);
    for (const std::int64_t index : {1, 3}) {
      const client_text& text = seen.texts.at(index);
      CHECK(text.deltas == "It fell, rose and");
      REQUIRE(text.annotations.size() == 4);
      for (const auto& list : text.lists) CHECK(list == text.annotations);
    }
    CHECK(seen.numbers == first_numbers(seen.numbers.size()));
    CHECK((whole.out.find("event: ") == std::string::npos) == !how.named);
    // Events are replaced, not added: no number of an event changes.
    CHECK(payloads(whole.out).size() == payloads(stream).size());
    for (const std::size_t size : {1U, 2U, 3U, 7U, 50U}) {
      session one(options);
      CHECK(run(one, cut_every(stream, size)).out == whole.out);
    }
    session uncached([&] {
      session_options copy = options;
      copy.bounds.max_envelopes = 0;
      return copy;
    }());
    CHECK(run(uncached, {stream}).out == whole.out);
  }
}

TEST_CASE("the annotation of a link in Responses replaces the event that ends the link") {
  const std::string out = run_whole(options_with({"https://t.example", "https://u.example"}),
                                    writer({.search = false}).stream({tokens}))
                              .out;
  std::string order;  // d: a delta with text, e: without, a: an annotation
  for (const std::string& payload : payloads(out)) {
    const document event = parsed(payload);
    if (event.root()["type"].string() == "response.output_text.annotation.added") order += 'a';
    if (const json_value delta = event.root()["delta"]) order += delta.string().empty() ? 'e' : 'd';
  }
  CHECK(order == "deeaedeaeada");
}

TEST_CASE("no event of Responses becomes an annotation if the provider may annotate") {
  const auto annotated_before_end = [](const std::string& stream) {
    const std::string out = run_whole(options_with({"https://t.example", "https://u.example"}), stream).out;
    static_cast<void>(view_of(out));  // checks the indexes
    return out.find("annotation.added") < out.find(R"("delta":" and")");
  };
  CHECK(annotated_before_end(writer({.search = false}).stream({tokens})));
  CHECK_FALSE(annotated_before_end(writer({}).stream({tokens})));
}

TEST_CASE("Responses annotations after added ones are numbered and placed after them") {
  part annotated = tokens;
  annotated.pieces[5].second = {{"fell", "https://v.example", "Page V"}};
  const client_view seen = view_of(run_whole(options_with({"https://t.example", "https://u.example"}),
                                             writer({.search = false}).stream({annotated}))
                                       .out);  // checks the indexes
  const client_text& text = seen.texts.at(1);
  REQUIRE(text.annotations.size() == 5);
  CHECK(parsed(text.annotations[0]).root()["url"].string() == "https://t.example");
  CHECK(parsed(text.annotations[1]).root()["title"].string() == "Page V");
  for (const auto& list : text.lists) CHECK(list == text.annotations);
}

TEST_CASE("a background response of Responses gets annotations that keep the numbers") {
  const std::string stream = writer({.search = false, .background = true}).stream({tokens});
  const client_view seen =
      view_of(run_whole(options_with({"https://t.example", "https://u.example"}), stream).out);
  CHECK(seen.numbers == view_of(stream).numbers);
  CHECK(seen.texts.at(1).annotations.size() == 4);
}

TEST_CASE("an annotation of Responses is empty if a space replaces its marker") {
  const part cited{{{"foo ([e.ex](https://e.example/))bar.",
                     {{"[e.ex](https://e.example/)", "https://e.example/", "E"}}}}};
  const client_view seen = view_of(run_whole({}, writer({}).stream({cited})).out);
  CHECK(seen.texts.at(1).deltas == "foo bar.");
  REQUIRE(seen.texts.at(1).annotations.size() == 1);
  for (const auto& list : seen.texts.at(1).lists) CHECK(list == seen.texts.at(1).annotations);
  const document one = parsed(seen.texts.at(1).annotations.front());
  CHECK(one.root()["start_index"].integer() == 3);
  CHECK(one.root()["end_index"].integer() == 3);
}

TEST_CASE("positions of Responses after the text received stay as far after it") {
  for (const std::string received : {"It rose by 20%.", "It rose [A](https://a.example/x) by 20%."}) {
    const std::string added =
        "event: response.output_text.annotation.added\ndata: {\"type\":"
        "\"response.output_text.annotation.added\",\"item_id\":\"msg\",\"output_index\":1,"
        "\"content_index\":0,\"annotation_index\":0,\"annotation\":"
        R"({"type":"url_citation","start_index":100,"end_index":120,"url":"https://t.example","title":"T"}})"
        "\n\n";
    std::string stream = writer({.numbered = false}).stream({part{{{received, {}}}}});
    stream.insert(stream.find("event: response.output_text.done"), added);
    session_options options = options_for(strip_style);
    options.add = additions::never;
    const std::string out = run_whole(options, stream).out;
    const client_view seen = view_of(out);
    const std::size_t removed = received.size() - seen.texts.at(1).deltas.size();
    if (removed == 0) CHECK(out == stream);
    REQUIRE(seen.texts.at(1).annotations.size() == 1);
    const document annotation = parsed(seen.texts.at(1).annotations[0]);
    CHECK(annotation.root()["start_index"].raw() == std::to_string(100 - removed));
    CHECK(annotation.root()["end_index"].raw() == std::to_string(120 - removed));
  }
}

TEST_CASE("a number of an event that is not an exact integer is left as it is") {
  const part text{{{"See [T](https://t.example).", {}}}};
  for (const std::string number : {"9223372036854775807", "9007199254740993", "-1", "1.5", "\"7\"", "null"}) {
    std::string stream = writer({.numbered = false}).stream({text});
    for (std::size_t at = stream.find("\"item_id\""); at != std::string::npos;) {
      stream.insert(at, "\"sequence_number\":" + number + ",");
      at = stream.find("\"item_id\"", at + number.size() + 30);
    }
    const stream_run done = run_whole(options_with({"https://t.example", "https://u.example"}), stream);
    CHECK_FALSE(done.error);
    std::size_t received = 0;
    for (const std::string& payload : payloads(done.out)) {
      const document event = parsed(payload);
      const json_value kept = event.root()["sequence_number"];
      if (!kept) continue;
      ++received;
      CHECK(kept.raw() == number);
    }
    CHECK(received == 4);
    CHECK(view_of(done.out).texts.at(1).annotations.size() == 1);
  }
}

TEST_CASE("a Responses citation is in its text even if parts are counted differently") {
  // Text events count parts from 1, lists from 0.
  const auto event = [](const std::string& type, const std::string& rest) {
    return "data: {\"type\":\"response." + type + "\"," + rest + "}\n\n";
  };
  const auto annotation = [](const std::string& id, const std::string& place) {
    return R"({"type":")" + id + R"(_citation","file_id":"f","filename":"F",)" + place + "}";
  };
  const std::string texts[] = {"One x.", "Two longer y."};
  const std::string lists[] = {"", annotation("container_file", R"("start_index":0,"end_index":3)") + "," +
                                       annotation("file", R"("index":12)")};
  std::string stream = event("created", R"("response":{"object":"response","output":[]})");
  std::string parts;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string at =
        R"("item_id":"msg","output_index":0,"content_index":)" + std::to_string(i + 1) + ",";
    stream += event("output_text.delta", at + R"("delta":")" + texts[i] + "\"");
    stream += event("output_text.done", at + R"("text":")" + texts[i] + "\"");
    parts += (i == 0 ? "" : ",") + (R"({"type":"output_text","text":")" + texts[i] + R"(","annotations":[)") +
             lists[i] + "]}";
  }
  const std::string item = R"({"id":"msg","type":"message","role":"assistant","content":[)" + parts + "]}";
  const std::string added =
      R"("item_id":"msg","output_index":0,"content_index":2,"annotation_index":0,"annotation":)" +
      annotation("container_file", R"("start_index":0,"end_index":3)");
  stream += event("output_text.annotation.added", added);
  stream += event("output_item.done", R"("output_index":0,"item":)" + item);
  stream += event("completed", R"("response":{"object":"response","output":[)" + item + "]}");
  const document records = parsed(view_of(run_whole({}, stream).out).records);
  const json_value all = records.root()["citations"];
  const std::int64_t places[][2] = {{6, 9}, {18, 18}};
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(all[i]["path"]["content"].integer() == 2);
    CHECK(all[i]["start"].integer() == places[i][0]);
    CHECK(all[i]["end"].integer() == places[i][1]);
  }
  CHECK_FALSE(all[2]);
}

TEST_CASE("texts of Responses whose deltas are interleaved have repeats without markers") {
  const std::vector<std::string> texts{"See [T](https://t.example) and [U](https://u.example).",
                                       "Or [T](https://t.example), or 🐍."};
  std::string stream = R"(data: {"type":"response.created","response":{"object":"response","output":[]}})"
                       "\n\n";
  const auto event = [&](std::string_view type, std::size_t item, std::string_view rest) {
    stream.append("data: {\"type\":\"response.")
        .append(type)
        .append("\",\"item_id\":\"msg\",\"output_index\":");
    stream.append(std::to_string(item)).append(",\"content_index\":0,").append(rest).append("}\n\n");
  };
  const std::vector<std::pair<std::size_t, std::size_t>> cuts{{0, 27}, {27, 1000}};
  for (const auto& [begin, end] : cuts) {
    for (std::size_t item = 0; item < texts.size(); ++item)
      event("output_text.delta", item, "\"delta\":\"" + texts[item].substr(begin, end - begin) + "\"");
  }
  for (std::size_t item = 0; item < texts.size(); ++item) {
    const std::string part = R"({"type":"output_text","annotations":[],"text":")" + texts[item] + "\"}";
    event("output_text.done", item, "\"text\":\"" + texts[item] + "\"");
    event("content_part.done", item, "\"part\":" + part);
  }
  stream.append(R"(data: {"type":"response.completed","response":{"object":"response","output":[]}})"
                "\n\n");
  const stream_run done = run_whole(options_with({"https://t.example"}), stream);
  CHECK_FALSE(done.end);
  const client_view seen = view_of(done.out);
  CHECK(seen.texts.at(0).deltas == "See and.");
  CHECK(seen.texts.at(1).deltas == "Or, or 🐍.");
  for (const auto& [item, text] : seen.texts) CHECK(text.repeats == std::vector<std::string>(2, text.deltas));
}

TEST_CASE("events of any type are renumbered after one is added to a stream of Responses") {
  const part text{{{"See [T](https://t.example).", {}}}};
  std::string stream = writer({}).stream({text});
  const std::size_t last = stream.find("event: response.completed");
  const std::int64_t number = view_of(stream).numbers.back();
  std::string completed = stream.substr(last);
  const std::string was = "\"sequence_number\":" + std::to_string(number);
  completed.replace(completed.find(was), was.size(), "\"sequence_number\":" + std::to_string(number + 1));
  stream.resize(last);
  stream.append("data: {\"type\":\"x.notice\",").append(was).append("}\n\n").append(completed);
  const std::vector<std::int64_t> numbers =
      view_of(run_whole(options_with({"https://t.example"}), stream).out).numbers;
  REQUIRE(numbers.size() == static_cast<std::size_t>(number) + 3);  // the notice and an annotation of ours
  for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(numbers[i] == static_cast<std::int64_t>(i));
}

TEST_CASE("held text of an interrupted Responses text moves all later numbers") {
  int number = 0;
  const auto event = [&](const std::string& type, const std::string& rest) {
    return "data: {\"type\":\"" + type + "\"," + rest + ",\"sequence_number\":" + std::to_string(number++) +
           "}\n\n";
  };
  const auto delta = [&](int item, const std::string& text) {
    return event("response.output_text.delta", "\"item_id\":\"m\",\"output_index\":" + std::to_string(item) +
                                                   R"(,"content_index":0,"delta":")" + text + "\"");
  };
  std::string stream = event("response.created", R"("response":{"object":"response","output":[]})");
  for (int i = 0; i < 4; ++i) {
    for (const int item : {1, 2}) {
      for (const char* const text : {"one", " two", " [Re"}) stream += delta(item, text);
    }
  }
  stream += event("response.completed", R"("response":{"object":"response","output":[]})");
  const stream_run whole = run_whole(options_for(strip_style), stream);
  const client_view seen = view_of(whole.out);
  CHECK(seen.numbers.size() > 26);
  CHECK(seen.numbers == first_numbers(seen.numbers.size()));
  session one(options_for(strip_style));
  CHECK(run(one, cut_every(stream, 1)).out == whole.out);
}

TEST_CASE("the error of a stream of Responses that breaks off has the next number") {
  const std::string stream = writer({.search = false}).stream({tokens});
  for (std::size_t end = stream.find("event: response.output_text.delta"); end != std::string::npos;
       end = stream.find("event: ", end + 1)) {
    const client_view seen = view_of(run_whole(options_for(strip_style), stream.substr(0, end)).out);
    CHECK(seen.numbers == first_numbers(seen.numbers.size()));
  }
}

TEST_CASE("an item of a conversation is rewritten as in the list of its items") {
  const std::string item =
      R"({"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text",)"
      R"("text":"Sales [A](https://a.example/x) rose.","annotations":[{"type":"url_citation","start_index":6,)"
      R"("end_index":30,"url":"https://a.example/x","title":"A"}]}]})";
  const auto rewritten = [](const std::string& body) {
    session one(options_for(strip_style));
    std::string out;
    REQUIRE_FALSE(one.rewrite_body(body, out));
    return out;
  };
  const document list = parsed(rewritten(R"({"object":"list","data":[)" + item + "]}"));
  const document alone = parsed(rewritten(item));
  const json_value in_list = list.root()["data"][std::size_t{0}]["content"];
  CHECK(alone.root()["content"].raw() == in_list.raw());
  CHECK(in_list[std::size_t{0}]["text"].string() == "Sales rose.");
  CHECK(alone.root()["citestream"]["citations"].raw() == list.root()["citestream"]["citations"].raw());
  for (const std::string other :
       {R"~({"type":"message","role":"user","content":[{"type":"input_text","text":"[A](b)"}]})~",
        R"~({"type":"reasoning","summary":[{"type":"summary_text","text":"[A](b)"}]})~"})
    CHECK(rewritten(other) == other);
}

TEST_CASE("a number as title of a Responses annotation is not the title of a source") {
  const part numbered{{{"Growth was 12%[[1]](https://a.example/x)",
                        {{"[[1]](https://a.example/x)", "https://a.example/x", "1"}}},
                       {". It fell [2](https://b.example/y).", {}}}};
  session_options options = options_with({"https://b.example/y"});
  const std::string sent = run_whole(options, writer({}).stream({numbered})).out;
  const document last = parsed(payloads(sent).back());
  session one(options);
  std::string rewritten;
  REQUIRE_FALSE(one.rewrite_body(writer::body({numbered}), rewritten));
  const document body = parsed(rewritten);
  for (const json_value response : {last.root()["response"], body.root()}) {
    for (json_value cite = response["citestream"]["citations"].first(); cite; cite = cite.next())
      CHECK_FALSE(cite["title"]);
    const json_value list = response["output"][std::size_t{1}]["content"].first()["annotations"];
    CHECK(list[std::size_t{0}]["title"].string() == "1");  // as the provider sent it
    CHECK(list[std::size_t{1}]["title"].string() == "https://b.example/y");
  }
}
