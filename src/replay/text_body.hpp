/// \file
/// Joins the events of answers that are one text: those of Titan and Llama, and of graph questions.
#pragma once

#include <citestream/chunk/document.hpp>

#include <string>

#include "replay/joined_members.hpp"

namespace citestream::replay {

/// An answer of Titan or Llama. Add the payloads of all its events, then call json().
class text_answer {
 public:
  /// Returns true if \p root shows that the stream has this form.
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json();

 private:
  joined_members top_;
  std::string text_;
  std::string prompt_{"0"};  ///< number of its tokens
  bool titan_{};
};

/// An answer to a graph question. Used like text_answer.
class graph_answer {
 public:
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json();

 private:
  joined_members top_;
  std::string text_;
};

}  // namespace citestream::replay
