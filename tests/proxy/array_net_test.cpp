// A streamed JSON array, as Gemini sends it without `alt=sse`, and streams of several protocols at one port.
#include <citestream/chunk/document.hpp>

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/proxied.hpp"

using namespace loopback;

namespace {

const std::string array_head =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string gemini_chunk(const std::string& text, const std::string& more = {}) {
  return R"({"candidates": [{"content": {"parts": [{"text": ")" + text + R"("}],"role": "model"})" + more +
         R"(}],"modelVersion": "m"})";
}

const std::vector<std::string> elements{
    gemini_chunk("It grew [ci"), gemini_chunk("te: 1]."),
    gemini_chunk(" 🐍", R"(,"finishReason": "STOP","groundingMetadata": {"groundingChunks": [{"web": )"
                       R"({"uri": "https://a.example/","title": "A"}}]})")};
const std::string whole = "[" + elements[0] + "\n,\r\n" + elements[1] + "\n,\r\n" + elements[2] + "\n]\n";

std::string gemini_request(const std::string& query = {}) {
  return "POST /v1beta/models/m:streamGenerateContent?" + query +
         " HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
}

/// The text in an array of Gemini's chunks; a message if it is not JSON.
std::string text_of_array(const std::string& json) {
  citestream::document all;
  if (all.parse(json)) return "not JSON: " + json;
  std::string out;
  for (citestream::json_value one = all.root().first(); one; one = one.next())
    out += one["candidates"][0]["content"]["parts"][0]["text"].string();
  return out;
}

void add_route_to(citestream::proxy_options& options, const std::string& name, const std::string& url,
                  const citestream::dialect* dialect = nullptr) {
  citestream::upstream_options to;
  to.name = name;
  to.url = url;
  options.upstreams.push_back(to);
  citestream::route_options route;
  route.upstream = name;
  route.path = "/" + name;
  route.strip_prefix = true;
  route.session.dialect = dialect;
  options.routes.push_back(route);
}

std::string post_to(const std::string& path) {
  return "POST " + path +
         " HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
}

}  // namespace

TEST_CASE("an array is rewritten alike at every cut and its connections stay open") {
  const std::string before = "\xEF\xBB\xBF\r\n ";
  const std::string sent = before + whole;
  const proxied setup([&sent](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
      const std::size_t cut = std::stoul(one.head.substr(one.head.find('?') + 1));
      client.send(array_head + chunk(sent.substr(0, cut)));
      client.send(chunk(sent.substr(cut)) + "0\r\n\r\n");
    }
  });
  wire client = setup.dial();
  reader answers(client);
  std::string first;
  for (std::size_t cut = 1; cut < sent.size(); ++cut) {
    INFO("cut at " << cut);
    client.send(gemini_request(std::to_string(cut)));
    const message answer = answers.next();
    REQUIRE(answer.complete);
    if (first.empty()) first = answer.body;
    REQUIRE(answer.body == first);
  }
  REQUIRE(first.substr(0, before.size()) == before);
  CHECK(text_of_array(first.substr(before.size())) == "It grew. 🐍");
  CHECK(first.find(R"("segment":{"endIndex":7,"text":"It grew"},"groundingChunkIndices":[0])") !=
        std::string::npos);
  CHECK(setup.up.connections() == 1);
}

TEST_CASE("each element of an array is sent before the upstream sends the next one") {
  gate seen[2];
  gate over;
  const proxied setup(
      [&](wire& client, int number) {
        reader requests(client);
        requests.next();
        if (number == 1) {  // as silent as the array, but it gets comments, which show that time has passed
          client.send(event_stream_head + chunk(delta("a")));
          over.wait();
          return;
        }
        client.send(array_head + chunk("[" + elements[0]));
        seen[0].wait();
        client.send(chunk("\n,\r\n" + elements[1]));
        seen[1].wait();
        client.send(chunk("\n,\r\n" + elements[2] + "\n]\n") + "0\r\n\r\n");
      },
      [](citestream::proxy_options& options) {
        options.threads = 1;
        options.deadlines.keep_alive_comment = milliseconds(20);
      });
  wire client = setup.dial();
  client.send(gemini_request());
  reader answers(client);
  REQUIRE(answers.until("It grew"));
  wire events = setup.dial();
  events.send(chat_request);
  std::string comments;
  for (int i = 0; i < 3; ++i, comments.clear()) REQUIRE(events.read_until(": keep-alive\n\n", comments));
  seen[0].open();
  REQUIRE(answers.until("\"text\": \".\""));
  seen[1].open();
  const message answer = answers.next();
  over.open();
  CHECK(answer.complete);
  CHECK(text_of_array(answer.body) == "It grew. 🐍");
}

TEST_CASE("an array that breaks off is closed after an error but its body is not ended") {
  for (std::size_t cut = 1; cut < whole.size() - 2; cut += 3) {
    INFO("cut at " << cut);
    const proxied setup(answer_and_close(array_head + chunk(whole.substr(0, cut))));
    const message answer = setup.ask(gemini_request());
    CHECK_FALSE(answer.complete);
    CHECK_FALSE(text_of_array(answer.body).starts_with("not JSON"));
    CHECK(answer.body.find("\"error\":{") != std::string::npos);
  }
}

TEST_CASE(
    "streams of several protocols pass through one port by their routes and one route recognises them") {
  const std::string events =
      "data: {\"type\":\"message_start\",\"message\":{\"type\":\"message\",\"role\":"
      "\"assistant\",\"content\":[]}}\n\n"
      "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":"
      "\"text\",\"text\":\"\"}}\n\n"
      "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
      "\"text_delta\",\"text\":\"Claude [x](https://a.example/).\"}}\n\n"
      "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
      "data: {\"type\":\"message_stop\"}\n\n";
  const std::string anthropic = event_stream_head + chunk(events) + "0\r\n\r\n";
  const std::string gemini = array_head + chunk(whole) + "0\r\n\r\n";
  const upstream google(answer_all(gemini));
  const upstream claude(answer_all(anthropic));
  const upstream mixed([&](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next())
      client.send(one.head.find("/messages") != std::string::npos ? anthropic : gemini);
  });
  const proxied setup(answer_all(""), [&](citestream::proxy_options& options) {
    add_route_to(options, "google", google.url(), citestream::find_dialect("gemini"));
    add_route_to(options, "claude", claude.url(), citestream::find_dialect("anthropic"));
    add_route_to(options, "any", mixed.url());
  });
  const auto has_claude = [](const message& answer) {
    return answer.complete && answer.body.find(R"("text":"Claude.")") != std::string::npos;
  };
  for (int i = 0; i < 2; ++i) {
    CHECK(text_of_array(setup.ask(post_to("/google/v1beta/models/m:streamGenerateContent")).body) ==
          "It grew. 🐍");
    CHECK(has_claude(setup.ask(post_to("/claude/v1/messages"))));
    CHECK(text_of_array(setup.ask(post_to("/any/v1beta/models/m:streamGenerateContent")).body) ==
          "It grew. 🐍");
    CHECK(has_claude(setup.ask(post_to("/any/v1/messages"))));
  }
  // A dialect that a route names is not recognised but used: the other protocol passes it unchanged.
  const proxied wrong(answer_all(anthropic), [](citestream::proxy_options& options) {
    default_route(options).session.dialect = citestream::find_dialect("gemini");
  });
  CHECK(wrong.ask(post_to("/v1/messages")).body == events);
}
