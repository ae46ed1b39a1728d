// One question to a running proxy, over real HTTP, and the answer for people to read.
#pragma once

#include <cstdio>
#include <string>

namespace citestream::tools {

/// Asks `http://<address>/v1/chat` for the demonstration answer and prints its text as it arrives, then its
/// citations: number, title, page or URL, status. \return an empty string, or why there is no whole answer.
[[nodiscard]] std::string ask_demo_question(const std::string& address, std::FILE* out);

/// The command with which anybody asks the same.
[[nodiscard]] std::string demo_curl_line(const std::string& address);

}  // namespace citestream::tools
