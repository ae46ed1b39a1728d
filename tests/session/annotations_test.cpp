// Annotations that a provider sends next to text with markers: each source appears once, with its title, at
// its place in the sent text.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "rewrite/json.hpp"
#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

struct annotation {
  std::string url;
  std::string title;
  std::int64_t start{};
  std::int64_t end{};
  friend bool operator==(const annotation&, const annotation&) = default;
  friend auto operator<=>(const annotation&, const annotation&) = default;
};

std::ostream& operator<<(std::ostream& out, const annotation& one) {
  return out << one.title << " <" << one.url << "> " << one.start << '-' << one.end;
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

/// The annotation of `words` in `text`.
annotation about(std::string_view text, std::string_view words, std::string_view url,
                 std::string_view title) {
  const std::size_t at = text.find(words);
  REQUIRE(at != std::string_view::npos);
  const auto start = static_cast<std::int64_t>(code_points(text.substr(0, at)));
  return {std::string(url), std::string(title), start, start + static_cast<std::int64_t>(code_points(words))};
}

std::string json_of(const annotation& one) {
  return R"({"type":"url_citation","url_citation":{"end_index":)" + std::to_string(one.end) +
         R"(,"start_index":)" + std::to_string(one.start) + R"(,"title":")" + one.title + R"(","url":")" +
         one.url + R"("}})";
}

std::string event(const std::string& delta, const std::string& rest) {
  return R"(data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{)" + delta +
         "}," + rest + "}]";
}

std::string event_line(const std::string& delta, bool last) {
  return event(delta, last ? "\"finish_reason\":\"stop\"" : "\"finish_reason\":null") + "}\n\n";
}

std::string list_of(const std::vector<annotation>& all) {
  std::string json = "\"annotations\":[";
  for (const annotation& one : all) json.append(json.back() == '[' ? "" : ",").append(json_of(one));
  return json + "]";
}

/// When the provider sends its annotations.
enum class order : std::uint8_t {
  before_text,
  in_text,
  after_text,
  with_finish,
  in_text_and_finish,
  after_finish
};

/// Which events have top-level `citations`.
enum class listing : std::uint8_t { none, first, every, last };

struct shape {
  order when{};
  bool links{};  ///< markers are Markdown links; false: `[1]`
  listing sources{};
  bool emoji{};
  bool in_message{};  ///< annotations are in a `message` next to the delta

  /// Our annotations are sent before the provider's, which have the titles.
  [[nodiscard]] bool titles_late() const { return when == order::after_finish && sources != listing::none; }
};

const std::string page_b = "https://b.example/x?utm_source=openai";
const std::string page_c = "https://c.example/y";
const std::string page_d = "https://d.example/";

/// A text with two markers, and the annotations that the provider sends with it. The third source is cited by
/// an annotation only.
struct answer_text {
  explicit answer_text(const shape& of) {
    const std::string first = of.links ? "([b.example](" + page_b + "))" : "[1]";
    const std::string second = of.links ? "([c.example](" + page_c + "/))" : "[2]";
    text = std::string(of.emoji ? "\U0001F600 " : "") + "Growth was 12% " + first + ". Costs fell " + second +
           ". The end.";
    if (of.when == order::before_text) {
      annotations = {{page_b, "Page B", 0, 0}, {page_c, "Page C", 0, 0}};
    } else {
      annotations = {about(text, first, page_b, "Page B"), about(text, second, page_c, "Page C"),
                     about(text, "The end", page_d, "Page D")};
    }
  }
  std::string text;
  std::vector<annotation> annotations;
};

