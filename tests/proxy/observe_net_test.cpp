// Logs, metrics and recordings of the proxy over real sockets, and secrets that must be in none of them.
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "replay/recording.hpp"
#include "replay/server.hpp"
#include "support/lines.hpp"
#include "support/proxied.hpp"
#include "support/scratch_folder.hpp"

using namespace loopback;
using citestream::document;
using citestream::log_format;
using citestream::log_level;
using citestream::proxy_options;
using citestream_tests::lines_of;
using citestream_tests::scratch_folder;

namespace {

const std::string stream_body = delta("a [x](f1) b [y](nowhere) c") + finish() + done;
const std::string stream_answer = event_stream_head + chunk(stream_body) + "0\r\n\r\n";

std::function<void(proxy_options&)> log_to(const std::string& path, log_format format = log_format::json) {
  return [=](proxy_options& options) {
    options.log.level = log_level::info;
    options.log.format = format;
    options.log.file = path;
  };
}

wire dial_admin(const proxied& proxy) {
  const std::string address = proxy.server.admin_address();
  return dial(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
}

message ask_admin(const proxied& proxy, const std::string& path, const std::string& method = "GET") {
  wire client = dial_admin(proxy);
  client.send(method + " " + path + " HTTP/1.1\r\nHost: admin\r\n\r\n");
  return reader(client).next(method == "HEAD");
}

std::string metrics_of(const proxied& proxy) {
  const message answer = ask_admin(proxy, "/metrics");
  CHECK(answer.status() == 200);
  return answer.body;
}

/// The value of the sample with that name and labels; -1 if it does not exist.
double sample(const std::string& metrics, const std::string& name) {
  const std::string text = "\n" + metrics;
  const std::size_t at = text.find("\n" + name + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

void with_admin(proxy_options& options) {
  options.admin = "127.0.0.1:0";
}

}  // namespace

TEST_CASE("a request is logged in one line with its counters and id") {
  const scratch_folder directory;
  {
    const proxied proxy(answer_all(stream_answer), log_to(directory.path("log")));
    std::string asked = chat_request;
    asked.replace(asked.find("/v1/chat"), 8, "/v1/chat?key=secret");
    asked.insert(asked.find("Content-Type"), "X-Request-Id: mine\r\n");
    CHECK(proxy.ask(asked).complete);
    CHECK(eventually([&] { return !directory.read("log").empty(); }));
  }
  const std::vector<std::string> lines = lines_of(directory.read("log"));
  REQUIRE(lines.size() == 1);
  document json;
  REQUIRE_FALSE(json.parse(lines[0]));
  INFO(lines[0]);
  const auto text = [&](const char* key) { return std::string(json.root()[key].string()); };
  const auto number = [&](const char* key) { return json.root()[key].number().value_or(-1); };
  CHECK(text("request_id") == "mine");
  CHECK(text("upstream_request_id") == "r1");
  CHECK(text("client").starts_with("127.0.0.1:"));
  CHECK(text("method") == "POST");
  CHECK(text("path") == "/v1/chat");
  CHECK(text("route") == "/");
  CHECK(text("upstream") == "default");
  CHECK(text("end") == "complete");
  CHECK(number("status") == 200);
  CHECK(number("bytes_in") == 15);
  CHECK(number("bytes_upstream") == static_cast<double>(stream_answer.size()));
  CHECK(text("dialect") == "writer");
  CHECK(number("events") == 3);
  CHECK(number("citations") == 2);
  CHECK(number("unresolved") == 1);
  CHECK(number("hold_ms") >= 0);
  CHECK(number("added_ms") > 0);
  CHECK(number("duration_ms") >= number("added_ms"));
}

TEST_CASE("the log line has the outcome of the request") {
  const scratch_folder directory;
  {
    proxied proxy(answer_and_close(event_stream_head + chunk(delta("one"))),
                  log_to(directory.path("log"), log_format::text));
    static_cast<void>(proxy.ask(chat_request));
    static_cast<void>(proxy.ask("GET / HTTP/1.1\r\n\r\n"));
    static_cast<void>(proxy.ask("nonsense\r\n\r\n"));
    proxy.up.stop_listening();
    static_cast<void>(proxy.ask(get_request));
    CHECK(eventually([&] { return lines_of(directory.read("log")).size() == 4; }));
  }
  const std::string log = directory.read("log");
  for (const char* part :
       {"level=warn request_id", " status=200 end=upstream_closed ",
        " method=GET path=/ route=- upstream=- status=400 end=invalid_request ",
        " method=- path=- route=- upstream=- status=400 ", " status=502 end=upstream_unreachable "}) {
    INFO(part);
    CHECK(log.find(part) != std::string::npos);
  }
}

TEST_CASE("the log line names the format of a rewritten answer") {
  const std::string json = R"({"choices":[{"index":0,"message":{"role":"assistant","content":"a"}}]})";
  const std::pair<std::string, const char*> cases[] = {
      {event_stream_head + chunk(delta("a") + done) + "0\r\n\r\n", " dialect=openai events=2 "},
      {event_stream_head + chunk("data: {\"other\":1}\n\n") + "0\r\n\r\n", " dialect=unknown events=1 "},
      {json_answer(json), " dialect=openai events=0 "},
      {"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(json.size()) +
           "\r\n\r\n" + json,
       ""}};
  for (const auto& [answer, expected] : cases) {
    const scratch_folder directory;
    proxied proxy(answer_all(answer), log_to(directory.path("log"), log_format::text));
    static_cast<void>(proxy.ask(chat_request));
    CHECK(eventually([&] { return lines_of(directory.read("log")).size() == 1; }));
    CAPTURE(directory.read("log"));
    CHECK(directory.read("log").find(expected) != std::string::npos);
    if (*expected == '\0') CHECK(directory.read("log").find("dialect=") == std::string::npos);
  }
}

TEST_CASE("an answer that passes because of an option is logged and counted as such") {
  const scratch_folder directory;
  proxied proxy(answer_all(event_stream_head + chunk(delta("a") + done) + "0\r\n\r\n"),
                [&](proxy_options& options) {
                  log_to(directory.path("log"), log_format::text)(options);
                  with_admin(options);
                  citestream::route_options& route = options.routes.emplace_back();
                  route.upstream = "default";
                  route.bypass = true;
                });
  static_cast<void>(proxy.ask(chat_request));
  CHECK(eventually([&] { return directory.read("log").find(" bypassed=option ") != std::string::npos; }));
  CHECK(sample(metrics_of(proxy), "citestream_bypassed_total{reason=\"option\"}") == 1);
}

TEST_CASE("the log line of a failed request has the reason and the address of the upstream") {
  const scratch_folder directory;
  std::string at;
  for (const log_format format : {log_format::text, log_format::json}) {
    const std::string file = directory.path(std::string(citestream::name(format)));
    proxied proxy(answer_and_close(event_stream_head + chunk(delta("one"))), log_to(file, format));
    at = " (127.0.0.1:" + std::to_string(proxy.up.port()) + ")\"";
    static_cast<void>(proxy.ask(chat_request));
    static_cast<void>(proxy.ask("nonsense\r\n\r\n"));
    proxy.up.stop_listening();
    const message answer = proxy.ask(get_request);
    CHECK(answer.body.find("127.0.0.1") == std::string::npos);  // the client learns the reason alone
    const std::string key = format == log_format::json ? "\"error\":" : " error=";
    for (const std::string& error :
         {"\"connection refused" + at, "\"the upstream closed the connection early" + at,
          std::string("\"malformed request line\"")}) {
      INFO(error);
      CHECK(eventually([&] {
        return directory.read(std::string(citestream::name(format))).find(key + error) != std::string::npos;
      }));
    }
  }
}

TEST_CASE("a cut answer in a whole response and a too large head have failure names") {
  const std::string length =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n";
  std::string fields = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n";
  for (int i = 0; i < 256; ++i) fields += "X: y\r\n";
  const std::string ended = "end=upstream_incomplete error=\"the upstream ended its answer early (";
  const std::string large =
      "end=upstream_head_too_large error=\"the head of the upstream's response is too large (";
  const std::pair<std::string, std::string> cases[] = {
      {event_stream_head + chunk(delta("one")) + "0\r\n\r\n", ended},
      {length + "{\"choices\":", ended},
      {fields + "\r\n", large},
      {"HTTP/1.1 200 OK\r\nX: " + std::string(64 * 1024, 'y') + "\r\n\r\n", large}};
  for (const auto& [answer, expected] : cases) {
    const scratch_folder directory;
    const proxied proxy(answer_all(answer), [&](proxy_options& options) {
      log_to(directory.path("log"), log_format::text)(options);
      with_admin(options);
    });
    const message told = proxy.ask(chat_request);
    const std::string code = expected == ended ? "upstream_closed" : "upstream_malformed";
    CHECK(told.body.find("\"code\":\"" + code + "\"") != std::string::npos);
    CHECK(eventually([&] { return directory.read("log").find(expected) != std::string::npos; }));
    const std::string kind = expected.substr(4, expected.find(' ') - 4);
    CHECK(sample(metrics_of(proxy),
                 "citestream_upstream_errors_total{upstream=\"default\",kind=\"" + kind + "\"}") == 1);
  }
}

TEST_CASE("a client that disconnects is in the log") {
  const scratch_folder directory;
  const proxied proxy(answer_and_wait(event_stream_head + chunk(delta("one"))),
                      log_to(directory.path("log")));
  wire client = proxy.dial();
  client.send(chat_request);
  CHECK(reader(client).until("one"));
  client.close();
  CHECK(
      eventually([&] { return directory.read("log").find("\"end\":\"client_left\"") != std::string::npos; }));
}

TEST_CASE("a response that was not sent has no status") {
  const scratch_folder directory;
  gate begun;
  const proxied proxy(
      [&](wire& client, int) {
        reader requests(client);
        requests.next();
        client.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{");
        begun.open();
        client.read_all();
      },
      log_to(directory.path("log")));
  wire client = proxy.dial();
  client.send(chat_request);
  begun.wait();
  CHECK(eventually([&] { return proxy.server.metrics().bytes.upstream != 0; }));
  client.close();
  std::string log;
  CHECK(eventually([&] { return (log = directory.read("log")).find("\"end\"") != std::string::npos; }));
  CHECK(log.find("\"end\":\"client_left\"") != std::string::npos);
  CHECK(log.find("\"status\":0") != std::string::npos);
}

TEST_CASE("a blocked log does not delay streams") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  for (const std::string& path : {std::string("/dev/full"), "/proc/self/fd/" + std::to_string(ends[1])}) {
    const proxied proxy(answer_all(stream_answer), [&](proxy_options& options) {
      log_to(path)(options);
      with_admin(options);
      options.log.queue_lines = 4;
    });
    wire client = proxy.dial();
    reader answers(client);
    constexpr int requests = 300;  // more than fit into a pipe
    for (int i = 0; i < requests; ++i) {
      client.send(chat_request);
      if (!answers.next().complete) FAIL("a stream was lost");
    }
    CHECK(eventually([&] { return sample(metrics_of(proxy), "citestream_log_lines_lost_total") > 50; }));
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("the admin listener reports health and readiness and rejects the rest") {
  proxied proxy(answer_all(stream_answer), with_admin);
  CHECK(proxy.server.admin_address().starts_with("127.0.0.1:"));
  CHECK(ask_admin(proxy, "/healthz").body == "ok\n");
  CHECK(ask_admin(proxy, "/readyz?x=1").body == "ready\n");
  CHECK(ask_admin(proxy, "/readyz", "HEAD").status() == 200);
  CHECK(ask_admin(proxy, "/v1/chat").status() == 404);
  CHECK(ask_admin(proxy, "/metrics", "DELETE").status() == 405);
  CHECK(ask_admin(proxy, "/" + std::string(20'000, 'a')).head.empty());
  wire running = proxy.dial();
  running.send(chat_request);
  CHECK(reader(running).next().complete);
  proxy.server.drain();
  CHECK(ask_admin(proxy, "/readyz").status() == 503);
  CHECK(ask_admin(proxy, "/healthz").status() == 200);
}

namespace {

gate rendering;
gate rendered;
/// Keeps the worker busy.
constinit const citestream::style slow_style{.name = "slow",
                                             .space = citestream::spacing::kept,
                                             .render = [](const citestream::citation_context&, std::string&) {
                                               rendering.open();
                                               rendered.wait();
                                             }};

}  // namespace

TEST_CASE("a JSON answer to a slow client is not an open stream") {
  const std::string body = "{\"text\":\"" + std::string(12'000'000, 'x') + "\"}";
  const proxied proxy(answer_all(json_answer(body)));
  wire client = proxy.dial(16 * 1024);
  client.send(chat_request);
  CHECK(eventually([&] { return proxy.server.metrics().unsent_max != 0; }));
  CHECK(proxy.server.metrics().now.open_streams == 0);
  CHECK(reader(client).next().body.size() == body.size());
}

TEST_CASE("scrapes of a busy worker share one collection and do not delay health") {
  const proxied proxy(answer_all(stream_answer), [](proxy_options& options) {
    with_admin(options);
    options.threads = 1;
    default_route(options).session.style = &slow_style;
  });
  wire client = proxy.dial();
  client.send(chat_request);
  rendering.wait();
  std::vector<wire> scrapers;
  for (int i = 0; i < 8; ++i) {
    scrapers.push_back(dial_admin(proxy));
    scrapers.back().send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  const message health = ask_admin(proxy, "/healthz");
  rendered.open();
  CHECK(health.body == "ok\n");
  const message page = reader(scrapers.front()).next();
  CHECK(page.status() == 200);
  CHECK(sample(page.body, "citestream_connections_total") == 1);
  // Each page that is made has another CPU time.
  for (std::size_t i = 1; i < scrapers.size(); ++i) CHECK(reader(scrapers[i]).next().body == page.body);
  CHECK(reader(client).next().complete);
}

TEST_CASE("idle admin connections are closed to make room for a health check") {
  const proxied proxy(answer_all(stream_answer), with_admin);
  constexpr int bound = 64;
  std::vector<wire> idle;
  for (int i = 0; i < bound; ++i) idle.push_back(dial_admin(proxy));
  CHECK(ask_admin(proxy, "/healthz").body == "ok\n");
  CHECK(idle.front().wait_for_end(patience));
  // The others stay open. Idle connections are closed in the order in which they were opened.
  idle.back().send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(reader(idle.back()).next().body == "ok\n");
}

TEST_CASE("the admin listener is off by default and on loopback without an address") {
  const auto address_with = [](const std::string& admin) {
    const proxied proxy(answer_all(stream_answer), [&](proxy_options& options) { options.admin = admin; });
    return proxy.server.admin_address();
  };
  CHECK(address_with(":0").starts_with("127.0.0.1:"));
  CHECK(address_with("0").starts_with("127.0.0.1:"));
  CHECK(address_with("0.0.0.0:0").starts_with("0.0.0.0:"));
  CHECK(address_with("").empty());
  CHECK(proxy_options{}.admin.empty());
  // The proxy's own listener serves none of these: they are forwarded to the upstream.
  const proxied proxy(answer_all("HTTP/1.1 404 Nothing\r\nContent-Length: 8\r\n\r\nupstream"), with_admin);
  for (const char* path : {"/metrics", "/healthz", "/readyz"}) {
    CHECK(proxy.ask("GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n").body == "upstream");
  }
}

TEST_CASE("an admin port in use is reported at the start") {
  const upstream other(answer_all(""));
  const std::string taken = "127.0.0.1:" + std::to_string(other.port());
  CHECK_THROWS_WITH(
      proxied(answer_all(stream_answer), [&](proxy_options& options) { options.admin = taken; }),
      Catch::Matchers::Contains(taken));
}

TEST_CASE("metrics count requests and streams and citations and upstream results") {
  proxied proxy(answer_all(stream_answer), with_admin);
  for (int i = 0; i < 3; ++i) CHECK(proxy.ask(chat_request).complete);
  static_cast<void>(proxy.ask("GET / HTTP/1.1\r\n\r\n"));
  const std::string metrics = metrics_of(proxy);
  INFO(metrics);
  const std::map<std::string, double> expected{
      {"citestream_requests_total{route=\"/\",status=\"200\"}", 3},
      {"citestream_requests_total{route=\"none\",status=\"400\"}", 1},
      {"citestream_streams_total", 3},
      {"citestream_open_streams", 0},
      {"citestream_events_total", 9},
      {"citestream_events_sent_total", 9},
      {"citestream_events_dropped_total{reason=\"client_left\"}", 0},
      {"citestream_bytes_total{direction=\"from_client\"}", 45},
      {"citestream_citations_total{origin=\"marker\",status=\"resolved\",source_type=\"file\"}", 3},
      {"citestream_citations_total{origin=\"marker\",status=\"unresolved\",source_type=\"none\"}", 3},
      {"citestream_model_citations_total{model=\"unknown\",status=\"unresolved\"}", 3},
      {"citestream_added_latency_seconds_count", 3},
      {"citestream_request_duration_seconds_count{route=\"/\"}", 3},
      {"citestream_request_duration_seconds_count{route=\"none\"}", 1},
      {"citestream_upstream_errors_total{upstream=\"default\",kind=\"upstream_reset\"}", 0},
      {"citestream_held_bytes", 0},
      {"citestream_draining", 0},
      {"citestream_log_lines_lost_total", 0},
  };
  for (const auto& [name, value] : expected) {
    INFO(name);
    CHECK(sample(metrics, name) == value);
  }
  CHECK(sample(metrics, "citestream_upstream_connections_total{from=\"new\"}") >= 1);
}

TEST_CASE("a connection that lingers after its last request counts its bytes once") {
  const proxied proxy(answer_all(stream_answer), with_admin);
  wire client = proxy.dial();
  client.send("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody");
  CHECK(reader(client).next().complete);
  std::string metrics;
  CHECK(eventually([&] { return sample(metrics = metrics_of(proxy), "citestream_streams_total") == 1; }));
  CHECK(eventually([&] { return sample(metrics = metrics_of(proxy), "citestream_open_streams") == 0; }));
  CHECK(sample(metrics, "citestream_bytes_total{direction=\"from_client\"}") == 4);
}

TEST_CASE("verdicts are counted by route and model and are in the log line") {
  const scratch_folder directory;
  const std::string body = delta("Sales rose in May [x](k7). Sales fell in May [x](k7).") + finish() + done;
  const std::string answer = event_stream_head + chunk(body) + "0\r\n\r\n";
  citestream::reference known;
  known.id = "k7";
  known.text = "Sales rose in May.";
  for (const bool checked : {true, false}) {
    const std::string log = directory.path(checked ? "with" : "without");
    const proxied proxy(answer_all(answer), [&](proxy_options& options) {
      with_admin(options);
      log_to(log, log_format::text)(options);
      default_route(options).session.references = {known};
      if (checked) default_route(options).session.check = citestream::check_mode::report;
    });
    const message got = proxy.ask(chat_request);
    CHECK((got.body.find(R"("verdict":"contradicted")") != std::string::npos) == checked);
    CHECK(eventually([&] { return !directory.read(checked ? "with" : "without").empty(); }));
    const std::string line = directory.read(checked ? "with" : "without");
    INFO(line);
    CHECK((line.find(" unresolved=0 supported=1 contradicted=1 not_found=0 unsure=0 ") !=
           std::string::npos) == checked);
    const std::string metrics = metrics_of(proxy);
    const std::string series = R"(citestream_verdicts_total{route="/",model="unknown",verdict=")";
    CHECK(sample(metrics, series + "supported\"}") == (checked ? 1 : 0));
    CHECK(sample(metrics, series + "contradicted\"}") == (checked ? 1 : 0));
    CHECK(sample(metrics, series + "not_found\"}") == 0);
    CHECK(metrics.find("# TYPE citestream_verdicts_total counter") != std::string::npos);
  }
}

TEST_CASE("citations of the provider are counted apart from those of markers") {
  const scratch_folder directory;
  const std::string annotations =
      R"("annotations":[{"type":"url_citation","url_citation":{"url":"https://a.example/","title":"A",)"
      R"("start_index":0,"end_index":5}}])";
  const std::string body = delta("Sales rose.") + "data: {\"choices\":[{\"index\":0,\"delta\":{" +
                           annotations + "}}]}\n\n" + finish() + done;
  const proxied proxy(answer_all(event_stream_head + chunk(body) + "0\r\n\r\n"), [&](proxy_options& options) {
    with_admin(options);
    log_to(directory.path("log"), log_format::text)(options);
  });
  CHECK(proxy.ask(chat_request).complete);
  CHECK(eventually([&] { return !directory.read("log").empty(); }));
  CHECK(directory.read("log").find(" citations=0 unresolved=0 native=1 ") != std::string::npos);
  const std::string metrics = metrics_of(proxy);
  INFO(metrics);
  const std::string of = "citestream_citations_total{origin=";
  CHECK(sample(metrics, of + R"("provider",status="resolved",source_type="web"})") == 1);
  CHECK(sample(metrics, of + R"("marker",status="resolved",source_type="web"})") == 0);
  CHECK(sample(metrics, R"(citestream_model_citations_total{model="unknown",status="resolved"})") < 1);
}

TEST_CASE("every series of routes and upstreams exists from the start") {
  const auto series = [](const std::string& metrics) {
    std::set<std::string> out;
    for (const std::string& line : lines_of(metrics)) {
      if (!line.starts_with('#')) out.insert(line.substr(0, line.rfind(' ')));
    }
    return out;
  };
  const proxied proxy(answer_all(stream_answer), [](proxy_options& options) {
    with_admin(options);
    citestream::upstream_options& dead = options.upstreams.emplace_back();
    dead.name = "dead";
    dead.url = "http://127.0.0.1:1";
    citestream::route_options& route = options.routes.emplace_back();
    route.name = "to the dead";
    route.path = "/dead";
    route.upstream = "dead";
  });
  const std::set<std::string> before = series(metrics_of(proxy));
  CHECK(before.contains("citestream_upstream_errors_total{upstream=\"dead\",kind=\"upstream_unreachable\"}"));
  CHECK(before.contains("citestream_requests_total{route=\"to the dead\",status=\"502\"}"));
  CHECK(before.contains("citestream_bypassed_total{reason=\"compressed\"}"));
  CHECK(proxy.ask(chat_request).complete);
  const message failed = proxy.ask("GET /dead HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(failed.status() == 502);
  const std::string metrics = metrics_of(proxy);
  CHECK(sample(metrics,
               "citestream_upstream_errors_total{upstream=\"dead\",kind=\"upstream_unreachable\"}") == 1);
  CHECK(sample(metrics, "citestream_request_duration_seconds_count{route=\"to the dead\"}") == 1);
  CHECK(series(metrics) == before);
}

TEST_CASE("metrics show if the last reload succeeded and when one last did") {
  proxied proxy(answer_all(stream_answer), with_admin);
  const std::string successful = "citestream_config_last_reload_successful";
  const std::string when = "citestream_config_last_reload_success_timestamp_seconds";
  const std::string start = metrics_of(proxy);
  CHECK(sample(start, successful) == 1);
  const double started = sample(start, when);
  CHECK(started > 1.7e9);
  CHECK_FALSE(proxy.server.reload({}).error.empty());
  const std::string failed = metrics_of(proxy);
  CHECK(sample(failed, successful) == 0);
  CHECK(sample(failed, when) == started);
  CHECK(proxy.server.reload(proxied::options(proxy.up.url(), with_admin)).error.empty());
  const std::string reloaded = metrics_of(proxy);
  CHECK(sample(reloaded, successful) == 1);
  CHECK(sample(reloaded, when) > started);
  proxy.server.note_failed_reload();
  CHECK(sample(metrics_of(proxy), successful) == 0);
}

TEST_CASE("process metrics match the limits and the usage of the process") {
  const proxied proxy(answer_all(stream_answer), with_admin);
  const std::string metrics = metrics_of(proxy);
  INFO(metrics);
  rlimit files{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &files) == 0);
  CHECK(sample(metrics, "process_max_fds") == static_cast<double>(files.rlim_cur));
  CHECK(sample(metrics, "process_open_fds") > 3);
  CHECK(sample(metrics, "process_cpu_seconds_total") > 0);
  CHECK(sample(metrics, "process_threads") >= 3);
  const double resident = sample(metrics, "process_resident_memory_bytes");
  CHECK(resident > 1e6);
  CHECK(sample(metrics, "process_virtual_memory_bytes") > resident);
  CHECK(sample(metrics, "process_virtual_memory_max_bytes") > resident);
  const auto now = static_cast<double>(std::time(nullptr));
  const double age = now - sample(metrics, "process_start_time_seconds");
  CHECK((age > -2 && age < 24 * 3600));
  // It does not change, or every scrape would look like a restart.
  CHECK(sample(metrics_of(proxy), "process_start_time_seconds") ==
        sample(metrics, "process_start_time_seconds"));
}

TEST_CASE("a running stream is in the metrics with its held text") {
  gate go_on;
  const proxied proxy(in_two_parts(go_on, delta("text [Rep"), delta("ort](f1) more") + finish() + done),
                      with_admin);
  wire client = proxy.dial();
  client.send(chat_request);
  reader answers(client);
  REQUIRE(answers.until("text"));
  std::string metrics;
  CHECK(eventually([&] { return sample(metrics = metrics_of(proxy), "citestream_held_bytes") == 5; }));
  CHECK(sample(metrics, "citestream_open_streams") == 1);
  CHECK(sample(metrics, "citestream_events_total") == 1);
  CHECK(sample(metrics, "citestream_hold_seconds_count") == 0);
  go_on.open();
  CHECK(answers.next().complete);
  CHECK(eventually([&] { return sample(metrics = metrics_of(proxy), "citestream_open_streams") == 0; }));
  CHECK(sample(metrics, "citestream_events_total") == 4);
  CHECK(sample(metrics, "citestream_held_bytes") == 0);
  CHECK(sample(metrics, "citestream_hold_seconds_count") == 1);
}

TEST_CASE("every event is sent or counted as dropped with its disconnected client") {
  const proxied proxy(
      [](wire& client, int) {
        reader requests(client);
        requests.next();
        client.send(event_stream_head);
        const std::string many = chunk(delta(std::string(4000, 'x')) + delta(std::string(4000, 'y')));
        while (client.send(many)) {
        }
      },
      with_admin);
  wire client = proxy.dial(4096);  // it reads no further than the first bytes
  client.send(chat_request);
  std::string first;
  REQUIRE(client.read_until("xxx", first));
  std::string metrics;
  // No more arrives than fits into the sockets' buffers.
  CHECK(eventually([&, before = -1.0]() mutable {
    const double now = sample(metrics_of(proxy), "citestream_events_total");
    return std::exchange(before, now) == now && now > 10;
  }));
  client.rst();
  const auto dropped = [&] {
    return sample(metrics = metrics_of(proxy), "citestream_events_dropped_total{reason=\"client_left\"}");
  };
  CHECK(eventually([&] { return dropped() > 0; }));
  INFO(metrics);
  CHECK(sample(metrics, "citestream_events_total") ==
        sample(metrics, "citestream_events_sent_total") + dropped());
}

TEST_CASE("rejected clients are counted by limit and logged without flooding") {
  const scratch_folder directory;
  gate go_on;
  const proxied proxy(in_two_parts(go_on), [&](proxy_options& options) {
    log_to(directory.path("log"))(options);
    with_admin(options);
    options.limits.max_connections = 2;
    options.limits.max_streams = 1;
  });
  wire first = proxy.dial();
  first.send(chat_request);
  reader answers(first);
  REQUIRE(answers.until("one"));
  wire second = proxy.dial();
  second.send(chat_request);
  CHECK(reader(second).next().status() == 503);
  constexpr int late = 20;
  for (int i = 0; i < late; ++i) {
    wire third = proxy.dial();
    CHECK(reader(third).next().status() == 503);
  }
  const std::string metrics = metrics_of(proxy);
  CHECK(sample(metrics, "citestream_refused_total{bound=\"max_connections\"}") == late);
  CHECK(sample(metrics, "citestream_refused_total{bound=\"max_streams\"}") == 1);
  CHECK(sample(metrics, "citestream_refused_total{bound=\"descriptors\"}") == 0);
  CHECK(eventually([&] {  // also after they have been closed
    return sample(metrics_of(proxy), "citestream_bytes_total{direction=\"to_client\"}") > late * 200 &&
           proxy.server.state().open_connections == 2;
  }));
  go_on.open();
  CHECK(answers.next().complete);
  const auto lines_with = [&](const std::string& part) {
    const std::vector<std::string> all = lines_of(directory.read("log"));
    return std::ranges::count_if(all, [&](const auto& one) { return one.find(part) != std::string::npos; });
  };
  CHECK(eventually([&] { return lines_with("\"end\":\"complete\"") == 1; }));
  CHECK(lines_with("\"end\":\"too_many_streams\"") == 1);
  const auto told = lines_with("max_connections of 2 is reached: refused 1 since");
  CHECK(told >= 1);
  CHECK(told < late / 2);  // at most one per second
}

TEST_CASE("a reload changes log level and format and names options that need a restart") {
  const scratch_folder directory;
  proxied proxy(answer_all(stream_answer), log_to(directory.path("log"), log_format::text));
  const auto last_line = [&] {
    const std::vector<std::string> all = lines_of(directory.read("log"));
    return all.empty() ? std::string() : all.back();
  };
  proxy_options next = proxied::options(proxy.up.url(), log_to(directory.path("log"), log_format::text));
  CHECK(proxy.server.reload(next).waiting.empty());
  next.log.level = log_level::warn;
  next.log.format = log_format::json;
  next.pool.max_idle = 0;  // each request needs a new connection
  next.threads = 3;
  next.record.directory = directory.path("recordings");
  next.admin = "127.0.0.1:0";
  for (int i = 0; i < 2; ++i) {  // pending options stay pending
    const citestream::reload_result result = proxy.server.reload(next);
    CHECK(result.error.empty());
    CHECK(result.waiting == "threads, admin, record");
  }
  CHECK(proxy.ask(chat_request).complete);
  CHECK_FALSE(std::filesystem::exists(directory.path("recordings")));
  proxy.up.stop_listening();
  static_cast<void>(proxy.ask(get_request));
  CHECK(
      eventually([&] { return last_line().find("\"end\":\"upstream_unreachable\"") != std::string::npos; }));
  CHECK(lines_of(directory.read("log")).size() == 1);  // the stream that ended normally is not logged
}

TEST_CASE("unread events and compressed answers are counted by reason") {
  const std::string unread = delta("a") + "data: {broken\n\ndata: {\"other\":1}\n\n" + done;
  proxied events(answer_all(event_stream_head + chunk(unread) + "0\r\n\r\n"), with_admin);
  static_cast<void>(events.ask(chat_request));
  CHECK(sample(metrics_of(events), "citestream_passed_events_total{reason=\"invalid_json\"}") >= 1);
  proxied packed(answer_all("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n"
                            "Content-Length: 2\r\n\r\nxx"),
                 with_admin);
  static_cast<void>(packed.ask(chat_request));
  CHECK(sample(metrics_of(packed), "citestream_bypassed_total{reason=\"compressed\"}") == 1);
}

TEST_CASE("each model has its own metrics up to a limit") {
  std::atomic<int> number{};
  const proxied proxy(
      [&](wire& client, int) {
        reader requests(client);
        for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
          std::string named = delta("[x](f1)");
          named.insert(named.find("\"object\""), "\"model\":\"m-" + std::to_string(number++) + "\",");
          client.send(event_stream_head + chunk(named + finish() + done) + "0\r\n\r\n");
        }
      },
      with_admin);
  wire client = proxy.dial();
  reader answers(client);
  for (int i = 0; i < 80; ++i) {
    client.send(chat_request);
    answers.next();
  }
  const std::string metrics = metrics_of(proxy);
  CHECK(sample(metrics, "citestream_model_citations_total{model=\"m-0\",status=\"resolved\"}") == 1);
  CHECK(sample(metrics, "citestream_model_citations_total{model=\"m-79\",status=\"resolved\"}") == -1);
  CHECK(sample(metrics, "citestream_model_citations_total{model=\"other\",status=\"resolved\"}") == 16);
}

TEST_CASE("the dashboard uses exactly the existing metrics") {
  const proxied proxy(answer_all(stream_answer), with_admin);
  std::set<std::string> served;
  std::set<std::string> histograms;
  const std::string metrics = metrics_of(proxy);
  const std::regex type("# TYPE (citestream_[a-z_]+) ([a-z]+)");
  for (std::sregex_iterator at(metrics.begin(), metrics.end(), type), end; at != end; ++at) {
    served.insert((*at)[1]);
    if ((*at)[2] == "histogram") histograms.insert((*at)[1]);
  }
  CHECK(served.size() > 25);
  std::ifstream file(std::string(CITESTREAM_SOURCE_DIR) + "/docs/deploy/grafana.json");
  const std::string dashboard{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  document json;
  REQUIRE_FALSE(json.parse(dashboard));
  std::set<std::string> used;
  const std::regex name("citestream_[a-z_]+");
  for (std::sregex_iterator at(dashboard.begin(), dashboard.end(), name), end; at != end; ++at) {
    std::string one = (*at)[0];
    for (const char* ending : {"_bucket", "_sum", "_count"}) {
      const std::string base = one.substr(0, one.size() - std::min(one.size(), std::string(ending).size()));
      if (one.ends_with(ending) && histograms.contains(base)) one = base;
    }
    used.insert(one);
  }
  CHECK(used == served);
}

TEST_CASE("a recorded stream replays to the same bytes") {
  const scratch_folder directory;
  const std::string recordings = directory.path("recordings");
  {
    const proxied proxy(answer_all(stream_answer),
                        [&](proxy_options& options) { options.record.directory = recordings; });
    CHECK(proxy.ask(chat_request).complete);
    static_cast<void>(proxy.ask(get_request.substr(0, 4) + "/ HTTP/1.1\r\nHost: a\r\n\r\n"));
  }
  struct ::stat about {};
  REQUIRE(::stat(recordings.c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == 0700);
  std::vector<std::filesystem::path> files;
  for (const auto& one : std::filesystem::directory_iterator(recordings)) files.push_back(one.path());
  REQUIRE(files.size() == 2);
  citestream::recording_error error;
  auto read = citestream::load_recording(files[0], error);
  REQUIRE(read);
  CHECK(read->bytes() == stream_body);
  CHECK(read->timed());
  CHECK(read->content_type() == "text/event-stream");
  citestream::replay_options options;
  options.recordings.push_back(std::move(*read));
  citestream::replay_server replay(std::move(options));
  REQUIRE_FALSE(replay.start());
  wire client = dial(replay.port());
  client.send(chat_request);
  CHECK(reader(client).next().body == stream_body);
}

TEST_CASE("a secret is in no log or metric or error or recorded header") {
  const std::string canary = "c4n4ry";
  const scratch_folder directory;
  std::string told;
  for (const log_format format : {log_format::json, log_format::text}) {
    proxied proxy(
        [&](wire& client, int) {
          reader requests(client);
          for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
            client.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nSet-Cookie: s=" + canary +
                        "\r\nX-Secret: " + canary + "\r\nTransfer-Encoding: chunked\r\n\r\n" +
                        chunk(delta("b0dy") + "data: {" + canary + "\n\n" + done) + "0\r\n\r\n");
          }
        },
        [&](proxy_options& options) {
          log_to(directory.path("log"), format)(options);
          with_admin(options);
          options.record.directory = directory.path("recordings");
        });
    const std::string secret_fields = "Host: a\r\nAuthorization: Bearer " + canary +
                                      "\r\nCookie: s=" + canary + "\r\nX-Api-Key: " + canary +
                                      "\r\napi-key: " + canary + "\r\nProxy-Authorization: Basic " + canary +
                                      "\r\nX-Mine: " + canary + "\r\n";
    const std::string body = "{\"stream\":true,\"messages\":\"" + canary + "\"}";
    const std::string length = "Content-Length: " + std::to_string(body.size()) + "\r\n";
    const std::string line = "POST /v1/chat?key=" + canary + " HTTP/1.1\r\n";
    CHECK(proxy.ask(line + secret_fields + length + "\r\n" + body).complete);
    // Rejected for many reasons, with secrets in every possible place.
    for (const std::string& bad : {line + secret_fields + "Bad Name: " + canary + "\r\n\r\n",
                                   line + secret_fields + length + length + "\r\n",
                                   "POST /../x?" + canary + " HTTP/1.1\r\n" + secret_fields + "\r\n",
                                   "POST /x#" + canary + " HTTP/1.1\r\n" + secret_fields + "\r\n",
                                   "POST http://" + canary + "@b/ HTTP/1.1\r\n" + secret_fields + "\r\n",
                                   "{\"messages\":\"a " + canary + " b\"}\r\n\r\n",
                                   line + secret_fields + "X-Request-Id: " + canary + " " + canary +
                                       "\r\nExpect: " + canary + "\r\n\r\n",
                                   line + "Authorization: " + canary + "\r\n\r\n",
                                   "GET /?" + canary + " HTTP/3.0\r\nHost: a\r\n\r\n"}) {
      const message refused = proxy.ask(bad);
      CHECK(refused.status() >= 400);
      told += refused.head + refused.body;
    }
    proxy.up.stop_listening();
    const message failed = proxy.ask(line + secret_fields + length + "\r\n" + body);
    told += failed.status() == 502 ? failed.head + failed.body : std::string();
    told += metrics_of(proxy);
    CHECK(eventually([&] { return lines_of(directory.read("log")).size() >= 8; }));
  }
  told += directory.read("log");
  std::size_t recorded = 0;
  for (const auto& one : std::filesystem::directory_iterator(directory.path("recordings"))) {
    const std::string text = directory.read("recordings/" + one.path().filename().string());
    const std::string first = text.substr(0, text.find('\n'));
    CHECK(first.find("\"Authorization\":\"[redacted]\"") != std::string::npos);
    CHECK(first.find("\"Set-Cookie\":\"[redacted]\"") != std::string::npos);
    told += first;
    ++recorded;
  }
  CHECK(recorded >= 2);
  CHECK(told.find("b0dy") == std::string::npos);
  CHECK(told.find(canary) == std::string::npos);
}

TEST_CASE("a full disk loses recordings but no streams") {
  const scratch_folder directory;
  const proxied proxy(answer_all(stream_answer), [&](proxy_options& options) {
    options.record.directory = directory.path("recordings");
    with_admin(options);
  });
  struct ::rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  const struct ::rlimit small { 64, before.rlim_max };  // limits the size of files
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  int whole = 0;
  for (int i = 0; i < 5; ++i) whole += proxy.ask(chat_request).complete ? 1 : 0;
  const bool counted =
      eventually([&] { return sample(metrics_of(proxy), "citestream_recordings_lost_total") == 5; });
  ::setrlimit(RLIMIT_FSIZE, &before);
  CHECK(whole == 5);
  CHECK(counted);
  CHECK(std::filesystem::is_empty(directory.path("recordings")));
  CHECK(proxy.ask(chat_request).complete);
  CHECK(eventually([&] { return sample(metrics_of(proxy), "citestream_recordings_total") == 1; }));
  std::signal(SIGXFSZ, old);
}
