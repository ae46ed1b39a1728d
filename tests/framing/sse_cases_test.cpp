// The event stream format against cases gathered from the web platform tests and from other parsers.
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "framing/frame.hpp"
#include "support/data.hpp"
#include "support/decoded_events.hpp"
#include "tools/utf8.hpp"

using citestream::frame_kind;
using citestream_tests::owned_item;

namespace {

struct dispatched {
  std::string event;
  std::string data;
  std::string id;
  std::optional<std::uint64_t> retry;
  friend bool operator==(const dispatched&, const dispatched&) = default;
};

std::ostream& operator<<(std::ostream& out, const dispatched& e) {
  return out << e.event << " <" << e.data << "> id <" << e.id << "> retry "
             << (e.retry ? std::to_string(*e.retry) : "none");
}

struct sse_case {
  std::string name;
  std::string input;
  std::vector<std::string> feeds;
  std::vector<dispatched> expected;
};

/// `\xHH`, `\n`, `\r`, `\t` as bytes.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
    } else if (const char kind = text.at(++i); kind == 'x') {
      out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      REQUIRE((kind == 'n' || kind == 'r' || kind == 't'));
      out += kind == 'n' ? '\n' : kind == 'r' ? '\r' : '\t';
    }
  }
  return out;
}

dispatched event_of(citestream::json_value value) {
  dispatched out{std::string(value["event"].string()), std::string(value["data"].string()),
                 std::string(value["id"].string()), std::nullopt};
  if (const auto retry = value["retry"].integer()) out.retry = static_cast<std::uint64_t>(*retry);
  return out;
}

std::vector<sse_case> load_cases() {
  citestream::document file;
  const auto failed =
      file.parse(citestream_tests::read_file(citestream_tests::data_dir() / "sse_cases.json"));
  REQUIRE_FALSE(failed);
  std::vector<sse_case> out;
  for (auto entry = file.root().first(); entry; entry = entry.next()) {
    sse_case c{std::string(entry["name"].string()), unescaped(entry["input_bytes_escaped"].string()), {}, {}};
    for (auto event = entry["expected_events"].first(); event; event = event.next()) {
      c.expected.push_back(event_of(event));
    }
    for (auto feed = entry["feeds"].first(); feed; feed = feed.next()) {
      c.feeds.push_back(unescaped(feed.string()));
    }
    out.push_back(std::move(c));
  }
  return out;
}

/// The events that the standard dispatches: text, and the type, which is "message" by default.
std::vector<dispatched> dispatched_of(const std::vector<owned_item>& items) {
  std::vector<dispatched> out;
  for (const owned_item& item : items) {
    if (item.kind != frame_kind::event) continue;
    const std::string type = item.event.empty() ? "message" : citestream::tools::valid_utf8(item.event);
    out.push_back(
        {type, citestream::tools::valid_utf8(item.data), citestream::tools::valid_utf8(item.id), item.retry});
  }
  return out;
}

bool have_cases() {
  return citestream_tests::have_data("sse_cases.json");
}

}  // namespace

TEST_CASE("every case of the event stream format gives its events for every read size") {
  if (!have_cases()) return;
  const std::vector<sse_case> cases = load_cases();
  REQUIRE(cases.size() == 81);
  for (const sse_case& c : cases) {
    INFO(c.name);
    for (const std::size_t size :
         {c.input.size(), std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}}) {
      INFO("pieces of " << size);
      const auto items = citestream_tests::decode(citestream_tests::cut_every(c.input, size));
      CHECK(dispatched_of(items) == c.expected);
      CHECK(citestream_tests::raw_of(items) == c.input);
    }
    if (!c.feeds.empty()) {
      const std::vector<std::string_view> feeds(c.feeds.begin(), c.feeds.end());
      CHECK(dispatched_of(citestream_tests::decode(feeds)) == c.expected);
    }
  }
}

TEST_CASE("every cut in two of every case gives the same items") {
  if (!have_cases()) return;
  for (const sse_case& c : load_cases()) {
    INFO(c.name);
    const std::string_view input = c.input;
    for (const std::size_t bound : {std::size_t{4}, std::size_t{20}, std::size_t{4096}}) {
      const auto whole = citestream_tests::decode({input}, bound);
      REQUIRE(citestream_tests::raw_of(whole) == input);
      for (std::size_t cut = 0; cut <= input.size(); ++cut) {
        INFO("bound " << bound << " cut at " << cut);
        REQUIRE(citestream_tests::decode({input.substr(0, cut), input.substr(cut)}, bound) == whole);
      }
    }
  }
}

TEST_CASE("every byte of data maps to its raw byte in every case") {
  if (!have_cases()) return;
  std::size_t looked_at = 0;
  for (const sse_case& c : load_cases()) {
    INFO(c.name);
    for (const owned_item& item : citestream_tests::decode({c.input})) {
      for (std::size_t i = 0; i < item.data.size(); ++i, ++looked_at) {
        const char raw = item.raw.at(item.places[i]);
        // The LF that joins two lines represents the end of the first one.
        CHECK((raw == item.data[i] || (item.data[i] == '\n' && raw == '\r')));
      }
    }
  }
  CHECK(looked_at > 0);
}
