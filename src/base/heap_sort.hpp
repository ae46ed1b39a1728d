/// \file
/// Sorting with little code.
#pragma once

#include <algorithm>
#include <functional>

namespace citestream {

/// Sorts like std::ranges::sort(): in n log n steps, in no particular order if elements are equal. Its code
/// is a tenth of that, which counts in WebAssembly. Use it for lists that are short or rarely sorted.
template <typename List, typename Less = std::ranges::less, typename Key = std::identity>
void heap_sort(List& list, Less less = {}, Key key = {}) {
  std::ranges::make_heap(list, less, key);
  std::ranges::sort_heap(list, less, key);
}

}  // namespace citestream
