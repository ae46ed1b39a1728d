#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <vector>

#include "base/ascii.hpp"
#include "byte_input.hpp"
#include "check.hpp"
#include "check_text.hpp"
#include "commands.hpp"
#include "document_values.hpp"
#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"

namespace citestream::tools {

namespace {

constexpr std::size_t max_shown_bytes = 1024;

/// An invalid member of a document.
struct bad_member {
  std::size_t document{};
  std::string_view text;
};

/// The invalid members of a list of documents.
struct bad_members {
  std::vector<bad_member> urls;
  std::vector<bad_member> dates;        ///< of pages: not ISO 8601
  std::vector<bad_member> collections;  ///< do not exist
};

bad_members bad_members_of(const std::vector<retrieved_document>& documents,
                           const std::vector<std::string>& known) {
  bad_members out;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const retrieved_document& each = documents[i];
    const auto check = [&](const std::string& text, bool valid, std::vector<bad_member>& to) {
      if (!text.empty() && !valid) to.push_back({i, text});
    };
    if (each.is_web() && each.source != each.url) check(each.source, is_valid_web_url(each.source), out.urls);
    check(each.url, is_valid_web_url(each.url), out.urls);
    if (each.is_web()) check(each.published_date, is_date(each.published_date), out.dates);
    check(each.collection, is_known_collection(each.collection, known), out.collections);
  }
  return out;
}

/// Returns the documents that lack more than their date.
std::vector<incomplete_document> lacking_required(std::vector<incomplete_document> all) {
  std::erase_if(all, [](const incomplete_document& each) { return each.fields.empty(); });
  return all;
}

/// Appends `{"document":2,"fields":["title"]}`.
void append_lacking(std::size_t document, const std::vector<std::string_view>& fields, std::string& out) {
  object_writer object(out);
  object.number("document", document);
  append_json_array(fields, object.key("fields"));
  object.end();
}

/// Appends `[{"document":3,"member":"text"}]`.
void append_bad_members(const member_key& member, const std::vector<bad_member>& found, std::string& out) {
  append_json_array(found, out, [&](const bad_member& each) {
    object_writer object(out);
    object.number("document", each.document);
    object.string(member, each.text);
    object.end();
  });
}

/// Appends `documents[5]: `, the index of a document in the list.
void append_place(std::size_t document, std::string& out) {
  out += "documents[" + std::to_string(document) + "]: ";
}

void append_bad_lines(std::string_view what, const std::vector<bad_member>& found, std::string& out) {
  for (const bad_member& each : found) {
    append_place(each.document, out);
    out.append(what).append(": ");
    append_plain_line(each.text, max_shown_bytes, out);
    out += '\n';
  }
}

void append_text(const source_listing& listing, std::string& out) {
  for (const std::string& each : listing.citations) out += "- " + each + '\n';
  if (listing.citations.empty()) out += "no sources\n";
  for (const incomplete_document& each : lacking_required(listing.incomplete)) {
    append_place(each.document, out);
    out += "no ";
    const char* separator = "";
    for (const std::string_view field : each.fields) {
      out += separator;
      out += field;
      separator = ", ";
    }
    out += '\n';
  }
}

void append_json(const source_listing& listing, const bad_members& bad, bool valid, std::string& out) {
  object_writer object(out);
  append_json_array(listing.sources, object.key("sources"));
  append_json_array(listing.collections, object.key("collections_used"));
  append_json_array(listing.source_types, object.key("source_types"));
  object.key("citation_format") +=
      listing.citation_format.empty() ? "null" : json_string(listing.citation_format);
  append_json_array(listing.citations, object.key("formatted_citations"));
  append_json_array(
      lacking_required(listing.incomplete), object.key("missing"),
      [&](const incomplete_document& each) { append_lacking(each.document, each.fields, out); });
  append_bad_members("url", bad.urls, object.key("invalid_urls"));
  append_bad_members("published_date", bad.dates, object.key("invalid_dates"));
  append_bad_members("collection", bad.collections, object.key("invalid_collections"));
  append_json_array(listing.incomplete, object.key("incomplete"), [&](const incomplete_document& each) {
    std::vector<std::string_view> fields = each.fields;
    if (each.undated) fields.emplace_back("published_date");
    append_lacking(each.document, fields, out);
  });
  object.boolean("valid", valid);
  object.end();
  out += '\n';
}

/// Returns true if a vector store accepts the name: 3 to 512 letters, digits, dots, underscores and hyphens,
/// the first and the last a letter or a digit (ChromaDB, "Collection naming").
bool is_collection_name(std::string_view name) noexcept {
  return name.size() >= 3 && name.size() <= 512 && ascii::is_alphanumeric(name.front()) &&
         ascii::is_alphanumeric(name.back()) && std::ranges::all_of(name, [](char c) {
           return ascii::is_alphanumeric(c) || c == '.' || c == '_' || c == '-';
         });
}

}  // namespace

bool is_known_collection(std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return is_collection_name(name);
  return std::ranges::find(known, name) != known.end();
}

bool check_format(byte_input& input, report_form form, const collection_names& names,
                  const std::vector<std::string>& collections) {
  document parsed;
  if (const status error = parsed.parse(read_all(input))) {
    throw command_error(input.name() + ": " + message_with_place(error));
  }
  std::vector<retrieved_document> documents;
  if (!read_documents(parsed.root(), documents)) {
    throw command_error(input.name() + ": not a list of documents or the result of a ChromaDB query");
  }
  const source_listing listing = list_sources(documents, names);
  const bad_members bad = bad_members_of(documents, collections);
  const bool valid = bad.urls.empty() && bad.dates.empty() && bad.collections.empty() &&
                     std::ranges::all_of(documents, &retrieved_document::readable);
  std::string out;
  if (form == report_form::json) {
    append_json(listing, bad, valid, out);
  } else {
    append_text(listing, out);
    append_bad_lines("not a web address", bad.urls, out);
    append_bad_lines("not a date", bad.dates, out);
    append_bad_lines(collections.empty() ? "not a name of a collection" : "no such collection",
                     bad.collections, out);
    const auto undated = std::ranges::count_if(listing.incomplete, &incomplete_document::undated);
    if (undated > 0) out += "incomplete: " + std::to_string(undated) + " without a date\n";
  }
  write_to_standard_output(out);
  return valid && lacking_required(listing.incomplete).empty();
}

}  // namespace citestream::tools
