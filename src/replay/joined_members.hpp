/// \file
/// The members of a JSON object that is joined from the events of a stream.
#pragma once

#include <citestream/chunk/document.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace citestream::replay {

/// Members in the order in which their keys arrived.
///
/// Of several values of one key the most informative is kept, and the later one of equals: null, then objects
/// with nothing but nulls, then other values, then objects with references.
class joined_members {
 public:
  void set(std::string_view key, json_value value);
  /// Sets \p key to \p raw. Later values from the stream do not replace it.
  void set(std::string_view key, std::string raw);
  /// Sets all members of \p object.
  void set_all(json_value object);
  /// Returns true if there is no member.
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }

  /// Appends the object.
  void append(std::string& out) const;

 private:
  struct member {
    std::string key;
    std::string raw;
    int weight;
  };

  void put(std::string_view key, std::string raw, int its_weight);

  std::vector<member> all_;
};

/// Returns \p joined, the input of a tool call, or `{}` if it is not valid JSON because the recording ends
/// inside it.
[[nodiscard]] std::string complete_input(const std::string& joined);

}  // namespace citestream::replay
