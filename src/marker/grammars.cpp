#include <citestream/marker/grammar.hpp>

namespace citestream {

namespace {

// One line a grammar.
constexpr const grammar* table[] = {
    &link_grammar,
};

}  // namespace

std::span<const grammar* const> grammars() noexcept {
  return table;
}

const grammar* find_grammar(std::string_view name) noexcept {
  for (const grammar* one : table) {
    if (one->name == name) return one;
  }
  return nullptr;
}

void recogniser_state::reset() noexcept {
  from = no_position;
  active = raw = reread = false;
  phase = 0;
  for (auto& value : position) value = 0;
  for (auto& value : count) value = 0;
  openers.clear();
}

void marker_keys::clear() noexcept {
  text_.clear();
  ends_.clear();
}

void marker_keys::add(std::string_view key) {
  text_.append(key);
  ends_.push_back(text_.size());
}

std::string_view marker_keys::operator[](std::size_t index) const noexcept {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(begin, ends_[index] - begin);
}

}  // namespace citestream
