// How a run works.
//
// One thread with one io_context runs all clients as coroutines. A timer ticks ten times a second: it starts
// and ends the measurement, closes connections that have timed out, and ends the run. So the clients need no
// timers of their own except for pauses.
#include "run.hpp"

#include <csignal>
#include <exception>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/signal_set.hpp>

#include "virtual_client.hpp"

namespace citestream::load {
namespace {

constexpr std::chrono::milliseconds tick{100};    // precision of all timeouts
constexpr std::chrono::milliseconds report{500};  // between two calls of `progress`

/// Owns the clients and decides when all of them start, stop and time out.
class load_run {
 public:
  explicit load_run(shared_run& shared)
      : options_(shared.options), shared_(shared), ticks_(shared.io), signals_(shared.io, SIGINT, SIGTERM) {}

  void run() {
    started_ = reported_ = clock::now();
    for (std::size_t i = 0; i < options_.streams; ++i) start(i);
    signals_.async_wait([this](error_code error, int) {
      if (!error) stop();
    });
    step();
    shared_.io.run();
    shared_.counts.end_measuring(clock::now());
  }

 private:
  void start(std::size_t number) {
    clients_.push_back(std::make_unique<virtual_client>(shared_, number));
    const auto share = static_cast<double>(number) / static_cast<double>(options_.streams);
    const auto delay = std::chrono::duration<double, std::nano>(options_.times.ramp) * share;
    ++running_;
    asio::co_spawn(shared_.io,
                   clients_.back()->run(std::chrono::duration_cast<std::chrono::nanoseconds>(delay)),
                   [this](const std::exception_ptr& failed) {
                     if (failed) std::rethrow_exception(failed);
                     if (--running_ != 0) return;
                     ticks_.cancel();
                     signals_.cancel();
                   });
  }

  /// Handles one tick and starts the timer for the next one.
  void step() {
    const clock::time_point now = clock::now();
    const auto elapsed = now - started_;
    tally& counts = shared_.counts;
    const bool over = elapsed >= options_.times.warm_up + options_.times.duration;
    if (!over && !counts.measuring && elapsed >= options_.times.warm_up) counts.begin_measuring(now);
    if (over) {
      shared_.requests_left = 0;
      counts.end_measuring(now);
    }
    if (shared_.requests_left == 0 && !std::exchange(woken_, true)) wake();
    if (elapsed >= options_.times.warm_up + options_.times.duration + options_.times.drain) stop();
    for (const auto& each : clients_) each->expire(now);
    if (options_.progress && now - reported_ >= report) {
      reported_ = now;
      options_.progress(elapsed, counts);
    }
    if (running_ == 0) return;
    ticks_.expires_after(tick);
    ticks_.async_wait([this](error_code error) {
      if (!error) step();
    });
  }

  /// Ends the pauses of all clients, so that they notice that no request is left.
  void wake() {
    for (const auto& each : clients_) each->wake();
  }

  void stop() {
    if (shared_.stopping) return;
    shared_.stopping = true;
    shared_.requests_left = 0;
    shared_.counts.end_measuring(clock::now());
    for (const auto& each : clients_) each->stop();
  }

  const run_options& options_;
  shared_run& shared_;
  asio::steady_timer ticks_;
  asio::signal_set signals_;
  std::vector<std::unique_ptr<virtual_client>> clients_;
  std::size_t running_{};
  clock::time_point started_;
  clock::time_point reported_;
  bool woken_{};
};

std::string prepare(shared_run& shared) {
  const run_options& options = shared.options;
  for (const request& each : options.requests) {
    shared.requests.push_back({each, http_message(each, options.to, options.fields)});
  }
  error_code error;
  if (options.to.tls) {
    shared.tls.set_verify_mode(asio::ssl::verify_peer);
    const bool of_system = options.ca_file.empty();
    if (of_system) {
      shared.tls.set_default_verify_paths(error);
    } else {
      shared.tls.load_verify_file(options.ca_file, error);
    }
    if (error) {
      return "cannot read certificates " + (of_system ? "of the system" : "from " + options.ca_file) + ": " +
             error.message();
    }
  }
  tcp::resolver resolver(shared.io);
  shared.where = resolver.resolve(options.to.host, options.to.port, tcp::resolver::numeric_service, error);
  if (error) return "cannot resolve " + options.to.host + ": " + error.message();
  return {};
}

}  // namespace

std::string run(const run_options& options, tally& counts) {
  shared_run shared(options);
  if (std::string why = prepare(shared); !why.empty()) return why;
  load_run(shared).run();
  counts = std::move(shared.counts);
  return {};
}

}  // namespace citestream::load
