// Number of rounds of the expensive property tests: fewer under a sanitizer, where each round takes ten times
// as long. The fuzzers check the same properties for as long as they run.
#pragma once

#include <algorithm>
#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CITESTREAM_TESTS_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CITESTREAM_TESTS_SANITIZED 1
#endif

namespace citestream_tests {

/// True in builds with a sanitizer.
#if defined(CITESTREAM_TESTS_SANITIZED)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
/// Property tests run one in this many rounds.
inline constexpr std::size_t one_in = sanitized ? 8 : 2;

/// Streams are cut after every `cut_step` bytes.
inline constexpr std::size_t cut_step = sanitized ? 5 : 1;

/// The number of rounds to run out of \p rounds.
constexpr std::size_t scaled(std::size_t rounds) {
  return std::max<std::size_t>(1, rounds / one_in);
}

/// Whether comparison \p n is made in round \p phase. Over several rounds every comparison is made.
constexpr bool sampled(std::size_t n, std::size_t phase) {
  return (n + phase) % one_in == 0;
}

}  // namespace citestream_tests
