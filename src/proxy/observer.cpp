#include "observer.hpp"

#include "log_line.hpp"

namespace citestream {
namespace {

log_level level_of(const request_facts& of) noexcept {
  const bool at_fault = of.failed != trouble::none && of.failed != trouble::client_gone;
  return at_fault || of.status >= 500 ? log_level::warn : log_level::info;
}

}  // namespace

void observer::ended(const request_facts& of, const std::string& client, proxy_metrics& counters) {
  const auto took = request_facts::clock::now() - of.began;
  counters.count(of, took, models);
  const log_level level = level_of(of);
  if (!log.wants(level)) return;
  std::string line;
  append_request_line(log.format(), level, std::chrono::system_clock::now(), of, client, took, line);
  log.write(level, line);
}

}  // namespace citestream