std::string stream_of(const shape& of) {
  const answer_text given(of);
  const std::string sources = ",\"citations\":[\"" + page_b + "\",\"" + page_c + "\"]";
  std::string out;
  const auto send = [&](const std::string& text, const std::vector<annotation>& list, bool last) {
    std::string delta = text;
    std::string rest = last ? "\"finish_reason\":\"stop\"" : "\"finish_reason\":null";
    if (!list.empty() && of.in_message) {
      rest += ",\"message\":{\"role\":\"assistant\"," + list_of(list) +
              (last ? ",\"content\":\"" + given.text + "\"}" : "}");
    } else if (!list.empty()) {
      delta += (delta.empty() ? "" : ",") + list_of(list);
    }
    const bool lists = of.sources == listing::every || (of.sources == listing::first && out.empty()) ||
                       (of.sources == listing::last && last);
    out += event(delta, rest) + (lists ? sources : "") + "}\n\n";
  };
  if (of.when == order::before_text) {
    for (const annotation& one : given.annotations) send("\"content\":\"\"", {one}, false);
  }
  constexpr std::size_t size = 7;
  for (std::size_t at = 0; at < given.text.size();) {
    std::size_t next = std::min(at + size, given.text.size());
    while (next < given.text.size() && (given.text[next] & 0xC0) == 0x80) ++next;
    const std::string delta = "\"content\":\"" + given.text.substr(at, next - at) + "\"";
    const bool annotated = of.when == order::in_text || of.when == order::in_text_and_finish;
    const bool here = annotated && next == given.text.size();
    send(delta, here ? given.annotations : std::vector<annotation>(), false);
    at = next;
  }
  if (of.when == order::after_text) send({}, given.annotations, false);
  const bool with_finish = of.when == order::with_finish || of.when == order::in_text_and_finish;
  send({}, with_finish ? given.annotations : std::vector<annotation>(), true);
  if (of.when == order::after_finish) send({}, given.annotations, false);
  return out + "data: [DONE]\n\n";
}

std::vector<shape> all_shapes() {
  std::vector<shape> out;
  for (const order when : {order::before_text, order::in_text, order::after_text, order::with_finish,
                           order::in_text_and_finish, order::after_finish}) {
    for (const bool emoji : {false, true}) {
      for (const bool in_message : {false, true}) {
        for (const listing sources : {listing::none, listing::first, listing::every, listing::last})
          out.push_back({when, true, sources, emoji, in_message});
        for (const listing sources : {listing::first, listing::every})
          out.push_back({when, false, sources, emoji, in_message});
      }
    }
  }
  return out;
}

/// The text and the annotations that a client of the stream has at the end.
struct client_view {
  std::string text;
  std::vector<annotation> annotations;
  std::vector<annotation> in_message;  ///< those that a client has that reads `message`
};

void read_annotations(json_value holder, std::vector<annotation>& out) {
  for (json_value one = holder["annotations"].first(); one; one = one.next()) {
    const json_value page = one["url_citation"];
    REQUIRE(page["start_index"].integer());
    REQUIRE(page["end_index"].integer());
    out.push_back({std::string(page["url"].string()), std::string(page["title"].string()),
                   *page["start_index"].integer(), *page["end_index"].integer()});
  }
}

void read_holder(json_value holder, client_view& view) {
  view.text += holder["content"].string();
  read_annotations(holder, view.annotations);
}

client_view read_stream(std::string_view bytes) {
  client_view view;
  for (const std::string& payload : payloads(bytes)) {
    if (payload == "[DONE]") continue;
    const document event = parsed(payload);
    for (json_value choice = event.root()["choices"].first(); choice; choice = choice.next()) {
      read_holder(choice["delta"], view);
      read_annotations(choice["message"], view.in_message);
    }
  }
  std::sort(view.annotations.begin(), view.annotations.end());
  std::sort(view.in_message.begin(), view.in_message.end());
  return view;
}

/// What the client should have. `first` and `second`: what the style prints for the markers.
client_view expected_of(const shape& of, const std::string& first, const std::string& second) {
  client_view out;
  const std::string start = std::string(of.emoji ? "\U0001F600 " : "") + "Growth was 12%";
  const std::string middle = start + first + ". Costs fell";
  out.text = middle + second + ". The end.";
  const auto place = [](const std::string& before, std::string_view printed, const std::string& url,
                        const std::string& title) {
    const std::size_t begin = std::min(printed.find('['), printed.size());
    const std::size_t end = printed.empty() ? 0 : printed.find(']') + 1;
    const auto at = static_cast<std::int64_t>(code_points(before));
    return annotation{url, title, at + static_cast<std::int64_t>(begin), at + static_cast<std::int64_t>(end)};
  };
  out.annotations = {place(start, first, page_b, "Page B"), place(middle, second, page_c, "Page C")};
  if (of.when != order::before_text) out.annotations.push_back(about(out.text, "The end", page_d, "Page D"));
  if (of.titles_late()) {
    for (annotation& one : out.annotations) {
      if (one.title != "Page D")
        one.title = !of.links ? one.url : one.url == page_b ? "b.example" : "c.example";
    }
  }
  std::sort(out.annotations.begin(), out.annotations.end());
  return out;
}

