// What is the total cost from an event stream to the rewritten stream or the clean text?
#include <citestream/session/session.hpp>

#include <benchmark/benchmark.h>
#include <functional>
#include <string>
#include <string_view>

#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

/// Rewrites one stream with a warm session, as on a reused connection.
void rewrite(benchmark::State& state, const corpus& one, std::size_t read,
             const citestream::session_options& options) {
  citestream::session session(options);
  std::string out;
  std::uint64_t known = 0;  // events that were read by the shape of an earlier one
  measure(state, one.events, one.bytes.size(), [&] {
    for (std::size_t at = 0; at < one.bytes.size(); at += read) {
      out.clear();
      static_cast<void>(session.write(std::string_view(one.bytes).substr(at, read), out));
      benchmark::DoNotOptimize(out.data());
    }
    out.clear();
    static_cast<void>(session.finish(out));
    known = session.statistics().known_shape;
    session.reset();
  });
  state.counters["known_shape"] = static_cast<double>(known) / static_cast<double>(one.events);
}

void filter_to_text(benchmark::State& state, const corpus& one, std::size_t read) {
  citestream::session_options options;
  options.typed_events = true;
  citestream::session session(options);
  std::string rewritten;
  std::string text;
  const auto drain = [&] {
    for (citestream::session_event event; session.next(event);) {
      if (event.type == citestream::session_event_type::text) text += event.text;
    }
  };
  measure(state, one.events, one.bytes.size(), [&] {
    text.clear();
    for (std::size_t at = 0; at < one.bytes.size(); at += read) {
      rewritten.clear();
      static_cast<void>(session.write(std::string_view(one.bytes).substr(at, read), rewritten));
      drain();
    }
    rewritten.clear();
    static_cast<void>(session.finish(rewritten));
    drain();
    benchmark::DoNotOptimize(text.data());
    session.reset();
  });
}

}  // namespace

void add_session(const corpora& given) {
  citestream::session_options strip;
  citestream::session_options keep;
  keep.style = &citestream::keep_style;
  citestream::session_options numeric;
  numeric.style = &citestream::numeric_style;
  citestream::session_options parsing;
  parsing.bounds.max_envelopes = 0;
  for (const corpus& one : given) {
    const auto add = [&](const char* what, std::size_t read, const citestream::session_options& options) {
      benchmark::RegisterBenchmark(name(what, one, read).c_str(), rewrite, std::cref(one), read, options);
    };
    add("rewrite", usual_read, strip);
    benchmark::RegisterBenchmark(name("text", one, usual_read).c_str(), filter_to_text, std::cref(one),
                                 usual_read);
    if (one.variant) continue;
    for (const std::size_t read : reads) {
      if (read != usual_read) add("rewrite", read, strip);
    }
    add("rewrite_parsed", usual_read, parsing);
    add("rewrite_keep", usual_read, keep);
    add("rewrite_numeric", usual_read, numeric);
  }
}

}  // namespace citestream_bench
