// The binary: `citestream proxy` as a person starts it.
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <catch2/catch.hpp>

#include "proxied.hpp"
#include "scratch_directory.hpp"

using namespace loopback;

namespace {

/// One run of the binary; standard error and output are read separately.
class command {
 public:
  /// \p max_files: how many file descriptors it may have; 0: as many as the test.
  explicit command(std::vector<std::string> arguments, unsigned max_files = 0) {
    arguments.insert(arguments.begin(), {CITESTREAM_BINARY, "proxy"});
    int out[2];
    int err[2];
    if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    std::vector<char*> raw;
    for (std::string& one : arguments) raw.push_back(one.data());
    raw.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(out[1], 1);
      ::dup2(err[1], 2);
      const rlimit files{max_files, max_files};
      if (max_files != 0) ::setrlimit(RLIMIT_NOFILE, &files);
      ::execv(raw[0], raw.data());
      ::_exit(127);
    }
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
  }
  ~command() {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
    static_cast<void>(wait());
    ::close(out_);
    ::close(err_);
  }
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  void signal(int number) const { ::kill(pid_, number); }
  /// The exit code; -1 where a signal ended it.
  int wait() {
    if (pid_ > 0) {
      int how = 0;
      ::waitpid(pid_, &how, 0);
      pid_ = -1;
      code_ = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    }
    return code_;
  }
  std::string output() const { return rest_of(out_); }
  std::string errors() const { return rest_of(err_); }

  /// The port of the line that says where it listens.
  std::uint16_t port() {
    std::string line;
    char byte{};
    while (::read(err_, &byte, 1) == 1 && byte != '\n') line += byte;
    said_ = line;
    const std::string mark = "citestream: listening on http://127.0.0.1:";
    if (!line.starts_with(mark)) throw std::runtime_error("said: " + line);
    return static_cast<std::uint16_t>(std::atoi(line.c_str() + mark.size()));
  }
  [[nodiscard]] const std::string& said() const noexcept { return said_; }

 private:
  static std::string rest_of(int fd) {
    std::string out;
    char buffer[4096];
    for (auto got = ::read(fd, buffer, sizeof buffer); got > 0; got = ::read(fd, buffer, sizeof buffer)) {
      out.append(buffer, static_cast<std::size_t>(got));
    }
    return out;
  }

  pid_t pid_{-1};
  int out_{-1};
  int err_{-1};
  int code_{-1};
  std::string said_;
};

/// Sends the start of a stream, then waits for the client's end.
void start_stream(wire& client, int) {
  reader requests(client);
  requests.next();
  client.send(event_stream_head + chunk(delta("one")));
  client.read_all();
}

/// The command, and a client that has got the start of an answer.
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

TEST_CASE("the demonstration prints clean text and its citations and ends") {
  command run({"--demo", "--once", "--listen", "127.0.0.1:0"});
  const std::string text = run.output();
  CHECK(run.wait() == 0);
  CHECK(text.find("](") == std::string::npos);
  CHECK(text.find("The Aurora 4 delivers 12.4 kW") == 0);
  CHECK(text.find("\nCitations\n  [1] Aurora_4_Datasheet.pdf, page 3  (resolved)\n") != std::string::npos);
}

TEST_CASE("the command says where it listens and where to and a signal ends it") {
  const upstream up(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  for (const int number : {SIGTERM, SIGINT}) {
    command run({"--listen", "127.0.0.1:0", "--upstream", up.url()});
    wire client = dial(run.port());
    CHECK(run.said().ends_with(" → " + up.url()));
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
  // The first signal was taken when nobody is let in any more.
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

TEST_CASE("a hang-up signal ends nothing") {
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

TEST_CASE("a hang-up signal puts a changed file in force and a wrong one not") {
  const upstream up(
      answer_all(event_stream_head + chunk(delta("A [x](f1)") + delta(".") + finish() + done) + "0\r\n\r\n"));
  const scratch_directory files;
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
  CHECK(run.errors().find(path + ":3: style: 'bold' is none of strip, keep") != std::string::npos);
  CHECK(run.wait() == 0);
}

TEST_CASE("a proxy without file descriptors left serves again when some are free") {
  const upstream up(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  // Without a log: sanitizers need a descriptor where they look at an object's type for the first time.
  command run({"--listen", "127.0.0.1:0", "--upstream", up.url(), "--threads", "1", "--log-level", "off"},
              40);
  const std::uint16_t port = run.port();
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
  crowd.clear();
  CHECK(reader(late).next().body == "ok");
}

TEST_CASE("the command line says what is changed in requests") {
  std::mutex mutex;
  std::string heard;
  const upstream up([&](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
      const std::lock_guard lock(mutex);
      heard = one.body;
      client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }
  });
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
    const std::lock_guard lock(mutex);
    return heard;
  };
  CHECK(sent({}) == body);
  CHECK(sent({"--provenance"}).starts_with(R"({"messages":[{"role":"system","content":"How to cite)"));
  CHECK(
      sent({"--provenance", "--no-citation-instructions", "--provenance-agents", "b,c"}) ==
      R"({"messages":[{"role":"function","name":"a","content":"[REF|d_1]\nx"},)"
      R"({"role":"function","name":"b","content":"[REF|a_2]\ny"},)"
      R"({"role":"function","name":"c","content":"[REF|a_3]\nz"}],"tools":[{"type":"graph","function":{}}]})");
  std::string asking = body;
  asking.insert(asking.rfind("{}") + 1, R"("query_config":{"inline_citations":true})");
  CHECK(sent({"--inline-citations"}) == asking);
}

TEST_CASE("a taken port is one line and exit code 1 and wrong usage is exit code 2") {
  const upstream up(answer_all(""));
  const std::string taken = "127.0.0.1:" + std::to_string(up.port());
  command busy({"--listen", taken, "--upstream", up.url()});
  const std::string errors = busy.errors();
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
                                             {"--upstream", "demo:", "--style", "x"}}) {
    command run(wrong);
    const std::string said = run.errors();
    CHECK(run.wait() == 2);
    CHECK(said.find('\n') == said.size() - 1);
  }
}

TEST_CASE("the log is opened again at a hang-up signal and the admin address is said") {
  const upstream up(answer_all("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  const scratch_directory directory;
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
  CHECK(run.errors().starts_with("citestream: administration on http://127.0.0.1:"));
  CHECK(run.wait() == 0);
  CHECK(directory.read("log").find("\"message\":\"no new requests") != std::string::npos);
}
