// Reads documents separated by U+001E and writes the output of the egress stage for each, for tests of
// renderers. A document with fields separated by U+001F (style, text, label, identifier, title, snippet,
// text) is an answer: the two texts with a marker between them, and the reference that it cites. Options:
// `exact` keeps code, `cut=N` feeds N bytes at a time.
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "egress/egress_stage.hpp"

using namespace citestream;

namespace {

const egress_pattern allowed_hosts = *compile_egress_pattern("https://*.good.example");
constexpr std::string_view allowed_page = "https://ref.example/page?a=1";

std::vector<std::string_view> fields_of(std::string_view document) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at <= document.size();) {
    const std::size_t end = std::min(document.find('\x1F', at), document.size());
    fields.push_back(document.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

/// Appends an answer in the style that the first field names.
void append_answer(const std::vector<std::string_view>& fields, egress_code code, std::string& out) {
  session_options options;
  options.style = find_style(fields.at(0));
  options.egress = egress_mode::enforce;
  options.egress_on_code = code;
  options.egress_allowed = {allowed_hosts};
  answer text(options);
  reference ref;
  ref.id = "f-17";
  ref.url = allowed_page;
  ref.title = fields.at(4);
  ref.text = fields.at(5);
  text.add_reference(ref);
  text.push(fields.at(1), out);
  text.push("[" + std::string(fields.at(2)) + "](" + std::string(fields.at(3)) + ")", out);
  text.push(fields.at(6), out);
  text.finish(out);
  text.resolve();
  text.append_list(out);
}

/// Appends a text in pieces of \p cut bytes.
void append_text(std::string_view text, std::size_t cut, egress_stage& stage, std::string& out) {
  text_edits edits;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, cut);
    stage.feed(part, out, edits);
    text.remove_prefix(part.size());
  }
  stage.finish(out, edits);
}

}  // namespace

int main(int count, char** arguments) {
  egress_code code = egress_code::inert;
  std::size_t cut = std::string_view::npos;
  for (int i = 1; i < count; ++i) {
    const std::string_view option = arguments[i];
    if (option == "exact") code = egress_code::exact;
    if (option.starts_with("cut=")) cut = std::stoul(std::string(option.substr(4)));
  }
  egress_stage stage(egress_mode::enforce, code, {allowed_hosts}, {});
  reference ref;
  ref.url = allowed_page;
  const std::string in{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string_view all = in;
  std::string out;
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find('\x1E', at), all.size());
    if (at > 0) out += '\x1E';
    const std::vector<std::string_view> fields = fields_of(all.substr(at, end - at));
    stage.reset();
    stage.know(ref);
    fields.size() > 1 ? append_answer(fields, code, out) : append_text(fields.front(), cut, stage, out);
    at = end + 1;
  }
  std::cout << out;
}