/// The record of a source has its title, and no source is listed twice.
void check_records(const shape& of, std::string_view bytes) {
  std::size_t objects = 0;
  for (const std::string& payload : payloads(bytes)) {
    if (payload == "[DONE]") continue;
    const document event = parsed(payload);
    const json_value object = event.root()["citestream"];
    if (!object) continue;
    ++objects;
    for (json_value one = object["citations"].first(); one; one = one.next()) {
      const bool native = one["origin"].string() == "provider";
      const std::string_view title = one["title"].string();
      if (native) CHECK(title == "Page D");
      if (!native && (!of.titles_late() || objects == 2)) CHECK((title == "Page B" || title == "Page C"));
      CHECK_FALSE(one["references"].first().next());
    }
    for (json_value one = object["uncited"].first(); one; one = one.next())
      CHECK(one["url"].string() == page_d);
  }
  CHECK(objects == (of.titles_late() ? 2 : 1));  // the provider's annotations complete the record
}

std::string described(const shape& of) {
  const char* const orders[] = {"before the text",
                                "in the text",
                                "after the text",
                                "with the finish",
                                "in the text and with the finish",
                                "after the finish"};
  return std::string(orders[static_cast<std::size_t>(of.when)]) + (of.links ? ", links" : ", [n]") +
         ", list of sources in event " + std::to_string(static_cast<int>(of.sources)) +
         (of.in_message ? ", in message" : "") + (of.emoji ? ", emoji" : "");
}

session_options options_with(const char* style_name) {
  session_options options;
  options.style = find_style(style_name);
  REQUIRE(options.style != nullptr);
  options.references = {};
  return options;
}

}  // namespace

TEST_CASE("each annotated source appears once with its title and its place for every order") {
  for (const shape& of : all_shapes()) {
    INFO(described(of));
    const std::string sent = run_whole(options_with("strip"), stream_of(of)).out;
    const client_view stripped = read_stream(sent);
    check_records(of, sent);
    const client_view without = expected_of(of, "", "");
    CHECK(stripped.text == without.text);
    CHECK(stripped.annotations == without.annotations);
    const client_view numbered = read_stream(run_whole(options_with("numeric"), stream_of(of)).out);
    const client_view with = of.links ? expected_of(of, " ([1])", " ([2])") : expected_of(of, " [1]", " [2]");
    CHECK(numbered.text == with.text);
    CHECK(numbered.annotations == with.annotations);
    if (of.in_message && of.when == order::with_finish) CHECK(numbered.in_message == with.annotations);
    for (const annotation& one : numbered.in_message)
      CHECK(std::count(with.annotations.begin(), with.annotations.end(), one) == 1);
    CHECK(std::adjacent_find(numbered.in_message.begin(), numbered.in_message.end()) ==
          numbered.in_message.end());
  }
}

TEST_CASE("each annotated source appears once in every style for every order") {
  for (const style* const one : styles()) {
    session_options options = options_with(std::string(one->name).c_str());
    options.add = additions::always;
    for (const shape& of : all_shapes()) {
      INFO(one->name << " " << described(of));
      const client_view view = read_stream(run_whole(options, stream_of(of)).out);
      std::set<std::string> pages;
      for (const annotation& found : view.annotations) CHECK(pages.insert(found.url).second);
      // What only `message` has may stay there.
      for (const annotation& found : view.in_message) pages.insert(found.url);
      CHECK(pages.contains(page_b));
      CHECK(pages.contains(page_c));
      CHECK(pages.contains(page_d) == (of.when != order::before_text));
      CHECK(pages.size() <= 3);
      if (one->space == spacing::untouched) CHECK(view.text == answer_text(of).text);
    }
  }
}

