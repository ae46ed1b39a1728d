// How retrieved documents are read. They come in two shapes, a list of objects or the columns of a vector
// store (a list of texts, one of metadata and so on), which are read into the same struct. Each source and
// collection is listed once, and each page is cited once, with its first title and date. The time is linear.
#include "retrieved_documents.hpp"

#include <citestream/style/style.hpp>

#include <algorithm>
#include <initializer_list>
#include <unordered_map>
#include <unordered_set>

#include "base/web_url.hpp"
#include "dialect/payload_parts.hpp"
#include "document_values.hpp"

namespace citestream::tools {
namespace {

/// Returns the first value that is not empty, first from the object, then from its metadata.
[[nodiscard]] std::string_view text_of(json_value object, json_value metadata,
                                       std::initializer_list<std::string_view> keys) {
  const std::string_view own = first_text(object, keys);
  return own.empty() ? first_text(metadata, keys) : own;
}

/// Returns the date as written, or its raw JSON if it is not a string.
[[nodiscard]] std::string_view date_of(json_value object, json_value metadata) {
  for (const json_value& where : {object, metadata}) {
    for (const std::string_view key : {"published_date", "date"}) {
      const json_value date = where[key];
      if (!date || date.is_null()) continue;
      if (!date.is_string()) return date.raw();
      if (!date.string().empty()) return date.string();
    }
  }
  return {};
}

[[nodiscard]] retrieved_document document_from(json_value object, json_value metadata) {
  retrieved_document out;
  out.readable = object.is_object();
  out.collection = text_of(object, metadata, {"collection"});
  out.title = text_of(object, metadata, {"title"});
  out.published_date = date_of(object, metadata);
  out.text = text_of(object, metadata, {"document", "text", "content", "snippet"});
  const bool web = out.collection == "web_search";
  out.source =
      web ? text_of(object, metadata, {"source", "url"}) : text_of(metadata, object, {"source", "url"});
  out.url = text_of(object, metadata, {"url", "uri"});
  // Some search engines write the publisher as the source: "source":"PCMag".
  if (web && !is_web_url(out.source) && is_web_url(out.url)) out.source = out.url;
  if (out.url.empty() && (out.is_web() || is_web_url(out.source))) out.url = out.source;
  return out;
}

void read_list(json_value list, std::vector<retrieved_document>& out) {
  for (json_value each = list.first(); each; each = each.next()) out.push_back(read_document(each));
}

/// Reads ChromaDB's columns: the text and the metadata of a document have the same index.
void read_columns(json_value texts, json_value metadatas, std::string_view collection,
                  std::vector<retrieved_document>& out) {
  json_value text = texts.first();
  json_value metadata = metadatas.first();
  while (text || metadata) {
    if (text.is_array() || metadata.is_array()) {  // one list for each query
      read_columns(text, metadata, collection, out);
    } else {
      retrieved_document found = document_from(metadata, {});
      found.readable = true;
      if (text.is_string()) found.text = text.string();
      if (found.collection.empty()) found.collection = collection;
      out.push_back(std::move(found));
    }
    text = text.next();
    metadata = metadata.next();
  }
}

/// Appends texts that are not in the list yet.
class distinct_list {
 public:
  explicit distinct_list(std::vector<std::string>& out) : out_(out) {}
  bool add(std::string text) {
    if (text.empty() || !known_.insert(text).second) return false;
    out_.push_back(std::move(text));
    return true;
  }

