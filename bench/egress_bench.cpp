// What is the cost of the egress stage, compared to scanning the same deltas for markers?
#include <citestream/session/answer.hpp>

#include <benchmark/benchmark.h>
#include <string>
#include <vector>

#include "base/text_edits.hpp"
#include "egress/egress_stage.hpp"
#include "marker/scanner.hpp"
#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

citestream::session_options guarding(citestream::egress_mode mode) {
  citestream::session_options options;
  options.style = &citestream::keep_style;
  options.grammars = {&citestream::file_grammar};  // cheap, because the text has no file markers
  options.egress = mode;
  return options;
}

void answers(benchmark::State& state, density links, citestream::egress_mode mode) {
  const std::vector<std::string> given = four_character_deltas(links, deltas_per_answer);
  citestream::answer text(guarding(mode));
  std::string out;
  measure(state, given.size(), given.size() * 4, [&] {
    for (const std::string& delta : given) text.push(delta, out);
    text.finish(out);
    benchmark::DoNotOptimize(out.data());
    out.clear();
    text.reset();
  });
}

/// Measures the stage alone, to compare with `scanner/...`, which is the scanner alone.
void stage_alone(benchmark::State& state, density links) {
  const std::vector<std::string> given = four_character_deltas(links, deltas_per_answer);
  citestream::egress_stage stage(citestream::egress_mode::enforce, citestream::egress_code::inert, {}, {});
  citestream::text_edits edits;
  std::string out;
  measure(state, given.size(), given.size() * 4, [&] {
    for (const std::string& delta : given) stage.feed(delta, out, edits);
    stage.finish(out, edits);
    benchmark::DoNotOptimize(out.data());
    out.clear();
    stage.reset();
    edits.reset();
  });
}

}  // namespace

void add_egress(const corpora&) {
  using citestream::egress_mode;
  for (const auto& [name, mode] :
       {std::pair{"off", egress_mode::off}, std::pair{"report", egress_mode::report},
        std::pair{"enforce", egress_mode::enforce}}) {
    const std::string prefix = std::string("egress/") + name;
    benchmark::RegisterBenchmark((prefix + "/text").c_str(), answers, density::none, mode);
    benchmark::RegisterBenchmark((prefix + "/text-usual").c_str(), answers, density::usual, mode);
  }
  benchmark::RegisterBenchmark("egress/stage/text", stage_alone, density::none);
  benchmark::RegisterBenchmark("egress/stage/text-usual", stage_alone, density::usual);
  benchmark::RegisterBenchmark("egress/stage/text-dense", stage_alone, density::dense);
}

}  // namespace citestream_bench
