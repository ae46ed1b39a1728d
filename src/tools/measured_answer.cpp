// How answers are measured. A file is a document of `filter --to json` if its JSON has `raw_content` and
// `citations`, or is a list of such objects, one for each choice; its records are read, because the answer as
// the model wrote it is not in it. Any other file is read by read_answer() and checked by check_answer(), as
// `check answer` does. In both, only claims that cite a reference with a text have a verdict. In a document,
// a claim has a verdict for each citation.
#include "measured_answer.hpp"

#include <citestream/check/answer_check.hpp>
#include <citestream/check/support.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/cite/citations.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/field_text.hpp"
#include "base/indexed_text.hpp"
#include "batch.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "framing/frame.hpp"
#include "input_files.hpp"
#include "read_answer.hpp"
#include "replay/input_start.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

constexpr std::array<std::string_view, 7> answer_extensions{".sse",   ".ndjson", ".eventstream", ".json",
                                                            ".jsonl", ".txt",    ".md"};

std::uint64_t length_of(json_value list) noexcept {
  return static_cast<std::uint64_t>(std::ranges::distance(list));
}

std::string question_in(json_value root) {
  for (const std::string_view key : {"question", "query"}) {
    if (const std::string_view text = http::trim(root[key].string()); !text.empty()) return std::string(text);
  }
  return {};
}

void add_marker(citation_status status, answer_figures& out) noexcept {
  ++out.markers;
  out.resolved += status == citation_status::resolved ? 1 : 0;
  out.invented += status == citation_status::unresolved ? 1 : 0;
}

/// Returns the status in a record; without one it is `unresolved`.
citation_status status_of(json_value record) noexcept {
  for (const citation_status each : {citation_status::resolved, citation_status::pending}) {
    if (record["status"].string() == name(each)) return each;
  }
  return citation_status::unresolved;
}

/// Measures one choice of an answer.
void measure_choice(std::string_view text, const citations& cites, const verdict_thresholds& thresholds,
                    measured_answer& out) {
  answer_figures& figures = out.figures;
  for (std::size_t i = 0; i < cites.count(); ++i) {
    add_marker(cites.at(i).status, figures);
  }
  figures.uncited += cites.uncited().size();
  for (const claim_report& claim : check_answer(text, cites, thresholds).claims) {
    ++figures.claims;
    if (claim.citations.empty()) continue;
    ++figures.cited;
    const auto begin = static_cast<std::size_t>(claim.place.start.utf8);
    judged_claim& cited = out.claims.emplace_back();
    cited.text = text.substr(begin, static_cast<std::size_t>(claim.place.end.utf8) - begin);
    if (!claim.finding.references.empty()) cited.verdict = claim.finding.verdict;
    cited.invented = std::ranges::any_of(claim.citations, [&](std::uint32_t index) {
      return cites.at(index).status == citation_status::unresolved;
    });
  }
}

/// Returns true for the line of a document that could not be read.
bool is_failed_document(json_value root) noexcept {
  return root["file"].is_string() && root["error"].is_string();
}

/// Returns true for a document of `filter --to json`, or for a list with one for each choice.
bool is_filter_document(json_value root) noexcept {
  if (!root.is_array()) {
    return is_failed_document(root) || (root["raw_content"].is_string() && root["citations"].is_array());
  }
  for (const json_value& each : root) {
    if (each.is_array() || !is_filter_document(each)) return false;
  }
  return !root.empty();
}

/// The verdict on a claim that \p records cite: theirs if it is the same in all, otherwise that of all their
/// references together. Nothing: no reference has a text.
std::optional<claim_verdict> verdict_of(std::string_view claim, std::span<const json_value> records,
                                        support_scorer& scorer) {
  if (records.empty()) return std::nullopt;
  const auto known = verdict_named(records.front()["verdict"].string());
  const auto has_it = [&](const json_value& record) {
    return verdict_named(record["verdict"].string()) == known;
  };
  if (known && std::ranges::all_of(records, has_it)) return known;
  std::vector<std::string_view> texts;
  for (const json_value& record : records) {
    for (const json_value& ref : record["references"]) {
      if (const std::string_view text = ref["text"].string(); !text.empty()) texts.push_back(text);
    }
  }
  if (texts.empty()) return std::nullopt;
  return scorer.score(claim, texts).verdict;
}

/// A claim of a document, and its citations.
struct cited_claim {
  std::uint64_t begin{};
  std::uint64_t end{};
  std::vector<json_value> resolved;  ///< records
  bool invented{};
};

/// Returns the claims of the records of a document. Adjacent records may have the same claim.
std::vector<cited_claim> claims_of(json_value records) {
  std::vector<cited_claim> out;
  for (const json_value& record : records) {
    const auto begin = record["claim_start"].integer().value_or(0);
    const auto end = record["claim_end"].integer().value_or(0);
    if (begin < 0 || end < begin) continue;
    const cited_claim claim{static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end), {}, false};
    if (out.empty() || out.back().begin != claim.begin || out.back().end != claim.end) out.push_back(claim);
    const citation_status status = status_of(record);
    if (status == citation_status::resolved) out.back().resolved.push_back(record);
    if (status == citation_status::unresolved) out.back().invented = true;
  }
  return out;
}

