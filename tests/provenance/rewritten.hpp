/// \file
/// Requests with provenance added.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/provenance/provenance.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "rewrite/json.hpp"

namespace citestream_tests {

struct rewritten {
  std::string body;
  std::vector<citestream::reference> sources;
  citestream::status error;
};

inline rewritten rewrite(std::string_view body, const citestream::provenance_options& options) {
  rewritten out;
  out.sources.emplace_back();  // of another request
  out.body = "before";
  out.error = citestream::add_provenance(body, options, out.body, out.sources);
  REQUIRE(out.body.starts_with("before"));
  out.body.erase(0, 6);
  REQUIRE((!out.sources.empty() && out.sources.front().cite.empty()));  // it is still the first
  out.sources.erase(out.sources.begin());
  return out;
}

inline citestream::provenance_options without_instructions() {
  citestream::provenance_options options;
  options.instructions = false;
  return options;
}

/// Adds headers but no instructions.
inline rewritten with_headers(std::string_view body) {
  return rewrite(body, without_instructions());
}

inline std::string messages(std::string_view list) {
  return R"({"model":"m","messages":[)" + std::string(list) + R"(],"stream":true})";
}

/// An assistant's message with one call.
inline std::string call(std::string_view id, std::string_view tool, std::string_view arguments = "{}") {
  return R"({"role":"assistant","content":null,"tool_calls":[{"id":)" + citestream::json_string(id) +
         R"(,"type":"function","function":{"name":)" + citestream::json_string(tool) + R"(,"arguments":)" +
         citestream::json_string(arguments) + "}}]}";
}

/// The message of a tool; \p content is JSON.
inline std::string result(std::string_view id, std::string_view content) {
  return R"({"role":"tool","tool_call_id":)" + citestream::json_string(id) + R"(,"content":)" +
         std::string(content) + "}";
}

/// A request whose only message is a tool's with that JSON as its content.
inline std::string lone_result(std::string_view content) {
  return messages(result("c1", content));
}

/// The only source of a result with that text from a tool named `t`.
inline citestream::reference source_of(std::string_view text, std::string_view arguments = "{}") {
  const rewritten out =
      with_headers(messages(call("c1", "t", arguments) + "," + result("c1", citestream::json_string(text))));
  REQUIRE_FALSE(out.error);
  REQUIRE(out.sources.size() == 1);
  return out.sources.front();
}

}  // namespace citestream_tests
