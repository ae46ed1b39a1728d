/// \file
/// Sources in the forms in which servers and people write them. One reader is used for a list at the top
/// level of a payload and for a file of references known beforehand.
///
/// A source is an object or a text. These members of an object are read; of each line, the first that is
/// present:
///   - title: `title` `name` `filename` `file_name` `document_name` `filepath` `file_path`, else a `source`
///     or a URL that is not an address on the web
///   - text: `text` `content` `snippet` `page_content` `description` `body` `chunk`, else the texts in the
///     list `snippets`
///   - url: `url` `uri` `link` `href` `source`
///   - page: `page_label` `page_number` `page`, the first that is a whole number from 1
///   - id: `id` `id_` `doc_id` `document_id` `file_id` `fileId` `chunk_id` `node_id` `key` `cite`
///   - another name by which markers cite it: `cite` `key`
///   - `score`, and `type`: one of the names of `source_type`
///
/// Members that the object lacks are read from its `metadata` or `meta`, then from its `node` and the
/// `metadata` or `meta` of that. Numbers as ids are copied as they are written. A page and a score may be
/// texts. Without a `type`, a source with a web URL is a page on the web, one with a file id is a file, and
/// everything else is a document. A source that is a text is a URL or the content of the source; if it is one
/// line of at most 80 bytes, it is also the title.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace citestream {

/// Names of lists of sources at the top level of a payload, in the order in which they are tried.
inline constexpr std::string_view source_list_names[] = {
    "references", "sources", "citations", "source_documents", "source_nodes", "documents", "context"};
/// The names that only answers use.
inline constexpr std::span answer_list_names = std::span(source_list_names).first<5>();

/// Returns true if \p entry is a text that is not empty, or an object with a title, a URL or a text.
[[nodiscard]] bool is_source(json_value entry) noexcept;

/// Reads one source. \p number: its place in its list, from 1. An object without usable members gives an
/// empty reference.
[[nodiscard]] reference read_source(json_value entry, std::int64_t number);

/// Maximum number of sources of one list. Reading all those of a list that fills an event would take 300
/// times its size. One more than the default limit of an answer, so that the limit is seen to be exceeded.
inline constexpr std::size_t max_sources = limits{}.max_references + 1;

/// Reads the first max_sources of a list. The number of a source is its place in the list, from 1. If all
/// sources have a number from 1 in `index`, or in `number`, and no two have the same, that is their number.
[[nodiscard]] std::vector<reference> read_sources(json_value list);

/// The first source in a list; missing if it has none, or is not a list. Other elements are skipped.
[[nodiscard]] json_value first_source(json_value list) noexcept;

/// The first list in \p root that has one of \ref source_list_names and a source: a list, or an object with
/// the list as its member `results`. Lists of objects are preferred to lists of texts, which count in
/// `documents` and `context` only next to a text named `answer`. May be missing.
[[nodiscard]] json_value source_list(json_value root) noexcept;

/// The same, but only if the list belongs to an answer: it is next to `choices`, or \p root is a separate
/// event that brings sources before the answer. Missing otherwise, because other protocols have members of
/// these names too: next to others, `documents` and `context` do not count.
[[nodiscard]] json_value source_list_of_answer(json_value root, payload_kind kind) noexcept;

}  // namespace citestream
