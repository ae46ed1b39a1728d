// How `check answer` works: form_of() detects the form of the input. Plain text is run through one `answer`,
// a stream or a body through one `session`; both use the strip style, so that the checked text has no
// markers. answer_reporter then gives the text and citations of each choice to check_answer(), adds the
// findings that only this command can make (invalid URLs, unknown collections), and writes the report at the
// end. The whole input is in memory.
#include <citestream/check/answer_check.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/session/answer.hpp>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "check.hpp"
#include "check_text.hpp"
#include "commands.hpp"
#include "known_sources.hpp"
#include "replay/recording.hpp"
#include "rewrite/json.hpp"
#include "stream_start.hpp"
#include "utf8.hpp"
#include "valid_web_url.hpp"

namespace citestream::tools {

namespace {

constexpr std::size_t max_line_bytes = 1024;

/// Returns the first of \p names that is visible when printed, or an empty view.
std::string_view first_shown(std::initializer_list<std::string_view> names) {
  for (const std::string_view each : names) {
    std::string line;
    append_plain_line(each, max_line_bytes, line);
    if (line.find_first_not_of(' ') != std::string::npos) return each;
  }
  return {};
}

/// Collects the report on each choice and adds the findings about URLs and collections.
class answer_reporter {
 public:
  answer_reporter(const check_answer_request& request, known_sources sources)
      : request_(request), sources_(std::move(sources)) {}

  void add(std::string_view text, const citations& cites) {
    answer_report report = check_answer(text, cites);
    std::vector<std::uint32_t> bad_urls;
    for (std::uint32_t i = 0; i < cites.references().size(); ++i) {
      const std::string& url = cites.references()[i].url;
      if (url.empty() || is_valid_web_url(url)) continue;
      bad_urls.push_back(i);
      report.findings.push_back("references[" + std::to_string(i) + "]: not a web address: " + url);
    }
    std::vector<std::string_view> bad_names;
    for (const std::string& name : sources_.collections) {
      if (is_known(name)) continue;
      bad_names.push_back(name);
      report.findings.push_back("no such collection: " + name);
    }
    clean_ = clean_ && report.findings.empty();
    ++count_;
    if (request_.form == report_form::text) return append_text(report, text, cites);
    append_json(report, text, cites, bad_urls, bad_names);
  }

  /// Writes the report to standard output. \return true if there are no findings
  bool finish() {
    if (request_.form == report_form::json) out_ = count_ == 1 ? out_ + "\n" : "[" + out_ + "]\n";
    write_to_standard_output(out_);
    return clean_;
  }

 private:
  [[nodiscard]] bool is_known(std::string_view name) const {
    const auto& known = request_.collections;
    if (known.empty()) return is_collection_name(name);
    return std::find(known.begin(), known.end(), name) != known.end();
  }

  template <typename Entries, typename Append>
  void append_list(std::string_view key, const Entries& entries, const Append& append) {
    out_ += ",\"" + std::string(key) + "\":[";
    const char* separator = "";
    for (const auto& each : entries) {
      out_ += separator;
      append(each);
      separator = ",";
    }
    out_ += ']';
  }

  void append_json(const answer_report& report, std::string_view text, const citations& cites,
                   const std::vector<std::uint32_t>& bad_urls,
                   const std::vector<std::string_view>& bad_names) {
    const auto append_text = [this](std::string_view each) { append_json_string(each, out_); };
    if (count_ > 1) out_ += ',';
    out_ += report.findings.empty() ? "{\"valid\":true," : "{\"valid\":false,";
    out_ += report.incomplete.empty() ? "\"incomplete\":false," : "\"incomplete\":true,";
    append_answer_report_json(report, text, cites, request_.options.offsets, out_);
    append_list("invalid_urls", bad_urls, [&](std::uint32_t index) {
      out_ += "{\"reference\":" + std::to_string(index) + ",\"url\":";
      append_json_string(cites.references()[index].url, out_);
      out_ += '}';
    });
    append_list("collections", sources_.collections, append_text);
    append_list("invalid_collections", bad_names, append_text);
    append_list("findings", report.findings, append_text);
    out_ += ",\"offsets\":";
    append_json_string(name(request_.options.offsets), out_);
    out_ += '}';
  }

  void append_text(const answer_report& report, std::string_view text, const citations& cites) {
    out_ += report.grounded == grounding::yes  ? "grounded: yes\n\n"
            : report.grounded == grounding::no ? "grounded: no\n\n"
                                               : "grounded: unknown\n\n";
    for (const claim_report& claim : report.claims) append_claim(claim, text, cites);
    for (const std::uint32_t index : cites.uncited()) {
      const reference& ref = cites.references()[index];
      out_ += "not cited: ";
      const std::string place = "references[" + std::to_string(index) + "]";
      append_plain_line(first_shown({ref.title, ref.id, ref.url, ref.cite, place}), max_line_bytes, out_);
      out_ += '\n';
    }
    for (const std::string& finding : report.findings) {
      out_ += "found: ";
      append_plain_line(finding, max_line_bytes, out_);
      out_ += '\n';
    }
    if (report.findings.empty()) out_ += "nothing was found\n";
  }

