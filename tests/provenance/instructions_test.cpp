// The instructions for citing, in the system prompt.
#include <string>

#include <catch2/catch.hpp>

#include "provenance/rewritten.hpp"
#include "support/strings.hpp"

using namespace citestream_tests;

namespace {

const std::string tool = result("c", R"("x")");
const std::string headed = result("c", R"("[REF|d_1]\nx")");

std::string prompt(std::string_view content, std::string_view role = "system") {
  return R"({"role":)" + citestream::json_string(role) + R"(,"content":)" + std::string(content) + "}";
}

std::string instructions() {
  return std::string(citestream::citation_instructions());
}

}  // namespace

TEST_CASE("the instructions explain when to cite and which key to prefer") {
  for (const char* word : {"[REF|d_1]", "[REF|a_2]", "[REF|d_1|d_3]", "Cite figures", "Do not cite",
                           "already cited", "Never invent", "use the d_ key"}) {
    INFO(word);
    CHECK(instructions().find(word) != std::string::npos);
  }
  CHECK(instructions().size() < 2000);
}

TEST_CASE("the instructions are appended to the first system message") {
  for (const char* role : {"system", "developer"}) {
    INFO(role);
    const std::string user = R"({"role":"user","content":"q"})";
    const std::string later = prompt(R"("later")");
    const rewritten out =
        rewrite(messages(user + "," + prompt(R"("Be br\u0069ef.")", role) + "," + later + "," + tool), {});
    std::string content = citestream::json_string(instructions());
    content.replace(0, 1, R"("Be br\u0069ef.\n\n)");
    CHECK(out.body == messages(user + "," + prompt(content, role) + "," + later + "," + headed));
  }
}

TEST_CASE("an empty system message becomes the instructions") {
  CHECK(rewrite(messages(prompt(R"("")") + "," + tool), {}).body ==
        messages(prompt(citestream::json_string(instructions())) + "," + headed));
}

TEST_CASE("a system message in parts gets an additional part") {
  const std::string part = R"({"type":"text","text":)" + citestream::json_string(instructions()) + "}";
  CHECK(rewrite(messages(prompt(R"([ {"type":"text","text":"a"} ])") + "," + tool), {}).body ==
        messages(prompt(R"([ {"type":"text","text":"a"},)" + part + " ]") + "," + headed));
  CHECK(rewrite(messages(prompt("[]") + "," + tool), {}).body ==
        messages(prompt("[" + part + "]") + "," + headed));
}

TEST_CASE("without a usable system message a new one is inserted first") {
  const std::string ours = prompt(citestream::json_string(instructions()));
  CHECK(rewrite(messages(tool), {}).body == messages(ours + "," + headed));
  for (const char* content : {"null", "3", "{}"}) {
    INFO(content);
    CHECK(rewrite(messages(prompt(content) + "," + tool), {}).body ==
          messages(ours + "," + prompt(content) + "," + headed));
  }
  CHECK(rewrite(messages(prompt("null") + "," + prompt(R"("b")") + "," + tool), {})
            .body.starts_with(
                messages(prompt("null") + "," + R"({"role":"system","content":"b\n\n)").substr(0, 60)));
}

TEST_CASE("existing instructions are not added again") {
  const std::string mine = instructions() + "\nAnd be brief.";
  for (const std::string& content :
       {citestream::json_string(mine), R"([{"type":"text","text":)" + citestream::json_string(mine) + "}]"}) {
    const std::string body = messages(prompt(R"("a")") + "," + prompt(content) + "," + tool);
    const rewritten out = rewrite(body, {});
    CHECK(out.body == messages(prompt(R"("a")") + "," + prompt(content) + "," + headed));
    CHECK(occurrences(out.body, "How to cite the results") == 1);
  }
}

TEST_CASE("without instructions the system prompt is unchanged") {
  const std::string body = messages(prompt(R"("a")") + "," + tool);
  CHECK(with_headers(body).body == messages(prompt(R"("a")") + "," + headed));
}
