// citestream replay: serves recordings as an LLM API.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "base/decimal.hpp"
#include "commands.hpp"
#include "replay/demo.hpp"
#include "replay/recording.hpp"
#include "replay/server.hpp"
#include "replay_serving.hpp"

namespace citestream::tools {

namespace {

struct replay_arguments {
  std::vector<std::string> files;
  bool demo{};
  std::string listen{"127.0.0.1:0"};
  std::string pace{"recorded"};
  bool log{};
  replay_options options;
};

void read_pace(std::string_view pace, replay_options& options) {
  if (pace == "recorded") return;
  if (pace.ends_with("/s")) {
    const auto per_second = whole_number<std::uint32_t>(pace.substr(0, pace.size() - 2));
    if (!per_second || *per_second == 0) {
      throw CLI::ValidationError(
          "--pace", "'" + std::string(pace) + "' is not a number of events per second, at least 1/s");
    }
    options.pace = replay_pace::interval;
    options.interval = std::chrono::nanoseconds(std::chrono::seconds(1)) / *per_second;
    return;
  }
  const auto interval = whole_number<std::uint32_t>(pace);
  if (!interval) {
    throw CLI::ValidationError(
        "--pace",
        "'" + std::string(pace) +
            "' is not recorded, a number of milliseconds (20) or a number of events per second (50/s)");
  }
  options.pace = *interval == 0 ? replay_pace::none : replay_pace::interval;
  options.interval = std::chrono::milliseconds(*interval);
}

std::vector<recording> read_recordings(const replay_arguments& arguments) {
  std::vector<recording> recordings;
  for (const std::string& file : arguments.files) {
    recording_error error;
    std::optional<recording> read = load_recording(file, error);
    if (!read) throw command_error(error.text());
    recordings.push_back(std::move(*read));
  }
  if (arguments.demo) {
    for (recording& each : demo_recordings()) recordings.push_back(std::move(each));
  }
  std::set<std::string> names;
  for (const recording& each : recordings) {
    if (!names.insert(each.name()).second) {
      throw command_error("two recordings are named " + each.name() +
                          ": a request can only select the first; rename one");
    }
  }
  return recordings;
}

replay_options read_options(const replay_arguments& arguments) {
  if (arguments.files.empty() && !arguments.demo) {
    throw CLI::ValidationError("no recording given; name a file or use --demo");
  }
  replay_options options = arguments.options;
  read_listen(arguments.listen, options);
  read_pace(arguments.pace, options);
  if (options.speed != 1 && options.pace != replay_pace::recorded) {
    throw CLI::ValidationError("--speed requires --pace recorded");
  }
  if (options.send_times && (options.split != 0 || options.die_after)) {
    throw CLI::ValidationError("--send-times cannot be used with --split or --die-after");
  }
  if (arguments.log) {
    options.log = [](std::string_view line) {
      std::fprintf(stderr, "citestream: replay: %.*s\n", static_cast<int>(line.size()), line.data());
    };
  }
  options.recordings = read_recordings(arguments);
  return options;
}

int serve(const replay_arguments& arguments) {
  replay_options options = read_options(arguments);
  const std::size_t count = options.recordings.size();
  serve_until_signal(std::move(options), arguments.listen, [&](const std::string& url) {
    std::fprintf(stderr, "citestream: replaying %zu recording%s on %s\n", count, count == 1 ? "" : "s",
                 url.c_str());
  });
  return exit_success;
}

constexpr const char* footer =
    R"(Endpoints: POST /v1/chat, /v1/chat/completions, /v1/graphs/question, /v1/responses, /v1/messages, /v2/chat,
/v1/interactions, /api/chat, /api/generate; /v1beta/models/NAME:generateContent, :streamGenerateContent (with
alt=sse an event stream, else an array); below /model/NAME: converse, converse-stream, invoke,
invoke-with-response-stream; GET /v1/models.
A request with "stream":true gets the recorded stream; any other gets one JSON body made from it. Below /api,
streaming is the default, as at Ollama.

It is a server for tests. It accepts requests that the proxy rejects: without Host or with two, with a repeated
Content-Length, with folded lines, with an unknown Expect, and with heads of up to 64 KiB.

A recording with arrival times starts with the line
{"citestream_recording":1,"content_type":"text/event-stream"}. Each following line is one read:
[seconds,"bytes"], or [seconds,"...","base64"] if the bytes are not UTF-8.

Examples:
  citestream replay answer.ndjson --listen 127.0.0.1:8081
  citestream replay --demo --pace 0 --split 7
  citestream replay answer.sse --pace 50/s --send-times
  curl -N http://127.0.0.1:8081/v1/chat -d '{"model":"answer","stream":true}')";

}  // namespace

void add_replay_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("replay", "Serve recorded streams as an LLM API");
  auto arguments = std::make_shared<replay_arguments>();
  add_value(
      *command, "FILE", arguments->files, "FILE",
      "Recordings: plain bytes (.sse, lines of Ollama, .eventstream, a .json body) or with arrival times "
      "(.ndjson); a request selects one by its file name without extension as \"model\", otherwise they "
      "take turns");
  command->add_flag("--demo", arguments->demo,
                    "Also serve the built-in recordings demo, demo-two-choices and demo-unresolved");
  add_value(*command, "--listen", arguments->listen, "ADDR",
            "Listen address, host:port; port 0 picks a free port");
  add_value(*command, "--pace", arguments->pace, "recorded|MS|N/s",
            "Speed of a stream: recorded (at the recorded times), milliseconds between events (0: no "
            "delay), or events per second as N/s");
  add_value(*command, "--speed", arguments->options.speed, "FACTOR",
            "With --pace recorded: playback speed; 2 is twice as fast as recorded")
      ->check(number_between(1e-3, 1e6));
  command->add_flag("--send-times", arguments->options.send_times,
                    "Send a comment with the time before each event, from which load measures latency");
  add_count(*command, "--split", arguments->options.split, "N",
            "Cut the stream every N bytes, also inside events; each piece is one write and one HTTP chunk");
  command->add_flag("--loop", arguments->options.loop, "Repeat a stream until the client disconnects");
  add_value(*command, "--die-after", arguments->options.die_after, "N",
            "Close the connection after N bytes of a stream, like an upstream that fails")
      ->check(whole_number_from(0));
  command->add_flag("--log", arguments->log, "Log the start and end of each answer to standard error");
  command->footer(footer);
  command->callback([arguments, &exit_code] { exit_code = serve(*arguments); });
}

}  // namespace citestream::tools
