// Documents and search results of a request, in each protocol.
#include <citestream/provenance/provenance.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

using citestream::errc;
using citestream::limits;
using citestream::read_request_references;
using citestream::reference;
using citestream::request_part;
using citestream::request_place;
using citestream::source_span;
using citestream::source_type;
using citestream::source_unit;

namespace {

std::vector<reference> references_of(std::string_view body, const limits& bounds = {}) {
  std::vector<reference> out;
  REQUIRE_FALSE(read_request_references(body, out, bounds));
  for (std::size_t i = 0; i < out.size(); ++i)
    REQUIRE(out[i].number == static_cast<std::int64_t>(i) + 1);  // one count over all
  return out;
}

std::vector<reference> references_in_parts(std::string_view parts) {
  return references_of(R"({"model":"m","messages":[{"role":"user","content":[)" + std::string(parts) +
                       "]}]}");
}

request_place document(std::int64_t index) {
  return {request_part::document, index};
}

}  // namespace

TEST_CASE("documents of an Anthropic request have their title and their text") {
  const auto found = references_in_parts(
      R"({"type":"text","text":"Read this."},)"
      R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"Caf\u00e9 \ud83d\udc0d"},"title":"Menu","context":"c","citations":{"enabled":true}},)"
      R"({"type":"document","source":{"type":"content","content":[{"type":"text","text":"One."},{"type":"image"},{"type":"text","text":"Two."}]},"context":"Handbook"},)"
      R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="},"title":"Scan"},)"
      R"({"type":"document","source":{"type":"url","url":"https://a.example/x.pdf"}},)"
      R"({"type":"document","source":{"type":"file","file_id":"file_1"}})");
  REQUIRE(found.size() == 5);
  CHECK(found[0].title == "Menu");
  CHECK(found[0].cite == "Menu");
  CHECK(found[0].text == "Café 🐍");
  CHECK(found[0].span == source_span{source_unit::character, 0, 6, 0});
  CHECK(found[1].title == "Handbook");
  CHECK(found[1].text == "One.\nTwo.");
  CHECK(found[1].span == source_span{source_unit::block, 0, 3, 0});
  CHECK(found[2].title == "Scan");
  CHECK(found[2].text.empty());
  CHECK_FALSE(found[2].span);
  CHECK(found[3].url == "https://a.example/x.pdf");
  CHECK(found[3].type == source_type::web);
  CHECK(found[4].id == "file_1");
  CHECK(found[4].type == source_type::file);
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i].requested == document(static_cast<std::int64_t>(i)));
}

TEST_CASE("documents and search results are counted apart and also in tool results") {
  const auto found = references_in_parts(
      R"({"type":"search_result","source":"https://a.example/","title":"A","content":[{"type":"text","text":"One."},{"type":"text","text":"Two."}]},)"
      R"({"type":"tool_result","tool_use_id":"t","content":[)"
      R"({"type":"document","source":{"type":"text","data":"In a tool."},"title":"B"},)"
      R"({"type":"search_result","source":"kb/7","title":"C","content":[{"type":"text","text":"Three."}]}]},)"
      R"({"type":"document","source":{"type":"text","data":"After."},"title":"D"})");
  REQUIRE(found.size() == 4);
  CHECK(found[0].requested == request_place{request_part::search_result, 0});
  CHECK(found[0].url == "https://a.example/");
  CHECK(found[0].type == source_type::search_result);
  CHECK(found[0].text == "One.\nTwo.");
  CHECK(found[1].requested == document(0));
  CHECK(found[1].title == "B");
  CHECK(found[2].requested == request_place{request_part::search_result, 1});
  CHECK(found[2].id == "kb/7");
  CHECK(found[2].type == source_type::search_result);
  CHECK(found[2].url.empty());
  CHECK(found[3].requested == document(1));
}

TEST_CASE("documents of a Cohere request have the ids that answers use") {
  const auto found = references_of(
      R"({"documents":["Plain text.",{"id":"mine","data":{"title":"T","snippet":"S"}},{"data":"Only data."}],)"
      R"("messages":[{"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"x"},)"
      R"({"type":"document","document":{"data":{"text":"Result."}}},{"type":"document","document":{"id":"own","data":"R"}}]}]})");
  REQUIRE(found.size() == 5);
  CHECK(found[0].id == "doc:0");
  CHECK(found[0].text == "Plain text.");
  CHECK(found[1].id == "mine");
  CHECK(found[1].title == "T");
  CHECK(found[1].text == "S");
  CHECK(found[2].id == "doc:2");
  CHECK(found[2].text == "Only data.");
  CHECK(found[3].id == "call_1:1");
  CHECK(found[3].text == "Result.");
  CHECK(found[4].id == "own");
}

