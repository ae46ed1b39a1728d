/// \file
/// Provenance: a request's tool results become sources with keys, and the model is told to cite them.
///
/// A chat request (OpenAI's form, Writer's too) carries the results of tools as messages. Each is given the
/// line `[REF|d_1]` above its content, `d_` for data that a tool read, `a_` for the output of another agent,
/// numbered from one counter in the order of the messages. The answer's markers (`ref_grammar`) then resolve
/// against the registry that this makes. Everything else in the body stays byte for byte as it came.
///
/// \code
///   citestream::provenance_registry registry;
///   std::string request;
///   if (!citestream::add_provenance(body, {}, request, registry)) {
///     citestream::session_options options;
///     options.references = registry.references;
///     options.provenance = true;  // `[REF|d_1]` is a marker, and a summary by key is added
///     ask(request, citestream::session(options));
///   }
/// \endcode
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/base/status.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What add_provenance() is to do.
struct provenance_options {
  /// Names of the tools whose results are the output of another agent. A result says so itself where it is a
  /// JSON object with `"source_type":"agent"` or `"type":"agent"`.
  std::vector<std::string> agent_tools;
  /// Whether \ref citation_instructions goes into the system prompt.
  bool instructions{true};
  limits bounds{};  ///< of these `max_body_bytes` and `max_json_depth`
};

/// The sources of one request, in the order of their keys. Of each are known: `cite`, its key; `text`, the
/// content as the model sees it without its header; `tool` and `tool_call_id`; `title`, which is never empty;
/// `file_path` and `url` where the result, or else the call's arguments, are JSON that names one; `type`.
struct provenance_registry {
  std::vector<reference> references;  ///< the first has the key `d_1` or `a_1`
};

/// How to cite: when, when not, `d_` before `a_`, never an invented key, not a second time. Static storage.
[[nodiscard]] std::string_view citation_instructions() noexcept;

/// Appends the request \p body to \p out with a header above each tool result, and sets \p registry.
///
/// A tool result is a message with the role `tool`, or `function` as it was before, whose content is a string
/// or a list with a text part; its call is the nearest one before it with its `tool_call_id`. `[REF|…]` tags
/// in the content are removed first: what the model sees are keys of this request only, and a body rewritten
/// twice is the same as once. The instructions are appended to the first system or developer message; without
/// one, a system message is put first. They are added where there is a source, and once.
///
/// A body without tool results is appended as it is. Errors: \ref errc::body_too_large,
/// \ref errc::invalid_json, \ref errc::json_too_deep, \ref errc::duplicate_key (of two values it is open
/// which one counts); the body is then appended as it is, and \p registry is empty.
status add_provenance(std::string_view body, const provenance_options& options, std::string& out,
                      provenance_registry& registry);

/// Appends \p text without its `[REF|…]` tags to \p out: `[REF|`, then up to 506 bytes other than brackets
/// and line breaks, then `]`. A line break that ends a first line of nothing but tags goes with them. What is
/// left has no tag: not one either that was put together by removing another.
void strip_provenance_tags(std::string_view text, std::string& out);

/// Asks Writer for inline citations (Writer's API, "Configure Knowledge Graph query parameters").
///
/// Appends the request \p body to \p out with `"inline_citations":true` in the `query_config` of each graph
/// tool (`tools[]` with the type `graph`), and of the body itself where it is a question to a Knowledge Graph
/// (it has `graph_ids` and `question`). A `query_config` that is not there, or null, is made; a value that is
/// there stays, `false` too. Nothing else changes.
///
/// Errors: as \ref add_provenance has them; the body is then appended as it is.
status add_inline_citations(std::string_view body, std::string& out, const limits& bounds = {});

}  // namespace citestream
