// What does the whole cost: an event stream in, the rewritten stream or the clean text out?
#include <citestream/session/session.hpp>

#include <benchmark/benchmark.h>
#include <functional>
#include <string>
#include <string_view>

#include "measured.hpp"
#include "questions.hpp"

namespace citestream_bench {

namespace {

// One stream through a warm session, as a connection that is used again would have it.
void rewrite(benchmark::State& state, const corpus& one, std::size_t read, const citestream::style* style) {
  citestream::session_options options;
  options.style = style;
  citestream::session session(options);
  std::string out;
  measure(state, one.events, one.bytes.size(), [&] {
    for (std::size_t at = 0; at < one.bytes.size(); at += read) {
      out.clear();
      static_cast<void>(session.write(std::string_view(one.bytes).substr(at, read), out));
      benchmark::DoNotOptimize(out.data());
    }
    out.clear();
    static_cast<void>(session.finish(out));
    session.reset();
  });
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
  for (const corpus& one : given) {
    for (const std::size_t read : reads) {
      if (one.variant && read != usual_read) continue;
      benchmark::RegisterBenchmark(name("rewrite", one, read).c_str(), rewrite, std::cref(one), read,
                                   &citestream::strip_style);
    }
    benchmark::RegisterBenchmark(name("rewrite_keep", one, usual_read).c_str(), rewrite, std::cref(one),
                                 usual_read, &citestream::keep_style);
    benchmark::RegisterBenchmark(name("rewrite_numeric", one, usual_read).c_str(), rewrite, std::cref(one),
                                 usual_read, &citestream::numeric_style);
    benchmark::RegisterBenchmark(name("text", one, usual_read).c_str(), filter_to_text, std::cref(one),
                                 usual_read);
  }
}

}  // namespace citestream_bench
