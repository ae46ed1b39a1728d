// How `citestream filter` works: filter_run reads the input and passes each read to a pipeline (see
// pipelines.cpp), which appends output. filter_run writes that output before the next read, because a read
// may block. With --from auto the first bytes decide which pipeline is made. A recording is parsed line by
// line, and its pieces are passed on as if they had just been read.
#include "filter.hpp"

#include <citestream/chunk/document.hpp>
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <unistd.h>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "framing/frame.hpp"
#include "line_splitter.hpp"
#include "provenance_graph.hpp"
#include "references_file.hpp"
#include "replay/input_start.hpp"
#include "replay/recording.hpp"
#include "session/active_grammars.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

/// Also gives a notice about markers of known references that stay in the text because their grammar is off.
class text_pipeline final : public pipeline {
 public:
  text_pipeline(std::unique_ptr<pipeline> inner, const session_options& options)
      : inner_(std::move(inner)), on_(active_grammars(options, nullptr)), read_(finder(options, on_)) {
    if (!options.patterns.empty()) return;  // `[1]` may be a marker of a pattern
    if (options.references.empty()) return;
    for (const grammar* one : grammars()) {
      if (std::ranges::find(on_, one) == on_.end()) tried_.emplace_back(one, finder(options, {one}));
    }
  }

  void write(std::string_view bytes, std::string& out) override {
    if (!tried_.empty()) read_.push(bytes, unchanged_);
    for (auto& [one, found] : tried_) found.push(bytes, unchanged_);
    unchanged_.clear();
    inner_->write(bytes, out);
  }
  std::string finish(std::string& out) override { return inner_->finish(out); }
  /// Names the markers and the option that reads them. Call once.
  [[nodiscard]] std::string notice() override {
    std::string samples;
    std::string names;
    for (const grammar* one : on_) names.append(names.empty() ? "" : ",").append(one->name);
    read_.finish(unchanged_);
    for (auto& [one, found] : tried_) {
      found.finish(unchanged_);
      found.resolve();
      const auto all = found.cites().all();
      const auto first = std::ranges::find_if(all, [&](const citation& each) {
        return each.status == citation_status::resolved && !was_read(each);
      });
      if (first == all.end()) continue;
      samples.append(samples.empty() ? "" : ", ").append(first->marker);
      names.append(",").append(one->name);
    }
    if (samples.empty()) return {};
    return "markers that cite references were left in the text, such as " + samples + "; --markers " + names +
           " reads them";
  }

 private:
  /// Returns an answer that finds markers and does not change the text.
  static answer finder(const session_options& options, std::vector<const grammar*> grammars) {
    session_options only;
    only.style = &keep_style;
    only.grammars = std::move(grammars);
    only.identifiers = options.identifiers;
    only.only_known = options.only_known;
    answer out(only);
    for (const reference& ref : options.references) out.add_reference(ref);
    return out;
  }

  /// Returns true if \p marker overlaps a marker of a grammar that is on.
  [[nodiscard]] bool was_read(const citation& marker) const {
    const auto all = read_.cites().all();
    const auto after = std::ranges::upper_bound(all, marker.start.utf8, {},
                                                [](const citation& each) { return each.end.utf8; });
    return after != all.end() && after->start.utf8 < marker.end.utf8;
  }

  std::unique_ptr<pipeline> inner_;
  std::vector<const grammar*> on_;
  answer read_;  ///< has the markers of the grammars that are on
  std::vector<std::pair<const grammar*, answer>> tried_;
  std::string unchanged_;
};

bool is_stream(input_form form) noexcept {
  return form == input_form::sse || form == input_form::ndjson || form == input_form::array ||
         form == input_form::eventstream;
}

/// One run: reads an input, passes it to a pipeline, and writes the output.
class filter_run {
 public:
  filter_run(const filter_request& request, const input_document& from, document_sink& to)
      : request_(request), input_(from), to_(to) {
    to_.expect(input_.size());
  }

  /// Runs to the end of the input. \return true if all of it was accepted
  bool run() {
    announce_terminal(input_, "filter");
    std::string error;
    try {
      take_input();
      error = work_->finish(pending_);
    } catch (const command_error&) {
      end_output();
      throw;
    }
    end_output();
    if (!error.empty()) throw command_error(input_.name() + ": " + error);
    const std::string notice =
        without_byte_order_mark(start_).empty() ? "the input is empty" : work_->notice();
    if (!notice.empty()) to_.report(false, input_.name() + ": " + notice);
    return whole_;
  }

 private:
  /// Writes the rest, and ends the last line if the output of another file or a shell prompt may follow.
  void end_output() {
    flush();
    const bool prompt = request_.to == output_form::text && ::isatty(STDOUT_FILENO) == 1;
    if ((request_.one_of_several || prompt) && last_ != '\n') to_.write("\n");
  }

  /// Writes all pending output.
  void flush() {
    if (pending_.empty()) return;
    last_ = pending_.back();
    to_.write(pending_);
    pending_.clear();
  }

  /// Writes all pending output, because a read may block. Then returns the next bytes.
  std::string_view read() {
    flush();
    const std::string_view part = input_.read();
    if (start_.size() <= byte_order_mark.size()) start_ += part.substr(0, byte_order_mark.size() + 1);
    to_.advance(part.size());
    return part;
  }

