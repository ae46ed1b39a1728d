// Documents are processed by several threads, but written in order. The first unfinished document writes
// directly to the output. Output of later documents is buffered in `early_`. If the buffers would exceed
// max_early_bytes, later documents wait; the first one never waits, so there is always progress. A thread
// also waits before it starts a document that is far ahead of the first one.
//
// `--resume` needs no state file: each document is one line of the output, in the order of the input,
// so the number of lines is the number of documents that are done. The last line has the name of its file,
// which shows that the input is the same.
#include "batch.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <exception>
#include <fcntl.h>
#include <malloc.h>
#include <mutex>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "proxy/process_usage.hpp"
#include "rewrite/json_object.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

constexpr std::size_t max_early_bytes = 64 * 1024 * 1024;
constexpr std::size_t documents_ahead = 64;  // for each thread: enough that a long document stops no other

/// Keeps freed memory for the next document. Otherwise the buffers of each document are new pages, which the
/// kernel has to clear: this took two thirds of the time.
void keep_freed_memory() {
  // No thread has been started yet.
  ::mallopt(M_MMAP_THRESHOLD, 32 * 1024 * 1024);  // NOLINT(concurrency-mt-unsafe): the maximum
  ::mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);  // NOLINT(concurrency-mt-unsafe)
}

/// Standard output, or the file of --resume.
class batch_output {
 public:
  explicit batch_output(const std::string& file)
      : name_(file.empty() ? "standard output" : file), resumes_(!file.empty()) {
    if (!resumes_) return;
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("--resume: ");
    struct stat about {};
    if (::fstat(descriptor_, &about) != 0 || !S_ISREG(about.st_mode)) {
      throw command_error("--resume: not a regular file: " + file);
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw command_error("--resume: another process writes to " + file);
    }
    count_lines();
  }
  ~batch_output() {
    if (resumes_) ::close(descriptor_);
  }
  batch_output(const batch_output&) = delete;
  batch_output& operator=(const batch_output&) = delete;

  void write(std::string_view bytes) { write_to(descriptor_, bytes, name_); }

  /// Takes the documents whose lines the file has from \p documents. Removes a line that was cut off. Fails
  /// without a change if the file cannot be the output of an earlier run. \return the number of documents
  std::size_t skip_done(document_list& documents) {
    input_document each;
    for (std::size_t i = 0; i < lines_; ++i) {
      if (!documents.next(each)) {
        throw command_error("--resume: " + name_ + " has " + std::to_string(lines_) +
                            " lines, but the input has only " + std::to_string(i) + " documents");
      }
    }
    if (lines_ > 0 && file_of_last_line() != valid_utf8(each.file)) {
      throw command_error("--resume: line " + std::to_string(lines_) + " of " + name_ + " is not that of " +
                          each.file + ", document " + std::to_string(lines_) +
                          " of the input; was the input changed?");
    }
    if (resumes_) remove_cut_line();
    return lines_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw command_error(what + name_ + ": " + std::generic_category().message(errno));
  }

  /// Reads \p size bytes of the file from \p begin.
  [[nodiscard]] std::string bytes_at(off_t begin, std::size_t size) const {
    std::string out(size, '\0');
    const ssize_t count = ::pread(descriptor_, out.data(), size, begin);
    if (count < 0) fail("cannot read ");
    out.resize(static_cast<std::size_t>(count));
    return out;
  }

  /// Returns the member `file` of the last line, which may be a list with one document for each choice.
  [[nodiscard]] std::string file_of_last_line() const {
    document parsed;
    if (parsed.parse(last_line_)) return {};
    const json_value root = parsed.root();
    return std::string((root.is_array() ? root.first() : root)["file"].string());
  }

  /// Counts the lines and reads the last one.
  void count_lines() {
    std::string part(1 << 20, '\0');
    off_t size = 0;
    off_t start = 0;  // of the last line
    for (ssize_t count = 0; (count = ::pread(descriptor_, part.data(), part.size(), size)) != 0;
         size += count) {
      if (count < 0) fail("cannot read ");
      const std::string_view read(part.data(), static_cast<std::size_t>(count));
      for (std::size_t at = read.find('\n'); at != std::string_view::npos; at = read.find('\n', at + 1)) {
        start = std::exchange(end_, size + static_cast<off_t>(at) + 1);
        ++lines_;
      }
    }
    last_line_ = bytes_at(start, static_cast<std::size_t>(end_ - start));
  }

