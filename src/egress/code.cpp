// Runs of backticks and tildes: fences and spans of code.
#include <utility>

#include "guard.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

// What could begin something outside code, or be read differently there.
bool is_mark(char c) noexcept {
  constexpr std::string_view marks = "[]<:&!\\./";
  return marks.find(c) != std::string_view::npos;
}

}  // namespace

void egress_guard::begin_run(char c) {
  run_ = c;
  run_length_ = 1;
  run_first_ = blocks_.at_start();
  run_lead_ = blocks_.busy();
  run_before_ = back(1);
  state_ = state::run;
  paragraph_.emphasis |= emphasis_of(c);
  put(c);
}

void egress_guard::in_run(char c) {
  if (c == run_) {
    ++run_length_;
    put(c);
    return;
  }
  end_run();
  step(c);
}

void egress_guard::end_run() {
  constexpr std::size_t fence = 3;
  state_ = state::plain;
  if (run_length_ >= fence && run_lead_) {
    if (label_open_ || (!openers_.empty() && openers_.back().lead)) return blocks_.give_up();
    if (run_first_) return blocks_.offer_fence(run_, run_length_);
    return blocks_.give_up();  // in a quote, behind a bullet, behind what some do not see
  }
  if (run_ == '`' && !openers_.empty()) return code_in_bracket();
  if (run_ == '~' || !blocks_.code_counts() || overflowed_) return;
  // A run of both is one of text for some.
  // Nor where a user is, behind which a host is looked for.
  if (settling_ || label_open_ || user_ || run_before_ == '~') return blocks_.taint();
  state_ = state::span;
  span_ = run_length_;
  closing_ = 0;
}

// In an open bracket nothing counts as code: what is first, the label or the code, is not the same for all.
// Behind it code counts where all agree that none is open.
void egress_guard::code_in_bracket() {
  const std::size_t depth = openers_.size();
  if (run_length_ != 1 || settling_ || run_before_ == '~' ||
      (paragraph_.code_depth != 0 && paragraph_.code_depth != depth)) {
    lose_code();
  } else {
    paragraph_.code_depth = paragraph_.code_depth == 0 ? depth : 0;
  }
}

// A bracket closes.
void egress_guard::end_code_in_bracket() {
  if (std::exchange(paragraph_.code_depth, 0) != 0) lose_code();
}

// A code span: it leaves as it came if it is closed on its line and in its cell, and no emphasis that is
// open could end in it.
void egress_guard::in_span(char c) {
  if (c != '`' && closing_ == span_) {
    pass_span();
    step(c);
    return;
  }
  closing_ = c == '`' ? closing_ + 1 : 0;
  if (is_line_end(c) || c == '|' || (paragraph_.emphasis & emphasis_of(c)) != 0) {
    fail_span();
    step(c);
  } else if (!pending_.empty() || is_mark(c)) {
    pending_ += c;
  } else {
    put(c);
  }
}

void egress_guard::pass_span() {
  state_ = state::plain;
  for (const char c : pending_) put(c);
  pending_.clear();
}

void egress_guard::fail_span() {
  blocks_.taint();
  refeed(pending_, false);
}

}  // namespace citestream
