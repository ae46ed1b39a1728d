// Traces over real sockets: the context that upstreams get, and the spans that a collector gets.
#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "proxy/span_exporter.hpp"
#include "support/json_model.hpp"
#include "support/lines.hpp"
#include "support/proxied.hpp"
#include "support/scratch_folder.hpp"

using namespace loopback;
using citestream::json_kind;
using citestream::proxy_options;
using citestream_tests::model_reader;
using citestream_tests::model_value;

namespace {

const std::string trace_id = "0af7651916cd43dd8448eb211c80319c";
const std::string parent_id = "b7ad6b7169203331";
const std::string sampled_parent = "00-" + trace_id + "-" + parent_id + "-01";
const std::string stream_answer =
    event_stream_head + chunk(delta("a [x](f1) b [y](nowhere) c") + finish() + done) + "0\r\n\r\n";

const std::string accepted = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

std::function<void(proxy_options&)> trace_to(const std::string& url, double ratio = 1) {
  return [=](proxy_options& options) {
    options.trace.endpoint = url;
    options.trace.sample_ratio = ratio;
  };
}

const model_value& member(const model_value& of, const std::string& key) {
  const auto found = std::ranges::find_if(of.children, [&](const auto& one) { return one.key == key; });
  if (found == of.children.end()) throw std::runtime_error("no member " + key);
  return *found;
}

bool has(const model_value& of, const std::string& key) {
  return std::ranges::any_of(of.children, [&](const auto& one) { return one.key == key; });
}

/// Throws unless \p of has no members but these.
void only(const model_value& of, const std::vector<std::string>& keys) {
  for (const model_value& one : of.children) {
    if (std::ranges::find(keys, one.key) == keys.end()) throw std::runtime_error("unknown member " + one.key);
  }
}

/// The attributes by name, checked against KeyValue and AnyValue of the protobuf JSON mapping.
std::map<std::string, std::string> attributes_of(const model_value& of) {
  std::map<std::string, std::string> out;
  for (const model_value& one : member(of, "attributes").children) {
    only(one, {"key", "value"});
    const model_value& value = member(one, "value");
    REQUIRE(value.children.size() == 1);
    const model_value& typed = value.children.front();
    const bool number = typed.key == "doubleValue";
    CHECK((number || typed.key == "stringValue" || typed.key == "intValue"));
    CHECK(typed.kind == (number ? json_kind::number : json_kind::string));
    if (typed.key == "intValue") CHECK(std::regex_match(typed.text, std::regex("-?[0-9]+")));
    CHECK(out.emplace(member(one, "key").text, typed.text).second);
  }
  return out;
}

/// Checks a Span of OTLP in JSON.
void check_span(const model_value& span) {
  only(span, {"traceId", "spanId", "traceState", "parentSpanId", "flags", "name", "kind", "startTimeUnixNano",
              "endTimeUnixNano", "attributes", "status"});
  CHECK(std::regex_match(member(span, "traceId").text, std::regex("[0-9a-f]{32}")));
  CHECK(std::regex_match(member(span, "spanId").text, std::regex("[0-9a-f]{16}")));
  CHECK(member(span, "kind").kind == json_kind::number);
  CHECK(member(span, "kind").text == "2");  // SPAN_KIND_SERVER
  CHECK(member(span, "flags").kind == json_kind::number);
  for (const char* key : {"startTimeUnixNano", "endTimeUnixNano"}) {
    CHECK(member(span, key).kind == json_kind::string);
    CHECK(std::regex_match(member(span, key).text, std::regex("[0-9]{19}")));
  }
  CHECK(member(span, "startTimeUnixNano").text <= member(span, "endTimeUnixNano").text);
  only(member(span, "status"), {"code"});
}

/// The spans of all requests to a collector, after a check of everything around them.
std::vector<model_value> spans_of(const std::vector<message>& posts) {
  std::vector<model_value> out;
  for (const message& one : posts) {
    CHECK(one.head.starts_with("POST /v1/traces HTTP/1.1\r\n"));
    CHECK(one.field("Content-Type") == "application/json");
    const std::optional<model_value> root = model_reader(one.body).read();
    REQUIRE(root);
    only(*root, {"resourceSpans"});
    for (const model_value& resource : member(*root, "resourceSpans").children) {
      only(resource, {"resource", "scopeSpans"});
      CHECK(attributes_of(member(resource, "resource"))["service.name"] == "citestream");
      for (const model_value& scope : member(resource, "scopeSpans").children) {
        only(scope, {"scope", "spans"});
        const auto& spans = member(scope, "spans").children;
        out.insert(out.end(), spans.begin(), spans.end());
      }
    }
  }
  for (const model_value& span : out) check_span(span);
  return out;
}

}  // namespace

