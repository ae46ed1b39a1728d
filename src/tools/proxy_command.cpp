// citestream proxy: a reverse proxy that rewrites LLM answers.
#include <citestream/replay/demo.hpp>
#include <citestream/replay/server.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <memory>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "demo_question.hpp"
#include "file_limit.hpp"
#include "proxy/server.hpp"
#include "proxy/upstream_url.hpp"
#include "session_flags.hpp"

namespace citestream::tools {

namespace {

using std::chrono::milliseconds;

constexpr const char* demo_upstream = "demo:";

struct proxy_flags {
  std::string listen{"127.0.0.1:8080"};
  std::string upstream;
  std::string upstream_ca;
  unsigned threads{};
  double idle_timeout{120};
  double drain{10};
  bool demo{};
  bool once{};
  bool inline_citations{};
  bool provenance{};
  bool no_citation_instructions{};
  std::vector<std::string> provenance_agents;
  session_flags session;
};

milliseconds seconds(double count) {
  return milliseconds(std::llround(count * 1000));
}

/// SIGINT, SIGTERM and SIGHUP, taken by the main thread alone: threads started later inherit the mask.
class end_signals {
 public:
  end_signals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGHUP);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    std::signal(SIGPIPE, SIG_IGN);  // standard output may be a pipe that nobody reads any more
  }
  /// Waits for the end; meanwhile each SIGHUP calls \p reload.
  template <class Reload>
  void wait(const Reload& reload) const {
    int signal = 0;
    while (sigwait(&set_, &signal) != 0 || signal == SIGHUP) {
      if (signal == SIGHUP) reload();
    }
  }
  /// \return whether one that ends came within \p at_most.
  [[nodiscard]] bool wait_for(milliseconds at_most) const {
    timespec time{};
    time.tv_sec = at_most.count() / 1000;
    time.tv_nsec = (at_most.count() % 1000) * 1'000'000;
    const int signal = sigtimedwait(&set_, nullptr, &time);
    return signal > 0 && signal != SIGHUP;
  }

 private:
  sigset_t set_{};
};

/// The upstream that is built in, where it was asked for.
std::unique_ptr<replay_server> start_demo(std::string& upstream) {
  if (upstream != demo_upstream) return nullptr;
  replay_options options;
  options.recordings = demo_recordings();
  auto demo = std::make_unique<replay_server>(std::move(options));
  if (const std::error_code error = demo->start()) {
    throw failure("cannot start the demo upstream: " + error.message());
  }
  upstream = "http://127.0.0.1:" + std::to_string(demo->port());
  return demo;
}

proxy_options options_from(const proxy_flags& flags, const std::string& upstream) {
  proxy_options options;
  options.listen = flags.listen;
  options.upstream = upstream;
  options.upstream_ca = flags.upstream_ca;
  options.threads = flags.threads;
  options.session = options_from(flags.session);
  options.requests.inline_citations = flags.inline_citations;
  options.requests.provenance = flags.provenance;
  options.requests.sources.instructions = !flags.no_citation_instructions;
  options.requests.sources.agent_tools = flags.provenance_agents;
  options.deadlines.upstream_idle = seconds(flags.idle_timeout);
  return options;
}

/// An address that listens everywhere is no address to go to.
std::string reachable(std::string address) {
  if (address.starts_with("0.0.0.0:")) address.replace(0, 7, "127.0.0.1");
  if (address.starts_with("[::]:")) address.replace(0, 4, "[::1]");
  return address;
}

/// Asks in a thread of its own: a signal meanwhile ends the process. \return why there was no whole answer.
std::string ask(const std::string& address, const end_signals& signals) {
  std::string why;
  std::atomic<bool> answered{};
  std::thread asking([&] {
    why = ask_demo_question(address, stdout);
    answered = true;
  });
  constexpr milliseconds tick{50};
  while (!answered) {
    if (signals.wait_for(tick)) std::_Exit(exit_success);
  }
  asking.join();
  return why;
}

/// Lets running answers end; a second signal does not wait for them.
void end(proxy_server& server, const end_signals& signals, milliseconds drain_time) {
  using clock = std::chrono::steady_clock;
  constexpr milliseconds tick{20};
  const auto deadline = clock::now() + drain_time;
  server.drain();
  while (clock::now() < deadline && !server.wait_until_idle(milliseconds(0))) {
    if (signals.wait_for(tick)) std::_Exit(exit_failure);
  }
  server.stop();
}

