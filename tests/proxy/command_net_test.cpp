// The binary: `citestream proxy` as users start it.
#include <citestream/chunk/document.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <catch2/catch.hpp>

#include "support/child.hpp"
#include "support/lines.hpp"
#include "support/loopback_tls.hpp"
#include "support/proxied.hpp"
#include "support/rounds.hpp"
#include "support/scratch_folder.hpp"

using namespace loopback;
using citestream_tests::scratch_folder;

namespace {

/// One run of the proxy.
class command : public citestream_tests::child {
 public:
  explicit command(std::vector<std::string> arguments, unsigned max_files = 0)
      : child((arguments.insert(arguments.begin(), "proxy"), arguments), max_files, true) {}

  [[nodiscard]] std::size_t threads() const {
    const std::filesystem::directory_iterator tasks("/proc/" + std::to_string(process()) + "/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
  }
  /// Resident memory of the process.
  [[nodiscard]] std::size_t resident_bytes() const {
    std::ifstream file("/proc/" + std::to_string(process()) + "/statm");
    std::size_t all = 0;
    std::size_t resident = 0;
    file >> all >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  }
  /// Number of open file descriptors below \p bound. The process may inherit others.
  [[nodiscard]] unsigned open_files(unsigned bound) const {
    unsigned count = 0;
    for (const auto& one :
         std::filesystem::directory_iterator("/proc/" + std::to_string(process()) + "/fd")) {
      if (std::stoul(one.path().filename()) < bound) ++count;
    }
    return count;
  }
  /// Limits further memory of the process to \p more bytes of address space.
  void leave_memory(std::size_t more) const {
    std::ifstream file("/proc/" + std::to_string(process()) + "/statm");
    std::size_t all = 0;
    file >> all;
    const rlim_t bound = all * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + more;
    const rlimit memory{bound, bound};
    if (::prlimit(process(), RLIMIT_AS, &memory, nullptr) != 0)
      throw std::runtime_error("no bound on memory");
  }
  /// The port in the line with the address on which it listens.
  std::uint16_t port() {
    const std::string line = next_line();
    said_ = line;
    return port_after("listening on http://127.0.0.1:", line);
  }
  [[nodiscard]] const std::string& said() const noexcept { return said_; }
  /// The lines of the log on standard error.
  [[nodiscard]] std::string whole_log() { return log_ + other_errors(); }
  /// The TLS port. Call after port().
  [[nodiscard]] std::uint16_t tls_port() const { return port_after("https://127.0.0.1:", said_); }
  /// The admin port. Call after port().
  std::uint16_t admin_port() { return port_after("administration on http://127.0.0.1:", next_line()); }

 private:
  /// The next line that is not of the log, which is written by another thread.
  std::string next_line() {
    std::string line = error_line();
    for (; line.starts_with("time="); line = error_line()) log_ += line + "\n";
    return line;
  }
  static std::uint16_t port_after(const std::string& mark, const std::string& line) {
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) throw std::runtime_error("said: " + line);
    return static_cast<std::uint16_t>(std::atoi(line.c_str() + at + mark.size()));
  }

  std::string said_;
  std::string log_;
};

/// Sends the start of a stream, then waits until the proxy closes the connection.
const upstream::script start_stream = answer_and_wait(event_stream_head + chunk(delta("one")));

/// Sends a stream in two parts, the second when the gate opens. Answers GET requests with another body.
upstream::script answer_or_stream(gate& go_on) {
  return [&go_on](wire& client, int) {
    reader requests(client);
    if (requests.next().head.starts_with("GET")) {
      client.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nfirst");
      return;
    }
    client.send(event_stream_head + chunk(delta("one")));
    go_on.wait();
    client.send(chunk(delta(" two") + finish() + done) + "0\r\n\r\n");
    requests.next();
  };
}

#ifndef CITESTREAM_TESTS_SANITIZED
/// Sends an endless chunk until the peer closes the connection.
void pour(wire& to) {
  constexpr int most = 1024;  // MiB
  const std::string part = chunk(std::string(1 << 20, 'x'));
  for (int i = 0; i < most && to.send(part); ++i) {
  }
}

/// Sends \p event repeatedly until the peer has not read anything for a while.
void push_until_stuck(wire& to, const std::string& event) {
  std::string_view rest = event;
  stillness still;
  for (std::size_t sent = to.send_some(rest); !still.after(sent != 0); sent = to.send_some(rest)) {
    rest.remove_prefix(sent);
    if (rest.empty()) rest = event;
  }
}

/// Bytes in the kernel's buffers for a proxy.
struct queued_bytes {
  std::size_t unsent{};  ///< to its clients
  std::size_t unread{};  ///< from its upstream
};

queued_bytes queued(std::uint16_t listening, std::uint16_t upstream_port) {
  std::ifstream table("/proc/self/net/tcp");
  std::string line;
  queued_bytes all;
  std::getline(table, line);  // titles
  while (std::getline(table, line)) {
    unsigned local{};
    unsigned remote{};
    std::size_t unsent{};
    std::size_t unread{};
    const int found =
        std::sscanf(line.c_str(), "%*d: %*8x:%x %*8x:%x 01 %zx:%zx", &local, &remote, &unsent, &unread);
    if (found == 4 && local == listening) all.unsent += unsent;
    if (found == 4 && remote == upstream_port) all.unread += unread;
  }
  return all;
}
#endif

/// The command, and a client that has received the start of an answer.
struct streaming {
  explicit streaming(const upstream& up, std::vector<std::string> more = {})
      : run(arguments(up, std::move(more))), port(run.port()), client(dial(port)), answers(client) {
    client.send(chat_request);
    REQUIRE(answers.until("one"));
  }
  static std::vector<std::string> arguments(const upstream& up, std::vector<std::string> more) {
    more.insert(more.begin(), {"--listen", "127.0.0.1:0", "--upstream", up.url()});
    return more;
  }
  command run;
  std::uint16_t port;
  wire client;
  reader answers;
};

}  // namespace

