// Each sink feeds the deltas of one answer to an `answer` and formats what it releases:
//   text_sink      the rewritten text, unchanged
//   coloured_sink  the rewritten text with escape sequences around the citations
//   event_sink     one JSON line per text or citation, in the order of the text
//   json_sink      one JSON document at the end, with the text in three styles; it runs three answers at once
// The first three write text as soon as `answer` releases it; json_sink buffers the whole text.
#include "answer_sinks.hpp"

#include <citestream/session/answer.hpp>

#include <cstdint>
#include <optional>
#include <utility>

#include "answer_document.hpp"
#include "coloured_text.hpp"
#include "session/event_lines.hpp"
#include "session/text_order.hpp"

namespace citestream::tools {

namespace {

/// Returns a new answer to which the references in \p options have been added.
answer start(const session_options& options) {
  answer made(options);
  for (const reference& ref : options.references) made.add_reference(ref);
  return made;
}

/// Ends the answer, resolves its citations, and appends the buffered text and the reference list of the
/// style.
void finish(answer& text, std::string& out) {
  text.finish(out);
  text.resolve();
  text.append_list(out);
}

/// Writes the rewritten text.
class text_sink final : public delta_sink {
 public:
  explicit text_sink(const session_options& options) : answer_(start(options)) {}
  void delta(std::string_view text, std::string& out) override { answer_.push(text, out); }
  void add_reference(const reference& ref) override { answer_.add_reference(ref); }
  void end(std::string& out) override { finish(answer_, out); }

 private:
  answer answer_;
};

/// Writes the rewritten text with its citations in colour.
class coloured_sink final : public delta_sink {
 public:
  explicit coloured_sink(const session_options& options) : answer_(start(options)) {}
  void delta(std::string_view text, std::string& out) override {
    released_.clear();
    answer_.push(text, released_);
    write(out);
  }
  void add_reference(const reference& ref) override { answer_.add_reference(ref); }
  void end(std::string& out) override {
    released_.clear();
    finish(answer_, released_);
    write(out);
  }

 private:
  void write(std::string& out) {
    text_.add(released_);
    const auto& all = answer_.cites().all();
    for (; shown_ < all.size(); ++shown_) text_.add(all[shown_]);
    text_.write(out);
  }

  answer answer_;
  coloured_text text_;
  std::string released_;
  std::size_t shown_{};  ///< number of citations already added to text_
};

/// Writes typed events as JSON lines.
class event_sink final : public delta_sink {
 public:
  explicit event_sink(const session_options& options) : answer_(start(options)), unit_(options.offsets) {}

  void delta(std::string_view text, std::string& out) override {
    released_.clear();
    answer_.push(text, released_);
    report(deltas_++, out);
  }

  void add_reference(const reference& ref) override { answer_.add_reference(ref); }

  void end(std::string& out) override {
    released_.clear();
    finish(answer_, released_);
    report(std::nullopt, out);
    session_event event;
    event.type = session_event_type::resolved;
    event.cites = &answer_.cites();
    for (const citation& record : answer_.cites().all()) {
      event.record = &record;
      append_event_line(event, unit_, out);
    }
    event.type = session_event_type::end;
    event.egress = answer_.egress();
    append_event_line(event, unit_, out);
  }

 private:
  /// Appends the released text and the citations in it as events.
  /// \param delta  index of the delta that released the text, or nothing at the end of the answer
  void report(std::optional<std::uint64_t> delta, std::string& out) {
    const auto all = answer_.cites().all();
    session_event event;
    event.delta = delta;
    event.cites = &answer_.cites();
    const auto add_text = [&](std::string_view part) {
      event.type = session_event_type::text;
      event.text = part;
      append_event_line(event, unit_, out);
    };
    const auto add_citation = [&](std::size_t index) {
      event.type = session_event_type::citation;
      event.record = &all[index];
      event.label = all[index].label;
      event.identifier = all[index].identifier;
      event.finding = all[index].finding.get();
      append_event_line(event, unit_, out);
    };
    reported_.split(released_, all, add_text, add_citation);
  }

  answer answer_;
  offset_unit unit_;
  std::string released_;
  std::uint64_t deltas_{};
  text_order reported_;
};

/// Writes one JSON document when the answer ends.
class json_sink final : public delta_sink {
 public:
  json_sink(const session_options& options, std::string file)
      : file_(std::move(file)),
        answer_(start(options)),
        raw_(start(with_style(options, strip_style))),
        markdown_(start(with_style(options, footnote_style))),
        unit_(options.offsets) {
    append_provenance(options, provenance_);
  }

  void delta(std::string_view text, std::string&) override {
    answer_.push(text, texts_.content);
    raw_.push(text, texts_.raw);
    markdown_.push(text, texts_.markdown);
    ++counts_.deltas;
  }

  void add_reference(const reference& ref) override {
    for (answer* one : {&answer_, &raw_, &markdown_}) one->add_reference(ref);
  }

  void end(std::string& out) override {
    finish(answer_, texts_.content);
    finish(raw_, texts_.raw);
    finish(markdown_, texts_.markdown);
    counts_.held_max = answer_.held_max();
    counts_.abandoned = answer_.abandoned();
    std::string members;
    append_citation_members(0, answer_.cites(), unit_, members);
    append_egress_member(answer_.egress(), 0, unit_, members);
    members += provenance_;
    append_document(file_, texts_, members, counts_, out);
    out += '\n';
  }

 private:
  static session_options with_style(session_options options, const style& chosen) {
    options.style = &chosen;
    options.check = check_mode::off;  // the first answer has the records
    return options;
  }

  std::string file_;
  answer answer_;
  answer raw_;
  answer markdown_;
  offset_unit unit_;
  std::string provenance_;  ///< the `provenance` member, or empty
  document_texts texts_;
  document_statistics counts_;
};

}  // namespace

std::unique_ptr<delta_sink> make_text_sink(const session_options& options, bool colours) {
  if (colours) return std::make_unique<coloured_sink>(options);
  return std::make_unique<text_sink>(options);
}

std::unique_ptr<delta_sink> make_event_sink(const session_options& options) {
  return std::make_unique<event_sink>(options);
}

std::unique_ptr<delta_sink> make_document_sink(const session_options& options, std::string file) {
  return std::make_unique<json_sink>(options, std::move(file));
}

}  // namespace citestream::tools
