#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <vector>

#include "byte_input.hpp"
#include "check.hpp"
#include "check/retrieved_documents.hpp"
#include "check_text.hpp"
#include "commands.hpp"
#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"
#include "valid_web_url.hpp"

namespace citestream::tools {

namespace {

constexpr std::size_t max_shown_bytes = 1024;

/// An invalid member of a document.
struct bad_member {
  std::size_t document{};
  std::string_view text;
};

std::vector<bad_member> bad_urls(const std::vector<retrieved_document>& documents) {
  std::vector<bad_member> out;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const retrieved_document& each = documents[i];
    const bool linked = each.is_web() && each.source != each.url;
    if (linked && !each.source.empty() && !is_valid_web_url(each.source)) out.push_back({i, each.source});
    if (!each.url.empty() && !is_valid_web_url(each.url)) out.push_back({i, each.url});
  }
  return out;
}

std::vector<bad_member> bad_dates(const std::vector<retrieved_document>& documents,
                                  const std::vector<std::size_t>& undated) {
  std::vector<bad_member> out;
  out.reserve(undated.size());
  for (const std::size_t i : undated) out.push_back({i, documents[i].published_date});
  return out;
}

/// Documents whose collection does not exist.
std::vector<bad_member> bad_collections(const std::vector<retrieved_document>& documents,
                                        const std::vector<std::string>& known) {
  std::vector<bad_member> out;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::string& name = documents[i].collection;
    if (!name.empty() && !is_known_collection(name, known)) out.push_back({i, name});
  }
  return out;
}

/// Appends `,"key":[{"document":3,"member":"text"}]`.
void append_bad_members(std::string_view key, std::string_view member, const std::vector<bad_member>& found,
                        std::string& out) {
  append_json_list(key, found, out, [&](const bad_member& each) {
    object_writer object(out);
    object.number("document", each.document);
    append_json_string(each.text, object.made_key(member));
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

bool all_readable(const std::vector<retrieved_document>& documents) {
  return std::ranges::all_of(documents, &retrieved_document::readable);
}

/// Appends how many documents have no date.
void append_undated(const std::vector<retrieved_document>& documents, std::string& out) {
  const auto no_date = [](const retrieved_document& each) {
    return each.readable && each.published_date.empty();
  };
  const auto count = std::ranges::count_if(documents, no_date);
  if (count > 0) out += "incomplete: " + std::to_string(count) + " without a date\n";
}

void append_text(const source_listing& listing, std::string& out) {
  for (const std::string& each : listing.citations) out += "- " + each + '\n';
  if (listing.citations.empty()) out += "no sources\n";
  for (const missing_fields& each : listing.missing) {
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
  const std::vector<bad_member> urls = bad_urls(documents);
  const std::vector<bad_member> dates = bad_dates(documents, listing.undated);
  const std::vector<bad_member> unknown = bad_collections(documents, collections);
  const bool valid = urls.empty() && dates.empty() && unknown.empty() && all_readable(documents);
  std::string out;
  if (form == report_form::json) {
    append_sources_json(listing, out);
    out.pop_back();  // more members follow
    append_bad_members("invalid_urls", "url", urls, out);
    append_bad_members("invalid_dates", "published_date", dates, out);
    append_bad_members("invalid_collections", "collection", unknown, out);
    append_missing_json("incomplete", listing.incomplete, out);
    out += valid ? ",\"valid\":true}\n" : ",\"valid\":false}\n";
  } else {
    append_text(listing, out);
    append_bad_lines("not a web address", urls, out);
    append_bad_lines("not a date", dates, out);
    append_bad_lines(collections.empty() ? "not a name of a collection" : "no such collection", unknown, out);
    append_undated(documents, out);
  }
  write_to_standard_output(out);
  return valid && listing.missing.empty();
}

}  // namespace citestream::tools