TEST_CASE("chat completions have documents next to the messages and files in them") {
  const auto found = references_of(
      R"({"documents":[{"title":"Guide","text":"Body."}],"messages":[{"role":"user","content":[)"
      R"({"type":"file","file":{"file_id":"file-9","filename":"q3.pdf"}}]}]})");
  REQUIRE(found.size() == 2);
  CHECK(found[0].title == "Guide");
  CHECK(found[0].text == "Body.");
  CHECK(found[1].id == "file-9");
  CHECK(found[1].title == "q3.pdf");
  CHECK(found[1].type == source_type::file);
}

TEST_CASE("files of OpenAI Responses may be in messages and in outputs of functions") {
  const auto found = references_of(
      R"({"input":[{"role":"user","content":[{"type":"input_file","file_id":"file-1","filename":"a.pdf"},)"
      R"({"type":"input_file","file_url":"https://a.example/b.pdf"}]},)"
      R"({"type":"function_call_output","call_id":"c","output":[{"type":"input_file","filename":"c.pdf","file_data":"data:"}]}]})");
  REQUIRE(found.size() == 3);
  CHECK(found[0].id == "file-1");
  CHECK(found[0].title == "a.pdf");
  CHECK(found[1].url == "https://a.example/b.pdf");
  CHECK(found[2].title == "c.pdf");
}

TEST_CASE("documents of Bedrock Converse are blocks without a type") {
  const auto found = references_of(
      R"({"messages":[{"role":"user","content":[{"text":"?"},{"document":{"name":"doc","format":"txt","source":{"text":"Words."},"citations":{"enabled":true}}},)"
      R"({"searchResult":{"source":"kb","title":"S","content":[{"text":"One."}]}},)"
      R"({"toolResult":{"toolUseId":"t","content":[{"document":{"name":"pdf","format":"pdf","source":{"bytes":"AA=="}}}]}}]}]})");
  REQUIRE(found.size() == 3);
  CHECK(found[0].title == "doc");
  CHECK(found[0].text == "Words.");
  CHECK(found[0].citable);
  CHECK_FALSE(found[1].citable);
  CHECK(found[1].requested == request_place{request_part::search_result, 0});
  CHECK(found[1].id == "kb");
  CHECK(found[2].title == "pdf");
  CHECK(found[2].requested == document(1));
}

TEST_CASE("files of Gemini are documents unless they are media") {
  const auto found = references_of(
      R"({"contents":[{"role":"user","parts":[{"text":"?"},{"fileData":{"mimeType":"application/pdf","fileUri":"https://a.example/f"}},)"
      R"({"inlineData":{"mimeType":"image/png","data":"AA=="}},{"inline_data":{"mime_type":"text/plain","data":"AA==","displayName":"n.txt"}}]}]})");
  REQUIRE(found.size() == 2);
  CHECK(found[0].url == "https://a.example/f");
  CHECK(found[1].title == "n.txt");
}

TEST_CASE("documents of Interactions are items or parts") {
  const auto found = references_of(
      R"({"input":[{"type":"text","text":"?"},{"type":"document","uri":"https://a.example/d.pdf"}]})");
  REQUIRE(found.size() == 1);
  CHECK(found[0].url == "https://a.example/d.pdf");
}

TEST_CASE("plain text in base64 has its text in every protocol and other data has none") {
  // "Caf\u00e9 19 hours."
  const auto found = references_in_parts(
      R"({"type":"document","source":{"type":"base64","media_type":"text/plain","data":"Q2Fmw6kgMTkgaG91cnMu"},"title":"A"},)"
      R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"Q2Fmw6kgMTkgaG91cnMu"},"title":"B"},)"
      R"({"document":{"name":"C","format":"txt","source":{"bytes":"Q2Fmw6kgMTkgaG91cnMu"}}},)"
      R"({"document":{"name":"D","format":"pdf","source":{"bytes":"Q2Fmw6kgMTkgaG91cnMu"}}},)"
      R"({"type":"file","file":{"filename":"E","file_data":"data:text/plain;charset=utf-8;base64,Q2Fmw6kgMTkgaG91cnMu"}},)"
      R"({"type":"file","file":{"filename":"F","file_data":"data:text/plain,Q2Fmw6kgMTkgaG91cnMu"}},)"
      R"({"type":"input_file","filename":"G","file_data":"data:text/plain;base64,Q2Fmw6kgMTkgaG91cnMu"},)"
      R"({"inlineData":{"displayName":"H","mimeType":"text/plain","data":"Q2Fmw6kgMTkgaG91cnMu"}},)"
      R"({"inlineData":{"displayName":"I","mimeType":"text/plainer","data":"Q2Fmw6kgMTkgaG91cnMu"}},)"
      R"({"inlineData":{"displayName":"J","mimeType":"text/plain","data":"w6k"}},)"
      R"({"inlineData":{"displayName":"K","mimeType":"text/plain","data":"w6nD"}})");
  std::string with_text;
  for (const reference& one : found) {
    if (one.text.empty()) continue;
    CHECK(one.text == "Café 19 hours.");
    CHECK_FALSE(one.span);  // the provider counts no characters in it
    with_text += one.title;
  }
  CHECK(found.size() == 11);
  CHECK(with_text == "ACEGH");
}

