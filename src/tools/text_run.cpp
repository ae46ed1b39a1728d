// The run of text and of deltas. It feeds one `answer`, whose choice is 0. The text that it releases is split
// at its citations, so that the events are those of a session with the same text.
#include <citestream/session/answer.hpp>

#include <cstddef>
#include <optional>

#include "answer_run.hpp"
#include "session/text_order.hpp"
#include "session_run.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

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

std::unique_ptr<answer_run> make_run(const session_options& options, input_form form, bool any_bytes) {
  // Deltas are valid UTF-8, and those without a text count, too.
  if (is_text(form)) return std::make_unique<text_run>(options, any_bytes || form == input_form::deltas);
  session_options typed = options;
  typed.typed_events = true;
  return std::make_unique<session_run>(std::move(typed), form);
}

}  // namespace citestream::tools
