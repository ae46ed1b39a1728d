// The results of each recording, one per row. A change here is visible to users.
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/data.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// One recording under the default style.
struct row {
  std::string_view file;
  std::string_view dialect;  ///< empty if none recognises it; the recording then passes through unchanged
  std::string_view markers;  ///< the chosen grammar; empty: those of the dialect
  std::size_t choices{};
  std::uint64_t events{};
  std::uint64_t deltas{};
  std::uint64_t passed{};  ///< events that passed through unread
  std::uint64_t resolved{};
  std::uint64_t unresolved{};
  std::size_t uncited{};
  std::size_t text_bytes{};       ///< of the clean text of all choices
  std::uint64_t text_digest{};    ///< 64-bit FNV-1a of the clean text of each choice followed by a zero byte
  std::uint64_t marker_digest{};  ///< the same for the markers removed from the text
};

std::ostream& operator<<(std::ostream& out, const row& r) {
  return out << "{\"" << r.file << "\", \"" << r.dialect << "\", \"" << r.markers << "\", " << r.choices
             << ", " << r.events << ", " << r.deltas << ", " << r.passed << ", " << r.resolved << ", "
             << r.unresolved << ", " << r.uncited << ", " << r.text_bytes << ", 0x" << std::hex
             << r.text_digest << ", 0x" << r.marker_digest << std::dec << "},";
}

std::string shown(const row& r) {
  std::ostringstream out;
  out << r;
  return out.str();
}