TEST_CASE("annotations do not depend on how the stream is cut or on the cache of events") {
  for (const shape& of : all_shapes()) {
    INFO(described(of));
    const std::string bytes = stream_of(of);
    session_options options = options_with("numeric");
    const std::string whole = run_whole(options, bytes).out;
    session cut(options);
    for (const std::size_t size : {1U, 2U, 3U, 5U, 64U, 300U}) {
      cut.reset();
      CHECK(run(cut, cut_every(bytes, size)).out == whole);
    }
    options.bounds.max_envelopes = 0;
    CHECK(run_whole(options, bytes).out == whole);
  }
}

TEST_CASE("annotations of a whole body get the positions of the sent text") {
  for (const bool links : {true, false}) {
    for (const listing sources : {listing::none, listing::every}) {
      if (!links && sources == listing::none) continue;
      const shape of{order::with_finish, links, sources, true};
      INFO(described(of));
      const answer_text given(of);
      const std::string body =
          R"({"object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{)"
          "\"role\":\"assistant\",\"content\":\"" +
          given.text + "\"," + list_of(given.annotations) + "}}]" +
          (sources == listing::none ? "" : ",\"citations\":[\"" + page_b + "\",\"" + page_c + "\"]") + "}";
      session rewriter(options_with("strip"));
      std::string out;
      REQUIRE_FALSE(rewriter.rewrite_body(body, out));
      const document result = parsed(out);
      client_view got;
      read_holder(result.root()["choices"][0]["message"], got);
      std::sort(got.annotations.begin(), got.annotations.end());
      const client_view expected = expected_of(of, "", "");
      CHECK(got.text == expected.text);
      CHECK(got.annotations == expected.annotations);
    }
  }
}

TEST_CASE("a link next to a list of sources is a citation if it is to one of them") {
  const std::string text = "See [docs](https://docs.example/), [1](https://docs.example/) and [W](" + page_b +
                           "), [C](" + page_c + "/) it [2].";
  for (const std::string model : {"sonar", "grok-4", "m"}) {
    INFO(model);
    const auto payload = [&](const std::string& choices) {
      return R"({"object":"chat.completion.chunk","model":")" + model + R"(","choices":[)" + choices +
             R"(],"citations":[")" + page_b + "\",\"" + page_c + "\"]}";
    };
    std::string stream;
    for (std::size_t at = 0; at < text.size(); at += 3)
      stream +=
          "data: " + payload(R"({"index":0,"delta":{"content":")" + text.substr(at, 3) + "\"}}") + "\n\n";
    stream += "data: " + payload(R"({"index":0,"delta":{},"finish_reason":"stop"})") + "\n\ndata: [DONE]\n\n";
    const std::string expected = "See [docs](https://docs.example/), [1](https://docs.example/) and it.";
    session one(options_with("strip"));
    const std::string whole = run(one, {stream}).out;
    CHECK(read_stream(whole).text == expected);
    CHECK(read_stream(whole).annotations.size() == 3);
    for (std::size_t cut = 1; cut < stream.size(); cut += 5) {
      one.reset();
      REQUIRE(run(one, {stream.substr(0, cut), stream.substr(cut)}).out == whole);
    }
    std::string body;
    session rewriter(options_with("strip"));
    REQUIRE_FALSE(rewriter.rewrite_body(
        payload(R"({"index":0,"finish_reason":"stop","message":{"role":"assistant","content":")" + text +
                "\"}}"),
        body));
    CHECK(parsed(body).root()["choices"][0]["message"]["content"].string() == expected);
    session_options chosen = options_with("strip");  // every link is a marker if the user says so
    chosen.grammars = {&numeric_grammar, &link_grammar};
    CHECK(read_stream(run_whole(chosen, stream).out).text == "See and it.");
  }
}

