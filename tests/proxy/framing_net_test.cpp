// Messages through the proxy: framing in both directions, order, and rejected requests.
#include <atomic>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/proxied.hpp"

using namespace loopback;

TEST_CASE("an answer that is not rewritten is unchanged and connections are reused") {
  const proxied setup(answer_all(
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Request-Id: r\r\nETag: \"e\"\r\nContent-Length: "
      "5\r\n\r\nhello"));
  wire client = setup.dial();
  reader answers(client);
  for (int i = 0; i < 3; ++i) {
    client.send(get_request);
    const message answer = answers.next();
    CHECK(answer.head ==
          "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-Request-Id: r\r\nETag: \"e\"\r\nContent-Length: "
          "5\r\n\r\n");
    CHECK(answer.body == "hello");
  }
  CHECK(setup.up.connections() == 1);
}

TEST_CASE("the upstream gets its own Host and no hop-by-hop fields") {
  std::string seen;
  gate got;
  const proxied setup(
      [&](wire& client, int) {
        reader requests(client);
        const message request = requests.next();
        seen = request.head + request.body;
        got.open();
        client.send("HTTP/1.1 204 No Content\r\n\r\n");
      },
      [](citestream::proxy_options& options) { options.upstream.url += "/base"; });
  const message answer = setup.ask(
      "POST /v1/chat HTTP/1.1\r\nHost: proxy\r\nConnection: X-Hop, Authorization\r\nX-Hop: "
      "1\r\nAuthorization: Bearer k\r\n"
      "X-Request-Id: r\r\nAccept-Encoding: gzip\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: "
      "dropped\r\n\r\n");
  got.wait();
  CHECK(answer.status() == 204);
  CHECK(answer.field("Via").empty());
  const std::size_t via = seen.find("Via: 1.1 citestream-");
  REQUIRE(via != std::string::npos);
  seen.erase(via, seen.find("\r\n", via) + 2 - via);
  CHECK(seen == "POST /base/v1/chat HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(setup.up.port()) +
                    "\r\nAuthorization: Bearer k\r\nX-Request-Id: r\r\nAccept-Encoding: "
                    "identity\r\nContent-Length: 5\r\n\r\nabcde");
}

TEST_CASE("a chunked answer stays chunked and its trailers are dropped") {
  const proxied setup(
      answer_all("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Request-Id: r\r\nTrailer: T\r\n\r\n" +
                 chunk("one") + chunk("two") + "0\r\nT: 1\r\n\r\n"));
  wire client = setup.dial();
  reader answers(client);
  for (int i = 0; i < 2; ++i) {
    client.send(get_request);
    const message answer = answers.next();
    CHECK(answer.complete);
    CHECK(answer.body == "onetwo");
    CHECK(answer.head == "HTTP/1.1 200 OK\r\nX-Request-Id: r\r\nTransfer-Encoding: chunked\r\n\r\n");
    CHECK(answers.rest().empty());
  }
  CHECK(setup.up.connections() == 1);
}

TEST_CASE("an answer without length is chunked for HTTP 1.1 and closed for HTTP 1.0") {
  const proxied setup(answer_and_close("HTTP/1.1 200 OK\r\n\r\nbody"));
  const message chunked = setup.ask(get_request);
  CHECK(chunked.complete);
  CHECK(chunked.field("Transfer-Encoding") == "chunked");
  CHECK(chunked.body == "body");
  wire old = setup.dial();
  old.send("GET / HTTP/1.0\r\nX-Request-Id: r\r\n\r\n");
  CHECK(old.read_all() == "HTTP/1.1 200 OK\r\nX-Request-Id: r\r\nConnection: close\r\n\r\nbody");
}

TEST_CASE("an HTTP 1.0 client gets an unchunked event stream until the close") {
  const proxied setup(
      answer_all(event_stream_head + chunk(delta("a [x](f1)b") + finish() + done) + "0\r\n\r\n"));
  wire old = setup.dial();
  old.send("POST /v1/chat HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}");
  const std::string all = old.read_all();
  CHECK(all.find("Transfer-Encoding") == std::string::npos);
  CHECK(all.find("\r\nConnection: close\r\n") != std::string::npos);
  CHECK(all.ends_with(done));
}

TEST_CASE("answers without a body do not desynchronise the connection") {
  std::vector<std::string> scripts{
      "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n",
      "HTTP/1.1 204 No Content\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n"
      "Content-Length: 2\r\n\r\nok"};
  std::atomic<std::size_t> next{0};
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    while (!requests.next().head.empty()) client.send(scripts.at(next++));
  });
  wire client = setup.dial();
  reader answers(client);
  client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + get_request + get_request + get_request);
  CHECK(answers.next(true).has("Content-Length: 1000"));
  CHECK(answers.next().status() == 304);
  CHECK(answers.next().status() == 204);
  CHECK(answers.next().status() == 103);
  CHECK(answers.next().body == "ok");
  CHECK(setup.up.connections() == 2);  // a faulty upstream might send the body that it announced to HEAD
}

