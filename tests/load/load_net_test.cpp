// `citestream load` against the real replay and through the real proxy.
#include <algorithm>
#include <csignal>
#include <map>
#include <mutex>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <catch2/catch.hpp>

#include "loaded.hpp"
#include "support/loopback_tls.hpp"
#include "support/messages.hpp"
#include "support/proxied.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;
using citestream::recording;
using citestream::replay_options;
using citestream::replay_pace;

namespace {

constexpr std::int64_t events_of_answer = 11;

recording answer(const std::string& name = "answer") {
  return {name, {{0, answer_stream()}}, false};
}

/// A proxy in front of \p up.
loopback::running_proxy proxied_replay(const served& up,
                                       const citestream::style& style = citestream::strip_style) {
  return loopback::running_proxy(
      up.url(), [&](citestream::proxy_options& out) { loopback::default_route(out).session.style = &style; });
}

}  // namespace

TEST_CASE("load counts what replay served") {
  replay_options options = served::options({answer()}, replay_pace::none);
  options.send_times = true;
  const served up(std::move(options));
  const load_result got = load(up.url(), {"--streams", "3", "--count", "30", "--allow-markers"});
  CHECK(got.code == 0);
  CHECK(got.err.empty());
  CHECK(got.faults().empty());
  const auto counts = up.server.counts();
  CHECK(counts.streams_complete == 30);
  CHECK(counts.requests == 30);
  CHECK(got.total("answers") == 30);
  CHECK(got.total("wrong") == 0);
  CHECK(got.total("events") == 30 * events_of_answer);
  CHECK(got.number("requests") == 30);
  CHECK(got.number("connections") == 3);
  CHECK(static_cast<std::uint64_t>(got.number("connections")) == counts.connections);
  CHECK(got.number("open_max") == 3);
  CHECK(got.report.root()["statuses"]["200"].integer() == 30);
  // Everything was measured: a time for each answer, and the latency of each event.
  for (const char* key : {"first_byte_us", "first_event_us", "answer_us"}) {
    CHECK(got.report.root()[key]["count"].integer() == 30);
    CHECK(got.report.root()[key]["p50"].number().value_or(0) > 0);
    CHECK(got.report.root()[key]["p50"].number() <= got.report.root()[key]["p95"].number());
    CHECK(got.report.root()[key]["p95"].number() <= got.report.root()[key]["max"].number());
  }
  CHECK(got.report.root()["on_the_way_us"]["count"].integer() == 30 * events_of_answer);
}

TEST_CASE("markers in answers are reported without the proxy and absent through it") {
  const served up({answer()}, replay_pace::interval);
  const std::vector<std::string> arguments{"--streams", "5", "--count", "20"};
  const load_result direct = load(up.url(), arguments);
  CHECK(direct.code == 1);
  CHECK(direct.faults() == "marker ");
  CHECK(direct.fault("marker") == 20);
  CHECK(direct.report.root()["faults"]["marker"]["first"].string() == "[Report.pdf](f1)");

  const load_result clean = load(proxied_replay(up).url(), arguments);
  CHECK(clean.faults().empty());
  CHECK(clean.code == 0);
  CHECK(clean.total("events") == 20 * events_of_answer);

  const load_result kept = load(proxied_replay(up, citestream::keep_style).url(), arguments);
  CHECK(kept.faults() == "marker ");
  CHECK(kept.fault("marker") == 20);
}

TEST_CASE("each answer is compared with the text expected by its request") {
  const served up({answer("a"), {"b", {{0, two_choices_stream()}}, false}});
  const loopback::running_proxy proxy = proxied_replay(up);
  const auto line = [](const std::string& model, const std::string& text, const std::string& more) {
    return R"({"body":{"model":")" + model + R"(",)" + more + R"("stream":true},"path":"/v1/chat","text":")" +
           text + "\"}\n";
  };
  const scratch_file good("good.jsonl",
                          line("a", std::string(stripped_text), "") + line("b", "One done. End", ""));
  const load_result right = load(proxy.url(), {"--requests", good.path(), "--streams", "2", "--count", "10"});
  CHECK(right.faults().empty());
  CHECK(right.total("answers") == 10);
  const scratch_file bad("bad.jsonl", line("a", std::string(stripped_text) + ".", "") +
                                          line("b", "One done. End", "") + line("b", "One d", "") +
                                          line("b", "", ""));
  const load_result wrong = load(proxy.url(), {"--requests", bad.path(), "--streams", "1", "--count", "8"});
  CHECK(wrong.faults() == "text ");
  CHECK(wrong.fault("text") == 6);
  CHECK(wrong.total("wrong") == 6);
}

