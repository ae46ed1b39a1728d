// /proc/stat has the time of boot, but a service may see only its own processes (ProcSubset=pid of systemd).
// The start time is therefore counted back from now: /proc/self/stat has it in ticks since boot.

#include "process_usage.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sched.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/time.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace citestream {
namespace {

/// Fields of /proc/self/stat by their number in proc(5), from the third one on. The second is the name of the
/// program, which may contain blanks and parentheses.
class stat_fields {
 public:
  stat_fields() {
    std::ifstream file("/proc/self/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(')');
    if (name_end != std::string::npos) rest_ = line.substr(name_end + 1);
  }
  [[nodiscard]] std::uint64_t number(int wanted) const {
    std::istringstream words(rest_);
    std::string word;
    for (int field = 3; field <= wanted; ++field) words >> word;
    std::istringstream digits(words ? word : "0");
    std::uint64_t out = 0;
    digits >> out;
    return out;
  }

 private:
  std::string rest_;
};

constexpr int threads_field = 20;
constexpr int start_time_field = 22;
constexpr int virtual_field = 23;
constexpr int resident_field = 24;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double now_of(clockid_t which) {
  timespec now{};
  ::clock_gettime(which, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::uint64_t limit_of(decltype(RLIMIT_AS) resource) {
  rlimit found{};
  return ::getrlimit(resource, &found) == 0 ? found.rlim_cur : 0;
}

std::uint64_t count_open_fds(std::uint64_t max_fds) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::directory_iterator all("/proc/self/fd", error);
  if (error) return error.value() == EMFILE || error.value() == ENFILE ? max_fds : 0;
  const auto count = std::distance(fs::begin(all), fs::end(all));
  return count > 0 ? static_cast<std::uint64_t>(count) - 1 : 0;  // without that of the directory itself
}

}  // namespace

double process_start_seconds() {
  const auto ticks = static_cast<double>(stat_fields().number(start_time_field));
  const double since_boot = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return now_of(CLOCK_REALTIME) - now_of(CLOCK_BOOTTIME) + since_boot;
}

process_usage read_process_usage() {
  process_usage out;
  rusage used{};
  if (::getrusage(RUSAGE_SELF, &used) == 0) {
    out.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  }
  const stat_fields stat;
  out.threads = stat.number(threads_field);
  out.virtual_bytes = stat.number(virtual_field);
  out.resident_bytes = stat.number(resident_field) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  out.virtual_max_bytes = limit_of(RLIMIT_AS);
  out.max_fds = limit_of(RLIMIT_NOFILE);
  out.open_fds = count_open_fds(out.max_fds);
  return out;
}

std::size_t usable_cpus() noexcept {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace citestream
