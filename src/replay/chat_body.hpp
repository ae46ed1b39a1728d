/// \file
/// Joins the events of a chat completion, or of a text completion, into the body that APIs send without
/// streaming.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "replay/joined_members.hpp"

namespace citestream::replay {

/// The content of a message: a list of parts if any event has a list, otherwise a string.
class chat_content {
 public:
  void add(json_value content);
  /// The content as JSON; nothing if no event has any. Call it after the last event.
  [[nodiscard]] std::optional<std::string> json();

 private:
  enum class form : std::uint8_t { none, string, list };

  void add_part(json_value part);
  void end_text();
  void append(std::string_view part);

  form form_{};
  std::string text_;   ///< since the last part
  std::string parts_;  ///< comma-separated JSON
};

/// One choice. A text completion has `text` instead of a message.
class chat_choice {
 public:
  void add(json_value choice);
  void append(std::string& out);

 private:
  /// One tool call, whose arguments arrive in pieces.
  struct tool_call {
    joined_members own;
    joined_members function;
    std::string arguments;

    void add(json_value delta);
    void append(std::string& out);
  };

  void add_message(json_value message, bool with_text);

  joined_members own_;
  joined_members message_;
  chat_content content_;
  std::optional<std::string> text_;
  bool has_message_{};
  bool has_delta_{};
  std::map<std::int64_t, tool_call> tool_calls_;
};

/// One answer. Add the payloads of all its events, then call json().
class chat_answer {
 public:
  /// Returns true if \p root shows that the stream has this form.
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json();

 private:
  joined_members top_;
  std::map<std::int64_t, chat_choice> choices_;
};

}  // namespace citestream::replay
