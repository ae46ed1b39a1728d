#include "latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace citestream::load {

void latency_histogram::add(nanoseconds value) noexcept {
  constexpr std::uint64_t longest = (std::uint64_t{1} << value_bits) - 1;
  const auto count = static_cast<std::uint64_t>(std::max<nanoseconds::rep>(value.count(), 0));
  const std::uint64_t ns = std::min(count, longest);
  // Below 2^8 a bucket holds one value. Above, each further bit doubles the width of a bucket.
  const auto bits = static_cast<unsigned>(std::bit_width(ns));
  const unsigned shift = bits > bucket_bits + 1 ? bits - bucket_bits - 1 : 0;
  ++counts_[(std::size_t{shift} << bucket_bits) + static_cast<std::size_t>(ns >> shift)];
  ++count_;
  max_ = std::max(max_, ns);
  sum_ += static_cast<double>(ns);
}

latency_histogram::nanoseconds latency_histogram::mean() const noexcept {
  if (count_ == 0) return nanoseconds(0);
  return nanoseconds(std::llround(sum_ / static_cast<double>(count_)));
}

latency_histogram::nanoseconds latency_histogram::percentile(double per_cent) const noexcept {
  const double rank = std::ceil(static_cast<double>(count_) * per_cent / 100);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets; ++i) {
    seen += counts_[i];
    if (counts_[i] == 0 || static_cast<double>(seen) < rank) continue;
    const std::size_t above = i >> bucket_bits;
    const std::size_t shift = above > 1 ? above - 1 : 0;
    const std::uint64_t start = static_cast<std::uint64_t>(i - (shift << bucket_bits)) << shift;
    return nanoseconds(std::min(max_, start + (std::uint64_t{1} << shift) - 1));
  }
  return nanoseconds(0);
}

}  // namespace citestream::load
