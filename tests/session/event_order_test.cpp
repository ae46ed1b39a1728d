// Typed events are in the order of the text: a citation follows exactly the text up to its end.
#include <citestream/chunk/document.hpp>
#include <citestream/session/session.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"
#include "session/golden_cases.hpp"
#include "support/chat_events.hpp"
#include "support/data.hpp"
#include "support/recorded_payloads.hpp"
#include "support/rounds.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

constexpr egress_mode egress_modes[] = {egress_mode::off, egress_mode::report, egress_mode::enforce};

session_options options_for(const style& how, egress_mode egress, session_options options = {}) {
  options.style = &how;
  options.egress = egress;
  options.typed_events = true;
  return options;
}

std::vector<std::string> lines_of(const stream_run& got) {
  std::vector<std::string> lines;
  for (const owned_event& event : got.events) {
    if (event.type == session_event_type::text) lines.push_back("text " + event.text);
    if (event.type == session_event_type::citation) lines.push_back("citation " + event.marker);
  }
  return lines;
}

/// What the events of one run say about their order.
struct order {
  std::size_t placed{};  ///< citations that came after exactly the text up to their end
  std::size_t late{};    ///< citations whose end was in text given before
  std::string problem;   ///< empty: none
};

order order_of(const stream_run& got) {
  order seen;
  std::map<std::uint32_t, std::uint64_t> given;
  for (const owned_event& event : got.events) {
    std::uint64_t& bytes = given[event.choice];
    if (event.type == session_event_type::text) {
      bytes += event.text.size();
      if (event.text.empty()) seen.problem = "an empty text event";
    }
    if (event.type != session_event_type::citation) continue;
    ++(event.end == bytes ? seen.placed : seen.late);
    if (event.end > bytes) seen.problem = event.marker + " came before its text";
  }
  return seen;
}

/// Only a style that leaves the text as it is releases the text of a marker before it is recognised.
void check_order(const stream_run& got, const session_options& options, order& all) {
  const order seen = order_of(got);
  all.placed += seen.placed;
  all.late += seen.late;
  CHECK(seen.problem.empty());
  if (options.style->space != spacing::untouched) CHECK(seen.late == 0);
}

std::vector<golden_case> golden_streams() {
  std::vector<golden_case> streams;
  const auto folder = std::filesystem::path(CITESTREAM_SOURCE_DIR) / "tests/session/golden";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    for (golden_case& one : read_golden(entry.path())) {
      if (!one.body) streams.push_back(std::move(one));
    }
  }
  return streams;
}

}  // namespace

TEST_CASE("text is split at each citation of one delta") {
  const std::string stream = chat_event("A [R](f1). B [Z](zz).") + chat_event("", "\"stop\"");
  const auto lines = [&](const style& how) { return lines_of(run_whole(options_for(how, {}), stream)); };
  CHECK(lines(numeric_style) == std::vector<std::string>{"text A [1]", "citation [R](f1)", "text . B [2]",
                                                         "citation [Z](zz)", "text ."});
  CHECK(lines(strip_style) ==
        std::vector<std::string>{"text A", "citation [R](f1)", "text . B", "citation [Z](zz)", "text ."});
  CHECK(lines(keep_style) == std::vector<std::string>{"text A [R](f1)", "citation [R](f1)",
                                                      "text . B [Z](zz)", "citation [Z](zz)", "text ."});
}

TEST_CASE("a citation of a marker that was sent early comes before the next text") {
  session_options options = options_for(keep_style, {});
  options.grammars = {&link_grammar, &numeric_grammar};
  const std::string stream = chat_event("A [1]") + chat_event(". B") + chat_event("", "\"stop\"");
  CHECK(lines_of(run_whole(options, stream)) ==
        std::vector<std::string>{"text A [1]", "citation [1]", "text . B"});
}

TEST_CASE("events of a JSON body are in the order of its text") {
  session one(options_for(numeric_style, {}));
  std::string out;
  const std::string body =
      R"j({"object":"chat.completion","choices":[{"index":0,"message":{"content":"A [R](f1). B [Z](zz)."},"finish_reason":"stop"}]})j";
  REQUIRE_FALSE(one.rewrite_body(body, out));
  std::vector<std::string> lines;
  for (session_event event; one.next(event);) {
    if (event.type == session_event_type::text) lines.emplace_back(event.text);
    if (event.type == session_event_type::citation) lines.push_back(event.record->marker);
  }
  CHECK(lines == std::vector<std::string>{"A [1]", "[R](f1)", ". B [2]", "[Z](zz)", "."});
}

TEST_CASE("events of random texts are in text order in every mode and at every cut") {
  const auto all = grammars();
  order seen;
  for (const egress_mode egress : egress_modes) {
    for (const style* how : styles()) {
      session_options options = options_for(*how, egress);
      options.grammars.assign(all.begin(), all.end());
      session reused(options);
      random_source random(7);
      for (std::size_t round = 0; round < scaled(60); ++round) {
        const std::string text = pieces_text(random, options.grammars, 1 + below(random, 12));
        document parsed;
        if (parsed.parse(chat_event(text).substr(6))) continue;  // not UTF-8
        INFO(how->name << " egress " << static_cast<int>(egress) << " " << text);
        for (std::size_t at = 0; at < text.size(); ++at) {
          if ((static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) continue;
          const std::string stream = chat_event(text.substr(0, at)) + chat_event(text.substr(at)) +
                                     chat_event("", "\"stop\"") + "data: [DONE]\n\n";
          check_order(run(reused, {stream}), options, seen);
          reused.reset();
        }
      }
    }
  }
  CHECK(seen.placed > 10'000);
  CHECK(seen.late < seen.placed / 10);
}

TEST_CASE("events of golden streams are in text order for every style and egress mode") {
  order seen;
  for (const golden_case& one : golden_streams()) {
    for (const egress_mode egress : egress_modes) {
      for (const style* how : styles()) {
        const session_options options = options_for(*how, egress, one.options);
        INFO(one.file << ": " << one.title << " in style " << how->name);
        // Positions do not count a list, and this answer goes on after it.
        if (how->list != nullptr && one.title.find("text after it") != std::string::npos) continue;
        check_order(run_whole(options, one.input, one.how), options, seen);
      }
    }
  }
  CHECK(seen.placed > 500);
}

TEST_CASE("events of recordings are in text order and join to the text that is sent") {
  if (!have_data("recordings")) return;
  order seen;
  for (const auto& file : recordings()) {
    const std::string bytes = read_file(file);
    for (const egress_mode egress : egress_modes) {
      for (const style* how : styles()) {
        INFO(file.string() << " in style " << how->name);
        const session_options options = options_for(*how, egress);
        session reused(options);
        const stream_run whole = run(reused, {bytes});
        check_order(whole, options, seen);
        for (const std::size_t size : {sanitized ? 7U : 1U, 61U}) {
          reused.reset();
          CHECK(lines_of(run(reused, cut_every(bytes, size))) == lines_of(whole));
        }
      }
    }
  }
  CHECK(seen.placed > 300);
}
