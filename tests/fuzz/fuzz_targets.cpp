#include "fuzz/fuzz_targets.hpp"

#include <algorithm>
#include <array>

namespace citestream_tests {
namespace {

constexpr std::array<fuzz_target, 13> all{{{"sse", &check_sse},
                                           {"dialects", &check_dialects},
                                           {"eventstream", &check_eventstream},
                                           {"chunk", &check_chunk},
                                           {"marker", &check_marker},
                                           {"pattern", &check_pattern},
                                           {"session", &check_session},
                                           {"envelope", &check_envelope},
                                           {"http_head", &check_http_head},
                                           {"chunked_body", &check_chunked_body},
                                           {"config", &check_config},
                                           {"recording", &check_recording},
                                           {"capi", &check_capi}}};

}  // namespace

std::span<const fuzz_target> fuzz_targets() noexcept {
  return all;
}

const fuzz_target* find_fuzz_target(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(all, name, &fuzz_target::name);
  return found == all.end() ? nullptr : found;
}

}  // namespace citestream_tests