  void take(std::string_view bytes) {
    // A typed event is written before the next event of the stream, which may complete its references.
    const bool by_line = request_.to == output_form::events && !is_text(request_.from);
    while (!bytes.empty()) {
      std::string_view part = bytes.substr(0, request_.split == 0 ? bytes.size() : request_.split);
      if (by_line) part = part.substr(0, std::min(part.find('\n'), part.size() - 1) + 1);
      work_->write(part, pending_);
      bytes.remove_prefix(part.size());
      if (pending_.size() >= large) flush();  // less is written with the rest of the same read
    }
  }

  void take_input() {
    const bool stream = is_stream(request_.from);
    if (stream || request_.from == input_form::automatic) {
      take_stream();
    } else {
      make_work(request_.from);
      const std::string first = take_start({});
      if (request_.from == input_form::deltas) return take_deltas(first);
      take(first);
    }
    for (std::string_view part = read(); !part.empty(); part = read()) take(part);
  }

  /// Creates the pipeline. \p form: what the input is.
  void make_work(input_form form) {
    request_.from = form;
    if (!request_.to) request_.to = default_output(form);
    work_ = make_pipeline(request_);
    if (form == input_form::text) work_ = std::make_unique<text_pipeline>(std::move(work_), request_.options);
    if (!request_.graph.empty()) work_ = with_provenance_graph(std::move(work_), request_);
  }

  /// Passes on the first bytes of a stream or recording. With --from auto, the input may also be a JSON body.
  void take_stream() {
    const bool automatic = request_.from == input_form::automatic;
    const bool to_stream = request_.to == output_form::stream || request_.to == output_form::frames;
    if (automatic && request_.to == output_form::body) {
      make_work(input_form::json);
      return take(take_start({}));
    }
    input_start start(request_.file, automatic && !to_stream);
    input_kind kind = input_kind::unknown;
    while (kind == input_kind::unknown) kind = start.take(read());
    if (kind == input_kind::body) {
      make_work(input_form::json);
      return take(take_start(start.bytes()));
    }
    make_work(request_.from);
    if (kind == input_kind::recording) return take_recording(input_.name(), start.bytes());
    take(start.bytes());
  }

  /// Returns the first bytes without a byte order mark, which is not part of the text or JSON. With
  /// `--to body`, the mark is copied to the output. (The decoder of a stream removes the mark itself.)
  std::string take_start(std::string first) {
    while (first.size() < byte_order_mark.size() && byte_order_mark.starts_with(first)) {
      const std::string_view part = read();
      if (part.empty()) break;
      first += part;
    }
    const std::string_view rest = without_byte_order_mark(first);
    if (rest.size() < first.size() && request_.to == output_form::body) pending_ += byte_order_mark;
    return std::string(rest);
  }

  /// Reads the rest of the input line by line. \param first  bytes that have already been read
  template <typename Take>
  void read_lines(std::string_view first, const Take& take_line) {
    line_splitter lines;
    const auto take_part = [&](std::string_view part) {
      lines.feed(part);
      for (std::string_view line; lines.next(line);) take_line(line);
    };
    take_part(first);
    for (std::string_view part = read(); !part.empty(); part = read()) take_part(part);
    if (!lines.last().empty()) take_line(lines.last());
  }

  /// Reads a recording. \param first  bytes of the recording that have already been read
  void take_recording(const std::string& file, std::string_view first) {
    recording_reader reader;
    read_lines(first, [&](std::string_view line) {
      if (!reader.take(line))
        throw command_error(recording_error{file, reader.line(), reader.reason()}.text());
      if (reader.piece() != nullptr) take(reader.piece()->bytes);
    });
    if (!reader.started()) throw command_error(recording_error{file, 0, std::string(no_recording)}.text());
  }

  /// Reads `--from deltas`: a line is a JSON string, or an object with references. Any other line is reported
  /// and skipped.
  void take_deltas(std::string_view first) {
    document parsed;
    std::size_t number = 0;
    const auto refuse = [&](std::string_view why) {
      whole_ = false;
      to_.report(true, input_.name() + ':' + std::to_string(number) + ": " + std::string(why));
    };
    read_lines(first, [&](std::string_view line) {
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
      if (const status error = parsed.parse(line)) return refuse(message(error.code));
      const json_value value = parsed.root();
      if (value.is_string()) return work_->write(value.string(), pending_);
      std::vector<reference> found;
      if (!value.is_object() || !value["references"] || !read_references(value, found))
        return refuse("not a string or an object with references");
      for (const reference& ref : found) {
        if (!is_empty(ref)) work_->add_reference(ref);
      }
    });
  }

  static constexpr std::size_t large = 256 * 1024;
  filter_request request_;
  byte_input input_;
  document_sink& to_;
  std::unique_ptr<pipeline> work_;
  std::string pending_;  ///< output that has not been written
  char last_{'\n'};      ///< the last byte that was written
  bool whole_{true};     ///< no part of the input was rejected
  std::string start_;    ///< of the input, enough to recognise an empty one with a byte order mark
};

}  // namespace

std::string document_name(const filter_request& request) {
  return request.one_of_several ? valid_utf8(request.file) : "";
}

output_form default_output(input_form from) noexcept {
  if (is_text(from)) return output_form::text;
  return from == input_form::json ? output_form::json : output_form::stream;
}

bool can_convert(input_form from, output_form to) noexcept {
  const bool automatic = from == input_form::automatic;
  switch (to) {
    case output_form::text:
    case output_form::json:
    case output_form::events:
      return true;
    case output_form::stream:
    case output_form::frames:
      return automatic || is_stream(from);
    case output_form::body:
      return automatic || from == input_form::json;
  }
  return false;
}

bool run_filter(const filter_request& request, const input_document& from, document_sink& out) {
  return filter_run(request, from, out).run();
}

}  // namespace citestream::tools
