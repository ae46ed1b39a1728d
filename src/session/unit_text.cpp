#include "unit_text.hpp"

#include "rewrite/json.hpp"

namespace citestream {

void repeated_text::start(std::string_view received, std::string_view sent) {
  on_ = true;
  arrive(received);
  send(sent);
}

bool repeated_text::is_all(std::string_view all, bool grown) const noexcept {
  return all.size() == received_.text().size() && (grown || all == received_.text());
}

void repeated_text::send(std::string_view released) {
  sent_.append(released);
  sent_json_.pop_back();
  append_json_body(released, sent_json_);
  sent_json_.push_back('"');
}

bool find_quote(std::uint64_t& start, std::uint64_t& end, std::string_view quote, offset_unit unit,
                const indexed_text& text) noexcept {
  constexpr std::uint64_t farthest = 8;
  if (unit != offset_unit::utf8) return true;
  const std::uint64_t size = quote.size();
  if (end - start != size) return false;
  const auto fits = [&](std::uint64_t at) {
    if (text.part(at, at + size, unit) != quote) return false;
    start = at;
    end = at + size;
    return true;
  };
  const std::uint64_t begin = start;
  if (fits(begin)) return true;
  for (std::uint64_t by = 1; by <= farthest; ++by) {
    if ((by <= begin && fits(begin - by)) || fits(begin + by)) return true;
  }
  return false;
}

void repeated_text::reset() noexcept {
  on_ = differs = false;
  received_.clear();
  sent_.clear();
  sent_json_.assign("\"\"");
}

}  // namespace citestream
