// The session passes on what it cannot read, so a run without errors may still have found no answer:
// foreign()    an error: the start of the input shows that it is of another form than the user named
// no_answer()  an error for outputs that need an answer
// hint()       a notice after a success: probably a mistake
//
// Text and deltas are fed to one `answer`, whose choice is 0. The text that it releases is split at its
// citations, so that the events are those of a session with the same text.
#include "session_run.hpp"

#include <citestream/session/answer.hpp>

#include <algorithm>
#include <utility>

#include "byte_input.hpp"
#include "framing/frame.hpp"
#include "session/text_order.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

constexpr const char* no_stream = "not an event stream (see --from)";
constexpr std::size_t max_start_bytes = 4096;  // of a read, after blanks: more than decides

/// Feeds one answer. Each write is one delta.
class text_run final : public answer_run {
 public:
  text_run(const session_options& options, bool any_bytes) : answer_(options), any_bytes_(any_bytes) {
    for (const reference& ref : options.references) answer_.add_reference(ref);
  }

  void write(std::string_view bytes, const event_taker& take) override {
    if (any_bytes_) return push(bytes, take);
    text_.clear();
    reader_.read(bytes, text_);  // JSON output cannot contain a part of a character
    if (!text_.empty()) push(text_, take);
  }

  std::string finish(const event_taker& take) override {
    text_.clear();
    reader_.finish(text_);
    if (!text_.empty()) push(text_, take);
    end(take);
    return {};
  }

  void add_reference(const reference& ref) override { answer_.add_reference(ref); }
  [[nodiscard]] const citations* cites(std::uint32_t choice) const override {
    return choice == 0 ? &answer_.cites() : nullptr;
  }
  [[nodiscard]] std::span<const egress_record> egress(std::uint32_t) const override {
    return answer_.egress();
  }
  [[nodiscard]] session_statistics statistics() const override {
    session_statistics out;
    out.deltas = deltas_;
    out.held_max = answer_.held_max();
    out.abandoned = answer_.abandoned();
    return out;
  }

 private:
  void push(std::string_view delta, const event_taker& take) {
    released_.clear();
    answer_.push(delta, released_);
    report(deltas_++, take);
  }

  /// Ends the answer and resolves its citations.
  void end(const event_taker& take) {
    released_.clear();
    answer_.finish(released_);
    answer_.resolve();
    answer_.append_list(released_);
    report(std::nullopt, take);
    session_event event;
    event.type = session_event_type::resolved;
    event.cites = &answer_.cites();
    for (const citation& record : answer_.cites().all()) {
      event.record = &record;
      take(event);
    }
    event.type = session_event_type::end;
    event.unresolved = answer_.cites().unresolved();
    event.uncited = answer_.cites().uncited();
    event.egress = answer_.egress();
    take(event);
  }

  /// Passes on the released text and the citations in it.
  /// \param delta  index of the delta that released the text, or nothing at the end of the answer
  void report(std::optional<std::uint64_t> delta, const event_taker& take) {
    const auto all = answer_.cites().all();
    session_event event;
    event.delta = delta;
    event.cites = &answer_.cites();
    const auto take_text = [&](std::string_view part) {
      event.type = session_event_type::text;
      event.text = part;
      take(event);
    };
    const auto take_citation = [&](std::size_t index) {
      event.type = session_event_type::citation;
      event.record = &all[index];
      event.label = all[index].label;
      event.identifier = all[index].identifier;
      event.finding = all[index].finding.get();
      take(event);
    };
    reported_.split(released_, all, take_text, take_citation);
  }

  answer answer_;
  std::string released_;
  std::uint64_t deltas_{};
  text_order reported_;
  bool any_bytes_;
  utf8_reader reader_;
  std::string text_;
};

}  // namespace

std::string notice_about(status error) {
  return error ? message_with_place(error) + " (the event was not read)" : std::string();
}

session_run::session_run(session_options options, input_form form)
    : by_dialect_(options.grammars.empty() && options.references.empty()),
      session_(std::move(options)),
      form_(form) {}

void session_run::rewrite(std::string_view bytes, std::string& rewritten) {
  if (kind_ == input_kind::unknown) {
    const std::size_t blanks = std::min(bytes.find_first_not_of(before_json), bytes.size());
    kind_ = start_.take(bytes.substr(0, blanks + max_start_bytes));  // it keeps what it takes
  }
  if (body()) {
    collected_ += bytes;
    return;
  }
  const status error = session_.write(bytes, rewritten);
  if (!first_error_) first_error_ = error;
}

