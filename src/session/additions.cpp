#include "additions.hpp"

#include <citestream/cite/url.hpp>
#include <citestream/rewrite/json.hpp>

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace citestream {

bool addition_writer::enabled() const noexcept {
  if (options_->add != additions::automatic) return options_->add == additions::always;
  return options_->style->space != spacing::untouched;
}

std::string_view addition_writer::object(const std::vector<std::unique_ptr<choice_state>>& choices,
                                         std::size_t count) {
  object_.assign("{\"version\":1,\"offsets\":\"")
      .append(name(options_->offsets))
      .append("\",\"citations\":[");
  const std::size_t empty = object_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!choices[i]->settled) continue;
    const citations& cites = choices[i]->text.cites();
    for (const citation& one : cites.all()) {
      if (object_.size() > empty) object_ += ',';
      append_citation_json(one, cites, choices[i]->choice, options_->offsets, object_);
    }
  }
  const bool cited = object_.size() > empty;
  object_.append("],\"uncited\":[");
  const std::size_t none = object_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!choices[i]->settled) continue;
    const citations& cites = choices[i]->text.cites();
    for (const std::uint32_t index : cites.uncited()) {
      if (object_.size() > none) object_ += ',';
      append_reference_json(cites.references()[index], object_);
    }
  }
  if (!cited && object_.size() == none) return {};
  object_.append("]}");
  return object_;
}

// Copies the elements of `upstream` that are not about a page that `one` cites.
void addition_writer::keep_foreign(const choice_state& one, std::string_view upstream) {
  if (upstream.empty() || annotations_doc_.parse(upstream)) return;
  std::unordered_set<std::string> cited;
  const citations& cites = one.text.cites();
  for (const citation& cite : cites.all()) {
    for (const std::uint32_t index : cite.references) {
      normalize_url(cites.references()[index].url, url_);
      cited.insert(url_);
    }
  }
  for (json_value element = annotations_doc_.root().first(); element; element = element.next()) {
    if (element["type"].string() == "url_citation") {
      normalize_url(element["url_citation"]["url"].string(), url_);
      if (cited.contains(url_)) continue;
    }
    annotations_.append(element.raw()).append(",");
  }
}

std::string_view addition_writer::annotations(const choice_state& one, std::string_view upstream) {
  annotations_.clear();
  ours_.clear();
  if (append_annotations_json(one.text.cites(), options_->offsets, options_->file_url, ours_) == 0) return {};
  keep_foreign(one, upstream);
  annotations_.append(ours_);
  return annotations_;
}

}  // namespace citestream
