// The options of the proxy, and how a value given as text is checked and stored.
//
// The table has rows for each place of an option, in the order of the manual; those of the sessions are the
// core's. The type, the default and the choices of an option are those of the object that it is stored in.
// apply_option() first checks the text against the type and the choices of the row. Then a row of the core
// sets its session option. The function of any other row stores the value and returns an error message, or an
// empty string.
#include "configuration_options.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>
#include <type_traits>
#include <unistd.h>

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>

#include "base/ascii.hpp"
#include "base/decimal.hpp"
#include "base/enum_text.hpp"
#include "base/field_text.hpp"
#include "http/fields.hpp"
#include "http/upstream_url.hpp"
#include "nearest.hpp"
#include "proxy/admin.hpp"
#include "proxy/listener.hpp"
#include "proxy/tls.hpp"

namespace citestream::tools {
namespace {

using type = option_type;
using place = option_place;
using std::chrono::milliseconds;
using strings = std::vector<std::string>;

constexpr double a_year_in_seconds = 366.0 * 24 * 3600;
constexpr std::uint64_t max_whole = 1'000'000'000'000;  // larger than any meaningful count or size

/// Parses a non-negative integer.
std::optional<std::uint64_t> whole(std::string_view text) {
  const auto out = whole_number<std::uint64_t>(text);
  return out && *out <= max_whole ? out : std::nullopt;
}

/// Parses a number of seconds, which may have a fraction. Only 0 becomes 0 milliseconds.
std::optional<milliseconds> seconds(std::string_view text) {
  double out = 0;
  const bool good = read_decimal(text, out) == std::errc{} && out >= 0 && out <= a_year_in_seconds;
  return good ? std::optional(milliseconds(std::max(std::llround(out * 1000), out > 0 ? 1LL : 0LL)))
              : std::nullopt;
}

// The functions named *_error() return an empty string if there is no error.

std::string file_error(const std::string& path) {
  errno = 0;
  if (path.empty() || std::ifstream(path)) return {};
  return "cannot read '" + path + "'" + (errno == 0 ? "" : ": " + std::generic_category().message(errno));
}

/// Checks the path of a file that the proxy creates when it starts. Does not check permissions, because the
/// configuration is often checked by another user than the one who runs the proxy.
std::string new_file_error(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (path.empty()) return {};
  if (fs::is_directory(path, error)) return "'" + path + "' is a directory";
  const fs::path in = fs::absolute(path, error).parent_path();
  return fs::is_directory(in, error) ? "" : "no such directory '" + in.string() + "'";
}

/// Checks that files can be created in \p directory by creating and removing one.
std::string creation_error(const std::string& directory) {
  const int unnamed = ::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (unnamed >= 0) {
    ::close(unnamed);
    return {};
  }
  int why = errno;
  if (why == EOPNOTSUPP || why == EISDIR) {  // the file system does not support O_TMPFILE
    std::string made = directory + "/.citestream-XXXXXX";
    if (::mkdtemp(made.data()) != nullptr) {
      ::rmdir(made.c_str());
      return {};
    }
    why = errno;
  }
  return std::generic_category().message(why);
}

/// Checks the path of a directory that the proxy creates, with its parents, when it starts. Checks with the
/// permissions of this process.
std::string new_directory_error(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (path.empty()) return {};
  const fs::path target_path = fs::absolute(path, error);
  fs::path at = target_path;
  while (!fs::exists(fs::symlink_status(at, error)) && at.has_relative_path()) at = at.parent_path();
  if (!fs::is_directory(at, error)) return "'" + at.string() + "' is not a directory";
  const std::string why = creation_error(at.string());
  if (why.empty()) return {};
  return (at == target_path ? "cannot write to '" : "cannot create '") + target_path.string() + "': " + why;
}

std::string ca_path_error(const std::string& path) {
  std::string why = file_error(path);
  return why.empty() && !path.empty() ? ca_file_error(path) : why;
}

/// Checks the path of a route. Rejects characters that the path of a request cannot contain, because the
/// route would never match.
std::string route_path_error(const std::string& path) {
  if (!path.starts_with('/')) return "'" + path + "' does not begin with /";
  const auto not_allowed = [](char c) { return !ascii::is_visible(c) || c == '?' || c == '#'; };
  if (std::ranges::none_of(path, not_allowed)) return {};
  return "'" + path +
         "' contains characters that are not allowed in a path; percent-encode them (%20 for a space)";
}

/// Checks the host of a route. It must not have a port, because the Host field is compared without its port.
std::string route_host_error(const std::string& host) {
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  const bool valid = host.find_first_of(bracketed ? "/@* " : "/@:* []") == std::string::npos;
  return valid ? "" : "'" + host + "' is not a host name, or an address (IPv6 in brackets), without a port";
}

std::string url_error(const std::string& text) {
  constexpr std::string_view built_in = "demo:";
  http::upstream_url url;
  return text.empty() || text == built_in ? "" : http::parse_upstream_url(text, url);
}

std::string collector_error(const std::string& text) {
  http::upstream_url url;
  if (text.empty()) return {};
  std::string why = http::parse_upstream_url(text, url);
  if (why.empty() && url.base_path.ends_with("/v1/traces"))
    why = "'" + text + "' must not end with /v1/traces: the proxy appends it";
  return why;
}

template <bool Tls>
std::string listen_error(const std::string& text) {
  std::vector<listen_address> points;
  std::string why = parse_listen_addresses(text, Tls, points);
  if (why.empty() && points.empty() && !Tls) return "no address given";
  for (const listen_address& point : points) {
    if (why.empty()) why = new_file_error(point.path);
  }
  return why.ends_with("not a valid host:port") ? why + " like 127.0.0.1:8080" : why;
}

/// Stores an empty address for `off`.
std::string set_admin(const std::string& text, std::string& to) {
  std::string host;
  std::string port;
  to = text == "off" ? std::string() : text;
  if (text == "off" || parse_admin_address(text, host, port)) return {};
  const std::string why = http::port_error(text, true);
  return "'" + text + "': " + (why.empty() ? "not an address and port like 127.0.0.1:9090" : why);
}

std::string route_name_error(const std::string& name) {
  return std::ranges::none_of(name, ascii::is_control) ? "" : "must not contain control characters";
}

std::string route_paths_error(const strings& paths) {
  for (const std::string& path : paths) {
    if (std::string why = route_path_error(path); !why.empty()) return why;
  }
  return {};
}

std::string zero_error(std::uint64_t number) {
  return number > 0 ? "" : "must be at least 1";
}

std::string head_bytes_error(std::uint64_t number) {
  constexpr std::uint64_t most = client_limits::most_head_bytes;
  return number <= most ? zero_error(number) : "must be at most " + std::to_string(most);
}

std::string zero_time_error(milliseconds time) {
  return time > milliseconds(0) ? "" : "must be greater than 0";
}

std::string set_ratio(const std::string& from, double& to) {
  const bool good = read_decimal(from, to) == std::errc{} && to >= 0 && to <= 1;
  return good ? "" : "'" + from + "' is not a number from 0 to 1";
}

std::string set_threads(const std::string& from, unsigned& to) {
  constexpr std::uint64_t most_threads = 1024;
  const std::uint64_t number = *whole(from);
  to = static_cast<unsigned>(number);
  return number <= most_threads ? "" : "must be at most 1024";
}

std::string set_mode(const std::string& from, unsigned& to) {
  constexpr int octal = 8;
  constexpr unsigned all_permissions = 0777;
  const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), to, octal);
  const bool good = error == std::errc{} && end == from.data() + from.size() && to <= all_permissions;
  return good ? "" : "'" + from + "' is not an octal file mode like 0660";
}

