// The pipelines of `citestream filter`, one for each way to select what is written:
//   frame_pipeline      the decoded events; the session only judges the end
//   rewriting_pipeline  the session's rewritten stream or body
//   typed_pipeline      the typed events of an answer_run, formatted by an event_receiver
//   document_pipeline   one JSON document at the end; has three runs, one for each style in the document
// The run of a stream or body is session_run, which wraps one session; those of text are in text_run.cpp. A
// stream is processed as it arrives. A body is collected and rewritten at the end of the input.
#include <citestream/session/session.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "answer_document.hpp"
#include "answer_run.hpp"
#include "byte_input.hpp"
#include "coloured_text.hpp"
#include "filter.hpp"
#include "framing/frame_decoder.hpp"
#include "replay/input_start.hpp"
#include "rewrite/json.hpp"
#include "session/event_lines.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

void append_text(std::string_view bytes, std::string& out) {
  append_json_string(valid_utf8(bytes), out);
}

/// Appends `{"event":"message","data":"…","id":"","retry":null}` for an event that the standard dispatches,
/// and nothing for any other item. Invalid UTF-8 is replaced by U+FFFD.
void append_frame_line(const frame& item, std::string& out) {
  if (item.kind != frame_kind::event) return;
  out += "{\"event\":";
  append_text(item.event.empty() ? "message" : item.event, out);
  out += ",\"data\":";
  append_text(item.data, out);
  out += ",\"id\":";
  append_text(item.id, out);
  out += ",\"retry\":";
  out += item.retry ? std::to_string(*item.retry) : "null";
  out += "}\n";
}

/// Formats typed events.
class event_receiver {
 public:
  virtual ~event_receiver() = default;
  /// Processes one event.
  virtual void take(const session_event& event, std::string& out) = 0;
  /// Called after the events of one write.
  virtual void settle(std::string&) {}
  /// Returns an error if the requested choice is not in the answer, otherwise an empty string.
  [[nodiscard]] virtual std::string missing() const { return {}; }
};

constexpr const char* unread = " (the event was not read)";
constexpr const char* no_stream = "not an event stream (see --from)";
constexpr const char* no_array = "not a JSON array (see --from)";
constexpr const char* no_messages = "not binary messages (see --from)";
constexpr const char* stream_as_body =
    "the input is an event stream; --to body and --from json need a JSON body";
constexpr const char* no_lines = "not JSON lines (see --from)";

std::string notice_about(status error) {
  return error ? message_with_place(error) + unread : std::string();
}

/// `--to text`: writes the text of one choice.
class choice_text final : public event_receiver {
 public:
  explicit choice_text(const filter_request& request) : choice_(request.choice) {
    if (request.colours) coloured_.emplace();
  }
  void take(const session_event& event, std::string& out) override {
    if (event.choice != choice_) return;
    came_ = true;
    if (event.type == session_event_type::text) {
      if (coloured_) return coloured_->add(event.text);
      out += event.text;
    }
    if (event.type == session_event_type::citation && coloured_) coloured_->add(*event.record);
  }
  void settle(std::string& out) override {
    if (coloured_) coloured_->write(out);
  }
  [[nodiscard]] std::string missing() const override {
    return came_ ? std::string() : "no choice " + std::to_string(choice_) + " in the answer (see --choice)";
  }

 private:
  std::uint32_t choice_;
  bool came_{};
  std::optional<coloured_text> coloured_;
};

/// `--to events`: writes each event as a JSON line.
class event_writer final : public event_receiver {
 public:
  explicit event_writer(offset_unit unit) : unit_(unit) {}
  void take(const session_event& event, std::string& out) override { append_event_line(event, unit_, out); }

 private:
  offset_unit unit_;
};

/// Runs one stream or body through a session.
class session_run final : public answer_run {
 public:
  session_run(session_options options, input_form form)
      : by_dialect_(options.grammars.empty() && options.references.empty()),
        session_(std::move(options)),
        form_(form) {}

  void write(std::string_view bytes, const event_taker& take) override {
    rewritten_.clear();
    write(bytes, rewritten_);
    drain(take);
  }
  std::string finish(const event_taker& take) override {
    rewritten_.clear();
    std::string error = finish(rewritten_);
    drain(take);
    return error;
  }

  void write(std::string_view bytes, std::string& rewritten) {
    if (kind_ == input_kind::unknown) kind_ = start_.take(bytes);
    if (body()) {
      collected_ += bytes;
    } else {
      note(session_.write(bytes, rewritten));
    }
  }

  /// Ends the input. \return an empty string, or the error: the input is not a stream, the stream is
  /// truncated or reports an error, or the body could not be read
  std::string finish(std::string& rewritten) {
    if (kind_ == input_kind::unknown) kind_ = start_.take({});
    const status error = body() ? session_.rewrite_body(collected_, rewritten) : session_.finish(rewritten);
    if (error && body()) return body_error(error);
    if (error) return message_with_place(error);
    if (body() && session_.statistics().passed_through > 0) return "the answer is in no known format";
    if (session_.upstream_error()) return "the stream reports an error";
    return body() ? "" : foreign();
  }