  /// Removes what follows the last line break: the start of a line, or zero bytes after a power failure.
  void remove_cut_line() {
    constexpr std::string_view starts[] = {R"({"file":)", R"([{"file":)"};
    const auto begins = [&](std::string_view start) {
      return start.starts_with(bytes_at(end_, start.size()));
    };
    const bool zeros = bytes_at(end_, starts[0].size()).find_first_not_of('\0') == std::string::npos;
    if (!zeros && std::ranges::none_of(starts, begins))
      throw command_error("--resume: the end of " + name_ + " is not a line of an earlier run");
    if (::ftruncate(descriptor_, end_) != 0 || ::lseek(descriptor_, end_, SEEK_SET) < 0)
      fail("cannot write to ");
  }

  std::string name_;
  bool resumes_;
  int descriptor_{STDOUT_FILENO};
  std::size_t lines_{};
  off_t end_{};  ///< of the last line that has a line break
  std::string last_line_;
};

/// One run over all documents.
class batch_run {
 public:
  batch_run(std::string command, document_list& documents, const batch_flags& flags)
      : command_(std::move(command)),
        documents_(documents),
        output_(flags.resume),
        jobs_(flags.jobs == 0 ? usable_cpus() : flags.jobs),
        progress_(!flags.resume.empty()) {
    if (const auto total = documents.total()) jobs_ = std::max(std::min(jobs_, *total), std::size_t{1});
    first_ = output_.skip_done(documents);
    if (documents.is_single()) return;
    keep_freed_memory();
    progress_.expect_documents(documents.total(), first_);
  }

  bool run(const std::function<document_work()>& make) {
    std::vector<std::thread> others;
    try {
      for (std::size_t i = 1; i < jobs_; ++i) others.emplace_back([&] { work(make); });
    } catch (const std::system_error& error) {
      stop(std::make_exception_ptr(
          command_error("cannot start " + std::to_string(jobs_) + " threads: " + error.code().message())));
    }
    work(make);
    for (std::thread& each : others) each.join();
    if (broken_) std::rethrow_exception(broken_);
    return good_;
  }

 private:
  struct message {
    bool is_error{};
    std::string text;
  };

  /// Output and messages of a document before its turn.
  struct early {
    std::string bytes;
    std::vector<message> messages;
    bool ended{};
  };

  /// Thrown in threads after another one has failed.
  struct stopped {};

  class document_output final : public document_sink {
   public:
    document_output(batch_run& run, std::size_t index) : run_(run), index_(index) {}
    void write(std::string_view bytes) override { run_.write(index_, bytes); }
    void report(bool is_error, const std::string& what) override { run_.report(index_, {is_error, what}); }
    void expect(std::optional<std::uint64_t> bytes) override { run_.progress_.expect_bytes(bytes); }
    void advance(std::size_t bytes) override { run_.progress_.advance(bytes); }

   private:
    batch_run& run_;
    std::size_t index_;
  };

  void work(const std::function<document_work()>& make) noexcept {
    try {
      const document_work one = make();
      for (input_document each; take(each);) {
        document_output out(*this, each.index);
        bool good = false;
        try {
          good = one(each, out);
        } catch (const command_error& error) {
          out.report(true, error.what());
        }
        end(each.index, good);
      }
    } catch (const stopped&) {
      return;
    } catch (...) {
      stop(std::current_exception());
    }
  }

