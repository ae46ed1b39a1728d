// Requests for an answer that is JSON for a program.
#include <citestream/provenance/provenance.hpp>

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

using citestream::requests_json;

TEST_CASE("a request of each protocol can ask for JSON") {
  for (const std::string_view member :
       {R"("response_format":{"type":"json_object"})",
        R"("response_format":{"type":"json_schema","json_schema":{}})",
        R"("response_format":{"type":"object","properties":{}})",
        R"("response_format":{"type":"text","mime_type":"application/json","schema":{}})",
        R"("response_mime_type":"application/json")", R"("text":{"format":{"type":"json_schema"}})",
        R"("output_config":{"format":{"type":"json_schema"}})", R"("output_format":{"type":"json_schema"})",
        R"("outputConfig":{"textFormat":{"type":"json_schema"}})", R"("format":"json")",
        R"("format":{"type":"object","properties":{}})", R"("format":{"anyOf":[]})",
        R"("generationConfig":{"responseMimeType":"application/json"})",
        R"("generation_config":{"response_mime_type":"text/x.enum"})"}) {
    INFO(member);
    CHECK(requests_json("{\"messages\":[]," + std::string(member) + "}"));
    CHECK_FALSE(requests_json("{\"messages\":[{" + std::string(member) + "}]}"));
    CHECK_FALSE(requests_json("{\"messages\":[]," + std::string(member)));
  }
}

TEST_CASE("a request that names a format of prose does not ask for JSON") {
  for (const std::string_view member :
       {R"("response_format":{"type":"text"})", R"("response_format":null)",
        R"("text":{"format":{"type":"text"}})", R"("text":{"verbosity":"low"})", R"("format":"")",
        R"("format":{})", R"("format":null)", R"("generationConfig":{"responseMimeType":"text/plain"})",
        R"("generationConfig":{"topK":1})", R"("output_config":{"effort":"low"})",
        R"("tools":[{"format":"json"}])"}) {
    INFO(member);
    CHECK_FALSE(requests_json("{\"messages\":[]," + std::string(member) + "}"));
  }
}
