// Which tool results get keys, and keys made from their content.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "provenance/rewritten.hpp"

using namespace citestream_tests;
using citestream::provenance_keys;
using citestream::provenance_options;
using citestream::reference;

namespace {

provenance_options by_content() {
  provenance_options options = without_instructions();
  options.keys = provenance_keys::content;
  return options;
}

std::vector<std::string> keys_of(const rewritten& out) {
  std::vector<std::string> keys;
  for (const reference& one : out.sources) keys.push_back(one.cite);
  return keys;
}

std::string turn(int number) {
  const std::string id = "c" + std::to_string(number);
  return call(id, "read") + "," + result(id, citestream::json_string("Result " + std::to_string(number)));
}

}  // namespace

TEST_CASE("a key made from the content has six digits and is above its result") {
  const rewritten out = rewrite(messages(turn(1)), by_content());
  REQUIRE(out.sources.size() == 1);
  const std::string& key = out.sources.front().cite;
  CHECK(key.size() == 8);
  CHECK(key.starts_with("d_"));
  CHECK(key.find_first_not_of("0123456789abcdef", 2) == std::string::npos);
  CHECK(out.body.find("[REF|" + key + "]\\nResult 1") != std::string::npos);
}

TEST_CASE("keys stay the same when old turns are cut from the history") {
  std::vector<std::string> turns;
  for (int i = 0; i < 20; ++i) turns.push_back(turn(i));
  const auto from = [&](std::size_t first) {
    std::string list;
    for (std::size_t i = first; i < turns.size(); ++i) list += (i == first ? "" : ",") + turns[i];
    return rewrite(messages(list), by_content());
  };
  const rewritten all = from(0);
  REQUIRE(all.sources.size() == turns.size());
  for (std::size_t first = 1; first < turns.size(); ++first) {
    const rewritten rest = from(first);
    const std::vector<std::string> keys = keys_of(all);
    REQUIRE(keys_of(rest) ==
            std::vector<std::string>(keys.begin() + static_cast<std::ptrdiff_t>(first), keys.end()));
    const std::string kept = rest.body.substr(rest.body.find("[{"));
    REQUIRE(all.body.ends_with(kept.substr(1)));  // so prompt caches match
  }
}

TEST_CASE("equal results share a key and are one reference") {
  const std::string same = call("c1", "read") + "," + result("c1", citestream::json_string("12%")) + "," +
                           call("c2", "read") + "," + result("c2", citestream::json_string("12%"));
  const rewritten out = rewrite(messages(same), by_content());
  REQUIRE(out.sources.size() == 1);
  const std::string tag = "[REF|" + out.sources.front().cite + "]\\n12%";
  CHECK(out.body.find(tag) != out.body.rfind(tag));
  provenance_options agents = by_content();
  agents.agent_tools = {"ask"};
  const rewritten kinds =
      rewrite(messages(call("c1", "read") + "," + result("c1", citestream::json_string("12%")) + "," +
                       call("c2", "ask") + "," + result("c2", citestream::json_string("12%"))),
              agents);
  REQUIRE(kinds.sources.size() == 2);
  CHECK(kinds.sources[0].cite.substr(2) == kinds.sources[1].cite.substr(2));
  CHECK(kinds.sources[1].cite.starts_with("a_"));
}

TEST_CASE("a result whose key another one has gets more digits") {
  // Two texts with the same first six digits, found by trying.
  std::map<std::string, int> seen;
  int first = -1;
  int second = -1;
  for (int i = 0; second < 0; ++i) {
    const rewritten out = rewrite(messages(turn(i)), by_content());
    const auto [at, added] = seen.emplace(out.sources.front().cite, i);
    if (added) continue;
    first = at->second;
    second = i;
  }
  const rewritten out = rewrite(messages(turn(first) + "," + turn(second)), by_content());
  REQUIRE(out.sources.size() == 2);
  CHECK(out.sources[0].cite.size() == 8);
  CHECK(out.sources[1].cite.size() == 10);
  CHECK(out.sources[1].cite.starts_with(out.sources[0].cite));
}

namespace {

std::string gemini(const std::string& responses) {
  return R"({"contents":[{"parts":[)" + responses + "]}]}";
}

std::string response(const std::string& value, const std::string& more = "") {
  return R"({"functionResponse":{"name":"t","response":)" + value + more + "}}";
}

std::string converse(const std::string& content) {
  return R"({"messages":[{"content":[{"toolResult":{"toolUseId":"t","content":[)" + content + "]}}]}]}";
}

std::string anthropic(const std::string& content) {
  return R"({"messages":[{"content":[{"type":"tool_result","content":)" + content + "}]}]}";
}

std::string key_of(const std::string& body) {
  const rewritten out = rewrite(body, by_content());
  REQUIRE(out.sources.size() == 1);
  CHECK(rewrite(out.body, by_content()).body == out.body);
  return out.sources.front().cite;
}

}  // namespace

