/// \file
/// References: the things cited, as providers send them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

/// What kind of thing a reference is.
enum class source_type : std::uint8_t {
  file,      ///< an uploaded file (Writer Knowledge Graph)
  web,       ///< a page on the web
  document,  ///< a retrieved document (Azure On Your Data, RAG servers)
  agent,     ///< another agent's output
};

/// "file", "web", "document" or "agent".
[[nodiscard]] std::string_view name(source_type type) noexcept;

/// One reference. Strings are owned, UTF-8, and empty where the provider sent nothing.
struct reference {
  source_type type{source_type::document};  ///< as the provider says it, or its dialect implies
  std::string id;                           ///< the provider's id: Writer `fileId`, a key, a chunk id
  std::string cite;   ///< what a marker's identifier says to mean this (Writer `cite`); empty: not cited
  std::string title;  ///< title or file name
  std::string url;    ///< as it came, not normalised
  std::string text;   ///< the snippet; of a tool result all of it
  std::optional<double> score;         ///< higher is better; its scale is the provider's
  std::optional<std::int64_t> page;    ///< from 1
  std::optional<std::int64_t> number;  ///< its place in the provider's list, from 1, for numeric markers
  std::string tool;                    ///< of a tool result: the tool that gave it
  std::string tool_call_id;            ///< of a tool result: the call that it answers
  std::string file_path;               ///< of a tool result: the file that it names

  friend bool operator==(const reference&, const reference&) = default;  ///< member by member
};

/// What is shown of a reference's text: its first 200 code points, a view, never cut inside one.
[[nodiscard]] std::string_view snippet(std::string_view text) noexcept;

}  // namespace citestream
