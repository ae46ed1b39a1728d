#include <citestream/marker/grammar.hpp>

namespace citestream {

namespace {

// One line per grammar. If two grammars find the same marker, the one listed first gets it.
constexpr const grammar* table[] = {
    &numeric_grammar,     //
    &link_grammar,        //
    &source_grammar,      //
    &ref_grammar,         //
    &file_grammar,        //
    &lenticular_grammar,  //
    &private_grammar,     //
    &tag_grammar,         //
    &cite_grammar,        //
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
  from = cited = no_position;
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

void marker_keys::add_list(std::string_view list, std::string_view separators) {
  for (;;) {
    const std::size_t end = list.find_first_of(separators);
    std::string_view key = list.substr(0, end);
    while (!key.empty() && key.front() == ' ') key.remove_prefix(1);
    while (!key.empty() && key.back() == ' ') key.remove_suffix(1);
    add(key);
    if (end == std::string_view::npos) return;
    list.remove_prefix(end + 1);
  }
}

std::string_view marker_keys::operator[](std::size_t index) const noexcept {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(begin, ends_[index] - begin);
}

}  // namespace citestream
