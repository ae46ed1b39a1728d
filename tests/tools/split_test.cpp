// The output does not depend on how the input is cut.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/data.hpp"
#include "support/lines.hpp"
#include "support/parsed_json.hpp"
#include "support/rounds.hpp"

using namespace citestream_tests;

namespace {

/// Read sizes. Under a sanitizer most of the time is the start of the program.
const std::vector<int> sizes = sanitized ? std::vector{1, 7} : std::vector{1, 2, 3, 7};

std::string in_pieces(std::vector<std::string> arguments, int size, const std::string& input) {
  arguments.insert(arguments.end(), {"--split", std::to_string(size)});
  const auto run = filter(arguments, input);
  CHECK(run.code == 0);
  return run.out;
}

/// Events without traces of how the input was cut: with the text joined and without the number of the delta.
std::string without_cuts(const std::string& events) {
  std::string text;
  std::string rest;
  for (const std::string& line : lines_of(events)) {
    const auto event = parsed(line);
    if (event.root()["type"].string() == "text") {
      text += event.root()["text"].string();
    } else {
      const auto delta = event.root()["delta"].range();
      rest += line.substr(0, delta.begin) + line.substr(delta.end) + "\n";
    }
  }
  return text + "\n" + rest;
}

std::string without_statistics(const std::string& document) {
  return document.substr(0, document.find("\"stats\""));
}

}  // namespace

TEST_CASE("a stream read in pieces gives the same output as one read whole") {
  for (const char* form : {"sse", "text", "json", "events", "frames"}) {
    for (const std::string& input : {answer_stream(), two_choices_stream()}) {
      const auto whole = filter({"--to", form}, input);
      REQUIRE_FALSE(whole.out.empty());
      for (const int size : sizes) {
        INFO(form << " in pieces of " << size);
        CHECK(in_pieces({"--to", form}, size, input) == whole.out);
      }
    }
  }
}