  [[nodiscard]] const citations* cites(std::uint32_t choice) const override {
    const std::optional<std::size_t> place = place_of(choice);
    return place ? &session_.cites(*place) : nullptr;
  }
  [[nodiscard]] std::span<const egress_record> egress(std::uint32_t choice) const override {
    return session_.egress(*place_of(choice));
  }

  [[nodiscard]] std::string no_answer() const override {
    if (session_.choices() > 0 || start_.bytes().empty()) return {};
    if (first_error_) return message_with_place(first_error_) + unread;
    return session_.statistics().passed_through > 0 ? "no event is in a known format (see --dialect)"
                                                    : "contains no answer";
  }

  /// Returns the first error about a single event, or else a hint.
  [[nodiscard]] std::string notice() override { return first_error_ ? notice_about(first_error_) : hint(); }
  [[nodiscard]] document_statistics statistics() const override {
    const session_statistics seen = session_.statistics();
    return {seen.events, seen.deltas, seen.held_max, seen.abandoned, seen.passed_through};
  }

 private:
  void drain(const event_taker& take) {
    for (session_event event; session_.next(event);) take(event);
  }

  /// Returns the place of a choice in the session; nothing if the session has not seen it.
  [[nodiscard]] std::optional<std::size_t> place_of(std::uint32_t choice) const {
    for (std::size_t place = 0; place < session_.choices(); ++place) {
      if (session_.choice(place) == choice) return place;
    }
    return std::nullopt;
  }

  /// Returns a hint about a probable mistake, or an empty string: a list of sources arrived after a text
  /// without citations, too late to enable the markers of a RAG server; or how many repeats and annotations
  /// do not fit the text.
  [[nodiscard]] std::string hint() const {
    std::string missed = missed_markers();
    const session_statistics seen = session_.statistics();
    const std::uint64_t count = seen.unconverted;
    const bool any_markers = seen.resolved + seen.unresolved + seen.pending > 0;  // else no text has changed
    if (!missed.empty() || count == 0 || !any_markers) return missed;
    return std::to_string(count) + " repeats or annotations do not fit the text and were left unchanged";
  }

  [[nodiscard]] bool body() const noexcept { return form_ == input_form::json; }

  /// Returns why a body could not be rewritten.
  [[nodiscard]] std::string body_error(status error) const {
    if (error.code == errc::upstream_incomplete)
      return "the JSON body is truncated at byte " + std::to_string(error.offset);
    if (error.code != errc::invalid_json) return message_with_place(error);
    if (kind_ == input_kind::events) return stream_as_body;
    return "not a JSON body: " + message_with_place(error);
  }

  [[nodiscard]] std::string missed_markers() const {
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
                    "[1], [src_1] "
                    "and [REF|d_1]"
                  : "";
  }

  /// Returns an error if a stream is not of the form expected, or an empty string.
  [[nodiscard]] const char* foreign() const {
    if (start_.bytes().empty()) return "";
    const bool array = kind_ == input_kind::array || kind_ == input_kind::other_array;
    const bool no_event = kind_ == input_kind::text && session_.statistics().events == 0;
    switch (form_) {
      case input_form::ndjson:
        return kind_ == input_kind::ndjson ? "" : no_lines;
      case input_form::array:
        return array ? "" : no_array;
      case input_form::eventstream:
        return kind_ == input_kind::messages ? "" : no_messages;
      case input_form::sse:
        return kind_ == input_kind::events || (kind_ == input_kind::text && !no_event) ? "" : no_stream;
      default:
        return no_event ? no_stream : "";
    }
  }

  void note(status error) {
    if (error && !first_error_) first_error_ = error;
  }

  bool by_dialect_;  ///< true if the dialect selects the markers; initialised before the options are moved
  session session_;
  input_form form_;
  input_start start_{"", false};
  input_kind kind_{};
  std::string collected_;
  std::string rewritten_;  ///< discarded if the events are taken
  status first_error_;
};

/// `--to frames`: writes the decoded events of the stream. A session_run only judges how the stream ends.
class frame_pipeline final : public pipeline {
 public:
  explicit frame_pipeline(const filter_request& request) : run_(request.options, request.from) {}

  void write(std::string_view bytes, std::string& out) override {
    rewritten_.clear();
    run_.write(bytes, rewritten_);
    decoder_.feed(bytes);
    drain(out);
  }
  std::string finish(std::string& out) override {
    decoder_.finish();
    drain(out);
    return run_.finish(rewritten_);
  }
  [[nodiscard]] std::string notice() override { return notice_about(decoder_.error()); }

 private:
  void drain(std::string& out) {
    for (frame item; decoder_.next(item);) {
      // A last line without its line end counts.
      const bool last = decoder_.framing() == stream_framing::ndjson && item.kind == frame_kind::unterminated;
      if (last) item.kind = frame_kind::event;
      append_frame_line(item, out);
    }
  }

  session_run run_;
  frame_decoder decoder_{limits{}.max_event_bytes};
  std::string rewritten_;  // discarded
};

