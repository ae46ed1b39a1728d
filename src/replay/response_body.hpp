/// \file
/// Joins the events of a response of OpenAI Responses into the body that the API sends without streaming.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "replay/joined_members.hpp"

namespace citestream::replay {

/// One response. Add the payloads of all its events, then call json().
///
/// The last event has the whole response, which is the body. If a recording breaks off before it, the body
/// has the items so far, with their texts and arguments joined, and the status `incomplete`.
class response_answer {
 public:
  /// Returns true if \p root shows that the stream has this form.
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json();

 private:
  /// A text of a part or of an item itself, and the event that adds to it.
  struct text_form {
    std::string_view event;
    std::string_view key;
    std::string_view part_type{};  ///< only of a part
  };
  static const text_form of_parts[];
  static const text_form of_items[];

  struct growing_text {
    const text_form* form{};  ///< null if there was no text
    std::string text;

    /// Adds the delta of an event that is one of \p forms.
    void add(std::span<const text_form> forms, json_value root);
  };

  struct part {
    joined_members own;
    growing_text text;
    std::string annotations;  ///< comma-separated JSON

    void add(json_value root);
    [[nodiscard]] std::string json();
  };
  struct item {
    joined_members own;
    std::string complete;  ///< the item, once it is complete
    std::string id;        ///< JSON; empty if unknown
    bool has_status{};
    growing_text text;  ///< of the item itself
    std::map<std::int64_t, part> parts;
    std::map<std::int64_t, part> summaries;

    void add(json_value root);
    /// Returns the item, or nothing if no event says what it is.
    [[nodiscard]] std::string json();
  };

  std::string complete_;  ///< the response, once it is complete
  joined_members top_;
  std::map<std::int64_t, item> items_;
};

}  // namespace citestream::replay