TEST_CASE("text in base64 over the bound is left out") {
  limits bounds;
  bounds.max_reference_bytes = 26;
  const std::string part =
      R"({"type":"document","source":{"type":"base64","media_type":"text/plain","data":"Q2Fmw6kgMTkgaG91cnMu"},"title":"A"})";
  const auto found = references_of(R"({"messages":[{"role":"user","content":[)" + part + "]}]}", bounds);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text.empty());
}

TEST_CASE("results of tools in a request to Responses have their place as a key") {
  const std::string body =
      R"({"model":"m","input":[{"role":"user","content":"?"},)"
      R"({"type":"function_call","call_id":"c0","name":"search","arguments":"{}"},)"
      R"({"type":"function_call","call_id":"c1","name":"news","arguments":"{}"},)"
      R"({"type":"function_call_output","call_id":"c0","output":"[{\"title\":\"A\",\"url\":\"https://a.example/a\",\"snippet\":\"a\"},{\"title\":\"B\",\"url\":\"https://a.example/b\"}]"},)"
      R"({"type":"function_call_output","call_id":"c1","output":"{\"results\":[{\"title\":\"N\",\"url\":\"https://a.example/n\"}]}"},)"
      R"({"type":"custom_tool_call","call_id":"c2","name":"open","input":"x"},)"
      R"({"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"A page."},{"type":"input_text","text":"{\"title\":\"P\",\"text\":\"one source\"}"}]},)"
      R"({"type":"function_call","call_id":"c3","name":"kb","arguments":"{}"},)"
      R"({"type":"function_call_output","call_id":"c3","output":"{\"sources\":[{\"id\":\"turn7file2\",\"title\":\"own\"}]}"}]})";
  std::vector<reference> found;
  REQUIRE_FALSE(read_request_references(body, found));
  std::string keys;
  for (const reference& one : found) {
    keys += one.cite + "=" + one.title + "/" + one.tool + "/" + one.tool_call_id + " ";
    CHECK_FALSE(one.number);
    CHECK_FALSE(one.requested);
  }
  CHECK(keys ==
        "turn0search0=A/search/c0 turn0search1=B/search/c0 turn0search2=N/news/c1 turn1search0=open/open/c2 "
        "turn1search1=P/open/c2 turn7search2=own/kb/c3 ");
  CHECK(found[0].text == "a");
  CHECK(found[0].url == "https://a.example/a");
  CHECK(found[3].text == "A page.");
}

TEST_CASE("results of tools do not change the numbers of documents") {
  std::vector<reference> found;
  REQUIRE_FALSE(
      read_request_references(R"({"input":[{"type":"function_call_output","call_id":"c","output":"x"},)"
                              R"({"role":"user","content":[{"type":"input_file","filename":"F"}]},)"
                              R"({"type":"function_call_output","call_id":"d","output":"y"}]})",
                              found));
  REQUIRE(found.size() == 3);
  CHECK(found[2].title == "F");
  CHECK(found[2].number == 1);
}

TEST_CASE("results of tools of other protocols are not references") {
  for (
      const char* const body :
      {R"({"messages":[{"role":"tool","tool_call_id":"c","content":"[{\"title\":\"A\"}]"}],"documents":[]})",
       R"({"input":[{"type":"function_result","call_id":"c","result":"[{\"title\":\"A\"}]"},{"type":"document"}]})"}) {
    std::vector<reference> found;
    REQUIRE_FALSE(read_request_references(body, found));
    CHECK(found.empty());
  }
}

TEST_CASE("a document cannot have the key of a tool result") {
  const auto found =
      references_in_parts(R"({"type":"document","source":{"type":"text","data":"x"},"title":"d_1"})");
  REQUIRE(found.size() == 1);
  CHECK(found[0].title == "d_1");
  CHECK(found[0].cite.empty());
}

TEST_CASE("texts of documents are bounded and their places stay") {
  limits bounds;
  bounds.max_reference_bytes = 10;
  bounds.max_references = 2;
  const auto found = references_of(R"({"documents":["123456","1234","1","2"],"messages":[]})", bounds);
  REQUIRE(found.size() == 2);
  CHECK(found[0].text.empty());
  CHECK(found[1].text == "1234");
  CHECK(found[1].requested == document(1));
}

TEST_CASE("a request that cannot be read gives no references") {
  std::vector<reference> out(1);
  const limits shallow{.max_body_bytes = 60, .max_json_depth = 4};
  CHECK(read_request_references(R"({"documents":["a"],)", out).code == errc::invalid_json);
  CHECK(read_request_references(R"({"documents":["a"],"documents":["b"]})", out).code == errc::duplicate_key);
  CHECK(read_request_references(R"({"documents":[[[[[[]]]]]]})", out, shallow).code == errc::json_too_deep);
  CHECK(read_request_references(R"({"documents":["a"]})" + std::string(60, ' '), out, shallow).code ==
        errc::body_too_large);
  CHECK_FALSE(read_request_references("no JSON and nothing to read", out));
  CHECK(out.size() == 1);
}