TEST_CASE("the demonstration needs an address that is not a Unix socket") {
  const scratch_folder folder;
  const std::string path = "unix:" + folder.path("demo.sock");
  command alone({"--demo", "--once", "--listen", path});
  CHECK(alone.other_errors() ==
        "citestream: proxy: --demo requires a host:port in --listen; without one, use --upstream demo: "
        "(see citestream proxy --help)\n");
  CHECK(alone.wait() == 2);
}

TEST_CASE("the demonstration prints clean text and citations and then exits") {
  const scratch_folder folder;
  command run({"--demo", "--once", "--listen", "unix:" + folder.path("demo.sock") + ",127.0.0.1:0"});
  CHECK(run.wait() == 0);
  CHECK(run.out.find("](") == std::string::npos);
  CHECK(run.out.find("The Aurora 4 delivers 12.4 kW") == 0);
  CHECK(run.out.find("\nCitations\n  [1] Aurora_4_Datasheet.pdf, page 3  (resolved)\n") != std::string::npos);
}

TEST_CASE("the command prints its address and upstream and exits on a signal") {
  const upstream up(answer_all(ok_answer));
  for (const int number : {SIGTERM, SIGINT}) {
    command run({"--listen", "127.0.0.1:0", "--upstream", up.url()});
    wire client = dial(run.port());
    CHECK(run.said().ends_with(" -> " + up.url()));
    client.send(get_request);
    CHECK(reader(client).next().body == "ok");
    run.signal(number);
    CHECK(run.wait() == 0);
  }
}

TEST_CASE("a running stream is ended with an error when the drain time is over") {
  const upstream up(start_stream);
  streaming one(up, {"--drain", "0.2"});
  one.run.signal(SIGTERM);
  const message answer = one.answers.next();
  CHECK_FALSE(answer.complete);
  CHECK(answer.body.find("\"code\":\"proxy_shutdown\"") != std::string::npos);
  one.client.close();
  CHECK(one.run.wait() == 0);
}

TEST_CASE("a second signal does not wait for running streams") {
  const upstream up(start_stream);
  streaming one(up, {"--drain", "600"});
  one.run.signal(SIGTERM);
  // The first signal has been handled when new connections are refused.
  CHECK(eventually([&] {
    try {
      const wire late = dial(one.port);
      return false;
    } catch (const std::exception&) {
      return true;
    }
  }));
  one.run.signal(SIGTERM);
  CHECK(one.run.wait() == 1);
}

TEST_CASE("SIGHUP reopens the log while the proxy drains") {
  const scratch_folder directory;
  const std::string log = directory.path("log");
  const upstream up(start_stream);
  streaming one(up, {"--drain", "600", "--log-file", log});
  one.run.signal(SIGTERM);
  CHECK(eventually([&] { return directory.read("log").find("draining") != std::string::npos; }));
  std::filesystem::rename(log, log + ".1");
  one.run.signal(SIGHUP);
  CHECK(eventually([&] { return directory.read("log").find("log reopened") != std::string::npos; }));
  one.run.signal(SIGTERM);
  CHECK(one.run.wait() == 1);
}

