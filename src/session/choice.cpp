#include "choice.hpp"

#include <citestream/rewrite/json.hpp>

#include <algorithm>

namespace citestream {

void event_template::remember(const sse_item& item, const dialect_event& read, const choice_event& own) {
  if (usable_ && own.finished && !finishes_) return;
  usable_ = true;
  finishes_ = own.finished;
  crlf_ = item.raw.find("\r\n") != std::string_view::npos;
  payload_.assign(item.data);
  std::replace(payload_.begin(), payload_.end(), '\n',
               ' ');  // line breaks of the payload stand between tokens
  type_.assign(item.event);
  texts_.clear();
  for (const choice_event& one : read.choices) {
    if (one.slot != text_slot::string) continue;
    texts_.push_back(one.token);
    if (one.mirror) texts_.push_back(*one.mirror);
  }
  own_ = own;
  own_.text = own_.finish_reason = {};  // views of the payload, which dies
  root_ = read.root;
}

void event_template::append(std::string_view text, std::string_view annotations, std::string_view addition,
                            std::string& out) {
  edits_.clear();
  json_.clear();
  append_json_string(text, json_);
  for (const byte_range& place : texts_) {
    edits_.replace(place, place == own_.token || place == own_.mirror ? std::string_view(json_) : "\"\"");
  }
  if (!annotations.empty() && own_.holder && own_.can_annotate) {
    json_.assign("[").append(annotations).append("]");
    if (own_.annotations) {
      edits_.replace(*own_.annotations, json_);
    } else {
      edits_.insert_member(payload_, *own_.holder, "annotations", json_);
    }
  }
  if (!addition.empty()) edits_.insert_member(payload_, root_, "citestream", addition);
  const std::string_view line_end = crlf_ ? "\r\n" : "\n";
  if (!type_.empty()) out.append("event: ").append(type_).append(line_end);
  out.append("data: ");
  edits_.apply(payload_, out);
  out.append(line_end).append(line_end);
}

void choice_state::restart(std::uint32_t number) noexcept {
  choice = number;
  text.reset();
  shape.reset();
  finished = referenced = settled = fresh = false;
  finish_expected = true;
  announced = 0;
  finish_reason.clear();
}

}  // namespace citestream
