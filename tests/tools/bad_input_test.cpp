// Input that is none: what is wrong is said, what came leaves.
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "child.hpp"
#include "inputs.hpp"

using namespace citestream_tests;

namespace {

std::string garbage(unsigned seed, std::size_t size) {
  std::mt19937 random(seed);
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random() & 0xFFU);
  return bytes;
}

}  // namespace

TEST_CASE("a name that is not known is answered with those that are") {
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

TEST_CASE("bytes that are no stream leave as they came in every style") {
  for (const char* style : {"strip", "keep", "numeric", "footnote", "superscript", "html", "label"}) {
    for (const unsigned seed : {1U, 2U, 3U}) {
      const std::string bytes = garbage(seed, 20'000);
      const auto run = filter({"--style", style}, bytes);
      CHECK((run.out == bytes));
      CHECK(run.code >= 0);
      CHECK(run.code <= 1);
    }
  }
}

TEST_CASE("bytes that are no body leave as they came and fail") {
  const std::string bytes = garbage(4, 5'000);
  const auto run = filter({"--from", "json", "--to", "body"}, bytes);
  CHECK((run.out == bytes));
  CHECK(run.code == 1);
  CHECK(lines_of(run.err).size() == 1);
}

TEST_CASE("garbage in a stream takes nothing from the answer around it") {
  const std::string stream = answer_stream();
  const std::size_t cut = stream.find("\n\n") + 2;
  const std::string noise = "data: \xFF{[[\n\n";
  const auto clean = filter({"--to", "text"}, stream);
  const auto run = filter({}, stream.substr(0, cut) + noise + stream.substr(cut));
  CHECK(run.out.find(noise) != std::string::npos);
  CHECK(filter({"--to", "text"}, stream.substr(0, cut) + noise + stream.substr(cut)).out == clean.out);
}

TEST_CASE("a file of references that holds none names itself and what is understood") {
  const scratch_file other("list.json", "[1, 2]");
  const auto run = filter({"--references", other.path()}, answer_stream());
  CHECK(run.code == 1);
  CHECK(run.out.empty());
  CHECK(run.err.find(other.path()) != std::string::npos);
  CHECK(run.err.find("list of references") != std::string::npos);
}

TEST_CASE("markers that mean nothing known stay text where only known ones count") {
  const scratch_file pages("pages.json", R"({"1":{"title":"A","url":"https://example.com/a"}})");
  const std::vector<std::string> arguments{"--from",  "text",         "--markers",
                                           "numeric", "--references", pages.path()};
  CHECK(filter(arguments, "a [1] b [9].").out == "a b.");
  std::vector<std::string> only = arguments;
  only.emplace_back("--only-known");
  CHECK(filter(only, "a [1] b [9].").out == "a b [9].");
}
