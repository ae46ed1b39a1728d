// Work and memory of long streams.
#include <functional>
#include <malloc.h>

#include "support/linear.hpp"
#include "support/stream_runs.hpp"
#include "support/strings.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string event(std::string_view text, std::size_t choice = 0, std::string_view finish = "null",
                  std::string_view more = "") {
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":)" + std::to_string(choice) +
         R"(,"delta":{"content":")" + std::string(text) + R"(","graph_data":null},"finish_reason":)" +
         std::string(finish) + "}]" + std::string(more) + "}\n\n";
}

const std::string references =
    R"(,"graph_data":{"references":{"files":[{"fileId":"f","text":"t","cite":"b","score":1}]}})";

/// Runs a whole session. \p ask: reads its statistics after every read.
preparation reading(const std::function<std::string(std::size_t)>& make, bool ask = false,
                    std::size_t read = 200) {
  return [=](std::size_t size) {
    return [=, input = make(size)] {
      session one;
      std::string out;
      std::uint64_t seen = 0;
      for (const std::string_view part : cut_every(input, read)) {
        out.clear();
        static_cast<void>(one.write(part, out));
        if (ask) seen += one.statistics().events;
      }
      static_cast<void>(one.finish(out));
      CHECK((!ask || seen > 0));
    };
  };
}

}  // namespace

TEST_CASE("many citations take linear work even with statistics after every read") {
  const auto make = [](std::size_t count) {
    return repeated(event("x [A](b) y."), count) + event("", 0, "\"stop\"", references) + "data: [DONE]\n\n";
  };
  check_linear(500, reading(make));
  check_linear(500, reading(make, true));
}

TEST_CASE("many texts of a body take linear work") {
  const auto body = [](std::string_view start, std::string_view text, std::string_view end) {
    return [=](std::size_t count) {
      const std::string whole = std::string(start) + repeated(std::string(text) + ",", count) +
                                std::string(text) + std::string(end);
      return [whole] {
        session one;
        std::string out;
        CHECK_FALSE(one.rewrite_body(whole, out));
        CHECK(out.find("x [1] y") == std::string::npos);
        CHECK(out.find("x y") != std::string::npos);
      };
    };
  };
  check_linear(2000, body(R"({"type":"message","role":"assistant","content":[)",
                          R"({"type":"text","text":"x [A](b) y"})", "]}"));
  check_linear(
      2000,
      body(R"({"object":"response","status":"completed","output":[)",
           R"({"type":"message","content":[{"type":"output_text","text":"x [A](b) y","annotations":[]}]})",
           "]}"));
}

TEST_CASE("many events after the citations take linear work") {
  check_linear(500, reading([](std::size_t count) {
                 return repeated(event("x [A](b) y."), 100) + event("", 0, "\"stop\"", references) +
                        repeated(event("", 0, "\"stop\"", references), count) + "data: [DONE]\n\n";
               }));
}

TEST_CASE("many sources and texts of a UI message take linear work") {
  check_linear(500, reading([](std::size_t count) {
                 std::string all = "data: {\"type\":\"start\"}\n\n";
                 for (std::size_t i = 0; i < count; ++i) {
                   const std::string id = std::to_string(i);
                   const std::string url = "https://a.example/" + id;
                   const auto part = [&](const std::string& type, const std::string& members) {
                     all += "data: {\"type\":\"" + type + "\"," + members + "}\n\n";
                   };
                   part("source-url", R"("sourceId":"s)" + id + R"(","url":")" + url + "\"");
                   part("text-start", R"("id":")" + id + "\"");
                   part("text-delta", R"("id":")" + id + R"(","delta":"x [W]()" + url + ")\"");
                   part("text-end", R"("id":")" + id + "\"");
                 }
                 return all + "data: {\"type\":\"finish\"}\n\ndata: [DONE]\n\n";
               }));
}

TEST_CASE("many sources after many citations without one take linear work") {
  check_linear(500, reading([](std::size_t count) {
                 const std::string begin = R"(data: {"candidates":[{"content":{"parts":[{"text":")";
                 const std::string end = R"("}]},"index":0)";
                 const std::string tail = R"(}],"modelVersion":"m"})"
                                          "\n\n";
                 std::string all;
                 for (std::size_t i = 0; i < count; ++i)
                   all += begin + "x [A](https://a.example/" + std::to_string(i) + ")." + end + tail;
                 all += begin + end + R"(,"finishReason":"STOP")" + tail;
                 for (std::size_t i = 0; i < count; ++i)
                   all += begin + end + R"(,"groundingMetadata":{"groundingChunks":[{"web":{"uri":)" +
                          R"("https://a.example/)" + std::to_string(2 * i) +
                          R"("}}],"groundingSupports":[{"segment":{"endIndex":1,"text":"x"},)" +
                          R"("groundingChunkIndices":[0]}]})" + tail;
                 return all;
               }));
}

TEST_CASE("many references and many other sources in one event take linear work") {
  check_linear(500, reading([](std::size_t count) {
                 std::string files;
                 std::string sources;
                 for (std::size_t i = 0; i < count; ++i) {
                   const std::string comma = i > 0 ? "," : "";
                   files += comma + R"({"fileId":"f)" + std::to_string(i) + "\"}";
                   sources += comma + R"({"file_id":"s)" + std::to_string(i) + "\"}";
                 }
                 return event("It rose [A](s1).", 0, "\"stop\"",
                              R"(,"graph_data":{"references":{"files":[)" + files + R"(]},"sources":[)" +
                                  sources + "]}");
               }));
}

