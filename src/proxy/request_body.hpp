/// \file
/// The body of a request, counted in `max_request_memory` until the upstream has it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace citestream {

/// Adds the share of one request to a counter that all workers share, and subtracts it in the destructor.
class counter_share {
 public:
  counter_share() = default;  ///< counts nothing
  explicit counter_share(std::atomic<std::uint64_t>& all) noexcept : all_(&all) {}
  ~counter_share() {
    if (all_ != nullptr) all_->fetch_sub(part_);
  }
  counter_share(counter_share&& from) noexcept
      : all_(std::exchange(from.all_, nullptr)), part_(std::exchange(from.part_, 0)) {}
  counter_share& operator=(counter_share&& from) noexcept {
    std::swap(all_, from.all_);
    std::swap(part_, from.part_);
    return *this;
  }
  /// \param now  the share from now on. \return the sum of all shares
  std::uint64_t set(std::uint64_t now) noexcept {
    const std::uint64_t more = now - std::exchange(part_, now);
    return all_->fetch_add(more) + more;
  }

 private:
  std::atomic<std::uint64_t>* all_{};
  std::uint64_t part_{};
};

/// Movable.
struct request_body {
  std::string bytes;
  counter_share counted;  ///< of `bytes`

  /// Call after a change of `bytes`. \return the size of all bodies in memory
  std::uint64_t count() noexcept { return counted.set(bytes.size()); }
  /// Frees the memory.
  void release() noexcept { request_body().swap(*this); }
  void swap(request_body& other) noexcept {
    bytes.swap(other.bytes);
    std::swap(counted, other.counted);
  }
};

}  // namespace citestream
