// Invalid calls of `citestream replay` and their messages.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/child.hpp"
#include "support/scratch_folder.hpp"

using citestream_tests::run;

namespace {

void check_one_line(const std::string& line, const std::string& expected) {
  CHECK(line == "citestream: replay: " + expected + "\n");
}

}  // namespace

TEST_CASE("invalid options of replay are rejected") {
  const std::string help = " (see citestream replay --help)";
  const auto refused = [&](std::vector<std::string> arguments, const std::string& expected) {
    arguments.insert(arguments.begin(), {"replay", "--demo"});
    const auto result = run(arguments);
    CHECK(result.code == 2);
    check_one_line(result.err, expected + help);
  };
  for (const std::string listen :
       {"8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x"}) {
    refused({"--listen", listen},
            "--listen: '" + listen + "' is not an address and port like 127.0.0.1:8080");
  }
  for (const std::string pace : {"fast", "-1", "1.5", "10ms"}) {
    refused({"--pace=" + pace},
            "--pace: '" + pace +
                "' is not recorded, a number of milliseconds (20) or a number of events per second (50/s)");
  }
  for (const std::string pace : {"0/s", "/s", "-1/s", "1.5/s", "x/s"}) {
    refused({"--pace=" + pace}, "--pace: '" + pace + "' is not a number of events per second, at least 1/s");
  }
  refused({"--pace", "5", "--speed", "2"}, "--speed requires --pace recorded");
  refused({"--send-times", "--split", "2"}, "--send-times cannot be used with --split or --die-after");
  refused({"--send-times", "--die-after", "2"}, "--send-times cannot be used with --split or --die-after");
  for (const std::string count : {"-1", "0", "x", "1.5", "99999999999999999999"}) {
    refused({"--split=" + count}, "--split: '" + count + "' is not a whole number of at least 1");
  }
  for (const std::string count : {"-1", "x", "1.5", "99999999999999999999"}) {
    refused({"--die-after=" + count}, "--die-after: '" + count + "' is not a whole number of at least 0");
  }
  for (const std::string host : {"256.0.0.1", "example"}) {
    refused({"--listen", host + ":0"}, "--listen: '" + host + "' is not an IP address or localhost");
  }
  refused({"--split", "-1"}, "--split: '-1' is not a whole number of at least 1");
  const auto nothing = run({"replay"});
  CHECK(nothing.code == 2);
  check_one_line(nothing.err, "no recording given; name a file or use --demo" + help);
}

TEST_CASE("a recording that cannot be replayed is named with the reason") {
  const citestream_tests::scratch_folder in;
  const auto refused = [](std::vector<std::string> arguments, const std::string& expected) {
    arguments.insert(arguments.begin(), "replay");
    const auto result = run(arguments);
    CHECK(result.code == 1);
    check_one_line(result.err, expected);
  };
  const std::string good = in.write("a.sse", "data: x\n\n");
  const std::string missing = in.path("c.sse");
  refused({good, missing}, missing + ": No such file or directory");
  const std::string bad = in.write("d.ndjson", "{\"citestream_recording\":1}\n[0]\n");
  refused({bad}, bad + ":2: not an array [seconds, \"bytes\"]");
  const std::string twin = in.write("b/a.sse", "data: y\n\n");
  refused({good, twin}, "two recordings are named a: a request can only select the first; rename one");
}

TEST_CASE("help of replay has examples") {
  const auto help = run({"replay", "--help"});
  CHECK(help.code == 0);
  CHECK(help.out.find("Examples:\n  citestream replay ") != std::string::npos);
}
