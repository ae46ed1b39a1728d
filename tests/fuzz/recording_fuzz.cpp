// Recordings: read like a reference reader, and written recordings read back unchanged.
// Input: an .ndjson file.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "replay/recording.hpp"
#include "support/json_comparison.hpp"
#include "support/json_model.hpp"
#include "support/ndjson_file.hpp"

namespace citestream_tests {
namespace {

using citestream::json_kind;
using citestream::recording_piece;
using recorded_pieces = std::vector<recording_piece>;

/// Decodes base64 (RFC 4648, 4) bit by bit.
std::optional<std::string> plain_base64(const std::string& text) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t letters = std::min(text.find('='), text.size());
  const std::size_t padding = text.size() - letters;
  if (text.size() % 4 != 0 || padding > 2 || text.find_first_not_of('=', letters) != std::string::npos)
    return {};
  std::vector<bool> bits;
  for (std::size_t i = 0; i < letters; ++i) {
    const std::size_t value = alphabet.find(text[i]);
    if (value == std::string::npos) return {};
    for (int bit = 5; bit >= 0; --bit) bits.push_back((value >> static_cast<unsigned>(bit) & 1U) != 0);
  }
  std::string out;
  std::size_t at = 0;
  for (; at + 8 <= bits.size(); at += 8) {
    unsigned byte = 0;
    for (std::size_t i = 0; i < 8; ++i) byte = byte * 2 + (bits[at + i] ? 1U : 0U);
    out += static_cast<char>(static_cast<unsigned char>(byte));
  }
  for (; at < bits.size(); ++at) {
    if (bits[at]) return {};
  }
  return out;
}

/// Reads one line after the first.
std::optional<recording_piece> plain_piece(std::string_view line, double before) {
  const auto json = read_model(line);
  if (!json || json->kind != json_kind::array) return {};
  const auto& parts = json->children;
  if (parts.size() != 2 && parts.size() != 3) return {};
  if (parts[0].kind != json_kind::number || parts[1].kind != json_kind::string) return {};
  recording_piece out{std::strtod(parts[0].text.c_str(), nullptr), parts[1].text};
  if (!(out.seconds >= before) || std::isinf(out.seconds)) return {};
  if (parts.size() == 2) return out;
  const auto bytes = plain_base64(parts[1].text);
  if (parts[2].text != "base64" || parts[2].kind != json_kind::string || !bytes) return {};
  out.bytes = *bytes;
  return out;
}

/// The result of a second reader for a file.
struct plain_file {
  std::size_t header{};  ///< number of the first line that is not empty, or 0
  std::size_t bad{};     ///< number of the first later line that is not a piece, or 0
  recorded_pieces all;   ///< up to there
};

/// Removes blanks and the bytes of a byte order mark, which may be in front of the first line.
void skip_start(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), text.size()));
}

plain_file plain_reading(std::string_view text) {
  plain_file out;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (out.header == 0) skip_start(line);
    if (line.empty()) continue;
    if (out.header == 0) {
      out.header = number;
      continue;
    }
    auto piece = plain_piece(line, out.all.empty() ? 0 : out.all.back().seconds);
    if (!piece) {
      out.bad = number;
      break;
    }
    out.all.push_back(std::move(*piece));
  }
  return out;
}

/// Returns true if the first line is an object without our header. Such a file is a stream without times.
bool has_no_times(std::string_view text) {
  skip_start(text);
  const auto json = read_model(text.substr(0, text.find('\n')));
  if (!json || json->kind != json_kind::object || has_huge_number(*json)) return false;
  return std::ranges::none_of(json->children,
                              [](const model_value& one) { return one.key == "citestream_recording"; });
}

}  // namespace

std::string check_recording(std::string_view input, fuzz_run how) {
  citestream::recording_error error;
  const auto read = citestream::parse_recording("a.ndjson", input, error);
  const plain_file plain =
      has_no_times(input) ? plain_file{1, 0, {{0, std::string(input)}}} : plain_reading(input);
  if (!read) {
    if (error.reason.empty()) return "a refusal that says nothing";
    if (error.line == plain.header) return {};  // the content of the first line is not checked here
    return error.line == plain.bad ? "" : "refused: " + error.text();
  }
  if (plain.bad != 0 || read->pieces() != plain.all) return "read as no second reader reads it";
  std::string written = to_ndjson(*read);
  if (how == fuzz_run::planted) written += "[1e300,\"\"]\n";
  const auto again = citestream::parse_recording("a.ndjson", written, error);
  if (!again) return "what is written cannot be read: " + error.text();
  if (again->pieces() != read->pieces() || again->content_type() != read->content_type()) {
    return "what is written reads back differently: " + shown(written);
  }
  return to_ndjson(*again) == written ? "" : "not written the same twice";
}

}  // namespace citestream_tests
