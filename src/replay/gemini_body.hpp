/// \file
/// Joins the chunks of Gemini's `streamGenerateContent` into the body of `generateContent`.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "replay/joined_members.hpp"

namespace citestream::replay {

/// One answer of Gemini. Add the payloads of all its chunks, then call json().
class gemini_answer {
 public:
  /// Returns true if \p root is a chunk of such a stream.
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json();

 private:
  /// Parts that follow each other and are all text, or all thoughts; or one part of another kind.
  struct part {
    joined_members own;
    std::string text;
    bool is_text{};
    bool thought{};
  };
  struct candidate {
    joined_members own;
    joined_members content;
    joined_members grounding;
    std::vector<part> parts;
    std::map<std::string, std::string> lists;  ///< of the grounding: comma-separated JSON

    void add(json_value from);
    void add_part(json_value from);
    void add_grounding(json_value from);
    [[nodiscard]] std::string json();
  };

  joined_members top_;
  std::map<std::int64_t, candidate> candidates_;
};

}  // namespace citestream::replay
