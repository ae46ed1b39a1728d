// What is the cost of rewriting a payload: writing the text as a JSON string, and replacing it and its
// repetition?
#include <benchmark/benchmark.h>
#include <functional>
#include <string>

#include "measured.hpp"
#include "questions.hpp"
#include "rewrite/json.hpp"
#include "rewrite/splice.hpp"

namespace citestream_bench {

namespace {

struct place {
  citestream::byte_range text;
  citestream::byte_range mirror;
};

/// The positions of the two strings in each payload.
place place_of(std::string_view payload) {
  constexpr std::string_view key = "\"content\":";
  const auto string_at = [&](std::size_t from) -> citestream::byte_range {
    const std::size_t found = payload.find(key, from);
    if (found == std::string_view::npos) return {};
    const std::size_t begin = found + key.size();
    return {begin, std::min(payload.find_first_of(",}", begin), payload.size())};
  };
  const citestream::byte_range first = string_at(0);
  return {first, first.size() == 0 ? first : string_at(first.end)};
}

void splice(benchmark::State& state, const corpus& one) {
  std::vector<place> places;
  for_each_payload(one.bytes, [&](std::string_view payload) { places.push_back(place_of(payload)); });
  citestream::splicer edits;
  std::string json;
  std::string out;
  measure(state, one.events, one.bytes.size(), [&] {
    std::size_t at = 0;
    out.clear();
    for_each_payload(one.bytes, [&](std::string_view payload) {
      const place& where = places[at];
      json.clear();
      edits.begin(payload);
      citestream::append_json_string(one.deltas[at % one.deltas.size()], json);
      edits.replace(where.text, json);
      if (where.mirror.size() > 0) edits.replace(where.mirror, json);
      edits.apply(out);
      ++at;
    });
    benchmark::DoNotOptimize(out.data());
  });
}

}  // namespace

void add_rewrite(const corpora& given) {
  for (const corpus& one : given) {
    if (!one.variant) benchmark::RegisterBenchmark(("splice/" + one.name).c_str(), splice, std::cref(one));
  }
}

}  // namespace citestream_bench
