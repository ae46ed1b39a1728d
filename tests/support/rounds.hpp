// How often the heavy properties are tried: as often as a minute allows, and less under a sanitizer, where
// each round takes ten times as long. The fuzzers hold the same properties, for as long as one likes.
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

/// Whether this is a build with a sanitizer, and of how many rounds or comparisons one is made.
#if defined(CITESTREAM_TESTS_SANITIZED)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
inline constexpr std::size_t one_in = sanitized ? 8 : 2;

/// How many of so many rounds are made.
constexpr std::size_t scaled(std::size_t rounds) {
  return std::max<std::size_t>(1, rounds / one_in);
}

/// Whether the \p n-th of many comparisons is made in the round \p phase: all places get their turn over
/// rounds.
constexpr bool sampled(std::size_t n, std::size_t phase) {
  return (n + phase) % one_in == 0;
}

}  // namespace citestream_tests
