/// \file
/// A sort that compiles to little code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

namespace citestream {

/// Sorts like std::ranges::sort(); the order of equal elements is unspecified. It compiles to a fraction of
/// the code, which matters for WebAssembly. Use it for lists that are short or rarely sorted.
template <typename List, typename Less = std::ranges::less, typename Key = std::identity>
void compact_sort(List& list, Less less = {}, Key key = {}) {
  constexpr std::size_t longest_inserted = 8;  // for two elements, a heap takes three times as long
  if (list.size() > longest_inserted) {
    std::ranges::make_heap(list, less, key);
    std::ranges::sort_heap(list, less, key);
    return;
  }
  for (auto next = list.begin(); next != list.end(); ++next) {
    const auto place = std::ranges::upper_bound(list.begin(), next, std::invoke(key, *next), less, key);
    std::rotate(place, next, std::next(next));
  }
}

}  // namespace citestream
