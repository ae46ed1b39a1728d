// Every file of the corpora and of the regressions through every check, without libFuzzer and in every build.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "fuzz/target.hpp"
#include "support/data.hpp"

using namespace citestream_tests;
namespace files = std::filesystem;

namespace {

std::vector<files::path> files_of(const fuzz_target& target, const char* kind) {
  std::vector<files::path> out;
  const files::path folder = files::path(CITESTREAM_SOURCE_DIR) / "tests/fuzz" / kind / target.name;
  if (!files::exists(folder)) return out;
  for (const auto& entry : files::directory_iterator(folder)) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("every file in the corpus of a fuzz target passes its check") {
  for (const fuzz_target& target : fuzz_targets()) {
    const auto all = files_of(target, "corpus");
    CAPTURE(target.name);
    CHECK(all.size() >= 3);
    for (const files::path& file : all) {
      CAPTURE(file.string());
      CHECK(target.check(read_file(file), fuzz_run::as_it_is) == "");
    }
  }
}

TEST_CASE("every regression found by fuzzers passes") {
  for (const fuzz_target& target : fuzz_targets()) {
    for (const files::path& file : files_of(target, "regressions")) {
      CAPTURE(file.string());
      CHECK(target.check(read_file(file), fuzz_run::as_it_is) == "");
    }
  }
}

TEST_CASE("the check of every fuzz target detects a planted fault") {
  for (const fuzz_target& target : fuzz_targets()) {
    CAPTURE(target.name);
    const auto all = files_of(target, "corpus");
    CHECK(std::any_of(all.begin(), all.end(), [&](const files::path& file) {
      return !target.check(read_file(file), fuzz_run::planted).empty();
    }));
  }
}

TEST_CASE("every fuzz target accepts empty input and each single byte") {
  for (const fuzz_target& target : fuzz_targets()) {
    CAPTURE(target.name);
    CHECK(target.check("", fuzz_run::as_it_is) == "");
    for (int byte = 0; byte < 256; ++byte) {
      CAPTURE(byte);
      CHECK(target.check(std::string(1, static_cast<char>(byte)), fuzz_run::as_it_is) == "");
    }
  }
}

TEST_CASE("every fuzz target has a dictionary and every folder has a target") {
  const files::path fuzz = files::path(CITESTREAM_SOURCE_DIR) / "tests/fuzz";
  for (const fuzz_target& target : fuzz_targets()) {
    CAPTURE(target.name);
    CHECK(files::exists(fuzz / "dictionaries" / target.name));
  }
  for (const char* kind : {"corpus", "regressions", "dictionaries"}) {
    for (const auto& entry : files::directory_iterator(fuzz / kind)) {
      CAPTURE(entry.path().string());
      CHECK(find_fuzz_target(entry.path().filename().string()) != nullptr);
    }
  }
}