TEST_CASE("a limit of file descriptors that is too low for max_connections is reported") {
  const upstream up(answer_all(""));
  const auto lines_with = [&](const char* connections) {
    command run({"--listen", "127.0.0.1:0", "--upstream", up.url(), "--max-connections", connections}, 64);
    run.port();
    run.signal(SIGTERM);
    CHECK(run.wait() == 0);
    return run.other_errors();
  };
  CHECK(lines_with("100").find("max_connections is 100 and each may need 2 file descriptors, but only 64") !=
        std::string::npos);
  CHECK(lines_with("32").find("descriptors") == std::string::npos);
}

TEST_CASE("SIGHUP does not stop the proxy") {
  gate go_on;
  const upstream up([&](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
      client.send(event_stream_head + chunk(delta("one")));
      go_on.wait();
      client.send(chunk(delta(" two") + finish() + done) + "0\r\n\r\n");
    }
  });
  streaming one(up);
  one.run.signal(SIGHUP);
  go_on.open();
  const message answer = one.answers.next();
  CHECK(answer.complete);
  CHECK(text_of(answer.body) == "one two");
  one.client.send(get_request);
  CHECK(one.answers.until("200"));  // still there
  one.run.signal(SIGTERM);
  CHECK(one.run.wait() == 0);
}

TEST_CASE("SIGHUP applies a changed configuration and rejects an invalid one") {
  const upstream up(
      answer_all(event_stream_head + chunk(delta("A [x](f1)") + delta(".") + finish() + done) + "0\r\n\r\n"));
  const scratch_folder files;
  const std::string path = files.path("citestream.toml");
  const auto write = [&](const std::string& style) {
    std::ofstream(path) << "upstream = \"" << up.url() << "\"\nlisten = \"127.0.0.1:0\"\n" << style << "\n";
  };
  write("style = \"keep\"");
  command run({"--config", path});
  const std::uint16_t port = run.port();
  const auto text = [&] {
    wire client = dial(port);
    client.send(chat_request);
    return text_of(reader(client).next().body);
  };
  CHECK(text() == "A [x](f1).");
  write("style = \"numeric\"");
  run.signal(SIGHUP);
  CHECK(eventually([&] { return text() == "A [1]."; }));
  write("style = \"bold\"");
  run.signal(SIGHUP);
  CHECK(text() == "A [1].");
  run.signal(SIGTERM);
  CHECK(run.other_errors().find(path + ":3: style: 'bold' is not one of auto, strip, keep") !=
        std::string::npos);
  CHECK(run.wait() == 0);
}

TEST_CASE("the log has the reason for which the TLS handshake of a client failed") {
  const scratch_folder files;
  const std::string cert = files.path("cert.pem");
  authority().issue("DNS:localhost", cert);
  command run({"--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0", "--tls-cert", cert, "--upstream",
               "http://127.0.0.1:9"});
  run.port();
  wire plain = dial(run.tls_port());
  plain.send(get_request);
  plain.read_all();
  run.signal(SIGTERM);
  CHECK(run.wait() == 0);
  CHECK(run.whole_log().find("failed: http request (1 since the last message)") != std::string::npos);
}

TEST_CASE("after SIGHUP new clients get the new certificate and a stream continues") {
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL's own writes, in the clients
  const scratch_folder files;
  const std::string cert = files.path("cert.pem");
  const authority first;
  first.issue("DNS:localhost", cert);
  gate go_on;
  const upstream up(answer_or_stream(go_on));
  command run({"--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0", "--tls-cert", cert, "--upstream",
               up.url(), "--threads", "2"});
  run.port();
  const std::uint16_t port = run.tls_port();
  const auto let_in_by = [&](const authority& trusted) {
    try {
      for (int i = 0; i < 8; ++i) tls_client(trusted, port);  // in every event loop
      return true;
    } catch (const std::exception&) {
      return false;
    }
  };
  tls_client old(first, port);
  old.send(chat_request);
  std::string all;
  REQUIRE(old.read_until("one", all));
  CHECK(let_in_by(first));
  const authority second;
  second.issue("DNS:localhost", cert);
  CHECK(let_in_by(first));  // not before the signal
  run.signal(SIGHUP);
  CHECK(eventually([&] { return let_in_by(second); }));
  CHECK_FALSE(let_in_by(first));
  go_on.open();
  REQUIRE(old.read_until("0\r\n\r\n", all));
  CHECK(text_of(all) == "one two");
  run.signal(SIGTERM);
  CHECK(run.wait() == 0);
}

