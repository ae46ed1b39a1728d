// The pipelines of `citestream filter`, one for each way to select what is written:
//   frame_pipeline      the decoded events; the session only judges the end
//   rewriting_pipeline  the session's rewritten stream or body
//   choice_pipeline     the text of one choice, of the typed events of an answer_run
//   event_pipeline      these events as JSON lines
//   document_pipeline   one JSON document at the end; has three runs, one for each style in the document
// A stream is processed as it arrives. A body is collected and rewritten at the end of the input.
#include <citestream/session/session.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer_run.hpp"
#include "commands.hpp"
#include "filter.hpp"
#include "framing/frame_decoder.hpp"
#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"
#include "session/event_lines.hpp"
#include "session_run.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

/// Appends `{"event":"message","data":"…","id":"","retry":null}` for an event that the standard dispatches,
/// and nothing for any other item. Invalid UTF-8 is replaced by U+FFFD.
void append_frame_line(const frame& item, std::string& out) {
  if (item.kind != frame_kind::event) return;
  object_writer line(out);
  line.string("event", valid_utf8(item.event.empty() ? "message" : item.event));
  line.string("data", valid_utf8(item.data));
  line.string("id", valid_utf8(item.id));
  line.key("retry") += item.retry ? std::to_string(*item.retry) : "null";
  line.end();
  out += '\n';
}

/// Collects text and its citations, then writes the text with the citations in colour. A citation can be
/// added before or after its text, but before that text is written. If nothing was printed for a citation,
/// its marker is shown faint at its place. Nothing else is inserted except escape sequences.
class coloured_text {
 public:
  /// Adds text.
  void add(std::string_view text) { text_ += text; }
  /// Adds a citation. Ignores it if its text has already been written.
  void add(const citation& one) {
    if (one.start.utf8 < written_) return;
    const bool printed = one.start.utf8 < one.end.utf8;
    const auto next = std::ranges::upper_bound(places_, one.start.utf8, {}, &place::begin);
    places_.insert(next, {one.start.utf8, one.end.utf8, printed ? std::string() : one.marker});
  }
  /// Appends the collected text to \p out and clears it.
  void write(std::string& out) {
    std::uint64_t at = written_;
    const std::uint64_t whole = written_ + text_.size();
    const auto append_until = [&](std::uint64_t end) {
      end = std::min(end, whole);
      if (end <= at) return;
      out.append(text_, at - written_, end - at);
      at = end;
    };
    for (const place& each : places_) {
      append_until(each.begin);
      out += each.removed.empty() ? cyan : faint;
      append_until(each.end);
      out.append(each.removed).append(plain);
    }
    append_until(whole);
    written_ = whole;
    text_.clear();
    places_.clear();
  }

 private:
  struct place {
    std::uint64_t begin;  ///< offset in the whole text, in bytes
    std::uint64_t end;    ///< offset of the end, in bytes
    std::string removed;  ///< the marker, if nothing was printed for it
  };

  std::string text_;
  std::uint64_t written_{};    ///< number of bytes written so far; the offset of text_ in the whole text
  std::vector<place> places_;  ///< in order of the text
};

/// Formats the typed events of an answer_run.
class typed_pipeline : public pipeline {
 public:
  explicit typed_pipeline(const filter_request& request)
      : run_(make_run(request.options, request.from, request.to == output_form::text)) {}

  void write(std::string_view bytes, std::string& out) override {
    empty_ = empty_ && bytes.empty();
    run_->write(bytes, [&](const session_event& event) { take(event, out); });
    settle(out);
  }
  std::string finish(std::string& out) override {
    std::string error = run_->finish([&](const session_event& event) { take(event, out); });
    settle(out);
    if (error.empty()) error = run_->no_answer();
    if (error.empty() && !empty_) error = missing();
    return error;
  }
  [[nodiscard]] std::string notice() override { return run_->notice(); }
  void add_reference(const reference& ref) override { run_->add_reference(ref); }

