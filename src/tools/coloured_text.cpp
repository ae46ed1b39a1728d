#include "coloured_text.hpp"

#include <algorithm>

#include "terminal.hpp"

namespace citestream::tools {

void coloured_text::add(const citation& one) {
  const place at{one.start.utf8, one.end.utf8};
  if (at.begin >= written_ && at.begin < at.end) places_.push_back(at);
}

void coloured_text::write(std::string& out) {
  std::ranges::sort(places_, {}, &place::begin);
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
    out += cyan;
    append_until(each.end);
    out += plain;
  }
  append_until(whole);
  written_ = whole;
  text_.clear();
  places_.clear();
}

}  // namespace citestream::tools
