/// \file
/// Sends one question to a running proxy over HTTP and prints the answer.
#pragma once

#include <cstdio>
#include <string>

namespace citestream::tools {

/// Requests the demonstration answer from `http://<address>/v1/chat`. Prints its text as it arrives, then its
/// citations with number, title, page, URL and status. \return an empty string, or why the answer is
/// incomplete
[[nodiscard]] std::string ask_demo_question(const std::string& address, std::FILE* out);

/// Returns a curl command that requests the same answer.
[[nodiscard]] std::string demo_curl_line(const std::string& address);

}  // namespace citestream::tools
