// A text printed in a style, whole and byte by byte, which must be the same.
#pragma once

#include <citestream/session/answer.hpp>

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

namespace citestream_tests {

inline std::string printed(const citestream::style& how, std::string_view text) {
  citestream::session_options options;
  options.style = &how;
  citestream::answer whole(options);
  std::string out;
  whole.push(text, out);
  whole.finish(out);

  citestream::answer cut(options);
  std::string pieces;
  for (std::size_t i = 0; i < text.size(); ++i) cut.push(text.substr(i, 1), pieces);
  cut.finish(pieces);
  CHECK(pieces == out);
  CHECK(cut.cites().all().size() == whole.cites().all().size());
  return out;
}

}  // namespace citestream_tests
