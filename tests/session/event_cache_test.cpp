// Events read by the envelope of an earlier one give the same result as parsed events, for any bytes.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>

#include <catch2/catch.hpp>

#include "session/envelope_difference.hpp"
#include "session/shaped_streams.hpp"
#include "support/composed_streams.hpp"
#include "support/data.hpp"
#include "support/recorded_payloads.hpp"
#include "support/rounds.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

const std::vector<std::string> texts{
    "The",          " sky", " is [Rep", "ort.pdf](id1", ") blue [1]", " \\u00e9\\n", "",
    " \\\"q\\\" [", "2",    "]",        "caf\xC3\xA9",  " end"};
const std::vector<std::string> plain_fields{R"("a")", R"("bcd")", R"("")", R"("x\u00e9 y")"};
const std::vector<std::string> mixed_fields{"null", R"("a")", "12", "[1,2]", R"({"a":[]})", "true", "-0.5e3"};

/// The events of a stream, each with its blank line.
std::vector<std::string> events_of(const std::string& bytes) {
  std::vector<std::string> events;
  const std::string blank = bytes.find("\r\n\r\n") != std::string::npos ? "\r\n\r\n" : "\n\n";
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find(blank, at), bytes.size() - blank.size()) + blank.size();
    events.push_back(bytes.substr(at, end - at));
    at = end;
  }
  return events;
}

/// Bytes that replace others or are inserted.
const std::string other_bytes("\"\\\x01\n\r\t \xFF\x80\xC3 0 9-.eE,:[]{}tnu/\x00", 29);
const std::vector<std::string> insertions{
    "\\ud83d\\ude00", "\\ud83d", "\\ude00", "\\u0000", "\xED\xA0\x80", "\xF0\x9F\x98\x80",
    "1e400",          "[[",      "\"\"",    "null",    "\r\n",         "\\u00G0"};

/// Changes and removes each byte of `events[which]` and inserts others before it, one in \p step of all ways.
void check_mutations(envelope_difference& both, const std::vector<std::string>& events, std::size_t which,
                     std::size_t ways, std::mt19937& random) {
  const std::size_t phase = random();
  const std::string& whole = events[which];
  const auto check = [&](const std::string& mutated) {
    std::vector<std::string> stream = events;
    stream[which] = mutated;
    const std::string found = both.of(joined(stream), 100'000);
    if (found.empty()) return;
    CAPTURE(mutated);
    FAIL(found);
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (!sampled(at, phase)) continue;
    for (std::size_t way = 0; way < ways; ++way) {
      std::string mutated = whole;
      mutated[at] = way == 0
                        ? static_cast<char>(mutated[at] ^ (1 << random() % 8))
                        : other_bytes[ways > other_bytes.size() ? way - 1 : random() % other_bytes.size()];
      check(mutated);
    }
    std::string mutated = whole;
    mutated.erase(at, 1 + random() % 2);
    check(mutated);
    mutated = whole;
    mutated.insert(at, insertions[random() % insertions.size()]);
    check(mutated);
    mutated = whole;
    mutated.insert(at, 1, other_bytes[random() % other_bytes.size()]);
    check(mutated);
  }
}

}  // namespace

TEST_CASE("streams of every form are the same without envelopes at every read size") {
  for (const style* chosen : styles()) {
    for (const event_form& form : event_forms()) {
      for (const auto& fields : {plain_fields, mixed_fields}) {
        session_options options;
        options.style = chosen;
        envelope_difference both(options);
        const std::string bytes = joined(shaped_stream(form, texts, fields));
        for (const std::size_t read : {1U, 2U, 3U, 7U, 64U, 100U, 250U, 251U, 1400U, 65536U}) {
          INFO("style " << chosen->name << " form " << form.name << " read " << read);
          CHECK(both.of(bytes, read) == "");
        }
      }
    }
  }
}

TEST_CASE("a stream of every form uses envelopes from its third event on") {
  for (const event_form& form : event_forms()) {
    envelope_difference both;
    // In these forms the varying part is read by the dialect or has citations.
    if (form.name == "scored list" || form.name == "other message" || form.name == "parts") continue;
    const std::vector<std::string> many(50, " word");
    INFO("form " << form.name);
    CHECK(both.of(joined(shaped_stream(form, many, {R"("a")", R"("bcd")"})), 1400) == "");
    CHECK(both.known_shape >= 48);
  }
}

