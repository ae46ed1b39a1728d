#include "beside.hpp"

namespace citestream {

void beside_text::begin(const citations& known) {
  guard.reset();
  for (const reference& ref : known.references()) guard.know(ref);
  begun = true;
}

beside_text& beside_texts::at(std::uint32_t choice, beside_place place, const citations& known) {
  for (const auto& one : all_) {
    if (one->choice == choice && one->place == place) return *one;
  }
  all_.push_back(std::make_unique<beside_text>(*options_, choice, place));
  all_.back()->begin(known);
  return *all_.back();
}

beside_text* beside_texts::find(const text_beside& found, const citations& known) {
  if (!found.at.text.empty()) return &at(found.at.choice, found.place, known);
  for (const auto& one : all_) {
    if (one->choice == found.at.choice && one->place == found.place) return one.get();
  }
  return nullptr;
}

void beside_texts::know(const reference& ref, std::optional<std::uint32_t> choice) {
  for (const auto& one : all_) {
    if (!choice || one->choice == *choice) one->guard.know(ref);
  }
}

std::string_view beside_texts::guarded(std::uint32_t choice, std::string_view text, const citations& known) {
  beside_text& one = at(choice, beside_place::message, known);
  one.begin(known);
  one.released.clear();
  one.guard.feed(text, one.released);
  one.guard.finish(one.released);
  return one.released;
}

std::uint64_t beside_texts::found(std::uint32_t choice) const noexcept {
  std::uint64_t count = 0;
  for (const auto& one : all_) count += one->choice == choice ? one->guard.recorded() : 0;
  return count;
}

}  // namespace citestream