 private:
  /// Processes one event.
  virtual void take(const session_event& event, std::string& out) = 0;
  /// Called after the events of one write.
  virtual void settle(std::string&) {}
  /// Returns an error if the requested choice is not in the answer, otherwise an empty string.
  [[nodiscard]] virtual std::string missing() const { return {}; }

  std::unique_ptr<answer_run> run_;
  bool empty_{true};
};

/// `--to text`: writes the text of one choice.
class choice_pipeline final : public typed_pipeline {
 public:
  explicit choice_pipeline(const filter_request& request) : typed_pipeline(request), choice_(request.choice) {
    if (request.colours) coloured_.emplace();
  }

 private:
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

  std::uint32_t choice_;
  bool came_{};
  std::optional<coloured_text> coloured_;
};

/// `--to events`: writes each event as a JSON line.
class event_pipeline final : public typed_pipeline {
 public:
  explicit event_pipeline(const filter_request& request)
      : typed_pipeline(request), unit_(request.options.offsets) {}

 private:
  void take(const session_event& event, std::string& out) override { append_event_line(event, unit_, out); }

  offset_unit unit_;
};

/// `--to frames`: writes the decoded events of the stream. A session_run only judges how the stream ends.
class frame_pipeline final : public pipeline {
 public:
  explicit frame_pipeline(const filter_request& request) : run_(request.options, request.from) {}