TEST_CASE("a span has the trace of the client and the numbers of the stream") {
  kept_requests exported(accepted);
  kept_requests asked(stream_answer);
  const upstream collector(exported.script());
  {
    const proxied proxy(asked.script(), trace_to(collector.url()));
    CHECK(
        proxy
            .ask(with_fields("traceparent: " + sampled_parent + "\r\ntracestate: a=1\r\ntracestate: b=2\r\n"))
            .complete);
    CHECK(eventually([&] { return proxy.server.state().telemetry.spans_exported == 1; }));
    CHECK(proxy.server.state().telemetry.spans_dropped == 0);
  }
  const std::vector<model_value> spans = spans_of(exported.all());
  REQUIRE(spans.size() == 1);
  const model_value& span = spans.front();
  CHECK(member(span, "traceId").text == trace_id);
  CHECK(member(span, "parentSpanId").text == parent_id);
  CHECK(member(span, "traceState").text == "a=1,b=2");
  CHECK(member(span, "flags").text == "769");
  CHECK(member(span, "name").text == "POST /");
  CHECK_FALSE(has(member(span, "status"), "code"));
  const message forwarded = asked.all().at(0);
  CHECK(forwarded.field("traceparent") == "00-" + trace_id + "-" + member(span, "spanId").text + "-01");
  CHECK(forwarded.has("tracestate: a=1"));
  CHECK(forwarded.has("tracestate: b=2"));
  auto found = attributes_of(span);
  CHECK(found["http.request.method"] == "POST");
  CHECK(found["url.path"] == "/v1/chat");
  CHECK(found["http.response.status_code"] == "200");
  CHECK(found["citestream.end"] == "complete");
  CHECK(found["citestream.dialect"] == "writer");
  CHECK(found["citestream.citations.resolved"] == "1");
  CHECK(found["citestream.citations.unresolved"] == "1");
  CHECK(found.contains("citestream.time_to_first_text_ms"));
  CHECK(found.contains("citestream.hold_max_ms"));
  CHECK_FALSE(found.contains("error.type"));
}

TEST_CASE("a span has the verdicts about the claims of the answer") {
  kept_requests exported(accepted);
  const upstream collector(exported.script());
  const std::string body = delta("Sales rose in May [x](k7). Sales fell in May [x](k7).") + finish() + done;
  citestream::reference known;
  known.id = "k7";
  known.text = "Sales rose in May.";
  for (const auto mode : {citestream::check_mode::report, citestream::check_mode::off}) {
    const proxied proxy(answer_all(event_stream_head + chunk(body) + "0\r\n\r\n"),
                        [&](proxy_options& options) {
                          trace_to(collector.url())(options);
                          default_route(options).session.references = {known};
                          default_route(options).session.check = mode;
                        });
    CHECK(proxy.ask(chat_request).complete);
    CHECK(eventually([&] { return proxy.server.state().telemetry.spans_exported == 1; }));
  }
  const std::vector<model_value> spans = spans_of(exported.all());
  REQUIRE(spans.size() == 2);
  auto checked = attributes_of(spans[0]);
  CHECK(checked["citestream.verdicts.supported"] == "1");
  CHECK(checked["citestream.verdicts.contradicted"] == "1");
  CHECK(checked["citestream.verdicts.unsure"] == "0");
  CHECK_FALSE(attributes_of(spans[1]).contains("citestream.verdicts.supported"));
}

TEST_CASE("the sampled flag of the client decides and the ratio decides for new traces") {
  kept_requests exported(accepted);
  kept_requests asked(stream_answer);
  const upstream collector(exported.script());
  {
    const proxied proxy(asked.script(), trace_to(collector.url(), 0));
    const std::string unsampled = sampled_parent.substr(0, sampled_parent.size() - 1) + "0";
    CHECK(proxy.ask(with_fields("traceparent: " + unsampled + "\r\n")).complete);
    CHECK(proxy.ask(chat_request).complete);
    CHECK(proxy.ask(with_fields("traceparent: " + sampled_parent + "\r\n")).complete);
    CHECK(eventually([&] { return proxy.server.state().telemetry.spans_exported == 1; }));
  }
  CHECK(spans_of(exported.all()).size() == 1);
  const std::vector<message> forwarded = asked.all();
  REQUIRE(forwarded.size() == 3);
  CHECK(
      std::regex_match(forwarded[0].field("traceparent"), std::regex("00-" + trace_id + "-[0-9a-f]{16}-00")));
  CHECK(std::regex_match(forwarded[1].field("traceparent"), std::regex("00-[0-9a-f]{32}-[0-9a-f]{16}-00")));
  CHECK(
      std::regex_match(forwarded[2].field("traceparent"), std::regex("00-" + trace_id + "-[0-9a-f]{16}-01")));
}

