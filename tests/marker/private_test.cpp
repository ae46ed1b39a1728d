// U+E200 `cite` U+E202 key U+E201, in UTF-8 or typed.
#include <string>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"

using namespace citestream_tests;

namespace {
const grammar_list on{&citestream::private_grammar};
}

TEST_CASE("private-use characters are markers and each key is a citation") {
  check_examples(
      on,
      {
          {"grew \uE200cite\uE202turn0search1\uE201.", "grew.", "grew [1].", {"turn0search1"}},
          {"a\uE200cite\uE202t0\uE202t1\uE201 b", "a b", "a[1][2] b", {"t0", "t1"}},
          {"a \\ue200cite\\ue202t0\\ue202t1\\ue201 b", "a b", "a [1][2] b", {"t0", "t1"}},
          {"a \uE200cite\\ue202t0\uE202t1\\ue201 b", "a b", "a [1][2] b", {"t0", "t1"}},
          {"\uE200cite\uE200cite\uE202k\uE201", "\uE200cite", "\uE200cite[1]", {"k"}},
          {"\uE200cite\uE202a\uE200cite\uE202b\uE201", "\uE200cite\uE202a", "\uE200cite\uE202a[1]", {"b"}},
          {"\\ue200cite\\ue202a\\ue200cite\\ue202b\\ue201",
           "\\ue200cite\\ue202a",
           "\\ue200cite\\ue202a[1]",
           {"b"}},
          {"\uE200\uE200cite\uE202k\uE201", "\uE200", "\uE200[1]", {"k"}},
          {"`\uE200cite\uE202k\uE201` \uE200cite\uE202l\uE201",
           "`\uE200cite\uE202k\uE201`",
           "`\uE200cite\uE202k\uE201` [1]",
           {"l"}},
      });
}

TEST_CASE("the lines of a source are part of its marker and not a key") {
  check_examples(on,
                 {
                     {"a \uE200cite\uE202turn0file0\uE202L8-L13\uE201.", "a.", "a [1].", {"turn0file0"}},
                     {"a \uE200filecite\uE202turn0file0\uE202L8-L13\uE201.", "a.", "a [1].", {"turn0file0"}},
                     {"a \\ue200filecite\\ue202t0\\ue202t1\\ue201.", "a.", "a [1][2].", {"t0", "t1"}},
                     {"a \uE200filecite\uE200filecite\uE202t0\uE201.",
                      "a \uE200filecite.",
                      "a \uE200filecite[1].",
                      {"t0"}},
                     {"a \uE200cite\uE202t0\uE202L8\uE202t1\uE201.", "a.", "a [1][2].", {"t0", "t1"}},
                     {"a \\ue200cite\\ue202t0\\ue202L8\\ue201.", "a.", "a [1].", {"t0"}},
                     {"a \uE200cite\uE202L8\uE201.", "a.", "a [1].", {"L8"}},
                     {"a \uE200cite\uE202t0\uE202L8-x\uE201.", "a.", "a [1][2].", {"t0", "L8-x"}},
                 });
}

TEST_CASE("text that only resembles a private-use marker is not a marker") {
  check_false_friends(on, {"\uE200cite\uE201",
                           "\uE200cite\uE202\uE201",
                           "\uE200cite\uE202k",
                           "\uE200cite k\uE201",
                           "\uE200site\uE202k\uE201",
                           "\uE200file\uE202k\uE201",
                           "\uE200citefile\uE202k\uE201",
                           "\uE200filefilecite\uE202k\uE201",
                           "\uE200citek\uE201",
                           "\uE200cite\uE202k\uE202\uE201",
                           "\uE200cite\uE202k\n\uE201",
                           "\uE200cite\uE202k\x7F\uE201",
                           "\uE201",
                           "\uE202",
                           "\uE203cite\uE202k\uE201",
                           "\\ue200cite",
                           "\\uE200cite\\ue202k\\ue201",
                           "\\\\ue200cite\\ue202k\\ue201",
                           "\\ue200cite\\ue202k\\ue203",
                           "\\u",
                           "\\",
                           "\\n\\t",
                           "`\uE200cite\uE202k\uE201`",
                           "\xEEue200cite\\ue202k\\ue201",
                           "\\\x88\x80"
                           "cite\\ue202k\\ue201"});
}

TEST_CASE("a private-use key has at most 128 bytes") {
  for (const std::size_t bytes : {127U, 128U, 129U}) {
    const std::string key(bytes, 'k');
    const std::string text = "\uE200cite\uE202" + key + "\uE201";
    check_examples(
        on, {bytes > 128 ? grammar_example{text, text, text, {}} : grammar_example{text, "", "[1]", {key}}});
    check_hold(on, text, printing::mark_stays);
  }
}

TEST_CASE("a private-use marker is released once it cannot end within 512 bytes") {
  for (const std::string separator : {"\uE202", "\\ue202"}) {
    for (const std::size_t bytes : {511U, 512U, 513U, 517U}) {
      std::string text = "\uE200cite\uE202k";
      while (text.size() + separator.size() + 104 < bytes) text += separator + std::string(100, 'k');
      text += separator;
      text += std::string(bytes - 3 - text.size(), 'l') + "\uE201";
      REQUIRE(text.size() == bytes);
      citestream::answer a(grammar_run_options(on, printing::mark_stays));
      CHECK(run_grammars(a, {text}).records.empty() == (bytes > 512));
      CHECK(run_grammars(a, single_bytes(text)) == print_grammars(text, on, printing::mark_stays));
    }
    std::string text = "\uE200cite";
    while (text.size() < 500) text += separator + "k";
    check_hold(on, text + separator + "kkkkkkkk" + separator, printing::mark_stays);
  }
}

TEST_CASE("private-use markers meet the requirements of every grammar") {
  check_promises(on, 500);
}