TEST_CASE("a body that is not streamed is read too") {
  const served up({answer()});
  const loopback::running_proxy proxy = proxied_replay(up);
  const scratch_file requests("body.jsonl", R"({"body":{},"text":")" + std::string(stripped_text) + "\"}");
  const std::vector<std::string> arguments{"--requests", requests.path(), "--count", "6", "--streams", "2"};
  CHECK(load(proxy.url(), arguments).faults().empty());
  CHECK(load(up.url(), arguments).faults() == "marker text ");
}

TEST_CASE("streams and bodies of other protocols are read") {
  const auto event = [](const std::string& json) { return "data: " + json + "\n\n"; };
  const std::string marker = "[R](https://a.example/)";
  const std::string responses =
      event(R"({"type":"response.created","response":{"object":"response"},"sequence_number":0})") +
      event(R"({"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"It grew )" +
            marker + R"(","sequence_number":1})") +
      event(
          R"({"type":"response.output_text.done","output_index":0,"content_index":0,"sequence_number":2})") +
      event(
          R"({"type":"response.completed","response":{"object":"response","output":[{"type":"message","content":)"
          R"([{"type":"output_text","text":"It grew )" +
          marker + R"(","annotations":[]}]}]},"sequence_number":3})");
  const std::string anthropic =
      event(R"({"type":"message_start","message":{"type":"message","role":"assistant","content":[]}})") +
      event(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})") +
      event(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"It grew )" +
            marker + R"("}})") +
      event(R"({"type":"content_block_stop","index":0})") + event(R"({"type":"message_stop"})");
  const std::string cohere =
      event(R"({"type":"message-start","delta":{"message":{"role":"assistant","content":[]}}})") +
      event(
          R"({"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}})") +
      event(R"({"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"It grew )" + marker +
            R"("}}}})") +
      event(R"({"type":"content-end","index":0})") +
      event(R"({"type":"message-end","delta":{"finish_reason":"COMPLETE"}})");
  const std::string gemini =
      event(R"({"candidates":[{"content":{"parts":[{"text":"hm )" + marker +
            R"(","thought":true},{"text":"It grew )" + marker + R"("}]}}],"modelVersion":"m"})") +
      event(R"({"candidates":[{"finishReason":"STOP"}],"modelVersion":"m"})");
  const std::string converse =
      message("messageStart", R"({"role":"assistant","p":"ab"})") +
      message("contentBlockDelta",
              R"({"contentBlockIndex":0,"delta":{"text":"It grew )" + marker + R"("}})") +
      message("contentBlockStop", R"({"contentBlockIndex":0})") +
      message("messageStop", R"({"stopReason":"end_turn"})") +
      message("metadata", R"({"usage":{},"metrics":{}})");
  const std::string interactions =
      event(R"({"interaction":{"id":"i","object":"interaction"},"event_type":"interaction.created"})") +
      event(R"({"index":0,"step":{"type":"model_output"},"event_type":"step.start"})") +
      event(R"({"index":0,"delta":{"type":"text","text":"It grew )" + marker +
            R"("},"event_type":"step.delta"})") +
      event(R"({"index":0,"event_type":"step.stop"})") +
      event(R"({"interaction":{"id":"i","object":"interaction"},"event_type":"interaction.completed"})");
  const std::string nova =
      message("chunk", R"({"messageStart":{"role":"assistant"}})") +
      message("chunk", R"({"contentBlockDelta":{"delta":{"text":"It "},"contentBlockIndex":0}})") +
      message("chunk",
              R"({"contentBlockDelta":{"delta":{"text":"grew )" + marker + R"("},"contentBlockIndex":1}})") +
      message("chunk", R"({"messageStop":{"stopReason":"end_turn"}})") +
      message("chunk", R"({"metadata":{"usage":{}}})");
  const std::string titan =
      message("chunk", R"({"outputText":"It grew )" + marker + R"(","index":0,"inputTextTokenCount":3})") +
      message("chunk", R"({"outputText":"","index":0,"completionReason":"FINISH"})");
  const std::string llama =
      message("chunk",
              R"({"generation":"It grew )" + marker + R"(","prompt_token_count":3,"stop_reason":null})") +
      message("chunk", R"({"generation":"","prompt_token_count":null,"stop_reason":"stop"})");
  const auto of_ollama = [&](const std::string& before, const std::string& after) {
    const auto line = [&](const std::string& text, const std::string& done) {
      return R"({"model":"m","created_at":"t",)" + before + "\"" + text + "\"" + after + R"(,"done":)" +
             done + "}\n";
    };
    return line("It ", "false") + line("grew " + marker, "false") + line("", R"(true,"done_reason":"stop")");
  };
  const std::string ollama_chat = of_ollama(R"("message":{"role":"assistant","content":)", "}");
  const std::string ollama_generate = of_ollama(R"("response":)", "");
  const std::string lines = "application/x-ndjson";
  const std::string binary = "application/vnd.amazon.eventstream";
  struct protocol {
    std::string stream;
    std::string path;
    std::string more;
    std::string type{"text/event-stream"};
  };
  for (const protocol& one : {protocol{responses, "/v1/responses", R"("stream":true)"},
                              {responses, "/v1/responses", R"("input":"q")"},
                              {anthropic, "/v1/messages", R"("stream":true)"},
                              {anthropic, "/v1/messages", R"("messages":[])"},
                              {cohere, "/v2/chat", R"("stream":true)"},
                              {cohere, "/v2/chat", R"("messages":[])"},
                              {interactions, "/v1/interactions", R"("stream":true)"},
                              {interactions, "/v1/interactions", R"("input":"q")"},
                              {converse, "/model/m/converse-stream", R"("messages":[])", binary},
                              {converse, "/model/m/converse", R"("messages":[])", binary},
                              {nova, "/model/m/invoke-with-response-stream", R"("messages":[])", binary},
                              {nova, "/model/m/invoke", R"("messages":[])", binary},
                              {titan, "/model/m/invoke-with-response-stream", R"("inputText":"q")", binary},
                              {titan, "/model/m/invoke", R"("inputText":"q")", binary},
                              {llama, "/model/m/invoke-with-response-stream", R"("prompt":"q")", binary},
                              {llama, "/model/m/invoke", R"("prompt":"q")", binary},
                              {ollama_chat, "/api/chat", R"("messages":[])", lines},
                              {ollama_chat, "/api/chat", R"("messages":[],"stream":false)", lines},
                              {ollama_generate, "/api/generate", R"("prompt":"q")", lines},
                              {ollama_generate, "/api/generate", R"("prompt":"q","stream":false)", lines},
                              {gemini, "/v1beta/models/a:streamGenerateContent?alt=sse", R"("contents":[])"},
                              {gemini, "/v1beta/models/a:streamGenerateContent", R"("contents":[])"},
                              {gemini, "/v1beta/models/a:generateContent", R"("contents":[])"}}) {
    INFO(one.path);
    const served up({{"a", {{0, one.stream}}, false, one.type}});
    const scratch_file requests(
        "requests.jsonl", "{\"body\":{" + one.more + "},\"path\":\"" + one.path + "\",\"text\":\"It grew\"}");
    const std::vector<std::string> arguments{"--requests", requests.path(), "--count", "4", "--streams", "2"};
    CHECK(load(up.url(), arguments).faults() == "marker text ");
    const load_result clean = load(proxied_replay(up).url(), arguments);
    CHECK(clean.faults().empty());
    CHECK(clean.total("answers") == 4);
  }
}

