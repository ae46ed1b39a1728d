// Binary messages and sessions over them. A fuzzer cannot guess a CRC, so an input describes messages: the
// bound, the style, the seed of the cuts, then parts, each a letter and a payload (see append_part()).
//
// Checked: every cut gives the same frames and the same output; no byte is lost; the output consists of
// messages with right CRCs up to the first damaged one; with style keep it is the input.
#include <citestream/session/session.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "framing/eventstream_decoder.hpp"
#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "support/decoded_events.hpp"
#include "support/messages.hpp"
#include "support/stream_runs.hpp"

namespace citestream_tests {
namespace {

using citestream::eventstream_decoder;
using citestream::session_options;

/// e: an event; c: an event that is encoded; x: an exception; d: damaged; h: cut in half; r: these bytes.
void append_part(char kind, std::string_view payload, std::string& out) {
  const std::size_t begin = out.size();
  if (kind == 'r') return static_cast<void>(out.append(payload));
  if (kind == 'x') return citestream::append_exception_message("anException", payload, out);
  out.append(message(kind == 'c' ? citestream::eventstream_chunk : "event", payload));
  if (kind == 'd') out.back() = static_cast<char>(~out.back());
  if (kind == 'h') out.resize(begin + (out.size() - begin) / 2);
}

std::string stream_of(fuzz_input& input) {
  std::string out;
  while (!input.rest().empty()) {
    const std::string_view part = input.until(part_end);
    if (!part.empty()) append_part(part.front(), part.substr(1), out);
  }
  return out;
}

/// What the decoder says about all bytes.
struct verdict {
  bool damaged{};
  bool cut_off{};
  bool oversize{};  ///< a message is, or would be, over the bound: it passes unchecked and cannot be dropped
};

verdict judge(std::string_view stream, std::size_t bound = citestream::limits{}.max_event_bytes) {
  eventstream_decoder decoder(bound);
  decoder.feed(stream);
  verdict out;
  for (citestream::frame item; decoder.next(item);)
    out.oversize = out.oversize || item.kind == citestream::frame_kind::oversize;
  decoder.finish();
  out.damaged = decoder.error().code == citestream::errc::damaged_message;
  citestream::frame rest;
  out.cut_off = decoder.next(rest) || decoder.cut_off();
  return out;
}

std::string check_frames(const std::string& stream, std::size_t seed, std::size_t bound) {
  const auto whole = decode<eventstream_decoder>({stream}, bound);
  if (raw_of(whole) != stream) return "bytes were lost or made up";
  for (const auto& parts : {cut_every(stream, 1), cut_every(stream, 7), cut_by(stream, seed, 40)}) {
    if (decode<eventstream_decoder>(parts, bound) != whole) return "the frames depend on the reads";
  }
  return {};
}

}  // namespace

std::string check_eventstream(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  const std::size_t bounds[] = {citestream::limits{}.max_event_bytes, 64, 200};
  const std::size_t bound = bounds[input.choice(3)];
  session_options options;
  const citestream::style* const styles[] = {&citestream::keep_style, &citestream::strip_style,
                                             &citestream::numeric_style, &citestream::footnote_style};
  options.style = styles[input.choice(4)];
  options.bounds.max_event_bytes = bound;
  const std::size_t seed = input.choice(251);
  const std::string stream = stream_of(input);
  if (std::string wrong = check_frames(stream, seed, bound); !wrong.empty()) return wrong;

  citestream::session one(options);
  stream_run whole = run(one, {stream});
  for (const auto& parts : {cut_every(stream, 1), cut_by(stream, seed, 40)}) {
    one.reset();
    if (comparable(run(one, parts)) != comparable(whole)) return "the output depends on the reads";
  }
  const verdict given = judge(stream, bound);
  if (how == fuzz_run::planted && !whole.out.empty()) whole.out.back() = static_cast<char>(~whole.out.back());
  const verdict sent = judge(whole.out);
  const bool messages =
      stream.size() >= citestream::eventstream_prelude_bytes && citestream::read_prelude(stream);
  // After the last event of an answer, the rest passes as it is, even if it is cut off.
  const bool ended = given.cut_off && !whole.end;
  const bool whole_messages = !sent.damaged && (ended || !sent.cut_off);
  if (messages && !given.damaged && !whole_messages && !given.oversize)
    return "the output is damaged: " + shown(whole.out);
  options.style = &citestream::keep_style;
  options.add = citestream::additions::never;
  const bool complete = messages && !given.cut_off && !given.oversize;
  if (complete && !run_whole(options, stream).out.starts_with(stream)) return "keep changes something";
  return {};
}

}  // namespace citestream_tests
