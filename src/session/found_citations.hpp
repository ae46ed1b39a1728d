/// \file
/// Citations that an answer has found but not recorded yet.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/marker/grammar.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// Keys of citations without a marker, with their positions in the received text, in order.
class markerless_citations {
 public:
  [[nodiscard]] bool empty() const noexcept { return next_ == all_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size() - next_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// Position of the next one in the received text, in bytes.
  [[nodiscard]] std::uint64_t position() const noexcept { return all_[next_].position; }
  void add(std::uint64_t position, std::string_view key) {
    all_.push_back({position, std::string(key)});
    bytes_ += key.size();
  }
  /// Removes and returns the next one. Valid until clear() or add().
  std::string_view take() noexcept { return all_[next_++].key; }
  void clear() noexcept {
    all_.clear();
    next_ = bytes_ = 0;
  }

 private:
  struct entry {
    std::uint64_t position{};
    std::string key;
  };
  std::vector<entry> all_;
  std::size_t next_{};
  std::size_t bytes_{};  ///< of all keys
};

/// A citation that has no final position yet. Its text is borrowed or owned.
template <typename Text>
struct found_citation {
  Text label;
  Text identifier;
  Text marker;
  std::uint32_t number{};
  std::int64_t first_place{};
  bool joins{};                       ///< it is not the first key of its marker
  text_span received;                 ///< the text that the style replaced, in the received text
  std::optional<text_offset> styled;  ///< the same position in the styled text; nothing if not final yet
  text_span printed;                  ///< what the style printed, relative to that position
  text_span claim;                    ///< in the received text
};

/// Reused memory of the functions that handle one marker.
struct marker_buffers {
  marker_keys keys;
  std::vector<found_citation<std::string_view>> found;
};

/// Citations whose positions in the sent text are not final, in order.
class unplaced_citations {
 public:
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  /// Size of their strings.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  void add(const found_citation<std::string_view>& one) {
    all_.push_back({std::string(one.label), std::string(one.identifier), std::string(one.marker), one.number,
                    one.first_place, one.joins, one.received, one.styled, one.printed, one.claim});
    bytes_ += size_of(all_.back());
  }
  /// Calls \p record for each citation, in order, and removes it. Stops at the first for which the result is
  /// false.
  template <typename Record>
  void record_first(Record record) {
    auto next = all_.begin();
    for (; next != all_.end() && record(*next); ++next) bytes_ -= size_of(*next);
    all_.erase(all_.begin(), next);
  }
  void clear() noexcept {
    all_.clear();
    bytes_ = 0;
  }

 private:
  static std::size_t size_of(const found_citation<std::string>& one) noexcept {
    return one.label.size() + one.identifier.size() + one.marker.size();
  }
  std::vector<found_citation<std::string>> all_;
  std::size_t bytes_{};
};

}  // namespace citestream
