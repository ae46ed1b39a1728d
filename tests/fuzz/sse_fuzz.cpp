// The decoder: every cut gives the same as the whole input, no byte is lost, and events are those of a direct
// implementation of the standard. Input: bound, cuts, then the stream.
#include <citestream/base/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framing/frame.hpp"
#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "support/decoded_events.hpp"

namespace citestream_tests {
namespace {

using citestream::frame_kind;
using items = std::vector<owned_item>;

/// Reads a complete stream line by line, as in WHATWG HTML, 9.2.6.
class plain_reader {
 public:
  static items read(std::string_view stream) {
    plain_reader reader;
    if (stream.starts_with("\xEF\xBB\xBF")) stream.remove_prefix(3);
    while (true) {
      const std::size_t end = stream.find_first_of("\r\n");
      if (end == std::string_view::npos) return std::move(reader.events_);  // an incomplete line is ignored
      reader.line(stream.substr(0, end));
      stream.remove_prefix(stream.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
    }
  }

 private:
  void line(std::string_view text) {
    if (text.empty()) return dispatch();
    const std::size_t colon = text.find(':');
    if (colon == 0) return;
    const std::string_view name = text.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (name == "event") now_.event = value;
    if (name == "id" && value.find('\0') == std::string_view::npos) id_ = value;
    if (name == "data") {
      now_.data.append(value).append("\n");
      has_data_ = true;
    }
    if (name != "retry" || value.empty()) return;
    if (value.find_first_not_of("0123456789") != std::string_view::npos) return;
    now_.retry =
        std::strtoull(std::string(value).c_str(), nullptr, 10);  // the largest value if it does not fit
  }

  void dispatch() {
    if (has_data_) {
      now_.data.pop_back();
      now_.id = id_;
      events_.push_back(now_);
    }
    now_ = {};
    has_data_ = false;
  }

  items events_;
  owned_item now_;
  bool has_data_{};
  std::string id_;
};

std::string compare(const items& got, const items& expected, const std::string& how) {
  if (got == expected) return {};
  std::size_t at = 0;
  while (at < got.size() && at < expected.size() && got[at] == expected[at]) ++at;
  const auto say = [&](const items& of) { return at < of.size() ? shown(of[at].raw) : "nothing"; };
  return how + ": item " + std::to_string(at) + " is " + say(got) + ", not " + say(expected);
}

std::string check_standard(const items& whole, std::string_view stream) {
  const items expected = plain_reader::read(stream);
  std::size_t at = 0;
  for (const owned_item& item : whole) {
    if (item.kind != frame_kind::event) continue;
    if (at == expected.size()) return "an event too many: " + shown(item.raw);
    const owned_item& plain = expected[at++];
    const bool same = item.data == plain.data && item.event == plain.event && item.id == plain.id &&
                      item.retry == plain.retry;
    if (!same) return "an event is not what the standard says: " + shown(item.raw);
  }
  return at == expected.size() ? "" : "an event is missing: " + shown(expected[at].data);
}

std::string check_places(const items& whole) {
  std::uint64_t offset = 0;
  for (const owned_item& item : whole) {
    if (item.offset != offset) return "an offset is not where its item is: " + shown(item.raw);
    offset += item.raw.size();
    for (std::size_t i = 0; i < item.places.size(); ++i) {
      const bool joint = item.data[i] == '\n';  // between two lines: it represents the end of the first
      if (!joint && (item.places[i] >= item.raw.size() || item.raw[item.places[i]] != item.data[i])) {
        return "a byte of data is not where raw_offset() says: " + shown(item.raw);
      }
    }
  }
  return {};
}

}  // namespace

std::string check_sse(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  const std::size_t bounds[] = {citestream::limits{}.max_event_bytes, 4, 5, 16, 64};
  const std::size_t bound = bounds[input.choice(5)];
  const std::size_t seed = input.choice(251);
  const std::string_view stream = input.rest();

  const items whole = decode({stream}, bound);
  if (raw_of(whole) != stream) return "bytes were lost or made up";
  std::string wrong = check_places(whole);
  if (wrong.empty() && bound > stream.size()) wrong = check_standard(whole, stream);
  const auto try_cut = [&](std::vector<std::string_view> parts, const std::string& name) {
    if (!wrong.empty()) return;
    if (how == fuzz_run::planted && !parts.empty()) parts.back().remove_suffix(parts.back().empty() ? 0 : 1);
    wrong = compare(decode(parts, bound), whole, name);
  };
  for (const std::size_t size : {1U, 2U, 3U, 7U}) {
    try_cut(cut_every(stream, size), "in reads of " + std::to_string(size));
  }
  for (const std::size_t longest : {3U, 40U}) try_cut(cut_by(stream, seed, longest), "in random reads");
  for (std::size_t at = 0; at <= stream.size() && stream.size() <= 64; ++at) {
    try_cut({stream.substr(0, at), stream.substr(at)}, "cut at " + std::to_string(at));
  }
  return wrong;
}

}  // namespace citestream_tests
