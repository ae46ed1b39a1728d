/// \file
/// Lists the sources of an answer from the documents that were retrieved for it.
///
/// Understands two kinds of documents, which one list may mix: records of a vector store such as ChromaDB
/// (`{"document","collection","metadata":{"source"}}`) and results of a web search
/// (`{"document","collection": "web_search","source","title","published_date"}`).
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace citestream::tools {

/// One retrieved document. Strings are empty if the document does not have the field.
struct retrieved_document {
  bool readable{true};         ///< false if the entry of the list is not an object
  std::string collection;      ///< the vector store's, or `web_search`
  std::string source;          ///< a file name, or the URL of a page
  std::string url;             ///< its address, which may equal `source`
  std::string title;           ///< of a page
  std::string published_date;  ///< as written; the raw JSON if it is not a string
  std::string text;            ///< the retrieved passage

  /// Returns true if the collection is `web_search`, or empty and the source is a web address.
  [[nodiscard]] bool is_web() const noexcept;
};

/// Appends the documents of \p value: a list of objects, an object with such a list in `documents`, or
/// ChromaDB's response to a query or get (`{"ids","documents","metadatas"}`, each a list, or one list per
/// query). The fields of an object are `collection`, `source` (or `url`), `url` (or `uri`), `title`,
/// `published_date` (or `date`) and `document` (or `text`, `content`, `snippet`). Each may be
/// inside `metadata` instead, which has precedence for the `source` of documents that are not from the web.
/// \return false if \p value is none of these
[[nodiscard]] bool read_documents(json_value value, std::vector<retrieved_document>& out);

/// Reads one object of such a list.
[[nodiscard]] retrieved_document read_document(json_value entry);

/// A document that lacks fields.
struct incomplete_document {
  std::size_t document{};  ///< index in the list
  /// The required ones that it lacks, by their names in JSON: `source` and `collection`, of a page also
  /// `title`; `document` if the entry is not an object. Static storage.
  std::vector<std::string_view> fields;
  bool undated{};  ///< it also lacks `published_date`
};

/// The sources of a list of documents.
struct source_listing {
  std::vector<std::string> sources;            ///< distinct, in order of appearance
  std::vector<std::string_view> source_types;  ///< of each source: `web` or `chromadb`
  std::vector<std::string> collections;        ///< distinct, in order of appearance
  std::string_view citation_format;  ///< `internal_kb`, `web_urls` or `mixed`; empty without documents
  /// Distinct, in order of appearance, as Markdown in which the text is escaped. A page is `[Title](URL)`,
  /// followed by ` (2024-03-15)` if its date is known and looks like a date. If several documents are from
  /// one page, the first title and the first date are used. Only http and https URLs become links. Other
  /// documents are listed by the display name of their collection.
  std::vector<std::string> citations;
  std::vector<incomplete_document> incomplete;
};

/// Display names of collections: `{"catalog", "Product Catalog"}`.
using collection_names = std::vector<std::pair<std::string, std::string>>;

/// Lists the sources of \p documents. \p names have precedence over the built-in names of collections.
[[nodiscard]] source_listing list_sources(std::span<const retrieved_document> documents,
                                          const collection_names& names = {});

}  // namespace citestream::tools
