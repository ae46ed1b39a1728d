// Inputs that do not fit in memory: memory use and output.
#include <citestream/session/session.hpp>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;

namespace {

constexpr std::size_t small = 4U << 20U;  // bytes: many times what may be held at once

/// Text with a hundred citations at the start and incomplete ones throughout.
std::string event_at(std::size_t number) {
  const std::string text = number < 100 ? " grew [Report.pdf](f" + std::to_string(number) + ")"
                                        : " by " + std::to_string(number) + " [not a](";
  return chunk(0, json_text(text));
}

/// Writes at least \p size bytes of events to a file, piece by piece. The test itself must use little memory,
/// because a new process starts with the peak of its parent.
void make_stream(const std::string& path, std::size_t size, bool recording) {
  std::ofstream out(path, std::ios::binary);
  if (recording) out << "{\"citestream_recording\":1}\n";
  std::size_t written = 0;
  for (std::size_t number = 0; written < size; ++number) {
    std::string event = event_at(number);
    written += event.size();
    if (!recording) {
      out << event;
      continue;
    }
    std::string json;
    for (const char c : event) c == '"' ? json += "\\\"" : c == '\n' ? json += "\\n" : json += c;
    out << "[" << number << ",\"" << json << "\"]\n";
  }
  const std::string last = chunk(0, json_text("."), "\"stop\"", references_json);
  if (!recording) out << last;
}

struct usage {
  int code{};
  long kilobytes{};  ///< of memory, at most at once
};

/// `citestream filter ARGUMENTS… <in >out`
usage filter_file(std::vector<std::string> arguments, const std::string& in, const std::string& out) {
  arguments.insert(arguments.begin(), {CITESTREAM_BINARY, "filter"});
  std::vector<char*> list;
  for (std::string& argument : arguments) list.push_back(argument.data());
  list.push_back(nullptr);
  const pid_t process = ::fork();
  if (process == 0) {
    ::dup2(::open(in.c_str(), O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), STDOUT_FILENO);
    ::execv(CITESTREAM_BINARY, list.data());
    ::_exit(127);
  }
  int state = 0;
  rusage used{};
  ::wait4(process, &state, 0, &used);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : -1, used.ru_maxrss};
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("four times the input takes no more memory") {
  const std::string form = GENERATE("sse", "text", "events", "frames", "recording");
  INFO(form);
  const bool recording = form == "recording";
  const scratch_file in("large_in.sse", "");
  const scratch_file out("large_out", "");
  const std::vector<std::string> arguments{"--to", recording ? "sse" : form};
  make_stream(in.path(), small, recording);
  const usage once = filter_file(arguments, in.path(), out.path());
  make_stream(in.path(), 4 * small, recording);
  const usage more = filter_file(arguments, in.path(), out.path());
  CHECK(more.code == once.code);
  CHECK(std::filesystem::file_size(out.path()) > small / 16);  // the output is not empty
  constexpr long pages = 1024;                                 // normal variation in kilobytes
  CHECK(more.kilobytes < once.kilobytes + pages);
  CHECK(more.kilobytes < 32L * 1024);
}

TEST_CASE("a large file gives what a session gives for every read size") {
  const scratch_file in("large_in.sse", "");
  const scratch_file out("large_out", "");
  const scratch_file nothing("large_nothing", "");
  make_stream(in.path(), small, false);
  const std::string given = content_of(in.path());

  citestream::session session;
  std::string expected;
  CHECK(!session.write(given, expected));
  CHECK(!session.finish(expected));

  CHECK(filter_file({in.path()}, nothing.path(), out.path()).code == 0);
  CHECK(content_of(out.path()) == expected);
  CHECK(filter_file({}, in.path(), out.path()).code == 0);
  CHECK(content_of(out.path()) == expected);
  CHECK(filter_file({"--split", "1000"}, in.path(), out.path()).code == 0);
  CHECK(content_of(out.path()) == expected);
  CHECK(filter({}, given).out == expected);
  CHECK(filter_file({"--style", "keep"}, in.path(), out.path()).code == 0);
  CHECK(content_of(out.path()) == given);
}
