// What are the lower bounds? The cost of copying the bytes, of finding the lines, and of parsing the payloads
// with simdjson (On-Demand reading the text only, On-Demand reading every field, which validates it, and
// DOM).
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>

#include <simdjson.h>

#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

namespace ondemand = simdjson::ondemand;

void copy(benchmark::State& state, const corpus& one) {
  const auto target = std::make_unique<char[]>(one.bytes.size());
  measure(state, one.events, one.bytes.size(), [&] {
    std::memcpy(target.get(), one.bytes.data(), one.bytes.size());
    benchmark::DoNotOptimize(target.get());
    benchmark::ClobberMemory();
  });
}

/// Finds the lines with one search for CR and one for LF.
std::size_t count_lines(std::string_view bytes) {
  std::size_t lines = 0;
  while (!bytes.empty()) {
    const auto* lf = static_cast<const char*>(std::memchr(bytes.data(), '\n', bytes.size()));
    std::size_t end = lf == nullptr ? bytes.size() : static_cast<std::size_t>(lf - bytes.data());
    const auto* cr = static_cast<const char*>(std::memchr(bytes.data(), '\r', end));
    if (cr != nullptr) end = static_cast<std::size_t>(cr - bytes.data());
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    ++lines;
  }
  return lines;
}

void find_lines(benchmark::State& state, const corpus& one) {
  measure(state, one.events, one.bytes.size(), [&] { benchmark::DoNotOptimize(count_lines(one.bytes)); });
}

/// Parses a payload in place. The bytes that follow it in the stream serve as padding.
simdjson::padded_string_view padded(std::string_view payload) {
  return simdjson::padded_string_view(payload.data(), payload.size(),
                                      payload.size() + simdjson::SIMDJSON_PADDING);
}

std::size_t text_size(ondemand::parser& parser, std::string_view payload) {
  ondemand::document parsed;
  std::string_view text;
  if (parser.iterate(padded(payload)).get(parsed)) return 0;
  if (parsed["choices"].at(0)["delta"]["content"].get_string().get(text)) return 0;
  return text.size();
}

void read_text(benchmark::State& state, const corpus& one) {
  ondemand::parser parser;
  measure(state, one.events, one.bytes.size(), [&] {
    std::size_t sum = 0;
    for_each_payload(one.bytes, [&](std::string_view payload) { sum += text_size(parser, payload); });
    benchmark::DoNotOptimize(sum);
  });
}

/// Reads a value with everything in it. \return a number that depends on all of it, or nothing if it is
/// invalid
template <typename Value>
std::size_t walk(Value&& value) {
  std::size_t sum = 0;
  switch (value.type()) {
    case ondemand::json_type::object:
      for (auto field : value.get_object()) {
        sum += std::string_view(field.unescaped_key()).size();
        sum += walk(field.value());
      }
      break;
    case ondemand::json_type::array:
      for (auto element : value.get_array()) sum += walk(element.value());
      break;
    case ondemand::json_type::string:
      sum += std::string_view(value.get_string()).size();
      break;
    case ondemand::json_type::number:
      sum += static_cast<std::size_t>(value.get_double());
      break;
    case ondemand::json_type::boolean:
      sum += bool(value.get_bool()) ? 1U : 0U;
      break;
    case ondemand::json_type::null:
      sum += bool(value.is_null()) ? 1U : 0U;
      break;
  }
  return sum;
}

void walk_all(benchmark::State& state, const corpus& one) {
  ondemand::parser parser;
  try {
    measure(state, one.events, one.bytes.size(), [&] {
      std::size_t sum = 0;
      for_each_payload(one.bytes, [&](std::string_view payload) {
        ondemand::document parsed = parser.iterate(padded(payload));
        sum += walk(parsed);
      });
      benchmark::DoNotOptimize(sum);
    });
  } catch (const simdjson::simdjson_error& problem) {
    state.SkipWithError(problem.what());
  }
}

void build_dom(benchmark::State& state, const corpus& one) {
  simdjson::dom::parser parser;
  measure(state, one.events, one.bytes.size(), [&] {
    std::size_t valid = 0;
    for_each_payload(one.bytes, [&](std::string_view payload) {
      constexpr bool copy_first = false;
      valid +=
          parser.parse(payload.data(), payload.size(), copy_first).error() == simdjson::SUCCESS ? 1U : 0U;
    });
    benchmark::DoNotOptimize(valid);
  });
}

}  // namespace

void add_floors(const corpora& given) {
  for (const corpus& one : given) {
    const auto add = [&](const char* name, void (*run)(benchmark::State&, const corpus&)) {
      benchmark::RegisterBenchmark((std::string(name) + "/" + one.name).c_str(), run, std::cref(one));
    };
    if (!one.variant) add("floor_memcpy", &copy);
    add("floor_memchr", &find_lines);
    add("floor_text", &read_text);
    add("floor_walk", &walk_all);
    if (!one.variant) add("floor_dom", &build_dom);
  }
}

}  // namespace citestream_bench
