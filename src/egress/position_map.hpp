// Where text stands after it was changed, and what is said of the changes.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/egress/egress.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace citestream {

// Follows a text as it passes or changes, from its start.
class position_map {
 public:
  explicit position_map(std::size_t max_records) : max_records_(max_records) {}

  // Text passes as it is.
  void pass(std::string_view text) noexcept {
    text_offset by;
    by.advance(text);
    move(in_, by);
    move(out_, by);
  }
  void pass_ascii(std::size_t size) noexcept {
    const text_offset by{size, size, size};
    move(in_, by);
    move(out_, by);
  }
  void pass(char c) noexcept {
    if (static_cast<unsigned char>(c) < 0x80) return pass_ascii(1);
    const auto byte = static_cast<unsigned char>(c);
    const std::uint64_t point = (byte & 0xC0U) == 0x80U ? 0 : 1;
    const text_offset by{1, point + (byte >= 0xF0U ? 1U : 0U), point};
    move(in_, by);
    move(out_, by);
  }
  // `made` takes the place of `raw`.
  void change(std::string_view raw, std::string_view made);

  // A place to come back to.
  struct mark {
    text_offset in;
    text_offset out;
    std::size_t edits{};  // counted from the start of the text
    std::uint64_t records{};
  };
  [[nodiscard]] mark here() const noexcept { return {in_, out_, folded_ + edits_.size(), total_}; }
  // At that place `made` takes the place of `raw`, both ASCII; what came after it moves.
  void change_at(const mark& where, std::size_t raw, std::size_t made);
  // All output since that place goes.
  void drop_since(const mark& where);

  void record(egress_kind kind, egress_reason reason, const text_offset& position);
  [[nodiscard]] std::span<const egress_record> records() const noexcept { return records_; }
  // All that record() was told, kept or not.
  [[nodiscard]] std::uint64_t recorded() const noexcept { return total_; }

  [[nodiscard]] const text_offset& in() const noexcept { return in_; }
  [[nodiscard]] const text_offset& out() const noexcept { return out_; }
  // Where `before`, a position of the text that came, is in the text that left. Positions inside what was
  // changed are where the change ends, and its first one where it starts.
  [[nodiscard]] text_offset place(const text_offset& before) const noexcept;
  // How many changes are kept account of, and how many of those since a place.
  [[nodiscard]] std::size_t changes() const noexcept { return edits_.size(); }
  [[nodiscard]] std::size_t changes_since(const mark& where) const noexcept {
    return edits_.size() - (where.edits - folded_);
  }
  // Of what is in the text by now place() is only going to be asked for `kept`. Changes from that one on,
  // counted from the start of the text, are not forgotten.
  void forget(std::span<const text_offset> kept, std::size_t open_edits);
  void reset() noexcept;

 private:
  struct edit {
    text_offset in_begin;
    text_offset in_end;
    text_offset out_begin;
    text_offset out_end;
  };
  struct known_place {
    text_offset in;
    text_offset out;
  };
  static void move(text_offset& at, const text_offset& by) noexcept {
    at.utf8 += by.utf8;
    at.utf16 += by.utf16;
    at.codepoint += by.codepoint;
  }

  std::size_t max_records_;
  text_offset in_;
  text_offset out_;
  std::vector<edit> edits_;           // in order
  std::size_t folded_{};              // forgotten, before those
  edit base_{};                       // the last one forgotten
  std::vector<known_place> anchors_;  // what was asked to be kept of what is before its end, in order
  std::vector<known_place> spare_;    // reused
  std::vector<egress_record> records_;
  std::uint64_t total_{};
};

}  // namespace citestream
