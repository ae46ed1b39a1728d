#include "filter.hpp"

#include <citestream/chunk/document.hpp>
#include <citestream/replay/recording.hpp>

#include <algorithm>
#include <functional>
#include <unistd.h>
#include <utility>
#include <vector>

#include "answer_sinks.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "references_file.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

std::unique_ptr<delta_sink> make_sink(const filter_request& request) {
  if (request.to == output_form::text) return make_text_sink(request.options);
  return request.to == output_form::events ? make_event_sink(request.options)
                                           : make_document_sink(request.options);
}

/// `--from text`: what has arrived is a delta.
class text_pipeline final : public pipeline {
 public:
  explicit text_pipeline(const filter_request& request)
      : sink_(make_sink(request)), untouched_(request.to == output_form::text) {}

  void write(std::string_view bytes, std::string& out) override {
    if (untouched_) return sink_->delta(bytes, out);
    text_.clear();
    reader_.read(bytes, text_);  // JSON holds whole characters only
    if (!text_.empty()) sink_->delta(text_, out);
  }

  void finish(std::string& out) override {
    text_.clear();
    reader_.finish(text_);
    if (!text_.empty()) sink_->delta(text_, out);
    sink_->end(out);
  }

 private:
  std::unique_ptr<delta_sink> sink_;
  bool untouched_;
  utf8_reader reader_;
  std::string text_;
};

/// `--from deltas`: a line is a JSON string, or an object that brings references.
class delta_pipeline final : public pipeline {
 public:
  delta_pipeline(const filter_request& request, std::string name)
      : sink_(make_sink(request)), name_(std::move(name)) {}

  void write(std::string_view bytes, std::string& out) override {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      line_ += bytes.substr(0, end);
      bytes.remove_prefix(end + 1);
      take_line(out);
    }
    line_ += bytes;
  }

  void finish(std::string& out) override {
    if (!line_.empty()) take_line(out);
    sink_->end(out);
  }

 private:
  void take_line(std::string& out) {
    ++number_;
    const bool blank = line_.find_first_not_of(" \t\r") == std::string::npos;
    const status error = blank ? status{} : parsed_.parse(line_);
    line_.clear();
    if (blank) return;
    if (error) fail(std::string(message(error.code)), out);
    const json_value value = parsed_.root();
    if (value.is_string()) return sink_->delta(value.string(), out);
    std::vector<reference> found;
    if (!value.is_object() || !value["references"] || !read_references(value, found)) {
      fail("neither a string nor an object with references", out);
    }
    for (const reference& ref : found) sink_->add_reference(ref);
  }

  /// What is held leaves first: nothing that came is lost.
  [[noreturn]] void fail(const std::string& why, std::string& out) {
    sink_->end(out);
    throw failure(name_ + ":" + std::to_string(number_) + ": " + why);
  }

  std::unique_ptr<delta_sink> sink_;
  std::string name_;
  document parsed_;
  std::string line_;
  std::size_t number_{};  ///< of the line, from 1
};

std::unique_ptr<pipeline> make_pipeline(const filter_request& request, const std::string& name) {
  if (request.from == input_form::text) return std::make_unique<text_pipeline>(request);
  if (request.from == input_form::deltas) return std::make_unique<delta_pipeline>(request, name);
  return make_session_pipeline(request, name);
}

constexpr std::string_view recording_start = "{\"citestream_recording\"";

using take_bytes = std::function<void(std::string_view)>;

void take_recording(byte_input& input, const std::string& file, std::string bytes, const take_bytes& take) {
  for (std::string_view part = input.read(); !part.empty(); part = input.read()) bytes += part;
  recording_error error;
  const auto recorded = parse_recording(file, bytes, error);
  if (!recorded) throw failure(error.text());
  for (const recording_piece& piece : recorded->pieces()) take(piece.bytes);
}

/// Gives the input's bytes as they arrive; those of a recording piece by piece.
void take_input(byte_input& input, const filter_request& request, const take_bytes& take) {
  std::string first;
  if (request.from == input_form::sse) {
    if (request.file.ends_with(".ndjson")) return take_recording(input, request.file, {}, take);
    // No event stream of use starts with a brace, so nothing waits here but the start of a recording.
    while (first.size() < recording_start.size() && recording_start.starts_with(first)) {
      const std::string_view part = input.read();
      if (part.empty()) break;
      first += part;
    }
    if (first.starts_with(recording_start)) return take_recording(input, input.name(), first, take);
    if (!first.empty()) take(first);
  }
  for (std::string_view part = input.read(); !part.empty(); part = input.read()) take(part);
}

/// Writes what a pipeline lets go, at once.
class output {
 public:
  std::string pending;

  void flush() {
    if (pending.empty()) return;
    last_ = pending.back();
    write_to_standard_output(pending);
    pending.clear();
  }

  /// A person's prompt comes on a line of its own.
  void end_line_on_terminal() {
    if (last_ != '\n' && ::isatty(STDOUT_FILENO) == 1) write_to_standard_output("\n");
  }

 private:
  char last_{'\n'};
};

}  // namespace

bool can_convert(input_form from, output_form to) noexcept {
  switch (to) {
    case output_form::text:
    case output_form::json:
    case output_form::events:
      return true;
    case output_form::sse:
    case output_form::frames:
      return from == input_form::sse;
    case output_form::body:
      return from == input_form::json;
  }
  return false;
}

void run_filter(const filter_request& request) {
  byte_input input(request.file);
  const auto work = make_pipeline(request, input.name());
  output out;
  try {
    take_input(input, request, [&](std::string_view bytes) {
      const std::size_t step = request.split == 0 ? bytes.size() : request.split;
      for (std::size_t at = 0; at < bytes.size(); at += step) {
        work->write(bytes.substr(at, step), out.pending);
        out.flush();
      }
    });
    work->finish(out.pending);
  } catch (const failure&) {
    out.flush();
    throw;
  }
  out.flush();
  if (request.to == output_form::text) out.end_line_on_terminal();
  if (const std::string notice = work->notice(); !notice.empty()) print_error_line("filter", notice);
}

}  // namespace citestream::tools