TEST_CASE("a second process takes over both ports and the stream of the first completes") {
  gate go_on;
  const upstream old_model(answer_or_stream(go_on));
  const upstream new_model(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew"));
  streaming old(old_model, {"--admin", ":0"});
  const std::string same = "127.0.0.1:" + std::to_string(old.port);
  const std::uint16_t admin = old.run.admin_port();
  command fresh(
      {"--listen", same, "--upstream", new_model.url(), "--admin", "127.0.0.1:" + std::to_string(admin)});
  CHECK(fresh.port() == old.port);
  CHECK(fresh.admin_port() == admin);
  old.run.signal(SIGTERM);
  const auto all_new = [&] {
    try {
      for (int i = 0; i < 20; ++i) {
        wire client = dial(old.port);
        client.send(get_request);
        if (reader(client).next().body != "new") return false;
      }
    } catch (
        const std::runtime_error&) {  // the kernel resets connections that arrive as the old socket closes
      return false;
    }
    return true;
  };
  CHECK(eventually(all_new));
  go_on.open();
  const message answer = old.answers.next();
  CHECK(answer.complete);
  CHECK(text_of(answer.body) == "one two");
  old.client.close();
  CHECK(old.run.wait() == 0);
  wire asking = dial(admin);
  asking.send("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(reader(asking).next().body == "ready\n");
  fresh.signal(SIGTERM);
  CHECK(fresh.wait() == 0);
  const std::string announced = "another process is listening on ";
  const std::string log = fresh.whole_log();
  CHECK(log.find(announced + "http://" + same + "; connections are shared") != std::string::npos);
  CHECK(log.find(announced + "127.0.0.1:" + std::to_string(admin) + " (admin)") != std::string::npos);
  CHECK(old.run.whole_log().find(announced) == std::string::npos);
}

TEST_CASE("SIGHUP changes the drain time and the log reports a bad configuration") {
  const upstream up(start_stream);
  const scratch_folder files;
  const std::string path = files.path("c.toml");
  const auto write = [&](const std::string& line) {
    std::ofstream(path) << "listen = \"127.0.0.1:0\"\nupstream = \"" << up.url() << "\"\nlog_file = \""
                        << files.path("log") << "\"\n"
                        << line << "\n";
  };
  const auto logged = [&](const std::string& what) {
    return eventually([&] { return files.read("log").find(what) != std::string::npos; });
  };
  write("drain = 600");
  command run({"--config", path});
  wire client = dial(run.port());
  client.send(chat_request);
  reader answers(client);
  REQUIRE(answers.until("one"));
  write("drain = 0.2\nlog_format = \"json\"\nstyle = \"bold\"");
  run.signal(SIGHUP);
  CHECK(logged("not reloaded: " + path + ":6: style: 'bold' is not one of"));
  write("drain = 0.2\nlog_format = \"json\"");
  run.signal(SIGHUP);
  CHECK(logged("\"message\":\"configuration and certificates reloaded\""));
  run.signal(SIGTERM);
  CHECK(answers.next().body.find("\"code\":\"proxy_shutdown\"") != std::string::npos);
  client.close();
  CHECK(run.wait() == 0);
}

TEST_CASE("a reload is reported on standard error if the log is off or a file") {
  const upstream up(answer_all(""));
  const scratch_folder files;
  const std::string path = files.path("c.toml");
  const auto write = [&](const std::string& log) {
    std::ofstream(path) << "listen = \"127.0.0.1:0\"\nupstream = \"" << up.url() << "\"\n" << log << "\n";
  };
  const auto reload = [&](const std::string& from, const std::string& to) {
    write(from);
    command run({"--config", path});
    run.port();
    write(to);
    run.signal(SIGHUP);
    run.signal(SIGTERM);  // taken after SIGHUP, which has the smaller number
    CHECK(run.wait() == 0);
    return run.other_errors();
  };
  const std::string told =
      "citestream: configuration and certificates reloaded\ncitestream: changes that need a restart: ";
  CHECK(reload("log_level = \"off\"", "log_level = \"info\"") == told + "log_level\n");
  const std::string file = "log_file = \"" + files.path("log") + "\"";
  CHECK(reload(file, file + "\nthreads = 3") == told + "threads\n");
  CHECK(files.read("log").find("message=\"changes that need a restart: threads\"") != std::string::npos);
}

TEST_CASE("with log_format json every line is JSON and no message is written twice") {
  const upstream up(answer_all(ok_answer));
  const scratch_folder files;
  const std::string path = files.path("c.toml");
  const std::string good =
      "listen = \"127.0.0.1:0\"\nlog_format = \"json\"\nupstream = \"" + up.url() + "\"\n";
  std::ofstream(path) << good;
  command run({"--config", path, "--admin", ":0"});
  std::vector<std::string> lines;
  const auto read_until = [&](const std::string& what) {
    do {
      lines.push_back(run.error_line());
    } while (!lines.back().empty() && lines.back().find(what) == std::string::npos);
    return lines.back();
  };
  const std::string start = read_until("\"message\":\"listening on http://127.0.0.1:");
  REQUIRE_FALSE(start.empty());
  read_until("\"message\":\"administration on http://127.0.0.1:");
  const std::size_t at = start.find("127.0.0.1:") + 10;
  wire client = dial(static_cast<std::uint16_t>(std::atoi(start.c_str() + at)));
  client.send(get_request);
  CHECK(reader(client).next().body == "ok");
  read_until("\"request_id\":");
  std::ofstream(path) << good << "style = \"bold\"\n";
  run.signal(SIGHUP);
  read_until("not reloaded: " + path + ":4: style: 'bold' is not one of");
  std::ofstream(path) << good;
  run.signal(SIGHUP);
  read_until("\"message\":\"configuration and certificates reloaded\"");
  client.close();
  run.signal(SIGTERM);
  CHECK(run.wait() == 0);
  for (const std::string& line : citestream_tests::lines_of(run.other_errors())) lines.push_back(line);
  CHECK(lines.size() == 6);
  for (const std::string& line : lines) {
    INFO(line);
    citestream::document json;
    CHECK_FALSE(json.parse(line));
    CHECK(json.root()["time"].kind() == citestream::json_kind::string);
  }
}

TEST_CASE("with log_format json an error at the start is JSON") {
  const upstream up(answer_all(""));
  const std::string taken = "127.0.0.1:" + std::to_string(up.port());
  const scratch_folder files;
  const std::string bad = files.path("c.toml");
  std::ofstream(bad) << "log_format = \"json\"\nupstream = \"demo:\"\nstyle = \"bold\"\n";
  for (const auto& [arguments, what] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--listen", taken, "--upstream", "http://127.0.0.1:1", "--log-format", "json"}, taken},
           {{"--config", bad}, ":3: style: 'bold' is not one of"}}) {
    command run(arguments);
    const std::string line = run.other_errors();
    CHECK(run.wait() == 1);
    INFO(line);
    citestream::document json;
    CHECK_FALSE(json.parse(line));
    CHECK(json.root()["message"].string().find(what) != std::string::npos);
  }
}

TEST_CASE("without the option threads each usable CPU has an event loop") {
  cpu_set_t all;
  REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
  std::size_t cpu = 0;
  while (!CPU_ISSET(cpu, &all)) ++cpu;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  const auto threads_of = [](std::vector<std::string> more) {
    std::vector<std::string> arguments{"--listen", "127.0.0.1:0", "--upstream", "http://127.0.0.1:9"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    command run(arguments);
    static_cast<void>(run.port());  // it is serving
    return run.threads();
  };
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);  // also for the programs started from here
  const std::size_t limited = threads_of({});
  REQUIRE(::sched_setaffinity(0, sizeof all, &all) == 0);
  CHECK(limited == threads_of({"--threads", "1"}));
  CHECK(limited + 1 == threads_of({"--threads", "2"}));
}

TEST_CASE("a proxy without free file descriptors recovers when some are closed") {
  const upstream up(answer_all(ok_answer));
  // Without a log: sanitizers need a descriptor when they check the type of an object for the first time.
  command run({"--listen", "127.0.0.1:0", "--upstream", up.url(), "--threads", "1", "--log-level", "off",
               "--admin", ":0"},
              44);
  const std::uint16_t port = run.port();
  const std::uint16_t admin = run.admin_port();
  {
    wire first = dial(port);  // starts the thread that looks up names: sanitizers open files for that
    first.send(get_request);
    CHECK(reader(first).next().body == "ok");
  }
  std::vector<wire> crowd;
  for (int i = 0; i < 60; ++i) crowd.push_back(dial(port));
  wire late = dial(port);
  late.send(get_request);
  CHECK_FALSE(late.readable(milliseconds(200)));
  for (int i = 0; i < 10; ++i) {
    wire check = dial(admin);
    check.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(reader(check).next().status() == 200);
  }
  const auto refused = [&] {
    wire asking = dial(admin);
    asking.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string metrics = reader(asking).next().body;
    const std::string name = "\ncitestream_refused_total{bound=\"descriptors\"} ";
    const std::size_t at = metrics.find(name);
    REQUIRE(at != std::string::npos);
    return std::atoi(metrics.c_str() + at + name.size());
  };
  const int before = refused();
  CHECK(before > 0);
  CHECK_FALSE(late.readable(milliseconds(400)));
  CHECK(refused() <=
        before + 1);  // accept() was tried four times; the connection of refused() made room once
  crowd.clear();
  CHECK(reader(late).next().body == "ok");
}

TEST_CASE("a request without a descriptor for its upstream gets 503 with Retry-After") {
  gate measured;
  const upstream up([&](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(event_stream_head + chunk(delta("one")));
    measured.wait();
  });
  constexpr unsigned max_files = 64;
  command run({"--listen", "127.0.0.1:0", "--upstream", up.url(), "--threads", "1", "--log-level", "off"},
              max_files);
  const std::uint16_t port = run.port();
  wire accepted = dial(port);
  std::vector<wire> streams;
  bool full = false;
  while (!full) {
    streams.push_back(dial(port));
    streams.back().send(chat_request);
    CHECK(eventually([&] {
      full = run.open_files(max_files) == max_files;
      return full || streams.back().readable(milliseconds(0));
    }));
  }
  accepted.send(chat_request);
  const message answer = reader(accepted).next();
  measured.open();
  CHECK(answer.status() == 503);
  CHECK(answer.field("Retry-After") == "1");
  CHECK(answer.body.find("too_many_connections") != std::string::npos);
}

TEST_CASE("flags select the changes made to requests") {
  kept_requests heard;
  const upstream up(heard.script());
  const std::string body =
      R"({"messages":[{"role":"function","name":"a","content":"x"},{"role":"function","name":"b","content":"y"},)"
      R"({"role":"function","name":"c","content":"z"}],"tools":[{"type":"graph","function":{}}]})";
  const auto sent = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--listen", "127.0.0.1:0", "--upstream", up.url()});
    command run(arguments);
    wire client = dial(run.port());
    client.send("POST /v1/chat HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
    CHECK(reader(client).next().body == "ok");
    return heard.last().body;
  };
  CHECK(sent({}) == body);
  CHECK(sent({"--provenance"}).starts_with(R"({"messages":[{"role":"system","content":"How to cite)"));
  CHECK(
      sent({"--provenance", "--no-citation-instructions", "--provenance-agents", "b,c"}) ==
      R"({"messages":[{"role":"function","name":"a","content":"[REF|d_1]\nx"},)"
      R"({"role":"function","name":"b","content":"[REF|a_2]\ny"},)"
      R"({"role":"function","name":"c","content":"[REF|a_3]\nz"}],"tools":[{"type":"graph","function":{}}]})");
  CHECK(
      sent({"--provenance", "--no-citation-instructions", "--provenance-tools", "b"}).find("[REF|d_1]\\ny") !=
      std::string::npos);
  CHECK(sent({"--provenance", "--no-citation-instructions", "--provenance-tools", "b"}).find("[REF|d_2]") ==
        std::string::npos);
  const std::string by_content =
      sent({"--provenance", "--no-citation-instructions", "--provenance-keys", "content"});
  CHECK(by_content.find("[REF|d_1]") == std::string::npos);
  CHECK(by_content.find("[REF|d_") != std::string::npos);
  std::string asking = body;
  asking.insert(asking.rfind("{}") + 1, R"("query_config":{"inline_citations":true})");
  CHECK(sent({"--inline-citations"}) == asking);
}

TEST_CASE("a flag and a route of the file set the egress allowlist") {
  const std::string body = delta("See ![a](https://evil.exa") +
                           delta("mple/q) ![b](https://ok.example/b) ![c](https://a.b.example/c)") +
                           finish() + done;
  const upstream up(answer_all(event_stream_head + chunk(body) + "0\r\n\r\n"));
  const std::string allowed = "![b](https://ok.example/b) ![c](https://a.b.example/c)";
  const std::string record = R"("egress":[{"choice":0,"kind":"image","reason":"not_allowed")";
  const auto check = [&](std::uint16_t port, const std::string& path, const std::string& mode) {
    INFO(path << ' ' << mode);
    wire client = dial(port);
    client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    const message answer = reader(client).next();
    CHECK(text_of(answer.body) == (mode == "enforce" ? "See ![a]\\\\(https[://]evil[.]example/q) "
                                                     : "See ![a](https://evil.example/q) ") +
                                      allowed);
    CHECK((answer.body.find(record) == std::string::npos) == (mode == "off"));
    CHECK((answer.body.find("evil.exa") == std::string::npos) == (mode == "enforce"));
  };
  for (const std::string mode : {"off", "report", "enforce"}) {
    command run({"--listen", "127.0.0.1:0", "--upstream", up.url(), "--egress", mode, "--egress-allow",
                 "https://ok.example,https://*.b.example"});
    check(run.port(), "/v1/chat", mode);
  }
  const scratch_folder files;
  std::ofstream(files.path("c.toml"))
      << "listen = \"127.0.0.1:0\"\nupstream = \"" << up.url() << "\"\negress = \"report\"\n"
      << "egress_allow = [\"https://ok.example\", \"https://*.b.example\"]\n"
      << "[[routes]]\n[[routes]]\npath = \"/strict\"\negress = \"enforce\"\n";
  command run({"--config", files.path("c.toml")});
  const std::uint16_t port = run.port();
  check(port, "/v1/chat", "report");
  check(port, "/strict/v1/chat", "enforce");
}

TEST_CASE("a port in use is one line and exit code 1 and wrong usage is exit code 2") {
  const upstream up(answer_all(""));
  const std::string taken = "127.0.0.1:" + std::to_string(up.port());
  command busy({"--listen", taken, "--upstream", "http://127.0.0.1:1"});
  const std::string errors = busy.other_errors();
  CHECK(busy.wait() == 1);
  CHECK(errors.find(taken) != std::string::npos);
  CHECK(errors.find('\n') == errors.size() - 1);
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{},
                                             {"--upstream", "ftp://a"},
                                             {"--upstream", up.url(), "--listen", "abc"},
                                             {"--upstream", up.url(), "--listen", "127.0.0.1:99999"},
                                             {"--demo", "--listen", "127.0.0.1:"},
                                             {"--once", "--upstream", "demo:"},
                                             {"--upstream", "demo:", "--no-citation-instructions"},
                                             {"--upstream", "demo:", "--provenance-agents", "a"},
                                             {"--upstream", "demo:", "--admin", "nowhere"},
                                             {"--upstream", "demo:", "--log-level", "loud"},
                                             {"--upstream", "demo:", "--log-format", "xml"},
                                             {"--upstream", "demo:", "--record-max-files", "0"},
                                             {"--upstream", "demo:", "--style", "x"},
                                             {"--upstream", "demo:", "--bypass=false"},
                                             {"--upstream", "demo:", "--provenance=maybe"}}) {
    command run(wrong);
    const std::string said = run.other_errors();
    CHECK(run.wait() == 2);
    CHECK(said.find('\n') == said.size() - 1);
  }
}

