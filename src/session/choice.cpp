#include "choice.hpp"

#include <algorithm>

#include "rewrite/json.hpp"

namespace citestream {

namespace {

// FNV-1a, 64 bits, of `text` behind what `before` is of. A text is compared with what nobody keeps: who wants
// two that are taken for one writes both.
std::uint64_t hashed(std::string_view text, std::uint64_t before) noexcept {
  for (const char byte : text) before = (before ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return before;
}

}  // namespace

void choice_state::restart(std::uint32_t number) noexcept {
  choice = number;
  text.reset();
  shape.reset();
  shape_due = {};
  finished = referenced = waits = settled = record_due = annotations_due = annotated = accumulates =
      repeats_other = false;
  finish_expected = true;
  arrived = arrived_hash = 0;
  left.clear();
  left_json.assign("\"\"");
  rest.clear();
  announced = counted = 0;
  resolved = unresolved = 0;
  finish_reason.clear();
}

void choice_state::arrive(std::string_view more) noexcept {
  arrived += more.size();
  arrived_hash = hashed(more, arrived_hash);
}

bool choice_state::is_all(std::string_view all) const noexcept {
  return all.size() == arrived && hashed(all, 0) == arrived_hash;
}

void choice_state::leave(std::string_view released) {
  left.append(released);
  left_json.pop_back();
  append_json_body(released, left_json);
  left_json.push_back('"');
}

void choice_state::count_resolved() noexcept {
  const std::span<const citation> all = text.cites().all();
  for (; counted < all.size(); ++counted) {
    ++(all[counted].status == citation_status::resolved ? resolved : unresolved);
  }
}

}  // namespace citestream