/// `--to stream` and `--to body`: writes the stream or body that the session has rewritten.
class rewriting_pipeline final : public pipeline {
 public:
  explicit rewriting_pipeline(const filter_request& request) : run_(request.options, request.from) {}

  void write(std::string_view bytes, std::string& out) override { run_.write(bytes, out); }
  std::string finish(std::string& out) override { return run_.finish(out); }
  [[nodiscard]] std::string notice() override { return run_.notice(); }

 private:
  session_run run_;
};

std::unique_ptr<answer_run> make_run(const filter_request& request) {
  if (is_text(request.from)) return make_text_run(request);
  session_options options = request.options;
  options.typed_events = true;
  return std::make_unique<session_run>(std::move(options), request.from);
}

/// `--to text` and `--to events`: formats typed events.
class typed_pipeline final : public pipeline {
 public:
  typed_pipeline(const filter_request& request, std::unique_ptr<event_receiver> receiver)
      : run_(make_run(request)), receiver_(std::move(receiver)) {}

  void write(std::string_view bytes, std::string& out) override {
    empty_ = empty_ && bytes.empty();
    run_->write(bytes, [&](const session_event& event) { receiver_->take(event, out); });
    receiver_->settle(out);
  }
  std::string finish(std::string& out) override {
    std::string error = run_->finish([&](const session_event& event) { receiver_->take(event, out); });
    receiver_->settle(out);
    if (error.empty()) error = run_->no_answer();
    if (error.empty() && !empty_) error = receiver_->missing();
    return error;
  }
  [[nodiscard]] std::string notice() override { return run_->notice(); }
  [[nodiscard]] std::vector<std::string> refused() override { return run_->refused(); }

 private:
  std::unique_ptr<answer_run> run_;
  std::unique_ptr<event_receiver> receiver_;
  bool empty_{true};
};

/// `--to json`: writes one document for each choice. Passes the input to three runs, one for each form of the
/// text.
class document_pipeline final : public pipeline {
 public:
  explicit document_pipeline(const filter_request& request)
      : file_(document_name(request)), unit_(request.options.offsets) {
    append_provenance(request.options, provenance_);
    runs_[0] = make_run(request);
    filter_request other = request;
    other.options.check = check_mode::off;  // the first run has the records
    for (std::size_t at = 1; at < runs_.size(); ++at) {
      other.options.style = at == 1 ? &strip_style : &footnote_style;
      runs_[at] = make_run(other);
    }
  }

  void write(std::string_view bytes, std::string&) override {
    for (std::size_t at = 0; at < runs_.size(); ++at) runs_[at]->write(bytes, collector(at));
  }

  std::string finish(std::string& out) override {
    std::string error;
    for (std::size_t at = runs_.size(); at-- > 0;) error = runs_[at]->finish(collector(at));
    append_all(out);
    return error.empty() ? runs_[0]->no_answer() : error;
  }
  [[nodiscard]] std::string notice() override { return runs_[0]->notice(); }
  [[nodiscard]] std::vector<std::string> refused() override { return runs_[0]->refused(); }

 private:
  /// Returns a function that adds the text of each choice to one form.
  event_taker collector(std::size_t at) {
    constexpr std::string document_texts::*forms[] = {&document_texts::content, &document_texts::raw,
                                                      &document_texts::markdown};
    return [this, form = forms[at]](const session_event& event) {
      std::string& text = choices_[event.choice].*form;
      if (event.type == session_event_type::text) text += event.text;
    };
  }

  void append_all(std::string& out) {
    const document_statistics counts = runs_[0]->statistics();
    if (choices_.empty()) choices_[0];
    const citations none;
    const char* separator = choices_.size() > 1 ? "[" : "";
    for (const auto& [choice, texts] : choices_) {
      const citations* const cites = runs_[0]->cites(choice);
      std::string members;
      append_citation_members(choice, cites == nullptr ? none : *cites, unit_, members);
      if (cites != nullptr) append_egress_member(runs_[0]->egress(choice), choice, unit_, members);
      members += provenance_;
      out += separator;
      append_document(file_, texts, members, counts, out);
      separator = ",";
    }
    out += choices_.size() > 1 ? "]\n" : "\n";
  }

  std::array<std::unique_ptr<answer_run>, 3> runs_;  ///< in the chosen style, without marks, with footnotes
  std::string file_;                                 ///< value of the member `file`; empty to omit it
  offset_unit unit_;
  std::string provenance_;  ///< the `provenance` member, or empty
  std::map<std::uint32_t, document_texts> choices_;
};

}  // namespace

std::unique_ptr<pipeline> make_pipeline(const filter_request& request) {
  switch (*request.to) {
    case output_form::frames:
      return std::make_unique<frame_pipeline>(request);
    case output_form::text:
      return std::make_unique<typed_pipeline>(request, std::make_unique<choice_text>(request));
    case output_form::events:
      return std::make_unique<typed_pipeline>(request,
                                              std::make_unique<event_writer>(request.options.offsets));
    case output_form::json:
      return std::make_unique<document_pipeline>(request);
    case output_form::stream:
    case output_form::body:
      break;
  }
  return std::make_unique<rewriting_pipeline>(request);
}

}  // namespace citestream::tools
