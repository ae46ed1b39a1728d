// Properties of any request: removing the insertions restores it.
#include <map>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "provenance/rewritten.hpp"
#include "support/json_model.hpp"

using namespace citestream_tests;

namespace {

class request_maker {
 public:
  explicit request_maker(unsigned seed) : random_(seed) {}

  /// A request with unusual but valid spelling.
  std::string request(bool tags) {
    tags_ = tags;
    std::string out = blank() + "{" + blank();
    if (chance()) out += "\"model\"" + blank() + ":" + blank() + "\"m\\u0041\"," + blank();
    out += "\"messages\":" + blank() + "[" + blank();
    const std::size_t count = 1 + pick(6);
    for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + blank() + message() + blank();
    return out + "]" + blank() + ",\"n\":1.50E+1" + blank() + "}" + blank();
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  bool chance() { return pick(2) == 0; }
  std::string blank() {
    static const std::vector<std::string> blanks{"", "", " ", "\n", "\t ", "\r\n  "};
    return blanks[pick(blanks.size())];
  }
  std::string text() {
    static const std::vector<std::string> pieces{"grew 12%",
                                                 "\\n",
                                                 "\\u00e9",
                                                 "\\/",
                                                 "\\\"",
                                                 "é",
                                                 "\\ud83d\\ude80",
                                                 " ",
                                                 "[1]",
                                                 "{\\\"url\\\":\\\"u\\\"}",
                                                 "\\u005b",
                                                 "REF|d_1",
                                                 "]"};
    static const std::vector<std::string> tag_pieces{"[REF|d_1]",       "[REF|", "d_2]",
                                                     "\\u005bREF|a_1]", "[RE",   "F|"};
    std::string out = "\"";
    for (std::size_t i = pick(5); i > 0; --i) {
      out +=
          tags_ && chance() ? tag_pieces[pick(tag_pieces.size())] : pieces[pick(tags_ ? pieces.size() : 10)];
    }
    return out + "\"";
  }
  std::string content() {
    switch (pick(5)) {
      case 0:
        return "null";
      case 1: {
        std::string out = "[" + blank();
        for (std::size_t i = pick(3); i > 0; --i) {
          out += R"({"type":"text")" + blank() + R"(,"text":)" + blank() + text() + "}" + (i > 1 ? "," : "");
        }
        return out + blank() + "]";
      }
      default:
        return text();
    }
  }
  std::string message() {
    static const std::vector<std::string> roles{"tool",      "tool", "tool",     "system",
                                                "developer", "user", "function", "assistant"};
    const std::string role = "\"role\":" + blank() + "\"" + roles[pick(roles.size())] + "\"";
    const std::string said = "\"content\":" + blank() + content();
    return chance() ? "{" + role + "," + blank() + said + ",\"x\":[1e2]}" : "{" + said + "," + role + "}";
  }

  std::mt19937 random_;
  bool tags_{};
};

void erase_all(std::string& text, std::string_view what) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.erase(at, what.size());
  }
}

/// Removes the insertions.
std::string restored(std::string body, std::size_t sources) {
  for (std::size_t i = 1; i <= sources; ++i) {
    for (const char* kind : {"d_", "a_"}) erase_all(body, "[REF|" + (kind + std::to_string(i)) + "]\\n");
  }
  const std::string words = citestream::json_string(citestream::citation_instructions());
  const std::string inner = words.substr(1, words.size() - 2);
  erase_all(body, R"({"role":"system","content":)" + words + "},");
  erase_all(body, R"(,{"type":"text","text":)" + words + "}");
  erase_all(body, R"({"type":"text","text":)" + words + "}");
  erase_all(body, "\\n\\n" + inner);
  erase_all(body, inner);
  return body;
}

using flat = std::map<std::string, std::string>;

void flatten(const model_value& value, const std::string& path, flat& out) {
  out[path] = std::to_string(static_cast<int>(value.kind)) + value.text;
  std::size_t place = 0;
  for (const model_value& child : value.children) {
    flatten(child, path + "/" + (child.key.empty() ? std::to_string(place) : child.key), out);
    ++place;
  }
}

flat values_of(const std::string& json) {
  const auto model = read_model(json);
  REQUIRE(model);
  flat out;
  flatten(*model, "", out);
  return out;
}

bool ends_with_text(const std::string& path) {
  return path.ends_with("/content") || path.ends_with("/text");
}

}  // namespace

TEST_CASE("removing the insertions restores the request byte for byte") {
  request_maker make(1);
  std::size_t changed = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string body = make.request(false);
    const rewritten out = rewrite(body, {});
    INFO(body);
    REQUIRE_FALSE(out.error);
    REQUIRE(read_model(out.body));
    REQUIRE(restored(out.body, out.sources.size()) == body);
    REQUIRE((out.body == body) == out.sources.empty());
    changed += out.sources.empty() ? 0U : 1U;
  }
  CHECK(changed > 2000);
}

TEST_CASE("without instructions only the texts of tool results change") {
  request_maker make(2);
  for (int i = 0; i < 5000; ++i) {
    const std::string body = make.request(true);
    const rewritten out = with_headers(body);
    INFO(body);
    REQUIRE_FALSE(out.error);
    const flat before = values_of(body);
    const flat after = values_of(out.body);
    REQUIRE(before.size() == after.size());
    for (const auto& [path, value] : before) {
      const auto found = after.find(path);
      REQUIRE(found != after.end());
      if (found->second == value) continue;
      INFO(path);
      REQUIRE(ends_with_text(path));
      const std::string role = before.at(path.substr(0, path.find("/content")) + "/role").substr(1);
      REQUIRE((role == "tool" || role == "function"));
    }
  }
}

TEST_CASE("rewriting a request twice gives the same request and sources") {
  request_maker make(3);
  for (int i = 0; i < 5000; ++i) {
    const std::string body = make.request(i % 2 == 0);
    const rewritten once = rewrite(body, {});
    const rewritten twice = rewrite(once.body, {});
    INFO(body);
    REQUIRE(twice.body == once.body);
    REQUIRE(twice.sources == once.sources);
  }
}

TEST_CASE("a longer conversation keeps the keys of its earlier results") {
  const std::string start =
      call("1", "a") + "," + result("1", R"("one")") + "," + call("2", "b") + "," + result("2", R"("two")");
  const rewritten first = with_headers(messages(start));
  const rewritten second = with_headers(messages(start + R"(,{"role":"assistant","content":"x"},)" +
                                                 call("3", "c") + "," + result("3", R"("three")")));
  REQUIRE(first.sources.size() == 2);
  REQUIRE(second.sources.size() == 3);
  CHECK(second.sources[0] == first.sources[0]);
  CHECK(second.sources[1] == first.sources[1]);
}