constexpr row rows[] = {
    {"anthropic-01-char-location.sse", "anthropic", "", 1, 8, 1, 0, 0, 0, 0, 72, 0x664a21b269a8d9d3,
     0xcbf29ce484222325},
    {"anthropic-02-char-location-multi.sse", "anthropic", "", 1, 22, 6, 0, 0, 0, 0, 166, 0x69556b56209ca5e5,
     0xcbf29ce484222325},
    {"providers/anthropic/01-web-search.sse", "anthropic", "", 1, 28, 8, 0, 0, 0, 9, 41, 0x35b30a5b5b16f01f,
     0xcbf29ce484222325},
    {"providers/anthropic/02-web-search-many.sse", "anthropic", "", 1, 120, 56, 0, 0, 0, 6, 2402,
     0xb037be1a19615482, 0xcbf29ce484222325},
    {"providers/anthropic/03-tool-result.sse", "anthropic", "", 1, 9, 3, 0, 0, 0, 0, 159, 0xf6be922d715502b6,
     0xcbf29ce484222325},
    {"providers/anthropic/08-char-location-document.sse", "anthropic", "", 1, 8, 1, 0, 0, 0, 0, 47,
     0x370c117d6f276530, 0xcbf29ce484222325},
    {"cohere-01-citation-start.sse", "cohere", "", 1, 73, 35, 0, 0, 0, 0, 170, 0x3ad195b8bfd490c7,
     0xcbf29ce484222325},
    {"providers/cohere/01-tool-citation.sse", "cohere", "", 1, 15, 8, 0, 0, 0, 0, 35, 0x4b6a43f139e2c499,
     0xcbf29ce484222325},
    {"providers/cohere/02-plain.sse", "cohere", "", 1, 21, 16, 0, 0, 0, 0, 44, 0xfd30e1df2587f133,
     0xcbf29ce484222325},
    {"providers/cohere/03-thinking.sse", "cohere", "", 1, 52, 9, 0, 0, 0, 0, 25, 0x429575b80cc59f90,
     0xcbf29ce484222325},
    {"providers/cohere/04-tool-plan.sse", "cohere", "", 0, 49, 0, 0, 0, 0, 0, 0, 0xcbf29ce484222325,
     0xcbf29ce484222325},
    {"providers/cohere/08-document-citation.sse", "cohere", "", 1, 23, 16, 0, 0, 0, 0, 80, 0xa8ab88d89bb6fd58,
     0xcbf29ce484222325},
    {"providers/interactions/01-google-search.sse", "interactions", "", 1, 28, 12, 0, 0, 0, 0, 2406,
     0x36f87f896ea8bed5, 0xcbf29ce484222325},
    {"providers/interactions/02-basic.sse", "interactions", "", 1, 10, 1, 0, 0, 0, 0, 91, 0xae80ce6419c4bce0,
     0xcbf29ce484222325},
    {"providers/interactions/03-second-turn.sse", "interactions", "", 1, 11, 2, 0, 0, 0, 0, 263,
     0x64e3b7b60929f0a5, 0xcbf29ce484222325},
    {"gemini-01-grounding.sse", "gemini", "", 1, 5, 5, 0, 0, 0, 0, 616, 0xaea748d636551ab5,
     0xcbf29ce484222325},
    {"openai-chat-01-mdlink-two.sse", "openai", "", 1, 158, 155, 0, 0, 2, 0, 398, 0x4e89fc5670dbf01d,
     0x9f8945c729b9dd2e},
    {"openai-chat-04-mdlink-two-b.sse", "openai", "", 1, 79, 75, 1, 0, 2, 0, 148, 0x1cf9d7c233c74042,
     0xc1669731349ee906},
    {"openai-chat-05-file-token-6.sse", "openai", "", 1, 217, 214, 0, 0, 0, 0, 887, 0x216f504da6f7fdba,
     0xcbf29ce484222325},
    {"openai-chat-05-file-token-6.sse", "openai", "file", 1, 217, 214, 0, 0, 6, 0, 763, 0xe27d1afd297c0d3c,
     0xd9fe1e1dfb2bb20b},
    {"openrouter-01-annotations.sse", "openrouter", "", 1, 20, 19, 0, 0, 0, 0, 90, 0xbc5cd4f893568f1,
     0xcbf29ce484222325},
    {"perplexity-01-sonar-citations.sse", "perplexity", "", 1, 191, 191, 0, 11, 0, 2, 871, 0xdf8dfa39b0692e2b,
     0x43ca0651627223b6},
    {"perplexity-03-sonar-short.sse", "perplexity", "", 1, 6, 6, 0, 0, 0, 8, 5, 0xf034e2df5edb97cd,
     0xcbf29ce484222325},
    {"synthetic/azure-oyd-stub.sse", "azure", "", 1, 4, 1, 0, 0, 0, 1, 25, 0x54765262be197e48,
     0xcbf29ce484222325},
    {"synthetic/writer-kg-inline-citations.sse", "writer", "", 1, 48, 46, 0, 2, 0, 0, 76, 0xb3e5ba5ad0167026,
     0x5c641cf597267b49},
    {"writer-01-chat-stream-text.sse", "writer", "", 1, 40, 37, 0, 0, 0, 0, 165, 0x7b6e4cdd0a57b8a4,
     0xcbf29ce484222325},
    {"writer-02-chat-stream-n2-interleaved.sse", "writer", "", 2, 100, 95, 0, 0, 0, 0, 441,
     0x125dcc74f296a483, 0xcbf29ce484222325},
    {"writer-03-chat-stream-tool-calls.sse", "writer", "", 1, 24, 0, 0, 0, 0, 0, 0, 0xaf63bd4c8601b7df,
     0xcbf29ce484222325},
    {"writer-05-completions-stream.sse", "", "", 0, 58, 0, 0, 0, 0, 0, 0, 0x0, 0x0},
    {"writer-06-framework-2024-tool-calls.sse", "writer", "", 1, 10, 2, 0, 0, 0, 0, 1, 0x8548407b5084f87,
     0xcbf29ce484222325},
    {"openai-responses-01-url-citation.sse", "responses", "", 1, 23, 4, 0, 1, 0, 0, 76, 0x8e30489af3c93f77,
     0x4fbccd079f4ca817},
    {"openai-responses-03-file-citation.sse", "responses", "", 1, 21, 7, 0, 0, 0, 0, 31, 0xd0e70cf7e5dcd6ed,
     0xcbf29ce484222325},
    {"openai-responses-04-file-search-multi.sse", "responses", "", 1, 94, 75, 0, 0, 0, 0, 387,
     0x6bf1a0b56a65d7e4, 0xcbf29ce484222325},
    {"providers/responses/01-url-citation-non-ascii.sse", "responses", "", 1, 185, 121, 0, 12, 0, 14, 2064,
     0xb0ae9ffa94dbe74c, 0x775b1634340142a7},
    {"providers/responses/02-file-citation.sse", "responses", "", 1, 93, 75, 0, 0, 0, 1, 382,
     0x4d759bae0379bc31, 0xcbf29ce484222325},
    {"providers/responses/03-container-file-citation.sse", "responses", "", 1, 393, 209, 0, 0, 0, 0, 600,
     0x5fb6b2cb059c7d84, 0xcbf29ce484222325},
    {"providers/responses/04-error.sse", "responses", "", 0, 4, 0, 0, 0, 0, 0, 0, 0xcbf29ce484222325,
     0xcbf29ce484222325},
    {"providers/responses/05-url-citation-vcr.sse", "responses", "", 1, 26, 11, 0, 2, 0, 0, 437,
     0xdac009bb26498a37, 0x15000f841da02f88},
    {"providers/responses/06-replayed-annotations.sse", "responses", "", 1, 15, 7, 0, 0, 0, 0, 22,
     0x1739979e92abf3a4, 0xcbf29ce484222325},
    {"providers/responses/07-url-citation-short.sse", "responses", "", 1, 20, 6, 0, 1, 0, 0, 95,
     0xf0bcbb459790bf6a, 0x4fbccd079f4ca817},
    {"providers/responses/08-tool-result.sse", "responses", "", 1, 33, 23, 0, 0, 0, 0, 47, 0xde8ceeab5d525810,
     0xcbf29ce484222325},
    {"providers/responses/09-content-index-not-position.sse", "responses", "", 1, 15, 1, 0, 0, 0, 0, 48,
     0xaa8481cfb9aad725, 0xcbf29ce484222325},
    {"providers/responses/10-no-sequence-numbers.sse", "responses", "", 1, 15, 7, 0, 0, 0, 0, 31,
     0xd0e70cf7e5dcd6ed, 0xcbf29ce484222325},
};

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
class digest {
 public:
  void add(std::string_view text) noexcept {
    for (const char byte : text) step(static_cast<unsigned char>(byte));
    step(0);
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

 private:
  void step(std::uint64_t byte) noexcept { value_ = (value_ ^ byte) * 0x100000001B3U; }
  std::uint64_t value_{0xCBF29CE484222325U};
};

void add_texts(const stream_run& got, const session& one, row& out) {
  std::vector<std::string> texts(one.choices());
  for (const owned_event& event : got.events) {
    if (event.type == session_event_type::text) texts.at(event.choice) += event.text;
  }
  digest all;
  digest markers;
  for (std::size_t i = 0; i < one.choices(); ++i) {
    out.text_bytes += texts[i].size();
    all.add(texts[i]);
    out.uncited += one.cites(i).uncited().size();
    for (const citation& cite : one.cites(i).all()) markers.add(cite.marker);
  }
  out.text_digest = all.value();
  out.marker_digest = markers.value();
}

row result_of(const row& asked, const std::string& bytes) {
  session_options options;
  options.typed_events = true;
  if (!asked.markers.empty()) options.grammars = {find_grammar(asked.markers)};
  session one(options);
  const stream_run got = run(one, {bytes});
  row out{asked.file, {}, asked.markers};
  out.events = got.counts.events;
  if (one.recognised() == nullptr) {
    CHECK((got.out == bytes));
    return out;
  }
  out.dialect = one.recognised()->name;
  out.choices = one.choices();
  out.deltas = got.counts.deltas;
  out.passed = got.counts.passed_through;
  out.resolved = got.counts.resolved;
  out.unresolved = got.counts.unresolved;
  add_texts(got, one, out);
  return out;
}

}  // namespace

