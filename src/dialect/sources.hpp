/// \file
/// Sources as servers and people write them down: one reader for a list at the top level of a payload and for
/// a file of references known beforehand.
///
/// A source is an object or a text. Of an object are read, the first that is there of:
///   - title: `title` `name` `filename` `document_name` `filepath`, else a `source` that is no web address
///   - text: `text` `content` `snippet` `page_content` `description`, else the texts in the list `snippets`
///   - url: `url` `source` `uri`
///   - page: `page` `page_number`
///   - id: `id` `doc_id` `document_id` `file_id` `fileId` `chunk_id` `key` `cite`
///   - what markers call it besides: `cite` `key`
///   - `score`, and `type`: one of the names of `source_type`
///
/// What the object lacks is looked for in its `metadata`. Numbers as ids are taken as they are written.
/// A page and a score may be written as texts. Without a type, a web address makes a page on the web, a
/// file's id a file, all else a document. A text alone is an address, or else what the source says; where it
/// is short (80 bytes) and one line, also its title.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <cstdint>
#include <string_view>

namespace citestream {

/// Whether \p entry is a text that is not empty, or an object that says what it is: with a title, an address
/// or a text.
[[nodiscard]] bool is_source(json_value entry) noexcept;

/// Reads one source; \p number: its place in its list, from 1. An object that says nothing gives an empty
/// reference.
[[nodiscard]] reference read_source(json_value entry, std::int64_t number);

/// The first entry of the first list of sources in \p root called `references`, `citations` or `sources`: a
/// list, or an object with the list as its member `results`. Missing where there is none that starts with a
/// source.
[[nodiscard]] json_value first_source(json_value root) noexcept;

/// The same, if the list belongs to an answer: it is next to `choices`, or \p root is an event of its own
/// that brings objects before the answer. Missing otherwise: other protocols have members of these names,
/// too.
[[nodiscard]] json_value first_source_of_answer(json_value root, payload_kind kind) noexcept;

}  // namespace citestream
