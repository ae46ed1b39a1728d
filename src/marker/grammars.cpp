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

}  // namespace citestream
