/// \file
/// The last text stage: takes the styled text of an answer and returns the text that is sent.
///
/// If egress is enforced, the text passes the egress stage. If it is only reported, the text is sent at once,
/// and the egress stage gets a copy. Without egress, nothing is copied. Code that feeds this stage does not
/// depend on which of them it is.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/egress/egress.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/text_edits.hpp"
#include "egress/egress_stage.hpp"
#include "found_citations.hpp"

namespace citestream {

/// The sent text of one answer, or of one text next to it. Positions are in the styled text, unless stated
/// otherwise.
class sent_text {
 public:
  explicit sent_text(const session_options& options)
      : egress_(options.egress == egress_mode::off ? nullptr : std::make_unique<egress>(options)) {}

  /// Returns true if egress is off: the styled text is the sent text.
  [[nodiscard]] bool is_styled() const noexcept { return egress_ == nullptr; }

  /// Takes the text that `write` appends to its argument. Appends to `out` what can be sent.
  template <typename Write>
  void take(std::string& out, const Write& write) {
    if (egress_ == nullptr) return write(out);
    write(egress_->begin());
    egress_->feed(egress_->styled, out);
  }
  /// `write` returns true to send `text` itself, or appends to its argument what to send instead. Returns
  /// true if exactly `text` is sent; `out` is then unchanged. Otherwise appends to `out` what can be sent.
  template <typename Write>
  [[nodiscard]] bool pass(std::string_view text, std::string& out, const Write& write) {
    if (egress_ == nullptr) return write(out);
    const bool unchanged = write(egress_->begin());
    egress_->feed(unchanged ? text : egress_->styled, out);
    return false;
  }
  /// Takes `text`. Appends to `out` what can be sent.
  void feed(std::string_view text, std::string& out) {
    if (egress_ == nullptr) out.append(text);
    if (egress_ != nullptr) egress_->feed(text, out);
  }
  /// Takes text that is not part of the answer. `write` appends it to its argument. Its changes have no
  /// positions.
  template <typename Write>
  void take_separate(std::string& out, const Write& write) {
    if (!enforces()) return write(out);
    write(egress_->begin());
    egress_->stage.append_inert(egress_->styled, out);
  }
  /// Appends what is held. More text may follow.
  void finish(std::string& out) {
    if (egress_ != nullptr) egress_->finish(out);
  }
  /// Number of bytes held.
  [[nodiscard]] std::size_t held() const noexcept { return enforces() ? egress_->stage.held() : 0; }

  /// Allows the URL of a reference from now on.
  void allow(const reference& ref) {
    if (egress_ != nullptr) egress_->stage.allow(ref);
  }
  /// The strings of a citation, made inert if egress is enforced; otherwise nothing.
  [[nodiscard]] std::optional<citation_strings<std::string>> inert(
      const citation_strings<std::string_view>& one) const {
    if (!enforces()) return std::nullopt;
    citation_strings<std::string> out;
    egress_->stage.append_inert(one.label, out.label);
    egress_->stage.append_inert_url(one.identifier, out.identifier);
    egress_->stage.append_inert(one.marker, out.marker);
    return out;
  }
  /// Makes `text` inert if egress is enforced.
  void make_inert(std::string& text) const {
    if (!enforces()) return;
    std::string out;
    egress_->stage.append_inert(text, out);
    text = std::move(out);
  }
  /// The URLs that egress recorded, and how many there were.
  [[nodiscard]] std::span<const egress_record> records() const noexcept {
    return egress_ == nullptr ? std::span<const egress_record>() : egress_->stage.records();
  }
  [[nodiscard]] std::uint64_t recorded() const noexcept {
    return egress_ == nullptr ? 0 : egress_->stage.recorded();
  }

  /// Returns true if all text up to `end` has been taken, so that place() is final for it.
  [[nodiscard]] bool has(text_offset end) const noexcept {
    return !enforces() || egress_->edits.input().utf8 >= end.utf8;
  }
  /// Returns true if all text was sent unchanged.
  [[nodiscard]] bool unedited() const noexcept { return egress_ == nullptr || egress_->edits.empty(); }
  /// Converts a position to the sent text.
  [[nodiscard]] text_offset place(const text_offset& position, edit_side side) const noexcept {
    return egress_ == nullptr ? position : egress_->edits.place(position, side);
  }
  /// Converts a position known in only one unit to the sent text.
  [[nodiscard]] std::uint64_t place(std::uint64_t position, offset_unit unit, edit_side side) const noexcept {
    return egress_ == nullptr ? position : egress_->edits.place(position, unit, side);
  }
  /// Converts a span to the sent text. A change that is only partly inside the span is outside it in the sent
  /// text, so that a citation never covers text next to it.
  [[nodiscard]] text_span place(const text_span& span) const noexcept {
    if (egress_ == nullptr) return span;
    const text_offset start = egress_->edits.place(span.start, edit_side::after);
    const text_offset end = egress_->edits.place(span.end, edit_side::before);
    return {start.utf8 < end.utf8 ? start : end, end};
  }

  /// Prepares for another answer; keeps capacity.
  void reset() noexcept {
    if (egress_ == nullptr) return;
    egress_->stage.reset();
    egress_->edits.reset();
  }

 private:
  /// The egress stage with its edits and its input. In mode `report` it has no edits.
  struct egress {
    explicit egress(const session_options& options)
        : stage(options.egress, options.egress_on_code, options.egress_allowed, options.bounds) {}
    [[nodiscard]] std::string& begin() noexcept {
      styled.clear();
      return styled;
    }
    [[nodiscard]] bool enforces() const noexcept { return stage.mode() == egress_mode::enforce; }
    void feed(std::string_view text, std::string& out) {
      if (!enforces()) out.append(text);
      unsent.clear();
      stage.feed(text, enforces() ? out : unsent, edits);
    }
    void finish(std::string& out) { stage.finish(enforces() ? out : unsent, edits); }

    egress_stage stage;
    text_edits edits;
    std::string styled;  ///< reused
    std::string unsent;  ///< mode `report`: output of the stage, which has been sent
  };

  /// Returns true if strings that are not part of the text are made inert.
  [[nodiscard]] bool enforces() const noexcept { return egress_ != nullptr && egress_->enforces(); }

  std::unique_ptr<egress> egress_;  ///< null if egress is off
};

}  // namespace citestream