TEST_CASE("requests are used in turn on connections that are kept") {
  std::mutex mutex;
  std::map<std::string, int> seen;
  replay_options options = served::options({answer("a"), answer("b"), answer("c")}, replay_pace::none);
  options.log = [&](std::string_view line) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (line.ends_with("begins")) ++seen[std::string(line.substr(0, 1))];
  };
  const served up(std::move(options));
  std::string lines;
  for (const char* model : {"a", "b", "c"})
    lines += R"({"stream":true,"model":")" + std::string(model) + "\"}\n";
  const scratch_file requests("turn.jsonl", lines);
  const load_result got = load(up.url(), {"--requests", requests.path(), "--count", "12", "--streams", "1"});
  CHECK(got.number("connections") == 1);
  const std::lock_guard<std::mutex> lock(mutex);
  CHECK(seen == std::map<std::string, int>{{"a", 4}, {"b", 4}, {"c", 4}});
}

TEST_CASE("a failing upstream is a cut and through the proxy also an error event") {
  replay_options options = served::options({answer()}, replay_pace::none);
  options.die_after = 400;
  const served up(std::move(options));
  const std::vector<std::string> arguments{"--streams", "2", "--count", "4", "--allow-markers"};
  const load_result direct = load(up.url(), arguments);
  CHECK(direct.code == 1);
  CHECK(direct.faults() == "cut ");
  CHECK(direct.fault("cut") == 4);
  CHECK(load(proxied_replay(up).url(), arguments).faults() == "cut error-event ");
}

