// Does the program process a large file, a folder of recordings and a list of claims at the speed of the
// library? The floor of the folder is `cat`.
#include <citestream/session/session.hpp>

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "measured.hpp"
#include "questions.hpp"
#include "rewrite/json.hpp"

namespace citestream_bench {

namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Runs a program with its standard output discarded. \return its processor time, or a negative number if it
/// cannot be started
double run_program(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t process = ::fork();
  if (process == 0) {
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    ::execvp(arguments.front(), arguments.data());
    ::_exit(127);
  }
  int how = 0;
  rusage used{};
  ::wait4(process, &how, 0, &used);
  if (!WIFEXITED(how) || WEXITSTATUS(how) == 127) return -1;
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

void filter_file(benchmark::State& state, std::size_t megabytes) {
  const corpus block = make_corpus(shape::writer, density::usual, 1001);
  const std::size_t done = block.bytes.rfind("data: ");
  const std::size_t last = block.bytes.rfind("data: ", done - 1);
  const std::string events = block.bytes.substr(0, last);
  const std::string file =
      (std::filesystem::temp_directory_path() / ("citestream_bench." + std::to_string(::getpid()))).string();
  std::size_t blocks = 0;
  {
    std::ofstream out(file, std::ios::binary);
    for (; blocks * events.size() < megabytes * 1'000'000; ++blocks) out << events;
    out << block.bytes.substr(last);
  }
  for (auto _ : state) {
    const double seconds = run_program({CITESTREAM_BINARY, "filter", file});
    if (seconds < 0) state.SkipWithError("citestream does not run");
    state.SetIterationTime(seconds);
  }
  state.counters["events"] = static_cast<double>(blocks * 1000 + 1);
  state.counters["bytes"] = static_cast<double>(std::filesystem::file_size(file));
  std::filesystem::remove(file);
}

/// Returns a recording of a stream in reads of 1,400 bytes.
std::string recording_of(const std::string& stream) {
  std::string out = "{\"citestream_recording\":1,\"content_type\":\"text/event-stream\"}\n";
  for (std::size_t at = 0; at < stream.size(); at += 1400) {
    out += "[0.5,";
    citestream::append_json_string(std::string_view(stream).substr(at, 1400), out);
    out += "]\n";
  }
  return out;
}

/// Runs a command with the files of a folder: 100 of Writer's streams of 1 MB.
void filter_folder(benchmark::State& state, std::vector<std::string> command, bool timed) {
  constexpr int files = 100;
  const corpus one = make_corpus(shape::writer, density::usual, 1400);
  const auto folder =
      std::filesystem::temp_directory_path() / ("citestream_bench." + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  for (int i = 0; i < files; ++i) {
    const std::string name = (folder / (std::to_string(i) + (timed ? ".ndjson" : ".sse"))).string();
    std::ofstream(name, std::ios::binary) << (timed ? recording_of(one.bytes) : one.bytes);
    if (command.front() == "cat") command.push_back(name);
  }
  if (command.front() != "cat") command.push_back(folder.string());
  for (auto _ : state) {
    const double seconds = run_program(command);
    if (seconds < 0) state.SkipWithError("the program does not run");
    state.SetIterationTime(seconds);
  }
  state.counters["events"] = static_cast<double>(files * one.events);
  state.counters["bytes"] = static_cast<double>(files * (timed ? recording_of(one.bytes) : one.bytes).size());
  std::filesystem::remove_all(folder);
}

/// Checks the claims of the tests, each with references of about 800 bytes, 200 times. An event is a claim.
void check_claims(benchmark::State& state) {
  constexpr std::size_t times = 200;
  std::ifstream in(CITESTREAM_SOURCE_DIR "/tests/check/claims.jsonl", std::ios::binary);
  const std::string claims(std::istreambuf_iterator<char>(in), {});
  const std::string file =
      (std::filesystem::temp_directory_path() / ("citestream_bench." + std::to_string(::getpid()))).string();
  {
    std::ofstream out(file, std::ios::binary);
    for (std::size_t i = 0; i < times; ++i) out << claims;
  }
  for (auto _ : state) {
    const double seconds = run_program({CITESTREAM_BINARY, "check", "claims", file});
    if (seconds < 0 || claims.empty()) state.SkipWithError("claims are not checked");
    state.SetIterationTime(seconds);
  }
  state.counters["events"] =
      static_cast<double>(times) * static_cast<double>(std::ranges::count(claims, '\n'));
  state.counters["bytes"] = static_cast<double>(times * claims.size());
  std::filesystem::remove(file);
}

}  // namespace

void add_filter_file(const corpora&) {
  for (const std::size_t megabytes : {1U, 200U}) {
    benchmark::RegisterBenchmark(("filter_file/writer/" + std::to_string(megabytes) + "MB").c_str(),
                                 filter_file, megabytes)
        ->UseManualTime()
        ->Iterations(1);
  }
  const std::vector<std::string> json{CITESTREAM_BINARY, "filter", "--jobs", "1", "--to", "json"};
  const std::vector<std::string> check{CITESTREAM_BINARY, "check", "answer", "--jobs", "1"};
  const auto add = [](const char* name, const std::vector<std::string>& command, bool timed) {
    benchmark::RegisterBenchmark((std::string("filter_folder/writer/") + name).c_str(), filter_folder,
                                 command, timed)
        ->UseManualTime()
        ->Iterations(1);
  };
  add("cat", {"cat"}, false);
  add("text", {CITESTREAM_BINARY, "filter", "--jobs", "1", "--to", "text"}, false);
  add("json", json, false);
  add("json_of_recordings", json, true);
  add("check_answer", check, false);
  benchmark::RegisterBenchmark("check_claims/claims.jsonl", check_claims)->UseManualTime()->Iterations(1);
}

}  // namespace citestream_bench
