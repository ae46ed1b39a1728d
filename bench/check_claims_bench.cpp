// What is the cost of scoring a claim against 2 KB of reference, which it is the first one to cite, or which
// claims before it have cited? (An event is a claim here.)
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

/// \param references  how many different ones the claims cite in turn
void check(benchmark::State& state, std::size_t bytes, std::size_t references) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < references; ++i) {
    std::string& text = texts.emplace_back("Page " + std::to_string(i) + ". ");
    while (text.size() < bytes) text += prose;
    text.resize(bytes);
  }
  citestream::support_scorer scorer;
  double sum = 0;
  measure(state, std::size(claims) * references, std::size(claims) * references * bytes, [&] {
    for (const std::string_view claim : claims) {
      for (const std::string& text : texts) {
        const std::string_view cited[] = {text};
        sum += scorer.score(claim, cited).value;
      }
    }
    benchmark::DoNotOptimize(sum);
  });
}

}  // namespace

void add_check(const corpora&) {
  constexpr std::size_t more_than_kept = 2 * 128 * 1024;  // bytes of references
  for (const std::size_t bytes : {std::size_t{2048}, std::size_t{65536}}) {
    const std::string size = std::to_string(bytes);
    benchmark::RegisterBenchmark(("check/first/" + size).c_str(), check, bytes, more_than_kept / bytes);
    benchmark::RegisterBenchmark(("check/again/" + size).c_str(), check, bytes, 1);
  }
}

}  // namespace citestream_bench
