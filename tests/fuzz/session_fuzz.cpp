// Complete streams and bodies: every event is written in order and unchanged except for its text and the
// documented additions; the texts equal those of an answer; no cut changes anything, in every egress mode.
// Input: stream or body, style, additions, grammars, cuts, then bytes.
#include <citestream/session/answer.hpp>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framing/frame_decoder.hpp"
#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "support/decoded_events.hpp"
#include "support/json_paths.hpp"
#include "support/stream_runs.hpp"

namespace citestream_tests {
namespace {

using namespace citestream;

/// Paths of text in every dialect. A text in parts has a `text` in each part.
bool is_text(std::string_view path) {
  const bool part = path.ends_with(".text") && path.find(".content.") != std::string_view::npos;
  constexpr std::string_view whole[] = {"answer",          "content",  "data.answer", "delta.content",
                                        "message.content", "response", "text"};
  return part || is_text_path(path) || std::ranges::find(whole, path) != std::end(whole);
}

/// Paths of other texts that egress covers.
bool is_other_text(std::string_view path) {
  return path.ends_with(".refusal");
}

bool is_added(std::string_view path) {
  return is_added_path(path) || path.find(".message.annotations") != std::string_view::npos;
}

/// Returns true if \p path may be new: a text that was held until now, or an addition.
bool may_be_new(const std::string& path, egress_mode guard) {
  return is_text(path) || is_added(path) || (guard == egress_mode::enforce && is_other_text(path));
}

/// Returns true if \p path was empty and now contains something that may be new.
bool was_filled(const std::string& path, const json_paths& out, egress_mode guard) {
  const auto next = out.lower_bound(path + ".");
  return next != out.end() && next->first.starts_with(path + ".") && may_be_new(next->first, guard);
}

/// Returns true if \p path had nothing but annotations, which are left out if all have been sent before.
bool was_emptied(const std::string& path, const json_paths& in) {
  const std::string inside = path + ".";
  const auto begins_inside = [&](const auto& one) { return one.first.starts_with(inside); };
  return std::ranges::any_of(in, begins_inside) &&
         std::ranges::all_of(in, [&](const auto& one) { return !begins_inside(one) || is_added(one.first); });
}

/// Returns the first forbidden difference between two payloads, or an empty string. \p guard is the egress
/// mode.
std::string difference(std::string_view before, std::string_view after, egress_mode guard) {
  if (before == after) return {};
  const auto in = paths_of(before);
  const auto out = paths_of(after);
  if (!in || !out) return out ? "bytes that are no JSON changed" : "what left is no JSON: " + shown(after);
  for (const auto& [path, value] : *in) {
    const auto there = out->find(path);
    if (guard == egress_mode::enforce && is_other_text(path)) continue;
    if (is_text(path) || is_added(path)) continue;  // received annotations are merged with added ones
    if (there == out->end() && (value == "{}" || value == "[]") && was_filled(path, *out, guard)) continue;
    if (there == out->end() || there->second != value) return path + " is not what it was";
  }
  for (const auto& [path, value] : *out) {
    if (in->contains(path) || may_be_new(path, guard)) continue;
    if (value == "{}" && was_emptied(path, *in)) continue;
    return path + " is new";
  }
  return {};
}

bool is_event(const owned_item& item) {
  return item.kind == frame_kind::event || item.kind == frame_kind::unterminated;
}

/// Returns why \p left cannot be the output for \p came, or an empty string.
std::string difference(const owned_item& came, const owned_item& left, egress_mode guard) {
  if (left.raw == came.raw) return {};
  if (is_event(came) != is_event(left)) return "no event became one, or the other way round";
  // A line end may have been added at the end of the stream.
  if (!is_event(came)) return left.raw.starts_with(came.raw) ? "" : "bytes that are no event changed";
  if (came.event != left.event || came.id != left.id || came.retry != left.retry) return "fields changed";
  return difference(came.data, left.data, guard);
}

/// Returns true if the item may be written between received events: a line end, an added event, or in an
/// array the comma or bracket that belongs to it.
bool is_inserted(const owned_item& item) {
  if (!is_event(item)) return item.raw.find_first_not_of("\r\n,]") == std::string::npos;
  return paths_of(item.data).has_value();
}

/// Returns true if the item may be a truncated event at the end of the stream.
bool may_be_dropped(const owned_item& item) {
  if (item.kind == frame_kind::unterminated) return !paths_of(item.data).has_value();
  return item.kind == frame_kind::cut;
}

std::string check_events(std::string_view in, std::string_view out, egress_mode guard) {
  const auto came = decode<frame_decoder>({in});
  const auto left = decode<frame_decoder>({out});
  std::size_t at = 0;
  std::string reason;  // why the last items are not the next received ones
  for (const owned_item& item : left) {
    const std::string wrong = at < came.size() ? difference(came[at], item, guard) : "nothing more came";
    if (wrong.empty()) {
      ++at;
      reason.clear();
      continue;
    }
    reason += wrong + ": " + shown(item.raw) + "; ";
    if (!is_inserted(item)) return reason;
  }
  if (at + 1 == came.size() && may_be_dropped(came[at])) return {};
  return at == came.size() ? "" : "this did not leave: " + shown(came[at].raw) + "; " + reason;
}

using texts = std::map<std::uint32_t, std::string>;

texts texts_of(const stream_run& run) {
  texts out;
  for (const owned_event& event : run.events) out[event.choice] += event.text;
  return out;
}

/// Returns true if the stream has one complete answer per choice and nothing unreadable. Its output texts
/// then follow from the received texts.
bool is_plain(const session& one, const stream_run& run) {
  if (run.counts.passed_through > 0 || run.error || one.recognised() == nullptr) return false;
  if (one.recognised() == find_dialect("mistral")) return false;  // cites without markers
  std::map<std::uint32_t, std::size_t> ends;
  for (const owned_event& event : run.events) {
    if (event.type == session_event_type::end && ++ends[event.choice] > 1) return false;
    if (event.type == session_event_type::text && ends.contains(event.choice)) return false;
  }
  return true;
}

std::string answered(const session_options& options, std::string_view text) {
  answer whole(options);
  std::string out;
  whole.push(text, out);
  whole.finish(out);
  return out;
}

session_options with_style(session_options options, const style& chosen) {
  options.style = &chosen;
  return options;
}

/// Returns true if text follows an event with text in a `message` but none in a `delta`: the text ends with
/// that event, because a client that reads the message takes it for all of the answer.
bool has_text_after_whole(std::string_view stream) {
  bool whole = false;
  for (const owned_item& item : decode<frame_decoder>({stream})) {
    const auto in = paths_of(item.data);
    const auto contains = [&](std::string_view part) {
      return std::ranges::any_of(*in,
                                 [&](const auto& one) { return one.first.find(part) != std::string::npos; });
    };
    if (!in) continue;
    if (whole && contains(".content")) return true;
    whole = whole || (contains(".message.content") && !contains(".delta.content"));
  }
  return false;
}

/// Checks that the output texts equal those of an answer that is fed the received texts.
std::string check_texts(const session_options& options, std::string_view stream, const stream_run& got) {
  session plain(with_style(options, keep_style));
  const stream_run came = run(plain, {stream});
  // Labels and the list after an answer depend on the references too.
  const bool by_text = !options.style->prints_references && options.style->list == nullptr &&
                       options.egress != egress_mode::enforce;
  if (!by_text || !is_plain(plain, came) || has_text_after_whole(stream)) return {};
  const texts left = texts_of(got);
  for (const auto& [choice, text] : texts_of(came)) {
    const auto found = left.find(choice);
    const std::string expected = answered(options, text);
    if ((found == left.end() ? "" : found->second) != expected) {
      return "the text of choice " + std::to_string(choice) + " is not " + shown(expected);
    }
  }
  return {};
}

/// Returns true if \p out is \p in with an error event at the point of truncation: after all complete events
/// and the line ends or commas that complete them.
bool is_stream_and_error(std::string_view out, std::string_view in, std::string_view start,
                         std::string_view end_of_event) {
  if (out == in) return true;
  // The input may contain the same text.
  for (std::size_t at = out.find(start); at != std::string_view::npos; at = out.find(start, at + 1)) {
    const std::size_t size = end_of_event.size();
    const std::size_t end = std::min(out.find(end_of_event, at), out.size() - size);
    const std::string_view behind = out.substr(end + size);
    for (std::size_t ends = 0; ends <= 4 && ends <= at; ++ends) {
      if (ends > 0 && std::string_view("\r\n,").find(out[at - ends]) == std::string_view::npos) break;
      if (std::string(out.substr(0, at - ends)).append(behind) == in) return true;
    }
  }
  return false;
}

bool is_stream_and_error(std::string_view out, std::string_view in) {
  for (const std::string line_end : {"\n", "\r\n", "\r"}) {
    const std::string start = "event: error" + line_end + "data: {\"error\":";
    if (is_stream_and_error(out, in, start, line_end + line_end)) return true;
  }
  return is_stream_and_error(out, in, "{\"error\":\"", "\n") ||
         is_stream_and_error(out, in, "{\"error\":{", "\n]");
}

/// Removes a truncated event at the end of the stream.
std::string_view without_dropped(std::string_view stream) {
  const auto items = decode<frame_decoder>({stream});
  if (items.empty() || !may_be_dropped(items.back())) return stream;
  return stream.substr(0, stream.size() - items.back().raw.size());
}

std::string check_stream(const session_options& options, std::string_view stream, std::size_t seed,
                         fuzz_run how) {
  const stream_run whole = run_whole(options, stream);
  std::string out = whole.out;
  if (how == fuzz_run::planted && !out.empty()) out.replace(out.find_first_of("0123456789"), 1, "x");
  std::string wrong = check_events(stream, out, options.egress);
  if (!wrong.empty()) return wrong;
  for (const std::size_t longest : {1U, 8U, 100U}) {
    session cut(options);
    const stream_run got = run(cut, cut_by(stream, seed, longest));
    if (comparable(got) != comparable(whole)) return "when cut, another stream left: " + shown(got.out);
    if (texts_of(got) != texts_of(whole)) return "when cut, other typed events";
  }
  session_options keep = with_style(options, keep_style);
  keep.egress = egress_mode::off;
  keep.add = additions::automatic;
  const std::string kept = run_whole(keep, stream).out;
  if (!is_stream_and_error(kept, stream) && !is_stream_and_error(kept, without_dropped(stream)))
    return "keep changed the stream";
  return check_texts(options, stream, whole);
}

std::string check_body(const session_options& options, std::string_view body, fuzz_run how) {
  session one(options);
  std::string out;
  const status error = one.rewrite_body(body, out);
  if (error && out != body) return "a body with an error did not pass as it is";
  if (how == fuzz_run::planted && !out.empty()) out.pop_back();
  const std::string wrong = difference(body, out, options.egress);
  if (!wrong.empty()) return wrong;
  session_options keep = with_style(options, keep_style);
  keep.egress = egress_mode::off;
  session again(keep);
  std::string kept;
  (void)again.rewrite_body(body, kept);
  return kept == body || options.add != additions::automatic ? "" : "keep changed the body";
}

session_options options_with_grammars(fuzz_input& input) {
  session_options out;
  out.typed_events = true;
  out.style = styles()[input.choice(styles().size())];
  const additions adds[] = {additions::automatic, additions::always, additions::never};
  out.add = adds[input.choice(3)];
  const std::size_t on = input.choice(grammars().size() + 1);
  if (on == grammars().size()) {
    out.grammars.assign(grammars().begin(), grammars().end());
  } else {
    out.grammars = {grammars()[on]};
  }
  return out;
}

}  // namespace

std::string check_session(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  const bool body = input.choice(4) == 3;
  session_options options = options_with_grammars(input);
  const std::size_t seed = input.choice(251);
  const egress_mode guards[] = {egress_mode::off, egress_mode::report, egress_mode::enforce};
  options.egress = guards[seed % 3];
  if (body) return check_body(options, input.rest(), how);
  return check_stream(options, input.rest(), seed, how);
}

}  // namespace citestream_tests
