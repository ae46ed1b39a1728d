// Servers that repeat the whole text in the `message` of the event that ends a choice.
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/parsed_json.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

const std::string text = "Growth [A](https://a.example/x) was [B](https://b.example). The [C";
const std::string list =
    R"(,"sources":[{"title":"Page A","url":"https://a.example/x"},{"title":"Page B","url":"https://b.example"}])";

std::string event(const std::string& choice, const std::string& rest = {}) {
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,)" + choice + "}]" + rest + "}\n\n";
}

std::string delta_event(std::string_view content, const std::string& rest = {}) {
  return event(R"("delta":{"content":")" + std::string(content) + R"("},"finish_reason":null)", rest);
}

/// The text in pieces of five bytes, without its end.
std::string text_events() {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 5)
    out += delta_event(std::string_view(text).substr(at, 5));
  return out;
}

/// The event that ends the choice. `delta` is its member, with a comma, or empty.
std::string finish_event(const std::string& delta, std::string_view message, const std::string& rest = {}) {
  return event(delta + R"("message":{"role":"assistant","content":")" + std::string(message) +
                   R"("},"finish_reason":"stop")",
               rest);
}

const std::vector<std::string> empty_deltas{R"("delta":{},)", R"("delta":{"content":null},)",
                                            R"("delta":{"role":"assistant","content":""},)", ""};

/// What a client makes of the deltas, and the last message.
struct client_view {
  std::string text;
  std::string message;
};

client_view view_of(std::string_view bytes) {
  client_view out;
  for (const std::string& payload : payloads(bytes)) {
    if (payload == "[DONE]") continue;
    const document event = parsed(payload);
    const json_value choice = event.root()["choices"].first();
    out.text += choice["delta"]["content"].string();
    if (const json_value message = choice["message"]["content"]) out.message = message.string();
  }
  return out;
}

session_options options_of(std::string_view style, egress_mode egress = egress_mode::off) {
  session_options options;
  options.style = find_style(style);
  REQUIRE(options.style != nullptr);
  options.egress = egress;
  options.dialect = &openai_dialect;
  return options;
}

}  // namespace

TEST_CASE("a message that repeats the whole text has the sent text and ends it") {
  struct order {
    std::string before, with, after;
  };
  const std::string list_event = R"(data: {"object":"chat.completion.chunk","choices":[])" + list + "}\n\n";
  for (const order& of : {order{}, order{list, {}, {}}, order{{}, list, {}}, order{{}, {}, list_event}}) {
    for (const std::string& delta : empty_deltas) {
      for (const style* const by : styles()) {
        for (const egress_mode egress : {egress_mode::off, egress_mode::enforce}) {
          INFO(by->name << ' ' << delta << (of.before + of.with + of.after));
          const session_options options = options_of(by->name, egress);
          const std::string bytes =
              delta_event("", of.before) + text_events() + finish_event(delta, text, of.with) + of.after;
          session work(options);
          const stream_run got = run(work, {bytes});
          CHECK_FALSE(got.end);
          const client_view view = view_of(got.out);
          CHECK(view.text.starts_with(view.message));
          const bool settled = !of.before.empty() || !of.with.empty();
          if (settled || by->list == nullptr) CHECK(view.text == view.message);
          CHECK(view.message.ends_with(" The [C") == (by->list == nullptr || !settled));
          CHECK((view.message == text) == (view.text == text));
          if (by->name == "strip") CHECK(view.message == "Growth was. The [C");
          for (const std::size_t size : {1U, 7U, 64U}) {
            work.reset();
            CHECK(comparable(run(work, cut_every(bytes, size))) == comparable(got));
          }
        }
      }
    }
  }
}

TEST_CASE("a second finish event that repeats the whole text has the text sent too") {
  const std::string last = finish_event(empty_deltas.front(), text);
  const stream_run once = run_whole(options_of("strip"), text_events() + last);
  const stream_run twice = run_whole(options_of("strip"), text_events() + last + last);
  CHECK(view_of(twice.out).text == view_of(once.out).text);
  CHECK(view_of(twice.out).message == "Growth was. The [C");
}

