// How the claims of an answer are checked.
//
// The received text is kept, up to a limit, because the references of a claim may follow it. A claim is a
// range of that text. As soon as the references of a citation are known, the claim is compared with their
// texts, and the citation gets the result. With references that were known before the text, this happens
// when the marker is complete, otherwise when the citations are resolved. What is compared depends on the
// citation alone, not on when it is compared or how the input was divided. Text that only introduces or names
// the references (list_entry.hpp) has no result; a name or label has one if it is supported or contradicted.
//
// A comparison is linear in the claim and the texts, but many markers may cite one long text. At most
// max_compared_bytes are compared in one answer. The first comparison that would exceed them is not made, and
// neither is any later one. Citations in a row with the same claim and references share one result.
//
// Clients may display a result. Its `attributed_to` is a part of the text, so it is made inert if the text
// is. Its other texts of the claim are single words, without the characters of a URL or of markup.
#include "claim_checks.hpp"

#include <algorithm>
#include <utility>

#include "cite/list_entry.hpp"

namespace citestream {
namespace {

/// Returns true if a claim only introduces or names the references with which it was compared. \p found: may
/// be null.
[[nodiscard]] bool is_entry(const claim_finding* found, const citations& cites) {
  if (found == nullptr) return false;
  const auto introduced = [&](std::uint32_t index) {
    return only_introduces(found->claim, &cites.references()[index]);
  };
  if (std::ranges::any_of(found->references, introduced)) return true;
  if (!may_be_entry(found->verdict)) return false;
  const auto named = [&](std::uint32_t index) { return only_names(found->claim, cites.references()[index]); };
  return is_label(found->claim) || std::ranges::any_of(found->references, named);
}

}  // namespace

void claim_checks::added(citations& cites, std::size_t index, const text_range& claim, bool early) {
  claims_.resize(index);
  claims_.push_back({claim, {}});
  if (!early) return;
  const std::span<const std::uint32_t> known = cites.references_of(index);
  if (!known.empty()) check(cites, index, known);
}

void claim_checks::resolved(citations& cites) {
  for (; next_ < claims_.size(); ++next_) {
    const citation& cite = cites.all()[next_];
    if (cite.status != citation_status::resolved) continue;
    const auto& known = cite.finding != nullptr ? cite.finding->references : claims_[next_].entry_of;
    if (known.empty() || !std::ranges::equal(known, cite.references)) check(cites, next_, cite.references);
  }
  checker_.reset();
}

void claim_checks::resolved_late(citations& cites, std::span<const std::uint32_t> late) {
  for (const std::uint32_t index : late) {
    if (index < claims_.size()) check(cites, index, cites.all()[index].references);
  }
  checker_.reset();
}

void claim_checks::added_native(citations& cites, std::string_view words) {
  const std::size_t last = cites.count() - 1;
  const auto found = compare(cites, words, cites.at(last).references);
  cites.set_finding(last, is_entry(found.get(), cites) ? nullptr : found);
}

/// Compares the claim of citation \p index with \p references. The citation gets the result.
void claim_checks::check(citations& cites, std::size_t index, std::span<const std::uint32_t> references) {
  const text_range& place = claims_[index].place;
  const auto found =
      compare(cites, text_.find(place.begin, place.end).value_or(std::string_view{}), references);
  const bool entry = is_entry(found.get(), cites);
  if (entry) claims_[index].entry_of.assign(references.begin(), references.end());
  cites.set_finding(index, entry ? nullptr : found);
}

/// Returns null if there is nothing to compare or if a limit is reached.
std::shared_ptr<const claim_finding> claim_checks::compare(const citations& cites, std::string_view claim,
                                                           std::span<const std::uint32_t> references) {
  if (last_ != nullptr && last_->claim == claim && std::ranges::equal(last_->references, references))
    return last_;
  std::size_t bytes = 0;
  texts_.clear();
  for (const std::uint32_t index : references) {
    texts_.emplace_back(cites.references()[index].text);
    bytes += texts_.back().size();
  }
  if (claim.empty() || bytes == 0 || compared_ > max_compared_) return nullptr;
  compared_ += claim.size() + bytes;
  if (compared_ > max_compared_) return nullptr;
  if (checker_ == nullptr) checker_ = with_->make(thresholds_);
  auto found = std::make_shared<claim_finding>(checker_->check(claim, texts_));
  sent_->make_inert(found->attributed_to);
  found->claim.assign(claim);
  found->references.assign(references.begin(), references.end());
  return last_ = std::move(found);
}

void claim_checks::reset() noexcept {
  checker_.reset();
  text_.clear();
  claims_.clear();
  next_ = compared_ = 0;
  last_.reset();
}

}  // namespace citestream
