/// \file
/// Every option of the proxy, with its default and unit.
#pragma once

#include <citestream/provenance/provenance.hpp>
#include <citestream/session/options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// Each level includes the ones above it.
enum class log_level : std::uint8_t {
  off,
  error,  ///< errors that prevent the proxy from working
  warn,   ///< failed requests, lost log lines and lost recordings
  info,   ///< one line for every request
};

/// The form of a line of the log.
enum class log_format : std::uint8_t {
  text,  ///< `key=value` words
  json,  ///< one object a line
};

/// Returns "off", "error", "warn" or "info"; empty for other numbers, as for formats.
[[nodiscard]] std::string_view name(log_level level) noexcept;
/// Returns "text" or "json".
[[nodiscard]] std::string_view name(log_format format) noexcept;

/// The log of requests and errors.
struct log_options {
  log_level level{log_level::off};
  log_format format{log_format::text};
  std::string file;               ///< lines are appended; empty: standard error
  std::size_t queue_lines{8192};  ///< lines waiting to be written; if there are more, the oldest are lost
};

/// Traces for an OpenTelemetry collector.
struct trace_options {
  std::string endpoint;    ///< URL of the collector, without `/v1/traces`; empty: no traces
  double sample_ratio{1};  ///< share of the traces that begin here; 0 to 1
};

/// Recordings of event streams as received from the upstream, for `replay` and `filter`.
struct record_options {
  std::string directory;        ///< created with mode 0700 if missing; empty: nothing is recorded
  std::size_t max_files{1000};  ///< the oldest files are removed
  std::uint64_t max_bytes{std::uint64_t{1} << 30U};          ///< of all files; the oldest are removed
  std::uint64_t max_stream_bytes{std::uint64_t{16} << 20U};  ///< of one file; longer streams are not kept
  std::size_t max_open{256};                                 ///< streams recorded at the same time
  /// Maximum of bytes waiting to be written. Recordings that do not fit are discarded.
  std::size_t queue_bytes{std::size_t{32} << 20U};
};

/// Where clients connect.
struct listen_options {
  /// Comma-separated list of `host:port` or `unix:/path`; port 0: any free port. Ports are bound with
  /// SO_REUSEPORT, so that a new proxy can start while the old one runs.
  std::string addresses{"127.0.0.1:8080"};
  std::string tls_addresses;  ///< the same, for TLS clients
  std::string cert_file;      ///< PEM file: certificate chain for TLS clients
  std::string key_file;       ///< PEM file; empty: the key is in `cert_file`
  unsigned unix_mode{0660};   ///< permissions of Unix sockets
};

