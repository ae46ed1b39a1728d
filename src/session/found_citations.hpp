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

/// The strings of a citation that clients display.
template <typename Text>
struct citation_strings {
  Text label;
  Text identifier;
  Text marker;
};

/// A citation that has no final position yet.
struct found_citation {
  citation_strings<std::string_view> strings;  ///< borrowed
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
  std::vector<found_citation> found;
};

/// Citations whose positions in the sent text are not final, in order.
class unplaced_citations {
 public:
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  /// Size of their strings.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  void add(const found_citation& one) {
    const auto& [label, identifier, marker] = one.strings;
    all_.push_back({one, std::string(label).append(identifier).append(marker)});
    bytes_ += all_.back().text.size();
  }
  /// Calls \p record for each citation, in order, and removes it. Stops at the first for which the result is
  /// false.
  template <typename Record>
  void record_while(Record record) {
    auto next = all_.begin();
    for (; next != all_.end(); ++next) {
      const std::string_view text = next->text;
      auto& [label, identifier, marker] = next->found.strings;  // their sizes are still those of `text`
      label = text.substr(0, label.size());
      identifier = text.substr(label.size(), identifier.size());
      marker = text.substr(label.size() + identifier.size());
      if (!record(next->found)) break;
      bytes_ -= next->text.size();
    }
    all_.erase(all_.begin(), next);
  }
  void clear() noexcept {
    all_.clear();
    bytes_ = 0;
  }

 private:
  struct entry {
    found_citation found;
    std::string text;  ///< its strings, one after the other
  };
  std::vector<entry> all_;
  std::size_t bytes_{};
};

}  // namespace citestream
