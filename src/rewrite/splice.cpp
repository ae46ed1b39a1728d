// How the splicer works.
//
// An edit is a byte range of the payload and the JSON that takes its place; an insertion is an edit with an
// empty range. All JSON is collected in one string, so an edit holds only indexes. Applying sorts the edits
// by position and copies the payload once, exchanging the ranges on the way.
//
// The payload of an event may be spread over several `data` lines. write() therefore copies the raw bytes of
// the event and converts each position from payload to raw bytes. An insertion is written directly after the
// byte before it, because the byte after it may be on the next line.
//
// Invariant: bytes outside the ranges are copied unchanged. An edit that starts inside an earlier replacement
// is skipped. Cost: n log n for n edits, plus one copy of the bytes.
#include "splice.hpp"

#include <tuple>

#include "base/compact_sort.hpp"
#include "framing/eventstream_message.hpp"
#include "json.hpp"

namespace citestream {

void splicer::replace(byte_range where, std::string_view json) {
  const std::size_t begin = json_.size();
  json_.append(json);
  edits_.push_back({where, begin, json_.size(), false});
}

void splicer::replace_string(byte_range where, std::string_view text) {
  const std::size_t begin = json_.size();
  append_json_string(text, json_);
  edits_.push_back({where, begin, json_.size(), false});
}

void splicer::insert_member(byte_range object, std::string_view key, std::string_view json) {
  const std::size_t made = begin_insertion(object);
  append_json_string(key, json_);
  json_.append(1, ':').append(json);
  edits_[made].json_end = json_.size();
}

void splicer::insert_elements(byte_range array, std::string_view json) {
  if (json.empty()) return;
  const std::size_t made = begin_insertion(array);
  json_.append(json);
  edits_[made].json_end = json_.size();
}

/// Also removes the comma in front, or, for the first member, the one after it.
void splicer::remove_member(byte_range value) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto last = [&](std::size_t end) { return payload_.find_last_not_of(blanks, end - 1); };
  const std::size_t key_end = last(last(value.begin));
  const std::size_t key = payload_.rfind('"', key_end - 1);
  const std::size_t before = last(key);
  if (payload_[before] == ',') return replace({before, value.end}, {});
  const std::size_t after = payload_.find_first_not_of(blanks, value.end);
  replace({key, payload_[after] == ',' ? after + 1 : value.end}, {});
}

/// Starts an insertion directly after the last value of \p container, before the white space at its end: the
/// closing bracket may be on a `data` line of its own. \return the index of the edit
std::size_t splicer::begin_insertion(byte_range container) {
  std::size_t at = container.end - 1;
  constexpr std::string_view blanks = " \t\r\n";
  while (blanks.find(payload_[at - 1]) != std::string_view::npos) --at;
  edits_.push_back({{at, at}, json_.size(), json_.size(), at - 1 != container.begin});
  return edits_.size() - 1;
}

/// Sorts by position, insertions before a replacement at the same place, then by the order in which they were
/// added, which is the order of their JSON.
void splicer::sort() noexcept {
  const auto key = [](const edit& e) { return std::tuple(!e.insertion(), e.json_begin, e.json_end); };
  compact_sort(edits_, [&](const edit& a, const edit& b) {
    return a.where.begin != b.where.begin ? a.where.begin < b.where.begin : key(a) < key(b);
  });
}

template <typename Place>
void splicer::write(std::string_view bytes, Place raw_place, event_output& out) {
  if (edits_.size() > 1) sort();
  std::size_t copied = 0;  // prefix of `bytes` that has been copied or replaced
  const edit* previous = nullptr;
  for (const edit& e : edits_) {
    // Directly after the previous byte: the next byte may be on the next line.
    const std::size_t begin = e.insertion() ? raw_place(e.where.begin - 1) + 1 : raw_place(e.where.begin);
    if (begin < copied) continue;
    out.pass(bytes.substr(copied, begin - copied));
    copied = e.insertion() ? begin : raw_place(e.where.end - 1) + 1;
    const bool follows = e.insertion() && previous != nullptr && previous->insertion() &&
                         previous->where.begin == e.where.begin;
    std::string& text = out.text();
    if (e.separate || follows) text.push_back(',');
    text.append(json_, e.json_begin, e.json_end - e.json_begin);
    previous = &e;
  }
  out.pass(bytes.substr(copied));
}

void splicer::apply(const frame& item, event_output& out) {
  if (item.message != nullptr) return apply_to_message(item, out);
  const std::size_t one_line = item.data_offset;
  if (item.lines == nullptr && one_line != std::string_view::npos) {
    write(
        item.raw, [=](std::size_t position) { return one_line + position; }, out);
  } else {
    write(
        item.raw, [&](std::size_t position) { return item.raw_offset(position); }, out);
  }
}

/// The lengths and CRCs of a message depend on its payload.
void splicer::apply_to_message(const frame& item, event_output& out) {
  if (empty()) return out.pass(item.raw);
  std::string payload;
  apply(payload);
  append_message(*item.message, payload, out.text());
}

void splicer::apply(std::string& out) {
  event_output to(out);
  write(
      payload_, [](std::size_t position) { return position; }, to);
  to.flush();
}

}  // namespace citestream
