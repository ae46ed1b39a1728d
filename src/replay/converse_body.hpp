/// \file
/// Joins the events of Bedrock's Converse, and those of Nova, into the body that the API sends without
/// streaming.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "replay/joined_members.hpp"

namespace citestream::replay {

/// An answer of Converse: its blocks by index, and what the last messages say. Add the payloads of all its
/// events, then call json().
class converse_answer {
 public:
  /// Returns true if \p root shows that the stream has this form.
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  /// Adds an event to a block other than its own.
  void add_to(std::int64_t index, json_value root);
  [[nodiscard]] std::string json();

 private:
  struct block {
    std::string text;
    std::string citations;
    std::string input;
    joined_members tool;

    void add(json_value root);
    void append(std::string& list);
  };

  joined_members top_;
  std::map<std::int64_t, block> blocks_;
};

/// An answer of Nova: events of Converse, each in an object such as `{"contentBlockDelta":{…}}`. Each token
/// may have a block of its own, so texts are joined until a block of another kind begins. Used like
/// converse_answer.
class nova_answer {
 public:
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json() { return events_.json(); }

 private:
  converse_answer events_;
  std::optional<std::int64_t> text_;  ///< the block to which texts are added
};

}  // namespace citestream::replay
