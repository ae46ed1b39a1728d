#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "batch.hpp"
#include "commands.hpp"
#include "configuration_flags.hpp"
#include "filter.hpp"
#include "input_files.hpp"
#include "known_references.hpp"

namespace citestream::tools {

namespace {

const std::map<std::string, input_form> input_forms{{"auto", input_form::automatic},
                                                    {"sse", input_form::sse},
                                                    {"ndjson", input_form::ndjson},
                                                    {"array", input_form::array},
                                                    {"eventstream", input_form::eventstream},
                                                    {"deltas", input_form::deltas},
                                                    {"json", input_form::json},
                                                    {"text", input_form::text}};
const std::map<std::string, output_form> output_forms{
    {"stream", output_form::stream}, {"sse", output_form::stream},    {"text", output_form::text},
    {"json", output_form::json},     {"events", output_form::events}, {"frames", output_form::frames},
    {"body", output_form::body}};

constexpr const char* help_footer =
    "Input forms (--from):\n"
    "  auto    any stream or json, by the first bytes; a recording with arrival times is also recognised\n"
    "  sse     an event stream, or a recording of one (.ndjson)\n"
    "  ndjson  one JSON object per line, as Ollama sends them\n"
    "  array   one JSON array, as Gemini sends it without alt=sse\n"
    "  eventstream  binary messages, as AWS sends them\n"
    "  deltas  one JSON string per line, each a piece of the answer; {\"references\":{...}} adds references\n"
    "  json    one complete JSON body of an answer that was not streamed\n"
    "  text    the answer's text; each piece that is read is one delta\n"
    "\n"
    "Output forms (--to):\n"
    "  stream  the same stream with clean text and citations         (from streams)\n"
    "  sse     another name for stream\n"
    "  body    the same JSON body with clean text and citations      (from json)\n"
    "  text    the answer's text in the chosen style                 (from any)\n"
    "  json    one document: text, citations, sources                (from any)\n"
    "  events  typed events in text order, one JSON object per line  (from any)\n"
    "  frames  the parsed events, one JSON object per line           (from streams)\n"
    "Default of --to: stream from streams, text from text and deltas, json from json.\n"
    "\n"
    "Several files: the outputs are in the order of the files, and each starts on a new line. A document is\n"
    "one line with the name of its \"file\". From a folder, these files are read: .sse, .ndjson and\n"
    ".eventstream (auto, sse, eventstream), .jsonl and .ndjson (ndjson, deltas), .json (json, array), .txt\n"
    "and .md (text). On a terminal, --to text shows citations in colour and removed markers faint, unless\n"
    "NO_COLOR is set.\n"
    "\n"
    "Exit codes:\n"
    "  0  success, also if a stream or text is empty\n"
    "  1  failure: the input cannot be read, is truncated, is not a stream, or has no answer in a known\n"
    "     format. With --to stream, unknown input passes through unchanged, and a stream in an unknown\n"
    "     format is a success.\n"
    "  2  usage error\n"
    "\n"
    "Examples:\n"
    "  curl -sN ... | citestream filter --to text\n"
    "  citestream filter answer.sse --to json --offsets codepoint\n"
    "  citestream filter recordings/ --to json > answers.jsonl\n"
    "  citestream filter answer.sse --style numeric --split 1\n"
    "  echo 'It grew [Report](id1).' | citestream filter --from text --references refs.json --to json";

/// The options as typed.
struct filter_flags {
  std::string from{"auto"};
  std::string to;
  flag_values session;
  std::string references;
  provenance_flags provenance;
  batch_flags batch;
  filter_request request;
};

template <typename Values>
std::vector<std::string> keys(const Values& values) {
  std::vector<std::string> out;
  out.reserve(values.size());
  for (const auto& entry : values) out.push_back(entry.first);
  return out;
}

/// Returns the extensions of the files to read if a folder is given.
std::span<const std::string_view> extensions_of(input_form from) {
  static constexpr std::array<std::string_view, 3> streams{".sse", ".ndjson", ".eventstream"};
  static constexpr std::array<std::string_view, 2> lines{".jsonl", ".ndjson"};
  static constexpr std::array<std::string_view, 1> bodies{".json"};
  static constexpr std::array<std::string_view, 2> texts{".txt", ".md"};
  switch (from) {
    case input_form::ndjson:
    case input_form::deltas:
      return lines;
    case input_form::json:
    case input_form::array:
      return bodies;
    case input_form::text:
      return texts;
    case input_form::automatic:
    case input_form::sse:
    case input_form::eventstream:
      break;
  }
  return streams;
}

/// Returns true if the output has records of citations, and so the verdicts of `--check report`.
bool has_records(output_form to, const session_options& options) noexcept {
  if (to == output_form::text || to == output_form::frames) return false;
  return to == output_form::json || to == output_form::events || options.add != additions::never;
}

bool run(const filter_flags& flags) {
  filter_request request = flags.request;
  request.from = input_forms.at(flags.from);
  if (!flags.to.empty()) request.to = output_forms.at(flags.to);
  const output_form to = request.to.value_or(default_output(request.from));
  if (request.choice != 0 && is_text(request.from) && to == output_form::text) {
    throw CLI::ValidationError("--choice", "--from " + flags.from + " has one answer, choice 0");
  }
  if (!can_convert(request.from, to)) {
    throw CLI::ValidationError("--to " + flags.to + " is not possible with --from " + flags.from);
  }
  request.options = options_from(flags.session);
  take_provenance(flags.provenance, request.options);
  if (!flags.references.empty())
    add_known(load_known_references(flags.references), request.options.references);
  // Style keep writes the start of a marker before its end is known, which is too early to colour it.
  const bool coloured = to == output_form::text && request.options.style != &keep_style;
  request.colours = coloured && shows_colours(STDOUT_FILENO);
  if (request.options.check != check_mode::off && !has_records(to, request.options))
    print_notice_line("filter",
                      "--check report has no effect: this output has no records of citations (use --to json "
                      "or --to events)");
  document_list documents(flags.batch.files, extensions_of(request.from), flags.batch.lines,
                          flags.batch.resume);
  request.one_of_several = writes_several_outputs(documents, flags.batch);
  if (!request.graph.empty() && (request.one_of_several || request.from == input_form::deltas)) {
    throw CLI::ValidationError("--provenance-graph requires a single input, and not --from deltas");
  }
  const auto new_filter = [&request] {
    return [&request](const input_document& from, document_sink& out) {
      filter_request one = request;
      one.file = from.file;
      return run_filter(one, from, out);
    };
  };
  return run_batch("filter", documents, flags.batch, to == output_form::json, new_filter);
}

void add_form_options(CLI::App& command, filter_flags& flags) {
  add_value(command, "--from", flags.from, "FORM", "Form of the input")->check(one_of(keys(input_forms)));
  add_value(command, "--to", flags.to, "FORM", "Form of the output")->check(one_of(keys(output_forms)));
  add_count(command, "--split", flags.request.split, "BYTES",
            "Process the input in pieces of this many bytes");
  add_value(command, "--choice", flags.request.choice, "N", "With --to text: index of the answer to print")
      ->check(whole_number_from(0));
  add_batch_options(command, flags.batch);
}

void add_answer_options(CLI::App& command, filter_flags& flags) {
  add_session_flags(command, in_filter, flags.session);
  add_value(command, "--references", flags.references, "FILE",
            "JSON file with references or documents known before the text")
      ->check(not_empty());
  add_provenance_flags(command, flags.provenance);
  add_value(command, "--provenance-graph", flags.request.graph, "FILE",
            "File for a graph of the answer and the references that it cites, as W3C PROV-JSON")
      ->check(not_empty());
}

}  // namespace

void add_filter_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("filter", "Clean a stream, a JSON body or text, and list its citations");
  const auto flags = std::make_shared<filter_flags>();
  add_form_options(*command, *flags);
  add_answer_options(*command, *flags);
  command->footer(help_footer);
  command->callback([flags, &exit_code] { exit_code = run(*flags) ? exit_success : exit_failure; });
}

}  // namespace citestream::tools
