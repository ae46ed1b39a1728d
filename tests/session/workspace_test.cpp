// Sessions that share their memory for parsing.
#include <citestream/session/session.hpp>

#include <catch2/catch.hpp>

#include "session/shaped_streams.hpp"
#include "support/composed_streams.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

TEST_CASE("sessions that share a workspace give the same results as alone") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    workspace shared;
    session_options deep;
    session_options flat;
    flat.bounds.max_json_depth = 4;
    session one(deep, &shared);
    session other(flat, &shared);
    const std::string first = compose(seed).raw();
    const std::string second = compose(seed + 1000).raw();
    std::string out_of_one;
    std::string out_of_other;
    constexpr std::size_t read = 50;
    for (std::size_t at = 0; at < std::max(first.size(), second.size()); at += read) {
      if (at < first.size()) static_cast<void>(one.write(first.substr(at, read), out_of_one));
      if (at < second.size()) static_cast<void>(other.write(second.substr(at, read), out_of_other));
    }
    static_cast<void>(one.finish(out_of_one));
    static_cast<void>(other.finish(out_of_other));
    INFO("seed " << seed);
    CHECK(out_of_one == run_whole(deep, first).out);
    CHECK(out_of_other == run_whole(flat, second).out);
  }
}