TEST_CASE("many concurrent streams all end without fault") {
  constexpr rlim_t needed = 2500;
  rlimit files{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &files) == 0);
  if (files.rlim_max < needed) {
    WARN("no " << needed << " file descriptors are allowed");
    return;
  }
  files.rlim_cur = std::max(files.rlim_cur, needed);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &files) == 0);
  // All clients start before any of them handles an answer, so the number of open streams does not depend on
  // time. No limit on time is reached on a busy machine.
  replay_options options = served::options({answer()}, replay_pace::interval);
  options.interval = std::chrono::milliseconds(200);
  const served up(std::move(options));
  const load_result got =
      load(up.url(), {"--streams", "1000", "--count", "1000", "--duration", "3600", "--connect-timeout",
                      "600", "--idle-timeout", "600", "--allow-markers"});
  CHECK(got.faults().empty());
  CHECK(got.total("answers") == 1000);
  CHECK(got.total("events") == 1000 * events_of_answer);
  CHECK(got.number("open_max") == 1000);
  CHECK(loopback::eventually([&] { return up.server.counts().streams_complete == 1000; }));
}

TEST_CASE("a signal ends the run with its report") {
  for (const int number : {SIGINT, SIGTERM}) {
    replay_options options = served::options({answer()}, replay_pace::interval);
    options.loop = true;
    options.interval = std::chrono::milliseconds(1);
    const served up(std::move(options));
    child program({"load", "--url", up.url(), "--streams", "2", "--duration", "3600", "--to", "json",
                   "--allow-markers"});
    REQUIRE(loopback::eventually([&] { return up.server.counts().streams_started == 2; }));
    program.signal(number);
    CHECK(program.wait() == 0);  // there was no fault
    const citestream::document report = parsed(program.out);
    CHECK(report.root()["still_running"].integer() == 2);
    CHECK(report.root()["total"]["answers"].integer() == 0);
  }
}

TEST_CASE("answers that do not end in time are aborted without a fault") {
  replay_options options = served::options({answer()}, replay_pace::interval);
  options.loop = true;
  options.interval = std::chrono::milliseconds(1);
  const served up(std::move(options));
  const auto load_for = [&](const std::string& seconds) {
    return load(up.url(), {"--streams", "2", "--duration", seconds, "--drain", "0.2", "--allow-markers"});
  };
  load_result got = load_for("1");
  // On a busy machine they may not have started by then.
  if (got.number("still_running") != 2 || got.total("events") <= 0) {
    REQUIRE(loopback::eventually([&] {
      const auto counts = up.server.counts();
      return counts.streams_disconnected == counts.streams_started;
    }));
    got = load_for("15");
  }
  CHECK(got.code == 0);
  CHECK(got.number("still_running") == 2);
  CHECK(got.total("events") > 0);
  CHECK(loopback::eventually([&] {
    const auto counts = up.server.counts();
    return counts.streams_disconnected >= 2 && counts.streams_disconnected == counts.streams_started;
  }));
}

TEST_CASE("one of every N answers is read and the framing of all is checked") {
  const served up({answer()});
  const load_result got = load(up.url(), {"--streams", "1", "--count", "10", "--read-every", "5"});
  CHECK(got.fault("marker") == 2);
  CHECK(got.total("events") == 10 * events_of_answer);
}

TEST_CASE("the certificate of an https URL is checked") {
  const std::string body = answer_stream();
  const std::string message =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body;
  const loopback::authority trusted;
  const loopback::authority other;
  const loopback::tls_upstream up(trusted, "DNS:localhost", message);
  const auto ask = [&](const std::string& host, const loopback::authority& by) {
    return load(up.url(host), {"--ca-file", by.file(), "--streams", "1", "--count", "2", "--allow-markers"});
  };
  const load_result good = ask("localhost", trusted);
  CHECK(good.faults().empty());
  CHECK(good.total("answers") == 2);
  CHECK(up.server_name() == "localhost");
  CHECK(ask("localhost", other).fault("tls") == 2);
  CHECK(ask("127.0.0.1", trusted).faults() == "tls ");
}
