// Egress and the other texts that clients show: content in parts, refusals, and a message next to the delta.
// In every dialect and for every cut they are inert, and ordinary text is unchanged.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "egress/payloads.hpp"
#include "rewrite/json.hpp"
#include "session/guarded_streams.hpp"
#include "support/parsed_json.hpp"
#include "support/rounds.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

constexpr std::string_view evil = "![i](https://evil.example/S)";
const std::string inert_evil = R"(![i]\(https[://]evil[.]example/S))";

session_options guarding_as(egress_mode mode, const dialect* by) {
  session_options options = guarding(mode);
  options.dialect = by;
  return options;
}

/// The JSON of a choice with `@` in place of the text, and the path of the text: `holder.key`.
struct shape {
  std::string_view name;
  std::string_view choice;
  std::string_view holder;
  std::string_view key;
};

// The text continues in the next event.
constexpr std::array growing{
    shape{"parts", R"("delta":{"content":[{"type":"text","text":@}]})", "delta", "content"},
    shape{"parts of another type", R"("delta":{"content":[{"type":"markdown","text":@}]})", "delta",
          "content"},
    shape{"a part alone", R"("delta":{"content":{"type":"text","text":@}})", "delta", "content"},
    shape{"texts as parts", R"("delta":{"content":[@]})", "delta", "content"},
    shape{"parts after reasoning", R"("delta":{"content":[{"type":"thinking","thinking":[]},{"text":@}]})",
          "delta", "content"},
    shape{"refusal", R"("delta":{"content":null,"refusal":@})", "delta", "refusal"},
    shape{"refusal alone", R"("delta":{"refusal":@})", "delta", "refusal"},
    shape{"refusal that is mirrored", R"("delta":{"refusal":@},"message":{"refusal":@})", "message",
          "refusal"},
    shape{"refusal in a part", R"("delta":{"content":[{"type":"refusal","refusal":@}]})", "delta", "refusal"},
};

// Each event has a complete text.
constexpr std::array whole{
    shape{"message", R"("delta":{"content":"a"},"message":{"content":@})", "message", "content"},
    shape{"message without text in delta", R"("delta":{},"message":{"content":@})", "message", "content"},
    shape{"message next to null", R"("delta":{"content":null},"message":{"role":"assistant","content":@})",
          "message", "content"},
    shape{"message without delta", R"("message":{"content":@})", "message", "content"},
    shape{"message in parts", R"("delta":{"content":"a"},"message":{"content":[{"type":"text","text":@}]})",
          "message", "content"},
    shape{"parts next to parts",
          R"("delta":{"content":[{"type":"text","text":"a"}]},"message":{"content":[@]})", "message",
          "content"},
    shape{"message's refusal", R"("delta":{"content":"a"},"message":{"refusal":@})", "message", "refusal"},
    shape{"message's refusal in a part",
          R"("delta":{"content":"a"},"message":{"content":[{"type":"refusal","refusal":@}]})", "message",
          "refusal"},
};

std::string filled(std::string_view with, std::string_view text) {
  std::string out;
  for (const char c : with) c == '@' ? out += json_string(text) : out += c;
  return out;
}

std::string event(const shape& as, std::string_view text) {
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,)" + filled(as.choice, text) +
         R"(,"finish_reason":null}]})" + "\n\n";
}

constexpr std::string_view end =
    "data: "
    "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}"
    "]}"
    "\n\ndata: [DONE]\n\n";

void add_text(json_value value, std::string_view key, std::string& out) {
  if (value.is_object()) {
    add_text(value[key == "content" ? "text" : key], key, out);
  } else if (value.is_array()) {
    for (json_value part = value.first(); part; part = part.next()) {
      if (key == "content" || part.is_object()) add_text(part, key, out);
    }
  } else {
    out += value.string();
  }
}

/// The text that a client collects from these places.
std::string shown(const shape& as, const std::vector<std::string>& payloads) {
  std::string out;
  document doc;
  for (const std::string& payload : payloads) {
    if (payload == "[DONE]") continue;
    REQUIRE_FALSE(doc.parse(payload));
    const json_value holder = doc.root()["choices"][0][as.holder];
    if (as.key == "refusal")
      add_text(holder["content"].is_array() ? holder["content"] : json_value(), as.key, out);
    add_text(holder[as.key], as.key, out);
  }
  return out;
}

std::string shown(const shape& as, const stream_run& run) {
  return shown(as, payloads(run.out));
}

/// Null, and every dialect in the form of chat completions.
std::vector<const dialect*> every_dialect() {
  std::vector<const dialect*> out{nullptr};
  const document chat = parsed(R"({"choices":[{"delta":{"content":"a"}}]})");
  std::ranges::copy_if(dialects(), std::back_inserter(out), [&](const dialect* one) {
    dialect_event read;
    return one->read(chat.root(), payload_kind::event, read) && !read.choices.empty();
  });
  return out;
}

std::string name_of(const dialect* by) {
  return by == nullptr ? "auto" : std::string(by->name);
}

}  // namespace

