/// \file
/// What is fuzzed: for each part that reads bytes of others, a check that takes any bytes at all.
///
/// The checks know nothing of libFuzzer: fuzz_main.cpp gives them its inputs, fuzz_test.cpp gives them the
/// files in corpus/ and regressions/.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace citestream_tests {

/// How a check is run.
enum class fuzz_run : bool {
  as_it_is,
  planted,  ///< with a planted fault, which a check has to detect on some file of its corpus
};

struct fuzz_target {
  std::string_view name;  ///< as tools/fuzz takes it, and as its folders are called
  /// What is wrong with what was made of \p input, in words; empty: nothing.
  std::string (*check)(std::string_view input, fuzz_run how);
};

/// All targets.
[[nodiscard]] std::span<const fuzz_target> fuzz_targets() noexcept;
/// The target with that name, or null.
[[nodiscard]] const fuzz_target* find_fuzz_target(std::string_view name) noexcept;

std::string check_sse(std::string_view input, fuzz_run how);
std::string check_chunk(std::string_view input, fuzz_run how);
std::string check_marker(std::string_view input, fuzz_run how);
std::string check_pattern(std::string_view input, fuzz_run how);
std::string check_session(std::string_view input, fuzz_run how);
std::string check_envelope(std::string_view input, fuzz_run how);
std::string check_http_head(std::string_view input, fuzz_run how);
std::string check_chunked_body(std::string_view input, fuzz_run how);
std::string check_config(std::string_view input, fuzz_run how);
std::string check_recording(std::string_view input, fuzz_run how);
std::string check_capi(std::string_view input, fuzz_run how);

}  // namespace citestream_tests
