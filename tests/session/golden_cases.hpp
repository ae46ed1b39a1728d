// The Markdown files of golden/: a stream or a body, what a session is told, and what it gives.
//
// A case is a heading `## title`, a fence `stream` or `body` with the input, and a fence `gives` with the
// output. Words behind `stream` or `body` are options of the session (`style=numeric`), how the input is made
// from the lines (`crlf`, `cr`, `chop=2`: without its last two bytes), how it ends (`aborted`), and what is
// reported (`error=invalid_json@120`, `end=upstream_incomplete`). A word behind `gives` is `same`: the input
// itself, or `chop=1`.
#pragma once

#include <citestream/session/session.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "support/stream_runs.hpp"

namespace citestream_tests {

struct golden_case {
  std::string file;
  std::string title;
  bool body{};
  citestream::session_options options;
  ending how;
  std::string input;
  std::string expected;
  std::string error;  ///< as in the fence; empty: none
  std::string end;
};

/// All cases of one file. Throws where a word is not known.
std::vector<golden_case> read_golden(const std::filesystem::path& file);

/// `code@offset`, or nothing where there was no error.
std::string shown(const citestream::status& error);

}  // namespace citestream_tests