TEST_CASE("typed events have the references known before the next event") {
  const std::string url = R"("url_citation":{"url":"https://example.com/o","start_index":0,"end_index":2})";
  const std::string input =
      R"(data: {"choices":[{"index":0,"delta":{"content":"It [o](https://example.com/o) is."}}]})"
      "\n\n"
      R"(data: {"choices":[{"index":0,"delta":{"annotations":[{"type":"url_citation",)" +
      url +
      R"(}]},"finish_reason":"stop"}]})"
      "\n\n"
      R"(data: {"references":[{"url":"https://example.com/o","id":"k7","text":"It is."}],"choices":[]})"
      "\n\ndata: [DONE]\n\n";
  const std::string whole = filter({"--to", "events"}, input).out;
  CHECK(whole.find("\"resolved\"") != std::string::npos);
  for (const int size : sizes) CHECK(in_pieces({"--to", "events"}, size, input) == whole);
}

TEST_CASE("a stream with CRLF and several data lines gives the same when read in pieces") {
  std::string input = answer_stream();
  for (std::size_t at = input.find('\n'); at != std::string::npos; at = input.find('\n', at + 2)) {
    input.insert(at, "\r");
  }
  for (std::size_t at = input.find("\"choices\""); at != std::string::npos;
       at = input.find("\"choices\"", at + 20)) {
    input.insert(at, "\r\ndata: ");
  }
  for (const char* form : {"sse", "text", "json", "events", "frames"}) {
    const auto whole = filter({"--to", form}, input);
    CHECK(whole.code == 0);
    for (const int size : sizes) {
      INFO(form << " in pieces of " << size);
      CHECK(in_pieces({"--to", form}, size, input) == whole.out);
    }
  }
  CHECK(filter({"--to", "text"}, input).out == stripped_text);
}

TEST_CASE("deltas and bodies read in pieces give the same output as whole ones") {
  for (const char* form : {"text", "json", "events"}) {
    for (const auto& [from, input] :
         {std::pair{"deltas", answer_lines()}, std::pair{"json", answer_body()}}) {
      const auto whole = filter({"--from", from, "--to", form}, input);
      REQUIRE_FALSE(whole.out.empty());
      for (const int size : sizes) {
        INFO(from << " to " << form << " in pieces of " << size);
        CHECK(in_pieces({"--from", from, "--to", form}, size, input) == whole.out);
      }
    }
  }
  CHECK(in_pieces({"--from", "json", "--to", "body"}, 1, answer_body()) ==
        filter({"--from", "json", "--to", "body"}, answer_body()).out);
}

TEST_CASE("text read in pieces gives the same text and citations") {
  const std::string input = answer_text();
  const auto text = filter({"--from", "text"}, input).out;
  const auto events = filter({"--from", "text", "--to", "events"}, input).out;
  const auto document = filter({"--from", "text", "--to", "json"}, input).out;
  for (const int size : sizes) {
    INFO("pieces of " << size);
    CHECK(in_pieces({"--from", "text"}, size, input) == text);
    CHECK(without_cuts(in_pieces({"--from", "text", "--to", "events"}, size, input)) == without_cuts(events));
    CHECK(without_statistics(in_pieces({"--from", "text", "--to", "json"}, size, input)) ==
          without_statistics(document));
  }
}

TEST_CASE("frames are the events of every case of the event stream format") {
  if (!have_data("sse_cases.json")) return;
  const auto file = parsed(read_file(data_dir() / "sse_cases.json"));
  std::size_t cases = 0;
  for (auto entry = file.root().first(); entry; entry = entry.next(), ++cases) {
    INFO(std::string(entry["name"].string()));
    std::string input;
    const std::string_view escaped = entry["input_bytes_escaped"].string();
    for (std::size_t i = 0; i < escaped.size(); ++i) {
      if (escaped[i] != '\\') {
        input += escaped[i];
      } else if (const char kind = escaped.at(++i); kind == 'x') {
        input += static_cast<char>(std::stoi(std::string(escaped.substr(i + 1, 2)), nullptr, 16));
        i += 2;
      } else {
        input += kind == 'n' ? '\n' : kind == 'r' ? '\r' : '\t';
      }
    }
    if (input.starts_with('{')) continue;  // this is NDJSON
    if (sanitized && !sampled(cases, 0)) continue;
    const auto pieces = filter({"--to", "frames", "--split", "1"}, input);
    const auto whole = filter({"--to", "frames"}, input);
    CHECK(whole.code == filter({"--to", "sse"}, input).code);  // not a stream, or one that is cut off
    CHECK(pieces.code == whole.code);
    CHECK(pieces.out == whole.out);
    const auto frames = lines_of(pieces.out);
    std::size_t at = 0;
    for (auto event = entry["expected_events"].first(); event; event = event.next(), ++at) {
      REQUIRE(at < frames.size());
      const auto frame = parsed(frames[at]);
      for (const char* key : {"event", "data", "id"})
        CHECK(frame.root()[key].string() == event[key].string());
      CHECK(frame.root()["retry"].raw() == event["retry"].raw());
    }
    CHECK(at == frames.size());
  }
  CHECK(cases == 81);
}

TEST_CASE("with style keep recorded streams pass unchanged for every read size") {
  if (!have_data("recordings")) return;
  std::size_t streams = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "recordings")) {
    if (entry.path().extension() != ".sse") continue;
    INFO(entry.path());
    const std::string bytes = read_file(entry.path());
    for (const int size : sanitized ? std::vector{4} : std::vector{1, 4, 4096}) {
      const auto run = filter({entry.path().string(), "--style", "keep", "--split", std::to_string(size)});
      // A recording that ends inside its answer is reported after all of its output.
      CHECK(run.out.starts_with(bytes));
      CHECK((run.code == 0) == (run.out == bytes));
    }
    ++streams;
  }
  CHECK(streams > 0);
}
