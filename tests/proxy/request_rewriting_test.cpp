#include "proxy/request_rewriting.hpp"

#include <string>

#include <catch2/catch.hpp>

using namespace citestream;

namespace {

http::request_head post() {
  http::request_head head;
  head.method = "POST";
  return head;
}

request_rewrite_options everything() {
  request_rewrite_options how;
  how.references = how.provenance = how.inline_citations = true;
  return how;
}

}  // namespace

TEST_CASE("each step of a rewriting reads what the step before has changed") {
  const std::string given =
      R"({"documents":[{"data":"text"}],"response_format":{"type":"json_object"},)"
      R"("messages":[{"role":"user","content":"?"},)"
      R"({"role":"assistant","content":[{"type":"text","text":"x","citations":[{"encrypted_index":""}]}],)"
      R"("tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},)"
      R"({"role":"tool","tool_call_id":"c","content":"42"}],)"
      R"("tools":[{"type":"graph","function":{"graph_ids":["g"]}}]})";
  std::string without_own, with_inline, expected;
  std::vector<reference> keys;
  REQUIRE_FALSE(remove_own_citations(given, without_own));
  REQUIRE_FALSE(add_inline_citations(without_own, with_inline));
  REQUIRE_FALSE(add_provenance(with_inline, {}, expected, keys));
  REQUIRE(without_own != given);
  REQUIRE(with_inline != without_own);
  REQUIRE(expected != with_inline);

  std::string body = given;
  const rewritten_request out = rewrite_request(post(), "/v1/chat/completions", everything(), body);
  CHECK(body == expected);
  CHECK(out.json);
  CHECK(out.changed);
  CHECK(out.keyed);
  CHECK_FALSE(out.error);
  REQUIRE(out.references.size() == 2);
  CHECK(out.references[0].text == "text");
  CHECK(out.references[1].cite == "d_1");
}

TEST_CASE("a duplicate key concerns only the step that looks for it") {
  const std::string given = R"({"response_format":{"type":"text"},"response_format":{"type":"text"},)"
                            R"("documents":["a"],)"
                            R"("messages":[{"role":"tool","tool_call_id":"c","content":"42"}]})";
  std::string body = given;
  const rewritten_request out = rewrite_request(post(), "/v1/chat/completions", everything(), body);
  CHECK_FALSE(out.error);
  CHECK(out.keyed);
  REQUIRE(out.references.size() == 2);
  CHECK(out.references[1].cite == "d_1");
  CHECK(body.find("[REF|d_1]") != std::string::npos);
}
