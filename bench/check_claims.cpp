// What is the cost of scoring a claim against 2 KB of reference, which is read anew each time? (An event is a
// claim here.)
#include <citestream/check/support.hpp>

#include <benchmark/benchmark.h>
#include <string>
#include <string_view>
#include <vector>

#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

constexpr std::string_view prose =
    "The Halden ferry company carried 2.4 million passengers last year, up 8 percent on the year before. Its "
    "managing "
    "director, Ingrid Moe, said the growth came mostly from commuters who had given up their cars after the "
    "bridge "
    "toll was raised in March. The company ordered three electric vessels from a yard in Gdansk, to be "
    "delivered in "
    "2026, and expects them to cut its fuel bill by a third. Winter traffic was weaker, because ice closed "
    "the "
    "northern route for nineteen days. Letters from readers are welcome, and some of them appear in the "
    "weekend "
    "edition together with an answer from the desk. Older issues can be found in the archive of the library, "
    "where a "
    "catalogue lists them by subject, place and day. ";
constexpr std::string_view claims[] = {
    "Halden's ferries transported 2.4 million people last year, an increase of 8%.",
    "Three electric vessels have been ordered from a shipyard in Gdansk and are due in 2026.",
    "The Halden ferry company carried 3.4 million passengers last year.",
    "Photosynthesis turns carbon dioxide and water into sugar in the leaves of plants."};

void check(benchmark::State& state, std::size_t bytes) {
  std::string reference;
  while (reference.size() < bytes) reference += prose;
  reference.resize(bytes);
  const std::string_view references[] = {reference};
  citestream::support_scorer scorer;
  double sum = 0;
  measure(state, std::size(claims), std::size(claims) * bytes, [&] {
    for (const std::string_view claim : claims) sum += scorer.score(claim, references).value;
    benchmark::DoNotOptimize(sum);
  });
}

}  // namespace

void add_check(const corpora&) {
  benchmark::RegisterBenchmark("check/claims/2048", check, 2048);
  benchmark::RegisterBenchmark("check/claims/65536", check, 65536);
}

}  // namespace citestream_bench