using values = const option_values&;
using target = option_target&;

std::string_view name(provenance_keys keys) noexcept {
  constexpr std::string_view names[] = {"counter", "content"};
  return enum_text<provenance_keys::content>(names, keys);
}

/// Returns the names of all values of an enumeration, whose name() is empty for larger numbers.
template <typename Enum>
strings names_of() {
  strings out;
  while (!name(static_cast<Enum>(out.size())).empty()) out.emplace_back(name(static_cast<Enum>(out.size())));
  return out;
}

/// The type of an option that is stored in a \p Value.
template <typename Value>
constexpr option_type type_of() {
  if (std::is_enum_v<Value>) return type::choice;
  if (std::is_same_v<Value, bool>) return type::boolean;
  if (std::is_integral_v<Value>) return type::whole;
  if (std::is_same_v<Value, milliseconds>) return type::seconds;
  return std::is_same_v<Value, strings> ? type::list : type::text;
}

/// Stores text that has been checked.
template <typename Value>
void convert(values from, Value& to) {
  constexpr option_type kind = type_of<Value>();
  if constexpr (kind == type::choice) {
    const strings names = names_of<Value>();
    to = static_cast<Value>(std::ranges::find(names, from.front()) - names.begin());
  }
  if constexpr (kind == type::boolean) to = *read_boolean(from.front());
  if constexpr (kind == type::whole) to = static_cast<Value>(*whole(from.front()));
  if constexpr (kind == type::seconds) to = *seconds(from.front());
  if constexpr (kind == type::list) to = from;
  if constexpr (kind == type::text) to = from.front();
}

