// Reads documents separated by U+001E and writes the output of the egress stage for each, for tests with
// renderers (renderers/fuzz.mjs).
//
// A document without U+001F is the text of a model. A document with U+001F consists of fields separated by
// it, and is an answer with a citation (answer_document). The output then contains what a style prints.
// Options: `exact` keeps code exact, `cut=N` feeds texts, but not answers, in pieces of N bytes.
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
constexpr std::string_view reference_url = "https://ref.example/page?a=1";

/// An answer: two texts with a marker `[label](identifier)` between them, and the reference that it cites.
struct answer_document {
  std::string_view style;
  std::string_view before;
  std::string_view label;
  std::string_view identifier;
  std::string_view title;
  std::string_view snippet;
  std::string_view after;
};

std::vector<std::string_view> fields_of(std::string_view document) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at <= document.size();) {
    const std::size_t end = std::min(document.find('\x1F', at), document.size());
    fields.push_back(document.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

answer_document answer_of(const std::vector<std::string_view>& fields) {
  return {fields.at(0), fields.at(1), fields.at(2), fields.at(3), fields.at(4), fields.at(5), fields.at(6)};
}

/// Appends the text of an answer and its list of sources.
void append_answer(const answer_document& document, egress_code code, std::string& out) {
  session_options options;
  options.style = find_style(document.style);
  options.egress = egress_mode::enforce;
  options.egress_on_code = code;
  options.egress_allowed = {allowed_hosts};
  answer text(options);
  reference ref;
  ref.id = "f-17";
  ref.url = reference_url;
  ref.title = document.title;
  ref.text = document.snippet;
  text.add_reference(ref);
  text.push(document.before, out);
  text.push("[" + std::string(document.label) + "](" + std::string(document.identifier) + ")", out);
  text.push(document.after, out);
  text.finish(out);
  text.resolve();
  text.append_list(out);
}

/// Appends the output for a text that is fed in pieces of \p cut bytes.
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
  ref.url = reference_url;
  const std::string in{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string_view all = in;
  std::string out;
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find('\x1E', at), all.size());
    if (at > 0) out += '\x1E';
    const std::vector<std::string_view> fields = fields_of(all.substr(at, end - at));
    stage.reset();
    stage.allow(ref);
    if (fields.size() > 1) {
      append_answer(answer_of(fields), code, out);
    } else {
      append_text(fields.front(), cut, stage, out);
    }
    at = end + 1;
  }
  std::cout << out;
}
