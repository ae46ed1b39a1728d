// Documents are found one at a time, because a list on standard input can be endless. Folders and lists in
// files are expanded at once, because the progress line shows the number of documents.
#include "input_files.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <boost/algorithm/string/join.hpp>

#include "byte_input.hpp"
#include "commands.hpp"
#include "framing/frame.hpp"
#include "line_splitter.hpp"

namespace citestream::tools {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view standard_list = "@-";
constexpr std::array<std::string_view, 2> line_extensions{".jsonl", ".ndjson"};

/// Returns true if \p path is standard output or the file \p output.
bool is_output(const std::string& path, const std::string& output) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return false;
  struct stat to {};
  const auto same = [&] { return file.st_dev == to.st_dev && file.st_ino == to.st_ino; };
  return (::fstat(STDOUT_FILENO, &to) == 0 && same()) || (::stat(output.c_str(), &to) == 0 && same());
}

std::vector<std::string> files_in(const std::string& folder, std::span<const std::string_view> extensions,
                                  const std::string& output) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const auto ends = [&](std::string_view extension) { return name.ends_with(extension); };
    std::error_code gone;
    if (name.starts_with('.') || !std::ranges::any_of(extensions, ends) || !at->is_regular_file(gone) ||
        is_output(at->path().string(), output))
      continue;
    out.push_back(at->path().string());
  }
  if (error) throw command_error(folder + ": " + error.message());
  if (out.empty()) {
    const std::vector<std::string> others(extensions.begin(), extensions.end() - 1);
    const std::string last(extensions.back());
    throw command_error(folder + ": no " +
                        (others.empty() ? last : boost::algorithm::join(others, ", ") + " or " + last) +
                        " file in this folder (see --help)");
  }
  std::ranges::sort(out);
  return out;
}

/// Returns \p given with each folder replaced by the files in it that have one of \p extensions, sorted by
/// name. Files in subfolders, files whose names begin with a dot and the output are not included.
/// \throws command_error if a folder has no such file or cannot be read
std::vector<std::string> input_files(const std::vector<std::string>& given,
                                     std::span<const std::string_view> extensions,
                                     const std::string& output) {
  std::vector<std::string> out;
  for (const std::string& each : given) {
    std::error_code missing;
    if (!fs::is_directory(each, missing)) {
      out.push_back(each);
      continue;
    }
    for (std::string& file : files_in(each, extensions, output)) out.push_back(std::move(file));
  }
  return out;
}

}  // namespace

/// Reads lines as they arrive.
class document_list::line_reader {
 public:
  explicit line_reader(const std::string& file) : input_(file) {}

  /// Returns the next line that is not empty, without its line break.
  bool next(std::string& out) {
    do {
      if (!next_of_any(out)) return false;
      if (++number_ == 1) out.erase(0, out.size() - without_byte_order_mark(out).size());
      if (out.ends_with('\r')) out.pop_back();
    } while (out.find_first_not_of(" \t") == std::string::npos);
    return true;
  }
  [[nodiscard]] const std::string& name() const noexcept { return input_.name(); }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  bool next_of_any(std::string& out) {
    std::string_view line;
    while (!lines_.next(line)) {
      const std::string_view part = input_.read();
      if (part.empty()) {
        out = std::exchange(ended_, true) ? std::string_view() : lines_.last();
        return !out.empty();
      }
      lines_.feed(part);
    }
    out = line;
    return true;
  }

  byte_input input_;
  line_splitter lines_;
  bool ended_{};  ///< the last line was returned
  std::size_t number_{};
};

document_list::document_list(const std::vector<std::string>& given,
                             std::span<const std::string_view> extensions, bool lines, std::string output)
    : extensions_(lines ? line_extensions : extensions), output_(std::move(output)), by_line_(lines) {
  std::vector<std::string> named;
  for (const std::string& each : given) {
    if (!each.starts_with('@') || each == standard_list) {
      named.push_back(each);
      continue;
    }
    line_reader list(each.substr(1));
    for (std::string line; list.next(line);) named.push_back(line);
  }
  for (std::string& file : input_files(named, extensions_, output_)) waiting_.push_back(std::move(file));
  if (given.empty()) waiting_.emplace_back();
  const bool listed = std::ranges::find(given, standard_list) != given.end();
  if (!lines && !listed) total_ = waiting_.size();
  const bool names_itself = given.size() == 1 && std::ranges::equal(given, waiting_);
  single_ = !lines && !listed && (given.empty() || names_itself);
}

document_list::~document_list() = default;

bool document_list::next_file(std::string& out) {
  while (!waiting_.empty()) {
    if (waiting_.front() != standard_list) {
      out = std::move(waiting_.front());
      waiting_.pop_front();
      return true;
    }
    if (!list_) list_ = std::make_unique<line_reader>("");
    if (list_->next(out)) {
      const std::vector<std::string> files = listed_files(out);
      waiting_.insert(waiting_.begin(), files.begin(), files.end());
    } else {
      list_.reset();
      waiting_.pop_front();
    }
  }
  return false;
}

/// Returns the files of a folder in the list on standard input; the folder itself if it has none, which is
/// then a document that cannot be read.
std::vector<std::string> document_list::listed_files(const std::string& name) const {
  try {
    return input_files({name}, extensions_, output_);
  } catch (const command_error&) {
    return {name};
  }
}

bool document_list::next_line(input_document& out) {
  std::string line;
  for (;;) {
    if (lines_ && lines_->next(line)) break;
    lines_.reset();
    if (!next_file(out.file)) return false;
    std::error_code missing;
    if (fs::is_directory(out.file, missing)) return true;  // one document that cannot be read
    try {
      lines_ = std::make_unique<line_reader>(out.file);
    } catch (const command_error&) {
      return true;
    }
  }
  out.file = lines_->name() + ':' + std::to_string(lines_->number());
  document parsed;
  const bool quoted = line[line.find_first_not_of(" \t")] == '"' && !parsed.parse(line);
  out.bytes = quoted ? std::string(parsed.root().string()) : std::move(line);
  return true;
}

bool document_list::next(input_document& out) {
  out.bytes.reset();
  if (by_line_ ? !next_line(out) : !next_file(out.file)) return false;
  out.index = taken_++;
  return true;
}

}  // namespace citestream::tools
