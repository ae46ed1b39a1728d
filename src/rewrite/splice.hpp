/// \file
/// Byte-exact editing of one payload: bytes without an edit are unchanged.
///
/// \code
///   citestream::splicer edits(item.data);
///   edits.replace(token, "\"new\"");
///   edits.insert_member(payload.root().range(), "citestream", json);
///   citestream::event_output sent(out);
///   edits.apply(item, sent);  // the event's bytes with the edits in them
///   sent.flush();
/// \endcode
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "event_output.hpp"
#include "framing/frame.hpp"

namespace citestream {

/// Collects edits of one payload in any order and applies them in one pass. Reusable: keeps
/// its memory. Ranges are in bytes of the payload. An edit inside the range of a replacement has no effect.
class splicer {
 public:
  splicer() = default;
  explicit splicer(std::string_view payload) noexcept : payload_(payload) {}
  /// Begins the edits of another payload, which must stay valid until they are applied.
  void begin(std::string_view payload) noexcept {
    payload_ = payload;
    if (empty()) return;
    edits_.clear();
    json_.clear();
  }
  [[nodiscard]] std::string_view payload() const noexcept { return payload_; }

  /// Replaces the bytes \p where with \p json.
  void replace(byte_range where, std::string_view json);
  /// Replaces the bytes \p where with \p text as a JSON string.
  void replace_string(byte_range where, std::string_view text);
  /// Adds the member `"key":json` at the end of the object whose braces are \p object. Several insertions
  /// into one object keep their order.
  void insert_member(byte_range object, std::string_view key, std::string_view json);
  /// Removes the member with the value \p value from an object that no member is inserted into. Its key must
  /// be written without escapes.
  void remove_member(byte_range value);
  /// Adds \p json (one or more elements, comma-separated) at the end of the array \p array.
  void insert_elements(byte_range array, std::string_view json);

  /// Returns true if there are no edits.
  [[nodiscard]] bool empty() const noexcept { return edits_.empty(); }

  /// Appends the bytes of \p item, whose data is the payload, with the edits. Their JSON must not contain
  /// line breaks, so that no `data` line is broken. Keeps the edits until begin().
  void apply(const frame& item, event_output& out);
  /// Appends the payload with the edits.
  void apply(std::string& out);

 private:
  struct edit {
    byte_range where;          ///< empty for an insertion
    std::size_t json_begin{};  ///< in `json_`
    std::size_t json_end{};
    bool separate{};  ///< needs a comma: the object or array is not empty
    [[nodiscard]] bool insertion() const noexcept { return where.begin == where.end; }
  };
  void apply_to_message(const frame& item, event_output& out);
  std::size_t begin_insertion(byte_range container);
  void sort() noexcept;
  template <typename Place>
  void write(std::string_view bytes, Place raw_place, event_output& out);

  std::string_view payload_;
  std::vector<edit> edits_;
  std::string json_;
};

}  // namespace citestream
