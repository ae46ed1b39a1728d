// The entry point for libFuzzer. One program contains all targets, so that the core is linked once. The
// environment variable CITESTREAM_FUZZ selects the target. If CITESTREAM_FUZZ_PLANT is set, a fault is
// planted that must be found. tools/fuzz runs this program.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/fuzz_targets.hpp"

namespace {

const citestream_tests::fuzz_target* chosen() {
  const char* name = std::getenv("CITESTREAM_FUZZ");
  const auto* const found = name == nullptr ? nullptr : citestream_tests::find_fuzz_target(name);
  if (found != nullptr) return found;
  std::fprintf(stderr, "CITESTREAM_FUZZ names no target; there are:");
  for (const auto& one : citestream_tests::fuzz_targets()) {
    std::fprintf(stderr, " %.*s", static_cast<int>(one.name.size()), one.name.data());
  }
  std::fprintf(stderr, "\n");
  std::exit(2);
}

}  // namespace

using citestream_tests::fuzz_run;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const citestream_tests::fuzz_target* const target = chosen();
  static const auto how =
      std::getenv("CITESTREAM_FUZZ_PLANT") == nullptr ? fuzz_run::as_it_is : fuzz_run::planted;
  // A copy of exactly that size, so that sanitizers detect reads past its end.
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::string wrong = target->check(input, how);
  if (!wrong.empty()) {
    std::fprintf(stderr, "%s\n", wrong.c_str());
    std::abort();
  }
  return 0;
}
