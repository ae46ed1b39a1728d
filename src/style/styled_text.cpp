// How a style is applied.
//
// Runs of text pass through the spacer, which buffers blanks that a marker could remove. A marker prints
// between begin_marker() and end_marker(); its sizes are recorded as edits from received to styled text. If
// nothing separates two citations, the style's separator is printed between them. note_end() counts the line
// ends at the end of the output, so that list() can insert an empty line.
#include "styled_text.hpp"

#include <algorithm>

namespace citestream {

/// Counts the line ends after \p text was appended to the output.
void styled_text::note_end(std::string_view text) noexcept {
  std::uint8_t ends = 0;
  for (std::size_t at = text.size(); at > 0 && ends < 2; --at) {
    if (text[at - 1] == '\n') {
      ++ends;
    } else if (text[at - 1] != '\r') {
      line_ends_ = ends;
      return;
    }
  }
  line_ends_ = static_cast<std::uint8_t>(std::min(line_ends_ + ends, 2));
}

void styled_text::text(std::string_view run, bool code, bool abandoned, std::string& out) {
  if (unchanged()) return;
  const std::size_t start = out.size();
  spacer_.text(run, code, out);
  if (abandoned) spacer_.flush(out);
  note_end(std::string_view(out).substr(start));
}

void styled_text::inner(std::string_view text, const text_span& opening, std::string& out) {
  if (unchanged()) return;
  const std::size_t start = out.size();
  spacer_.inner(text, opening, out);
  note_end(std::string_view(out).substr(start));
}

void styled_text::expect_inner(std::string_view text, std::string& out) {
  if (unchanged()) return;
  const std::size_t start = out.size();
  spacer_.expect_inner(text, out);
  note_end(std::string_view(out).substr(start));
}

void styled_text::begin_marker(const text_offset& begin, std::string_view marker, bool prints,
                               std::string& out) {
  printed_ = {};
  if (unchanged()) return printed_.advance(marker);
  const std::size_t start = out.size();
  spacer_.begin_marker(begin, prints, out);
  note_end(std::string_view(out).substr(start));
  if (style_->separator.empty() || printed_until_ == text_offset{}) return;
  const text_offset last = edits().place(printed_until_, edit_side::after);
  after_citation_ = last == edits().place(begin, edit_side::before);
}

text_span styled_text::print(const citation_context& cite, citation_print how, std::string& out) {
  if (unchanged()) return {{}, printed_};
  if (how == citation_print::nothing) return {printed_, printed_};
  if (after_citation_ && !style_->separator.empty()) {
    out.append(style_->separator);
    printed_.advance(style_->separator);
  }
  const text_offset start = printed_;
  rendered_.clear();
  if (style_->render != nullptr && how == citation_print::rendered) style_->render(cite, rendered_);
  if (style_->render != nullptr && how == citation_print::unresolved) rendered_.append(style_->unresolved);
  out.append(rendered_);
  printed_.advance(rendered_);
  if (!rendered_.empty()) note_end(rendered_);
  after_citation_ = !rendered_.empty();
  return {start, printed_};
}

std::optional<text_offset> styled_text::end_marker(const text_span& received) {
  if (unchanged()) return received.start;
  spacer_.end_marker(received, printed_);
  if (after_citation_) printed_until_ = received.end;
  after_citation_ = false;
  if (spacer_.decided() <= received.start.utf8) return std::nullopt;
  return edits().output() - printed_;
}

void styled_text::finish(std::string& out) {
  const std::size_t start = out.size();
  spacer_.flush(out);
  note_end(std::string_view(out).substr(start));
}

void styled_text::list(const citations& from, std::string& out) {
  if (listed_ || style_->list == nullptr || from.all().empty()) return;
  listed_ = true;
  const std::size_t start = out.size();
  out.append(static_cast<std::size_t>(2 - line_ends_), '\n');
  const std::size_t begin = out.size();
  style_->list(from, max_list_bytes_, out);
  if (out.size() == begin) return out.resize(start);
  note_end(std::string_view(out).substr(start));
}

void styled_text::reset() noexcept {
  spacer_.reset();
  printed_ = printed_until_ = {};
  after_citation_ = listed_ = false;
  line_ends_ = 2;
}

}  // namespace citestream
