// citestream load: many streams at once, each answer checked.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "byte_input.hpp"
#include "commands.hpp"
#include "file_limit.hpp"
#include "load/report.hpp"
#include "load/run.hpp"
#include "name_list.hpp"
#include "session_flags.hpp"
#include "whole_number.hpp"

namespace citestream::tools {

namespace {

struct load_flags {
  std::string url;
  std::size_t streams{10};
  double duration{10};
  double warm_up{};
  double ramp{};
  double drain{10};
  double connect_timeout{10};
  double idle_timeout{30};
  std::uint64_t count{};
  std::string requests;
  std::string model{"load"};
  std::vector<std::string> headers;
  std::string ca_file;
  std::string to{"table"};
  bool allow_markers{};
  std::uint64_t read_every{1};
  session_flags reading;
};

std::chrono::nanoseconds seconds(double count) {
  return std::chrono::nanoseconds(std::llround(count * 1e9));
}

std::string read_all(const std::string& path) {
  byte_input in(path);
  std::string all;
  for (std::string_view part = in.read(); !part.empty(); part = in.read()) all += part;
  return all;
}

/// `Name: value`, and nothing that could end the line or be another field.
void check_header(const std::string& header) {
  const std::size_t colon = header.find(':');
  const bool named =
      colon != std::string::npos && colon != 0 && header.find_first_of(" \t\"(),/;<=>?@[\\]{}") >= colon;
  bool clean = true;
  for (const char c : header)
    clean = clean && (static_cast<unsigned char>(c) >= 0x20 || c == '\t') && c != 0x7F;
  if (!named || !clean) throw CLI::ValidationError("--header", "not a field like 'Name: value': " + header);
}

load::run_options options_from(const load_flags& flags) {
  load::run_options options;
  if (const std::string why = load::parse_target(flags.url, options.to); !why.empty()) {
    throw CLI::ValidationError("--url", why);
  }
  for (const std::string& header : flags.headers) check_header(header);
  options.streams = flags.streams;
  options.duration = seconds(flags.duration);
  options.warm_up = seconds(flags.warm_up);
  options.ramp = seconds(flags.ramp);
  options.drain = seconds(flags.drain);
  options.connect_timeout = seconds(flags.connect_timeout);
  options.idle_timeout = seconds(flags.idle_timeout);
  if (flags.count != 0) options.max_requests = flags.count;
  options.fields = flags.headers;
  options.ca_file = flags.ca_file;
  options.checking.markers_allowed = flags.allow_markers;
  options.checking.read_every = flags.read_every;
  options.checking.markers.names = names_in(flags.reading.at("markers"));
  options.checking.markers.patterns = flags.reading.at("marker");
  options.checking.markers.identifiers = flags.reading.at("identifiers").front();
  options.checking.markers.dialect = flags.reading.at("dialect").front();
  if (flags.requests.empty()) {
    options.requests.push_back(load::chat_request(flags.model));
  } else if (const std::string why = load::parse_requests(read_all(flags.requests), options.requests);
             !why.empty()) {
    throw failure(flags.requests + ": " + why);
  }
  return options;
}

/// A line that each call writes anew; nothing where nobody looks.
class status_line {
 public:
  void show(const std::string& line) {
    shown_ = true;
    std::fprintf(stderr, "\r%s\x1B[K", line.c_str());
  }
  ~status_line() {
    if (shown_) std::fputs("\r\x1B[K", stderr);
  }

