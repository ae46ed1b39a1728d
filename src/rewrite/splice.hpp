/// \file
/// Byte-exact editing of one payload: what is not named stays as it came.
///
/// \code
///   citestream::splicer edits;
///   edits.replace(token, "\"new\"");
///   edits.insert_member(item.data, payload.root().range(), "citestream", json);
///   edits.apply(item, out);  // the event's bytes with the edits in them
/// \endcode
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sse/decoder.hpp"

namespace citestream {

/// Collects edits of one payload, then applies them in one pass, in order of position however they were
/// given. Reusable: warm, it allocates nothing. Ranges are bytes of the payload. An edit inside the range
/// of a replacement is lost with it.
class splicer {
 public:
  /// Puts \p json in place of the bytes \p where.
  void replace(byte_range where, std::string_view json);
  /// The same with a JSON string that holds \p text.
  void replace_string(byte_range where, std::string_view text);
  /// Adds the member `"key":json` at the end of the object whose braces are \p object (in \p payload).
  /// Several insertions into one object keep their order.
  void insert_member(std::string_view payload, byte_range object, std::string_view key,
                     std::string_view json);
  /// Adds \p json (one or more elements, comma-separated) at the end of the array \p array.
  void insert_elements(std::string_view payload, byte_range array, std::string_view json);

  /// Whether there is no edit.
  [[nodiscard]] bool empty() const noexcept { return edits_.empty(); }
  /// If all there is to do is to replace one value: its bytes and what takes their place.
  [[nodiscard]] const byte_range* only_replacement() const noexcept {
    return edits_.size() == 1 && !edits_.front().insertion() ? &edits_.front().where : nullptr;
  }
  /// What takes its place.
  [[nodiscard]] std::string_view replacement() const noexcept { return json_; }
  /// Removes all edits; keeps capacity.
  void clear() noexcept;

  /// Appends \p item's bytes with the edits made to its data. An insertion never breaks a `data` line: JSON
  /// given here must hold no line break. The edits stay until clear().
  void apply(const sse_item& item, std::string& out);
  /// The same for a body that is all payload.
  void apply(std::string_view payload, std::string& out);

 private:
  struct edit {
    byte_range where;          ///< empty: an insertion
    std::size_t json_begin{};  ///< in `json_`
    std::size_t json_end{};
    bool separate{};  ///< something stands before it in its object or array
    [[nodiscard]] bool insertion() const noexcept { return where.begin == where.end; }
  };
  std::size_t begin_insertion(std::string_view payload, byte_range container);
  void sort() noexcept;
  template <typename Place>
  void write(std::string_view bytes, Place raw_place, std::string& out);

  std::vector<edit> edits_;
  std::string json_;
};

}  // namespace citestream
