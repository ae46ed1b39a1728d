// Is the cost of an event independent of the number of events, citations and references before it?
#include <citestream/session/session.hpp>

#include <benchmark/benchmark.h>
#include <string>
#include <string_view>

#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

constexpr std::size_t read_size = 1400;

void feed(citestream::session& session, std::string_view bytes, std::string& out) {
  for (std::size_t at = 0; at < bytes.size(); at += read_size) {
    out.clear();
    static_cast<void>(session.write(bytes.substr(at, read_size), out));
  }
}

/// Returns the events of a stream without the last one and `[DONE]`. They can be repeated any number of
/// times.
std::string endless(const corpus& one) {
  const std::size_t done = one.bytes.rfind("data: ");
  return one.bytes.substr(0, one.bytes.rfind("data: ", done - 1));
}

void time_events(benchmark::State& state, std::size_t events) {
  constexpr std::size_t block_events = 100;
  const std::string block = endless(make_corpus(shape::writer, density::usual, block_events + 1));
  citestream::session session;
  std::string out;
  for (auto _ : state) {
    const double started = thread_seconds();
    for (std::size_t i = 0; i < events; i += block_events) feed(session, block, out);
    state.SetIterationTime(thread_seconds() - started);
    session.reset();
  }
  state.counters["events"] = static_cast<double>(events);
}

/// Measures events in a session that \p prepare has made.
template <typename Prepare>
void time_after(benchmark::State& state, const Prepare& prepare) {
  constexpr std::size_t events = 1000;
  const std::string block = endless(make_corpus(shape::writer, density::usual, events + 1));
  const std::string warm_up = endless(make_corpus(shape::writer, density::none, events + 1));
  std::string out;
  for (auto _ : state) {
    citestream::session session = prepare();
    feed(session, warm_up, out);
    const double started = thread_seconds();
    feed(session, block, out);
    state.SetIterationTime(thread_seconds() - started);
  }
  state.counters["events"] = static_cast<double>(events);
}

void time_after_citations(benchmark::State& state, std::size_t count) {
  const std::string event = endless(make_corpus(shape::writer, density::none, 2));
  constexpr std::string_view text = "\"content\":\"The\"";
  time_after(state, [&] {
    citestream::session session;
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
      std::string cites = event;
      const std::string marker = "\"content\":\"[report](source-" + std::to_string(i % 1000) + ")\"";
      for (std::size_t at = cites.find(text); at != std::string::npos;
           at = cites.find(text, at + marker.size())) {
        cites.replace(at, text.size(), marker);
      }
      feed(session, cites, out);
    }
    return session;
  });
}

void time_after_references(benchmark::State& state, std::size_t count) {
  citestream::session_options options;
  for (std::size_t i = 0; i < count; ++i) {
    citestream::reference one;
    one.id = one.cite = "source-" + std::to_string(i);
    options.references.push_back(one);
  }
  time_after(state, [&] { return citestream::session(options); });
}

}  // namespace

void add_scaling(const corpora&) {
  const auto add = [](const char* name, auto run, std::size_t count) {
    benchmark::RegisterBenchmark((std::string(name) + "/" + std::to_string(count)).c_str(), run, count)
        ->UseManualTime();
  };
  for (const std::size_t count : {100U, 10'000U, 1'000'000U}) add("scaling/events", &time_events, count);
  for (const std::size_t count : {1U, 100U, 10'000U}) add("scaling/citations", &time_after_citations, count);
  for (const std::size_t count : {1U, 10'000U}) add("scaling/references", &time_after_references, count);
}

}  // namespace citestream_bench
