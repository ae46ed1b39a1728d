// `<|file-123|>` and `<|file-123>`.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <simdjson.h>

#include "marker/grammar_runs.hpp"
#include "support/data.hpp"
#include "support/strings.hpp"

using namespace citestream_tests;

namespace {
const grammar_list on{&citestream::file_grammar};

/// The text deltas of every recorded answer.
std::vector<std::vector<std::string>> recorded_answers() {
  std::vector<std::vector<std::string>> out;
  simdjson::dom::parser parser;
  simdjson::dom::document_stream lines;
  const simdjson::padded_string all(read_file(data_dir() / "marker-fragments.jsonl"));
  REQUIRE(parser.parse_many(all).get(lines) == simdjson::SUCCESS);
  for (auto line : lines) {
    std::vector<std::string> deltas;
    for (const auto fragment : line["fragments"].get_array()) {
      deltas.emplace_back(std::string_view(fragment.get_string()));
    }
    out.push_back(std::move(deltas));
  }
  return out;
}

}  // namespace

TEST_CASE("file markers are markers and their key is the file") {
  check_examples(on, {
                         {"grew <|file-151637398237|>.", "grew.", "grew [1].", {"file-151637398237"}},
                         {"a <|file-a_B-1> b", "a b", "a [1] b", {"file-a_B-1"}},
                         {"a<|file-1|><|file-2|>.", "a.", "a[1][2].", {"file-1", "file-2"}},
                         {"<<|file-1|>", "<", "<[1]", {"file-1"}},
                         {"<|<|file-1|>", "<|", "<|[1]", {"file-1"}},
                         {"<|file-1<|file-2|>", "<|file-1", "<|file-1[1]", {"file-2"}},
                         {"`<|file-1|>` <|file-2|>", "`<|file-1|>`", "`<|file-1|>` [1]", {"file-2"}},
                     });
}

TEST_CASE("text that only resembles a file marker is not a marker") {
  check_false_friends(
      on, {"<|file-|>", "<|file-1|", "<|file-1", "<|file-1||>", "<|file-1|x>", "<|File-1|>", "<|file_1|>",
           "<|im_end|>", "< |file-1|>", "<|file-1 |>", "<|file-é|>", "1 < 2 > 1", "<file-1>", "\\<|file-1|>",
           "`<|file-1|>`", "<|file-1.pdf|>", "a <| b |> c"});
}

TEST_CASE("a file's key has at most 128 bytes after its prefix") {
  for (const std::size_t bytes : {127U, 128U, 129U}) {
    for (const std::string end : {"|>", ">"}) {
      const std::string key = "file-" + std::string(bytes, '7');
      const std::string text = "<|" + key + end;
      check_examples(on, {bytes > 128 ? grammar_example{text, text, text, {}}
                                      : grammar_example{text, "", "[1]", {key}}});
      check_hold(on, text, printing::mark_stays);
    }
  }
}

TEST_CASE("file markers meet the requirements of every grammar") {
  check_promises(on, 600);
}

TEST_CASE("no file marker of a recorded answer leaks for any cut") {
  if (!have_data("marker-fragments.jsonl")) return;
  citestream::answer a(grammar_run_options(on, printing::strip));
  std::size_t markers = 0;
  for (const std::vector<std::string>& deltas : recorded_answers()) {
    std::string text;
    for (const std::string& delta : deltas) text += delta;
    const grammar_output expected = print_grammars(text, on, printing::strip);
    markers += expected.records.size();
    CAPTURE(text);
    // The remaining ones are in code.
    CHECK(occurrences(expected.text, "<|file-") + expected.records.size() == occurrences(text, "<|file-"));
    if (text.find('`') == std::string::npos) CHECK(occurrences(expected.text, "<|file-") == 0);
    CHECK(run_grammars(a, {text}) == expected);
    CHECK(run_grammars(a, single_bytes(text)) == expected);
    CHECK(run_grammars(a, {deltas.begin(), deltas.end()}) == expected);
  }
  CHECK(markers > 100);
}
