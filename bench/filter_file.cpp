// Does the program process a large file at the speed of the library?
#include <citestream/session/session.hpp>

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Runs `citestream filter FILE >/dev/null`. \return its processor time, or a negative number on failure
double run_filter(const std::string& file) {
  const pid_t process = ::fork();
  if (process == 0) {
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    ::execl(CITESTREAM_BINARY, CITESTREAM_BINARY, "filter", file.c_str(), nullptr);
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
    const double seconds = run_filter(file);
    if (seconds < 0) state.SkipWithError("citestream does not run");
    state.SetIterationTime(seconds);
  }
  state.counters["events"] = static_cast<double>(blocks * 1000 + 1);
  state.counters["bytes"] = static_cast<double>(std::filesystem::file_size(file));
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
}

}  // namespace citestream_bench
