#include <citestream/check/sources.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/rewrite/json.hpp>

#include <vector>

#include "check.hpp"
#include "check_text.hpp"
#include "commands.hpp"
#include "web_url.hpp"

namespace citestream::tools {

namespace {

constexpr std::size_t max_shown_bytes = 1024;

struct bad_url {
  std::size_t document{};
  std::string_view url;
};

std::vector<bad_url> bad_urls(const std::vector<retrieved_document>& documents) {
  std::vector<bad_url> out;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const retrieved_document& each = documents[i];
    if (each.is_web() && !each.source.empty() && !is_valid_web_url(each.source))
      out.push_back({i, each.source});
  }
  return out;
}

void append_bad_urls(const std::vector<bad_url>& urls, std::string& out) {
  out.back() = ',';  // the object goes on
  out += "\"invalid_urls\":[";
  const char* separator = "";
  for (const bad_url& each : urls) {
    out += separator;
    out += "{\"document\":" + std::to_string(each.document) + ",\"url\":";
    append_json_string(each.url, out);
    out += '}';
    separator = ",";
  }
  out += "]}\n";
}

void append_text(const source_listing& listing, const std::vector<bad_url>& urls, std::string& out) {
  for (const std::string& each : listing.citations) out += "- " + each + '\n';
  if (listing.citations.empty()) out += "no sources\n";
  for (const missing_fields& each : listing.missing) {
    out += "document " + std::to_string(each.document + 1) + ": no ";
    const char* separator = "";
    for (const std::string_view field : each.fields) {
      out += separator;
      out += field;
      separator = ", ";
    }
    out += '\n';
  }
  for (const bad_url& each : urls) {
    out += "document " + std::to_string(each.document + 1) + ": not a web address: ";
    append_plain_line(each.url, max_shown_bytes, out);
    out += '\n';
  }
}

}  // namespace

std::string read_all(byte_input& input) {
  std::string out;
  for (std::string_view part = input.read(); !part.empty(); part = input.read()) out += part;
  return out;
}

bool check_format(byte_input& input, report_form form, const collection_names& names) {
  document parsed;
  if (const status error = parsed.parse(read_all(input))) {
    throw failure(input.name() + ": " + std::string(message(error.code)) + " at byte " +
                  std::to_string(error.offset));
  }
  std::vector<retrieved_document> documents;
  if (!read_documents(parsed.root(), documents)) {
    throw failure(input.name() + ": neither a list of documents nor the result of a query");
  }
  const source_listing listing = list_sources(documents, names);
  const std::vector<bad_url> urls = bad_urls(documents);
  std::string out;
  if (form == report_form::json) {
    append_sources_json(listing, out);
    append_bad_urls(urls, out);
  } else {
    append_text(listing, urls, out);
  }
  write_to_standard_output(out);
  return listing.missing.empty() && urls.empty();
}

}  // namespace citestream::tools