/// Measures a document. \return its `error`; empty if it was read completely
std::string measure_document(json_value root, const session_options& options, measured_answer& out) {
  if (root.is_array()) {
    std::string error;
    for (const json_value& each : root) error = measure_document(each, options, out);  // in the last one
    return error;
  }
  const offset_unit unit = offset_unit_from_name(root["offsets"].string()).value_or(options.offsets);
  indexed_text content;
  content.append(root["content"].string());
  support_scorer scorer(options.thresholds);
  answer_figures& figures = out.figures;
  for (const json_value& record : root["citations"]) add_marker(status_of(record), figures);
  for (const cited_claim& each : claims_of(root["citations"])) {
    const std::string_view text = content.part(each.begin, each.end, unit);
    out.claims.push_back({std::string(text), verdict_of(text, each.resolved, scorer), each.invented});
  }
  figures.uncited += length_of(root["uncited"]);
  figures.claims_known = false;
  const auto held = root["stats"]["held_max"].integer();
  if (held && *held >= 0)
    figures.held_max = std::max(figures.held_max.value_or(0), static_cast<std::uint64_t>(*held));
  return std::string(root["error"].string());
}

/// Returns the first line that is not empty.
std::string_view first_line(std::string_view bytes) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of(before_json), bytes.size()));
  return bytes.substr(0, bytes.find('\n'));
}

answer_reading not_read(std::string why) {
  answer_reading out;
  out.error = std::move(why);
  return out;
}

/// Reads the files of one side.
class answer_measuring {
 public:
  /// \param in_folder  the files are those of a folder, which may hold JSON files of other kinds
  answer_measuring(const session_options& options, bool in_folder)
      : options_(options), in_folder_(in_folder) {}

  /// Returns the number of bytes that were read.
  std::size_t read_file(const std::string& path) {
    const std::string bytes = read_whole_file(path);
    if (path.ends_with(".jsonl")) {
      read_lines(path, bytes);
    } else {
      read_one(path, path, bytes);
    }
    return bytes.size();
  }

  answer_set take() { return std::move(out_); }

 private:
  void read_lines(const std::string& path, std::string_view bytes) {
    std::size_t line = 0;
    while (!bytes.empty()) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size());
      const std::string one(bytes.substr(0, end));
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
      ++line;
      if (one.find_first_not_of(" \t\r") == std::string::npos) continue;
      read_one(path, path + ':' + std::to_string(line), one);
    }
  }

  /// \param place  of the answer, for messages
  void read_one(const std::string& path, const std::string& place, const std::string& bytes) {
    measured_answer one;
    one.file = valid_utf8(place);
    one.name = std::filesystem::path(one.file).filename().string();
    const answer_reading found = measure(path, bytes, one);
    const std::string& why = found.error;
    if (in_folder_ && found.unknown_form && is_other_json(path, bytes)) {
      out_.skipped.push_back({one.file, "skipped: " + why});
      return;
    }
    if (!why.empty()) out_.unread.push_back({one.file, why});
    for (const judged_claim& each : one.claims) {
      if (each.verdict) ++one.figures.verdicts[static_cast<std::size_t>(*each.verdict)];
    }
    if (why.empty() || one.figures.claims > 0 || !one.claims.empty()) out_.answers.push_back(std::move(one));
  }

  /// Returns true for a file that is complete, so that it is not a truncated answer.
  static bool is_other_json(const std::string& path, const std::string& bytes) {
    document parsed;
    return path.ends_with(".json") && !parsed.parse(bytes);
  }

  /// Returns how the answer was read: its `error` is empty if all of it was.
  answer_reading measure(const std::string& path, const std::string& bytes, measured_answer& one) {
    const input_kind kind = input_start::kind_of(path, bytes);
    document parsed;
    const bool lines = kind == input_kind::ndjson;
    if (!parsed.parse(lines || kind == input_kind::recording ? first_line(bytes) : bytes)) {
      const json_value root = parsed.root();
      const json_value head = root.is_array() ? root.first() : root;
      one.question = question_in(head);
      if (const auto name = head["file"].string(); !name.empty())
        one.name = std::filesystem::path(name).filename().string();
      if (lines && (is_filter_document(root) || root["choices"].first()["message"]))
        return not_read("several answers, one on each line (name the file .jsonl)");
      if (is_filter_document(root)) {
        return not_read(measure_document(root, options_, one));
      }
    }
    answer_input source{path, input_form::automatic, options_};
    source.options.style = &strip_style;
    try {
      const auto take = [&](std::string_view text, const citations& cites) {
        measure_choice(text, cites, options_.thresholds, one);
      };
      const answer_reading reading = read_answer(source, bytes, take);
      one.figures.held_max = reading.held_max;
      one.figures.first_text_seconds = reading.first_text_seconds;
      return reading;
    } catch (const command_error& error) {  // a malformed recording
      return not_read(error.what());
    }
  }

  const session_options& options_;
  bool in_folder_;
  answer_set out_;
};

}  // namespace

answer_set measure_answers(const std::string& path, const session_options& options, std::size_t jobs) {
  std::error_code missing;
  const bool in_folder = std::filesystem::is_directory(path, missing);
  document_list files({path}, answer_extensions, false);
  std::mutex mutex;
  std::map<std::size_t, answer_set> found;  // by the index of the file
  std::optional<command_error> failed;
  document_work measure = [&](const input_document& from, document_sink& out) {
    answer_measuring measuring(options, in_folder);
    std::optional<command_error> error;
    try {
      out.advance(measuring.read_file(from.file));
    } catch (const command_error& why) {
      error = why;
    }
    const std::lock_guard lock(mutex);
    if (error && !failed) failed = error;
    found.emplace(from.index, measuring.take());
    return true;
  };
  batch_flags flags;
  flags.jobs = jobs;
  (void)run_batch("diff", files, flags, false, [&] { return measure; });
  if (failed) throw *failed;
  answer_set out;
  const auto append = [](auto& to, auto& from) { std::ranges::move(from, std::back_inserter(to)); };
  for (auto& [index, part] : found) {
    append(out.answers, part.answers);
    append(out.unread, part.unread);
    append(out.skipped, part.skipped);
  }
  return out;
}

}  // namespace citestream::tools
