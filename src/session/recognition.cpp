// How recognition works.
//
// A known dialect reads the payload first, unless the payload contradicts it (dialect_signs::belongs). Only
// if may_be_more_specific() says that the payload could show a more specific dialect are the entries in front
// of it in the table tried. While the dialect is unknown, all entries are tried. A payload is therefore read
// more than once only at the start of a stream and at events that contain more than text.
//
// A gateway may send its list of sources before the stream of the provider, which looks like the start of
// another stream (dialect_signs::may_precede). If the dialect of the list cannot read a payload before the
// first text, all others are tried. From then on, the dialect of the list is tried first for each payload
// before the first text. If it can read one, the stream switches back to it.
#include "recognition.hpp"

#include <algorithm>

namespace citestream {

namespace {

bool continues(const choice_event& found) noexcept {
  return found.slot == text_slot::string && !found.end.here;
}

}  // namespace

recognition::recognition(const session_options& options) noexcept
    : options_(&options),
      grammars_chosen_(!options.grammars.empty()),
      current_(options.dialect),
      text_dialect_(options.dialect) {}

void recognition::reset() noexcept {
  texts_begun_ = false;
  current_ = options_->dialect;
  preceding_ = nullptr;
}

recognised_payload recognition::read(std::string_view payload, payload_kind kind,
                                     std::optional<std::string_view> message, document& parsed,
                                     dialect_event& out) {
  recognised_payload found;
  const dialect* const before = current_;
  parsed.limit(options_->bounds.max_json_depth);
  found.why = parsed.parse(payload);
  found.read = !found.why && try_all(kind, message, parsed, out, found.why);
  found.changed = current_ != before;
  return found;
}

/// Reads a payload as the current dialect, or as another one that it shows.
bool recognition::try_all(payload_kind kind, std::optional<std::string_view> message, document& parsed,
                          dialect_event& out, status& why) {
  const bool may_leave = current_ != nullptr && options_->dialect == nullptr && !texts_begun_;
  if (may_leave && preceding_ != nullptr && try_dialect(*preceding_, kind, parsed, out, why)) {
    switch_to(*preceding_);
    return true;
  }
  if (may_leave && current_->signs.belongs != nullptr && !current_->signs.belongs(parsed.root()))
    current_ = nullptr;
  const bool known = current_ != nullptr && try_dialect(*current_, kind, parsed, out, why);
  const bool precedes = may_leave && !known && current_ != nullptr && current_->signs.may_precede;
  if (current_ != nullptr && !precedes && !may_be_more_specific(known, out)) return known;
  bool tried = false;
  bool recognised = false;
  first_dialect([&](const dialect* candidate) {
    if (candidate == current_) return !precedes;  // the following dialects are more general
    if (candidate->signs.in_messages && kind == payload_kind::event && !message) return false;
    const bool named = message && !message->empty() && *message == candidate->signs.first_message;
    if (!may_switch_to(*candidate) || (!named && !candidate->recognise(parsed.root(), kind))) return false;
    tried = true;
    recognised = try_dialect(*candidate, kind, parsed, out, why);
    if (recognised && precedes) preceding_ = current_;
    if (recognised) switch_to(*candidate);
    return recognised;
  });
  if (recognised) return true;
  if (current_ == nullptr) return read_as_unknown_message(kind, parsed, out, why);
  if (!tried) return known;
  why = {};
  return try_dialect(*current_, kind, parsed, out, why);
}

/// Tries the dialects in their order until `accepts` returns true. Returns false if it never does.
template <typename Accepts>
bool recognition::first_dialect(const Accepts& accepts) const {
  return std::ranges::any_of(options_->dialects, accepts) || std::ranges::any_of(dialects(), accepts);
}

bool recognition::try_dialect(const dialect& candidate, payload_kind kind, document& parsed,
                              dialect_event& out, status& why) const {
  out.clear();
  out.every_text = options_->egress != egress_mode::off;
  const bool known = candidate.read(parsed.root(), kind, out);
  if (!parsed.duplicate()) return known;
  why = {errc::duplicate_key, 0};
  return false;
}

/// Reads a payload that no dialect recognises, if it may hold a message: with egress on, no text may pass
/// unread.
bool recognition::read_as_unknown_message(payload_kind kind, document& parsed, dialect_event& out,
                                          status& why) {
  if (options_->egress == egress_mode::off) return false;
  return first_dialect([&](const dialect* candidate) {
    if (candidate->signs.may_hold_message == nullptr || !candidate->signs.may_hold_message(parsed.root()))
      return false;
    if (!try_dialect(*candidate, kind, parsed, out, why)) return false;
    switch_to(*candidate);
    return true;
  });
}

/// Returns true if the payload may show that the stream is of a more specific dialect. This must not depend
/// on the text itself, because events from the cache are not checked.
bool recognition::may_be_more_specific(bool read, const dialect_event& out) const noexcept {
  if (options_->dialect != nullptr || !current_->signs.general) return false;
  return !read || !texts_begun_ || std::none_of(out.choices.begin(), out.choices.end(), continues);
}

bool recognition::may_switch_to(const dialect& other) const noexcept {
  return !texts_begun_ || grammars_chosen_ || std::ranges::equal(other.grammars, current_->grammars);
}

void recognition::switch_to(const dialect& recognised) noexcept {
  current_ = &recognised;
  // Text that has begun keeps its grammars, and so does the other text of the stream.
  if (!texts_begun_ || text_dialect_ == nullptr) text_dialect_ = &recognised;
}

}  // namespace citestream
