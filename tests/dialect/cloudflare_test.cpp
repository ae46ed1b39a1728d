// Cloudflare AI Search. Its payloads are in golden/cloudflare.md.
#include <citestream/session/session.hpp>

#include <string>

#include <catch2/catch.hpp>

using namespace citestream;

namespace {

const dialect& cloudflare = *find_dialect("cloudflare");

constexpr std::string_view chunk =
    R"({"id":"c1","type":"text","score":0.8,"text":"Grows.","item":{"key":"a.md"}})";

}  // namespace

TEST_CASE("Cloudflare AI Search is recognised only by chunks with a key") {
  document doc;
  const auto is_known = [&](const std::string& payload, payload_kind kind = payload_kind::event) {
    REQUIRE_FALSE(doc.parse(payload));
    return cloudflare.recognise(doc.root(), kind);
  };
  const std::string list = "[" + std::string(chunk) + "]";
  CHECK(is_known(list));
  CHECK(is_known(R"({"choices":[],"chunks":)" + list + "}", payload_kind::body));
  CHECK_FALSE(is_known(list, payload_kind::body));
  CHECK_FALSE(is_known(R"({"chunks":)" + list + "}"));
  CHECK_FALSE(is_known("[]"));
  CHECK_FALSE(is_known(R"([{"text":"Grows."}])"));
  CHECK_FALSE(is_known(R"([{"text":"Grows.","item":{"key":""}}])"));
  CHECK_FALSE(is_known(R"({"choices":[],"chunks":[]})"));
}

TEST_CASE("citations of Cloudflare AI Search resolve against chunks sent earlier") {
  const std::string first = "event: chunks\ndata: [" + std::string(chunk) + "]\n\n";
  const std::string text =
      R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"It grows [1]."}}]})";
  const std::string end =
      R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";
  session one;
  std::string out;
  CHECK_FALSE(one.write(first + text + "\n\n" + end + "\n\ndata: [DONE]\n\n", out));
  CHECK_FALSE(one.finish(out));
  CHECK(out.starts_with(first));
  CHECK(out.find("\"content\":\"It grows.\"") != std::string::npos);
  REQUIRE(one.cites(0).all().size() == 1);
  CHECK(one.cites(0).all()[0].status == citation_status::resolved);
  CHECK(one.recognised() == &cloudflare);
}

TEST_CASE("chunks after the answer leave their event unchanged and additions follow") {
  const std::string list = "data: [" + std::string(chunk) + "]\n\n";
  const std::string text =
      R"(data: {"choices":[{"index":0,"delta":{"content":"It grows [1]."},"finish_reason":"stop"}]})";
  session_options options;
  options.dialect = &cloudflare;
  session one(options);
  std::string out;
  CHECK_FALSE(one.write(text + "\n\n" + list + "data: [DONE]\n\n", out));
  CHECK_FALSE(one.finish(out));
  CHECK(out.find(list) != std::string::npos);
  CHECK(out.find("\"citestream\":{") > out.find(list));
  CHECK(out.find("\"status\":\"resolved\"") != std::string::npos);
}