TEST_CASE("annotations after the record take linear work and output") {
  const auto make = [](std::size_t count) {
    std::string all = event("It rose [1].", 0, "\"stop\"", R"(,"citations":["https://a.example/0"])");
    for (std::size_t i = 0; i < count; ++i)
      all += R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"annotations":[)"
             R"({"type":"url_citation","url_citation":{"start_index":1,"end_index":4,"title":"T",)"
             R"("url":"https://a.example/)" +
             std::to_string(i) + R"("}}]},"finish_reason":null}]})" + "\n\n";
    return all + "data: [DONE]\n\n";
  };
  check_linear(500, reading(make));
  const std::string input = make(2000);
  std::string out;
  session one;
  static_cast<void>(one.write(input, out));
  static_cast<void>(one.finish(out));
  CHECK(out.find("https://a.example/1999", out.rfind("\"citestream\"")) != std::string::npos);
  CHECK(out.size() < 4 * input.size());
}

TEST_CASE("unreadable events among many citations take linear work") {
  check_linear(500, reading([](std::size_t count) {
                 return repeated(event("x [A](b) [") + "data: {\n\n", count) +
                        event("", 0, "\"stop\"", references);
               }));
}

TEST_CASE("unreadable events after many texts take linear work") {
  check_linear(500, reading([](std::size_t count) {
                 std::string all = "data: {\"type\":\"start\"}\n\n";
                 for (std::size_t i = 0; i < count; ++i) {
                   const std::string id = R"("id":")" + std::to_string(i) + '"';
                   all += "data: {\"type\":\"text-start\"," + id + "}\n\n";
                   all += "data: {\"type\":\"text-delta\"," + id + ",\"delta\":\"x\"}\n\n";
                   all += "data: {\"type\":\"text-end\"," + id + "}\n\n";
                 }
                 return all + repeated("data: {\n\n", count);
               }));
}

TEST_CASE("quotes of many choices that never begin take linear work with egress") {
  check_linear(2000, [](std::size_t count) {
    std::string input;
    for (std::size_t i = 0; i < count; ++i)
      input += R"(data: {"candidates":[{"index":)" + std::to_string(1000 + i) +
               R"(,"content":{"parts":[{"text":""}]},"groundingMetadata":{"groundingSupports":[{"segment":)"
               R"({"endIndex":1,"text":"a"},"groundingChunkIndices":[0]}]}}],"modelVersion":"m"})"
               "\n\n";
    return [input] {
      session_options options;
      options.egress = egress_mode::report;
      session one(options);
      std::string out;
      for (const std::string_view part : cut_every(input, 200)) static_cast<void>(one.write(part, out));
      CHECK(out.size() == input.size());
    };
  });
}

TEST_CASE("many interleaved choices take linear work") {
  check_linear(500, reading([](std::size_t count) {
                 std::string all;
                 for (std::size_t i = 0; i < count; ++i) all += event("x [A](b) y", i % 200);
                 return all + "data: [DONE]\n\n";
               }));
}

TEST_CASE("many choices in one event take linear work even over the limit") {
  const auto make = [](std::size_t most) {
    return [most](std::size_t count) {
      std::string all;
      for (std::size_t at = 0; at < count; at += most) {
        std::string choices;
        for (std::size_t i = 0; i < most; ++i) {
          choices += (i > 0 ? "," : "") + (R"({"index":)" + std::to_string(i)) +
                     R"x(,"delta":{"content":"x [A](b) y["}})x";
        }
        all += R"(data: {"object":"chat.completion.chunk","choices":[)" + choices + "]}\n\n";
      }
      return all + "data: [DONE]\n\n";
    };
  };
  check_linear(1024, reading(make(128)));
  check_linear(1024, reading([&](std::size_t count) { return make(count)(count); }));
}

TEST_CASE("a repeated event takes linear work for any read size") {
  const auto make = [](std::size_t count) {
    return event("a") + event("b") + event(repeated("word ", count));
  };
  check_linear(1000, reading(make, false, 7));
}

TEST_CASE("a long stream needs no more memory and stores equal references once") {
  const std::string plain = event("Some [text] that (is) held [and let go") + event(" of.\\n");
  const std::string with_references = event("", 0, "null", references) +
                                      "data: {\"object\":\"chat.completion.chunk\",\"choices\":[]" +
                                      references + "}\n\n";
  for (const std::string& part : {plain, with_references}) {
    session one;
    std::string out;
    const std::string block = repeated(part, 50);
    const auto feed = [&](std::size_t times) {
      for (std::size_t i = 0; i < times; ++i) {
        out.clear();
        static_cast<void>(one.write(block, out));
      }
    };
    feed(20);
    const std::size_t before = mallinfo2().uordblks;
    feed(500);
    const std::size_t after = mallinfo2().uordblks;
    CHECK(after <= before + 16384);
    CHECK(one.statistics().events == 2 * 50 * 520);
  }
}

TEST_CASE("texts over the limit that have the id of an earlier one need no more memory") {
  session_options options;
  options.bounds.max_texts = 16;
  session one(options);
  std::string out;
  const auto write = [&](std::string_view text) {
    out.clear();
    static_cast<void>(
        one.write("data: {\"type\":\"text-start\",\"id\":\"t\"}\n\n"
                  "data: {\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"" +
                      std::string(text) + "\"}\n\ndata: {\"type\":\"text-end\",\"id\":\"t\"}\n\n",
                  out));
  };
  static_cast<void>(one.write("data: {\"type\":\"start\"}\n\n", out));
  for (int i = 0; i < 500; ++i) write("x");
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 500; ++i) write("x");
  CHECK(mallinfo2().uordblks <= before + 16384);
  write("x [A](b) y");
  CHECK(out.find("\"delta\":\"x [1] y\"") != std::string::npos);
}
