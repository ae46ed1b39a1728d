// How the guess works.
//
// Every byte is read once. A run of backticks, tildes or dollar signs is collected in `run_` and interpreted
// when another byte follows (end_run()). At the start of a line, three or more backticks or tildes open or
// close a fence. Otherwise backticks open or close a code span, and dollar signs, `\(` and `\[` a formula.
// Spans and formulas end with their paragraph. Four spaces or a tab at the start of a line mean indented
// code.
#include "code_guess.hpp"

#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

bool is_list_marker(char c) noexcept {
  return is_digit(c) || c == '-' || c == '*' || c == '+' || c == '.' || c == ')' || c == '>';
}

}  // namespace

void code_guess::read(std::string_view text) noexcept {
  for (const char c : text) read(c);
}

void code_guess::read_words(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size() && (part_ != line_part::text || run_.length > 0)) read(text[at++]);
  if (at == text.size()) return;
  last_ = text.back();
  if (formula_ == formula::amount && text.find_first_of(" \t", at) != std::string_view::npos)
    formula_ = formula::none;
}

surroundings code_guess::before(char next) noexcept {
  if (run_.length > 0 && next != run_.mark) end_run(next);
  if (fence_.length > 0 || span_ > 0) return surroundings::code;
  if (formula_ == formula::certain) return surroundings::formula;
  return indent_ >= 4 ? surroundings::code : surroundings::prose;
}

void code_guess::read(char c) noexcept {
  if (run_.length > 0 && c != run_.mark) end_run(c);
  const bool escaped = last_ == '\\' && span_ == 0 && fence_.length == 0;
  last_ = escaped && c == '\\' ? ' ' : c;
  if (is_line_break(c)) return end_line();
  if (formula_ == formula::amount && (c == ' ' || c == '\t')) formula_ = formula::none;
  if (escaped && formula_ != formula::certain) {
    if (c == '(' || c == '[') formula_ = formula::bracketed;
    if (c == ')' || c == ']') formula_ = formula::none;
  }
  if ((c == '`' || c == '~' || c == '$') && !escaped) {
    if (run_.length == 0) run_ = {c, 0, part_ != line_part::text};
    ++run_.length;
    part_ = line_part::text;
  } else if (part_ == line_part::blank && (c == ' ' || c == '\t')) {
    indent_ += c == ' ' ? 1 : 4;
  } else if (c != ' ' && c != '\t') {
    part_ = part_ != line_part::text && is_list_marker(c) ? line_part::marker : line_part::text;
  }
}

void code_guess::end_line() noexcept {
  if (part_ == line_part::blank) {  // the paragraph has ended
    span_ = 0;
    formula_ = formula::none;
  }
  part_ = line_part::blank;
  indent_ = 0;
}

void code_guess::end_run(char next) noexcept {
  const run ended = run_;
  run_ = {};
  const bool fence = ended.starts_line && ended.length >= 3 && ended.mark != '$' && span_ == 0;
  if (fence || fence_.length > 0) return end_fence_run(ended);
  if (ended.mark == '$') return end_dollars(ended.length, next);
  if (ended.mark != '`') return;
  if (span_ == 0) {
    span_ = ended.length;
  } else if (span_ == ended.length) {
    span_ = 0;
  }
}

void code_guess::end_fence_run(const run& one) noexcept {
  if (fence_.length == 0) {
    fence_ = one;
  } else if (one.starts_line && one.mark == fence_.mark && one.length >= fence_.length) {
    fence_ = {};
  }
}

void code_guess::end_dollars(std::size_t length, char next) noexcept {
  if (span_ > 0) return;
  const bool opens = formula_ == formula::none || is_letter(next) || next == '\\';
  if (formula_ == formula::certain) {
    formula_ = formula::none;
  } else if (length > 1) {
    formula_ = formula::certain;
  } else if (is_digit(next)) {
    formula_ = formula::amount;
  } else {
    formula_ = opens && !is_space(next) ? formula::certain : formula::none;
  }
}

}  // namespace citestream
