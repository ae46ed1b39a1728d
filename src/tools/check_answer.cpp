// How `check answer` works: read_answer() gives the text and citations of each choice to answer_reporter,
// which passes them to check_answer(), adds the findings that only this command can make (invalid URLs,
// unknown collections), and writes the report at the end.
#include <citestream/check/answer_check.hpp>

#include <initializer_list>
#include <utility>

#include "check.hpp"
#include "check_text.hpp"
#include "commands.hpp"
#include "document_values.hpp"
#include "known_references.hpp"
#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

constexpr std::size_t max_printed_bytes = 1024;

/// Returns the first of \p names that is visible when printed, or an empty view.
std::string_view first_shown(std::initializer_list<std::string_view> names) {
  for (const std::string_view each : names) {
    std::string line;
    append_plain_line(each, max_printed_bytes, line);
    if (line.find_first_not_of(' ') != std::string::npos) return each;
  }
  return {};
}

/// Collects the report on each choice and adds the findings about URLs and collections.
class answer_reporter {
 public:
  /// \param collections  those of the known sources
  answer_reporter(const check_answer_request& request, const std::vector<std::string>& collections)
      : request_(request), collections_(collections), file_(valid_utf8(request.answer.file)) {}

  void add(std::string_view text, const citations& cites) {
    answer_report report = check_answer(text, cites, request_.answer.options.thresholds, request_.judge);
    std::vector<std::uint32_t> bad_urls;
    for (std::uint32_t i = 0; i < cites.references().size(); ++i) {
      const std::string& url = cites.references()[i].url;
      if (url.empty() || is_valid_web_url(url)) continue;
      bad_urls.push_back(i);
      report.findings.push_back("references[" + std::to_string(i) + "]: not a web address: " + url);
    }
    std::vector<std::string_view> bad_names;
    for (const std::string& name : collections_) {
      if (is_known_collection(name, request_.collections)) continue;
      bad_names.push_back(name);
      report.findings.push_back(
          (request_.collections.empty() ? "not a name of a collection: " : "no such collection: ") + name);
    }
    clean_ = clean_ && report.findings.empty();
    ++count_;
    if (request_.form == report_form::text) return append_text(report, text, cites);
    append_json(report, text, cites, bad_urls, bad_names);
  }

  /// Writes the report, if there is an answer. \return true if there are no findings
  bool finish(document_sink& to) {
    if (count_ == 0) return clean_;
    const bool json = request_.form == report_form::json;
    if (!request_.one_of_several) {
      if (json) out_ = count_ == 1 ? out_ + "\n" : "[" + out_ + "]\n";
    } else {
      out_ = json ? one_line() : "file: " + file_ + "\n\n" + out_ + "\n";
    }
    to.write(out_);
    return clean_;
  }

 private:
  /// Returns `{"file":"a.sse","valid":true,...}`, or with several answers
  /// `{"file":"a.sse","valid":true,"choices":[...]}`.
  [[nodiscard]] std::string one_line() const {
    std::string line;
    object_writer object(line);
    object.string("file", file_);
    if (count_ == 1) return line + ',' + out_.substr(1) + '\n';
    object.boolean("valid", clean_);
    object.key("choices").append("[").append(out_).append("]}\n");
    return line;
  }

  void append_json(const answer_report& report, std::string_view text, const citations& cites,
                   const std::vector<std::uint32_t>& bad_urls,
                   const std::vector<std::string_view>& bad_names) {
    if (count_ > 1) out_ += ',';
    object_writer object(out_);
    object.boolean("valid", report.findings.empty());
    object.boolean("incomplete", !report.incomplete.empty());
    out_ += ',';
    append_answer_report_json(report, text, cites, request_.answer.options.offsets, out_);
    append_json_list("invalid_urls", bad_urls, out_, [&](std::uint32_t index) {
      object_writer url(out_);
      url.number("reference", index);
      url.string("url", cites.references()[index].url);
      url.end();
    });
    append_json_list("collections", collections_, out_);
    append_json_list("invalid_collections", bad_names, out_);
    append_json_list("findings", report.findings, out_);
    object.string("offsets", name(request_.answer.options.offsets));
    object.end();
  }

  void append_text(const answer_report& report, std::string_view text, const citations& cites) {
    out_ += report.grounded == grounding::yes  ? "grounded: yes\n\n"
            : report.grounded == grounding::no ? "grounded: no\n\n"
                                               : "grounded: unknown\n\n";
    for (const claim_report& claim : report.claims) append_claim(claim, text, cites);
    for (const std::uint32_t index : cites.uncited()) {
      const reference& ref = cites.references()[index];
      const std::string place = "references[" + std::to_string(index) + "]";
      append_line("not cited: ", first_shown({ref.title, ref.id, ref.url, ref.cite, place}));
    }
    for (const std::string& finding : report.findings) append_line("found: ", finding);
    if (report.findings.empty()) out_ += "no findings\n";
  }

  void append_claim(const claim_report& claim, std::string_view text, const citations& cites) {
    append_two_decimals(claim.finding.support, out_);
    out_ += "  ";
    const auto begin = static_cast<std::size_t>(claim.place.start.utf8);
    append_plain_line(text.substr(begin, static_cast<std::size_t>(claim.place.end.utf8) - begin),
                      max_printed_bytes, out_);
    out_ += claim.citations.empty() ? " (cites nothing)\n" : "\n";
    for (const std::uint32_t index : claim.citations) {
      const citation& cite = cites.at(index);
      out_ += "      [" + std::to_string(cite.number) + "] ";
      append_plain_line(first_shown({cites.title(cite), cite.identifier, cite.marker}), max_printed_bytes,
                        out_);
      out_ += cite.status == citation_status::resolved  ? "\n"
              : cite.status == citation_status::pending ? ": the answer ends before its references\n"
                                                        : ": does not exist\n";
    }
    append_line(claim.grounded == grounding::yes  ? "      grounded: "
                : claim.grounded == grounding::no ? "      not grounded: "
                                                  : "      unknown: ",
                claim.reason);
    if (const auto& at = claim.finding.evidence) {
      const std::string_view whole = cites.references()[at->reference].text;
      append_line("      evidence: ", whole.substr(at->begin, at->end - at->begin));
    }
    out_ += '\n';
  }

  void append_line(const char* title, std::string_view text) {
    out_ += title;
    append_plain_line(text, max_printed_bytes, out_);
    out_ += '\n';
  }

  const check_answer_request& request_;
  const std::vector<std::string>& collections_;
  std::string file_;
  std::string out_;
  std::size_t count_{};
  bool clean_{true};
};

}  // namespace

bool check_answer_command(const input_document& from, const check_answer_request& given,
                          const known_references& known, document_sink& out) {
  check_answer_request request = given;
  request.answer.file = from.file;
  request.answer.options.style = &strip_style;
  add_known(known, request.answer.options.references);
  byte_input input(from);
  announce_terminal(input, "check");
  const std::string bytes = read_all(input);
  out.advance(bytes.size());
  answer_reporter reporter(request, known.collections);
  const auto add = [&](std::string_view text, const citations& cites) { reporter.add(text, cites); };
  const answer_reading reading = read_answer(request.answer, bytes, add);
  const bool clean = reporter.finish(out);
  const bool guessed = reading.unknown_form && request.answer.from == input_form::automatic;
  const char* const hint = guessed ? "; for plain text, use --from text" : "";
  if (!reading.error.empty()) throw command_error(input.name() + ": " + reading.error + hint);
  return clean;
}

}  // namespace citestream::tools