TEST_CASE("SIGHUP reopens the log and the admin address is printed") {
  const upstream up(answer_all(ok_answer));
  const scratch_folder directory;
  const std::string log = directory.path("log");
  command run({"--listen", "127.0.0.1:0", "--upstream", up.url(), "--log-file", log, "--log-format", "json",
               "--admin", ":0"});
  wire client = dial(run.port());
  reader answers(client);
  const auto ask = [&] {
    client.send(get_request);
    CHECK(answers.next().body == "ok");
  };
  ask();
  CHECK(eventually([&] { return !directory.read("log").empty(); }));
  std::filesystem::rename(log, log + ".1");
  run.signal(SIGHUP);
  CHECK(eventually([&] {
    ask();
    return !directory.read("log").empty();
  }));
  run.signal(SIGTERM);
  CHECK(run.other_errors().find("\"message\":\"administration on http://127.0.0.1:") != std::string::npos);
  CHECK(run.wait() == 0);
  CHECK(directory.read("log").find("\"message\":\"draining: no new requests are accepted") !=
        std::string::npos);
}

TEST_CASE("flags limit the memory of an answer and the next request is served") {
  const std::string event = delta(std::string(3000, 'x') + " [a](f1)");
  const std::string json =
      "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"" + std::string(3000, 'x') + " [a](f1)\"}}]}";
  const std::string json_head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
  const upstream up([&](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
      if (one.head.starts_with("POST /event")) {
        client.send(event_stream_head + chunk(event + finish() + done) + "0\r\n\r\n");
      } else if (one.head.starts_with("POST /chunked")) {
        client.send(json_head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(json) + "0\r\n\r\n");
      } else if (one.head.starts_with("POST /body")) {
        client.send(json_head + "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json);
      } else {
        client.send(event_stream_head +
                    chunk(delta("One [Annual report.pdf") + delta("](f1) [a](f1).") + finish() + done) +
                    "0\r\n\r\n");
      }
    }
  });
  const std::vector<std::string> bounds{"--max-event-bytes",  "1000", "--max-body-bytes", "2000",
                                        "--max-marker-bytes", "16"};
  for (const bool bounded : {true, false}) {
    std::vector<std::string> arguments{"--listen", "127.0.0.1:0", "--upstream", up.url()};
    if (bounded) arguments.insert(arguments.end(), bounds.begin(), bounds.end());
    command run(arguments);
    wire client = dial(run.port());
    reader answers(client);
    for (const std::string path : {"/event", "/chunked", "/body"}) {
      INFO(path);
      client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
      const message got = answers.next();
      CHECK(got.complete);
      const bool passed = got.body.find(path == "/event" ? event : json) != std::string::npos;
      CHECK(passed == bounded);
      CHECK((got.body.find("xx [a](f1)\"") != std::string::npos) == bounded);
      client.send("POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
      CHECK(text_of(answers.next().body) == (bounded ? "One [Annual report.pdf](f1)." : "One."));
    }
  }
}

#ifndef CITESTREAM_TESTS_SANITIZED  // sanitizers need additional memory
TEST_CASE("a request that runs out of memory fails alone and is logged and counted") {
  gate go_on;
  const upstream up([&](wire& client, int) {
    reader requests(client);
    message asked = requests.next();
    for (; asked.head.starts_with("POST /v1"); asked = requests.next()) {
      client.send(event_stream_head + chunk(delta("one")));
      go_on.wait();
      client.send(chunk(delta(" two") + finish() + done) + "0\r\n\r\n");
    }
    if (asked.head.empty()) return;
    const bool events = asked.head.starts_with("POST /event");
    client.send(events ? event_stream_head + chunk("data: {\"a\":\"")
                       : "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                         "Transfer-Encoding: chunked\r\n\r\n" +
                             chunk("{\"a\":\""));
    pour(client);
  });
  const std::string endless = "1000000000000";
  streaming beside(up, {"--threads", "1", "--admin", "127.0.0.1:0", "--max-event-bytes", endless,
                        "--max-body-bytes", endless, "--max-request-bytes", endless});
  const std::uint16_t admin = beside.run.admin_port();
  const auto metrics = [&] {
    wire client = dial(admin);
    client.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
    return reader(client).next().body;
  };
  CHECK(metrics().find("\ncitestream_broken_connections_total 0\n") != std::string::npos);
  beside.run.leave_memory(96 << 20);
  int number = 0;
  for (const std::string path : {"/event", "/body", "/request"}) {
    INFO(path);
    wire client = dial(beside.port);
    try {
      if (path == "/request") {
        client.send("POST /request HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
        pour(client);
      } else {
        client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
      }
      CHECK_FALSE(reader(client).next().complete);
    } catch (const std::runtime_error&) {  // a reset
    }
    const std::string counted = "\ncitestream_broken_connections_total " + std::to_string(++number) + "\n";
    CHECK(eventually([&] { return metrics().find(counted) != std::string::npos; }));
  }
  go_on.open();
  CHECK(beside.answers.until(" two"));
  wire client = dial(beside.port);
  client.send(chat_request);
  CHECK(text_of(reader(client).next().body) == "one two");
  beside.run.signal(SIGTERM);
  const std::string log = beside.run.other_errors();
  CHECK(beside.run.wait() == 0);
  CHECK(log.find("an error inside the proxy ended a connection: std::bad_alloc") != std::string::npos);
  CHECK(log.find("proxy_error") != std::string::npos);
}

TEST_CASE("a client that stopped reading costs less than 256 KiB in proxy and kernel") {
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL's own writes, in the clients
  constexpr std::size_t stuck = 32;
  const scratch_folder files;
  const authority trusted;
  trusted.issue("DNS:localhost", files.path("cert.pem"));
  for (const bool secure : {false, true}) {
    std::atomic<std::size_t> full{};
    gate measured;
    const upstream up([&](wire& client, int number) {
      reader requests(client);
      requests.next();
      client.send(event_stream_head + chunk(delta("one")));
      if (number > 0) push_until_stuck(client, chunk(delta(std::string(4000, 'x'))));
      ++full;
      measured.wait();
    });
    // Memory allocated for the first client is not counted for the others.
    streaming warm(up,
                   {"--threads", "1", "--tls-listen", "127.0.0.1:0", "--tls-cert", files.path("cert.pem")});
    const std::uint16_t port = secure ? warm.run.tls_port() : warm.port;
    const std::size_t before = warm.run.resident_bytes();
    std::vector<wire> crowd;
    std::vector<std::unique_ptr<tls_client>> secure_crowd;
    for (std::size_t i = 0; i < stuck; ++i) {
      if (secure) {
        secure_crowd.push_back(std::make_unique<tls_client>(trusted, port));
        secure_crowd.back()->send(chat_request);
      } else {
        crowd.push_back(dial(port, 16 * 1024));
        crowd.back().send(chat_request);
      }
    }
    CHECK(eventually([&] { return full == stuck + 1; }));
    CHECK(eventually([&] {
      const queued_bytes now = queued(port, up.port());
      return now.unsent / stuck > 16 * 1024 && now.unread / stuck > 16 * 1024;
    }));
    const std::size_t own = (warm.run.resident_bytes() - before) / stuck;
    const queued_bytes kernel = queued(port, up.port());
    measured.open();
    INFO("a stuck client: " << own / 1024 << " KiB resident; in the kernel " << kernel.unsent / stuck / 1024
                            << " KiB unsent, " << kernel.unread / stuck / 1024 << " KiB unread");
    // The kernel adapts the size of receive buffers. They are larger if a busy proxy reads late.
    CHECK(kernel.unsent / stuck < 128 * 1024);
    CHECK(own < 256 * 1024);  // threat 23
  }
}
#endif
