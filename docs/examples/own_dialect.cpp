// A dialect that is not in the library. This server sends text in "token", and its documents at the end:
//
//   data: {"token":"It grew [Report](d1)."}
//   data: {"documents":[{"id":"d1","title":"Report","page":3}],"done":true}
//
// The program rewrites such an event stream from standard input.
#include <citestream/citestream.hpp>

#include <array>
#include <iostream>
#include <string>
#include <unistd.h>

namespace {

using namespace citestream;

bool recognise(json_value root, payload_kind) {
  return root["token"].is_string() || root["documents"].is_array();
}

// Says where the text, the references and the end are. The session does the rest.
bool read_payload(json_value root, payload_kind, dialect_event& out) {
  out.clear();
  if (!root.is_object()) return false;
  choice_event answer;
  if (const json_value token = root["token"]; token.is_string()) answer.set_text(token);
  answer.end.here = root["done"].boolean().value_or(false);
  out.choices.push_back(answer);
  for (json_value each = root["documents"].first(); each; each = each.next()) {
    found_reference found;
    found.ref.id = each["id"].string();
    found.ref.title = each["title"].string();
    found.ref.page = each["page"].integer();
    out.references.push_back(found);
  }
  out.root = root;           // citation records are inserted before its closing brace
  return !root.ambiguous();  // a key that occurs twice means that the payload passes through unchanged
}

const std::array<const grammar*, 1> grammars{&link_grammar};  // [label](identifier)

const dialect token_dialect{
    .name = "token", .recognise = &recognise, .read = &read_payload, .grammars = grammars};

}  // namespace

int main() {
  session_options options;
  options.dialect = &token_dialect;
  options.style = &numeric_style;
  session session(options);

  std::string out;
  char bytes[16384];
  for (ssize_t count; (count = read(STDIN_FILENO, bytes, sizeof bytes)) > 0; out.clear()) {
    if (auto error = session.write({bytes, static_cast<std::size_t>(count)}, out)) {
      std::cerr << message(error.code) << " at byte " << error.offset << '\n';
    }
    std::cout << out << std::flush;
  }
  const auto error = session.finish(out);
  std::cout << out;
  return error ? 1 : 0;
}
