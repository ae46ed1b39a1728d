// Values accepted by an envelope, compared with those accepted by the parser.
#include "chunk/envelope.hpp"

#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "chunk/json_scan.hpp"
#include "framing/sse_decoder.hpp"

using namespace citestream;
using namespace std::string_literals;

namespace {

/// An envelope of `[X]` with one hole for any value.
envelope around_value(std::size_t max_depth) {
  envelope one(max_depth);
  const std::vector<envelope_hole> hole{{hole_kind::value, {1, 2}, 0, 1, nullptr, false}};
  one.learn("[1]", hole, 0);
  REQUIRE(one.adapt("[2]", hole, 0));
  return one;
}

/// An envelope of `"X"` with a hole for a text.
envelope around_text() {
  envelope one;
  const std::vector<envelope_hole> hole{{hole_kind::text, {1, 2}, 0, 0, nullptr, false}};
  one.learn("\"a\"", hole, 1);
  return one;
}

/// An envelope of events with a hole of every kind:
/// `data: {"m":"BEFORE…","t":"…","s":"…","x":STRING,"n":NUMBER,"v":…}`.
struct full_envelope {
  explicit full_envelope(const std::string& before) : body(before) {
    const std::string first = event("a", "x", "1", "[1]");
    shape.learn(first, holes(first), 1);
    const std::string second = event("b", "y", "2", "[2]");
    adapted = shape.adapt(second, holes(second), 1);
  }
  [[nodiscard]] std::string event(const std::string& text, const std::string& x, const std::string& n,
                                  const std::string& v) const {
    return "event: e\ndata: {\"m\":\"" + body + text + "\",\"t\":\"" + text + "\",\"s\":\"" + text +
           "\",\"x\":\"" + x + "\",\"n\":" + n + ",\"v\":" + v + "}\nid: 5\n\n";
  }
  [[nodiscard]] std::vector<envelope_hole> holes(const std::string& event) const {
    std::vector<envelope_hole> found;
    const auto add = [&](hole_kind kind, std::string_view key, std::string_view close) {
      const std::size_t at = event.find(key) + key.size();
      found.push_back({kind,
                       {at, event.find(close, at)},
                       0,
                       kind == hole_kind::value ? 1U : 0U,
                       kind == hole_kind::grown ? &body : nullptr,
                       false});
    };
    add(hole_kind::grown, "\"m\":\"", "\"");
    add(hole_kind::text, "\"t\":\"", "\"");
    add(hole_kind::same, "\"s\":\"", "\"");
    add(hole_kind::string, "\"x\":\"", "\"");
    add(hole_kind::number, "\"n\":", ",");
    add(hole_kind::value, "\"v\":", "}\n");
    return found;
  }
  std::string body;
  envelope shape;
  bool adapted{};
};

/// The result of an envelope: the size, the text and its positions.
using finding = std::tuple<std::size_t, std::string, bool, byte_range, byte_range>;
finding found_in(const envelope& shape, const envelope_match& found) {
  if (found.size == 0) return {};
  const envelope_text& text = shape.texts()[0];
  return {found.size, std::string(text.body), text.escaped, text.token, text.other};
}

/// Matches \p bytes up to each of \p cuts, each time in a separate copy.
finding match_in_pieces(envelope& shape, const std::string& bytes, std::vector<std::size_t> cuts) {
  cuts.push_back(bytes.size());
  std::unique_ptr<std::string> seen;
  envelope_match found;
  for (const std::size_t cut : cuts) {
    auto more = std::make_unique<std::string>(bytes.substr(0, cut));
    found = seen == nullptr ? shape.match(*more) : shape.resume(*more);
    seen = std::move(more);
    if (!found.cut) break;
  }
  return found_in(shape, found);
}

/// Returns true if a decoder returns an item for these bytes after another event.
bool ends_an_item(const std::string& bytes) {
  sse_decoder decoder;
  frame item;
  decoder.feed("data: 1\n\n");
  while (decoder.next(item)) {
  }
  decoder.feed(bytes);
  return decoder.next(item);
}

std::string mutated(std::string bytes, const std::string& alphabet, std::mt19937& random) {
  for (auto edits = random() % 3; edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = random() % bytes.size();
    switch (random() % 3) {
      case 0:
        bytes[at] = alphabet[random() % alphabet.size()];
        break;
      case 1:
        bytes.insert(at, 1, alphabet[random() % alphabet.size()]);
        break;
      default:
        bytes.erase(at, 1);
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("a value that an envelope accepts ends where the parser ends it") {
  const std::string seeds[] = {R"({"a":[1,-2.5e+3,true,null,"x\u00e9\""],"c":{"d":{}},"e":[[],{}]})",
                               R"([ "a" , { "k" : 0.5 , "l" : [ ] } , 123456789012 , false ])",
                               "-0.0016201919643208385",
                               "12345678901234567890",
                               "[[[[1]]]]",
                               "\"caf\xC3\xA9 \\ud83d\\ude00\"",
                               "1e5",
                               "null"};
  const std::string alphabet =
      "{}[]:,\"\\ \t\nutrfalsen0123456789.eE+-dD8cCxz\0\x01\x7F\xC3\xA9\xED\xA0\xF0\xFF"s;
  for (const std::size_t depth : {2U, 3U, 5U, 128U}) {
    envelope one = around_value(depth);
    document doc(depth);
    std::mt19937 random(9);
    std::size_t taken = 0;
    for (int round = 0; round < 20'000; ++round) {
      const std::string json = "[" + mutated(seeds[random() % std::size(seeds)], alphabet, random) + "]";
      const std::size_t size = one.match(round % 2 == 0 ? json : json + ",\"and\":\"more\"").size;
      if (size == 0) continue;
      CAPTURE(json, depth);
      REQUIRE_FALSE(doc.parse(json.substr(0, size)));
      CHECK(doc.root().first().raw() == json.substr(1, size - 2));
      ++taken;
    }
    CHECK(taken > 1'000);
  }
}

TEST_CASE("an envelope accepts any valid value of ordinary depth on one line") {
  envelope one = around_value(128);
  for (const std::string json :
       {"0", "-1", "1.25", "-0.5e-7", "1E+22", "12345678901234567890", "true", "false", "null", "\"\"",
        "\"a b\"", "[]", "[ ]", "{}", "{ }", "[1, 2 ,3]", R"({"a": {"b" :[null]}, "a":1})",
        R"("\"\\\/\b\f\n\r\t\u0000\uD834\uDD1E")"}) {
    CAPTURE(json);
    CHECK(one.match("[" + json + "]and more").size == json.size() + 2);
    for (std::size_t cut = 0; cut < json.size() + 2; ++cut)
      CHECK(one.match(("[" + json + "]").substr(0, cut)).size == 0);
  }
}

TEST_CASE("an envelope accepts and unescapes strings exactly as the parser does") {
  envelope one = around_text();
  document doc;
  std::mt19937 random(4);
  const std::string pieces[] = {"a",
                                "bcdefgh",
                                "\\n",
                                "\\\"",
                                "\\u00e9",
                                "\\ud83d\\ude00",
                                "\xC3\xA9",
                                "\xE2\x82\xAC",
                                "\xF0\x9F\x98\x80",
                                "\\/",
                                " ",
                                "\x7F",
                                "\\u0000",
                                "0123456789abcdef"};
  const std::string alphabet = "\"\\ u\t\x01\x1F\x20\x7F\x80\xBF\xC0\xC3\xED\xA0\xF4\x90\xFF/bdD8cC0"s;
  std::size_t taken = 0;
  for (int round = 0; round < 40'000; ++round) {
    std::string body;
    for (auto left = random() % 5; left > 0; --left) body += pieces[random() % std::size(pieces)];
    const std::string json = "\"" + mutated(body, alphabet, random) + "\"";
    const std::size_t size = one.match(json).size;
    CAPTURE(json);
    const bool whole = !doc.parse(json);
    REQUIRE((size == json.size()) == whole);
    if (size == 0) continue;
    REQUIRE_FALSE(doc.parse(json.substr(0, size)));
    std::string text;
    json_scan::append_unescaped(one.texts()[0].body, text);
    REQUIRE(text == doc.root().string());
    CHECK(one.texts()[0].escaped == (one.texts()[0].body.find('\\') != std::string::npos));
    ++taken;
  }
  CHECK(taken > 10'000);
}

TEST_CASE("an event cut in two or three anywhere is matched like the whole event") {
  for (const std::string before : {"", "so far \\n", "much of it came before this \\u00e9 and \xC3\xA9"}) {
    full_envelope with(before);
    REQUIRE(with.adapted);
    for (const std::string text : {"", " word", "\\ud83d\\ude00 \\n\\\"", "caf\xC3\xA9 and much more"}) {
      for (const std::string value : {"12", "{\"a\":[null,\"b\\n\"]}", "\"\""}) {
        const std::string event = with.event(text, "ab\\t" + text, "-1.5e+3", value);
        const finding whole = found_in(with.shape, with.shape.match(event));
        REQUIRE(std::get<0>(whole) == event.size());
        for (std::size_t first = 0; first < event.size(); ++first) {
          for (std::size_t second = first; second < event.size(); second += 1 + second % 3) {
            CAPTURE(event, first, second);
            REQUIRE(match_in_pieces(with.shape, event, {first, second}) == whole);
          }
        }
        std::vector<std::size_t> each(event.size());
        for (std::size_t i = 0; i < each.size(); ++i) each[i] = i;
        REQUIRE(match_in_pieces(with.shape, event, each) == whole);
      }
    }
  }
}

TEST_CASE("bytes of another shape match neither whole nor in pieces") {
  std::mt19937 random(12);
  const std::string alphabet = "\"\\ ut\n\r\t\x01{}[],:0123-.eE\x80\xC3\xA9\xED\xFF"s;
  full_envelope with("before ");
  REQUIRE(with.adapted);
  std::size_t taken = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string event =
        mutated(with.event("a text", "f", "12", "[1,{\"k\":\"v\"}]"), alphabet, random) + "data: more";
    const finding whole = found_in(with.shape, with.shape.match(event));
    const std::size_t first = random() % event.size();
    const std::size_t second = first + random() % (event.size() - first);
    CAPTURE(event, first, second);
    REQUIRE(match_in_pieces(with.shape, event, {first, second}) == whole);
    const bool cut = with.shape.match(event.substr(0, first)).cut;
    REQUIRE((!cut || !ends_an_item(event.substr(0, first))));
    if (cut && with.shape.resume(event.substr(0, second)).cut)
      REQUIRE_FALSE(ends_an_item(event.substr(0, second)));
    taken += std::get<0>(whole) > 0 ? 1U : 0U;
  }
  CHECK(taken > 5'000);
}

TEST_CASE("fixed bytes of any number are compared to the last one") {
  for (std::size_t size = 1; size < 80; ++size) {
    std::string fixed(size, ' ');
    for (std::size_t i = 0; i < size; ++i) fixed[i] = static_cast<char>('a' + i % 26);
    envelope one;
    const std::vector<envelope_hole> hole{{hole_kind::text, {size + 1, size + 2}, 0, 0, nullptr, false}};
    one.learn(fixed + "\"x\"" + fixed, hole, 1);
    const std::string event = fixed + "\"other\"" + fixed;
    REQUIRE(one.match(event).size == event.size());
    for (std::size_t at = 0; at < event.size(); ++at) {
      if (at >= size && at < event.size() - size) continue;
      std::string changed = event;
      changed[at] = '-';
      CAPTURE(size, at);
      REQUIRE(one.match(changed).size == 0);
    }
  }
}

TEST_CASE("a long variable value cut by a read is left to the parser") {
  full_envelope with("");
  const std::string event = with.event("a", "f", "1", "[\"" + std::string(2000, 'x') + "\"]");
  CHECK(with.shape.match(event).size == event.size());
  CHECK(with.shape.match(event.substr(0, event.size() - 1900)).cut);
  const envelope_match found = with.shape.match(event.substr(0, event.size() - 100));
  CHECK(found.size == 0);
  CHECK_FALSE(found.cut);
  CHECK(with.shape.resume(event).size == 0);
}

TEST_CASE("a document reports which values were not read") {
  document doc;
  REQUIRE_FALSE(doc.parse(R"({"a":"x","b":{"c":1,"d":[2,{"e":3}]},"f":"y","g":[4,5]})"));
  std::vector<unread_value> before;
  doc.unread(before);
  REQUIRE(before.size() == 1);  // the whole
  CHECK(doc.root()["b"]["d"][1].is_object());
  CHECK(doc.root()["f"].is_string());
  CHECK(doc.root()["g"][0].integer() == 4);
  std::vector<unread_value> found;
  doc.unread(found);
  //  "x", 1, 2 (stepped over), {"e":3}'s 3, "y", 5
  REQUIRE(found.size() == 6);
  CHECK(found[0].place == byte_range{5, 8});
  CHECK_FALSE(found[0].reached);
  CHECK(found[0].depth == 1);
  CHECK_FALSE(found[1].reached);
  CHECK(found[1].depth == 2);
  CHECK(found[2].reached);
  CHECK(found[2].kind == json_kind::number);
  CHECK_FALSE(found[3].reached);
  CHECK(found[3].depth == 4);
  CHECK(found[4].reached);
  CHECK(found[4].kind == json_kind::string);
  CHECK_FALSE(found[5].reached);
}
