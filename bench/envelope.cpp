// What is the cost of reading an event by the shape of an earlier one?
#include "chunk/envelope.hpp"

#include <benchmark/benchmark.h>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

/// Returns the range of the string value of \p key, searched from \p from on; empty if there is none.
citestream::byte_range string_behind(std::string_view event, std::string_view key, std::size_t from) {
  const std::size_t at = event.find(key, from);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + key.size();
  return {begin, event.find('"', begin)};
}

/// Returns the ranges of the text, its repetition and the random field, as far as the event has them.
std::vector<citestream::envelope_hole> holes_of(std::string_view event) {
  std::vector<citestream::envelope_hole> holes;
  const auto add = [&](citestream::hole_kind kind, citestream::byte_range place) {
    if (place.size() == 0) return;
    holes.emplace_back();
    holes.back().kind = kind;
    holes.back().place = place;
  };
  const auto text = string_behind(event, "\"content\":\"", 0);
  add(citestream::hole_kind::text, text);
  add(citestream::hole_kind::same, string_behind(event, "\"content\":\"", text.end));
  add(citestream::hole_kind::string, string_behind(event, "\"obfuscation\":\"", text.end));
  return holes;
}

void match(benchmark::State& state, const corpus& one) {
  std::vector<std::string_view> events;
  std::string_view rest = one.bytes;
  for (std::size_t i = 0; i + 1 < one.events; ++i) {  // the last event has another shape
    events.push_back(rest.substr(0, rest.find("\n\n") + 2));
    rest.remove_prefix(events.back().size());
  }
  citestream::envelope shape;
  shape.learn(events[0], holes_of(events[0]), 1);
  static_cast<void>(shape.adapt(events[1], holes_of(events[1]), 1));
  std::size_t matched = 0;
  measure(state, events.size(), one.bytes.size() - rest.size(), [&] {
    matched = 0;
    for (const std::string_view event : events) matched += shape.match(event) == event.size() ? 1U : 0U;
  });
  if (matched != events.size()) state.SkipWithError("some events have another shape");
}

}  // namespace

void add_envelope(const corpora& given) {
  for (const corpus& one : given) {
    const bool simple = one.name == "writer" || one.name == "openai" || one.name == "random";
    if (simple) benchmark::RegisterBenchmark(("envelope/" + one.name).c_str(), match, std::cref(one));
  }
}

}  // namespace citestream_bench
