#include "comparison_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "check_text.hpp"
#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"

namespace citestream::tools {

namespace {

constexpr std::size_t max_claim_bytes = 512;

/// Formats a number with at most \p decimals, without zeros at its end.
std::string number_text(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  std::string out(text.data());
  if (out.find('.') == std::string::npos) return out;
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

/// How a value of \p by is shown to people.
std::string shown(const measure& by, const std::optional<double>& value) {
  if (!value) return "-";
  switch (by.unit) {
    case measure_unit::count:
      break;
    case measure_unit::share:
      return number_text(*value * 100, 1) + " %";
    case measure_unit::bytes:
      return number_text(*value, 0) + " B";
    case measure_unit::seconds:
      return number_text(*value, 3) + " s";
  }
  return number_text(*value, 0);
}

/// One row of the table of measures.
struct measure_row {
  std::string name;
  std::string older;
  std::string newer;
  std::string note;
};

std::vector<measure_row> rows_of(const compared_sets& all) {
  std::vector<measure_row> out;
  for (const measure& by : measures()) {
    const auto older = by.value(all.result.old_total);
    const auto newer = by.value(all.result.new_total);
    const bool worse = is_worse(by, all.result.old_total, all.result.new_total, all.tolerance);
    out.push_back({std::string(by.name), shown(by, older), shown(by, newer), worse ? "worse" : ""});
  }
  return out;
}

std::string report_line(std::string_view text) {
  std::string out;
  append_plain_line(text, max_claim_bytes, out);
  return out;
}

const std::string& name_of(const compared_sets& all, const answer_pair& pair) {
  return all.newer.answers[pair.new_answer].name;
}

/// The verdict on a claim, `invented`, or both: `supported, invented`.
std::string outcome_of(const judged_claim& claim) {
  if (!claim.verdict) return claim.invented ? "invented" : "not judged";
  return std::string(name(*claim.verdict)) + (claim.invented ? ", invented" : "");
}

/// Appends the claims that changed: `supported -> not_found: The claim.`
void append_changes(const compared_sets& all, const char* heading, const char* item, std::string& out) {
  for (const answer_pair& pair : all.result.pairs) {
    if (pair.changed.empty()) continue;
    out += '\n' + std::string(heading) + report_line(name_of(all, pair)) + "\n\n";
    for (const changed_claim& each : pair.changed) {
      out += item + outcome_of(each.old_claim) + " -> " + outcome_of(each.new_claim) + ": " +
             report_line(each.new_claim.text);
      if (each.old_claim.text != each.new_claim.text)
        out += " (before: " + report_line(each.old_claim.text) + ')';
      out += '\n';
    }
  }
}

void append_unpaired(const compared_sets& all, std::string& out) {
  const auto list = [&](const char* where, const answer_set& from, const std::vector<std::size_t>& which) {
    for (const std::size_t index : which) out += where + report_line(from.answers[index].file) + '\n';
  };
  const auto unread = [&](const answer_set& from) {
    for (const unread_input& each : from.unread)
      out += "not read completely: " + report_line(each.file) + ": " + report_line(each.why) + '\n';
  };
  const std::size_t before = out.size();
  list("only in OLD: ", all.older, all.result.only_old);
  list("only in NEW: ", all.newer, all.result.only_new);
  unread(all.older);
  unread(all.newer);
  if (out.size() > before) out.insert(before, "\n");
}

/// Returns the names of the measures that are worse, and `only_old` if an answer has no counterpart.
std::vector<std::string_view> worse_measures(const compared_sets& all) {
  std::vector<std::string_view> out;
  for (const measure& by : measures()) {
    if (is_worse(by, all.result.old_total, all.result.new_total, all.tolerance)) out.push_back(by.name);
  }
  if (!all.result.only_old.empty()) out.emplace_back("only_old");
  return out;
}

std::string conclusion(const compared_sets& all) {
  const std::size_t count = all.result.pairs.size();
  const std::size_t missing = all.result.only_old.size();
  const std::string lacks = missing == 0   ? ""
                            : missing == 1 ? " (an answer is missing)"
                                           : " (" + std::to_string(missing) + " answers are missing)";
  return std::to_string(count) + (count == 1 ? " answer compared: " : " answers compared: ") +
         (is_worse(all) ? "NEW is worse" : "NEW is not worse") + lacks;
}

void append_comparison_text(const compared_sets& all, std::string& out) {
  out += conclusion(all) + "\n\n";
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(), "%-20s %10s %10s\n", "", "old", "new");
  out += line.data();
  for (const measure_row& row : rows_of(all)) {
    std::snprintf(line.data(), line.size(), "%-20s %10s %10s%s%s", row.name.c_str(), row.older.c_str(),
                  row.newer.c_str(), row.note.empty() ? "" : "  ", row.note.c_str());
    out.append(line.data()).append("\n");
  }
  append_changes(all, "", "  ", out);
  append_unpaired(all, out);
}

/// Text of others in Markdown: its marks are escaped.
std::string escaped_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>#|!~&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

void append_comparison_markdown(const compared_sets& all, std::string& out) {
  out += "**" + conclusion(all) + "**\n\n| | old | new | |\n|---|---:|---:|---|\n";
  for (const measure_row& row : rows_of(all))
    out += "| " + row.name + " | " + row.older + " | " + row.newer + " | " + row.note + " |\n";
  std::string rest;
  append_changes(all, "### ", "", rest);
  append_unpaired(all, rest);
  // Each line is a heading, an item or empty. The contents come from answers, so they are escaped.
  for (std::string_view left = rest; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (line.starts_with("### ")) {
      out += "### " + escaped_markdown(line.substr(4));
    } else if (!line.empty()) {
      out += "- " + escaped_markdown(line);
    }
    out += '\n';
  }
}

/// Appends an object with a member for each measure, and with \p file unless that is null.
void append_figures_json(const answer_figures& of, const std::string* file, std::string& out) {
  object_writer object(out);
  if (file != nullptr) object.string("file", *file);
  for (const measure& by : measures()) {
    const std::optional<double> value = by.value(of);
    object.runtime_key(by.name) += value ? number_text(*value, 6) : "null";
  }
  object.end();
}

void append_claim_json(const judged_claim& claim, std::string& out) {
  object_writer object(out);
  object.string("claim", claim.text);
  object.name_or_null("verdict", claim.verdict);
  object.boolean("invented", claim.invented);
  object.end();
}

void append_pair_json(const compared_sets& all, const answer_pair& pair, std::string& out) {
  const measured_answer& newer = all.newer.answers[pair.new_answer];
  object_writer object(out);
  object.string("name", newer.name);
  object.known("question", newer.question);
  const measured_answer& older = all.older.answers[pair.old_answer];
  append_figures_json(older.figures, &older.file, object.key("old"));
  append_figures_json(newer.figures, &newer.file, object.key("new"));
  append_json_array(pair.changed, object.key("changed"), [&](const changed_claim& each) {
    object_writer claims(out);
    append_claim_json(each.old_claim, claims.key("old"));
    append_claim_json(each.new_claim, claims.key("new"));
    claims.end();
  });
  object.end();
}

void append_comparison_json(const compared_sets& all, std::string& out) {
  const std::vector<std::string_view> worse = worse_measures(all);
  object_writer object(out);
  object.boolean("worse", !worse.empty());
  object.key("tolerance") += number_text(all.tolerance, 6);
  append_figures_json(all.result.old_total, nullptr, object.key("old"));
  append_figures_json(all.result.new_total, nullptr, object.key("new"));
  append_json_array(worse, object.key("worse_measures"));
  append_json_array(all.result.pairs, object.key("pairs"),
                    [&](const answer_pair& pair) { append_pair_json(all, pair, out); });
  append_json_array(all.result.only_old, object.key("only_old"),
                    [&](std::size_t index) { append_json_string(all.older.answers[index].file, out); });
  append_json_array(all.result.only_new, object.key("only_new"),
                    [&](std::size_t index) { append_json_string(all.newer.answers[index].file, out); });
  std::vector<unread_input> unread = all.older.unread;
  unread.insert(unread.end(), all.newer.unread.begin(), all.newer.unread.end());
  append_json_array(unread, object.key("unread"), [&](const unread_input& each) {
    object_writer input(out);
    input.string("file", each.file);
    input.string("error", each.why);
    input.end();
  });
  object.end();
  out += '\n';
}

}  // namespace

bool is_worse(const compared_sets& all) {
  return !worse_measures(all).empty();
}

void append_comparison(const compared_sets& all, comparison_form form, std::string& out) {
  switch (form) {
    case comparison_form::text:
      return append_comparison_text(all, out);
    case comparison_form::json:
      return append_comparison_json(all, out);
    case comparison_form::markdown:
      return append_comparison_markdown(all, out);
  }
}

}  // namespace citestream::tools
