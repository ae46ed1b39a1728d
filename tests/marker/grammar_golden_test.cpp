// Golden answers: the text released with each delta, and the records. Then the same answers with other cuts.
#include <citestream/marker/pattern.hpp>

#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"
#include "support/data.hpp"
#include "support/strings.hpp"

using namespace citestream_tests;

namespace {

struct trace {
  std::string name;
  grammar_list on;
  std::string pattern;  ///< of the user; empty: none
  printing how{};
  std::vector<std::string> in;
  std::vector<std::string> out;  ///< of each delta, then of the end
  std::vector<std::string> cites;
};

/// The text between the first and the last quote.
std::string quoted(const std::string& line) {
  const std::size_t begin = line.find('"');
  const std::size_t end = line.rfind('"');
  REQUIRE(begin < end);
  return line.substr(begin + 1, end - begin - 1);
}

void read_line(trace& to, const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (word == "markers") {
    while (words >> word) to.on.push_back(citestream::find_grammar(word));
  } else if (word == "pattern") {
    words >> to.pattern;
  } else if (word == "style") {
    words >> word;
    to.how = word == "strip" ? printing::strip : printing::numeric;
  } else if (word == "in") {
    to.in.push_back(quoted(line));
  } else if (word == "out" || word == "end") {
    to.out.push_back(quoted(line));
  } else {
    REQUIRE(word == "cite");
    to.cites.push_back(line);
  }
}

std::vector<trace> read_traces(const std::filesystem::path& file) {
  std::vector<trace> out;
  std::istringstream lines(read_file(file));
  bool inside = false;
  std::string name;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) name = line.substr(3);
    if (line == "```") {
      inside = !inside;
      if (inside) out.push_back({name, {}, {}, {}, {}, {}, {}});
    } else if (inside) {
      read_line(out.back(), line);
    }
  }
  return out;
}

std::vector<trace> all_traces() {
  std::vector<trace> out;
  const auto folder = std::filesystem::path(CITESTREAM_SOURCE_DIR) / "tests/marker/golden";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const auto more = read_traces(file.path());
    CAPTURE(file.path().filename().string());
    REQUIRE_FALSE(more.empty());
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

citestream::session_options options_of(const trace& one) {
  citestream::session_options out = grammar_run_options(one.on, one.how);
  if (one.pattern.empty()) return out;
  citestream::pattern_error why;
  const auto pattern = citestream::compile_marker_pattern(one.pattern, why);
  REQUIRE(pattern);
  out.patterns.push_back(*pattern);
  return out;
}

std::vector<std::string> cite_lines(const grammar_output& from) {
  std::vector<std::string> out;
  for (const grammar_record& r : from.records) {
    out.push_back("cite " + std::to_string(r.number) + " \"" + r.key + "\" \"" + r.label + "\" " +
                  std::to_string(r.start) + "-" + std::to_string(r.end) + " \"" + r.marker + "\"");
  }
  return out;
}

}  // namespace

TEST_CASE("every grammar has its own golden answer") {
  const auto folder = std::filesystem::path(CITESTREAM_SOURCE_DIR) / "tests/marker/golden";
  for (const citestream::grammar* one : citestream::grammars()) {
    CAPTURE(one->name);
    CHECK_FALSE(read_traces(folder / (std::string(one->name) + ".md")).empty());
  }
}

TEST_CASE("each delta of a golden answer releases the expected text") {
  for (const trace& one : all_traces()) {
    CAPTURE(one.name);
    REQUIRE(one.out.size() == one.in.size() + 1);
    citestream::answer a(options_of(one));
    for (std::size_t i = 0; i <= one.in.size(); ++i) {
      std::string left;
      i < one.in.size() ? a.push(one.in[i], left) : a.finish(left);
      CAPTURE(i);
      CHECK(left == one.out[i]);
    }
    const std::vector<std::string_view> deltas(one.in.begin(), one.in.end());
    CHECK(cite_lines(run_grammars(a, deltas)) == one.cites);
  }
}

TEST_CASE("a golden answer gives the same at every cut in two and byte by byte") {
  for (const trace& one : all_traces()) {
    CAPTURE(one.name);
    const std::string text = joined(one.in);
    const std::string_view view = text;
    citestream::answer a(options_of(one));
    const auto check = [&](const std::vector<std::string_view>& deltas) {
      const grammar_output got = run_grammars(a, deltas);
      CHECK(got.text == joined(one.out));
      CHECK(cite_lines(got) == one.cites);
    };
    check(single_bytes(text));
    for (std::size_t at = 0; at <= text.size(); ++at) check({view.substr(0, at), view.substr(at)});
  }
}