TEST_CASE("a late annotation of a sent page does not replace the list of clients") {
  const std::string text = "Hi [W](" + page_b + ") there.";
  const std::string late = list_of({about(text, "[W](" + page_b + ")", page_b, "Page B")});
  for (const std::string before : {"", "\"role\":\"assistant\","}) {
    for (const std::string after : {"", ",\"refusal\":null"}) {
      const std::string stream = event_line("\"content\":\"" + text + "\"", false) +
                                 event("", R"("finish_reason":"stop")") + ",\"citations\":[\"" + page_b +
                                 "\"]}\n\n" + event_line(before + late + after, false) + "data: [DONE]\n\n";
      const std::string sent = run_whole(options_with("strip"), stream).out;
      std::size_t lists = 0;
      for (const std::string& payload : payloads(sent)) {
        if (payload == "[DONE]") continue;
        const document event = parsed(payload);
        for (json_value one = event.root()["choices"].first(); one; one = one.next())
          lists += one["delta"]["annotations"] ? 1U : 0U;
      }
      CHECK(lists == 1);
      CHECK(read_stream(sent).annotations.size() == 1);
      CHECK(sent.find(R"("title":"Page B")") != std::string::npos);  // in the record
    }
  }
}

TEST_CASE("annotations that are held back are sent if the upstream fails") {
  const std::string text = "Growth ([b.example](" + page_b + ")). The end.";
  const annotation kept = about(text, "The end", page_d, "Page D");
  const std::string bytes =
      event_line("\"content\":\"" + text + "\"", false) + event_line(list_of({kept}), false);
  const stream_run got = run_whole(options_with("strip"), bytes);
  CHECK(got.end.code == errc::upstream_incomplete);
  const client_view view = read_stream(got.out.substr(0, got.out.find("event: error")));
  CHECK(view.text == "Growth. The end.");
  REQUIRE(view.annotations.size() == 1);
  CHECK(view.annotations.front() == about(view.text, "The end", page_d, "Page D"));
}

TEST_CASE("an annotation that was sent when the upstream failed is not sent again") {
  const std::string failed =
      event_line("\"content\":\"Growth\"", false) +
      event_line(list_of({{page_b, "Page B", 0, 6}, {page_b, "Page B", 0, 60}}), false) +
      "data: {\"error\":{\"message\":\"overloaded\"}}\n\n";
  const std::string more = event_line("\"content\":\" and [b](" + page_b + ")\"", false) +
                           event_line("\"content\":\"\"", true) + "data: [DONE]\n\n";
  const stream_run got = run_whole(options_with("strip"), failed + more);
  const client_view before = read_stream(run_whole(options_with("strip"), failed).out);
  CHECK(read_stream(got.out).annotations == before.annotations);
}

TEST_CASE("held annotations are sent although another proxy wrote the last event") {
  const std::string text = "See [a](f-1) here";
  const std::string bytes = event_line("\"content\":\"" + text + "\"", false) +
                            event_line(list_of({about(text, "here", page_d, "Page D")}), false) +
                            event("\"content\":\"\"", "\"finish_reason\":\"stop\"") +
                            ",\"citestream\":{}}\n\ndata: [DONE]\n\n";
  const client_view view = read_stream(run_whole(options_with("strip"), bytes).out);
  CHECK(view.text == "See here");
  CHECK(view.annotations == std::vector<annotation>{about(view.text, "here", page_d, "Page D")});
}

TEST_CASE("annotations that are held back are sent if the dialect becomes another one") {
  const std::string bytes = event_line("\"content\":\"\"," + list_of({{page_d, "Page D", 0, 5}}), false) +
                            event("\"content\":\"Hello\"", "\"finish_reason\":\"stop\"") +
                            ",\"citations\":[\"" + page_b + "\"]}\n\ndata: [DONE]\n\n";
  const client_view view = read_stream(run_whole(options_with("strip"), bytes).out);
  CHECK(view.text == "Hello");
  CHECK(std::ranges::count(view.annotations, annotation{page_d, "Page D", 0, 5}) == 1);
}

