// What every function of the C interface does at its edge: handles are checked, structs are copied by their
// size, nothing is thrown.
#pragma once

#include <citestream/citestream.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>

namespace citestream::capi {

/// The first member of every handle: a pointer to something else is told from it.
enum class tag : std::uint32_t {
  none = 0,
  options = 0x6374'736F,
  workspace = 0x6374'7377,
  session = 0x6374'7373
};

/// How many handles exist: memory hooks must not change while one does.
extern constinit std::atomic<std::size_t> live_handles;

/// Counts one handle.
class counted {
 public:
  counted() noexcept { live_handles.fetch_add(1, std::memory_order_relaxed); }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { live_handles.fetch_sub(1, std::memory_order_relaxed); }
};

/// \return what \p work returns, or the code for what it throws.
template <typename Work>
int guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return CITESTREAM_NO_MEMORY;
  } catch (...) {
    return CITESTREAM_INTERNAL;
  }
}

/// Gives the caller a handle of its own; null where it cannot be made.
template <typename Handle>
int create(Handle** out) noexcept {
  if (out == nullptr) return CITESTREAM_BAD_ARGUMENT;
  *out = nullptr;
  return guarded([out] {
    *out = new Handle;  // NOLINT(bugprone-unhandled-exception-at-new): guarded() catches it
    return CITESTREAM_OK;
  });
}

/// Ends a handle: a pointer to it that somebody still has is no handle's any more.
template <typename Handle>
void destroy(Handle* handle) noexcept {
  handle->what = tag::none;
  delete handle;
}

/// Nobody's struct is larger: what says so was not set.
inline constexpr std::size_t max_struct_size = 4096;

/// Copies a struct of the caller's, whose first version had \p first bytes. What the caller does not have is
/// 0.
template <typename Struct>
int read_struct(const Struct* from, std::size_t first, Struct& to) noexcept {
  static_assert(std::is_trivially_copyable_v<Struct>);
  to = {};
  if (from == nullptr) return CITESTREAM_BAD_ARGUMENT;
  std::size_t size = 0;
  std::memcpy(&size, from, sizeof size);
  if (size < first || size > max_struct_size) return CITESTREAM_BAD_ARGUMENT;
  const auto* bytes = reinterpret_cast<const unsigned char*>(from);
  for (std::size_t at = sizeof(Struct); at < size; ++at) {
    if (bytes[at] != 0) return CITESTREAM_UNSUPPORTED;
  }
  std::memcpy(&to, bytes, size < sizeof(Struct) ? size : sizeof(Struct));
  to.struct_size = sizeof(Struct);
  return CITESTREAM_OK;
}

/// Copies into a struct of the caller's what it has room for. What this library does not know becomes 0.
template <typename Struct>
int write_struct(Struct from, std::size_t first, Struct* to) noexcept {
  if (to == nullptr) return CITESTREAM_BAD_ARGUMENT;
  std::size_t size = 0;
  std::memcpy(&size, to, sizeof size);
  if (size < first || size > max_struct_size) return CITESTREAM_BAD_ARGUMENT;
  from.struct_size = size;
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  if (size > sizeof(Struct)) std::memset(bytes + sizeof(Struct), 0, size - sizeof(Struct));
  std::memcpy(bytes, &from, size < sizeof(Struct) ? size : sizeof(Struct));
  return CITESTREAM_OK;
}

/// Bytes of \p Struct up to and with \p member: the size that its first version had.
#define CITESTREAM_SIZE_UP_TO(Struct, member) (offsetof(Struct, member) + sizeof(Struct::member))

/// Whether a text that the caller gives can be one.
[[nodiscard]] inline bool is_text(const char* data, std::size_t size) noexcept {
  return data != nullptr || size == 0;
}
[[nodiscard]] inline std::string_view view(citestream_text text) noexcept {
  return text.size == 0 ? std::string_view{} : std::string_view(text.data, text.size);
}
[[nodiscard]] inline citestream_text text(std::string_view from) noexcept {
  return {from.data() == nullptr ? "" : from.data(), from.size()};
}

}  // namespace citestream::capi