/// Returns the text of a default.
template <typename Value>
std::string text_of(const Value& value) {
  constexpr option_type kind = type_of<Value>();
  std::string out;
  if constexpr (kind == type::choice) out = name(value);
  if constexpr (kind == type::boolean) out = value ? "true" : "false";
  if constexpr (kind == type::whole) out = std::to_string(value);
  if constexpr (kind == type::seconds) append_decimal(std::chrono::duration<double>(value).count(), out);
  if constexpr (kind == type::list) out = boost::algorithm::join(value, ",");
  if constexpr (kind == type::text) out = value;
  return out;
}

/// How an option is stored.
struct option_setting {
  option_type type;
  std::string (*set)(values from, target to);
  std::string (*default_text)() = nullptr;
  strings (*choices)() = nullptr;
};

constexpr auto any_value = [](const auto&) { return std::string(); };

/// An option that is stored in the object that \p Where returns, which has its type and its default. \p Error
/// returns the error in a value. (\p Where is a lambda without captures, which can be made again.)
template <auto Error = any_value, typename Where>
constexpr option_setting store(Where) {
  using value = std::remove_cvref_t<std::invoke_result_t<Where, target>>;
  const auto set = [](values from, target to) {
    convert(from, Where{}(to));
    return std::string(Error(Where{}(to)));
  };
  const auto default_text = [] {
    option_target defaults;
    return text_of(Where{}(defaults));
  };
  if constexpr (std::is_enum_v<value>) return {type_of<value>(), set, default_text, &names_of<value>};
  return {type_of<value>(), set, default_text};
}

/// An option of another form, which \p Set reads.
template <option_type Type, auto Set, typename Where>
constexpr option_setting set_by(Where) {
  return {Type, [](values from, target to) { return Set(from.front(), Where{}(to)); }};
}

struct option_row {
  std::string_view key;
  std::string_view argument;
  std::string_view help;
  option_setting how;
  std::string_view default_text = {};  ///< if it is not the text of the object's default
};

