// Which messages get a header, and which key.
#include <string>

#include <catch2/catch.hpp>

#include "provenance/rewritten.hpp"

using namespace citestream_tests;
using citestream::source_type;

TEST_CASE("a tool result gets its key above its content and nothing else changes") {
  const std::string body = "{ \"model\":\"m\",\r\n  \"temperature\" : 1.50e0 ,\"messages\":[" +
                           call("call_1", "read_file") +
                           ",\n {\"content\" : \"caf\\u00e9 \\/ 12%\" ,\"role\":\"tool\", "
                           "\"tool_call_id\":\"call_1\"}\t] , \"x\":null}\n";
  const rewritten out = with_headers(body);
  CHECK_FALSE(out.error);
  const std::string header = "[REF|d_1]\\n";
  std::string expected = body;
  expected.insert(expected.find("caf"), header);
  CHECK(out.body == expected);
  REQUIRE(out.sources.size() == 1);
  const auto& source = out.sources.front();
  CHECK(source.cite == "d_1");
  CHECK(source.tool == "read_file");
  CHECK(source.tool_call_id == "call_1");
  CHECK(source.text == "café / 12%");
  CHECK(source.title == "read_file");
  CHECK(source.type == source_type::document);
}

TEST_CASE("data and agents are numbered by one counter in the order of the messages") {
  citestream::provenance_options options = without_instructions();
  options.agent_tools = {"other", "ask_analyst"};
  const rewritten out =
      rewrite(messages(call("1", "search") + "," + result("1", R"("one")") + "," + call("2", "ask_analyst") +
                       "," + result("2", R"("two")") + "," + call("3", "search") + "," +
                       result("3", R"("three")") + "," + call("4", "x") + "," +
                       result("4", citestream::json_string(R"({"source_type":"agent","answer":"four"})"))),
              options);
  REQUIRE(out.sources.size() == 4);
  CHECK(out.sources[0].cite == "d_1");
  CHECK(out.sources[1].cite == "a_2");
  CHECK(out.sources[2].cite == "d_3");
  CHECK(out.sources[3].cite == "a_4");
  CHECK(out.sources[1].type == source_type::agent);
  CHECK(out.sources[3].type == source_type::agent);
  CHECK(out.body.find("\"[REF|a_2]\\ntwo\"") != std::string::npos);
  CHECK(out.body.find("\"[REF|d_3]\\nthree\"") != std::string::npos);
}

TEST_CASE("content in parts has its header above its first text") {
  const std::string image = R"({"type":"image_url","image_url":{"url":"https://x/"}})";
  const rewritten out = with_headers(
      lone_result("[" + image + R"(,{"type":"text","text":"one [REF|d_9]"}, {"text":"two","type":"text"}])"));
  CHECK(out.body.find("[" + image +
                      R"(,{"type":"text","text":"[REF|d_1]\none "}, {"text":"two","type":"text"}])") !=
        std::string::npos);
  REQUIRE(out.sources.size() == 1);
  CHECK(out.sources[0].text == "one \ntwo");
}

TEST_CASE("a message with the older role function is a tool result") {
  const rewritten out =
      with_headers(messages(R"({"role":"function","name":"get_weather","content":"rain"})"));
  REQUIRE(out.sources.size() == 1);
  CHECK(out.sources[0].tool == "get_weather");
  CHECK(out.sources[0].tool_call_id.empty());
  CHECK(out.body.find(R"("content":"[REF|d_1]\nrain")") != std::string::npos);
}

TEST_CASE("a result belongs to the nearest call before it with its id") {
  const rewritten out = with_headers(
      messages(call("call_0", "first") + "," + result("call_0", R"("a")") + "," + call("call_0", "second") +
               "," + result("call_0", R"("b")") + "," + result("gone", R"("c")") + "," +
               R"({"role":"tool","tool_call_id":"gone","name":"named","content":"d"})"));
  REQUIRE(out.sources.size() == 4);
  CHECK(out.sources[0].tool == "first");
  CHECK(out.sources[1].tool == "second");
  CHECK(out.sources[2].tool.empty());
  CHECK(out.sources[2].title == "d_3");
  CHECK(out.sources[3].tool == "named");
}

TEST_CASE("tags are removed from results and not from other messages") {
  const std::string said = R"({"role":"assistant","content":"It grew. [REF|d_1]"},)"
                           R"({"role":"user","content":"[REF|d_1]\nmine"})";
  const rewritten out = with_headers(messages(
      said + "," + result("c", R"("[REF|a_7]\nGrew 12% [REF|d_1|a_2]. \u005bREF\u007cd_3] End \/")")));
  CHECK(out.body == messages(said + "," + result("c", R"("[REF|d_1]\nGrew 12% .  End \/")")));
  REQUIRE(out.sources.size() == 1);
  CHECK(out.sources[0].text == "Grew 12% .  End /");
}

TEST_CASE("a result without text has no key") {
  for (const std::string none : {R"("")", R"(" \n")", "null", "[]", R"([{"type":"text","text":""}])"}) {
    INFO(none);
    const rewritten out = with_headers(messages(result("1", none) + "," + result("2", R"("x")")));
    CHECK(out.body == messages(result("1", none) + "," + result("2", R"("[REF|d_1]\nx")")));
    CHECK(out.sources.size() == 1);
  }
}

TEST_CASE("a result that has only tags has no key") {
  for (const std::string none : {R"("[REF|d_1]")", R"("[REF|d_1]\n [REF|a_2]")",
                                 R"([{"type":"text","text":"[REF|d_2]"},{"type":"text","text":""}])"}) {
    INFO(none);
    const rewritten out = with_headers(messages(result("1", none) + "," + result("2", R"("x")")));
    CHECK(out.body.find("[REF|") == out.body.find("[REF|d_1]\\nx"));
    CHECK(out.sources.size() == 1);
  }
}

TEST_CASE("a request without tool results is unchanged") {
  for (const char* body :
       {R"({"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function"}]})", "{}", "[]", "3",
        R"({"messages":null})", R"({"messages":{"role":"tool","content":"x"}})", R"({"messages":[]})",
        R"({"messages":["tool",1,[],null]})", R"({"messages":[{"role":"assistant","content":"[REF|d_1]"}]})",
        R"({"messages":[{"role":["tool"],"content":"x"}]})"}) {
    INFO(body);
    const rewritten out = rewrite(body, {});
    CHECK_FALSE(out.error);
    CHECK(out.body == body);
    CHECK(out.sources.empty());
  }
}
