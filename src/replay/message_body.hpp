/// \file
/// Joins the events of Anthropic's Messages into the body that the API sends without streaming.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <map>
#include <string>

#include "replay/joined_members.hpp"

namespace citestream::replay {

/// One message. Add the payloads of all its events, then call json().
class message_answer {
 public:
  /// Returns true if \p root shows that the stream has this form.
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json();

 private:
  /// One block: its first event, and what its deltas add.
  struct block {
    joined_members own;
    std::map<std::string, std::string> texts;  ///< `text`, `thinking`, `signature`
    std::string input;                         ///< JSON of a tool call
    std::string citations;

    void add(json_value delta);
    [[nodiscard]] std::string json();
  };

  void set_all(json_value from, joined_members& to);

  joined_members message_;
  joined_members usage_;
  std::map<std::int64_t, block> blocks_;
};

}  // namespace citestream::replay
