/// \file
/// Joins the lines of an answer of Ollama into the body that its API sends without streaming.
#pragma once

#include <citestream/chunk/document.hpp>

#include <map>
#include <string>
#include <string_view>

#include "replay/joined_members.hpp"

namespace citestream::replay {

/// An object of the lines. Texts and tool calls are joined. Each other member has its most informative value
/// (joined_members).
class joined_lines {
 public:
  void add(json_value line);
  /// Sets \p key to \p raw. Later lines do not replace it.
  void set(std::string_view key, std::string raw);
  [[nodiscard]] std::string json();

 private:
  joined_members own_;
  std::map<std::string, std::string> texts_;
  std::string calls_;  ///< comma-separated JSON
};

/// An answer to a request that continues a text, in `response`. Add all its lines, then call json().
class ollama_generate_answer {
 public:
  /// Returns true if \p root shows that the answer has this form.
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json() { return line_.json(); }

 private:
  joined_lines line_;
};

/// An answer in a chat, in `message`. Used like ollama_generate_answer.
class ollama_chat_answer {
 public:
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json();

 private:
  joined_lines line_;
  joined_lines message_;
};

}  // namespace citestream::replay