TEST_CASE("numbers and nesting beyond the limits of envelopes are the same without them") {
  const auto digits = [](std::size_t count, int i) { return std::string(count, '1') + std::to_string(i); };
  const std::function<std::string(int)> values[] = {
      [](int i) { return "1e30" + std::to_string(i); },
      [](int i) { return "-1.5e-30" + std::to_string(i); },
      [&](int i) { return digits(41, i); },
      [&](int i) { return "0." + digits(60, i); },
      [](int i) { return std::string(70, '[') + std::to_string(i) + std::string(70, ']'); },
      [](int i) { return R"({"a":[{"b":1e30)" + std::to_string(i) + "}]}"; },
  };
  for (const auto& value : values) {
    std::string before;
    std::string after;
    for (int i = 0; i < 6; ++i) {
      const std::string choices = R"("choices":[{"index":0,"delta":{"content":" w"}}])";
      before += "data: {\"created\":" + value(i) + ',' + choices + "}\n\n";
      after += "data: {" + choices + ",\"usage\":" + value(i) + "}\n\n";
    }
    for (const std::string& stream : {before, after}) {
      for (const std::size_t read : {1U, 7U, 65536U}) {
        INFO(value(0));
        envelope_difference both;
        CHECK(both.of(stream, read) == "");
        CHECK(both.of(stream + stream.substr(0, stream.size() / 2), read) == "");
      }
    }
  }
}

TEST_CASE("interleaved events of many choices are read by envelopes") {
  for (const int choices : {2, 8, 9, 12, 40}) {
    std::string stream;
    for (int i = 0; i < 50 * choices; ++i) {
      stream += R"(data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":)" +
                std::to_string(i % choices) + R"(,"delta":{"content":" w)" + std::to_string(i) +
                R"("},"finish_reason":null}],"obfuscation":")" +
                std::string(static_cast<std::size_t>(i % 7), 'x') + "\"}\n\n";
    }
    INFO(choices << " choices");
    envelope_difference both;
    CHECK(both.of(stream, 1400) == "");
    CHECK(both.known_shape >= static_cast<std::uint64_t>(45 * choices));
  }
}

TEST_CASE("envelopes stop after many unlike events and resume when some are alike") {
  const auto event = [](const std::string& key) {
    return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":" w"},)"
           R"("finish_reason":null}],")" +
           key + "\":1}\n\n";
  };
  std::string stream;
  for (int i = 0; i < 1000; ++i) stream += event("k" + std::to_string(i));
  for (int i = 0; i < 1000; ++i) stream += event("same");
  envelope_difference both;
  CHECK(both.of(stream, 4096) == "");
  CHECK(both.known_shape >= 700);
  CHECK(both.known_shape < 997);  // the first of them arrived while envelopes were off
}

TEST_CASE("any number of shapes may be allowed") {
  session_options options;
  options.bounds.max_envelopes = std::numeric_limits<std::size_t>::max();
  envelope_difference both(options);
  std::string stream;
  for (int i = 0; i < 10; ++i) {
    stream += R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":" a"}},)"
              R"({"index":1,"delta":{"content":" b"}}]})"
              "\n\n";
  }
  CHECK(both.of(stream, 1400) == "");
  CHECK(both.known_shape == 9);
}

TEST_CASE("streams of every form cut in two are the same without envelopes") {
  for (const event_form& form : event_forms()) {
    envelope_difference both;
    std::vector<std::string> events = shaped_stream(form, {"a", " [b](id1)", " c [1]", " d"}, plain_fields);
    const std::string bytes = joined(events);
    for (std::size_t first = 1; first < bytes.size(); ++first) {
      INFO("form " << form.name << " cut at " << first);
      REQUIRE(both.of(bytes, first) == "");
    }
  }
}

TEST_CASE("streams of every form cut in three are the same without envelopes") {
  std::mt19937 random(21);
  for (const event_form& form : event_forms()) {
    envelope_difference both;
    const std::vector<std::string> events =
        shaped_stream(form, {"a", " [b](id1)", " c [1]", " \\u00e9 [d", "](id2) caf\xC3\xA9"}, plain_fields);
    const std::string bytes = joined(events);
    const std::size_t begin = bytes.size() - joined({events.begin() + 2, events.end()}).size();
    for (std::size_t first = begin; first < bytes.size(); ++first) {
      const std::size_t second = first + random() % std::min<std::size_t>(bytes.size() - first, 600);
      INFO("form " << form.name << " cut at " << first << " and " << second);
      REQUIRE(both.of(bytes, {first, second}) == "");
    }
  }
}

