/// \file
/// Fuzz targets: a check that accepts any bytes, for each part that reads untrusted input.
///
/// The checks do not depend on libFuzzer: fuzz_main.cpp calls them with its inputs, fuzz_test.cpp with the
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
  std::string_view name;  ///< for tools/fuzz, and the name of its folders
  /// Returns a description of the error in the result for \p input, or an empty string.
  std::string (*check)(std::string_view input, fuzz_run how);
};

/// All targets.
[[nodiscard]] std::span<const fuzz_target> fuzz_targets() noexcept;
/// The target with that name, or null.
[[nodiscard]] const fuzz_target* find_fuzz_target(std::string_view name) noexcept;

std::string check_sse(std::string_view input, fuzz_run how);
std::string check_eventstream(std::string_view input, fuzz_run how);
std::string check_dialects(std::string_view input, fuzz_run how);
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
