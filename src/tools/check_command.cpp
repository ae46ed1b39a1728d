#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "byte_input.hpp"
#include "check.hpp"
#include "commands.hpp"
#include "name_list.hpp"
#include "session_flags.hpp"

namespace citestream::tools {

namespace {

const std::map<std::string, report_form> report_forms{{"json", report_form::json},
                                                      {"text", report_form::text}};

constexpr const char* codes =
    "Exit codes: 0 clean, 1 something was found (or the input cannot be read), 2 wrong usage.";

const std::string claims_footer =
    std::string(
        "A line in:  {\"claim\":\"...\",\"references\":[\"...\"]}\n"
        "A line out: "
        "{\"support\":0.83,\"evidence\":{\"reference\":0,\"start\":0,\"end\":42,\"offsets\":\"utf16\"},\n"
        "             "
        "\"missing_numbers\":[],\"missing_names\":[],\"missing_words\":[],\"contradicted_numbers\":[]}\n"
        "A line that cannot be read gives {\"line\":3,\"error\":\"...\"}; the others go on.\n"
        "Support compares words, not meaning: 0.5 parts best what ordinary prose supports from what it does "
        "not.\n"
        "Found (exit code 1): support below 0.5, a contradicted number, a line that cannot be read.\n\n"
        "Example:\n"
        "  citestream check claims claims.jsonl --to text\n\n") +
    codes;

const std::string format_footer =
    std::string(
        "The input is a JSON list of documents, one of these or mixed, or ChromaDB's query result:\n"
        "  {\"document\":\"...\",\"collection\":\"catalog\",\"metadata\":{\"source\":\"catalog.csv\"}}\n"
        "  "
        "{\"document\":\"...\",\"collection\":\"web_search\",\"source\":\"https://...\",\"title\":\"...\",\n"
        "   \"author\":\"...\",\"published_date\":\"2024-03-15\"}\n"
        "Documents are counted from 0. A date of a page is ISO 8601 (2024, 2024-03-15, with a time or not); "
        "one that\n"
        "people write (Mar 15, 2024) is printed but found, others (a count of seconds) are found and not "
        "printed.\n"
        "Of documents from one page the first title and the first date are printed.\n"
        "Found (exit code 1): documents without source, collection or title, addresses that are no URL, "
        "dates "
        "of\n"
        "pages that are none.\n\n"
        "Example:\n"
        "  citestream check format documents.json --name catalog='Our Catalogue'\n\n") +
    codes;

const std::string answer_footer =
    std::string(
        "The input is the answer's text, a whole JSON body, or an event stream (.sse) or a recording of one\n"
        "(.ndjson). References come in the stream, or from --references: references as for filter, or "
        "documents\n"
        "as for check format. Each claim is held against the text that it cites; a sentence that cites "
        "nothing\n"
        "against all texts. grounded is true, false or unknown, with a reason and what is missing. Beside "
        "cited\n"
        "claims, a sentence that cites nothing makes the whole false where its numbers are in no text, and "
        "unknown\n"
        "where else it is not grounded. Headings, code, heads of tables and link definitions are no claims.\n"
        "In text alone the markers are link, numeric, source and ref unless --markers says otherwise.\n"
        "Found (exit code 1): citations of what does not exist, claims that are not grounded or name "
        "somebody\n"
        "that the text does not, numbers of uncited sentences that no text has, references without a "
        "source,\n"
        "addresses that are no URL, unknown collections.\n\n"
        "Examples:\n"
        "  citestream check answer answer.sse --to text\n"
        "  echo 'Sales rose 20% [1].' | citestream check answer --references documents.json\n"
        "  citestream check answer answer.txt --references documents.json --marker '[ref:{key}]'\n\n") +
    codes;

const std::map<std::string, answer_form> answer_forms{{"auto", answer_form::automatic},
                                                      {"sse", answer_form::stream},
                                                      {"json", answer_form::body},
                                                      {"text", answer_form::text}};

/// The options as typed.
struct check_flags {
  std::string from{"auto"};
  std::string references;
  session_flags reading;
  std::vector<std::string> collections;
  std::vector<std::string> names;
  std::string file;
  std::string to{"json"};
  std::string offsets{"utf16"};
};

void add_report_options(CLI::App& command, check_flags& flags) {
  command.add_option("file", flags.file, "Input; standard input where it is absent or -")->type_name("FILE");
  command.add_option("--to", flags.to, "Form of the report: json, or text for people")
      ->check(CLI::IsMember(std::vector<std::string>{"json", "text"}))
      ->capture_default_str();
}

void add_offsets_option(CLI::App& command, check_flags& flags) {
  command.add_option("--offsets", flags.offsets, "Unit of positions in JSON")
      ->check(CLI::IsMember(choices_of(session_option_named("offsets"))))
      ->capture_default_str();
}

int code_of(bool clean) noexcept {
  return clean ? exit_success : exit_failure;
}

void add_claims_command(CLI::App& check, int& exit_code) {
  CLI::App* command =
      check.add_subcommand("claims", "Score claims against the texts that they cite, in bulk");
  const auto flags = std::make_shared<check_flags>();
  add_report_options(*command, *flags);
  add_offsets_option(*command, *flags);
  command->footer(claims_footer);
  command->callback([flags, &exit_code] {
    byte_input input(flags->file);
    exit_code =
        code_of(check_claims(input, report_forms.at(flags->to), *offset_unit_from_name(flags->offsets)));
  });
}

/// `catalog=Our Catalogue` for each.
collection_names names_from(const std::vector<std::string>& flags) {
  collection_names out;
  for (const std::string& each : flags) {
    const std::size_t mark = each.find('=');
    if (mark == std::string::npos || mark == 0) {
      throw CLI::ValidationError("--name", "not of the form collection=name: " + each);
    }
    out.emplace_back(each.substr(0, mark), each.substr(mark + 1));
  }
  return out;
}

void add_format_command(CLI::App& check, int& exit_code) {
  CLI::App* command = check.add_subcommand("format", "List retrieved documents as sources and citations");
  const auto flags = std::make_shared<check_flags>();
  add_report_options(*command, *flags);
  command->add_option("--name", flags->names,
                      "Display name of a collection: catalog='Our Catalogue'; repeatable");
  command->footer(format_footer);
  command->callback([flags, &exit_code] {
    const collection_names names = names_from(flags->names);
    byte_input input(flags->file);
    exit_code = code_of(check_format(input, report_forms.at(flags->to), names));
  });
}

void add_answer_options(CLI::App& command, check_flags& flags) {
  add_report_options(command, flags);
  command.add_option("--from", flags.from, "Form of the input")
      ->check(CLI::IsMember(std::vector<std::string>{"auto", "sse", "json", "text"}))
      ->capture_default_str();
  command.add_option("--references", flags.references, "JSON file of references or documents")
      ->type_name("FILE");
  add_session_flags(command, in_reading, flags.reading);
  add_name_list(command, "--collections", flags.collections,
                "The collections that exist, separated by commas");
  add_offsets_option(command, flags);
}

check_answer_request request_from(const check_flags& flags) {
  check_answer_request request;
  request.file = flags.file;
  request.from = answer_forms.at(flags.from);
  request.form = report_forms.at(flags.to);
  request.references = flags.references;
  request.collections = names_in(flags.collections);
  request.options = options_from(flags.reading);
  request.options.offsets = *offset_unit_from_name(flags.offsets);
  return request;
}

void add_answer_command(CLI::App& check, int& exit_code) {
  CLI::App* command = check.add_subcommand("answer", "Check an answer against its references");
  const auto flags = std::make_shared<check_flags>();
  add_answer_options(*command, *flags);
  command->footer(answer_footer);
  command->callback([flags, &exit_code] {
    byte_input input(flags->file);
    exit_code = code_of(check_answer_command(input, request_from(*flags)));
  });
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Check sources, answers and claims");
  command->require_subcommand(1);
  add_format_command(*command, exit_code);
  add_answer_command(*command, exit_code);
  add_claims_command(*command, exit_code);
  command->footer(codes);
}

}  // namespace citestream::tools
