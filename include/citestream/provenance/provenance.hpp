/// \file
/// Provenance: a request's tool results become sources with keys, and the model is told to cite them.
///
/// A chat request has the results of tools in its messages or items. Each one gets the line `[REF|d_1]` above
/// its content: `d_` for data that a tool read, `a_` for the output of another agent, with one counter for
/// both, in their order. The answer's markers (`ref_grammar`) are then resolved
/// with the references that this adds. Everything else in the body is unchanged, byte for byte.
///
/// \code
///   citestream::session_options options;
///   std::string request;
///   if (!citestream::add_provenance(body, {}, request, options.references)) {
///     options.provenance = true;  // `[REF|d_1]` is a marker, and a summary by key is added
///     ask(request, citestream::session(options));
///   }
/// \endcode
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/base/status.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// How a tool result gets its key.
enum class provenance_keys : std::uint8_t {
  counter,  ///< its number in the request: `d_1`
  /// Made from the whole result: `d_3f9a2c`. It stays the same when older messages are removed from the
  /// history, and so do prompt caches. Equal results share a key. A result whose key another one has gets
  /// more digits.
  content,
};

/// Options of add_provenance().
struct provenance_options {
  /// Names of the tools whose results get keys. Empty: all.
  std::vector<std::string> tools;
  /// Names of the tools whose results are the output of another agent. A result that is a JSON object with
  /// `"source_type":"agent"` or `"type":"agent"` is one without being named.
  std::vector<std::string> agent_tools;
  provenance_keys keys{provenance_keys::counter};  ///< how results get their keys
  /// Whether to add \ref citation_instructions to the system prompt.
  bool instructions{true};
  limits bounds{};  ///< only `max_body_bytes` and `max_json_depth` are used
};

/// Instructions for the model: when to cite and when not to, `d_` before `a_`, no invented keys, not twice.
/// Static storage.
[[nodiscard]] std::string_view citation_instructions() noexcept;

/// Appends the request \p body to \p out with a header above each tool result, and its sources to
/// \p references, in the order of their keys: the first has the key `d_1` or `a_1`.
///
/// Each source has `type`; `cite`, its key; `text`, all that the model can read of it, without the header;
/// `tool` and `tool_call_id`; a `title`, never empty; and `file_path` and `url` if the result, or else the
/// call's arguments, are JSON that names one. If it is the output of an agent, `uses` has the keys of its
/// `[REF|…]` tags that are made from content, at most 64: results that the agent has cited. They are not
/// verified.
///
/// Requests of chat completions, OpenAI Responses, Anthropic, Gemini and its Interactions, Cohere, Ollama,
/// Bedrock Converse and AG-UI are read. A tool result is a string, a list with a text part, or an object. An
/// object's text is its `output` or `result`; if neither is a string, the object gets its key as the member
/// `citestream_key`. Its call is the nearest preceding one with the same id. `[REF|…]` tags in results, with
/// or without a key, and in documents are removed first, so the model sees keys of this request only, and
/// rewriting a body twice is the same as rewriting it once. If there is a source, the instructions are added
/// once to the system prompt, or become the system prompt.
///
/// Do not use this on a request with a signature over its body, such as AWS Signature Version 4.
///
/// A body without tool results is appended unchanged. Errors: \ref errc::body_too_large,
/// \ref errc::invalid_json, \ref errc::json_too_deep, \ref errc::duplicate_key (receivers may differ in which
/// of two values they use). On an error the body is appended unchanged, and no source.
status add_provenance(std::string_view body, const provenance_options& options, std::string& out,
                      std::vector<reference>& references);

/// Appends \p text without its `[REF|…]` tags to \p out: `[REF|`, then up to 506 bytes other than brackets
/// and line breaks, then `]`. If the first line has nothing but tags, its line break is removed too. The
/// result contains no tag, not even one that is formed by removing another.
void strip_provenance_tags(std::string_view text, std::string& out);

/// Appends the documents and search results that the request \p body gives the model to \p out, in their
/// order, for \ref session_options::references. The body does not have to be changed for that.
///
/// | protocol | read |
/// |---|---|
/// | Anthropic | `document` and `search_result` blocks, also those in a `tool_result` |
/// | Cohere, and chat completions with `documents` | `documents`, `document` parts of tool results |
/// | Bedrock Converse | `document` and `searchResult`, also those in a `toolResult` |
/// | OpenAI Responses and chat completions | `input_file` and `file` parts |
/// | OpenAI Responses | tool results: each element of a JSON list of sources |
/// | Gemini and its Interactions | `fileData` and `inlineData`, `document` items |
///
/// Each has `number`, counted from 1 over all of them; `requested`; and `title`, `cite` (the title, by which
/// markers may name it), `id`, `url` and `text` as far as they are known. `span` says which part of the
/// source `text` is, if the protocol cites by characters or blocks. Results of tools have no number, but
/// `tool`, `tool_call_id` and as `cite` their place: `turn0search1` is the second source of the first round
/// of calls. They are not listed as uncited. Of data in base64, only `text/plain` is read. Texts take at most
/// half of `max_reference_bytes`; further ones are left out.
///
/// Errors: those of \ref add_provenance; nothing is appended then.
status read_request_references(std::string_view body, std::vector<reference>& out, const limits& bounds = {});

/// Returns true if the request \p body asks for an answer that is JSON for a program ("structured output",
/// "JSON mode"), in any protocol. Such an answer is not prose: see \ref session_options::keep_answers. A
/// body that cannot be read does not ask for it.
[[nodiscard]] bool requests_json(std::string_view body, const limits& bounds = {});

/// Removes added citations from the history of a request to Anthropic, Cohere or Bedrock Converse.
///
/// Appends the request \p body to \p out without those citations of the assistant's messages that have an
/// empty `encrypted_index`, `"citestream":true` or, in Converse, a page without `domain`: a session adds such
/// citations to answers. Nothing else changes. The body may also be a batch of requests
/// (`requests[].params`), or ask Bedrock for the number of tokens of one (`input.converse`).
///
/// Errors: those of \ref add_provenance; the body is then appended unchanged.
status remove_own_citations(std::string_view body, std::string& out, const limits& bounds = {});

/// Requests inline citations from Writer (Writer's API, "Configure Knowledge Graph query parameters").
///
/// Appends the request \p body to \p out with `"inline_citations":true` in the `query_config` of each graph
/// tool (`tools[]` with the type `graph`), and of the body itself if it is a question to a Knowledge Graph
/// (it has `graph_ids` and `question`). A missing or null `query_config` is created. An existing value is
/// kept, even `false`. Nothing else changes.
///
/// Errors: those of \ref add_provenance; the body is then appended unchanged.
status add_inline_citations(std::string_view body, std::string& out, const limits& bounds = {});

}  // namespace citestream