  /// Waits until the next document may be taken, and takes it. \return false after the last document
  bool take(input_document& out) {
    const std::lock_guard only(taking_);
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return broken_ || early_.size() < documents_ahead * jobs_; });
      if (broken_) throw stopped{};
    }
    if (!documents_.next(out)) return false;  // may wait for input, while other documents are written
    const std::lock_guard lock(mutex_);
    early_.emplace_back();
    return true;
  }

  void write(std::size_t index, std::string_view bytes) {
    std::unique_lock lock(mutex_);
    early& mine = early_[index - first_];
    if (index != first_ && early_bytes_ + bytes.size() > max_early_bytes) {
      changed_.wait(
          lock, [&] { return broken_ || index == first_ || early_bytes_ + bytes.size() <= max_early_bytes; });
    }
    if (broken_) throw stopped{};
    if (index != first_) {
      mine.bytes += bytes;
      early_bytes_ += bytes.size();
      return;
    }
    lock.unlock();  // only this thread ends the first document
    try {
      output_.write(bytes);
    } catch (...) {  // a later document would leave a gap
      stop(std::current_exception());
      throw stopped{};
    }
  }

  /// Stops all threads. run() rethrows the first \p why.
  void stop(std::exception_ptr why) noexcept {
    const std::lock_guard lock(mutex_);
    if (!broken_) broken_ = std::move(why);
    changed_.notify_all();
  }

  void report(std::size_t index, message what) {
    const std::lock_guard lock(mutex_);
    if (index == first_) return print(what);
    early_[index - first_].messages.push_back(std::move(what));
  }

  /// Ends a document, and writes what the documents after it have given, up to one that has not ended.
  void end(std::size_t index, bool good) {
    const std::lock_guard lock(mutex_);
    if (broken_) throw stopped{};
    good_ = good_ && good;
    progress_.end_document();
    early_[index - first_].ended = true;
    while (!early_.empty() && early_.front().ended) {
      early_.pop_front();
      ++first_;
      if (!early_.empty()) write_early(early_.front());
    }
    changed_.notify_all();
  }

  void write_early(early& from) {
    try {
      output_.write(from.bytes);
    } catch (...) {  // as in write(), but the mutex is locked
      broken_ = std::current_exception();
      changed_.notify_all();
      throw stopped{};
    }
    for (const message& each : from.messages) print(each);
    early_bytes_ -= from.bytes.size();
    from.bytes = {};
    from.messages.clear();
  }

  void print(const message& what) {
    progress_.erase();
    (what.is_error ? print_error_line : print_notice_line)(command_, what.text);
  }

  std::string command_;
  document_list& documents_;
  batch_output output_;
  std::size_t jobs_{};
  progress progress_;
  std::mutex taking_;  ///< locked before mutex_
  std::mutex mutex_;   ///< of all that follows
  std::condition_variable changed_;
  std::deque<early> early_;    ///< of the documents that were taken and are not finished, from `first_` on
  std::size_t early_bytes_{};  ///< in all places
  std::size_t first_{};        ///< the document whose turn it is
  bool good_{true};
  std::exception_ptr broken_;
};

/// Collects the output of a document, and passes on everything else.
class collected_output final : public document_sink {
 public:
  explicit collected_output(document_sink& to) : to_(to) {}
  void write(std::string_view bytes) override { text += bytes; }
  void report(bool is_error, const std::string& what) override { to_.report(is_error, what); }
  void expect(std::optional<std::uint64_t> bytes) override { to_.expect(bytes); }
  void advance(std::size_t bytes) override { to_.advance(bytes); }

  std::string text;

 private:
  document_sink& to_;
};

/// Calls \p work and writes its output, one JSON object or a list of some, as one line, with the error if
/// there is one.
bool write_json_line(const input_document& from, document_sink& out, const document_work& work) {
  collected_output line(out);
  const auto add_error = [&](std::string_view error) {
    if (line.text.ends_with('\n')) line.text.pop_back();
    const bool list = line.text.ends_with("}]");  // of choices: the error is in the last one
    if (list) line.text.pop_back();
    if (line.text.ends_with('}')) {
      line.text.pop_back();
    } else {
      line.text.clear();
      object_writer(line.text).string("file", valid_utf8(from.file));
    }
    object_writer(line.text, object_writer::continued{}).string("error", valid_utf8(error));
    line.text += list ? "}]\n" : "}\n";
  };
  bool good = false;
  try {
    good = work(from, line);
  } catch (const command_error& error) {
    add_error(error.what());
    out.write(line.text);
    throw;
  }
  out.write(line.text);
  return good;
}

}  // namespace

void add_jobs_option(CLI::App& command, std::size_t& jobs) {
  add_count(command, "--jobs", jobs, "N", "Documents to process at a time; default: one for each CPU");
}

void add_batch_options(CLI::App& command, batch_flags& flags) {
  add_value(
      command, "file", flags.files, "FILE",
      "Input files, folders of them, or @FILE with a path on each line; standard input if omitted or -");
  add_jobs_option(command, flags.jobs);
  command.add_flag("--lines", flags.lines,
                   "Each line of the input is a document: a JSON body, or a JSON string with a document");
  add_value(command, "--resume", flags.resume, "FILE",
            "Write one JSON line for each document to this file; documents with a line in it are skipped")
      ->check(not_empty());
}

bool writes_several_outputs(const document_list& documents, const batch_flags& flags) noexcept {
  return !documents.is_single() || !flags.resume.empty();
}

bool run_batch(const std::string& command, document_list& documents, const batch_flags& flags, bool json,
               const std::function<document_work()>& make) {
  if (!flags.resume.empty() && !json)
    throw CLI::ValidationError("--resume requires --to json, which writes one line for each document");
  const bool lines = json && writes_several_outputs(documents, flags);
  return batch_run(command, documents, flags).run([&]() -> document_work {
    document_work work = make();
    if (!lines) return work;
    return [work = std::move(work)](const input_document& from, document_sink& out) {
      return write_json_line(from, out, work);
    };
  });
}

}  // namespace citestream::tools
