// Every file of the corpora and of the regressions through every check, without libFuzzer and in every build.
#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "fuzz/fuzz_targets.hpp"
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

TEST_CASE("streams of every provider in random order pass the check of the dialects") {
  constexpr std::string_view protocols = "0123456789abcdef";
  constexpr std::string_view letters = "sbdddddacdegfnoptquwxyxyz";
  const std::vector<std::string> marked{"It ",
                                        "rose [",
                                        "a](",
                                        "https://a.ex",
                                        "ample/x).",
                                        "[1]",
                                        "[ci",
                                        "te: 1]",
                                        "\U0001F40D\u00e9",
                                        " (",
                                        "\uE200cite\uE202",
                                        "",
                                        "turn0search0\uE201 ",
                                        "`",
                                        "\n\n"};
  const std::vector<std::string> plain{"It", "rose", "a1", "x", ""};
  const fuzz_target* const target = find_fuzz_target("dialects");
  REQUIRE(target != nullptr);
  std::mt19937 random(11);
  const auto one_of = [&](const auto& all) { return all[random() % all.size()]; };
  for (const char protocol : protocols) {
    for (int round = 0; round < 300; ++round) {
      const auto& texts = round % 3 == 0 ? plain : marked;
      std::string input(1, protocol);
      for (int option = 0; option < 4; ++option) input += static_cast<char>('0' + random() % 8);
      std::string parts = "s0";
      for (std::size_t count = random() % 20; count > 0; --count)
        parts.append("\x1E")
            .append(1, one_of(letters))
            .append(1, static_cast<char>('0' + random() % 4))
            .append(one_of(texts));
      input += parts;
      CAPTURE(input);
      REQUIRE(target->check(input, fuzz_run::as_it_is) == "");
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