TEST_CASE("a key made from content depends on all of the content") {
  const std::string shot = R"([{"type":"text","text":"ok"},{"type":"image","source":{"data":"@"}}])";
  const std::string found =
      R"([{"type":"text","text":"ok"},{"type":"search_result","title":"@","content":[{"text":"x"}]}])";
  const std::string parts = R"(,"parts":[{"inlineData":{"data":"@"}}])";
  for (const std::string& body :
       {converse(R"({"text":"ok"},{"json":{"sales":"@"}})"), converse(R"({"json":{"sales":"@"}})"),
        converse(R"({"document":{"name":"@"}},{"json":{"sales":1}})"),
        gemini(response(R"({"output":"ok","rows":["@"]})")), gemini(response(R"({"rows":["@"]})")),
        gemini(response(R"({"output":"ok"})", parts)), gemini(response(R"({"rows":[1]})", parts)),
        anthropic(shot), anthropic(found), lone_result(shot), lone_result(R"("@")")}) {
    INFO(body);
    const auto with = [&](const std::string& value) {
      std::string out = body;
      return out.replace(out.find('@'), 1, value);
    };
    const std::string key = key_of(with("A"));
    CHECK(key != key_of(with("B")));
    CHECK(key == key_of(with("A")));
    CHECK(key == key_of(with("[REF|d_1]A")));
    CHECK(key != "d_9a23a1");  // that of its text alone
  }
  const std::string image = R"({"type":"image"})";
  const std::string text = R"({"type":"text","text":"ok"})";
  CHECK(key_of(lone_result("[" + image + "," + text + "]")) !=
        key_of(lone_result("[" + text + "," + image + "]")));
}

TEST_CASE("a result with only texts keeps its key whatever its form") {
  for (const std::string& body :
       {lone_result(R"("ok")"), lone_result(R"([{"type":"text","text":"ok"}])"),
        anthropic(R"([{"type":"text","text":"ok","cache_control":{"type":"ephemeral"}}])"),
        converse(R"({"text":"[REF|d_1]\nok"})"), converse(R"({"json":{"result":"ok"}})"),
        gemini(response(R"({"output":"ok"})")),
        gemini(response(R"({"output":"o\u006b","citestream_key":"x"})"))})
    CHECK(key_of(body) == "d_9a23a1");
  CHECK(key_of(gemini(response(R"({"rows":[1,2]})"))) == "d_c15677");
  CHECK(key_of(converse(R"({"json":{"rows":[1,2]}})")) == "d_c15677");
  const auto cached = [](const std::string& more) {
    return anthropic(R"([{"type":"text","text":"ok"},{"type":"image","source":{"data":"A"})" + more + "}]");
  };
  CHECK(key_of(cached("")) == key_of(cached(R"(,"cache_control":{"type":"ephemeral"})")));
}

TEST_CASE("the text of a reference has all that the model can read") {
  const auto text_of = [](const std::string& body) { return with_headers(body).sources.at(0).text; };
  CHECK(text_of(
            gemini(response(R"({"result":"success","rows":[{"caf\u00e9":"a\n\"b\" [REF|d_1]"}],"n":20})"))) ==
        "success\n{\"rows\":[{\"café\":\"a\n\"b\" \"}],\"n\":20}");
  CHECK(text_of(gemini(response(R"({"rows":[1, 2],"citestream_key":"[REF|d_7]"})"))) == R"({"rows":[1, 2]})");
  CHECK(text_of(converse(R"({"text":"Rows:"},{"json":{"may":20}},{"text":"End"})")) ==
        "Rows:\nEnd\n{\"may\":20}");
  CHECK(text_of(converse(R"({"document":{"name":"n","source":{"bytes":"AA=="}}},{"json":{"may":20}})")) ==
        R"({"may":20})");
  CHECK(text_of(converse(R"({"text":"a"},{"searchResult":{"title":"S"}},{"json":[1]})")) ==
        "a\n{\"title\":\"S\"}\n[1]");
  CHECK(
      text_of(anthropic(
          R"([{"type":"search_result","title":"S"},{"type":"text","text":"a"},{"type":"image","source":{"data":"AA"}},)"
          R"({"type":"document","source":{"type":"base64","data":"AA"}},{"type":"document","source":{"type":"text","data":"d"}}])")) ==
      "a\n{\"type\":\"search_result\",\"title\":\"S\"}\n{\"type\":\"document\",\"source\":{\"type\":\"text\","
      "\"data\":\"d\"}}");
  CHECK(text_of(lone_result(R"([{"type":"text","text":"a"},{"type":"document","document":{"data":"d"}}])")) ==
        "a\n{\"data\":\"d\"}");
  const rewritten agent = with_headers(
      gemini(response(R"({"output":"{\"url\":\"https://e.x/\"}","type":"agent","file_path":"q3.pdf"})")));
  REQUIRE(agent.sources.size() == 1);
  CHECK(agent.sources[0].cite == "a_1");
  CHECK(agent.sources[0].url == "https://e.x/");
  CHECK(agent.sources[0].file_path == "q3.pdf");
}

TEST_CASE("rewriting twice with keys from the content is rewriting once") {
  for (const std::string& body :
       {messages(turn(1) + "," + turn(2)),
        std::string(
            R"({"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"a":1,"b":[2]}}}]}]})")}) {
    const rewritten once = rewrite(body, by_content());
    CHECK(once.body != body);
    CHECK(rewrite(once.body, by_content()).body == once.body);
  }
}

