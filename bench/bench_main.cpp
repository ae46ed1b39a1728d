// citestream_bench [FILE...]: measures with generated streams, and with those in the files.
#include <benchmark/benchmark.h>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "measured.hpp"
#include "questions.hpp"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);  // removes the options that it knows
  std::vector<std::string> files(argv + 1, argv + argc);
  try {
    const citestream_bench::corpora given = citestream_bench::all_corpora(files);
    for (const auto add :
         {&citestream_bench::add_floors, &citestream_bench::add_sse, &citestream_bench::add_chunk,
          &citestream_bench::add_envelope, &citestream_bench::add_scanner, &citestream_bench::add_answer,
          &citestream_bench::add_cite, &citestream_bench::add_check, &citestream_bench::add_rewrite,
          &citestream_bench::add_egress, &citestream_bench::add_session, &citestream_bench::add_filter_file,
          &citestream_bench::add_memory, &citestream_bench::add_scaling}) {
      add(given);
    }
    benchmark::AddCustomContext("instruction_counter",
                                citestream_bench::has_instruction_counter() ? "yes" : "no");
    return benchmark::RunSpecifiedBenchmarks() == 0 ? 1 : 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "citestream_bench: %s\n", problem.what());
    return 2;
  }
}