 private:
  bool shown_{};
};

int run_load(const load_flags& flags) {
  load::run_options options = options_from(flags);
  raise_file_limit();
  const auto counts = std::make_unique<load::tally>();
  std::string why;
  {
    status_line line;
    if (::isatty(STDERR_FILENO) != 0) {
      options.progress = [&](std::chrono::nanoseconds elapsed, const load::tally& so_far) {
        line.show(load::progress_line(elapsed, so_far));
      };
    }
    why = load::run(options, *counts);
  }
  if (!why.empty()) throw failure(why);
  const std::string report =
      flags.to == "json" ? load::to_json(options, *counts) : load::to_table(options, *counts);
  write_to_standard_output(report);
  return counts->all.wrong == 0 ? exit_success : exit_failure;
}

CLI::Validator duration_in_seconds() {
  constexpr double a_year = 366.0 * 24 * 3600;
  return CLI::Range(0.0, a_year).description("");
}

void add_times(CLI::App& command, load_flags& flags) {
  const auto add = [&](const char* name, double& value, const char* what) {
    command.add_option(name, value, what)
        ->type_name("SECONDS")
        ->check(duration_in_seconds())
        ->capture_default_str();
  };
  add("--duration", flags.duration, "How long requests are sent, after the warm-up");
  add("--warm-up", flags.warm_up, "Time before, in which answers are checked and not measured");
  add("--ramp", flags.ramp, "Open the streams evenly over that time");
  add("--drain", flags.drain, "What answers under way may take after the last request");
  add("--connect-timeout", flags.connect_timeout, "For TCP and TLS together");
  add("--idle-timeout", flags.idle_timeout, "Silence after which an answer is wrong");
}

void add_options(CLI::App& command, load_flags& flags) {
  command
      .add_option("--url", flags.url, "http:// or https:// URL; without a path /v1/chat/completions is asked")
      ->type_name("URL")
      ->required();
  command.add_option("--streams", flags.streams, "Streams at once, each on a connection of its own")
      ->check(at_least_one().description(""))
      ->capture_default_str();
  add_times(command, flags);
  command.add_option("--count", flags.count, "Send at most that many requests in all")
      ->type_name("N")
      ->check(at_least_one().description(""));
  command
      .add_option("--requests", flags.requests,
                  "Requests, one JSON object a line, used in turn; - is standard input")
      ->type_name("FILE");
  command.add_option("--model", flags.model, "Without --requests: the model that is asked")
      ->capture_default_str();
  command.add_option("--header", flags.headers, "A further field of each request: 'Authorization: Bearer …'")
      ->type_name("FIELD");
  command.add_option("--ca-file", flags.ca_file, "Trust these certificates only (PEM)")->type_name("FILE");
  command.add_option("--to", flags.to, "How the report is printed")
      ->check(CLI::IsMember(std::vector<std::string>{"table", "json"}))
      ->capture_default_str();
  command.add_flag("--allow-markers", flags.allow_markers, "Raw markers in the text are no fault");
  command
      .add_option("--read-every", flags.read_every,
                  "Read the payloads of every Nth answer only; of the others HTTP and SSE are checked")
      ->type_name("N")
      ->check(at_least_one().description(""))
      ->capture_default_str();
  add_session_flags(command, in_reading, flags.reading);
}

}  // namespace

void add_load_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("load", "Ask an API for many streams at once and check every answer");
  const auto flags = std::make_shared<load_flags>();
  add_options(*command, *flags);
  command->footer(
      "An answer is wrong where its connection or its stream breaks off, HTTP, SSE or JSON are malformed, it "
      "says\n"
      "that it failed, or a raw marker is left in its text. A line of --requests is a request's body, or\n"
      "{\"body\":{…},\"path\":\"/v1/chat\",\"text\":\"what the first choice has to say\"}, the last two "
      "optional.\n"
      "\"on the way\" is the time since an event was sent, where the stream says so (replay --send-times, on "
      "the\n"
      "same machine). Exit code 1 where any answer was wrong. SIGINT ends the run with its report.\n\n"
      "Examples:\n"
      "  citestream load --url http://127.0.0.1:8080 --streams 100 --duration 30\n"
      "  citestream load --url https://api.example.com/v1/chat --requests questions.jsonl --to json\n"
      "  citestream replay answer.sse --pace 50/s --send-times --listen 127.0.0.1:8081 &\n"
      "  citestream load --url http://127.0.0.1:8081 --allow-markers");
  command->callback([flags, &exit_code] { exit_code = run_load(*flags); });
}

}  // namespace citestream::tools
