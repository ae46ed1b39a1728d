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
  if (c == '`' && blocks_.info() == '`') blocks_.no_fence();
  run_ = c;
  run_length_ = 1;
  run_first_ = blocks_.at_start();
  run_lead_ = blocks_.busy();
  state_ = state::run;
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
    if (run_first_) return blocks_.offer_fence(run_, run_length_);
    return blocks_.give_up();  // in a quote, behind a bullet, behind what some do not see
  }
  if (run_ == '~' || !blocks_.code_counts()) return;
  if (settling_) return blocks_.taint();
  state_ = state::span;
  span_ = run_length_;
  closing_ = 0;
}

// A code span: it leaves as it came if it is closed on its line and in its cell.
void egress_guard::in_span(char c) {
  if (c != '`' && closing_ == span_) {
    pass_span();
    step(c);
    return;
  }
  closing_ = c == '`' ? closing_ + 1 : 0;
  if (is_line_end(c) || c == '|') {
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
  pass(pending_);
  pending_.clear();
}

void egress_guard::fail_span() {
  blocks_.taint();
  refeed(pending_, false);
}

}  // namespace citestream
