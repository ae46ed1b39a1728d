// Invalid input is reported and passes through unchanged.
#include <citestream/style/style.hpp>

#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/lines.hpp"
#include "support/rounds.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;

namespace {

std::string garbage(unsigned seed, std::size_t size) {
  std::mt19937 random(seed);
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random() & 0xFFU);
  return bytes;
}

}  // namespace

TEST_CASE("an unknown name is rejected with the known names") {
  struct example {
    const char* option;
    std::vector<std::string> known;
  };
  for (const char* command : {"filter", "proxy"}) {
    for (const example& one :
         {example{"--style", {"strip", "keep", "numeric", "footnote", "html"}},
          example{"--markers", {"link", "numeric", "source", "ref", "file", "lenticular"}},
          example{"--dialect", {"auto", "writer", "openai", "perplexity", "mistral", "rag"}}}) {
      const auto run = citestream_tests::run({command, one.option, "nonsense"});
      INFO(command << " " << run.err);
      CHECK(run.code == 2);
      CHECK(run.out.empty());
      for (const std::string& name : one.known) CHECK(run.err.find(name) != std::string::npos);
    }
  }
}

TEST_CASE("input of another form fails with one line in every form of output") {
  struct form {
    const char* from;
    std::vector<const char*> to;
  };
  const std::string error = R"({"error":{"message":"overloaded"}})";
  const std::string prose = "It grew [Report](id1).";
  const std::string stream = event_of("{\"kind\":1}");
  const std::string noise = garbage(5, 300);
  for (const form& one :
       {form{"sse", {"sse", "text", "json", "events", "frames"}},
        form{"json", {"body", "text", "json", "events"}}, form{"deltas", {"text", "json", "events"}}}) {
    for (const char* to : one.to) {
      if (sanitized && to != one.to.front() && to != one.to.back()) continue;
      for (const std::string& input : {error, error + "\n", prose, noise, stream}) {
        const bool own = input == stream && std::string(one.from) == "sse";
        if (own && (std::string(to) == "sse" || std::string(to) == "frames")) continue;
        const auto run = filter({"--from", one.from, "--to", to}, input);
        INFO(one.from << " " << to << " " << input << " " << run.err);
        CHECK(run.code == 1);
        CHECK_FALSE(run.err.empty());
        const bool passes = std::string(to) == "sse" || std::string(to) == "body";
        if (passes) CHECK((run.out == input));
        if (std::string(to) == "text") CHECK(run.out.empty());
        if (std::string(one.from) == "sse" && !own)
          CHECK(run.err == "citestream: filter: standard input: not an event stream (see --from)\n");
      }
    }
  }
}

TEST_CASE("empty input is accepted and reported and any text is text") {
  const std::string empty = "citestream: filter: standard input: the input is empty\n";
  for (const char* from : {"sse", "deltas", "text"}) {
    for (const char* to : {"text", "json", "events"}) {
      const auto run = filter({"--from", from, "--to", to});
      INFO(from << " " << to << " " << run.err);
      CHECK(run.code == 0);
      CHECK(run.err == empty);
    }
  }
  for (const char* to : {"sse", "frames"}) {
    const auto run = filter({"--to", to});
    CHECK(run.code == 0);
    CHECK(run.err == empty);
  }
  for (const char* to : {"text", "json", "events"}) {
    const auto run = filter({"--from", "text", "--to", to}, R"({"error":{"message":"overloaded"}})");
    CHECK(run.code == 0);
    CHECK(run.out.find("overloaded") != std::string::npos);
  }
}

TEST_CASE("a stream of comments and an end contains no answer") {
  const auto alive = filter({"--to", "text"}, ": alive\n\n");
  CHECK(alive.code == 1);
  CHECK(alive.err == "citestream: filter: standard input: contains no answer\n");
  for (const char* to : {"sse", "frames"}) CHECK(filter({"--to", to}, ": alive\n\n").code == 0);
  for (const char* to : {"text", "json", "events"}) {
    const auto run = filter({"--to", to}, event_of("[DONE]"));
    CHECK(run.code == 1);
    CHECK(lines_of(run.err).size() == 1);
  }
  const auto broken = filter({"--to", "text"}, event_of("{broken"));
  CHECK(broken.code == 1);
  CHECK(broken.err.find("invalid JSON") != std::string::npos);
}

TEST_CASE("a request for provenance without a list of messages is wrong usage") {
  for (const char* request : {R"({"messages":{}})", R"({"messages":"x"})", "{}", "[]"}) {
    const scratch_file file("request.json", request);
    const auto run = filter({"--provenance-request", file.path()}, answer_stream());
    INFO(request);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(run.err.find(file.path() + ": not a chat request: it has no list \"messages\"") !=
          std::string::npos);
  }
  const scratch_file empty("request.json", R"({"messages":[]})");
  CHECK(filter({"--provenance-request", empty.path()}, answer_stream()).code == 0);
}

TEST_CASE("bytes that are not a stream pass through unchanged in every style") {
  for (const citestream::style* style : citestream::styles()) {
    for (const unsigned seed : {1U, 2U, 3U}) {
      const std::string bytes = garbage(seed, 20'000);
      const auto run = filter({"--style", std::string(style->name)}, bytes);
      CHECK((run.out == bytes));
      CHECK(run.code >= 0);
      CHECK(run.code <= 1);
    }
  }
}

TEST_CASE("bytes that are not a body pass through unchanged and fail") {
  const std::string bytes = garbage(4, 5'000);
  const auto run = filter({"--from", "json", "--to", "body"}, bytes);
  CHECK((run.out == bytes));
  CHECK(run.code == 1);
  CHECK(lines_of(run.err).size() == 1);
}

TEST_CASE("garbage in a stream does not affect the answer around it") {
  const std::string stream = answer_stream();
  const std::size_t cut = stream.find("\n\n") + 2;
  const std::string noise = "data: \xFF{[[\n\n";
  const auto clean = filter({"--to", "text"}, stream);
  const auto run = filter({}, stream.substr(0, cut) + noise + stream.substr(cut));
  CHECK(run.out.find(noise) != std::string::npos);
  CHECK(filter({"--to", "text"}, stream.substr(0, cut) + noise + stream.substr(cut)).out == clean.out);
}

TEST_CASE("the message about a duplicate key names no byte without meaning") {
  const auto body = filter({"--to", "text"}, R"({"answer":"a","answer":"b","sources":[{"title":"A"}]})");
  CHECK(body.code == 1);
  CHECK(body.err == "citestream: filter: standard input: duplicate key in a JSON object\n");
}

TEST_CASE("a file without references is rejected with the accepted forms") {
  const scratch_file other("list.json", "[1, 2]");
  const auto run = filter({"--references", other.path()}, answer_stream());
  CHECK(run.code == 1);
  CHECK(run.out.empty());
  CHECK(run.err.find(other.path()) != std::string::npos);
  CHECK(run.err.find("list of references") != std::string::npos);
}

TEST_CASE("markers of unknown references stay text if only known ones count") {
  const scratch_file pages("pages.json", R"({"1":{"title":"A","url":"https://example.com/a"}})");
  const std::vector<std::string> arguments{"--from",  "text",         "--markers",
                                           "numeric", "--references", pages.path()};
  CHECK(filter(arguments, "a [1] b [9].").out == "a b.");
  std::vector<std::string> only = arguments;
  only.emplace_back("--only-known");
  CHECK(filter(only, "a [1] b [9].").out == "a b [9].");
}
