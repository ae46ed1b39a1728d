// How claims in JSON lines are checked.
//
// Each line has a claim and its references; it is scored and its result is written at once, so a pipe of any
// length takes constant memory. A bare answer (`30 days.`) means nothing without its question, which is read
// before it. `No.` denies the question: what the references contradict is then supported, and the reverse.
#include <citestream/check/support.hpp>
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "check.hpp"
#include "check/support_json.hpp"
#include "check_text.hpp"
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

/// A claim with fewer content words may be a bare answer (`30 days.`): its question is read before it.
constexpr std::size_t least_words = 4;

/// What an answer without other words says about its question.
enum class bare_answer : std::uint8_t { none, yes, no };

[[nodiscard]] bare_answer bare_answer_of(std::string_view claim) {
  std::string word;
  for (const char c : claim) {
    if (c != ' ' && c != '.' && c != '!' && c != '\n') word += ascii::lower(c);
  }
  if (word == "no" || word == "nein" || word == "non") return bare_answer::no;
  const bool yes = word == "yes" || word == "ja" || word == "oui" || word == "si" || word == "s\xC3\xAD";
  return yes ? bare_answer::yes : bare_answer::none;
}

/// Returns \p claim without the `Yes, ` at its start, which the question makes superfluous.
[[nodiscard]] std::string_view without_yes(std::string_view claim) {
  const std::size_t comma = claim.find(", ");
  const bool yes =
      comma != std::string_view::npos && bare_answer_of(claim.substr(0, comma)) == bare_answer::yes;
  return yes ? claim.substr(comma + 2) : claim;
}

/// Reads lines, scores the claim in each, and writes the results.
class claim_lines {
 public:
  claim_lines(report_form form, offset_unit unit, const verdict_thresholds& thresholds, claim_judge judge)
      : form_(form), unit_(unit), thresholds_(thresholds), scorer_(thresholds), judge_(std::move(judge)) {}

  void write(std::string_view bytes) {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      if (waiting_.empty()) {
        take(bytes.substr(0, end));
      } else {
        waiting_ += bytes.substr(0, end);
        take(waiting_);
        waiting_.clear();
      }
      bytes.remove_prefix(end + 1);
    }
    waiting_ += bytes;
    flush();
  }

  void finish() {
    if (!waiting_.empty()) take(waiting_);
    flush();
  }

  [[nodiscard]] bool clean() const noexcept { return clean_; }

 private:
  void take(std::string_view line) {
    if (++number_ == 1) line = without_byte_order_mark(line);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    if (const status error = parsed_.parse(line)) {
      return fail(std::string(message(error.code)) + " at byte " + std::to_string(error.offset));
    }
    const json_value root = parsed_.root();
    if (!root["claim"].is_string()) return fail("no \"claim\" that is a string");
    if (!read_references(root["references"])) return fail("no \"references\" that are a list of strings");
    const std::string_view claim = root["claim"].string();
    const std::string_view question = root["question"].string();
    const support& found = scorer_.score(claim, references_);
    if (question.empty() || found.content_words >= least_words) return report(claim, found);
    const bare_answer answer = bare_answer_of(claim);
    compared_.assign(question);
    if (answer == bare_answer::none) compared_.append(" ").append(without_yes(claim));
    const support& compared = scorer_.score(compared_, references_);
    const std::size_t begin = out_.size() + 1;
    report(compared_, answer == bare_answer::no ? denied(compared) : compared);
    if (form_ == report_form::text) return;
    std::string member = "\"compared\":";
    append_json_string(compared_, member);
    out_.insert(begin, member.append(","));
  }

  /// Returns the support for the answer "no" to a question: what the references contradict is denied rightly,
  /// and what they support is denied wrongly.
  [[nodiscard]] support denied(const support& affirmed) {
    support out = affirmed;
    if (affirmed.verdict == claim_verdict::contradicted) {
      // The words that are contradicted are what the answer denies.
      const auto denied = static_cast<double>(affirmed.contradictions.size());
      out.value = std::min(1.0, affirmed.coverage + denied / static_cast<double>(affirmed.content_words));
      out.contradictions = {};
      out.contradicted_numbers = {};
      out.verdict = out.value >= thresholds_.supported ? claim_verdict::supported : claim_verdict::unsure;
    } else if (affirmed.verdict == claim_verdict::supported) {
      out.value = 1 - affirmed.value;
      out.verdict = claim_verdict::contradicted;
      denial_ = {"negation", 0, compared_.size(), *affirmed.evidence};
      out.contradictions = std::span(&denial_, 1);
    }
    return out;
  }

  void report(std::string_view claim, const support& scored) {
    support found = scored;
    const bool judged = ask(claim, found);
    const bool enough = judged ? found.verdict == claim_verdict::supported : found.value >= 0.5;
    clean_ = clean_ && enough && found.verdict != claim_verdict::contradicted;
    if (form_ == report_form::json) {
      const std::size_t begin = out_.size() + 1;
      append_support_json(found, claim, references_, unit_, out_);
      if (judged) out_.insert(begin, "\"judged\":true,");
      out_ += '\n';
    } else {
      append_support_text(claim, found, references_, out_);
    }
  }

  /// Asks the judge about a claim that is unsure. \return true if it has a verdict
  bool ask(std::string_view claim, support& found) {
    if (!judge_ || found.verdict != claim_verdict::unsure) return false;
    found.verdict = judge_(claim, references_, found.value).value_or(claim_verdict::unsure);
    return found.verdict != claim_verdict::unsure;
  }

  bool read_references(json_value list) {
    references_.clear();
    if (list.is_string()) references_.push_back(list.string());
    for (json_value each = list.first(); list.is_array() && each; each = each.next()) {
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
    out_ += "{\"line\":" + std::to_string(number_) + ",\"error\":";
    append_json_string(why, out_);
    out_ += "}\n";
  }

  void flush() {
    write_to_standard_output(out_);
    out_.clear();
  }

  report_form form_;
  offset_unit unit_;
  verdict_thresholds thresholds_;
  document parsed_;
  support_scorer scorer_;
  claim_judge judge_;
  std::vector<std::string_view> references_;
  std::string compared_;  ///< a question and the claim that answers it
  contradiction denial_;  ///< of a question that the references support
  std::string waiting_;   ///< start of an incomplete line
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
