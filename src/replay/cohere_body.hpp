/// \file
/// Joins the events of a stream of Cohere v2 into the body that the API sends without streaming.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace citestream::replay {

/// One answer of Cohere. Add the payloads of all its events, then call json().
class cohere_answer {
 public:
  /// Returns true if \p root shows that the stream has this form.
  [[nodiscard]] static bool begins(json_value root);
  void add(json_value root);
  [[nodiscard]] std::string json() const;

 private:
  struct block {
    std::string type;
    std::string text;
  };
  struct tool_call {
    std::string id;
    std::string name;
    std::string arguments;
  };
  void add_content(json_value content, block& to);
  void add_call(json_value call, tool_call& to);

  std::string id_;
  std::map<std::int64_t, block> blocks_;
  std::string plan_;
  std::map<std::int64_t, tool_call> calls_;
  std::string citations_;  ///< comma-separated JSON
  std::string end_;        ///< the members of the last event, after commas
};

}  // namespace citestream::replay
