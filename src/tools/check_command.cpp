#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "batch.hpp"
#include "byte_input.hpp"
#include "check.hpp"
#include "claim_judge.hpp"
#include "commands.hpp"
#include "configuration_flags.hpp"
#include "known_references.hpp"

namespace citestream::tools {

namespace {

const std::string codes =
    "Exit codes: 0 no findings, 1 findings, or the input cannot be read, 2 usage error.";

const std::string claims_footer = R"(Input, one line:   {"claim":"...","references":["..."]}
Output, one line:  {"support":0.83,"verdict":"unsure",
                    "evidence":{"reference":0,"start":0,"end":42,"offsets":"utf16"},"matched_words":[],
                    "missing_numbers":[],"missing_names":[],"missing_words":[],"contradicted_numbers":[]}
A line that cannot be read gives {"line":3,"error":"..."}; processing continues with the next line.
A claim of fewer than four content words is compared together with its "question", if it has one.
The verdict is supported, contradicted, not_found or unsure. A contradicted claim has a list contradictions
with the rule and both places. Support compares words, not meaning. The exit code uses a support of 0.5, which
separates supported from unsupported claims best in ordinary prose; --supported and --not-found change only the
verdict.
Findings (exit code 1): support below 0.5, a contradicted claim, a line that cannot be read.

Example:
  citestream check claims claims.jsonl --to text

)" + codes;

const std::string format_footer =
    R"(The input is a JSON list of documents in one or both of these forms, or the result of a ChromaDB query:
  {"document":"...","collection":"catalog","metadata":{"source":"catalog.csv"}}
  {"document":"...","collection":"web_search","source":"https://...","title":"...",
   "author":"...","published_date":"2024-03-15"}
Documents are counted from 0. The date of a page is ISO 8601 (2024, 2024-03-15, optionally with a time). A date
in words (Mar 15, 2024) is printed and reported; any other value is reported and not printed. If several
documents are from one page, its first title and first date are printed.
Findings (exit code 1): documents without a source, collection or title, invalid URLs, invalid dates, unknown
collections (without --collections: invalid names), entries that are not objects.

Example:
  citestream check format documents.json --name catalog='Our Catalogue'

)" + codes;

constexpr const char* sources_footer =
    R"(The input has documents (as check format reads them) or references (as filter --references reads them).
The context has one paragraph for each, numbered by its place in the list or by an id that is a number:
  Source 1: Title
    its text, indented
With the same file as --references, [1], [src_1] and [Source 1] in the answer cite the source of that number.

Exit codes: 0 success, 1 the input cannot be read, 2 usage error.

Examples:
  citestream check sources documents.json >> prompt.txt
  citestream check answer answer.txt --references documents.json)";

const std::string answer_footer =
    R"(The input is the text of an answer, a complete JSON body, an event stream (.sse) or a recording (.ndjson).
References come from the stream or from --references, which takes references or documents. Each claim is
compared with the text that it cites. A sentence without citations, and the part of any sentence after its
last marker, are compared with all texts. --provenance-request adds the tool results that [REF|d_1] cites,
and the documents that [1] cites.
grounded is true, false or unknown, with the reason and the missing words. If the numbers of an uncited
sentence occur in no reference, the answer is not grounded (false). If such a sentence is not grounded for
another reason, it is unknown. Headings, code, table headers and link definitions are not claims.
Plain text is read with the markers link, numeric, source and ref unless --markers is set.
Findings (exit code 1): citations of references that do not exist, claims that are not grounded, claims that
name a person who does not occur in the cited text, numbers in uncited sentences that occur in no reference,
contradicted sentences, sentences that are not found if the answer cites nothing, invalid URLs, unknown
collections.
A reference without a source, title or text is incomplete, which is not a finding. hallucination_detected is
true if a citation matches no reference, a claim is contradicted, or an answer without citations has a sentence
that is not found.

Examples:
  citestream check answer answer.sse --to text
  echo 'Sales rose 20% [1].' | citestream check answer --references documents.json
  citestream check answer answer.txt --references documents.json --marker '[ref:{key}]'

)" + codes;

/// The options as typed.
struct check_flags {
  input_form from{};
  std::string references;
  flag_values reading;
  std::string judge;
  double judge_timeout{10};
  provenance_flags provenance;
  std::vector<std::string> collections;
  std::vector<std::string> names;
  std::string file;
  batch_flags batch;
  report_form to{};
  source_form sources_to{};
};

void add_report_form(CLI::App& command, check_flags& flags) {
  add_choice(command, "--to", flags.to, "FORM", "Form of the report",
             {{"json", report_form::json}, {"text", report_form::text}});
}

void add_report_options(CLI::App& command, check_flags& flags) {
  add_value(command, "file", flags.file, "FILE", "Input file; standard input if omitted or -");
  add_report_form(command, flags);
}

void add_judge(CLI::App& command, check_flags& flags) {
  CLI::Option* judge =
      add_value(command, "--judge", flags.judge, "COMMAND",
                "Command, or http:// URL, that decides unsure claims; it gets and returns JSON");
  judge->check(not_empty());
  add_value(command, "--judge-timeout", flags.judge_timeout, "SECONDS",
            "Time for each answer of the judge, in seconds")
      ->check(number_between(0.001, 86400, "number of seconds"))
      ->needs(judge);
}

void add_collections(CLI::App& command, check_flags& flags) {
  add_value(command, "--collections", flags.collections, "NAMES",
            "Comma-separated names of the collections that exist")
      ->allow_extra_args(false)
      ->check(CLI::Validator(list_error, ""));
}

