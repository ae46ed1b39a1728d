// citestream load: requests many streams at once and checks every answer.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "base/field_text.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "configuration_flags.hpp"
#include "file_limit.hpp"
#include "http/fields.hpp"
#include "load/report.hpp"
#include "load/run.hpp"

namespace citestream::tools {

namespace {

struct load_flags {
  std::string url;
  std::uint64_t count{};
  std::string requests;
  std::string model{"load"};
  std::string to{"table"};
  flag_values reading;
  load::run_options options;
};

/// Checks that a header has the form `Name: value`, no control characters, which could start another field,
/// and no name that each request has. \throws CLI::ValidationError
void check_header(const std::string& header) {
  const std::string name = header.substr(0, header.find(':'));
  if (name == header || !http::is_token(name) || !http::is_field_value(header))
    throw CLI::ValidationError("--header", "'" + header + "' is not a header field like 'Name: value'");
  for (const char* const own : {"Host", "Content-Length", "Transfer-Encoding"}) {
    if (http::same_name(name, own)) throw CLI::ValidationError("--header", "load itself sets " + name);
  }
}

load::run_options options_from(const load_flags& flags) {
  load::run_options options = flags.options;
  if (const std::string why = load::parse_target(flags.url, options.to); !why.empty()) {
    throw CLI::ValidationError("--url", why);
  }
  for (const std::string& header : options.fields) check_header(header);
  if (flags.count != 0) options.max_requests = flags.count;
  options.checking.markers.names = flags.reading.at("markers");
  for (const std::string& name : options.checking.markers.names) {
    if (!load::can_find_marker(name)) {
      throw CLI::ValidationError("--markers", "load cannot find markers of the grammar " + name);
    }
  }
  options.checking.markers.patterns = flags.reading.at("marker");
  options.checking.markers.identifiers = flags.reading.at("identifiers").front();
  options.checking.markers.dialect = flags.reading.at("dialect").front();
  if (flags.requests.empty()) {
    options.requests.push_back(load::chat_request(flags.model));
  } else if (const std::string why = load::parse_requests(read_whole_file(flags.requests), options.requests);
             !why.empty()) {
    throw command_error(flags.requests + ": " + why);
  }
  return options;
}

/// A status line on standard error. Each call of show() replaces it; the destructor erases it.
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
  if (!why.empty()) throw command_error(why);
  const std::string report =
      flags.to == "json" ? load::to_json(options, *counts) : load::to_table(options, *counts);
  write_to_standard_output(report);
  return counts->all.wrong == 0 ? exit_success : exit_failure;
}

void add_times(CLI::App& command, load::run_times& times) {
  const auto add = [&](const char* name, std::chrono::nanoseconds& time, const char* what) {
    constexpr double a_year = 366.0 * 24 * 3600;
    const auto put = [&time](double seconds) {
      time = std::chrono::nanoseconds(std::llround(seconds * 1e9));
    };
    command.add_option_function<double>(name, put, what)
        ->type_name("SECONDS")
        ->check(number_between(0, a_year, "number of seconds"))
        ->default_str(CLI::detail::to_string(std::chrono::duration<double>(time).count()));
  };
  add("--duration", times.duration, "Time to send requests after the warm-up, in seconds");
  add("--warm-up", times.warm_up,
      "Time before the measurement, in seconds; answers are checked but not measured");
  add("--ramp", times.ramp, "Time over which the streams are opened evenly, in seconds");
  add("--drain", times.drain, "Time that running answers have to finish after the last request, in seconds");
  add("--connect-timeout", times.connect_timeout,
      "Maximum time to connect and complete the TLS handshake, in seconds");
  add("--idle-timeout", times.idle_timeout, "Maximum silence inside an answer, in seconds");
}

void add_options(CLI::App& command, load_flags& flags) {
  add_value(command, "--url", flags.url, "URL",
            "URL of the API, http:// or https://; the default path is /v1/chat/completions")
      ->required();
  add_count(command, "--streams", flags.options.streams, "N",
            "Number of concurrent streams, each on its own connection");
  add_times(command, flags.options.times);
  add_count(command, "--count", flags.count, "N", "Maximum number of requests");
  add_value(command, "--requests", flags.requests, "FILE",
            "File with requests, one JSON object per line, sent in rotation; - is standard input");
  add_value(command, "--model", flags.model, "NAME", "Model to request if --requests is not given");
  add_value(command, "--header", flags.options.fields, "FIELD",
            "Header field to add to each request, such as 'Authorization: Bearer ...'; repeatable");
  add_value(command, "--ca-file", flags.options.ca_file, "FILE",
            "CA certificates to trust instead of the system's (PEM file)");
  add_value(command, "--to", flags.to, "FORM", "Form of the report")->check(one_of({"table", "json"}));
  command.add_flag("--allow-markers", flags.options.checking.markers_allowed,
                   "Accept raw markers in the text");
  add_count(command, "--read-every", flags.options.checking.read_every, "N",
            "Check the payloads of every Nth answer only; HTTP and SSE are always checked");
  add_session_flags(command, in_load, flags.reading);
}

}  // namespace

void add_load_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("load", "Request many streams at once from an API and check every answer");
  const auto flags = std::make_shared<load_flags>();
  add_options(*command, *flags);
  command->footer(
      "An answer is wrong if its connection or stream breaks off, if its HTTP, SSE or JSON is malformed, if "
      "it reports\n"
      "an error, or if a raw marker is left in its text. Each line of --requests is a request body, or\n"
      "{\"body\":{...},\"path\":\"/v1/chat\",\"text\":\"expected text of the first choice\"}; path and text "
      "are optional.\n"
      "\"on the way\" in the report is the time since an event was sent, if the stream has send times "
      "(replay\n"
      "--send-times on the same machine). SIGINT ends the run and prints the report.\n"
      "\n"
      "Exit codes: 0 all answers were right, 1 an answer was wrong or the run failed, 2 usage error.\n"
      "\n"
      "Examples:\n"
      "  citestream load --url http://127.0.0.1:8080 --streams 100 --duration 30\n"
      "  citestream load --url https://api.example.com/v1/chat --requests questions.jsonl --to json\n"
      "  citestream replay answer.sse --pace 50/s --send-times --listen 127.0.0.1:8081 &\n"
      "  citestream load --url http://127.0.0.1:8081 --allow-markers");
  command->callback([flags, &exit_code] { exit_code = run_load(*flags); });
}

}  // namespace citestream::tools
