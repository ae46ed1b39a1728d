#include "egress/payloads.hpp"

#include <fstream>
#include <string_view>
#include <utility>

namespace citestream_tests {

namespace {

/// Replaces `␀`, `␁`, `␂`, `␃`, `␉` and `␍` with the bytes that they depict.
std::string decoded(std::string text) {
  constexpr std::size_t shown = 3;
  const std::pair<std::string_view, char> pictures[] = {{"␀", '\0'}, {"␁", '\1'}, {"␂", '\2'},
                                                        {"␃", '\3'}, {"␉", '\t'}, {"␍", '\r'}};
  for (const auto& [picture, byte] : pictures) {
    for (std::size_t at = text.find(picture); at != std::string::npos; at = text.find(picture, at))
      text.replace(at, shown, 1, byte);
  }
  return text;
}

/// The lines of a block up to its fence.
std::string block(std::istream& in) {
  std::string out;
  for (std::string line; std::getline(in, line) && line != "`````";) out += line + '\n';
  if (!out.empty()) out.pop_back();
  return decoded(out);
}

/// The cases of a file: a heading, a block with the text, a block with the expected output.
std::vector<payload> read(const char* file) {
  std::vector<payload> out;
  std::ifstream in(file);
  bool first = true;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) {
      out.push_back({line.substr(3), {}, {}});
      first = true;
    } else if (line == "`````text") {
      (first ? out.back().text : out.back().expected) = block(in);
      first = false;
    }
  }
  return out;
}

}  // namespace

std::vector<payload> payloads() {
  return read(CITESTREAM_SOURCE_DIR "/tests/egress/payloads.md");
}

std::vector<payload> ordinary_answers() {
  return read(CITESTREAM_SOURCE_DIR "/tests/egress/ordinary.md");
}

}  // namespace citestream_tests