  void append_claim(const claim_report& claim, std::string_view text, const citations& cites) {
    append_two_decimals(claim.support, out_);
    out_ += "  ";
    const auto begin = static_cast<std::size_t>(claim.place.start.utf8);
    append_plain_line(text.substr(begin, static_cast<std::size_t>(claim.place.end.utf8) - begin),
                      max_line_bytes, out_);
    out_ += claim.citations.empty() ? " (cites nothing)\n" : "\n";
    for (const std::uint32_t index : claim.citations) {
      const citation& cite = cites.all()[index];
      out_ += "      [" + std::to_string(cite.number) + "] ";
      append_plain_line(first_shown({cites.title(cite), cite.identifier, cite.marker}), max_line_bytes, out_);
      out_ += cite.status == citation_status::resolved ? "\n" : ": does not exist\n";
    }
    out_ += claim.grounded == grounding::yes  ? "      grounded: "
            : claim.grounded == grounding::no ? "      not grounded: "
                                              : "      unknown: ";
    append_plain_line(claim.reason, max_line_bytes, out_);
    out_ += '\n';
    if (claim.evidence) {
      const std::string& whole = cites.references()[claim.evidence->reference].text;
      out_ += "      evidence: ";
      append_plain_line(
          std::string_view(whole).substr(claim.evidence->begin, claim.evidence->end - claim.evidence->begin),
          max_line_bytes, out_);
      out_ += '\n';
    }
    out_ += '\n';
  }

  const check_answer_request& request_;
  known_sources sources_;
  std::string out_;
  std::size_t count_{};
  bool clean_{true};
};

/// Detects the form of an input: a recording or a stream by the file name or the first bytes, a body by its
/// opening brace, unless it is one of several lines. Anything else is text.
answer_form form_of(const std::string& file, std::string_view bytes) {
  if (file.ends_with(".sse") || file.ends_with(".ndjson") || file.ends_with(".eventstream"))
    return answer_form::stream;
  if (begins_as_stream(bytes) || begins_with_message(bytes)) return answer_form::stream;
  if (!begins_with(bytes, '{')) return answer_form::text;
  input_start start(file, true);
  input_kind kind = start.take(bytes);
  if (kind == input_kind::unknown) kind = start.take({});
  return kind == input_kind::body ? answer_form::body : answer_form::stream;
}

/// Passes the bytes of a stream to \p take. A recording is passed in its recorded pieces.
template <typename Take>
void for_each_piece(const std::string& name, const std::string& bytes, const Take& take) {
  if (!name.ends_with(".ndjson") && !bytes.starts_with(recording_start)) return take(bytes);
  recording_error error;
  const auto recorded = parse_recording(name, bytes, error);
  if (!recorded) throw failure(error.text());
  for (const recording_piece& piece : recorded->pieces()) take(piece.bytes);
}

void report_text(std::string_view bytes, const session_options& options, answer_reporter& reporter) {
  std::string given;
  append_replacing_invalid_utf8(bytes, given);
  answer one(options);
  for (const reference& ref : options.references) one.add_reference(ref);
  std::string text;
  one.push(given, text);
  one.finish(text);
  one.resolve();
  reporter.add(text, one.cites());
}

/// Runs a stream or a body through a session and reports each choice. \return an empty string, or why the
/// input could not be read completely
std::string report_session(const std::string& bytes, const check_answer_request& request, answer_form form,
                           const std::string& name, answer_reporter& reporter) {
  session run(request.options);
  std::string rewritten;
  std::map<std::uint32_t, std::pair<std::string, const citations*>> choices;
  const auto drain = [&] {
    for (session_event event; run.next(event);) {
      auto& [text, cites] = choices[event.choice];
      cites = event.cites;
      if (event.type == session_event_type::text) text += event.text;
    }
    rewritten.clear();
  };
  status error;
  if (form == answer_form::body) {
    error = run.rewrite_body(bytes, rewritten);
  } else {
    for_each_piece(name, bytes, [&](std::string_view piece) {
      (void)run.write(piece, rewritten);
      drain();
    });
    error = run.finish(rewritten);
  }
  drain();
  const citations none;
  for (const auto& [number, parts] : choices) {
    const citations* found = &none;
    for (std::size_t place = 0; place < run.choices(); ++place) {
      if (&run.cites(place) == parts.second) found = parts.second;
    }
    reporter.add(parts.first, *found);
  }
  if (choices.empty()) {
    const bool guessed = request.from == answer_form::automatic;
    return std::string("no answer in a known format (see --dialect") +
           (guessed ? "; use --from text for plain text)" : ")");
  }
  if (error) return std::string(message(error.code)) + " at byte " + std::to_string(error.offset);
  return run.upstream_error() ? "the stream reports an error" : "";
}

}  // namespace

bool check_answer_command(byte_input& input, const check_answer_request& given) {
  check_answer_request request = given;
  known_sources sources;
  if (!request.references.empty()) sources = load_known_sources(request.references);
  request.options.references = sources.references;
  request.options.typed_events = true;
  request.options.style = &strip_style;
  const std::string bytes = read_all(input);
  answer_form form = request.from;
  if (form == answer_form::automatic) form = form_of(request.file, bytes);
  answer_reporter reporter(request, std::move(sources));
  std::string error;
  if (form == answer_form::text) {
    if (request.options.grammars.empty()) {
      for (const std::string_view each : {"link", "numeric", "source", "ref"}) {
        request.options.grammars.push_back(find_grammar(each));
      }
    }
    report_text(bytes, request.options, reporter);
  } else {
    error = report_session(bytes, request, form, request.file, reporter);
  }
  const bool clean = reporter.finish();
  if (!error.empty()) throw failure(input.name() + ": " + error);
  return clean;
}

}  // namespace citestream::tools
