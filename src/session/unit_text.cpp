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

const std::string& repeated_text::sent_json() {
  sent_json_.pop_back();
  append_json_body(std::string_view(sent_.text()).substr(escaped_), sent_json_);
  sent_json_.push_back('"');
  escaped_ = sent_.text().size();
  return sent_json_;
}

std::optional<std::uint64_t> find_quote(std::uint64_t start, std::uint64_t end, std::string_view quote,
                                        offset_unit unit, const indexed_text& text) {
  constexpr std::uint64_t farthest = 8;
  if (unit != offset_unit::utf8) return start;
  if (end - start != quote.size()) return std::nullopt;
  const auto fits = [&](std::uint64_t at) { return text.part(at, at + quote.size(), unit) == quote; };
  if (fits(start)) return start;
  for (std::uint64_t by = 1; by <= farthest; ++by) {
    if (by <= start && fits(start - by)) return start - by;
    if (fits(start + by)) return start + by;
  }
  return std::nullopt;
}

void repeated_text::reset() noexcept {
  on_ = differs = false;
  received_.clear();
  newest_ = escaped_ = 0;
  sent_.clear();
  sent_json_.assign("\"\"");
}

void unit_text::reset() noexcept {
  id = {};
  name.clear();
  received = sent = received_end = sent_end = {};
  first_citation = 0;
  ended = foreign = continued = false;
  repeats.reset();
  annotations = {};
}

const unit_text& choice_texts::of_citation(std::size_t index) const noexcept {
  const auto at = index < cited_in.size() ? ended.find(cited_in[index]) : ended.end();
  return at == ended.end() ? current : at->second;
}

void choice_texts::begin(const unit_mark& mark, text_offset received, text_offset sent,
                         std::size_t citations) {
  if (received != current.received || current.continued || current.foreign) {
    cited_in.resize(citations, current.id);
    const text_unit before = current.id;
    current.received_end = received;
    current.sent_end = sent;
    ended.insert_or_assign(before, std::exchange(current, {}));
  }
  if (auto same = ended.extract(mark.id); same && !mark.begins) {
    current = std::move(same.mapped());
    current.continued = true;
  }
  current.id = mark.id;
  if (!current.continued) current.foreign = mark.foreign;
  if (!current.continued || !mark.item_id.empty()) current.name.assign(mark.item_id);
  current.received = received;
  current.sent = sent;
  current.first_citation = citations;
  current.ended = false;
}

void choice_texts::reset() noexcept {
  current.reset();
  ended.clear();
  cited_in.clear();
}

}  // namespace citestream