TEST_CASE("every recording gives the results in its row") {
  if (!have_data("recordings")) return;
  for (const row& expected : rows) {
    CHECK(shown(result_of(expected, read_file(data_dir() / "recordings" / expected.file))) ==
          shown(expected));
  }
}

TEST_CASE("every recording has a row") {
  if (!have_data("recordings")) return;
  std::set<std::string> named;
  for (const row& one : rows) named.emplace(one.file);
  const std::filesystem::path folder = data_dir() / "recordings";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    const std::string file = std::filesystem::relative(entry.path(), folder).generic_string();
    const bool other_protocol = file.starts_with("providers/") && !file.starts_with("providers/responses/") &&
                                !file.starts_with("providers/anthropic/") &&
                                !file.starts_with("providers/cohere/");
    if (other_protocol || (extension != ".sse" && extension != ".ndjson")) continue;
    INFO(entry.path().string());
    CHECK(named.count(file) == 1);
  }
}

TEST_CASE("a recording without its first event passes through byte for byte") {
  if (!have_data("recordings/providers")) return;
  std::size_t streams = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(data_dir() / "recordings/providers/interactions")) {
    if (entry.path().extension() != ".sse") continue;
    INFO(entry.path().string());
    ++streams;
    const std::string whole = read_file(entry.path());
    const std::string stream = whole.substr(whole.find("\n\n") + 2);
    session one{session_options{}};
    std::string out;
    CHECK(!one.write(stream, out));
    CHECK(!one.finish(out));
    CHECK(out == stream);
  }
  CHECK(streams > 0);
}
