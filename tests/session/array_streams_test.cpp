// Streams that are one JSON array.
#include <citestream/session/session.hpp>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/json_paths.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string chunk(std::string_view text, std::string_view more = {}) {
  return R"({"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":")" +
         std::string(text) + "\"}" + std::string(more) + "}]}";
}

const std::string last = R"(,"finish_reason":"stop")";

std::string array_of(const std::vector<std::string>& elements, const std::string& end = "\n]\n") {
  std::string out = "[";
  for (const std::string& one : elements) out += (out.size() > 1 ? "\n,\r\n" : "") + one;
  return out + end;
}

/// The text of all elements. Fails if the output is not one JSON array.
std::string text_of(std::string_view out) {
  document parsed;
  INFO(out);
  REQUIRE_FALSE(parsed.parse(out));
  REQUIRE(parsed.root().is_array());
  std::string text;
  for (json_value one = parsed.root().first(); one; one = one.next())
    text += one["choices"].first()["delta"]["content"].string();
  return text;
}

const std::vector<std::string> cited{chunk("It grew"), chunk(" by 20% [Rep"), chunk("ort.pdf](f-17"),
                                     chunk(")."), chunk(" [C", last)};

void check_cuts(const session_options& options, std::string_view stream, const ending& how = {}) {
  const std::string expected = run_whole(options, stream, how).out;
  session one(options);
  const auto got = [&](const pieces& parts) {
    const std::string out = run(one, parts, how).out;
    one.reset();
    return out;
  };
  for (std::size_t at = 0; at <= stream.size(); ++at) {
    INFO("cut at " << at);
    CHECK(got({stream.substr(0, at), stream.substr(at)}) == expected);
  }
  for (const std::size_t size : {1U, 2U, 7U}) CHECK(got(cut_every(stream, size)) == expected);
}

}  // namespace

TEST_CASE("the elements of an array are rewritten and its other bytes stay") {
  const std::string stream = array_of(cited);
  const stream_run got = run_whole({}, stream);
  CHECK_FALSE(got.end);
  CHECK(text_of(got.out) == "It grew by 20%. [C");
  CHECK(got.out.starts_with("[" + cited[0] + "\n,\r\n"));
  CHECK(got.out.ends_with("]\n"));
  check_cuts({}, stream);
  check_cuts({}, "\xEF\xBB\xBF \r\n" + stream + " ");
  for (const std::string& same : {array_of({chunk("a"), chunk("b", last)}), std::string("[]"),
                                  std::string("[1,\"a\"]"), array_of({"{\"a\":1}", "{\"b\":[2]}"})})
    CHECK(run_whole({}, same).out == same);
}

TEST_CASE("the shape of elements is learned and changes no byte") {
  std::vector<std::string> elements;
  for (int i = 0; i < 40; ++i) elements.push_back(chunk(i % 7 == 0 ? "word [A](b)" : "word "));
  elements.push_back(chunk("", last));
  const std::string stream = array_of(elements);
  const stream_run with = run_whole({}, stream);
  CHECK(with.counts.known_shape >= 35);
  session_options off;
  off.bounds.max_envelopes = 0;
  CHECK(run_whole(off, stream).out == with.out);
  check_cuts({}, stream.substr(0, 1500));
}

TEST_CASE("no read loses an element of a learned shape whose text is not UTF-8") {
  for (const char* text : {"\x97", "a\x97 b", "\xF0\x9F"}) {
    for (const char* between : {"", ",", " , "}) {
      const std::string stream = "[" + chunk("a") + between + chunk(text) + between + chunk("b", last) + "]";
      CHECK(run_whole({}, stream).out == stream);
      check_cuts({}, stream);
    }
  }
}

TEST_CASE("an element that is added keeps the array valid") {
  const std::string notice = R"({"object":"chat.completion.chunk","choices":[]})";
  // Before an element, and before the end.
  const std::string stream = array_of({chunk("a [A"), notice, chunk("b [B")});
  CHECK(text_of(run_whole({}, stream).out) == "a [Ab [B");
  check_cuts({}, stream);
  check_cuts({}, array_of({chunk("a [A"), notice, chunk("b [B")}, "]"));
}

TEST_CASE("an element that is added after a number or null keeps the array valid") {
  for (const char* other : {"null", "12", "true"}) {
    CAPTURE(other);
    for (const std::string& end : {std::string("]"), std::string("\n]\n")}) {
      const std::string stream = array_of({chunk("a [A"), other, chunk("b [B"), other}, end);
      CHECK(text_of(run_whole({}, stream).out) == "a [Ab [B");
      check_cuts({}, stream);
    }
  }
}

TEST_CASE("an array that breaks off is closed after an error") {
  const ending aborted{stream_end::aborted, "reset", "upstream_failed"};
  const std::string stream = array_of({chunk("a"), chunk("b [A"), chunk("c")});
  for (std::size_t size = 1; size + 1 < stream.size(); ++size) {
    const std::string_view begin = std::string_view(stream).substr(0, size);
    CAPTURE(begin);
    const stream_run got = run_whole({}, begin, aborted);
    CHECK(got.end.code == errc::upstream_incomplete);
    text_of(got.out);
    CHECK(got.out.find("\"message\":\"reset\"") != std::string::npos);
    check_cuts({}, begin, aborted);
    // The end of the connection is not the end of an array, even after the answer has finished.
    CHECK(run_whole({}, "[" + chunk("a", last)).end.code == errc::upstream_incomplete);
  }
  session_options small;
  small.bounds.max_event_bytes = 150;
  check_cuts(small, array_of({chunk("a [A"), chunk(std::string(200, 'x')), chunk("](b)", last)}));
}

TEST_CASE("a body that is an array of events is rewritten like a stream") {
  session one;
  std::string out;
  CHECK_FALSE(one.rewrite_body(array_of(cited), out));
  CHECK(out == run_whole({}, array_of(cited)).out);
  session broken;
  out.clear();
  CHECK(broken.rewrite_body(array_of(cited, ""), out).code == errc::upstream_incomplete);
  for (const std::string body : {"[1,2]", "[{\"a\":1}]"}) {
    session other;
    out.clear();
    CHECK_FALSE(other.rewrite_body(body, out));
    CHECK(out == body);
  }
}
