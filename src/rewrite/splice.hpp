/// \file
/// Byte-exact editing of one payload: bytes without an edit are unchanged.
///
/// \code
///   citestream::splicer edits;
///   edits.replace(token, "\"new\"");
///   edits.insert_member(item.data, payload.root().range(), "citestream", json);
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
  /// Replaces the bytes \p where with \p json.
  void replace(byte_range where, std::string_view json);
  /// Replaces the bytes \p where with \p text as a JSON string.
  void replace_string(byte_range where, std::string_view text);
  /// Adds the member `"key":json` at the end of the object whose braces are \p object (in \p payload).
  /// Several insertions into one object keep their order.
  void insert_member(std::string_view payload, byte_range object, std::string_view key,
                     std::string_view json);
  /// Removes the member with the value \p value from an object that no member is inserted into. Its key must
  /// be written without escapes.
  void remove_member(std::string_view payload, byte_range value);
  /// Adds \p json (one or more elements, comma-separated) at the end of the array \p array.
  void insert_elements(std::string_view payload, byte_range array, std::string_view json);

  /// Returns true if there are no edits.
  [[nodiscard]] bool empty() const noexcept { return edits_.empty(); }
  /// Removes all edits; keeps capacity.
  void clear() noexcept {
    if (empty()) return;
    edits_.clear();
    json_.clear();
  }

  /// Appends \p item's bytes with the edits applied to its data. The JSON of the edits must not contain line
  /// breaks, so that no `data` line is broken. Keeps the edits until clear().
  void apply(const frame& item, event_output& out);
  /// The same for a body that is one payload.
  void apply(std::string_view payload, std::string& out);

 private:
  struct edit {
    byte_range where;          ///< empty for an insertion
    std::size_t json_begin{};  ///< in `json_`
    std::size_t json_end{};
    bool separate{};  ///< needs a comma: the object or array is not empty
    [[nodiscard]] bool insertion() const noexcept { return where.begin == where.end; }
  };
  void apply_to_message(const frame& item, event_output& out);
  std::size_t begin_insertion(std::string_view payload, byte_range container);
  void sort() noexcept;
  template <typename Place>
  void write(std::string_view bytes, Place raw_place, event_output& out);

  std::vector<edit> edits_;
  std::string json_;
};

}  // namespace citestream
