/// \file
/// The documents of a run: the files, folders and lists in the arguments of a command.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

class byte_input;

/// One document of a run.
struct input_document {
  std::size_t index{};  ///< from 0, in the order of the input
  std::string file;     ///< a path, or with `bytes` the path and the number of a line: `a.jsonl:7`
  std::optional<std::string> bytes;  ///< the document, if it is a line; otherwise it is the content of `file`
};

/// Returns the documents of a run one after the other. An argument is a file, a folder, or `@` and the
/// name of a list: a file with one path on each line, or standard input if the name is `-`. The list on
/// standard input is read when it is needed, so that it may be longer than memory. Of a folder, the files
/// with one of `extensions` are documents, sorted by name; not those in subfolders or whose names begin with
/// a dot.
class document_list {
 public:
  /// \param lines  each line of the files is a document: the decoded string if it is a JSON string, else the
  ///               line itself. Empty lines are ignored. Of a folder, `.jsonl` and `.ndjson` files are read
  /// \param extensions  must outlive this object
  /// \param output  file that the results are written to; skipped, like standard output, when a folder is
  /// read
  document_list(const std::vector<std::string>& given, std::span<const std::string_view> extensions,
                bool lines, std::string output = {});
  ~document_list();
  document_list(const document_list&) = delete;
  document_list& operator=(const document_list&) = delete;

  /// Returns false after the last document. Waits for standard input if that is a list. \throws command_error
  [[nodiscard]] bool next(input_document& out);

  /// Returns true if the run is one file that was named itself, or standard input.
  [[nodiscard]] bool is_single() const noexcept { return single_; }

  /// Returns the number of documents, if it is known before they are read.
  [[nodiscard]] std::optional<std::size_t> total() const noexcept { return total_; }

 private:
  class line_reader;
  [[nodiscard]] bool next_file(std::string& out);
  [[nodiscard]] std::vector<std::string> listed_files(const std::string& name) const;
  [[nodiscard]] bool next_line(input_document& out);

  std::span<const std::string_view> extensions_;
  std::string output_;
  std::deque<std::string> waiting_;     ///< files, and `@-` for the list on standard input
  std::unique_ptr<line_reader> list_;   ///< standard input
  std::unique_ptr<line_reader> lines_;  ///< the file whose lines are documents
  std::optional<std::size_t> total_;
  std::size_t taken_{};
  bool single_{};
  bool by_line_{};
};

}  // namespace citestream::tools
