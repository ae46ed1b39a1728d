// The runs of text and of deltas. Both feed one `answer`, whose choice is 0. The text that it
// releases is split at its citations, so that the events are those of a session with the same text.
#include <citestream/chunk/document.hpp>
#include <citestream/session/answer.hpp>

#include <cstddef>
#include <optional>
#include <utility>

#include "answer_run.hpp"
#include "line_splitter.hpp"
#include "references_file.hpp"
#include "session/text_order.hpp"
#include "session_run.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

/// Feeds one answer.
class plain_run : public answer_run {
 public:
  explicit plain_run(const session_options& options) : answer_(options) {
    for (const reference& ref : options.references) answer_.add_reference(ref);
  }

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

 protected:
  void add_reference(const reference& ref) { answer_.add_reference(ref); }

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
    event.egress = answer_.egress();
    take(event);
  }

 private:
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
};

/// `--from text`: each read is one delta.
class text_run final : public plain_run {
 public:
  text_run(const session_options& options, bool any_bytes) : plain_run(options), any_bytes_(any_bytes) {}

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

 private:
  bool any_bytes_;
  utf8_reader reader_;
  std::string text_;
};

/// `--from deltas`: a line is a JSON string, or an object with references. Any other line is reported and
/// skipped.
class delta_run final : public plain_run {
 public:
  using plain_run::plain_run;

  void write(std::string_view bytes, const event_taker& take) override {
    lines_.feed(bytes);
    for (std::string_view line; lines_.next(line);) take_line(line, take);
  }

  std::string finish(const event_taker& take) override {
    if (!lines_.last().empty()) take_line(lines_.last(), take);
    end(take);
    return {};
  }
  [[nodiscard]] std::vector<std::string> refused() override { return std::exchange(refused_, {}); }

 private:
  void take_line(std::string_view line, const event_taker& take) {
    ++number_;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    if (const status error = parsed_.parse(line)) return refuse(message(error.code));
    const json_value value = parsed_.root();
    if (value.is_string()) return push(value.string(), take);
    std::vector<reference> found;
    if (!value.is_object() || !value["references"] || !read_references(value, found)) {
      return refuse("not a string or an object with references");
    }
    for (const reference& ref : found) add_reference(ref);
  }

  void refuse(std::string_view why) { refused_.push_back(std::to_string(number_) + ": " + std::string(why)); }

  document parsed_;
  line_splitter lines_;
  std::size_t number_{};              ///< line number, from 1
  std::vector<std::string> refused_;  ///< messages about lines
};

}  // namespace

std::unique_ptr<answer_run> make_run(const session_options& options, input_form form, bool any_bytes) {
  if (form == input_form::text) return std::make_unique<text_run>(options, any_bytes);
  if (form == input_form::deltas) return std::make_unique<delta_run>(options);
  session_options typed = options;
  typed.typed_events = true;
  return std::make_unique<session_run>(std::move(typed), form);
}

}  // namespace citestream::tools
