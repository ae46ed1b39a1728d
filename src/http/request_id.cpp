#include "request_id.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace citestream::http {
namespace {

/// Returns true if \p text is a valid identifier, which is passed on unchanged: 1 to 128 bytes of visible
/// ASCII.
bool is_request_id(std::string_view text) noexcept {
  return !text.empty() && text.size() <= max_request_id_bytes && std::ranges::all_of(text, ascii::is_visible);
}

}  // namespace

request_ids::request_ids() {
  std::random_device device;
  std::seed_seq seed{device(), device(), device(), device(), device(), device(), device(), device()};
  random_.seed(seed);
}

std::string request_ids::make() {
  std::string out(32, '0');
  for (std::size_t i = 0; i < out.size();) {
    auto bits = random_();
    for (int digit = 0; digit < 16; ++digit, bits >>= 4U) out[i++] = ascii::hex_digits[bits & 15U];
  }
  return out;
}

std::string request_ids::of(const fields& request) {
  const field* given = find_only(request, request_id_name);
  return given != nullptr && is_request_id(given->value) ? std::string(given->value) : make();
}

}  // namespace citestream::http