TEST_CASE("the pages that are remembered of an endless stream are bounded") {
  session_options options = options_with("strip");
  options.bounds.max_addition_bytes = 400;
  options.add = additions::never;
  session endless(options);
  std::string out;
  const auto url = [](int i) { return "https://e.example/" + std::to_string(i); };
  const auto send = [&](const std::string& text, int page, bool last) {
    const std::string list = list_of({{url(page), "Page", 0, 4}});
    REQUIRE_FALSE(endless.write(event_line("\"content\":\"" + text + "\"," + list, last), out));
  };
  for (int i = 0; i < 50; ++i) send("word", i, false);
  send("", 0, true);   // remembered, so not sent again
  send("", 49, true);  // over the limit
  const auto times_sent = [&](const std::string& page) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = out.find("\"" + page + "\"", at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK(times_sent(url(0)) == 1);
  CHECK(times_sent(url(49)) == 2);
}

TEST_CASE("our annotations of pages sent before count towards the limit") {
  const std::string text = "Growth was 12%.";
  const std::string link = " and [C](" + page_c + ")";
  const std::string bytes =
      event_line("\"content\":\"" + text + "\"," + list_of({about(text, "Growth", page_c, "C")}), false) +
      event_line("\"content\":\"" + link + link + link + " and [D](" + page_d + ")\"", false) +
      event_line("\"content\":\"\"", true);
  session_options options = options_with("strip");
  options.references.resize(1);
  options.references.front().url = page_d;
  options.references.front().type = source_type::web;
  for (const auto& [most, pages] : {std::pair(300U, 1U), std::pair(4096U, 2U)}) {
    options.bounds.max_addition_bytes = most;
    CHECK(read_stream(run_whole(options, bytes).out).annotations.size() == pages);
  }
}

TEST_CASE("a stream without markers keeps its annotations byte for byte") {
  const std::string text = "No marker here.";
  const annotation plain = about(text, "marker", page_b, "Page B");
  const std::string bytes = event_line("\"content\":\"" + text + "\"", false) +
                            event_line("\"content\":\"\"," + list_of({plain}), false) +
                            event_line("\"content\":\"\"", true);
  const session_options options = [] {
    session_options out = options_with("numeric");
    out.add = additions::never;
    return out;
  }();
  CHECK(run_whole(options, bytes).out == bytes);
  const std::string in_message =
      event("\"content\":\"" + text + "\"", "\"finish_reason\":null") + "}\n\n" +
      event("", "\"message\":{" + list_of({plain}) + "},\"finish_reason\":\"stop\"") + "}\n\n";
  CHECK(run_whole(options, in_message).out == in_message);
  session_options kept = options_with("keep");
  for (const shape& of : all_shapes()) CHECK(run_whole(kept, stream_of(of)).out == stream_of(of));
}

TEST_CASE("annotations that are not as documented pass unchanged") {
  const std::string text = "Growth ([b.example](" + page_b + ")).";
  for (
      const std::string odd :
      {R"({"type":"url_citation"})", R"({"type":"url_citation","url_citation":{"url":"https://x.example"}})",
       R"({"type":"url_citation","url_citation":{"url":"https://x.example","title":"t","start_index":-1,"end_index":2}})",
       R"({"type":"url_citation","url_citation":{"url":"https://x.example","title":"t","start_index":5,"end_index":2}})",
       R"({"type":"file_citation","index":3,"file_id":"f"})", R"("text")", "7"}) {
    INFO(odd);
    const std::string bytes =
        event_line("\"content\":\"" + text + "\"", false) + event_line("\"annotations\":[" + odd + "]", true);
    const std::string out = run_whole(options_with("strip"), bytes).out;
    CHECK(out.find(odd) != std::string::npos);
  }
}

TEST_CASE("a position after the text becomes the end of the text") {
  const std::string text = "Growth ([b.example](" + page_b + ")).";
  const annotation own{page_b, "Page B", 0, 0};
  const annotation far{page_d, "Page D", 3, 999'999};
  const std::string bytes =
      event_line("\"content\":\"" + text + "\"", false) + event_line(list_of({own, far}), true);
  const client_view got = read_stream(run_whole(options_with("strip"), bytes).out);
  CHECK(got.text == "Growth.");
  REQUIRE(got.annotations.size() == 2);
  CHECK(got.annotations.back() == annotation{page_d, "Page D", 3, 7});
}

TEST_CASE("the title of a source is not the number that an annotation has as its title") {
  session_options options = options_with("strip");
  options.dialect = find_dialect("xai");
  const std::string link = "[[1]](" + page_c + ")";
  const std::string text = "Growth was 12%" + link + ". The end.";
  const std::string annotations = list_of({about(text, link, page_c, "1")});
  const std::string result = R"([{"title":"Annual Report","url":")" + page_c + "\"}]";
  const std::string lists[] = {"", ",\"citations\":[\"" + page_c + "\"]", ",\"search_results\":" + result};
  for (const std::string& list : lists) {
    INFO(list);
    const std::string title = list == lists[2] ? "Annual Report" : page_c;
    const auto check_title = [&](json_value holder, json_value record) {
      client_view view;
      read_holder(holder, view);
      REQUIRE(view.annotations.size() == 1);
      CHECK(view.annotations.front().title == title);
      CHECK(record["citations"].first()["title"].string() == (list == lists[2] ? title : ""));
    };
    const std::string model = R"("object":"chat.completion")";
    const std::string message = R"({"role":"assistant","content":")" + text + "\"," + annotations + "}";
    session rewriter(options);
    std::string body;
    REQUIRE_FALSE(rewriter.rewrite_body("{" + model +
                                            R"(,"choices":[{"index":0,"finish_reason":"stop","message":)" +
                                            message + "}]" + list + "}",
                                        body));
    const document whole = parsed(body);
    check_title(whole.root()["choices"].first()["message"], whole.root()["citestream"]);
    const std::string stream = event_line("\"content\":\"" + text + "\"", false) +
                               event_line(annotations, false) + event("", R"("finish_reason":"stop")") +
                               list + "}\n\n";
    const document last = parsed(payloads(run_whole(options, stream).out).back());
    check_title(last.root()["choices"].first()["delta"], last.root()["citestream"]);
  }
}