constexpr option_row rows_before_session[]{
    {"listen", "ADDR",
     "Comma-separated listen addresses: host:port, :port for all IPv4 addresses (port 0 picks a free port) "
     "or unix:/path",
     store<&listen_error<false>>([](target to) -> auto& { return to.proxy.listen.addresses; })},
    {"tls_listen", "ADDR", "Comma-separated listen addresses for TLS clients, in the same form as listen",
     store<&listen_error<true>>([](target to) -> auto& { return to.proxy.listen.tls_addresses; })},
    {"tls_cert", "FILE", "Certificate chain for tls_listen (PEM file)",
     store<&file_error>([](target to) -> auto& { return to.proxy.listen.cert_file; })},
    {"tls_key", "FILE", "Private key of tls_cert (PEM file); if empty, read from the file tls_cert",
     store<&file_error>([](target to) -> auto& { return to.proxy.listen.key_file; })},
    {"unix_mode", "MODE", "File mode of Unix sockets, in octal",
     set_by<type::text, &set_mode>([](target to) -> auto& { return to.proxy.listen.unix_mode; }), "0660"},
    {"upstream", "URL", "URL of the API, http:// or https://, or demo: for the built-in demo model",
     store<&url_error>([](target to) -> auto& { return to.proxy.upstream.url; })},
    {"upstream_ca", "FILE", "CA certificates to trust for the upstream instead of the system's (PEM file)",
     store<&ca_path_error>([](target to) -> auto& { return to.proxy.upstream.ca_file; })},
    {"upstream_cert", "FILE", "Client certificate chain to present if the upstream requests one (PEM file)",
     store<&file_error>([](target to) -> auto& { return to.proxy.upstream.cert_file; })},
    {"upstream_key", "FILE",
     "Private key of upstream_cert (PEM file); if empty, read from the file upstream_cert",
     store<&file_error>([](target to) -> auto& { return to.proxy.upstream.key_file; })},
    {"threads", "N", "Number of event loops; 0: one for each CPU that the process may use",
     set_by<type::whole, &set_threads>([](target to) -> auto& { return to.proxy.threads; }), "0"},
};

constexpr option_row answer_rows[]{
    {"json_paths", "PATHS",
     "Comma-separated paths below which JSON answers are rewritten; event streams always are",
     store<&route_paths_error>([](target to) -> auto& { return to.route.json_paths; })},
    {"bypass", "", "Pass requests and answers through unchanged",
     store([](target to) -> auto& { return to.route.bypass; })},
    {"request_references", "", "Resolve citations of the documents and search results in chat requests",
     store([](target to) -> auto& { return to.route.requests.references; })},
    {"provenance", "",
     "Add keys such as [REF|d_1] to tool results in chat requests, instruct the model to cite them, and "
     "resolve its citations",
     store([](target to) -> auto& { return to.route.requests.provenance; })},
    {"provenance_agents", "NAMES",
     "Comma-separated names of tools that return another agent's output (keys such as [REF|a_1])",
     store([](target to) -> auto& { return to.route.requests.sources.agent_tools; })},
    {"provenance_tools", "NAMES", "Comma-separated names of tools whose results get keys; if not set, all",
     store([](target to) -> auto& { return to.route.requests.sources.tools; })},
    {"provenance_keys", "KIND",
     "Keys of tool results: their number, or made from their content, so that they stay the same when old "
     "messages are removed",
     store([](target to) -> auto& { return to.route.requests.sources.keys; })},
    {"citation_instructions", "",
     "Add citation instructions to the system prompt of requests that provenance rewrites",
     store([](target to) -> auto& { return to.route.requests.sources.instructions; })},
    {"inline_citations", "",
     "Request inline citations from Writer in graph tools and graph questions that do not set them",
     store([](target to) -> auto& { return to.route.requests.inline_citations; })},
};