 private:
  std::vector<std::string>& out_;
  std::unordered_set<std::string> known_;
};

void append_text(std::string_view text, std::string& out) {
  append_inert_markdown(text, text.size(), out);
}

/// Appends \p title as a link to \p url, or as text if \p url cannot be linked.
void append_link(std::string_view title, std::string_view url, std::string& out) {
  std::string destination;
  if (!append_link_destination(url, destination)) return append_text(title, out);
  out += '[';
  append_text(title, out);
  out.append("](").append(destination).append(")");
}

/// Returns true if a citation shows the date, because readers recognise it as one.
[[nodiscard]] bool is_shown_date(std::string_view text) noexcept {
  return is_date(text) || is_written_date(text);
}

/// Appends \p word with a capital first letter, or in capitals if it is an acronym.
void append_shown_word(std::string_view word, std::string& out) {
  constexpr std::string_view acronyms[] = {"ai",   "api", "crm",  "css", "csv", "erp", "faq", "gdpr", "hr",
                                           "html", "id",  "json", "kb",  "llm", "pdf", "qa",  "rfc",  "sdk",
                                           "sku",  "sla", "sql",  "ui",  "url", "usb", "vpn", "xml"};
  for (const std::string_view known : acronyms) {
    const bool plural = word.size() == known.size() + 1 && word.ends_with('s');
    if (word != known && !(plural && word.starts_with(known))) continue;
    for (const char c : known) out += ascii::upper(c);
    if (plural) out += 's';
    return;
  }
  if (!word.empty()) out.append(1, ascii::upper(word.front())).append(word.substr(1));
}

/// The built-in names.
const collection_names& usual_collection_names() {
  static const collection_names names{{"catalog", "Product Catalog"},
                                      {"faq", "FAQ"},
                                      {"troubleshooting", "Troubleshooting Guide"},
                                      {"web_search", "Web Search"}};
  return names;
}

/// Returns the display name of a collection: from \p names, or else from the built-in names, or else its
/// words capitalised (`user_manual` becomes `User Manual`, `customer_faq` becomes `Customer FAQ`).
std::string display_name(std::string_view collection, const collection_names& names) {
  for (const collection_names* list : {&names, &usual_collection_names()}) {
    for (const auto& [name, shown] : *list) {
      if (name == collection) return shown;
    }
  }
  std::string out;
  while (!collection.empty()) {
    const std::size_t end = std::min(collection.find_first_of("_- "), collection.size());
    append_shown_word(collection.substr(0, end), out);
    if (end < collection.size()) out += ' ';
    collection.remove_prefix(std::min(end + 1, collection.size()));
  }
  return out;
}

[[nodiscard]] std::string formatted(const retrieved_document& from, const collection_names& names) {
  std::string out;
  if (!from.is_web()) {
    append_text(from.collection.empty() ? from.source : display_name(from.collection, names), out);
    return out;
  }
  append_link(from.title.empty() ? from.source : from.title, from.source, out);
  if (!out.empty() && is_shown_date(from.published_date)) {
    out += " (";
    append_text(from.published_date, out);
    out += ')';
  }
  return out;
}

/// The cited documents, with each page once. If several documents are from one page, the first title and the
/// first date are used.
class cited_documents {
 public:
  void add(const retrieved_document& from) {
    if (!from.is_web() || from.source.empty())
      return cited_.push_back({&from, from.title, from.published_date});
    const auto [known, is_new] = pages_.try_emplace(from.source, cited_.size());
    if (is_new) return cited_.push_back({&from, from.title, from.published_date});
    entry& first = cited_[known->second];
    if (first.title.empty()) first.title = from.title;
    if (!is_shown_date(first.date)) first.date = from.published_date;
  }

  [[nodiscard]] std::vector<std::string> formatted_by(const collection_names& names) const {
    std::vector<std::string> out;
    distinct_list distinct(out);
    for (const entry& each : cited_) {
      retrieved_document shown = *each.from;
      shown.title = each.title;
      shown.published_date = each.date;
      distinct.add(formatted(shown, names));
    }
    return out;
  }

 private:
  struct entry {
    const retrieved_document* from{};
    std::string_view title;
    std::string_view date;
  };
  std::vector<entry> cited_;
  std::unordered_map<std::string_view, std::size_t> pages_;  ///< address to index in cited_
};

[[nodiscard]] std::vector<std::string_view> missing_of(const retrieved_document& from) {
  std::vector<std::string_view> out;
  if (!from.readable) return {"document"};
  if (from.collection.empty()) out.emplace_back("collection");
  if (from.source.empty()) out.emplace_back(from.is_web() ? "source" : "metadata.source");
  if (from.is_web() && from.title.empty()) out.emplace_back("title");
  return out;
}

}  // namespace

bool retrieved_document::is_web() const noexcept {
  return collection == "web_search" || (collection.empty() && is_web_url(source));
}

retrieved_document read_document(json_value entry) {
  return document_from(entry, entry["metadata"]);
}

bool read_documents(json_value value, std::vector<retrieved_document>& out) {
  if (value.is_array()) {
    read_list(value, out);
    return true;
  }
  const json_value documents = value["documents"];
  const json_value metadatas = value["metadatas"];
  if (metadatas.is_array() ||
      (documents.is_array() && !documents.first().is_object() && !documents.empty())) {
    read_columns(documents, metadatas, value["collection"].string(), out);
    return true;
  }
  if (!documents.is_array()) return false;
  read_list(documents, out);
  return true;
}

source_listing list_sources(std::span<const retrieved_document> documents, const collection_names& names) {
  source_listing out;
  distinct_list sources(out.sources);
  distinct_list collections(out.collections);
  cited_documents cited;
  bool any_web = false;
  bool any_other = false;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const retrieved_document& each = documents[i];
    incomplete_document lacks{i, missing_of(each), each.readable && each.published_date.empty()};
    if (lacks.undated || !lacks.fields.empty()) out.incomplete.push_back(std::move(lacks));
    if (!each.readable) continue;
    const bool any = !each.source.empty() || !each.collection.empty() || !each.text.empty();
    if (any) (each.is_web() ? any_web : any_other) = true;
    if (sources.add(each.source)) out.source_types.emplace_back(each.is_web() ? "web" : "chromadb");
    collections.add(each.collection);
    cited.add(each);
  }
  out.citations = cited.formatted_by(names);
  if (any_web || any_other) {
    out.citation_format = any_web && any_other ? "mixed" : any_web ? "web_urls" : "internal_kb";
  }
  return out;
}

}  // namespace citestream::tools
