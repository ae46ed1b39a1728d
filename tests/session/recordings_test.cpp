// Recorded streams: style keep changes nothing; strip and numeric change only specific fields.
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <filesystem>
#include <map>

#include <catch2/catch.hpp>

#include "support/data.hpp"
#include "support/json_paths.hpp"
#include "support/recorded_payloads.hpp"
#include "support/stream_runs.hpp"
#include "support/strings.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// Returns true if a recording is a chat completion of a supported dialect.
bool chat(std::string_view bytes) {
  session one;
  std::string out;
  static_cast<void>(one.write(bytes, out));
  return one.recognised() != nullptr && !one.recognised()->stream.ends_with_event;
}

/// Returns true if the dialect of a recording is supported.
bool spoken(std::string_view bytes) {
  session one;
  std::string out;
  static_cast<void>(one.write(bytes, out));
  return one.recognised() != nullptr;
}

/// Returns true if its text is only in `delta.content`, and repeated in `message.content` if that exists.
bool plain_chat(std::string_view bytes) {
  session one;
  std::string out;
  static_cast<void>(one.write(bytes, out));
  const dialect* seen = one.recognised();
  return seen == find_dialect("writer") || seen == &openai_dialect;
}

json_paths without_text(const json_paths& all) {
  json_paths kept;
  for (const auto& [path, value] : all) {
    if (!is_text_path(path) && !is_added_path(path)) kept.emplace(path, value);
  }
  return kept;
}

/// Texts by choice, from \p where (".delta.content" or ".message.content") of each event.
std::map<std::string, std::vector<std::string>> texts_of(const std::vector<std::string>& events,
                                                         std::string_view where) {
  std::map<std::string, std::vector<std::string>> texts;
  for (const std::string& event : events) {
    const auto paths = paths_of(event);
    if (!paths) continue;
    for (const auto& [path, value] : *paths) {
      if (!path.ends_with(where) || !value.starts_with("string ")) continue;
      const std::string place = path.substr(0, path.size() - where.size());
      const auto index = paths->find(place + ".index");
      texts[index == paths->end() ? place : index->second].push_back(value.substr(7));
    }
  }
  return texts;
}

/// Compares events one by one. Added events are only followed by usage or the end.
void compare_events(const std::vector<std::string>& in, const std::vector<std::string>& out) {
  std::size_t next = 0;
  for (const std::string& event : out) {
    if (next < in.size() && event == in[next]) {
      ++next;
      continue;
    }
    const auto got = paths_of(event);
    REQUIRE(got);
    const auto expected = next < in.size() ? paths_of(in[next]) : std::nullopt;
    if (expected && without_text(*got) == without_text(*expected)) {
      ++next;
      continue;
    }
    INFO("added before event " << next << " of " << in.size() << ": " << event);
    CHECK(got->count("citestream.version") == 1);
    CHECK((next == in.size() || in[next] == "[DONE]"));
  }
  CHECK(next == in.size());
}

}  // namespace

TEST_CASE("style keep returns every recording byte for byte at every read size") {
  if (!have_data("recordings")) return;
  for (const auto& file : recordings()) {
    INFO(file.string());
    const std::string bytes = read_file(file);
    session keep(options_for(keep_style));
    for (const std::size_t size : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 4096U}) {
      const stream_run got = run(keep, cut_every(bytes, size));
      keep.reset();
      INFO("read size " << size);
      CHECK((got.out == bytes));
      CHECK_FALSE(got.end);
      CHECK(got.counts.bytes_in == bytes.size());
      CHECK(got.counts.events == payloads(bytes).size());
    }
  }
}