/// What clients may use.
struct client_limits {
  /// The highest `max_head_bytes`: bytes that are not used yet are kept up to this size (client_link).
  static constexpr std::size_t most_head_bytes = 64 * 1024;
  std::size_t max_connections{10'000};  ///< further ones get 503; 0: no limit
  std::size_t max_streams{};            ///< responses at the same time; further requests get 503; 0: no limit
  std::size_t max_head_bytes{16 * 1024};
  std::size_t max_head_fields{100};
  std::size_t max_request_bytes{64 * 1024 * 1024};
  /// Maximum of bytes of all request bodies that the upstream does not have yet. Further ones get 503.
  std::size_t max_request_memory{256 * 1024 * 1024};
  /// Average bytes per second of a request body, measured over each `client_body`; a slower one is refused.
  std::size_t min_body_rate{1024};
};

/// The longest waits.
struct proxy_deadlines {
  std::chrono::milliseconds connect{10'000};   ///< name, TCP and TLS together
  std::chrono::milliseconds head{300'000};     ///< from sending the request to the head of the response
  std::chrono::milliseconds idle{120'000};     ///< without bytes of the response
  std::chrono::milliseconds total{3'600'000};  ///< from receiving the request to the end of the response
  /// Idle time after which a comment is sent if clients ignore it (stream_rules::takes_comments); 0: never.
  std::chrono::milliseconds keep_alive_comment{15'000};
  std::chrono::milliseconds client_head{10'000};  ///< from the first byte of a request to the end of its head
  std::chrono::milliseconds client_body{30'000};  ///< see `min_body_rate`
  std::chrono::milliseconds client_idle{75'000};  ///< between requests
  std::chrono::milliseconds client_stall{120'000};  ///< the client reads nothing
  std::chrono::milliseconds drain{10'000};          ///< for running responses when the process ends
};

/// Changes to requests, and what is read from them.
struct request_rewrite_options {
  bool references{true};       ///< answers may cite the documents and search results of their request
  bool provenance{};           ///< adds keys to tool results and resolves citations of these keys
  provenance_options sources;  ///< details of `provenance`
  bool inline_citations{};     ///< makes graph tools and questions request inline citations (Writer)
};

/// Idle connections to upstreams, and addresses of their host names.
struct pool_options {
  std::size_t max_idle{32};  ///< for each upstream and thread
  /// Servers close idle connections after 5 s or more (Node and uvicorn: 5 s). A request sent at that moment
  /// is lost and must not be repeated, so the proxy closes it earlier.
  std::chrono::milliseconds max_idle_time{4'000};
  /// Older connections are not used again, so that a changed address takes effect.
  std::chrono::milliseconds max_age{300'000};
  /// Maximum age of the addresses of a host name. They are looked up again after three quarters of it.
  std::chrono::milliseconds names{30'000};
};

/// A server that requests are forwarded to.
struct upstream_options {
  std::string name;       ///< used by routes
  std::string url;        ///< `http://…` or `https://…`, base path allowed
  std::string ca_file;    ///< PEM file of trusted CA certificates; empty: those of the system
  std::string cert_file;  ///< PEM file: client certificate to present if the upstream requests one
  std::string key_file;   ///< PEM file; empty: the key is in `cert_file`
};

/// Which requests are forwarded where, and how they and their responses are rewritten. The longest matching
/// path wins; of equal paths, the one with a host.
struct route_options {
  std::string name;  ///< for logs and metrics; empty: host and path
  /// Prefix of whole segments: `/v1` does not match `/v10`. Compared as is_below() does, decoded.
  std::string path{"/"};
  std::string host;      ///< host name of `Host`; empty: any
  std::string upstream;  ///< \ref upstream_options::name
  bool strip_prefix{};   ///< removes `path` from the forwarded path
  bool bypass{};         ///< requests and responses pass unchanged
  session_options session;
  request_rewrite_options requests;
  /// Paths below which JSON responses are rewritten; event streams always are.
  std::vector<std::string> json_paths{"/"};
};

/// Returns the numeric addresses of a host; empty if the name server does not answer. May block. Called in
/// threads that may outlive the server: it owns everything that it uses.
using name_lookup = std::function<std::vector<std::string>(const std::string& host)>;

/// All options. Strings that name files or addresses may be empty unless noted.
struct proxy_options {
  listen_options listen;
  client_limits limits;
  /// For requests that no route matches. Its name is \ref default_upstream. No URL: they get 404.
  upstream_options upstream;
  std::vector<upstream_options> upstreams;  ///< further ones
  std::vector<route_options> routes;        ///< may be empty if there is one upstream
  unsigned threads{};                       ///< 0: one for each CPU that the process may use
  bool request_options{true};               ///< requests can set options: `X-Citestream-Style`, …
  proxy_deadlines deadlines;
  pool_options pool;
  name_lookup lookup;  ///< replaces getaddrinfo(), for tests; only read by the constructor of the server
  log_options log;
  record_options record;
  trace_options trace;
  /// Address of `/healthz`, `/readyz` and `/metrics`: `host:port`, or `:port` on loopback. Empty: none.
  std::string admin;
};

/// The name of \ref proxy_options::upstream in routes.
inline constexpr std::string_view default_upstream = "default";

/// Adds a route for all other requests, to `upstream` or to the only upstream. Does nothing if there is such
/// a route already, or if the upstream is ambiguous. \p base: the other options of the route.
void add_default_route(route_options base, proxy_options& to);

/// Returns true if two routes match the same requests: `/v1` and `/v1/` are equal, and so are host names that
/// differ in case.
[[nodiscard]] bool match_the_same_requests(const route_options& a, const route_options& b);

/// Sets the options in \p next that cannot change without a restart to their current values. \p log_changed:
/// the log has accepted its new level and format. \return the names of those that differed (`listen,
/// record`); empty if none did.
[[nodiscard]] std::string keep_restart_only_options(const proxy_options& current, bool log_changed,
                                                    proxy_options& next);

}  // namespace citestream
