#include "session/golden_cases.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "support/data.hpp"

namespace citestream_tests {

using namespace citestream;

namespace {

constexpr std::array<std::pair<errc, std::string_view>, 9> codes{{
    {errc::ok, "ok"},
    {errc::event_too_large, "event_too_large"},
    {errc::invalid_json, "invalid_json"},
    {errc::json_too_deep, "json_too_deep"},
    {errc::duplicate_key, "duplicate_key"},
    {errc::body_too_large, "body_too_large"},
    {errc::upstream_incomplete, "upstream_incomplete"},
    {errc::finished, "finished"},
    {errc::damaged_message, "damaged_message"},
}};

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

offset_unit unit_of(std::string_view word) {
  return word == "utf8" ? offset_unit::utf8 : word == "utf16" ? offset_unit::utf16 : offset_unit::codepoint;
}

/// Sets an option that has a value. \return false if \p key is not one
bool set(golden_case& made, const std::string& key, const std::string& value) {
  session_options& options = made.options;
  if (key == "style") options.style = find_style(value);
  if (key == "style") return options.style != nullptr;
  if (key == "dialect") options.dialect = find_dialect(value);
  if (key == "dialect") return options.dialect != nullptr;
  if (key == "markers") options.grammars.push_back(find_grammar(value));
  if (key == "markers") return options.grammars.back() != nullptr;
  if (key == "offsets") return options.offsets = unit_of(value), true;
  if (key == "file_url") return options.file_url = value, true;
  if (key == "max_event_bytes") return options.bounds.max_event_bytes = std::stoul(value), true;
  if (key == "max_choices") return options.bounds.max_choices = std::stoul(value), true;
  if (key == "add") return options.add = value == "always" ? additions::always : additions::never, true;
  if (key == "error") return made.error = value, true;
  if (key == "end") return made.end = value, true;
  return false;
}

/// How the lines of a fence are converted to bytes.
struct shaping {
  std::string line_end{"\n"};
  std::size_t chop{};
  void apply(std::string& text) const {
    replace_all(text, "\n", line_end);
    text.resize(text.size() - std::min(chop, text.size()));
  }
};

shaping read_words(std::istringstream& words, golden_case& made, const std::string& fence) {
  shaping shape;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (word == "crlf" || word == "cr") {
      shape.line_end = word == "cr" ? "\r" : "\r\n";
    } else if (key == "chop") {
      shape.chop = std::stoul(value);
    } else if (word == "aborted") {
      made.how.how = stream_end::aborted;
    } else if (word == "same" && fence == "gives") {
      made.expected = made.input;
    } else if (!set(made, key, value)) {
      throw std::runtime_error("unknown word in a golden file: " + word);
    }
  }
  return shape;
}

}  // namespace

std::vector<golden_case> read_golden(const std::filesystem::path& file) {
  std::istringstream lines(read_file(file));
  std::vector<golden_case> cases;
  std::string title;
  std::string fence;
  shaping shape;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) {
      if (fence == "stream" || fence == "body") shape.apply(cases.back().input);
      if (fence == "gives" && cases.back().expected != cases.back().input) shape.apply(cases.back().expected);
      std::istringstream words(line.substr(3));
      if (!fence.empty() || !(words >> fence)) {
        fence.clear();
        continue;
      }
      if (fence != "gives")
        cases.push_back({file.filename().string(), title, fence == "body", {}, {}, {}, {}, {}, {}});
      shape = read_words(words, cases.back(), fence);
    } else if (fence.empty()) {
      if (line.rfind("## ", 0) == 0) title = line.substr(3);
    } else {
      (fence == "gives" ? cases.back().expected : cases.back().input).append(line).append("\n");
    }
  }
  return cases;
}

std::string shown(const status& error) {
  if (!error) return {};
  for (const auto& [code, name] : codes) {
    if (code == error.code) return std::string(name) + "@" + std::to_string(error.offset);
  }
  return "?";
}

}  // namespace citestream_tests
