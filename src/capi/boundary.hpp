/// \file
/// The boundary of the C interface. Handles are checked by a tag in their first member, structs are copied
/// according to `struct_size`, and exceptions become codes.
#pragma once

#include <citestream/citestream.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <string_view>
#include <type_traits>

namespace citestream::capi {

/// The first member of every handle, by which pointers from the caller are checked.
enum class tag : std::uint32_t {
  none = 0,
  options = 0x6374'736F,
  workspace = 0x6374'7377,
  session = 0x6374'7373,
  request = 0x6374'7372
};

/// Number of existing handles. Memory hooks can change only while it is 0.
inline constinit std::atomic<std::size_t> live_handles{};

/// Counts one handle.
class counted {
 public:
  counted() noexcept { live_handles.fetch_add(1, std::memory_order_relaxed); }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { live_handles.fetch_sub(1, std::memory_order_relaxed); }
};

/// Returns the result of \p work, or the code for the exception that it throws.
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

/// Creates a handle for the caller; null if it cannot be created.
template <typename Handle>
int create(Handle** out) noexcept {
  if (out == nullptr) return CITESTREAM_BAD_ARGUMENT;
  *out = nullptr;
  return guarded([out] {
    *out = new Handle;  // NOLINT(bugprone-unhandled-exception-at-new): guarded() catches it
    return CITESTREAM_OK;
  });
}

/// Destroys a handle. Its tag is cleared first, so a dangling pointer to it is likely to be detected.
template <typename Handle>
void destroy(Handle* handle) noexcept {
  handle->type_tag = tag::none;
  delete handle;
}

/// Larger than any struct. A larger `struct_size` was not initialised by the caller.
inline constexpr std::size_t max_struct_size = 4096;

/// Copies a struct of the caller, whose first version had \p first bytes. Members that the caller does not
/// have are set to 0.
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

/// Copies the members that fit to a struct of the caller. Members that this library does not know are set to
/// 0.
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

/// Size of \p Struct up to and including \p member: the size of its first version.
#define CITESTREAM_SIZE_UP_TO(Struct, member) (offsetof(Struct, member) + sizeof(Struct::member))

/// Returns true if a text from the caller is valid: not null, unless it is empty, and not larger than any
/// object, as CITESTREAM_NUL_TERMINATED is.
[[nodiscard]] inline bool is_text(const char* data, std::size_t size) noexcept {
  return size == 0 || (data != nullptr && size <= PTRDIFF_MAX);
}
[[nodiscard]] inline bool are_texts(std::initializer_list<citestream_text> all) noexcept {
  return std::ranges::all_of(all, [](const citestream_text& one) { return is_text(one.data, one.size); });
}
[[nodiscard]] inline std::string_view view(citestream_text text) noexcept {
  return text.size == 0 ? std::string_view{} : std::string_view(text.data, text.size);
}
[[nodiscard]] inline citestream_text text(std::string_view from) noexcept {
  return {from.data() == nullptr ? "" : from.data(), from.size()};
}

}  // namespace citestream::capi
