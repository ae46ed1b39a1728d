/// \file
/// Citations of the provider: their numbers, and the markers that cite the same reference at the same place.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/cite/citation.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "hash_table.hpp"

namespace citestream::cite_detail {

/// The citations of the provider in one answer.
class native_list {
 public:
  /// The markers' citations, and the first of each number.
  struct markers_view {
    std::span<citation> all;
    std::span<const text_range> received;  ///< the place of each
    std::span<const std::uint32_t> sources;
    std::span<const reference> references;
  };

  /// Reads the citations of markers that are new. They must be resolved.
  void update(const markers_view& markers);
  /// Makes update() read all of them again, because some have been resolved since.
  void reread_markers() noexcept { by_number_.clear(); }
  /// The number of the source of a reference; 0 if it has none.
  [[nodiscard]] std::uint32_t number_of(const reference& ref);
  /// Sets that number.
  void set_number(const reference& ref, std::uint32_t number);
  /// The citation of a marker with that number at that place, if no other one has joined it; null if there is
  /// none. Only the first 16 markers there are looked at.
  [[nodiscard]] citation* joined_by(const placed_citation& one, std::uint32_t number,
                                    const markers_view& markers) const noexcept;
  /// The citations of unresolved markers that this part of the received text overlaps, in order: the first 16
  /// at most. Valid until update().
  [[nodiscard]] std::span<const std::uint32_t> overlapped(text_range part,
                                                          const markers_view& markers) const noexcept;
  /// Adds a citation of \p ref, which has a number.
  citation& add(const placed_citation& one, const reference& ref, std::uint32_t number);

  [[nodiscard]] std::span<const citation> all() const noexcept { return all_.all(); }
  [[nodiscard]] citation& operator[](std::size_t index) noexcept { return all_[index]; }
  void clear() noexcept;

 private:
  [[nodiscard]] const std::string& key_of(const reference& ref);

  recycled<citation> all_;
  std::deque<std::uint32_t> references_;          ///< of each; citations hold views of it
  std::map<std::string, std::uint32_t> numbers_;  ///< by key_of()
  std::vector<std::uint32_t> by_number_;          ///< citations of markers, by number and then in order
  std::vector<std::uint32_t> unresolved_;         ///< those that are not resolved, in the received text
  std::string key_;                               ///< reused
};

}  // namespace citestream::cite_detail