TEST_CASE("a message with another text at the end passes unchanged and its end counts") {
  for (const std::string& delta : empty_deltas) {
    for (const std::string& other :
         {std::string("Something [else](https://a.example/x)."), std::string(text.size(), 'x')}) {
      const std::string last = finish_event(delta, other);
      const stream_run got = run_whole(options_of("strip"), text_events() + last);
      CHECK_FALSE(got.end);
      CHECK(view_of(got.out).message == other);
    }
  }
}

TEST_CASE("a message that differs before the end passes unread") {
  const std::string odd =
      event(R"-("delta":{},"message":{"content":"Growth [A](https://a.example/x)"},"finish_reason":null)-");
  const stream_run got = run_whole(options_of("strip"), delta_event("Growth") + odd);
  CHECK(got.end.code == errc::upstream_incomplete);
  CHECK(got.counts.passed_through == 1);
  CHECK(got.out.starts_with(delta_event("Growth") + odd));
}

TEST_CASE("a message with the whole text is clean in an event without an end") {
  for (const std::string rest : {R"(,"finish_reason":null)", ""}) {
    const std::string whole =
        event(R"("message":{"role":"assistant","content":")" + text + "\"}" + rest, list);
    for (const std::string& after : {std::string("data: [DONE]\n\n"), finish_event("", text)}) {
      session work(options_of("strip"));
      const stream_run got = run(work, {whole + after});
      CHECK_FALSE(got.end);
      CHECK(view_of(got.out).message == "Growth was. The [C");
      CHECK(got.counts.resolved == 2);
      work.reset();
      CHECK(run(work, cut_every(whole + after, 1)).out == got.out);
    }
  }
  // The text may go on.
  const auto message = [](const std::string& all, const std::string& delta) {
    return event(R"("message":{"role":"assistant","content":")" + all + R"("},"delta":{"content":")" + delta +
                     R"("},"finish_reason":null)",
                 list);
  };
  session_options options = options_of("strip");
  options.dialect = find_dialect("perplexity");
  const std::string more = message("Growth was [1]", "") + message("Growth was [1] high", " high");
  CHECK(view_of(run_whole(options, more).out).message == "Growth was high");
}

TEST_CASE("a message does not repeat text that is all held back") {
  for (const std::string& held : {std::string("[1]"), std::string("[No answer]"), std::string("[No")}) {
    for (const std::string& delta : empty_deltas) {
      const std::string bytes = delta_event(held) + finish_event(delta, held);
      for (const char* style : {"keep", "numeric"}) {
        session_options options = options_of(style);
        options.typed_events = true;
        const stream_run got = run_whole(options, bytes);
        INFO(bytes);
        CHECK(view_of(got.out).text == held);
        CHECK(view_of(got.out).message == held);
        CHECK(text_of(got) == held);
      }
    }
  }
}

TEST_CASE("a message with the whole text and no deltas is clean at every cut") {
  const std::string role = event(R"("delta":{"role":"assistant"},"finish_reason":null)");
  const std::string list_event = R"(data: {"object":"chat.completion.chunk","choices":[])" + list + "}\n\n";
  for (const std::string& before : {std::string(), role, list_event + role, role + delta_event("")}) {
    for (const std::string& delta : empty_deltas) {
      for (const std::string& after : {std::string(), list_event, std::string("data: [DONE]\n\n")}) {
        for (const egress_mode egress : {egress_mode::off, egress_mode::enforce}) {
          const std::string bytes = before + finish_event(delta, text, after.empty() ? list : "") + after;
          INFO(bytes);
          session work(options_of("strip", egress));
          const stream_run got = run(work, {bytes});
          CHECK_FALSE(got.end);
          CHECK(view_of(got.out).message == "Growth was. The [C");
          CHECK(view_of(got.out).text.empty());
          CHECK(got.out.find("Growth was") == got.out.rfind("Growth was"));  // added events do not repeat it
          CHECK(got.counts.resolved + got.counts.unresolved == 2);
          for (std::size_t cut = 1; cut < bytes.size(); cut += before.empty() ? 1U : 11U) {
            const std::string_view all = bytes;
            work.reset();
            CHECK(comparable(run(work, {all.substr(0, cut), all.substr(cut)})) == comparable(got));
          }
          work.reset();
          CHECK(comparable(run(work, cut_every(bytes, 1))) == comparable(got));
        }
      }
    }
  }
}