TEST_CASE("composed streams cut in three are the same without envelopes") {
  std::mt19937 random(22);
  session_options options;
  envelope_difference both(options);
  std::uint64_t known_shape = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::string bytes;  // each event three times: the third is read by its envelope
    for (const composed_event& event : compose(seed).events) bytes += event.raw() + event.raw() + event.raw();
    for (int round = 0; round < 15; ++round) {
      const std::size_t first = random() % bytes.size();
      const std::size_t second = first + random() % (bytes.size() - first);
      INFO("seed " << seed << " cut at " << first << " and " << second);
      REQUIRE(both.of(bytes, {first, second}) == "");
      known_shape += both.known_shape;
    }
  }
  CHECK(known_shape > 1000);
}

TEST_CASE("an event cut by a read may differ from every known envelope") {
  envelope_difference both;
  const event_form& form = event_forms().front();
  const std::vector<std::string> others{form.event("x", "{}", "").substr(0, 60) + "\n\n",
                                        "data: {\"object\":1}\n\n",
                                        "data: [DONE]\n\n",
                                        ": a comment\n",
                                        "\n",
                                        form.event("x", "1", "").substr(0, 100)};
  for (const std::string& other : others) {
    const std::string start = form.event("a", "1", "") + form.event("b", "2", "");
    const std::string bytes = start + other + form.event("c", "3", "") + form.event("d", "[4]", "");
    for (std::size_t first = start.size(); first < bytes.size(); ++first) {
      INFO(other << " cut at " << first);
      REQUIRE(both.of(bytes, {first, std::min(first + 7, bytes.size())}) == "");
      REQUIRE(both.of(bytes.substr(0, first), 100'000) == "");  // and the rest
    }
  }
}

TEST_CASE("a text that continues in a learned event without a new start keeps its name") {
  const auto part = [](const std::string& members) { return "data: {\"type\":\"" + members + "}\n\n"; };
  const auto delta = [&](const std::string& text) {
    return part(R"(text-delta","id":"a","delta":")" + text + "\"");
  };
  const std::string stream = part("start\"") + part(R"(text-start","id":"a")") + delta("one ") +
                             delta("two ") + part("finish-step\"") + part("start-step\"") +
                             delta("x [A](https://e.example/a) ") + part("finish\"");
  envelope_difference both;
  CHECK(both.of(stream, 100'000) == "");
  CHECK(both.known_shape > 0);
}

TEST_CASE("changing any byte of a learned event gives the result of parsing") {
  std::mt19937 random(7);
  for (const event_form& form : event_forms()) {
    for (const auto& fields : {plain_fields, mixed_fields}) {
      INFO("form " << form.name);
      envelope_difference both;
      const auto events = shaped_stream(form, {"a", " [b", "](id1)", " c [1]", " d"}, fields);
      check_mutations(both, events, 3, other_bytes.size() + 1, random);
    }
  }
}

TEST_CASE("random bytes between valid events are the same without envelopes") {
  std::mt19937 random(11);
  const std::vector<std::string> pieces{
      "a",    " [b](id1)", "\\\\", "\\\"",  "\\u00e9", "\\ud83d\\ude00", "\\ud83d",      "\xC3\xA9", "\xC3",
      "\x1F", "\"",        "\\",   "\\u12", "[1]",     "\x7F",           "\xE2\x82\xAC", "\t",       "\\n",
      " ",    "12345678",  "{}",   "\\/",   "\n",      "\xED\xA0\x80"};
  const std::vector<std::string> values{"1",
                                        "-1",
                                        "01",
                                        "1.",
                                        "1.5",
                                        "-",
                                        "1e5",
                                        "1e999",
                                        "12345678901234567890",
                                        "0.1234567890123456789012345",
                                        "true",
                                        "tru",
                                        "[]",
                                        "[1,]",
                                        "[1 , 2]",
                                        "{\"a\":1}",
                                        "{\"a\"}",
                                        "{\"a\":{\"b\":[null,\"x\"]},\"a\":2}",
                                        "\"\\u00e9\"",
                                        "\"\\x\"",
                                        "\"\xFF\"",
                                        " 1 ",
                                        "[[[[[[[[]]]]]]]]",
                                        "\"\\ud83d\\ude00\"",
                                        "\"\\ud83d\"",
                                        "1\t",
                                        "-0",
                                        "-0.0",
                                        "1E+2",
                                        "[1\r]"};
  for (int round = 0; round < 1500; ++round) {
    const event_form& form = event_forms()[random() % event_forms().size()];
    std::vector<std::string> deltas;
    std::vector<std::string> fields;
    for (int i = 0; i < 12; ++i) {
      std::string text;
      for (auto left = random() % 4; left > 0; --left)
        text += pieces[random() % (random() % 8 == 0 ? pieces.size() : 6)];
      deltas.push_back(text);
      fields.push_back(values[random() % values.size()]);
    }
    session_options options;
    options.style = styles()[random() % styles().size()];
    options.bounds.max_json_depth = random() % 2 == 0 ? 128 : 6;
    envelope_difference both(options);
    const std::string bytes = joined(shaped_stream(form, deltas, fields));
    INFO("round " << round << " form " << form.name << "\n" << bytes);
    REQUIRE(both.of(bytes, 1 + random() % 700) == "");
  }
}

TEST_CASE("the event size limit holds for events read by envelopes") {
  for (const event_form& form : event_forms()) {
    for (std::size_t bound = 100; bound < 500; bound += 3) {
      session_options options;
      options.bounds.max_event_bytes = bound;
      envelope_difference both(options);
      INFO("form " << form.name << " bound " << bound);
      const std::string bytes =
          joined(shaped_stream(form, {"a", "b", std::string(100, 'c'), "d", " e"}, plain_fields));
      REQUIRE(both.of(bytes, 100'000) == "");
      REQUIRE(both.of(bytes, 77) == "");
      REQUIRE(both.of(bytes, 5) == "");
    }
  }
}

TEST_CASE("an envelope learned after a byte order mark accepts no other such mark") {
  envelope_difference both;
  const std::string event = event_forms().front().event("a", "1", "");
  CHECK(both.of("\xEF\xBB\xBF" + event + "\xEF\xBB\xBF" + event + event + event, 100'000) == "");
  CHECK(both.known_shape == 1);
}

TEST_CASE("composed streams are the same without envelopes") {
  for (const style* chosen : styles()) {
    session_options options;
    options.style = chosen;
    envelope_difference both(options);
    for (std::uint32_t seed = 0; seed < scaled(150); ++seed) {
      const std::string bytes = compose(seed).raw();
      for (const std::size_t read : {7U, 64U, 1400U, 100'000U}) {
        INFO("style " << chosen->name << " seed " << seed << " read " << read);
        REQUIRE(both.of(bytes, read) == "");
      }
    }
  }
}

TEST_CASE("recordings are the same without envelopes at every read size") {
  if (!have_data("recordings")) return;
  for (const auto& path : recordings()) {
    const std::string bytes = read_file(path);
    for (const style* chosen : styles()) {
      session_options options;
      options.style = chosen;
      envelope_difference both(options);
      for (const std::size_t read : {13U, 1400U, 1'000'000U}) {
        INFO(path.filename().string() << " style " << chosen->name << " read " << read);
        REQUIRE(both.of(bytes, read) == "");
      }
    }
  }
}

TEST_CASE("the session fuzzer's corpus is the same without envelopes") {
  for (const char* kind : {"corpus", "regressions"}) {
    const auto folder = std::filesystem::path(CITESTREAM_SOURCE_DIR) / "tests/fuzz" / kind / "session";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string bytes = read_file(entry.path());
      // Twice, so that envelopes learned from the first half are matched in the second one.
      const std::string stream = bytes + "\n\n" + bytes;
      for (const egress_mode guard : {egress_mode::off, egress_mode::enforce}) {
        session_options options;
        options.egress = guard;
        envelope_difference both(options);
        for (const std::size_t read : {1U, 7U, 100U, 1'000'000U}) {
          INFO(entry.path().string() << " read " << read);
          REQUIRE(both.of(stream, read) == "");
        }
      }
    }
  }
}

TEST_CASE("envelopes read 95 % of the texts in streams of Writer and OpenAI") {
  if (!have_data("recordings")) return;
  for (const std::string_view provider : {"writer-01", "writer-02", "openai-chat"}) {
    std::uint64_t deltas = 0;
    std::uint64_t known_shape = 0;
    for (const auto& path : recordings()) {
      if (!path.filename().string().starts_with(provider)) continue;
      envelope_difference both;
      INFO(path.filename().string());
      REQUIRE(both.of(read_file(path), 1400) == "");
      deltas += both.deltas;
      known_shape += both.known_shape;
    }
    INFO(provider);
    CHECK(deltas > 30);
    CHECK(known_shape * 100 >= deltas * 95);
  }
}

TEST_CASE("recorded events with any byte changed are the same without envelopes") {
  if (!have_data("recordings")) return;
  std::mt19937 random(5);
  for (const auto& path : recordings()) {
    std::vector<std::string> events = events_of(read_file(path));
    if (events.size() > 9) events.resize(9);
    if (events.size() < 5) continue;
    INFO(path.filename().string());
    envelope_difference both;
    if (joined(events).size() < 12'000) check_mutations(both, events, events.size() - 2, 2, random);
  }
}
