#include <array>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "batch.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "comparison_report.hpp"
#include "configuration_flags.hpp"
#include "known_references.hpp"

namespace citestream::tools {

namespace {

constexpr const char* diff_footer =
    "OLD and NEW are files or folders with recordings (.sse, .ndjson, .eventstream), JSON bodies of answers "
    "and\n"
    "documents of filter --to json (.json, .jsonl: one on each line), and texts (.txt, .md). Answers with "
    "the\n"
    "same question (\"question\" or \"query\" in the JSON, or in the first line of a recording) are "
    "compared, then\n"
    "those whose files have the same name, with or without the ending. Two single answers are always "
    "compared.\n"
    "\n"
    "Each share is compared with that of OLD over all pairs: resolved, invented (citations that match no\n"
    "reference), cited_claims, and the verdicts supported, contradicted and not_found on claims that cite a\n"
    "reference with a text. Numbers of markers and uncited references, held_max and first_text_seconds are\n"
    "shown but do not affect the result. An answer of OLD without a counterpart makes NEW worse.\n"
    "\n"
    "Exit codes: 0 NEW is not worse, 1 NEW is worse, 2 usage error, or an input cannot be read completely.\n"
    "\n"
    "Examples:\n"
    "  citestream diff answers-main/ answers-branch/ --tolerance 0.05\n"
    "  citestream diff old.sse new.sse --to markdown > report.md";

/// The options as typed.
struct diff_flags {
  std::string older;
  std::string newer;
  comparison_form to{};
  std::size_t jobs{};
  double tolerance{};
  std::string references;
  flag_values reading;
};

/// Prints a message for each input that was skipped or could not be read. \return true if all could be read
bool all_read(const answer_set& set) {
  for (const unread_input& each : set.skipped) print_notice_line("diff", each.file + ": " + each.why);
  for (const unread_input& each : set.unread) print_error_line("diff", each.file + ": " + each.why);
  return set.unread.empty();
}

int run_diff(const diff_flags& flags) {
  session_options options = options_from(flags.reading);
  if (!flags.references.empty()) options.references = load_known_references(flags.references).references;
  const auto is_standard_input = [](const std::string& name) { return name == "-" || name == "@-"; };
  if (is_standard_input(flags.older) && is_standard_input(flags.newer))
    throw command_error("OLD and NEW cannot both be standard input");
  const answer_set older = measure_answers(flags.older, options, flags.jobs);
  const answer_set newer = measure_answers(flags.newer, options, flags.jobs);
  const bool older_complete = all_read(older);
  const bool complete = all_read(newer) && older_complete;
  const answer_comparison result = compare_answers(older, newer);
  if (result.pairs.empty()) {
    throw command_error("no answer of " + flags.newer + " matches one of " + flags.older +
                        " (same question, or same file name if it has no question)");
  }
  const compared_sets all{older, newer, result, flags.tolerance};
  std::string out;
  append_comparison(all, flags.to, out);
  write_to_standard_output(out);
  if (!complete) return exit_usage;
  return is_worse(all) ? exit_failure : exit_success;
}

}  // namespace

void add_diff_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("diff", "Compare the citations of two sets of answers");
  const auto flags = std::make_shared<diff_flags>();
  add_value(*command, "OLD", flags->older, "FILE",
            "File or folder of answers to compare with, or @FILE with a path on each line")
      ->required();
  add_value(*command, "NEW", flags->newer, "FILE",
            "File or folder of answers, or @FILE with a path on each line")
      ->required();
  add_choice(*command, "--to", flags->to, "FORM", "Form of the report",
             {{"text", comparison_form::text},
              {"json", comparison_form::json},
              {"markdown", comparison_form::markdown}});
  add_value(*command, "--tolerance", flags->tolerance, "SHARE",
            "How much worse each share may be, 0 to 1: 0.05 is five percentage points")
      ->check(number_between(0, 1));
  add_value(*command, "--references", flags->references, "FILE",
            "JSON file with references or documents, for both")
      ->check(not_empty());
  add_session_flag(*command, "offsets", "Unit of text positions in documents that do not name theirs",
                   flags->reading);
  add_jobs_option(*command, flags->jobs);
  add_session_flags(*command, in_reading | in_judging, flags->reading);
  command->footer(diff_footer);
  command->callback([flags, &exit_code] {
    try {
      exit_code = run_diff(*flags);
    } catch (const command_error& error) {  // 1 is for answers that are worse
      print_error_line("diff", error.what());
      exit_code = exit_usage;
    }
  });
}

}  // namespace citestream::tools
