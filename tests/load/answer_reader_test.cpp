// What the reader of answers notes about an answer in memory.
#include "load/answer_reader.hpp"

#include <string>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"

using namespace citestream::load;
using citestream_tests::chunk;
using citestream_tests::json_text;

TEST_CASE("more text than can be checked is a fault") {
  constexpr std::size_t event_bytes = std::size_t{3} << 20U;
  const auto faults = [&](int events) {
    tally counts;
    const check_options options;
    const request sent;
    answer_reader reader(options, counts);
    reader.begin(sent, body_form::events, {});
    for (int i = 0; i < events; ++i) reader.feed(chunk(0, json_text(std::string(event_bytes, 'a'))), {});
    reader.feed(chunk(0, json_text("."), "\"stop\""), {});
    reader.finish(true);
    static_cast<void>(reader.settle());
    return counts.faults;
  };
  const auto large = faults(6)[static_cast<std::size_t>(fault::too_large)];
  CHECK(large.answers == 1);
  CHECK(large.first == "a text of more than 16777216 bytes");
  for (const tally::faults_of_kind& one : faults(5)) CHECK(one.answers == 0);
}
