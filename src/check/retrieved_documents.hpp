/// \file
/// The sources of an answer, from the documents that were retrieved for it.
///
/// Two kinds of documents are understood, in one list or mixed: records of a vector store such as ChromaDB
/// (`{"document","collection","metadata":{"source"}}`) and results of a web search
/// (`{"document","collection": "web_search","source","title","author","published_date"}`).
///
/// \code
///   citestream::document parsed;
///   std::vector<citestream::retrieved_document> documents;
///   if (!parsed.parse(json) && citestream::read_documents(parsed.root(), documents)) {
///     append_sources_json(citestream::list_sources(documents), out);
///   }  // else it is no JSON, or holds no list of documents
/// \endcode
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace citestream {

/// One document as it was retrieved. Strings are empty where nothing was said.
struct retrieved_document {
  bool readable{true};         ///< false: the entry of the list was no object
  std::string collection;      ///< the vector store's, or `web_search`
  std::string source;          ///< a file name, or the URL of a page
  std::string url;             ///< the address that it gives, beside or as its source
  std::string title;           ///< of a page
  std::string author;          ///< as written
  std::string published_date;  ///< as written; of what is no text, its JSON
  std::string text;            ///< what was retrieved of it

  /// Of collection `web_search`, or of none and with a web address for a source.
  [[nodiscard]] bool is_web() const noexcept;
};

/// Appends the documents of \p value: a list of objects, the same under `documents`, or what ChromaDB gives
/// for a query or a get (`{"ids","documents","metadatas"}`, each a list, or one list for each query). Of an
/// object are read: `collection`, `source` (also `url`), `url` (also `uri`), `title`, `author`,
/// `published_date` (also `date`), `document` (also `text`, `content`, `snippet`), each also inside
/// `metadata`, which comes first for the `source` of what is not from the web. \return false where it is none
/// of these
[[nodiscard]] bool read_documents(json_value value, std::vector<retrieved_document>& out);

/// One object of such a list.
[[nodiscard]] retrieved_document read_document(json_value entry);

/// Whether \p text is a date of ISO 8601: a year (1000 to 2999), a month or a day, `2024-03-15` or
/// `20240315`, the day with a time of day or not.
[[nodiscard]] bool is_date(std::string_view text) noexcept;

/// What a document lacks, by the names that it has in JSON.
struct missing_fields {
  std::size_t document{};                ///< index in the list
  std::vector<std::string_view> fields;  ///< `document`: it is no object; static
};

/// The sources of a list of documents.
struct source_listing {
  std::vector<std::string> sources;            ///< distinct, in order of appearance
  std::vector<std::string_view> source_types;  ///< of each source: `web` or `chromadb`
  std::vector<std::string> collections;        ///< distinct, in order of appearance
  std::string_view citation_format;            ///< `internal_kb`, `web_urls` or `mixed`; empty: nothing read
  /// Distinct, in order of appearance, Markdown that shows the text and nothing else. A page is
  /// `[Title](URL)`, with ` (2024-03-15)` where the date is known and reads as one; of documents from one
  /// page the first title and date count; only http and https become links. Other documents are the display
  /// name of their collection.
  std::vector<std::string> citations;
  /// Documents without `source` or `collection`, pages without `title`.
  std::vector<missing_fields> missing;
  std::vector<std::size_t> undated;  ///< indexes of pages whose `published_date` is none (\ref is_date)
};

/// Display names of collections that have one of their own: `{"catalog", "Product Catalog"}`.
using collection_names = std::vector<std::pair<std::string, std::string>>;

/// The names known without being told: `catalog`, `faq`, `troubleshooting`, `web_search`.
[[nodiscard]] const collection_names& usual_collection_names();

/// The display name of a collection: the one in \p names, else the usual one, else its words with capitals
/// (`user_manual` becomes `User Manual`, `customer_faq` `Customer FAQ`).
[[nodiscard]] std::string display_name(std::string_view collection, const collection_names& names = {});

/// Lists what \p documents come from. \p names outrank the usual display names of collections.
[[nodiscard]] source_listing list_sources(std::span<const retrieved_document> documents,
                                          const collection_names& names = {});

/// Whether a vector store would take that name: 3 to 512 letters, digits, dots, underscores and hyphens, the
/// first and the last a letter or a digit (ChromaDB, "Collection naming").
[[nodiscard]] bool is_collection_name(std::string_view name) noexcept;

/// Appends `{"sources","collections_used","source_types","citation_format","formatted_citations","missing"}`;
/// `missing` has `{"document":2,"fields":["title"]}` for each document that lacks something.
/// `citation_format` is null without documents.
void append_sources_json(const source_listing& listing, std::string& out);

}  // namespace citestream