  void write(std::string_view bytes, std::string& out) override {
    rewritten_.clear();
    run_.rewrite(bytes, rewritten_);
    decoder_.feed(bytes);
    drain(out);
  }
  std::string finish(std::string& out) override {
    decoder_.finish();
    drain(out);
    return run_.finish_rewriting(rewritten_);
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

  void write(std::string_view bytes, std::string& out) override { run_.rewrite(bytes, out); }
  std::string finish(std::string& out) override { return run_.finish_rewriting(out); }
  [[nodiscard]] std::string notice() override { return run_.notice(); }

 private:
  session_run run_;
};

/// The answer's text in the three forms that a document contains.
struct document_texts {
  std::string content;   ///< in the chosen style; all positions refer to this text
  std::string raw;       ///< with all markers removed
  std::string markdown;  ///< with footnote marks and the list of footnotes
};

void append_record(const citation& cite, const citations& from, std::uint32_t choice, offset_unit unit,
                   std::string& out) {
  append_citation_json(cite, from, choice, unit, out);
  if (cite.references.empty()) return;
  const std::string& text = from.references()[cite.references.front()].text;
  if (text.empty()) return;
  out.pop_back();  // reopens the record
  object_writer record(out, object_writer::continued{});
  record.string("text", text);
  record.end();
}

void append_span(const citation& cite, offset_unit unit, std::string& out) {
  object_writer span(out);
  span.number("citation", cite.number);
  span.number("start", cite.start.in(unit));
  span.number("end", cite.end.in(unit));
  span.number("claim_start", cite.claim_start.in(unit));
  span.number("claim_end", cite.claim_end.in(unit));
  span.end();
}

void append_source(const citation& cite, const citations& from, std::string& out) {
  object_writer source(out);
  source.number("number", cite.number);
  source.string("title", from.title(cite));
  source.string("identifier", cite.identifier);
  source.string("status", name(cite.status));
  source.name_or_null("source_type", cite.type);
  append_reference_list(from, cite.references, source.key("references"));
  source.end();
}

/// One citation of each source: those of markers by number, then those that only the provider cites.
std::vector<const citation*> sources_of(const citations& cites) {
  std::vector<const citation*> out;
  std::set<std::uint32_t> numbers;
  for (const std::uint32_t index : cites.sources()) {
    out.push_back(&cites.all()[index]);
    numbers.insert(out.back()->number);
  }
  for (const citation& cite : cites.native()) {
    if (numbers.insert(cite.number).second) out.push_back(&cite);
  }
  return out;
}

void append_statistics(const session_statistics& counts, std::string& out) {
  object_writer stats(out);
  stats.number("events", counts.events);
  stats.number("deltas", counts.deltas);
  stats.number("held_max", counts.held_max);
  stats.number("abandoned", counts.abandoned);
  stats.number("passed_through", counts.passed_through);
  stats.end();
}

/// Appends the members about citations: `,"offsets":"utf16","citations":[…],"citation_spans":[…],
/// "sources":[…],"unresolved":[…],"uncited":[…]`. `offsets` is the unit of all positions. A citation is the
/// complete record; its member `text` is the full text of its first reference. The `citation` of a span is
/// the number of the source cited there. A source is
/// `{"number","title","identifier","status","source_type","references"}`; `references` lists all references
/// that matched.
void append_citation_members(std::uint32_t choice, const citations& cites, offset_unit unit,
                             std::string& out) {
  std::vector<const citation*> all;
  for (const citation& cite : cites.all()) all.push_back(&cite);
  for (const citation& cite : cites.native()) all.push_back(&cite);
  object_writer(out, object_writer::continued{}).string("offsets", name(unit));
  append_json_list("citations", all, out,
                   [&](const citation* cite) { append_record(*cite, cites, choice, unit, out); });
  append_json_list("citation_spans", all, out, [&](const citation* cite) { append_span(*cite, unit, out); });
  append_json_list("sources", sources_of(cites), out,
                   [&](const citation* cite) { append_source(*cite, cites, out); });
  append_json_list("unresolved", cites.unresolved(), out);
  out += ",\"uncited\":";
  append_reference_list(cites, cites.uncited(), out);
}

/// If provenance is enabled, appends `,"provenance":{…}`, which describes the reference of each key.
void append_provenance(const session_options& options, std::string& out) {
  if (!options.provenance) return;
  out += ",\"provenance\":{";
  const std::size_t begin = out.size();
  for (const reference& ref : options.references) {
    if (!has_provenance_key(ref)) continue;
    if (out.size() > begin) out += ',';
    append_provenance_member(ref, out);
  }
  out += '}';
}

/// Appends `{"content","raw_content","markdown_content", …, "stats"}`, where `…` is \p citation_members. The
/// first member is `"file"` if \p file is not empty.
void append_document(std::string_view file, const document_texts& texts, std::string_view citation_members,
                     const session_statistics& counts, std::string& out) {
  object_writer object(out);
  object.known("file", file);
  object.string("content", texts.content);
  object.string("raw_content", texts.raw);
  object.string("markdown_content", texts.markdown);
  out += citation_members;
  append_statistics(counts, object.key("stats"));
  object.end();
}

/// `--to json`: writes one document for each choice. Passes the input to three runs, one for each form of the
/// text.
class document_pipeline final : public pipeline {
 public:
  explicit document_pipeline(const filter_request& request)
      : file_(document_name(request)), unit_(request.options.offsets) {
    append_provenance(request.options, provenance_);
    session_options options = request.options;
    runs_[0] = make_run(options, request.from);
    options.check = check_mode::off;  // the first run has the records
    for (std::size_t at = 1; at < runs_.size(); ++at) {
      options.style = at == 1 ? &strip_style : &footnote_style;
      runs_[at] = make_run(options, request.from);
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
  void add_reference(const reference& ref) override {
    for (const auto& run : runs_) run->add_reference(ref);
  }

 private:
  /// Returns a function that adds the text of each choice to one form.
  event_taker collector(std::size_t at) {
    constexpr std::string document_texts::*forms[] = {&document_texts::content, &document_texts::raw,
                                                      &document_texts::markdown};
    return [this, form = forms[at]](const session_event& event) {
      choices_[event.choice].*form += added_text(event);
    };
  }

  void append_all(std::string& out) {
    const session_statistics counts = runs_[0]->statistics();
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
      return std::make_unique<choice_pipeline>(request);
    case output_form::events:
      return std::make_unique<event_pipeline>(request);
    case output_form::json:
      return std::make_unique<document_pipeline>(request);
    case output_form::stream:
    case output_form::body:
      break;
  }
  return std::make_unique<rewriting_pipeline>(request);
}

}  // namespace citestream::tools
