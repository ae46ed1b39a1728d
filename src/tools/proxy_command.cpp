// citestream proxy: a reverse proxy that rewrites LLM answers.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <malloc.h>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/join.hpp>

#include "add_value.hpp"
#include "commands.hpp"
#include "configuration.hpp"
#include "configuration_flags.hpp"
#include "demo_question.hpp"
#include "file_limit.hpp"
#include "proxy/log_line.hpp"
#include "proxy/proxy_server.hpp"
#include "replay/demo.hpp"
#include "replay/server.hpp"
#include "replay_serving.hpp"
#include "service_manager.hpp"

namespace citestream::tools {

namespace {

using std::chrono::milliseconds;

constexpr const char* demo_upstream = "demo:";

struct proxy_flags {
  configuration_sources sources;
  bool check_config{};
  bool print_config{};
  bool demo{};
  bool once{};
};

/// SIGINT, SIGTERM and SIGHUP.
class end_signals {
 public:
  end_signals() {
    std::signal(SIGXFSZ, SIG_IGN);  // a log or recording that reaches RLIMIT_FSIZE must not end the process
  }
  /// Waits for SIGINT or SIGTERM. Meanwhile each SIGHUP calls \p reload, and the watchdog of \p manager is
  /// fed.
  template <class Reload>
  void wait(const Reload& reload, const service_manager& manager) const {
    constexpr milliseconds long_enough{3'600'000};
    const milliseconds half = manager.watchdog() / 2;
    const timespec tick = time_of(half.count() > 0 ? half : long_enough);
    int signal = SIGHUP;
    while (signal <= 0 || signal == SIGHUP) {
      manager.still_alive();
      signal = sigtimedwait(&set_, nullptr, &tick);
      if (signal != SIGHUP) continue;
      manager.reloading();
      reload();
      manager.ready();
    }
  }
  /// \return the signal that came within \p at_most; 0 if none did
  [[nodiscard]] int wait_for(milliseconds at_most) const {
    const timespec time = time_of(at_most);
    return std::max(sigtimedwait(&set_, nullptr, &time), 0);
  }
  /// Returns true for SIGINT and SIGTERM.
  static bool ends(int signal) noexcept { return signal != 0 && signal != SIGHUP; }

 private:
  static timespec time_of(milliseconds count) noexcept {
    timespec out{};
    out.tv_sec = count.count() / 1000;
    out.tv_nsec = (count.count() % 1000) * 1'000'000;
    return out;
  }

  const sigset_t set_{block_signals({SIGHUP, SIGINT, SIGTERM})};
};

/// The built-in upstream. It is started if an option names it, and its URL replaces the name.
class demo_server {
 public:
  void serve(proxy_options& options) {
    serve(options.upstream.url);
    for (upstream_options& one : options.upstreams) serve(one.url);
  }

  /// Returns true if it serves the web page, at `/`.
  [[nodiscard]] bool has_page() const noexcept { return has_page_; }

 private:
  void serve(std::string& url) {
    if (url != demo_upstream) return;
    if (!server_) start();
    url = "http://127.0.0.1:" + std::to_string(server_->port());
  }
  void start() {
    replay_options options;
    options.recordings = demo_recordings();
    options.page = find_page("");
    has_page_ = !options.page.empty();
    server_ = std::make_unique<replay_server>(std::move(options));
    if (const std::error_code error = server_->start()) {
      throw command_error("cannot start the demo upstream: " + error.message());
    }
  }

