/// \file
/// Prints a text in a style, whole and byte by byte, and checks that the results are equal.
#pragma once

#include <citestream/session/answer.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace citestream_tests {

/// The references for a text.
struct sources {
  std::vector<citestream::reference> before{};  ///< references known before the text
  std::vector<citestream::reference> after{};   ///< references that arrive after it
  bool known{true};                             ///< resolve citations at the end
};

/// \p text and the list after it, cut into pieces of \p size bytes.
inline std::string printed_in_pieces(citestream::answer& a, std::string_view text, const sources& from,
                                     std::size_t size) {
  std::string out;
  for (const citestream::reference& ref : from.before) a.add_reference(ref);
  for (std::size_t i = 0; i < text.size(); i += size) a.push(text.substr(i, size), out);
  a.finish(out);
  for (const citestream::reference& ref : from.after) a.add_reference(ref);
  if (from.known) a.resolve();
  a.append_list(out);
  a.append_list(out);  // once is enough
  return out;
}

inline std::string printed(const citestream::style& how, std::string_view text, const sources& from = {},
                           std::vector<const citestream::grammar*> grammars = {}) {
  citestream::session_options options;
  options.style = &how;
  options.grammars = std::move(grammars);
  citestream::answer whole(options);
  const std::string out = printed_in_pieces(whole, text, from, text.size() + 1);
  citestream::answer cut(options);
  CHECK(printed_in_pieces(cut, text, from, 1) == out);
  CHECK(cut.cites().all().size() == whole.cites().all().size());
  cut.reset();
  CHECK(printed_in_pieces(cut, text, from, 2) == out);
  return out;
}

}  // namespace citestream_tests
