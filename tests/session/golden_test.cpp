// Runs the files of golden/, and every stream in them again at every cut in two and byte by byte.
#include <algorithm>
#include <filesystem>

#include <catch2/catch.hpp>

#include "session/golden_cases.hpp"
#include "support/rounds.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::vector<golden_case> all_cases() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(CITESTREAM_SOURCE_DIR) /
                                                               "tests/session/golden")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<golden_case> all;
  for (const auto& file : files) {
    for (golden_case& one : read_golden(file)) all.push_back(std::move(one));
  }
  return all;
}

stream_run run_body(const golden_case& source) {
  session fresh(source.options);
  stream_run result;
  result.error = fresh.rewrite_body(source.input, result.out);
  return result;
}

}  // namespace

TEST_CASE("every golden stream and body gives its expected output") {
  std::size_t bodies = 0;
  std::size_t streams = 0;
  for (const golden_case& one : all_cases()) {
    INFO(one.file << ": " << one.title);
    const stream_run got = one.body ? run_body(one) : run_whole(one.options, one.input, one.how);
    CHECK(got.out == one.expected);
    CHECK(shown(got.error) == one.error);
    if (!one.body) CHECK(shown(got.end).substr(0, one.end.size()) == one.end);
    if (one.end.empty() && one.error.empty()) CHECK_FALSE(got.end);
    ++(one.body ? bodies : streams);
  }
  CHECK(streams > 30);
  CHECK(bodies > 5);
}

TEST_CASE("every golden stream gives the same at every cut in two and byte by byte") {
  for (const golden_case& one : all_cases()) {
    if (one.body) continue;
    INFO(one.file << ": " << one.title);
    const auto expected = comparable(run_whole(one.options, one.input, one.how));
    session reused(one.options);
    const std::string_view input = one.input;
    for (std::size_t at = 1; at < input.size(); at += cut_step) {
      const auto got = comparable(run(reused, {input.substr(0, at), input.substr(at)}, one.how));
      reused.reset();
      INFO("cut at " << at);
      if (got != expected) FAIL_CHECK(std::get<0>(got));
    }
    CHECK(comparable(run(reused, cut_every(input, 1), one.how)) == expected);
  }
}