TEST_CASE("sixteen interim responses are passed on and one more is a 502") {
  for (const int count : {16, 17}) {
    std::string script;
    for (int i = 0; i < count; ++i) script += "HTTP/1.1 102 Processing\r\n\r\n";
    const proxied setup(answer_and_close(script + ok_answer));
    wire client = setup.dial();
    reader answers(client);
    client.send(get_request);
    for (int i = 0; i < 16; ++i) CHECK(answers.next().status() == 102);
    message last = answers.next();
    if (last.status() == 102) last = answers.next();
    CHECK(last.status() == (count == 16 ? 200 : 502));
  }
}

TEST_CASE("pipelined requests are answered one at a time and in order") {
  std::vector<std::string> seen;
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
      seen.push_back(one.head.substr(0, one.head.find(" HTTP")));
      const std::string body = "answer to " + seen.back();
      client.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    }
  });
  wire client = setup.dial();
  reader answers(client);
  std::string all;
  for (int i = 0; i < 20; ++i) all += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\n\r\n\r\n";
  client.send(all);
  for (int i = 0; i < 20; ++i) CHECK(answers.next().body == "answer to GET /" + std::to_string(i));
  CHECK(setup.up.connections() == 1);
}

TEST_CASE("a request sent while a stream runs is answered after it") {
  gate second_sent;
  const proxied setup([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(event_stream_head + chunk(delta("one")));
    second_sent.wait();
    client.send(chunk(finish() + done) + "0\r\n\r\n");
    requests.next();
    client.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
  });
  wire client = setup.dial();
  reader answers(client);
  client.send(chat_request);
  CHECK(answers.until("one"));
  client.send(get_request);
  second_sent.open();
  CHECK(answers.next().complete);
  CHECK(answers.next().body == "second");
}