int serve(const proxy_flags& flags) {
  raise_file_limit();
  const end_signals signals;
  std::string upstream = flags.demo ? demo_upstream : flags.upstream;
  const std::string shown = upstream;
  const std::unique_ptr<replay_server> demo = start_demo(upstream);
  proxy_server server(options_from(flags, upstream));
  if (const std::string why = server.start(); !why.empty()) throw failure(why);
  const std::string address = reachable(server.address());
  std::fprintf(stderr, "citestream: listening on http://%s → %s\n", server.address().c_str(), shown.c_str());
  std::string why;
  if (flags.demo) {
    why = ask(address, signals);
    if (why.empty() && !flags.once)
      std::fprintf(stdout, "\nTry it:\n  %s\n", demo_curl_line(address).c_str());
    std::fflush(stdout);
  }
  if (!flags.once && why.empty()) signals.wait([] {});
  end(server, signals, flags.once ? milliseconds(0) : seconds(flags.drain));
  if (!why.empty()) throw failure(why);
  return exit_success;
}

void check(const proxy_flags& flags) {
  if (flags.demo && !flags.upstream.empty() && flags.upstream != demo_upstream) {
    throw CLI::ValidationError("--demo", "has an upstream of its own");
  }
  if (flags.once && !flags.demo) throw CLI::ValidationError("--once", "goes with --demo");
  if (!flags.demo && flags.upstream.empty()) throw CLI::RequiredError("--upstream");
  std::string host;
  std::string port;
  if (!http::parse_listen_address(flags.listen, host, port)) {
    throw CLI::ValidationError("--listen", "not an address and a port like 127.0.0.1:8080: " + flags.listen);
  }
  if (flags.demo || flags.upstream == demo_upstream) return;
  http::upstream_url url;
  const std::string why = http::parse_upstream_url(flags.upstream, url);
  if (!why.empty()) throw CLI::ValidationError("--upstream", why);
}

CLI::Validator not_negative() {
  constexpr double a_year = 366.0 * 24 * 3600;
  return CLI::Range(0.0, a_year);
}

void add_options(CLI::App& command, proxy_flags& flags) {
  command.add_option("--listen", flags.listen, "Address and port; port 0 is a free one")
      ->type_name("ADDR")
      ->capture_default_str();
  command.add_option("--upstream", flags.upstream, "http:// or https:// URL of the API, or demo:")
      ->type_name("URL");
  command.add_option("--upstream-ca", flags.upstream_ca, "Trust these certificates only (PEM)")
      ->type_name("FILE");
  command.add_option("--threads", flags.threads, "Event loops; 0: one for each core")->capture_default_str();
  command.add_option("--idle-timeout", flags.idle_timeout, "Silence inside an answer after which it is lost")
      ->type_name("SECONDS")
      ->check(not_negative())
      ->capture_default_str();
  command.add_option("--drain", flags.drain, "What running answers may take after SIGINT or SIGTERM")
      ->type_name("SECONDS")
      ->check(not_negative())
      ->capture_default_str();
  command.add_flag("--demo", flags.demo, "Start with the upstream that is built in and ask it one question");
  command.add_flag("--once", flags.once, "With --demo: end after the answer");
}

void add_request_options(CLI::App& command, proxy_flags& flags) {
  CLI::Option* provenance = command.add_flag("--provenance", flags.provenance,
                                             "Give the tool results in chat requests keys, [REF|d_1], tell "
                                             "the model to cite them, resolve its citations");
  command
      .add_option("--provenance-agents", flags.provenance_agents,
                  "Tools, separated by commas, whose results are another agent's output: [REF|a_1]")
      ->delimiter(',')
      ->needs(provenance);
  command
      .add_flag("--no-citation-instructions", flags.no_citation_instructions,
                "With --provenance: leave the system prompt as it is")
      ->needs(provenance);
  command.add_flag("--inline-citations", flags.inline_citations,
                   "Ask Writer for inline citations where graph tools and graph questions do not say");
}

}  // namespace

void add_proxy_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("proxy", "Rewrite an API's answers on their way to its clients");
  const auto flags = std::make_shared<proxy_flags>();
  add_options(*command, *flags);
  add_request_options(*command, *flags);
  add_session_options(*command, flags->session);
  command->footer(
      "Event streams are rewritten as they flow, JSON bodies whole; everything else passes untouched.\n\n"
      "Examples:\n"
      "  citestream proxy --upstream https://api.writer.com\n"
      "  citestream proxy --upstream http://127.0.0.1:9000/base --listen 0.0.0.0:8080 --style numeric\n"
      "  citestream proxy --upstream https://api.openai.com --provenance --provenance-agents ask_analyst\n"
      "  citestream proxy --demo --once");
  command->callback([flags, &exit_code] {
    check(*flags);
    exit_code = serve(*flags);
  });
}

}  // namespace citestream::tools
