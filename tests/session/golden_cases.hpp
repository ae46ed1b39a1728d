/// \file
/// The Markdown files of golden/: a stream or a body, options of the session, and its output.
///
/// A case is a heading `## title`, a fence `stream` or `body` with the input, and a fence `gives` with the
/// output. Words after `stream` or `body` are options of the session (`style=numeric`), the conversion of
/// lines to bytes (`crlf`, `cr`, `chop=2`: without the last two bytes), the kind of end (`aborted`), and the
/// expected errors
/// (`error=invalid_json@120`, `end=upstream_incomplete`). A word after `gives` is `same` (the output equals
/// the input) or `chop=1`.
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

/// All cases of one file. Throws if a word is unknown.
std::vector<golden_case> read_golden(const std::filesystem::path& file);

/// `code@offset`, or an empty string if there was no error.
std::string shown(const citestream::status& error);

}  // namespace citestream_tests