void add_offsets_option(CLI::App& command, check_flags& flags) {
  add_session_flag(command, "offsets", "Unit of text positions in the report", flags.reading);
}

int code_of(bool clean) noexcept {
  return clean ? exit_success : exit_failure;
}

void add_claims_command(CLI::App& check, int& exit_code) {
  CLI::App* command =
      check.add_subcommand("claims", "Score claims against the texts they cite, one per line");
  const auto flags = std::make_shared<check_flags>();
  add_report_options(*command, *flags);
  add_offsets_option(*command, *flags);
  add_session_flags(*command, in_judging, flags->reading);
  add_judge(*command, *flags);
  command->footer(claims_footer);
  command->callback([flags, &exit_code] {
    byte_input input(flags->file);
    announce_terminal(input, "check");
    const session_options options = options_from(flags->reading);
    exit_code = code_of(check_claims(input, flags->to, options.offsets, options.thresholds,
                                     judge_by(flags->judge, flags->judge_timeout)));
  });
}

/// Parses values such as `catalog=Our Catalogue`.
collection_names names_from(const std::vector<std::string>& flags) {
  collection_names out;
  for (const std::string& each : flags) {
    const std::size_t mark = each.find('=');
    if (mark == std::string::npos || mark == 0 || mark + 1 == each.size()) {
      throw CLI::ValidationError("--name", "'" + each + "' is not of the form COLLECTION=NAME");
    }
    out.emplace_back(each.substr(0, mark), each.substr(mark + 1));
  }
  return out;
}

void add_format_command(CLI::App& check, int& exit_code) {
  CLI::App* command = check.add_subcommand("format", "Format retrieved documents as sources and citations");
  const auto flags = std::make_shared<check_flags>();
  add_report_options(*command, *flags);
  add_value(*command, "--name", flags->names, "COLLECTION=NAME",
            "Display name of a collection: catalog='Our Catalogue'; repeatable");
  add_collections(*command, *flags);
  command->footer(format_footer);
  command->callback([flags, &exit_code] {
    const collection_names names = names_from(flags->names);
    byte_input input(flags->file);
    announce_terminal(input, "check");
    exit_code = code_of(check_format(input, flags->to, names, split_names(flags->collections)));
  });
}

void add_sources_command(CLI::App& check, int& exit_code) {
  CLI::App* command = check.add_subcommand("sources", "Print documents as the numbered context of a prompt");
  const auto flags = std::make_shared<check_flags>();
  add_value(*command, "file", flags->file, "FILE", "Input file; standard input if omitted or -");
  add_choice(*command, "--to", flags->sources_to, "FORM", "Form of the output",
             {{"context", source_form::context}, {"json", source_form::json}});
  command->footer(sources_footer);
  command->callback([flags, &exit_code] {
    byte_input input(flags->file);
    announce_terminal(input, "check");
    print_sources(input, flags->sources_to);
    exit_code = exit_success;
  });
}

void add_answer_options(CLI::App& command, check_flags& flags) {
  add_report_form(command, flags);
  add_batch_options(command, flags.batch);
  add_choice(command, "--from", flags.from, "FORM", "Form of the input",
             {{"auto", input_form::automatic},
              {"sse", input_form::sse},
              {"json", input_form::json},
              {"text", input_form::text}});
  add_value(command, "--references", flags.references, "FILE", "JSON file with references or documents")
      ->check(not_empty());
  add_provenance_flags(command, flags.provenance);
  add_session_flags(command, in_reading | in_judging, flags.reading);
  add_judge(command, flags);
  add_collections(command, flags);
  add_offsets_option(command, flags);
}

check_answer_request request_from(const check_flags& flags) {
  check_answer_request request;
  request.answer.from = flags.from;
  request.form = flags.to;
  request.collections = split_names(flags.collections);
  request.answer.options = options_from(flags.reading);
  take_provenance(flags.provenance, request.answer.options);
  return request;
}

/// Checks each answer.
bool check_answers(const check_flags& flags) {
  static constexpr std::array<std::string_view, 6> extensions{".sse",  ".ndjson", ".eventstream",
                                                              ".json", ".txt",    ".md"};
  check_answer_request request = request_from(flags);
  document_list documents(flags.batch.files, extensions, flags.batch.lines, flags.batch.resume);
  request.one_of_several = writes_several_outputs(documents, flags.batch);
  known_references known;
  if (!flags.references.empty()) known = load_known_references(flags.references);
  // Each thread has a judge of its own, because a judge answers one question at a time.
  const auto make = [&]() -> document_work {
    check_answer_request mine = request;
    mine.judge = judge_by(flags.judge, flags.judge_timeout);
    return [mine, &known](const input_document& from, document_sink& out) {
      return check_answer_command(from, mine, known, out);
    };
  };
  return run_batch("check", documents, flags.batch, request.form == report_form::json, make);
}

void add_answer_command(CLI::App& check, int& exit_code) {
  CLI::App* command = check.add_subcommand("answer", "Check an answer against its references");
  const auto flags = std::make_shared<check_flags>();
  add_answer_options(*command, *flags);
  command->footer(answer_footer);
  command->callback([flags, &exit_code] { exit_code = code_of(check_answers(*flags)); });
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Check sources, answers and claims");
  command->require_subcommand(1);
  add_format_command(*command, exit_code);
  add_answer_command(*command, exit_code);
  add_claims_command(*command, exit_code);
  add_sources_command(*command, exit_code);
  command->footer(std::string("Examples:\n"
                              "  citestream check answer answer.sse --to text\n"
                              "  citestream check claims claims.jsonl\n"
                              "\n") +
                  codes);
}

}  // namespace citestream::tools