  std::unique_ptr<replay_server> server_;
  bool has_page_{};
};

std::string shown_upstreams(const proxy_options& options) {
  std::string out = options.upstream.url;
  for (const upstream_options& one : options.upstreams) out += (out.empty() ? "" : ", ") + one.url;
  return out;
}

/// Reports something about the process on standard error, as a line of the log if that is JSON, and in the
/// log if it is a file.
void announce(const log_options& log, proxy_server* server, log_level level, const std::string& message) {
  if (!log.file.empty() && server != nullptr) server->log(level, message);
  std::string line;
  if (log.format == log_format::json) {
    append_message_line(log.format, level, std::chrono::system_clock::now(), message, line);
  } else {
    line = "citestream: " + message;
  }
  std::fputs((line + "\n").c_str(), stderr);
}

/// Reports something about a running proxy: if standard error is its log, as a line there.
void report(proxy_server& server, log_level level, const std::string& message) {
  const log_options& log = server.options().log;
  if (log.file.empty() && log.level != log_level::off) return server.log(level, message);
  announce(log, &server, level, message);
}

/// Reports a missing upstream, unless there may be one in what could not be read.
void add_missing_upstream_error(const configuration_sources& sources, const proxy_configuration& all,
                                std::vector<configuration_error>& errors) {
  const proxy_options& options = all.proxy;
  if (!options.upstream.url.empty() || !options.upstreams.empty() || all.values.unreadable) return;
  const auto is_about_upstream = [](const configuration_error& one) {
    return one.what.starts_with("upstream") || one.what.starts_with("routes: the route has no upstream");
  };
  if (std::ranges::any_of(errors, is_about_upstream)) return;
  errors.push_back({sources.file.empty() ? "--upstream" : sources.file,
                    "no upstream is configured; set upstream or add an [upstreams.NAME] table"});
}

/// Returns an address to send requests to without TLS: a wildcard address becomes loopback. Empty if the
/// proxy listens on Unix sockets only.
std::string reachable(const std::vector<std::string>& listening) {
  constexpr std::string_view scheme = "http://";
  const auto plain = [&](const std::string& url) { return url.starts_with(scheme); };
  const auto found = std::ranges::find_if(listening, plain);
  if (found == listening.end()) return {};
  std::string address = found->substr(scheme.size());
  if (address.starts_with("0.0.0.0:")) address.replace(0, 7, "127.0.0.1");
  if (address.starts_with("[::]:")) address.replace(0, 4, "[::1]");
  return address;
}

/// Sends the question in another thread, so that a signal ends the process. \return why the answer is not
/// complete.
std::string ask(const std::string& address, const end_signals& signals) {
  std::string why;
  std::atomic<bool> answered{};
  std::thread questioner([&] {
    why = ask_demo_question(address, stdout);
    answered = true;
  });
  constexpr milliseconds tick{50};
  while (!answered) {
    if (end_signals::ends(signals.wait_for(tick))) std::_Exit(exit_success);
  }
  questioner.join();
  return why;
}

/// Waits for running answers up to \p drain_time. A second signal ends the process immediately; SIGHUP
/// reopens the log.
void end(proxy_server& server, const end_signals& signals, milliseconds drain_time) {
  using clock = std::chrono::steady_clock;
  constexpr milliseconds tick{20};
  const auto deadline = clock::now() + drain_time;
  server.log(log_level::info, "draining: no new requests are accepted, running answers may finish");
  server.drain();
  while (clock::now() < deadline && !server.wait_until_idle(milliseconds(0))) {
    const int signal = signals.wait_for(tick);
    if (end_signals::ends(signal)) std::_Exit(exit_failure);
    if (signal != SIGHUP) continue;
    server.reopen_log();
    server.log(log_level::info, "draining: log reopened, configuration not reloaded");
  }
  server.stop();
}

/// Loads the configuration again and applies it. If that fails, nothing changes and each error is reported.
void reload(const configuration_sources& sources, demo_server& demo, proxy_server& server) {
  proxy_configuration now;
  std::vector<configuration_error> errors = load_proxy_configuration(sources, now);
  reload_result result;
  if (errors.empty()) {
    demo.serve(now.proxy);
    result = server.reload(std::move(now.proxy));
    if (!result.error.empty())
      errors.push_back({sources.file.empty() ? "configuration" : sources.file, result.error});
  }
  server.reopen_log();
  if (!errors.empty()) server.note_failed_reload();
  for (const configuration_error& one : errors) {
    report(server, log_level::error, "not reloaded: " + one.text());
  }
  if (!errors.empty()) return;
  report(server, log_level::info, "configuration and certificates reloaded");
  if (!result.waiting.empty())
    report(server, log_level::warn, "changes that need a restart: " + result.waiting);
}

/// Prints what can be done next.
void print_next_steps(const std::string& address, bool has_page) {
  std::fprintf(stdout, "\nTry it:\n  %s\n", demo_curl_line(address).c_str());
  if (has_page) {
    std::fprintf(stdout, "\nSee it:\n  http://%s/\n", address.c_str());
  } else {
    std::fprintf(stdout, "\nA web page shows how it works: %s\n", how_to_get_page);
  }
  std::fflush(stdout);
}

/// Returns large buffers, such as those of bodies, to the system when they are freed. By default glibc raises
/// the size from which it does so to that of the buffers freed before, and keeps hundreds of MiB.
void return_freed_memory() {
  // No thread has been started yet.
  ::mallopt(M_MMAP_THRESHOLD, 128 * 1024);  // NOLINT(concurrency-mt-unsafe)
}

int serve(const proxy_flags& flags, proxy_configuration configuration) {
  raise_file_limit();
  return_freed_memory();
  const end_signals signals;
  const service_manager manager;
  const std::string shown = shown_upstreams(configuration.proxy);
  const std::size_t max_connections = configuration.proxy.limits.max_connections;
  demo_server demo;
  demo.serve(configuration.proxy);
  proxy_server server(std::move(configuration.proxy));
  const log_options& log = server.options().log;
  if (const std::string why = server.start(); !why.empty()) {
    if (log.format == log_format::text) throw command_error(why);
    announce(log, nullptr, log_level::error, why);
    return exit_failure;
  }
  const std::string address = reachable(server.addresses());
  if (flags.demo && address.empty())
    throw CLI::ValidationError("--demo requires a host:port in --listen; without one, use --upstream demo:");
  const std::string listening = boost::algorithm::join(server.addresses(), ", ");
  announce(log, &server, log_level::info, "listening on " + listening + " -> " + shown);
  if (const std::string admin = server.admin_address(); !admin.empty()) {
    announce(log, &server, log_level::info, "administration on http://" + admin);
  }
  if (const std::string few = file_limit_warning(max_connections); !few.empty())
    announce(log, &server, log_level::warn, few);
  manager.ready();
  std::string why;
  if (flags.demo) {
    why = ask(address, signals);
    if (why.empty() && !flags.once) print_next_steps(address, demo.has_page());
  }
  if (!flags.once && why.empty()) signals.wait([&] { reload(flags.sources, demo, server); }, manager);
  manager.stopping();
  end(server, signals, flags.once ? milliseconds(0) : server.options().deadlines.drain);
  if (!why.empty()) throw command_error(why);
  return exit_success;
}

/// Rejects flags that exclude each other.
void check(const proxy_flags& flags) {
  const auto upstream = flags.sources.flags.find("upstream");
  const bool given = upstream != flags.sources.flags.end() && upstream->second.front() != demo_upstream;
  if (flags.demo && given) throw CLI::ValidationError("--demo cannot be used with --upstream");
  if (flags.once && !flags.demo) throw CLI::ValidationError("--once requires --demo");
}

/// Rejects flags for details of provenance if no route uses provenance.
void check_provenance(const proxy_flags& flags, const proxy_options& options) {
  const auto has_provenance = [](const route_options& one) { return one.requests.provenance; };
  if (std::ranges::any_of(options.routes, has_provenance)) return;
  for (const char* key :
       {"provenance_agents", "provenance_tools", "provenance_keys", "citation_instructions"}) {
    if (!flags.sources.flags.contains(key)) continue;
    const configuration_option* one = find_option(key, option_place::proxy);
    throw CLI::ValidationError(option_flag(*one) + " requires --provenance");
  }
}

int run(proxy_flags flags) {
  check(flags);
  if (flags.demo) flags.sources.flags["upstream"] = {demo_upstream};
  flags.sources.environment = process_environment();
  proxy_configuration configuration;
  std::vector<configuration_error> errors = load_proxy_configuration(flags.sources, configuration);
  const bool only_looks = flags.check_config || flags.print_config;
  if (only_looks || !flags.sources.file.empty())
    add_missing_upstream_error(flags.sources, configuration, errors);
  const log_options& log = configuration.proxy.log;
  for (const configuration_error& one : errors) {
    if (log.format == log_format::json && !only_looks) {
      announce(log, nullptr, log_level::error, one.text());
    } else {
      std::fputs(("citestream: proxy: " + one.text() + "\n").c_str(), stderr);
    }
  }
  if (!errors.empty()) return exit_failure;
  if (configuration.proxy.upstream.url.empty() && configuration.proxy.upstreams.empty()) {
    throw CLI::ValidationError("--upstream is required; to try it without an API, use --demo");
  }
  check_provenance(flags, configuration.proxy);
  if (flags.print_config) {
    std::fputs(print_configuration(configuration).c_str(), stdout);
  } else if (flags.check_config) {
    std::fputs(summarize_configuration(flags.sources, configuration).c_str(), stdout);
  }
  return only_looks ? exit_success : serve(flags, std::move(configuration));
}

void add_options(CLI::App& command, proxy_flags& flags) {
  add_value(command, "--config", flags.sources.file, "FILE",
            "TOML configuration file (also CITESTREAM_CONFIG); environment variables and flags override it")
      ->envname("CITESTREAM_CONFIG");
  command.add_flag(
      "--check-config", flags.check_config,
      "Check the configuration, print ok and what was checked or each error with file and line, and exit");
  command.add_flag("--print-config", flags.print_config,
                   "Print the effective configuration as TOML, with the origin of each value, and exit");
  command.add_flag("--demo", flags.demo,
                   "Start with the built-in demo model as upstream and send it one question");
  command.add_flag("--once", flags.once, "With --demo: exit after the answer");
  add_configuration_flags(command, flags.sources.flags);
}

}  // namespace

void add_proxy_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("proxy", "Rewrite the answers of an API on their way to its clients");
  const auto flags = std::make_shared<proxy_flags>();
  add_options(*command, *flags);
  command->footer(
      "Event streams are rewritten while they flow, JSON bodies as a whole. Everything else passes through "
      "unchanged.\n"
      "\n"
      "Every option except --config, --check-config, --print-config, --demo and --once can also be set in "
      "the\n"
      "configuration file and the environment, for example as idle_timeout and CITESTREAM_IDLE_TIMEOUT. "
      "Flags override\n"
      "the environment, which overrides the file. See man 1 citestream.\n"
      "\n"
      "Examples:\n"
      "  citestream proxy --upstream https://api.writer.com\n"
      "  citestream proxy --upstream http://127.0.0.1:9000/base --listen 0.0.0.0:8080 --style numeric\n"
      "  citestream proxy --upstream https://api.openai.com --provenance --provenance-agents ask_analyst\n"
      "  citestream proxy --config citestream.toml --check-config\n"
      "  citestream proxy --demo --once");
  command->callback([flags, &exit_code] { exit_code = run(*flags); });
}

}  // namespace citestream::tools
