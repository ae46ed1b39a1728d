/// \file
/// The base of all forms of answers, and the members and lists that are joined from their events.
///
/// Each form is a class in a source file of its own, which defines a \ref form_entry for the table in
/// body.cpp.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "replay/body.hpp"

namespace citestream::replay {

/// The events of one answer, which are joined.
class joined_answer {
 public:
  joined_answer() = default;
  joined_answer(const joined_answer&) = delete;
  joined_answer& operator=(const joined_answer&) = delete;
  virtual ~joined_answer() = default;

  /// Adds the payload of the next event.
  virtual void add(json_value root) = 0;
  /// Returns the body. Call it once, after the last event.
  [[nodiscard]] virtual std::string json() = 0;
};

/// A form of answer, and what joins its events.
struct form_entry {
  answer_form form;
  bool (*begins)(json_value root);  ///< an event shows that the answer has this form
  std::unique_ptr<joined_answer> (*make)();
};

/// Returns the entry of the class \p Answer, which has a static member function begins().
template <typename Answer>
constexpr form_entry entry_of(answer_form form) {
  return {form, &Answer::begins,
          []() -> std::unique_ptr<joined_answer> { return std::make_unique<Answer>(); }};
}

/// Members of a JSON object, in the order in which their keys arrived.
///
/// Of several values of one key the most informative is kept, and the later one of equals: null, then objects
/// with nothing but nulls, then other values, then objects with references.
class joined_members {
 public:
  void set(std::string_view key, json_value value);
  /// Sets \p key to \p raw. Later values from the stream do not replace it.
  void set(std::string_view key, std::string raw);
  /// Sets all members of \p object, without \p except.
  void set_all(json_value object, std::string_view except = {});
  /// Returns true if there is no member.
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }

  /// Returns the object.
  [[nodiscard]] std::string json() const;

 private:
  struct member {
    std::string key;
    std::string raw;
    int weight;
  };

  void put(std::string_view key, std::string raw, int its_weight);

  std::vector<member> all_;
};

/// Appends \p json to \p list, comma-separated JSON, unless it is empty.
void append_element(std::string_view json, std::string& list);

/// Returns the list of what json() of each element returns, by index.
template <typename Element>
[[nodiscard]] std::string list_of(std::map<std::int64_t, Element>& elements) {
  std::string list;
  for (auto& [index, one] : elements) append_element(one.json(), list);
  return '[' + list + ']';
}

/// Returns \p joined, the input of a tool call, or `{}` if it is not valid JSON because the recording ends
/// inside it.
[[nodiscard]] std::string complete_input(const std::string& joined);

}  // namespace citestream::replay