constexpr option_row proxy_rows[]{
    {"request_options", "",
     "Read per-request options from the headers X-Citestream-Style, -Markers, -Offsets and -Bypass",
     store([](target to) -> auto& { return to.proxy.request_options; })},
    {"idle_timeout", "SECONDS", "Maximum silence of the upstream inside an answer, in seconds",
     store<&zero_time_error>([](target to) -> auto& { return to.proxy.deadlines.idle; })},
    {"connect_timeout", "SECONDS",
     "Maximum time to resolve, connect and complete the TLS handshake with the upstream, in seconds",
     store<&zero_time_error>([](target to) -> auto& { return to.proxy.deadlines.connect; })},
    {"answer_timeout", "SECONDS",
     "Maximum time from sending a request to receiving the head of its answer, in seconds",
     store<&zero_time_error>([](target to) -> auto& { return to.proxy.deadlines.head; })},
    {"total_timeout", "SECONDS",
     "Maximum time from receiving a request to the end of its answer, streams included, in seconds",
     store<&zero_time_error>([](target to) -> auto& { return to.proxy.deadlines.total; })},
    {"keep_alive_comment", "SECONDS",
     "Silence in a stream of chat completions after which a comment is sent to keep the client connected, in "
     "seconds; 0: never",
     store([](target to) -> auto& { return to.proxy.deadlines.keep_alive_comment; })},
    {"client_head_timeout", "SECONDS",
     "Maximum time to receive a request head, from its first byte, in seconds",
     store<&zero_time_error>([](target to) -> auto& { return to.proxy.deadlines.client_head; })},
    {"client_body_timeout", "SECONDS",
     "Time in which a request body must be complete or arrive at min_body_rate, in seconds",
     store<&zero_time_error>([](target to) -> auto& { return to.proxy.deadlines.client_body; })},
    {"client_idle_timeout", "SECONDS",
     "Maximum idle time of a client connection between requests, in seconds",
     store<&zero_time_error>([](target to) -> auto& { return to.proxy.deadlines.client_idle; })},
    {"client_stall_timeout", "SECONDS", "Close a client that has not read anything for this long, in seconds",
     store<&zero_time_error>([](target to) -> auto& { return to.proxy.deadlines.client_stall; })},
    {"pool_max_idle", "N",
     "Maximum number of idle connections kept for each upstream in each event loop; 0: none",
     store([](target to) -> auto& { return to.proxy.pool.max_idle; })},
    {"pool_idle_timeout", "SECONDS",
     "Maximum idle time of a pooled connection, in seconds; set it below the upstream's keep-alive timeout",
     store([](target to) -> auto& { return to.proxy.pool.max_idle_time; })},
    {"pool_max_age", "SECONDS", "Maximum age at which a pooled connection is reused, in seconds",
     store([](target to) -> auto& { return to.proxy.pool.max_age; })},
    {"name_max_age", "SECONDS", "Time to cache the resolved addresses of an upstream, in seconds",
     store([](target to) -> auto& { return to.proxy.pool.names; })},
    {"drain", "SECONDS", "Time that running answers have to finish after SIGINT or SIGTERM, in seconds",
     store([](target to) -> auto& { return to.proxy.deadlines.drain; })},
    {"max_head_bytes", "BYTES", "Maximum size of a request head, in bytes; at most 65536",
     store<&head_bytes_error>([](target to) -> auto& { return to.proxy.limits.max_head_bytes; })},
    {"max_head_fields", "N", "Maximum number of header fields in a request",
     store<&zero_error>([](target to) -> auto& { return to.proxy.limits.max_head_fields; })},
    {"max_request_bytes", "BYTES", "Maximum size of a request body, in bytes",
     store<&zero_error>([](target to) -> auto& { return to.proxy.limits.max_request_bytes; })},
    {"max_request_memory", "BYTES",
     "Maximum size of all request bodies that the upstream does not have yet, in bytes; further ones get 503",
     store<&zero_error>([](target to) -> auto& { return to.proxy.limits.max_request_memory; })},
    {"max_connections", "N", "Maximum number of client connections; further ones get 503; 0: unlimited",
     store([](target to) -> auto& { return to.proxy.limits.max_connections; })},
    {"max_streams", "N", "Maximum number of answers in progress; further requests get 503; 0: unlimited",
     store([](target to) -> auto& { return to.proxy.limits.max_streams; })},
    {"min_body_rate", "BYTES",
     "Minimum rate of a request body, measured over each client_body_timeout, in bytes per second",
     store<&zero_error>([](target to) -> auto& { return to.proxy.limits.min_body_rate; })},
    {"admin", "ADDR",
     "Address for /healthz, /readyz and /metrics; :9090 means 127.0.0.1:9090, port 0 picks a free port",
     set_by<type::text, &set_admin>([](target to) -> auto& { return to.proxy.admin; }), "off"},
    {"log_level", "LEVEL", "Log level; info: one line per request, warn: failed requests only",
     store([](target to) -> auto& { return to.proxy.log.level; }), "info"},
    {"log_format", "FORMAT", "Log format: key=value text, or JSON objects",
     store([](target to) -> auto& { return to.proxy.log.format; })},
    {"log_file", "FILE", "File to append the log to, reopened on SIGHUP; if empty, standard error",
     store<&new_file_error>([](target to) -> auto& { return to.proxy.log.file; })},
    {"otlp_endpoint", "URL",
     "URL of an OpenTelemetry collector that gets a span for each request, without /v1/traces; if empty, no "
     "traces",
     store<&collector_error>([](target to) -> auto& { return to.proxy.trace.endpoint; })},
    {"trace_sample_ratio", "RATIO",
     "Share of new traces to export, 0 to 1; for others, the sampled flag of traceparent decides",
     set_by<type::fraction, &set_ratio>([](target to) -> auto& { return to.proxy.trace.sample_ratio; }), "1"},
    {"record", "DIR",
     "Directory to save event streams in, as .ndjson recordings for replay and filter, with headers redacted",
     store<&new_directory_error>([](target to) -> auto& { return to.proxy.record.directory; })},
    {"record_max_files", "N", "Maximum number of recordings; the oldest are removed",
     store<&zero_error>([](target to) -> auto& { return to.proxy.record.max_files; })},
    {"record_max_bytes", "BYTES", "Maximum total size of recordings, in bytes; the oldest are removed",
     store<&zero_error>([](target to) -> auto& { return to.proxy.record.max_bytes; })},
    {"record_max_stream_bytes", "BYTES", "Maximum size of one recording, in bytes; a larger one is discarded",
     store<&zero_error>([](target to) -> auto& { return to.proxy.record.max_stream_bytes; })},
};