TEST_CASE("an ambiguous request is rejected and no byte of it is forwarded") {
  const std::string smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string start = "POST / HTTP/1.1\r\nHost: a\r\n";
  const std::vector<std::pair<int, std::string>> list{
      {400, start + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX"},
      {400, start + "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\nX"},
      {400, start + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"},
      {501, start + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"},
      {501, start + "Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n"},
      {501, start + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"},
      {400, start + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"},
      {400, start + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"},
      {400, start + "X: a\rTransfer-Encoding: chunked\r\n\r\n"},
      {400, start + "X: a\nTransfer-Encoding: chunked\r\n\r\n"},
      {400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {400, start + "Content-Length: 5\r\nContent-Length: 0\r\n\r\n"},
      {400, start + "Content-Length: +0\r\n\r\n"},
      {400, start + "Content-Length: 0, 0\r\n\r\n"},
      {400, start + "Content-Length: 0x10\r\n\r\n"},
      {400, start + "Content-Length: 18446744073709551617\r\n\r\n"},
      {400, start + "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n"},
      {400, start + "Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n"},
      {400, start + "Transfer-Encoding: chunked\r\n\r\n1\r\naXX0\r\n\r\n"},
      {400, start + "Transfer-Encoding: chunked\r\n\r\n0\n\n"},
      {400, start + "Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n"},
      {400, start + "Transfer-Encoding: chunked\r\n\r\n1;" + std::string(5000, 'e')},
      {400, start + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: " + std::string(5000, 'e')},
      {400, "GET / HTTP/1.1\r\n\r\n"},
      {400, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
      {400, "GET http://other/ HTTP/1.1\r\nHost: a\r\n\r\n"},
      {400, "GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n"},
      {400, "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"},
      {417, start + "Expect: 200-ok\r\nContent-Length: 1\r\n\r\n"},
      {431, start + "X: " + std::string(17'000, 'x') + "\r\n\r\n"},
      {501, "CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n"},
      {505, "GET / HTTP/3.0\r\nHost: a\r\n\r\n"},
  };
  const proxied setup(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  for (const auto& [status, bytes] : list) {
    INFO(bytes.substr(0, 200));
    wire client = setup.dial();
    client.send(bytes + smuggled);
    reader answers(client);
    const message answer = answers.next();
    CHECK(answer.status() == status);
    CHECK(answer.has("Connection: close"));
    CHECK(answer.body.starts_with("{\"error\":{\"message\":"));
    CHECK(answers.next().head.empty());
    CHECK_FALSE(client.reset_seen());
  }
  CHECK(setup.up.connections() == 0);
}

TEST_CASE("a body over the limit is rejected before it is read") {
  const proxied setup(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
                      [](citestream::proxy_options& options) { options.limits.max_request_bytes = 1000; });
  const std::string start = "POST / HTTP/1.1\r\nHost: a\r\n";
  CHECK(setup.ask(start + "Content-Length: 1001\r\nExpect: 100-continue\r\n\r\n").status() == 413);
  CHECK(setup.ask(start + "Transfer-Encoding: chunked\r\n\r\n" + chunk(std::string(1001, 'b'))).status() ==
        413);
  CHECK(setup.up.connections() == 0);
  CHECK(setup.ask(start + "Content-Length: 1000\r\n\r\n" + std::string(1000, 'b')).status() == 200);
}

TEST_CASE("a client gets 100 Continue after its head was checked") {
  const proxied setup(answer_all(ok_answer));
  wire client = setup.dial();
  reader answers(client);
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  CHECK(answers.next().head == "HTTP/1.1 100 Continue\r\n\r\n");
  CHECK(setup.up.connections() == 0);
  client.send("abc");
  CHECK(answers.next().body == "ok");
}

TEST_CASE("an error response after a HEAD request has its body") {
  const proxied setup(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"));
  wire client = setup.dial();
  reader answers(client);
  client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(answers.next(true).status() == 200);
  client.send("GET / HTTP/1.1\n");
  const message refused = answers.next();
  CHECK(refused.status() == 400);
  CHECK(refused.body.starts_with("{\"error\":"));
}

TEST_CASE("one empty line before a request is skipped for every cut and a second is not") {
  const proxied setup(answer_all(ok_answer));
  wire client = setup.dial();
  reader answers(client);
  for (const char& byte : "\r\n" + get_request) {
    client.send({&byte, 1});
    std::this_thread::yield();
  }
  CHECK(answers.next().body == "ok");
  client.send("\r\n");
  client.send("\r\n" + get_request);
  CHECK(answers.next().status() == 400);
}

TEST_CASE("pipelined bytes are read up to a limit while an answer is running") {
  gate flooded;
  const proxied setup(
      [&](wire& client, int) {
        reader requests(client);
        requests.next();
        flooded.wait();
        client.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
        requests.next();
        client.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
        client.read_all();
      },
      // The second body may take a while on a busy machine, while its connection is idle.
      [](citestream::proxy_options& options) { options.pool.max_idle_time = patience; });
  wire client = setup.dial();
  client.send(get_request + "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000000\r\n\r\n");
  const std::string piece(64 * 1024, 'b');
  std::size_t taken = 0;
  const auto send_some = [&] {
    const std::size_t sent = client.send_some(std::string_view(piece).substr(0, 60'000'000 - taken));
    taken += sent;
    return sent != 0;
  };
  stillness still;
  while (!still.after(send_some()) && taken < 60'000'000) {
  }
  CHECK(taken < 30'000'000);  // most of it in the kernel's buffers
  flooded.open();
  reader answers(client);
  CHECK(answers.next().body == "first");
  client.send(std::string(60'000'000 - taken, 'b'));
  CHECK(answers.next().body == "second");
}

TEST_CASE("a slow request head gets 408 while other clients are served") {
  const proxied setup(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
                      [](citestream::proxy_options& options) {
                        options.deadlines.client_head = milliseconds(1000);
                        options.threads = 1;
                      });
  wire slow = setup.dial();
  wire slower = setup.dial();
  wire served = setup.dial();
  slow.send("GET / HTTP/1.1\r\nHos");
  slower.send("G");
  served.send(get_request);
  reader served_answers(served);
  CHECK(served_answers.next().status() == 200);
  served.send("\r");
  CHECK(setup.ask(get_request).status() == 200);
  reader answers(slow);
  CHECK(answers.next().status() == 408);
  CHECK(slow.read_some().empty());
  reader slower_answers(slower);
  CHECK(slower_answers.next().status() == 408);
  CHECK(served_answers.next().status() == 408);
}

TEST_CASE("an idle connection is closed without a response") {
  const proxied setup(
      answer_all("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
      [](citestream::proxy_options& options) { options.deadlines.client_idle = milliseconds(100); });
  wire client = setup.dial();
  CHECK(client.read_all().empty());
}

TEST_CASE("an empty line after a body does not begin a request") {
  const proxied setup(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
                      [](citestream::proxy_options& options) {
                        options.deadlines.client_idle = milliseconds(100);
                        options.deadlines.client_head = 10 * patience;
                      });
  wire client = setup.dial();
  client.send(chat_request + "\r\n");
  CHECK(reader(client).next().status() == 200);
  CHECK(client.read_all().empty());
}

TEST_CASE("a port in use is reported in one line") {
  const proxied setup(answer_all(""));
  citestream::proxy_options options;
  options.listen.addresses = "127.0.0.1:" + std::to_string(setup.up.port());
  options.upstream.url = "http://127.0.0.1:1";
  citestream::proxy_server second(options);
  const std::string why = second.start();
  CHECK(why.find(options.listen.addresses) != std::string::npos);
  CHECK(why.find('\n') == std::string::npos);
}
