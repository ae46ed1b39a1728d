/// \file
/// Joins the events of an interaction of Gemini into the body that the API sends without streaming.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <map>
#include <string>

#include "replay/joined_members.hpp"

namespace citestream::replay {

/// One interaction. Add the payloads of all its events, then call json().
class interaction_answer {
 public:
  /// Returns true if \p root shows that the stream has this form.
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json();

 private:
  struct step {
    joined_members own;
    std::string text;
    std::string annotations;  ///< comma-separated JSON
    bool has_text{};

    void add(json_value delta);
    [[nodiscard]] std::string json();
  };

  joined_members top_;
  std::map<std::int64_t, step> steps_;
};

}  // namespace citestream::replay
