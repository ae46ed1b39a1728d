// Documents compared with a reference parser.
#include <citestream/chunk/document.hpp>

#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "support/json_comparison.hpp"
#include "support/recorded_payloads.hpp"

using citestream::document;
using citestream::json_kind;
using citestream::json_value;
using citestream_tests::model_value;
using citestream_tests::read_model;

namespace {

/// Returns true if the document accepts the same JSON as the model and finds the same values.
bool agrees(document& doc, std::string_view json) {
  const auto error = doc.parse(json);
  const auto model = read_model(json);
  if (!model || has_huge_number(*model)) return error.code == citestream::errc::invalid_json;
  return !error && same(doc.root(), *model) &&
         doc.root().raw() == json.substr(model->begin, model->end - model->begin);
}

}  // namespace

TEST_CASE("every recorded payload is parsed as by the reference parser") {
  if (!citestream_tests::have_data("recordings")) return;
  document doc;
  std::size_t read = 0;
  for (const auto& file : citestream_tests::recordings()) {
    CAPTURE(file.filename().string());
    for (const std::string& payload : citestream_tests::payloads_of(file)) {
      REQUIRE(agrees(doc, payload));
      REQUIRE(doc.root());
      ++read;
    }
  }
  CHECK(read > 1000);
}

TEST_CASE("a recorded payload truncated anywhere is invalid") {
  if (!citestream_tests::have_data("recordings")) return;
  document doc;
  for (const auto& file : citestream_tests::recordings()) {
    const auto payloads = citestream_tests::payloads_of(file);
    REQUIRE_FALSE(payloads.empty());
    const std::string& payload = payloads[payloads.size() / 2];
    for (std::size_t size = 0; size < std::min<std::size_t>(payload.size(), 3000); ++size) {
      CAPTURE(file.filename().string(), size);
      REQUIRE(doc.parse(std::string_view(payload).substr(0, size)).code == citestream::errc::invalid_json);
    }
  }
}

TEST_CASE("a generated payload truncated anywhere is invalid") {
  const std::string json = R"({"a":[1,-2.5e+3,true,null,"x\u00e9\"",{"b":{}}],"c":"\ud83d\ude00","d":[[]]})";
  document doc;
  REQUIRE_FALSE(doc.parse(json));
  for (std::size_t size = 0; size < json.size(); ++size) {
    CAPTURE(size);
    CHECK(doc.parse(json.substr(0, size)).code == citestream::errc::invalid_json);
  }
}

TEST_CASE("randomly corrupted payloads are valid if the reference parser accepts them") {
  using namespace std::string_literals;
  const std::string seeds[] = {
      R"({"a":[1,-2.5e+3,true,null,"x\u00e9\"",{"b":{}}],"c":"\ud83d\ude00","d":[[]],"e":""})",
      R"( [ "a" , { "k" : 0.5 , "l" : [ ] } , 12345678901234567890 , false ] )",
      "{\"k\xC3\xA9\":\"\xE2\x82\xAC \xF0\x9F\x98\x80\",\"n\":[0,1e5,1E-5]}"};
  const std::string alphabet =
      "{}[]:,\"\\ \t\nutrfalsen0123456789.eE+-dD8cCxz\0\x01\x7F\xC3\xA9\xED\xA0\xF0\xFF"s;
  std::mt19937 random(20240711);
  document doc;
  std::size_t valid = 0;
  for (int round = 0; round < 60'000; ++round) {
    std::string json = seeds[random() % 3];
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % json.size();
      const char byte = alphabet[random() % alphabet.size()];
      switch (random() % 3) {
        case 0:
          json[at] = byte;
          break;
        case 1:
          json.insert(at, 1, byte);
          break;
        default:
          json.erase(at, 1);
      }
    }
    CAPTURE(json);
    REQUIRE(agrees(doc, json));
    if (doc.root()) ++valid;
  }
  CHECK(valid > 5'000);
  CHECK(valid < 55'000);
}
