#include "additions.hpp"

#include <citestream/cite/url.hpp>
#include <citestream/rewrite/json.hpp>

#include <algorithm>

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

void addition_writer::list_pages() {
  pages_.clear();
  if (annotations_doc_.parse(json_.assign("[").append(ours_).append("]"))) return;
  for (json_value element = annotations_doc_.root().first(); element; element = element.next()) {
    normalize_url(element["url_citation"]["url"].string(), url_);
    pages_.push_back(url_);
  }
  std::sort(pages_.begin(), pages_.end());
}

// Copies the elements of `upstream` that are not about one of `pages_`. \return false: it is no list.
bool addition_writer::keep_foreign(std::string_view upstream) {
  if (upstream.empty() || upstream == "null") return true;
  list_pages();
  if (annotations_doc_.parse(upstream) || !annotations_doc_.root().is_array()) return false;
  for (json_value element = annotations_doc_.root().first(); element; element = element.next()) {
    if (element["type"].string() == "url_citation") {
      normalize_url(element["url_citation"]["url"].string(), url_);
      if (std::binary_search(pages_.begin(), pages_.end(), url_)) continue;
    }
    annotations_.append(element.raw()).append(",");
  }
  // Line breaks of the payload stand between tokens; what is inserted must have none.
  std::replace(annotations_.begin(), annotations_.end(), '\n', ' ');
  return true;
}

std::string_view addition_writer::annotations(const choice_state& one, std::string_view upstream) {
  annotations_.clear();
  ours_.clear();
  if (append_annotations_json(one.text.cites(), options_->offsets, options_->file_url, ours_) == 0) return {};
  if (!keep_foreign(upstream)) return {};
  annotations_.append(ours_);
  return annotations_;
}

}  // namespace citestream