std::string session_run::finish_rewriting(std::string& rewritten) {
  if (kind_ == input_kind::unknown) kind_ = start_.take({});
  const status error = body() ? session_.rewrite_body(collected_, rewritten) : session_.finish(rewritten);
  if (!first_error_) first_error_ = error;
  if (error && body()) return body_error(error);
  if (error) return message_with_place(error);
  if (body() && session_.statistics().passed_through > 0) return unknown_format;
  if (session_.upstream_error()) return "the stream reports an error";
  return body() ? "" : foreign();
}

void session_run::write(std::string_view bytes, const event_taker& take) {
  rewritten_.clear();
  rewrite(bytes, rewritten_);
  drain(take);
}

std::string session_run::finish(const event_taker& take) {
  rewritten_.clear();
  std::string error = finish_rewriting(rewritten_);
  drain(take);
  return error;
}

void session_run::drain(const event_taker& take) {
  for (session_event event; session_.next(event);) take(event);
}

std::string session_run::no_answer() const {
  if (session_.choices() > 0 || start_.bytes().empty()) return {};
  if (first_error_) return notice_about(first_error_);
  return session_.statistics().passed_through > 0 ? unknown_format : "contains no answer";
}

bool session_run::unknown_form() const {
  return !session_.upstream_error() && (!first_error_ || first_error_.code == errc::invalid_json);
}

std::string session_run::notice() {
  return first_error_ ? notice_about(first_error_) : hint();
}

/// Returns the place of a choice in the session; nothing if the session has not seen it.
std::optional<std::size_t> session_run::place_of(std::uint32_t choice) const {
  for (std::size_t place = 0; place < session_.choices(); ++place) {
    if (session_.choice(place) == choice) return place;
  }
  return std::nullopt;
}

const citations* session_run::cites(std::uint32_t choice) const {
  const std::optional<std::size_t> place = place_of(choice);
  return place ? &session_.cites(*place) : nullptr;
}

std::span<const egress_record> session_run::egress(std::uint32_t choice) const {
  return session_.egress(*place_of(choice));
}

/// Returns a hint, or an empty string: a list of sources arrived after a text without citations, too late to
/// enable the markers of a RAG server; or how many repeats and annotations do not fit the text.
std::string session_run::hint() const {
  std::string missed = missed_markers();
  const session_statistics seen = session_.statistics();
  const std::uint64_t count = seen.unconverted;
  const bool any_markers = seen.resolved + seen.unresolved + seen.pending > 0;  // else no text has changed
  if (!missed.empty() || count == 0 || !any_markers) return missed;
  return std::to_string(count) + " repeats or annotations do not fit the text and were left unchanged";
}

std::string session_run::missed_markers() const {
  const dialect* const recognised = session_.recognised();
  const bool could_cite = !by_dialect_ || recognised == nullptr || !recognised->signs.general;
  if (could_cite) return {};
  bool listed = false;
  for (std::size_t place = 0; place < session_.choices(); ++place) {
    const citations& cites = session_.cites(place);
    if (!cites.all().empty()) return {};
    for (const reference& ref : cites.references()) listed = listed || ref.number;  // no annotation has one
  }
  return listed ? "references arrived after the text and no marker was recognised; --dialect rag reads "
                  "[1], [src_1] and [REF|d_1]"
                : "";
}

/// Returns why a body could not be rewritten.
std::string session_run::body_error(status error) const {
  if (error.code == errc::upstream_incomplete)
    return "the JSON body is truncated at byte " + std::to_string(error.offset);
  if (error.code != errc::invalid_json) return message_with_place(error);
  if (kind_ == input_kind::events)
    return "the input is an event stream; --to body and --from json need a JSON body";
  return "not a JSON body: " + message_with_place(error);
}

/// Returns an error if a stream is not of the form expected, or an empty string.
const char* session_run::foreign() const {
  if (start_.bytes().empty()) return "";
  const bool array = kind_ == input_kind::array || kind_ == input_kind::other_array;
  const bool no_event = kind_ == input_kind::text && session_.statistics().events == 0;
  switch (form_) {
    case input_form::ndjson:
      return kind_ == input_kind::ndjson ? "" : "not JSON lines (see --from)";
    case input_form::array:
      return array ? "" : "not a JSON array (see --from)";
    case input_form::eventstream:
      return kind_ == input_kind::messages ? "" : "not binary messages (see --from)";
    case input_form::sse:
      return kind_ == input_kind::events || (kind_ == input_kind::text && !no_event) ? "" : no_stream;
    default:
      return no_event ? no_stream : "";
  }
}

std::unique_ptr<answer_run> make_run(const session_options& options, input_form form, bool any_bytes) {
  // Deltas are valid UTF-8, and those without a text count, too.
  if (is_text(form)) return std::make_unique<text_run>(options, any_bytes || form == input_form::deltas);
  session_options typed = options;
  typed.typed_events = true;
  return std::make_unique<session_run>(std::move(typed), form);
}

}  // namespace citestream::tools
