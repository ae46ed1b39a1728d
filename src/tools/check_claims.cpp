// How claims in JSON lines are checked.
//
// Each line has a claim and its references; it is scored and its result is written at once, so a pipe of any
// length takes constant memory.
#include <citestream/chunk/document.hpp>

#include <utility>
#include <vector>

#include "byte_input.hpp"
#include "check.hpp"
#include "check/question_scorer.hpp"
#include "check_text.hpp"
#include "framing/frame.hpp"
#include "line_splitter.hpp"
#include "rewrite/json.hpp"

namespace citestream::tools {

namespace {

/// Returns the text of one of `references`, which is a string or an object with a text member.
std::string_view text_of(json_value value) {
  if (value.is_string()) return value.string();
  for (const std::string_view key : {"text", "document", "content", "snippet"}) {
    if (value[key].is_string()) return value[key].string();
  }
  return {};
}

/// Reads lines, scores the claim in each, and writes the results.
class claim_lines {
 public:
  claim_lines(report_form form, offset_unit unit, const verdict_thresholds& thresholds, claim_judge judge)
      : form_(form), unit_(unit), scorer_(thresholds), judge_(std::move(judge)) {}

  void write(std::string_view bytes) {
    lines_.feed(bytes);
    for (std::string_view line; lines_.next(line);) take(line);
    flush();
  }

  void finish() {
    if (!lines_.last().empty()) take(lines_.last());
    flush();
  }

  [[nodiscard]] bool clean() const noexcept { return clean_; }

 private:
  void take(std::string_view line) {
    if (++number_ == 1) line = without_byte_order_mark(line);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    if (const status error = parsed_.parse(line)) return fail(message_with_place(error));
    const json_value root = parsed_.root();
    if (!root["claim"].is_string()) return fail("no \"claim\" that is a string");
    if (!read_references(root["references"])) return fail("no \"references\" that are a list of strings");
    report(scorer_.score(root["claim"].string(), root["question"].string(), references_));
  }

  /// Lets the judge decide if the claim is unsure, and writes the result.
  void report(answer_support of) {
    support& found = of.found;
    if (judge_ && found.verdict == claim_verdict::unsure) {
      found.verdict = judge_(of.compared, references_, found.value).value_or(claim_verdict::unsure);
      of.judged = found.verdict != claim_verdict::unsure;
    }
    const bool enough = of.judged ? found.verdict == claim_verdict::supported : found.value >= 0.5;
    clean_ = clean_ && enough && found.verdict != claim_verdict::contradicted;
    if (form_ == report_form::json) {
      append_answer_support(of, references_, unit_, out_);
      out_ += '\n';
    } else {
      append_support_text(of.compared, found, references_, out_);
    }
  }

  bool read_references(json_value list) {
    references_.clear();
    if (list.is_string()) references_.push_back(list.string());
    for (const json_value& each : list.elements()) {
      if (!each.is_string() && text_of(each).data() == nullptr) return false;
      references_.push_back(text_of(each));
    }
    return list.is_array() || list.is_string();
  }

  void fail(const std::string& why) {
    clean_ = false;
    if (form_ == report_form::text) {
      out_ += "line " + std::to_string(number_) + ": " + why + "\n\n";
      return;
    }
    out_ += "{\"line\":" + std::to_string(number_) + ",\"error\":" + json_string(why) + "}\n";
  }

  void flush() {
    write_to_standard_output(out_);
    out_.clear();
  }

  report_form form_;
  offset_unit unit_;
  document parsed_;
  question_scorer scorer_;
  claim_judge judge_;
  std::vector<std::string_view> references_;
  line_splitter lines_;
  std::string out_;
  std::size_t number_{};  ///< of the line, from 1
  bool clean_{true};
};

}  // namespace

bool check_claims(byte_input& input, report_form form, offset_unit unit, const verdict_thresholds& thresholds,
                  const claim_judge& judge) {
  claim_lines lines(form, unit, thresholds, judge);
  for (std::string_view part = input.read(); !part.empty(); part = input.read()) lines.write(part);
  lines.finish();
  return lines.clean();
}

}  // namespace citestream::tools
