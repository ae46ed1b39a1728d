/// \file
/// The text of one answer as the scanner sees it: the bytes that have not been returned.
///
/// A delta is read where it is, in the caller's buffer. Only what is still held when the caller needs its
/// buffer back is copied; later deltas are then appended to the copy.
#pragma once

#include <citestream/marker/grammar.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream {

/// Invariant: the position of the first byte <= given <= cursor <= end().
class text_window {
 public:
  std::uint64_t given{};   ///< everything before has been returned
  std::uint64_t cursor{};  ///< everything before has been read

  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }
  [[nodiscard]] std::uint64_t end() const noexcept { return base_ + view_.size(); }
  /// The number of bytes that have not been returned.
  [[nodiscard]] std::size_t held() const noexcept { return end() - given; }
  [[nodiscard]] char next() const noexcept { return view_[cursor - base_]; }
  /// The bytes that have not been read.
  [[nodiscard]] std::string_view unread() const noexcept { return view_.substr(cursor - base_); }
  [[nodiscard]] std::string_view slice(std::uint64_t from, std::uint64_t to) const noexcept {
    return view_.substr(from - base_, to - from);
  }
  [[nodiscard]] std::string_view slice(text_range range) const noexcept {
    return range.begin == range.end ? std::string_view() : slice(range.begin, range.end);
  }

  void feed(std::string_view delta);
  void keep_rest();
  /// Forgets the caller's buffer, which contains nothing that is still needed.
  void let_go() noexcept {
    base_ = given;
    view_ = {};
    borrowed_ = false;
  }
  /// Counts \p size bytes that were read and returned without being fed. The window is empty.
  void pass(std::size_t size) noexcept {
    cursor += size;
    base_ = given = cursor;
  }
  void reset() noexcept {
    given = cursor = 0;
    kept_.clear();
    let_go();
  }

 private:
  std::string_view view_;  ///< bytes from `base_` on: the delta, or `kept_`
  std::string kept_;       ///< held text and newer bytes; in use if `view_` is empty or a view of it
  bool borrowed_{};        ///< `view_` belongs to the caller
  std::uint64_t base_{};   ///< position of view_[0]
};

/// Adds \p delta, which is copied only if held text precedes it.
inline void text_window::feed(std::string_view delta) {
  if (given < end()) {
    if (borrowed_) keep_rest();
    kept_.append(delta);
    view_ = kept_;
    borrowed_ = false;
  } else {
    base_ = cursor;
    view_ = delta;
    borrowed_ = true;
  }
}

/// Copies the bytes that have not been returned, so that the caller's buffer is no longer needed.
inline void text_window::keep_rest() {
  if (!borrowed_ && given == base_) return;
  const std::size_t from = given - base_;
  if (borrowed_) {
    kept_.assign(view_.substr(from));
    borrowed_ = false;
  } else {
    kept_.erase(0, from);
  }
  base_ = given;
  view_ = kept_;
}

}  // namespace citestream