TEST_CASE("content in parts and refusals are inert at every cut in every dialect") {
  const std::string_view text = "a ![i](https://evil.example/S) b https://evil.example/ c";
  for (const dialect* by : every_dialect()) {
    session work(guarding_as(egress_mode::enforce, by));
    for (const shape& as : growing) {
      INFO(name_of(by) << ": " << as.name);
      const std::string expected = "a " + inert_evil + " b https[://]evil[.]example/ c";
      // A repeated text in a dialect without repetition is a separate text, but it is inert in the end too.
      const std::string stream = event(as, text) + std::string(end);
      const stream_run once = run(work, {stream});
      work.reset();
      CHECK(shown(as, once) == expected);
      std::size_t wrong = 0;
      for (std::size_t at = 1; at < text.size(); ++at) {
        const std::string cut = event(as, text.substr(0, at)) + event(as, text.substr(at)) + std::string(end);
        const stream_run got = run(work, {cut});
        work.reset();
        const bool mirrored = as.holder == "message";
        const std::string left = shown(mirrored ? shape{"", "", "delta", as.key} : as, got);
        wrong += left == expected && got.out.find("https://evil") == std::string::npos ? 0U : 1U;
      }
      for (std::size_t at = 1; at < stream.size(); at += cut_step) {
        const std::string_view bytes = stream;
        wrong += comparable(run(work, {bytes.substr(0, at), bytes.substr(at)})) == comparable(once) ? 0U : 1U;
        work.reset();
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("each payload in parts and refusals gives the same output as in text") {
  for (const payload& one : payloads()) {
    session work(guarding(egress_mode::enforce));
    const std::string_view text = one.text;
    for (const shape& as : {growing[0], growing[3], growing[5], growing[8]}) {
      INFO(one.name << ": " << as.name);
      CHECK(shown(as, run(work, {event(as, text) + std::string(end)})) == one.expected);
      work.reset();
      std::string stream;
      for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        next = at + 1;
        while (!is_start(text, next)) ++next;
        stream += event(as, text.substr(at, next - at));
      }
      CHECK(shown(as, run(work, {stream + std::string(end)})) == one.expected);
      work.reset();
    }
    for (const shape& as : whole) {
      INFO(one.name << ": " << as.name);
      CHECK(shown(as, run(work, {event(as, text) + std::string(end)})) == one.expected);
      work.reset();
    }
  }
}

TEST_CASE("a message next to the delta is inert in every event and dialect") {
  for (const dialect* by : every_dialect()) {
    session work(guarding_as(egress_mode::enforce, by));
    for (const shape& as : whole) {
      INFO(name_of(by) << ": " << as.name);
      // After other events of its kind and a plain one, with a growing text.
      const std::string stream = event({"", R"("delta":{"content":@})", "", ""}, "a") + event(as, "a b") +
                                 event(as, "a b " + std::string(evil)) +
                                 event(as, "a b " + std::string(evil) + " c") + std::string(end);
      const stream_run got = run(work, {stream});
      work.reset();
      INFO(got.out);
      CHECK(shown(as, got) == "a ba b " + inert_evil + "a b " + inert_evil + " c");
      CHECK(got.out.find("evil.example") == std::string::npos);
      CHECK(got.out.find(R"("egress":[{"choice":0,"kind":"image")") != std::string::npos);
      std::size_t wrong = 0;
      for (std::size_t at = 1; at < stream.size(); at += 3) {
        const std::string_view bytes = stream;
        wrong += comparable(run(work, {bytes.substr(0, at), bytes.substr(at)})) == comparable(got) ? 0U : 1U;
        work.reset();
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a repeated message with its own text is inert if events are alike") {
  session work(guarding_as(egress_mode::enforce, find_dialect("perplexity")));
  const auto repeating = [](std::string_view delta, std::string_view all) {
    return R"(data: {"choices":[{"index":0,"delta":{"content":)" + json_string(delta) +
           R"(},"message":{"content":)" + json_string(all) + R"(},"finish_reason":null}]})" + "\n\n";
  };
  std::string stream;
  std::string all(evil);
  for (int i = 0; i < 8; ++i) {
    all += " w";
    stream += repeating(" w", all);
  }
  const stream_run got = run(work, {stream + std::string(end)});
  INFO(got.out);
  CHECK(got.out.find("evil.example") == std::string::npos);
  CHECK(got.out.find(R"("message":{"content":)" + json_string(inert_evil + " w w w w w w w w")) !=
        std::string::npos);
}

TEST_CASE("ordinary parts and refusals and messages pass through byte for byte") {
  std::vector<shape> all(growing.begin(), growing.end());
  all.insert(all.end(), whole.begin(), whole.end());
  for (const dialect* by : every_dialect()) {
    for (const egress_mode mode : {egress_mode::report, egress_mode::enforce}) {
      session work(guarding_as(mode, by));
      for (const shape& as : all) {
        INFO(name_of(by) << ": " << as.name);
        const std::string stream =
            event(as, "See ") + event(as, "[x](https://a.good.example/) and 1 < 2 ") + std::string(end);
        CHECK(run(work, {stream}).out == stream);
        work.reset();
        if (mode == egress_mode::enforce) continue;
        const std::string foul = event(as, "See " + std::string(evil));
        const stream_run got = run(work, {foul + std::string(end)});
        CHECK(got.out.substr(0, foul.size()) == foul);
        CHECK(got.out.find(R"("kind":"image","reason":"not_allowed","position":7)") != std::string::npos);
        CHECK(got.counts.egress == 1);
        work.reset();
      }
    }
  }
}

TEST_CASE("without egress refusals and messages are not examined") {
  session_options options;
  options.style = &strip_style;
  for (const shape& as : {growing[5], growing[6], growing[8], whole[0], whole[1], whole[4], whole[6]}) {
    INFO(as.name);
    const std::string stream = event(as, "See [A](id1) " + std::string(evil)) + std::string(end);
    CHECK(run_whole(options, stream).out == stream);
  }
}

TEST_CASE("texts in parts are rewritten in every dialect that has them") {
  for (const dialect* by : every_dialect()) {
    if (by == find_dialect("perplexity")) continue;  // has other fields there, which are tested separately
    session_options options;
    options.style = &strip_style;
    options.dialect = by;
    options.grammars = {&source_grammar};
    options.add = additions::never;
    for (const shape& as : {growing[0], growing[2], growing[3]}) {
      INFO(name_of(by) << ": " << as.name);
      const stream_run got = run_whole(
          options, event(as, "One [Sou") + event(as, "rce 1] two") + event(as, " three") + std::string(end));
      CHECK(shown(as, got) == "One two three");
      CHECK(got.out.ends_with(event(as, " three") + std::string(end)));
    }
  }
}

TEST_CASE("egress covers bodies with parts and refusals and other messages") {
  for (const std::string_view message :
       {R"("message":{"content":[{"type":"text","text":@}]})", R"("message":{"content":[@]})",
        R"("message":{"content":{"text":@}})", R"("message":{"content":null,"refusal":@})",
        R"("message":{"content":[{"type":"refusal","refusal":@}]})",
        R"("message":{"content":"a"},"delta":{"content":@})", R"("delta":{"content":[@]})"}) {
    for (const dialect* by : every_dialect()) {
      INFO(name_of(by) << ": " << message);
      const auto body = [&](std::string_view text) {
        return R"({"object":"chat.completion","choices":[{"index":0,)" + filled(message, text) +
               R"(,"finish_reason":"stop"}]})";
      };
      session work(guarding_as(egress_mode::enforce, by));
      std::string out;
      CHECK_FALSE(work.rewrite_body(body(evil), out));
      CHECK(out.starts_with(body(inert_evil).substr(0, body(inert_evil).size() - 1)));
      CHECK(out.find(R"("egress":[{"choice":0,"kind":"image")") != std::string::npos);
      work.reset();
      out.clear();
      CHECK_FALSE(work.rewrite_body(body("[x](https://a.good.example/)"), out));
      CHECK(out == body("[x](https://a.good.example/)"));
      session reporting(guarding_as(egress_mode::report, by));
      out.clear();
      CHECK_FALSE(reporting.rewrite_body(body(evil), out));
      CHECK(out.starts_with(body(evil).substr(0, body(evil).size() - 1)));
      CHECK(reporting.statistics().egress == 1);
    }
  }
}

TEST_CASE("a held refusal is released before the end and before an error") {
  session work(guarding(egress_mode::enforce));
  const shape& refusal = growing[5];
  const std::string open = event(refusal, "no [x]");
  for (const std::string_view then : {"data: [DONE]\n\n", "data: {broken\n\n",
                                      "event: error\ndata: {\"error\":{\"message\":\"m\"}}\n\n", ""}) {
    for (const stream_end how : {stream_end::complete, stream_end::aborted}) {
      const stream_run got = run(work, {open + std::string(then)}, {how, "reset", "reset"});
      INFO(got.out);
      CHECK(got.out.find(R"("refusal":"no [x")") != std::string::npos);
      CHECK(got.out.find(R"("refusal":"]")") != std::string::npos);
      CHECK(got.out.find(R"("refusal":"]")") <
            got.out.find(then.empty() ? "event: error" : then.substr(0, 12)));
      work.reset();
    }
  }
  // Text that was already sent is not repeated with it.
  const shape both{"", R"("delta":{"content":"said","refusal":@})", "delta", "refusal"};
  const stream_run got = run(work, {event(both, "no [x]") + "data: [DONE]\n\n"});
  CHECK(shown(both, got) == "no [x]");
  CHECK(shown({"", "", "delta", "content"}, got) == "said");
}

TEST_CASE("late references allow their addresses in a refusal too") {
  const std::string stream =
      event(growing[5], "no ") +
      "data: "
      "{\"object\":\"chat.completion.chunk\",\"citations\":[\"https://late.example/p\"],\"choices\":[]}\n\n" +
      event(growing[5], "[p](https://late.example/p) ") + std::string(end);
  const stream_run got = run_whole(guarding_as(egress_mode::enforce, find_dialect("perplexity")), stream);
  CHECK(shown(growing[5], got) == "no [p](https://late.example/p) ");
  CHECK(got.counts.egress == 0);
}