TEST_CASE("recordings of unknown dialects pass through byte for byte in every style") {
  if (!have_data("recordings")) return;
  std::size_t unread = 0;
  for (const auto& file : recordings()) {
    const std::string bytes = read_file(file);
    if (spoken(bytes)) continue;
    INFO(file.string());
    ++unread;
    for (const style* chosen : styles()) {
      CHECK((run_whole(options_for(*chosen), bytes).out == bytes));
      CHECK((run_whole(options_for(*chosen), bytes, {stream_end::aborted, {}, {}}).out == bytes));
    }
  }
  CHECK(unread > 0);
}

TEST_CASE("strip and numeric change only the text and the listed fields of an event") {
  if (!have_data("recordings")) return;
  for (const auto& file : recordings()) {
    const std::string bytes = read_file(file);
    if (!chat(bytes)) continue;
    INFO(file.string());
    for (const style* chosen : {&strip_style, &numeric_style}) {
      const stream_run got = run_whole(options_for(*chosen), bytes);
      compare_events(payloads(bytes), payloads(got.out));
      session reused(options_for(*chosen));
      for (const std::size_t size : {1U, 7U, 4096U}) {
        CHECK(comparable(run(reused, cut_every(bytes, size))) == comparable(got));
        reused.reset();
      }
    }
  }
}

TEST_CASE("the joined text of a recording equals an answer of its joined deltas") {
  if (!have_data("recordings")) return;
  std::size_t changed = 0;
  for (const auto& file : recordings()) {
    const std::string bytes = read_file(file);
    if (!plain_chat(bytes)) continue;
    INFO(file.string());
    for (const style* chosen : {&strip_style, &numeric_style}) {
      const std::vector<std::string> events = payloads(run_whole(options_for(*chosen), bytes).out);
      const auto in = texts_of(payloads(bytes), ".delta.content");
      auto out = texts_of(events, ".delta.content");
      for (const auto& [choice, deltas] : in) {
        answer whole(options_for(*chosen));
        std::string expected;
        whole.push(joined(deltas), expected);
        whole.finish(expected);
        CHECK(joined(out[choice]) == expected);
        changed += expected != joined(deltas) ? 1U : 0U;
      }
      const auto mirrored = texts_of(events, ".message.content");
      for (const auto& [choice, texts] : mirrored) CHECK(joined(texts) == joined(out[choice]));
    }
  }
  CHECK(changed >= 4);
}

TEST_CASE("every recorded event is written in the call that completes it") {
  if (!have_data("recordings")) return;
  for (const auto& file : recordings()) {
    const std::string bytes = read_file(file);
    INFO(file.string());
    session one;
    std::size_t events = 0;
    for (const std::string_view byte : cut_every(bytes, 1)) {
      std::string out;
      static_cast<void>(one.write(byte, out));
      const std::uint64_t arrived = one.statistics().events;
      if (arrived > events) CHECK((!out.empty() && payloads(out).size() >= 1));
      events = arrived;
    }
  }
}

namespace {

std::string whole_text(const stream_run& of) {
  std::string text;
  for (const owned_event& one : of.events) text += one.text;
  return text;
}

}  // namespace

TEST_CASE("addresses of references are kept with egress enforced") {
  if (!have_data("recordings/manifest.json")) return;
  std::size_t links = 0;
  for (const auto& path : recordings()) {
    const std::string bytes = read_file(path);
    session_options options = options_for(keep_style);
    options.typed_events = true;
    session plain(options);
    const std::string came = whole_text(run(plain, {bytes}));
    options.egress = egress_mode::enforce;
    for (std::size_t place = 0; place < plain.choices(); ++place) {
      const auto known = plain.cites(place).references();
      options.references.insert(options.references.end(), known.begin(), known.end());
    }
    const std::string left = whole_text(run_whole(options, bytes));
    for (const reference& ref : options.references) {
      const std::string link = "](" + ref.url + ")";
      links += came.find(link) != std::string::npos ? 1U : 0U;
      INFO(path << ' ' << link);
      CHECK((left.find(link) == std::string::npos) == (came.find(link) == std::string::npos));
    }
  }
  CHECK(links > 0);
}