constexpr option_row upstream_rows[]{
    {"url", "URL", "URL of the API, http:// or https://",
     store<&url_error>([](target to) -> auto& { return to.upstream.url; })},
    {"ca_file", "FILE", "CA certificates to trust instead of the system's (PEM file)",
     store<&ca_path_error>([](target to) -> auto& { return to.upstream.ca_file; })},
    {"cert_file", "FILE", "Client certificate chain to present if the upstream requests one (PEM file)",
     store<&file_error>([](target to) -> auto& { return to.upstream.cert_file; })},
    {"key_file", "FILE", "Private key of cert_file (PEM file); if empty, read from the file cert_file",
     store<&file_error>([](target to) -> auto& { return to.upstream.key_file; })},
};

constexpr option_row route_rows[]{
    {"path", "PATH", "Path prefix of requests, matched by whole segments; the longest match wins",
     store<&route_path_error>([](target to) -> auto& { return to.route.path; })},
    {"host", "NAME", "Host name in the Host field of requests; empty: any",
     store<&route_host_error>([](target to) -> auto& { return to.route.host; })},
    {"upstream", "NAME", "Name of an upstream in [upstreams], or default for the top-level upstream",
     store([](target to) -> auto& { return to.route.upstream; }), "default"},
    {"strip_prefix", "", "Remove the path of the route from requests before they are forwarded",
     store([](target to) -> auto& { return to.route.strip_prefix; })},
    {"name", "NAME", "Name of the route in logs and metrics; if empty, its host and path",
     store<&route_name_error>([](target to) -> auto& { return to.route.name; })},
};

std::vector<configuration_option> all_rows() {
  std::vector<configuration_option> out;
  const auto add = [&](option_place where, std::span<const option_row> rows) {
    for (const option_row& one : rows) {
      const std::string default_text =
          one.default_text.empty() ? one.how.default_text() : std::string(one.default_text);
      out.push_back(
          {one.key, one.how.type, where, one.argument, default_text, one.help, one.how.set, one.how.choices});
    }
  };
  add(place::proxy, rows_before_session);
  for (const session_option& one : session_option_table()) {
    if ((one.reach & in_proxy) != 0) out.push_back(row_of(one));
  }
  add(place::answer, answer_rows);
  add(place::proxy, proxy_rows);
  add(place::upstream, upstream_rows);
  add(place::route, route_rows);
  return out;
}

