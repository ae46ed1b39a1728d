#include "filter.hpp"

#include <citestream/chunk/document.hpp>

#include <unistd.h>
#include <utility>
#include <vector>

#include "answer_sinks.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "references_file.hpp"
#include "replay/recording.hpp"
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

/// `--from deltas`: a line is a JSON string, or an object that brings references. Another is named, and those
/// behind it are read.
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
  [[nodiscard]] bool refused() const override { return refused_; }

 private:
  void take_line(std::string& out) {
    ++number_;
    const bool blank = line_.find_first_not_of(" \t\r") == std::string::npos;
    const status error = blank ? status{} : parsed_.parse(line_);
    line_.clear();
    if (blank) return;
    if (error) return refuse(message(error.code));
    const json_value value = parsed_.root();
    if (value.is_string()) return sink_->delta(value.string(), out);
    std::vector<reference> found;
    if (!value.is_object() || !value["references"] || !read_references(value, found)) {
      return refuse("not a string or an object with references");
    }
    for (const reference& ref : found) sink_->add_reference(ref);
  }

  void refuse(std::string_view why) {
    refused_ = true;
    print_error_line("filter", name_ + ":" + std::to_string(number_) + ": " + std::string(why));
  }

  std::unique_ptr<delta_sink> sink_;
  std::string name_;
  document parsed_;
  std::string line_;
  std::size_t number_{};  ///< of the line, from 1
  bool refused_{};        ///< some line was
};

std::unique_ptr<pipeline> make_pipeline(const filter_request& request, const std::string& name) {
  if (request.from == input_form::text) return std::make_unique<text_pipeline>(request);
  if (request.from == input_form::deltas) return std::make_unique<delta_pipeline>(request, name);
  return make_session_pipeline(request, name);
}

/// Writes what a pipeline lets go.
class output {
 public:
  std::string pending;

  void flush() {
    if (pending.empty()) return;
    last_ = pending.back();
    write_to_standard_output(pending);
    pending.clear();
  }

  /// Writes a large piece; a small one waits for what comes of the same read.
  void flush_when_large() {
    if (pending.size() >= large) flush();
  }

  /// A person's prompt comes on a line of its own.
  void end_line_on_terminal() {
    if (last_ != '\n' && ::isatty(STDOUT_FILENO) == 1) write_to_standard_output("\n");
  }

 private:
  static constexpr std::size_t large = 256 * 1024;
  char last_{'\n'};
};

/// One run: reads the input, gives it to the pipeline, writes what comes of it.
class filter_run {
 public:
  explicit filter_run(const filter_request& request)
      : request_(request),
        input_(request.file),
        work_(make_pipeline(request, input_.name())),
        progress_(input_.size()) {}

  /// \return what is worth a line on standard error. \p whole: whether all of the input was read
  std::string run(bool& whole) {
    try {
      take_input();
      work_->finish(out_.pending);
    } catch (const failure&) {
      out_.flush();
      throw;
    }
    out_.flush();
    if (request_.to == output_form::text) out_.end_line_on_terminal();
    whole = !work_->refused();
    return work_->notice();
  }

 private:
  /// The next bytes. Reading may wait: what is known by now leaves before.
  std::string_view read() {
    out_.flush();
    const std::string_view part = input_.read();
    progress_.advance(part.size());
    return part;
  }

  void take(std::string_view bytes) {
    const std::size_t step = request_.split == 0 ? bytes.size() : request_.split;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      work_->write(bytes.substr(at, step), out_.pending);
      out_.flush_when_large();
    }
  }

  void take_input() {
    std::string first;
    if (request_.from == input_form::sse) {
      if (request_.file.ends_with(".ndjson")) return take_recording(request_.file, {});
      // No event stream of use starts with a brace, so nothing waits here but the start of a recording.
      while (first.size() < recording_start.size() && recording_start.starts_with(first)) {
        const std::string_view part = read();
        if (part.empty()) break;
        first += part;
      }
      if (first.starts_with(recording_start)) return take_recording(input_.name(), first);
      take(first);
    } else {
      take_start();
    }
    for (std::string_view part = read(); !part.empty(); part = read()) take(part);
  }

  /// Takes the first bytes, behind a byte order mark: it is neither text nor JSON, and leaves before a body
  /// as it came. (A stream's own reader knows it.)
  void take_start() {
    std::string first;
    while (first.size() < byte_order_mark.size() && byte_order_mark.starts_with(first)) {
      const std::string_view part = read();
      if (part.empty()) break;
      first += part;
    }
    const std::string_view rest = without_byte_order_mark(first);
    if (rest.size() < first.size() && request_.to == output_form::body) out_.pending += byte_order_mark;
    take(rest);
  }

  /// Reads a recording line by line. \p first: its bytes that have been read.
  void take_recording(const std::string& file, std::string_view first) {
    recording_reader reader;
    std::string line;  // what has come of it
    const auto take_line = [&](std::string_view whole) {
      if (!reader.take(whole)) throw failure(recording_error{file, reader.line(), reader.reason()}.text());
      if (reader.piece() != nullptr) take(reader.piece()->bytes);
    };
    const auto take_part = [&](std::string_view part) {
      for (std::size_t end = part.find('\n'); end != std::string_view::npos; end = part.find('\n')) {
        take_line(line.empty() ? part.substr(0, end) : line += part.substr(0, end));
        line.clear();
        part.remove_prefix(end + 1);
      }
      line += part;
    };
    take_part(first);
    for (std::string_view part = read(); !part.empty(); part = read()) take_part(part);
    if (!line.empty()) take_line(line);
    if (!reader.started()) throw failure(recording_error{file, 0, std::string(no_recording)}.text());
  }

  const filter_request& request_;
  byte_input input_;
  std::unique_ptr<pipeline> work_;
  output out_;
  progress progress_;
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

bool run_filter(const filter_request& request) {
  bool whole = true;
  const std::string notice =
      filter_run(request).run(whole);  // takes its line on the terminal away at its end
  if (!notice.empty()) print_error_line("filter", notice);
  return whole;
}

}  // namespace citestream::tools
