#include "unit_text.hpp"

#include "rewrite/json.hpp"

namespace citestream {

namespace {

/// Hash of a text whose start has the hash `before` and whose rest is `text` (FNV-1a, 64 bits). A collision
/// is harmless: both texts come from the same upstream.
std::uint64_t hashed(std::string_view text, std::uint64_t before) noexcept {
  for (const char byte : text) before = (before ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return before;
}

}  // namespace

void repeated_text::start(std::string_view received, std::string_view sent) {
  on_ = true;
  arrive(received);
  send(sent);
}

void repeated_text::arrive(std::string_view more) noexcept {
  arrived_ += more.size();
  arrived_hash_ = hashed(more, arrived_hash_);
}

bool repeated_text::is_all(std::string_view all, bool grown) const noexcept {
  return all.size() == arrived_ && (grown || hashed(all, 0) == arrived_hash_);
}

void repeated_text::send(std::string_view released) {
  sent_.append(released);
  sent_size_.advance(released);
  sent_json_.pop_back();
  append_json_body(released, sent_json_);
  sent_json_.push_back('"');
}

void repeated_text::reset() noexcept {
  on_ = differs = false;
  arrived_ = arrived_hash_ = 0;
  sent_.clear();
  sent_size_ = {};
  sent_json_.assign("\"\"");
}

}  // namespace citestream