std::string type_error(option_type one, const std::string& value) {
  switch (one) {
    case type::whole:
      return whole(value) ? ""
                          : "'" + value + "' is not a whole number of at most " + std::to_string(max_whole);
    case type::seconds:
      return seconds(value) ? "" : "'" + value + "' is not a number of seconds from 0 to a year";
    case type::boolean:
      return read_boolean(value) ? "" : "'" + value + "' is not true or false";
    case type::fraction:  // the others are checked by the function of the row
    case type::choice:
    case type::text:
    case type::list:
    case type::repeated:
      break;
  }
  return {};
}

std::string choice_error(const configuration_option& one, const std::string& value) {
  const strings known = option_choices(one);
  return known.empty() ? "" : name_error(value, known);
}

/// Sets an option of the session. Limits must be positive, because with 0 every answer would pass through
/// unread.
std::string set_session_option(const session_option& one, const option_values& given, session_options& to) {
  if (one.type == option_type::whole && whole(given.front()) == 0) return "must be at least 1";
  std::string invalid;
  const std::string why = set_option(one, given, to, invalid);
  return why.empty() ? "" : "'" + invalid + "' " + why;
}

}  // namespace

std::span<const configuration_option> configuration_options() noexcept {
  static const std::vector<configuration_option> rows = all_rows();
  return rows;
}

configuration_option row_of(const session_option& option) noexcept {
  return {.key = option.name,
          .type = option.type,
          .place = place::answer,
          .argument = option.unit,
          .default_text = std::string(option.default_text),
          .help = option.help,
          .set = nullptr,
          .choices = nullptr,
          .session = &option};
}

option_values option_choices(const configuration_option& one) {
  if (one.session == nullptr) return one.choices == nullptr ? option_values{} : one.choices();
  if (one.session->choices == nullptr) return {};
  const std::vector<std::string_view> names = one.session->choices();
  return {names.begin(), names.end()};
}

bool is_list(const configuration_option& one) noexcept {
  return one.type == type::list || one.type == type::repeated;
}

std::optional<bool> read_boolean(std::string_view text) noexcept {
  if (text == "true" || text == "on" || text == "1") return true;
  if (text == "false" || text == "off" || text == "0") return false;
  return std::nullopt;
}

bool is_on_command_line(const configuration_option& one) noexcept {
  return one.place == place::proxy || one.place == place::answer;
}

const configuration_option* find_option(std::string_view key, option_place where) noexcept {
  const auto fits = [&](const configuration_option& one) {
    const bool inherited = one.place == place::answer && (where == place::proxy || where == place::route);
    return one.key == key && (one.place == where || inherited);
  };
  const std::span<const configuration_option> rows = configuration_options();
  const auto found = std::ranges::find_if(rows, fits);
  return found == rows.end() ? nullptr : &*found;
}

std::string option_variable(const configuration_option& one) {
  std::string out = "CITESTREAM_";
  for (const char c : one.key) out += ascii::upper(c);
  return out;
}

std::string option_flag(const configuration_option& one) {
  std::string out = one.type == type::boolean && one.default_text == "true" ? "--no-" : "--";
  for (const char c : one.key) out += c == '_' ? '-' : c;
  return out;
}

option_values split_values(const configuration_option& one, std::string_view text) {
  if (!is_list(one)) return {std::string(text)};
  option_values out;
  if (one.type == type::list) {
    while (const auto element = http::next_element(text)) out.emplace_back(*element);
    return out;
  }
  boost::algorithm::split(out, text, [](char c) { return c == '\n'; });
  std::erase(out, "");
  return out;
}

std::string apply_option(const configuration_option& one, const option_values& given, option_target& to) {
  for (const std::string& value : given) {
    if (std::string why = type_error(one.type, value); !why.empty()) return why;
    if (std::string why = choice_error(one, value); !why.empty()) return why;
  }
  return one.session == nullptr ? one.set(given, to)
                                : set_session_option(*one.session, given, to.route.session);
}

}  // namespace citestream::tools