TEST_CASE("without a list a number means the page that is annotated at its place") {
  const std::string text = "\U0001F40D Growth was 12% [1][2]. Costs fell [1], prices [3].";
  const auto at = static_cast<std::int64_t>(code_points(text.substr(0, text.find("[1]"))));
  const auto later = static_cast<std::int64_t>(code_points(text.substr(0, text.rfind("[1]"))));
  const std::string annotations = list_of({{page_b, "Page B", at, at + 3},
                                           {page_c, "Page C", at + 3, at + 6},
                                           {page_b, "Page B", later, later + 3}});
  for (const style* const one : styles()) {
    for (const order when :
         {order::before_text, order::after_text, order::with_finish, order::after_finish}) {
      session_options options = options_with(std::string(one->name).c_str());
      options.add = additions::always;
      options.dialect = find_dialect("xai");
      std::string stream = when == order::before_text ? event_line(annotations, false) : "";
      for (std::size_t i = 0; i < text.size(); i += 4) {
        std::string delta = "\"content\":";
        append_json_string(text.substr(i, 4), delta);
        stream += event_line(delta, false);
      }
      if (when == order::after_text) stream += event_line(annotations, false);
      stream += event_line(when == order::with_finish ? annotations : "", true);
      if (when == order::after_finish) stream += event_line(annotations, false);
      const stream_run got = run_whole(options, stream + "data: [DONE]\n\n");
      INFO(one->name << " " << static_cast<int>(when) << "\n" << got.out);
      CHECK(got.counts.resolved == 3);
      CHECK(got.counts.unresolved == 1);
      std::vector<std::string> pages;
      for (const annotation& found : read_stream(got.out).annotations) pages.push_back(found.url);
      CHECK(std::set<std::string>(pages.begin(), pages.end()) == std::set{page_b, page_c});
      std::string records;
      for (const std::string& payload : payloads(got.out)) {
        if (payload.find("\"citestream\":") == std::string::npos) continue;
        records.clear();
        const document sent = parsed(payload);
        for (json_value cite = sent.root()["citestream"]["citations"].first(); cite; cite = cite.next())
          records.append(cite["origin"].string()).append(" ").append(cite["title"].string()).append(";");
      }
      CHECK(records == "both Page B;both Page C;both Page B;marker ;");
    }
  }
}
