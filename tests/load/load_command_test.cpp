// The command line of `citestream load` and its messages.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "loaded.hpp"
#include "support/lines.hpp"
#include "support/proxied.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;

TEST_CASE("invalid options of load are rejected in one line") {
  const auto refused = [](std::vector<std::string> arguments, const std::string& expected) {
    arguments.insert(arguments.begin(), "load");
    const run_result got = run(arguments);
    CHECK(got.code == 2);
    CHECK(got.out.empty());
    CHECK(got.err == "citestream: load: " + expected + " (see citestream load --help)\n");
  };
  refused({}, "--url is required");
  refused({"--url", "ftp://a"}, "--url: 'ftp://a' is not an http or https URL");
  refused({"--url", "http://user:secret@a"}, "--url: the URL must not contain a user, a query or a fragment");
  refused({"--url", "http://a?b c"}, "--url: the query of the URL has a character that URLs cannot have");
  refused({"--url", "http://a", "--header", "content-length: 3"},
          "--header: load itself sets content-length");
  refused({"--url", "a b"}, "--url: 'a b' is not an http or https URL");
  for (const char* name : {"--streams", "--count", "--read-every"}) {
    for (const std::string value : {"0", "-1", "x", "1.5"}) {
      refused({"--url", "http://a", std::string(name) + "=" + value},
              std::string(name) + ": '" + value + "' is not a whole number of at least 1");
    }
  }
  for (const std::string header : {"", "x", ": x", "a b: x", "N\u00e4me: x", "a: x\r\nb: y"}) {
    const run_result got = run({"load", "--url", "http://a", "--header=" + header});
    CHECK(got.code == 2);
    CHECK(lines_of(got.err).size() == 1);
  }
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{"--duration", "-1"},
                                                                                     {"--duration", "x"},
                                                                                     {"--to", "xml"},
                                                                                     {"--repair"},
                                                                                     {"--markers", "none"},
                                                                                     {"--dialect", "x"}}) {
    std::vector<std::string> arguments{"load", "--url", "http://a"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    CHECK(run(arguments).code == 2);
  }
}

TEST_CASE("an unreachable server or unreadable file fails in one line") {
  const auto failed = [](std::vector<std::string> arguments, const std::string& expected) {
    arguments.insert(arguments.begin(), "load");
    const run_result got = run(arguments);
    CHECK(got.code == 1);
    CHECK(got.out.empty());
    CHECK(got.err.find("citestream: load: " + expected) == 0);
    CHECK(lines_of(got.err).size() == 1);
  };
  failed({"--url", "http://127.0.0.1:1", "--requests", "/no/such"}, "/no/such: No such file or directory\n");
  const scratch_file broken("broken.jsonl", "{}\n{\n");
  failed({"--url", "http://127.0.0.1:1", "--requests", broken.path()}, broken.path() + ": line 2: ");
  failed({"--url", "http://no-such-host.invalid"}, "cannot resolve no-such-host.invalid: ");
  failed({"--url", "https://127.0.0.1:1", "--ca-file", "/no/such"},
         "cannot read certificates from /no/such: ");
}

TEST_CASE("the table has counts and latencies and faults") {
  const loopback::upstream up(
      loopback::answer_all(loopback::event_stream_head +
                           loopback::chunk(loopback::delta("[A](f1)") + loopback::finish()) + "0\r\n\r\n"));
  const run_result got = run({"load", "--url", up.url(), "--streams", "2", "--count", "4"});
  CHECK(got.code == 1);
  CHECK(got.err.empty());  // no progress without a terminal
  CHECK(got.out.find("4 answers, 4 wrong, 8 events; 2 streams, at most ") == 0);
  CHECK(got.out.find("\nfirst byte              4 ") != std::string::npos);
  CHECK(got.out.ends_with("\nwrong: marker in 4 answers; the first: [A](f1)\n"));
}