TEST_CASE("a trace field that is not valid starts a new trace without the old state") {
  kept_requests exported(accepted);
  kept_requests asked(stream_answer);
  const upstream collector(exported.script());
  const proxied proxy(asked.script(), trace_to(collector.url()));
  const std::string zero_trace = "00-" + std::string(32, '0') + "-" + parent_id + "-01";
  const std::string zero_parent = "00-" + trace_id + "-" + std::string(16, '0') + "-01";
  const std::string upper = "00-0AF7651916CD43DD8448EB211C80319C-" + parent_id + "-01";
  const std::vector<std::string> invalid{"",
                                         "00",
                                         sampled_parent + "-more",
                                         "ff" + sampled_parent.substr(2),
                                         zero_trace,
                                         zero_parent,
                                         upper,
                                         sampled_parent + "x",
                                         "0" + sampled_parent,
                                         sampled_parent + "\r\ntraceparent: " + sampled_parent};
  for (const std::string& one : invalid) {
    CHECK(proxy.ask(with_fields("traceparent: " + one + "\r\ntracestate: a=1\r\n")).complete);
    const message forwarded = asked.all().back();
    CHECK(std::regex_match(forwarded.field("traceparent"), std::regex("00-[0-9a-f]{32}-[0-9a-f]{16}-01")));
    CHECK(forwarded.head.find(trace_id) == std::string::npos);
    CHECK(forwarded.field("tracestate").empty());
  }
  CHECK(proxy.ask(with_fields("traceparent: cc" + sampled_parent.substr(2) + "-more\r\n")).complete);
  CHECK(asked.all().back().field("traceparent").starts_with("00-" + trace_id));
}

TEST_CASE("without tracing both trace fields are forwarded unchanged") {
  kept_requests asked(stream_answer);
  const proxied proxy(asked.script());
  CHECK(proxy.ask(with_fields("traceparent: " + sampled_parent + "\r\ntracestate: a=1\r\n")).complete);
  CHECK(proxy.ask(chat_request).complete);
  CHECK(asked.all()[0].has("traceparent: " + sampled_parent));
  CHECK(asked.all()[0].has("tracestate: a=1"));
  CHECK(asked.all()[1].head.find("traceparent") == std::string::npos);
}

TEST_CASE("a failed upstream is an error of the span") {
  kept_requests exported(accepted);
  const upstream collector(exported.script());
  {
    proxied proxy(answer_all(stream_answer), trace_to(collector.url()));
    proxy.up.stop_listening();
    CHECK(proxy.ask(chat_request).status() == 502);
    CHECK(eventually([&] { return proxy.server.state().telemetry.spans_exported == 1; }));
  }
  const std::vector<model_value> spans = spans_of(exported.all());
  REQUIRE(spans.size() == 1);
  CHECK(member(member(spans[0], "status"), "code").text == "2");
  CHECK(attributes_of(spans[0])["error.type"] == "upstream_unreachable");
  CHECK_FALSE(has(spans[0], "parentSpanId"));
}

TEST_CASE("a request refused at its head has a span with what was read of it") {
  kept_requests exported(accepted);
  const upstream collector(exported.script());
  {
    const proxied proxy(answer_all(stream_answer), [&](proxy_options& options) {
      trace_to(collector.url())(options);
      options.deadlines.client_head = milliseconds(100);
    });
    CHECK(proxy
              .ask("GET /v1/a?b HTTP/1.1\r\nHost: a\r\nExpect: x\r\ntraceparent: " + sampled_parent +
                   "\r\n\r\n")
              .status() == 417);
    CHECK(proxy.ask("GET /late").status() == 408);
    CHECK(eventually([&] { return proxy.server.state().telemetry.spans_exported == 2; }));
  }
  const std::vector<model_value> spans = spans_of(exported.all());
  REQUIRE(spans.size() == 2);
  CHECK(member(spans[0], "traceId").text == trace_id);
  CHECK(member(spans[0], "name").text == "GET");
  auto found = attributes_of(spans[0]);
  CHECK(found["url.path"] == "/v1/a");
  CHECK(found["error.type"] == "expectation_failed");
  found = attributes_of(spans[1]);
  CHECK(found["http.request.method"] == "_OTHER");
  CHECK(found["error.type"] == "request_timeout");
}

