/// \file
/// References: the things that answers cite, as providers send them.
#pragma once

#include <citestream/base/version.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What kind of thing a reference is.
enum class source_type : std::uint8_t {
  file,           ///< an uploaded file (Writer Knowledge Graph)
  web,            ///< a page on the web
  document,       ///< a retrieved document (Azure On Your Data, RAG servers)
  agent,          ///< another agent's output
  search_result,  ///< a search result that the request gives the model (Anthropic, Bedrock Converse)
  tool,           ///< the result of a tool call (Cohere)
  place,          ///< a place on a map (Gemini)
};

/// "file", "web", "document", "agent", "search_result", "tool" or "place".
[[nodiscard]] std::string_view name(source_type type) noexcept;

/// What a position in a source counts.
enum class source_unit : std::uint8_t {
  character,  ///< "char"
  page,
  block,
  chunk,
};

/// "char", "page", "block" or "chunk".
[[nodiscard]] std::string_view name(source_unit unit) noexcept;

/// A part of a source, as its provider counts.
struct source_span {
  source_unit unit{};    ///< what is counted
  std::int64_t start{};  ///< the first one
  std::int64_t end{};    ///< exclusive
  std::int64_t base{};   ///< the number of the first one in the source: 0, or 1 for pages

  friend bool operator==(const source_span&, const source_span&) = default;  ///< member by member
};

/// What a request gives the model to cite. Providers count each kind on its own.
enum class request_part : std::uint8_t { document, search_result };

/// A place in a request.
struct request_place {
  request_part part{};   ///< what is counted
  std::int64_t index{};  ///< from 0, in the order of the request

  friend bool operator==(const request_place&, const request_place&) = default;  ///< member by member
};

/// One reference. Strings are owned, UTF-8, and empty if the provider sent nothing.
struct reference {
  source_type type{source_type::document};  ///< as stated by the provider, or implied by its dialect
  std::string id;                           ///< the provider's id: Writer `fileId`, a key, a chunk id
  std::string cite;             ///< another identifier by which markers cite it (Writer `cite`); may be empty
  std::string title;            ///< title or file name
  std::string url;              ///< unchanged, not normalized
  std::string text;             ///< the snippet; for a tool result, all of it
  std::optional<double> score;  ///< higher is better; its scale is the provider's
  std::optional<std::int64_t> page;    ///< from 1
  std::optional<std::int64_t> number;  ///< its place in the provider's list, from 1, for numeric markers
  std::string tool;                    ///< for a tool result: the name of the tool
  std::string tool_call_id;            ///< for a tool result: the id of the call
  std::string file_path;               ///< the file that a tool result or a document names
  std::string uses;  ///< for an agent's output: the keys made from content in it, separated by blanks
  std::vector<std::string> excerpts;  ///< what a provider's citation quotes from it
  std::optional<source_span> span;    ///< where in it
  /// Where the request has it, or the source that it is a part of.
  std::optional<request_place> requested;
  bool citable{};         ///< the request asks for citations of it in the provider's form
  std::string container;  ///< id of the container that a file is in
  std::string opaque;     ///< what only the provider understands: a JSON object

  friend bool operator==(const reference&, const reference&) = default;  ///< member by member
};

/// The part of a reference's text that is shown: its first 200 code points.
[[nodiscard]] std::string_view snippet(std::string_view text) noexcept;

}  // namespace citestream
