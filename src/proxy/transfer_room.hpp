/// \file
/// Room for what is on its way through a thread: bytes that have come, and bytes that leave.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace citestream {

/// Streams use it in turn: what one puts there lasts until it waits for anything. A stream that must wait for
/// its client while bytes are in here takes them along (leave()), and the next one gets new room.
class transfer_room {
 public:
  struct rooms {
    std::unique_ptr<std::string> in;
    std::unique_ptr<std::string> out;
  };

  /// Empty, for bytes that have come.
  [[nodiscard]] std::string& make_in() { return make(now_.in); }
  /// Nothing has come, after a wait.
  void empty_in() { make(now_.in); }
  /// What has come.
  [[nodiscard]] const std::string& in() const noexcept { return *now_.in; }
  /// Empty, for bytes that leave.
  [[nodiscard]] std::string& make_out() { return make(now_.out); }
  /// Keep them as long as the bytes are needed; they do not move.
  [[nodiscard]] rooms leave() noexcept { return {std::move(now_.in), std::move(now_.out)}; }

 private:
  /// More than this is not kept for the next one.
  static constexpr std::size_t most_kept = 512 * 1024;

  static std::string& make(std::unique_ptr<std::string>& one) {
    if (!one || one->capacity() > most_kept) one = std::make_unique<std::string>();
    one->clear();
    return *one;
  }

  rooms now_;
};

}  // namespace citestream