TEST_CASE("a collector that refuses or hangs costs spans and no stream") {
  {
    kept_requests exported("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
    const upstream refusing(exported.script());
    const citestream_tests::scratch_folder folder;
    const proxied proxy(answer_all(stream_answer), [&](citestream::proxy_options& options) {
      trace_to(refusing.url())(options);
      options.log = {citestream::log_level::warn, citestream::log_format::text, folder.path("log")};
    });
    CHECK(proxy.ask(chat_request).complete);
    CHECK(eventually([&] { return proxy.server.state().telemetry.spans_dropped == 1; }));
    CHECK(exported.all().size() == 1);  // not sent again
    CHECK(proxy.ask(chat_request).complete);
    CHECK(eventually([&] { return proxy.server.state().telemetry.spans_dropped == 2; }));
    const auto lines = [&] { return citestream_tests::lines_of(folder.read("log")); };
    CHECK(eventually([&] { return !lines().empty(); }));
    REQUIRE(lines().size() == 1);  // about the first failure
    CHECK(lines()[0].find("cannot export spans to 127.0.0.1:") != std::string::npos);
    CHECK(lines()[0].find("the answer is HTTP/1.1 503 No") != std::string::npos);
  }
  {
    upstream closed(answer_all(accepted));
    const std::string url = closed.url();
    closed.stop_listening();
    const proxied proxy(answer_all(stream_answer), trace_to(url));
    CHECK(proxy.ask(chat_request).complete);
    CHECK(eventually([&] { return proxy.server.state().telemetry.spans_dropped == 1; }));
  }
  kept_requests exported("");
  const upstream hanging(exported.script());
  const proxied proxy(answer_all(stream_answer), trace_to(hanging.url()));
  CHECK(proxy.ask(chat_request).complete);
  CHECK(eventually([&] { return exported.all().size() == 1; }));
  const std::size_t more = citestream::span_exporter::max_queued + 10;
  wire client = proxy.dial();
  reader answers(client);
  std::size_t complete = 0;
  for (std::size_t i = 0; i < more; ++i) {
    client.send(chat_request);
    complete += answers.next().complete ? 1U : 0U;
  }
  CHECK(complete == more);
  CHECK(eventually([&] { return proxy.server.state().telemetry.spans_dropped >= 1; }));
}

TEST_CASE("a collector whose answer has no end of a line costs spans and no memory") {
  const upstream babbling([](wire& client, int) {
    reader requests(client);
    requests.next();
    while (client.send(std::string(1000, 'x'))) {
    }
  });
  const citestream_tests::scratch_folder folder;
  const proxied proxy(answer_all(stream_answer), [&](citestream::proxy_options& options) {
    trace_to(babbling.url())(options);
    options.log = {citestream::log_level::warn, citestream::log_format::text, folder.path("log")};
  });
  CHECK(proxy.ask(chat_request).complete);
  CHECK(eventually([&] { return proxy.server.state().telemetry.spans_dropped == 1; }));
  CHECK(eventually([&] { return folder.read("log").find("the answer is not HTTP") != std::string::npos; }));
}

TEST_CASE("a secret is in no span") {
  const std::string canary = "c4n4ry";
  kept_requests exported(accepted);
  const upstream collector(exported.script());
  {
    const proxied proxy(
        answer_all("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nSet-Cookie: s=" + canary +
                   "\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(delta(canary) + done) + "0\r\n\r\n"),
        trace_to(collector.url()));
    const std::string body = "{\"stream\":true,\"messages\":\"" + canary + "\"}";
    const std::string head = "POST /v1/chat?key=" + canary +
                             " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + canary +
                             "\r\nCookie: " + canary + "\r\napi-key: " + canary + "\r\n";
    const std::string length = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    CHECK(proxy.ask(head + length + body).complete);
    CHECK(proxy.ask(head + "X-Citestream-Style: " + canary + "\r\n" + length + body).status() == 400);
    CHECK(eventually([&] { return proxy.server.state().telemetry.spans_exported == 2; }));
  }
  CHECK(spans_of(exported.all()).size() == 2);
  for (const message& one : exported.all()) CHECK((one.head + one.body).find(canary) == std::string::npos);
}
