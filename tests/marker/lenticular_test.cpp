// `【4:0†source】`.
#include <string>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"

using namespace citestream_tests;

namespace {
const grammar_list on{&citestream::lenticular_grammar};
}

TEST_CASE("lenticular brackets with a dagger are markers") {
  check_examples(on,
                 {
                     {"grew【4:0†source】.", "grew.", "grew[1].", {"4:0=source"}},
                     {"a 【4†source】 b", "a b", "a [1] b", {"4=source"}},
                     {"a【4:0†a.pdf】【4:1†b [2].pdf】.", "a.", "a[1][2].", {"4:0=a.pdf", "4:1=b [2].pdf"}},
                     {"a【4:0†年次報告】", "a", "a[1]", {"4:0=年次報告"}},
                     {"a【4:0†】", "a", "a[1]", {"4:0"}},
                     {"【4【5†s】", "【4", "【4[1]", {"5=s"}},
                     {"【4†a【5†s】", "【4†a", "【4†a[1]", {"5=s"}},
                     {"`【4†a】` 【5†b】", "`【4†a】`", "`【4†a】` [1]", {"5=b"}},
                     {"\\【5†b】", "\\", "\\[1]", {"5=b"}},
                 });
}

TEST_CASE("text that only resembles a lenticular marker is not a marker") {
  check_false_friends(
      on, {"【注意】",  "【4】",      "【4:】",      "【4:†s】",  "【:0†s】",  "【†s】",      "【4:0:1†s】",
           "【4 †s】",  "【a†s】",    "【4†s",       "【4†s]",    "【4†s\n】", "【4†s\x7F】", "[4:0†source]",
           "`【4†s】`", "【4†a`b】`", "【4†a\\*b】", "【4-0†s】", "†",         "】"});
}

TEST_CASE("a lenticular marker's numbers have at most nine digits and its label 256 bytes") {
  for (const std::size_t count : {8U, 9U, 10U}) {
    const std::string digits(count, '7');
    for (const std::string& key : {digits, digits + ":0", "4:" + digits}) {
      const std::string text = "【" + key + "†s】";
      check_examples(on, {count > 9 ? grammar_example{text, text, text, {}}
                                    : grammar_example{text, "", "[1]", {key + "=s"}}});
      check_hold(on, text, printing::mark_stays);
    }
  }
  for (const std::size_t bytes : {255U, 256U, 257U}) {
    const std::string label(bytes, 'l');
    const std::string text = "【4†" + label + "】";
    check_examples(on, {bytes > 256 ? grammar_example{text, text, text, {}}
                                    : grammar_example{text, "", "[1]", {"4=" + label}}});
    check_hold(on, text, printing::mark_stays);
    check_examples(on, {{"【4†" + label + "【5†s】", "【4†" + label, "【4†" + label + "[1]", {"5=s"}}});
  }
}

TEST_CASE("lenticular markers meet the requirements of every grammar") {
  check_promises(on, 400);
}
