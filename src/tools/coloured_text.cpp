#include "coloured_text.hpp"

#include <algorithm>

#include "terminal.hpp"

namespace citestream::tools {

void coloured_text::add(const citation& one) {
  if (one.start.utf8 < written_) return;
  const bool printed = one.start.utf8 < one.end.utf8;
  const auto next = std::ranges::upper_bound(places_, one.start.utf8, {}, &place::begin);
  places_.insert(next, {one.start.utf8, one.end.utf8, printed ? std::string() : one.marker});
}

void coloured_text::write(std::string& out) {
  std::uint64_t at = written_;
  const std::uint64_t whole = written_ + text_.size();
  const auto append_until = [&](std::uint64_t end) {
    end = std::min(end, whole);
    if (end <= at) return;
    out.append(text_, at - written_, end - at);
    at = end;
  };
  for (const place& each : places_) {
    append_until(each.begin);
    out += each.removed.empty() ? cyan : faint;
    append_until(each.end);
    out.append(each.removed).append(plain);
  }
  append_until(whole);
  written_ = whole;
  text_.clear();
  places_.clear();
}

}  // namespace citestream::tools