TEST_CASE("only results of the tools that are named get keys") {
  provenance_options options = without_instructions();
  options.tools = {"search", "ask"};
  options.agent_tools = {"ask"};
  const std::string list = call("c1", "read") + "," + result("c1", citestream::json_string("a")) + "," +
                           call("c2", "search") + "," + result("c2", citestream::json_string("b")) + "," +
                           call("c3", "ask") + "," + result("c3", citestream::json_string("c"));
  const rewritten out = rewrite(messages(list), options);
  CHECK(keys_of(out) == std::vector<std::string>{"d_1", "a_2"});
  CHECK(out.body.find(R"("content":"a")") != std::string::npos);
  options.tools = {"other"};
  const rewritten none = rewrite(messages(list), options);
  CHECK(none.body == messages(list));
  CHECK(none.sources.empty());
}

TEST_CASE("the output of an agent has the keys made from content that it contains") {
  provenance_options options = by_content();
  options.agent_tools = {"ask"};
  const std::string said =
      "Up 20% [REF|d_3f9a2c][REF|a_00ff00|d_12345678]. Again [REF|d_3f9a2c]. Not [REF|d_1], "
      "[REF|d_3f9a2], [REF|d_3F9A2C], [REF|x_3f9a2c], d_aaaaaa, [REF|d_bbbbbb or [REF|d_cccccc\\n]. "
      "Escaped [REF\\\\|d_abcdef].";
  for (const auto keys : {provenance_keys::content, provenance_keys::counter}) {
    options.keys = keys;
    const rewritten out = rewrite(messages(call("c1", "ask") + "," + result("c1", "\"" + said + "\"") + "," +
                                           call("c2", "read") + "," + result("c2", "\"" + said + "\"")),
                                  options);
    REQUIRE(out.sources.size() == 2);
    CHECK(out.sources[0].uses == "d_3f9a2c a_00ff00 d_12345678 d_abcdef");
    CHECK(out.sources[1].uses.empty());  // not an agent
    CHECK(out.body.find("d_3f9a2c]") == std::string::npos);
  }
}

TEST_CASE("keys in an agent's output are found at any depth") {
  provenance_options options = by_content();
  options.agent_tools = {"ask"};
  for (const std::string response :
       {R"({"output":["foo [REF|d_3f9a2c]"]})", R"({"output":"a [REF|d_3f9a2c]"})",
        R"({"output":"a","x":{"\u005bREF|d_3f9a2c]":1}})", R"({"rows":[{"a":["\"[REF\\|d_3f9a2c]"]}]})"}) {
    INFO(response);
    const rewritten out = rewrite(
        R"({"contents":[{"parts":[{"functionResponse":{"name":"ask","response":)" + response + "}}]}]}",
        options);
    REQUIRE(out.sources.size() == 1);
    CHECK(out.sources[0].uses == "d_3f9a2c");
    CHECK(out.body.find("3f9a2c") == std::string::npos);
  }
}

TEST_CASE("an agent's output has each key once and at most 64 in all of its texts") {
  provenance_options options = by_content();
  options.agent_tools = {"ask"};
  std::string first = "Up";
  std::string second;
  std::string expected;
  for (int i = 0; i < 200; ++i) {
    const std::string key = "d_" + std::to_string(100'000 + i);
    (i < 40 ? first : second) += "[REF|" + key + "]";
    if (i < 40 && i % 2 == 0) second += "[REF|" + key + "]";  // again
    if (i < 64) expected += (i == 0 ? "" : " ") + key;
  }
  const auto uses_of = [&](const std::string& value) {
    const rewritten out = rewrite(messages(call("c1", "ask") + "," + result("c1", value)), options);
    return out.sources.at(0).uses;
  };
  const auto part = [](const std::string& text) {
    return R"({"type":"text","text":)" + citestream::json_string(text) + "}";
  };
  CHECK(uses_of(citestream::json_string(first + second)) == expected);
  CHECK(uses_of("[" + part(first) + "," + part(second) + "]") == expected);
}
