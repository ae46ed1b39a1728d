/// \file
/// A reverse proxy that rewrites LLM answers on their way: event streams as they flow, JSON bodies whole,
/// everything else untouched.
///
/// \code
///   citestream::proxy_options options;
///   options.listen = "127.0.0.1:0";
///   options.upstream = "https://api.writer.com";
///   citestream::proxy_server server(std::move(options));
///   if (std::string why = server.start(); !why.empty()) fail(why);
///   use(server.port());
///   server.stop(std::chrono::seconds(10));
/// \endcode
#pragma once

#include <citestream/provenance/provenance.hpp>
#include <citestream/session/options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "observe_options.hpp"

namespace citestream {

/// How long each thing may take.
struct proxy_deadlines {
  std::chrono::milliseconds connect{10'000};       ///< name, TCP and TLS together
  std::chrono::milliseconds answer_head{300'000};  ///< from the request sent to the answer's head
  std::chrono::milliseconds upstream_idle{120'000};
  std::chrono::milliseconds answer{3'600'000};  ///< from the request's arrival to the answer's end
  std::chrono::milliseconds keep_alive_comment{
      15'000};                                      ///< silence before a comment keeps the client; 0: never
  std::chrono::milliseconds client_head{10'000};    ///< from a request's first byte to its head's end
  std::chrono::milliseconds client_body{30'000};    ///< silence inside a request body, see also min_body_rate
  std::chrono::milliseconds client_idle{75'000};    ///< between requests
  std::chrono::milliseconds client_stall{120'000};  ///< the client takes nothing of what is written
};

/// What is changed in requests.
struct request_rewriting {
  bool provenance{};           ///< tool results are given keys, and the answer is resolved against them
  provenance_options sources;  ///< how
  bool inline_citations{};     ///< graph tools and questions ask for inline citations (Writer)
};

/// Connections to upstreams that wait for another request.
struct pool_options {
  std::size_t max_idle{32};  ///< to one upstream, for each thread
  /// Servers close idle connections after 5 s and more (Node and uvicorn: 5 s). A request sent into such a
  /// close is lost and may not be repeated, so a connection is not used that late.
  std::chrono::milliseconds max_idle_time{4'000};
  std::chrono::milliseconds max_age{300'000};  ///< then a new one, to where the name leads by now
  /// Maximum age of the addresses of a host name. They are looked up again after three quarters of it.
  std::chrono::milliseconds names{30'000};
};

/// A place that requests go to.
struct upstream_options {
  std::string name;       ///< what routes call it
  std::string url;        ///< `http://…` or `https://…`, base path allowed
  std::string ca_file;    ///< PEM: the only certificates trusted; empty: the system's trust store
  std::string cert_file;  ///< PEM: what is shown to it where it asks for a certificate; empty: nothing
  std::string key_file;   ///< PEM; empty: it stands in `cert_file`
};

/// Which requests go where, and what is done with them and with their answers. The longest path wins; of two
/// equal ones the one for a host.
struct route_options {
  std::string name;       ///< in logs and metrics; empty: host and path
  std::string path{"/"};  ///< by whole segments, as it stands in the request: `/v1` is not of `/v10`
  std::string host;       ///< of the `Host` field, without a port; empty: any
  std::string upstream;   ///< \ref upstream_options::name
  bool strip_prefix{};    ///< `path` is taken off before upstream is asked
  bool bypass{};          ///< requests and answers pass as they come
  session_options session;
  request_rewriting requests;
  std::vector<std::string> json_paths{
      "/"};  ///< below these, JSON answers are rewritten; event streams always
};

/// Returns the numeric addresses of a host; empty if the name server does not answer. May block. Called in
/// threads that may outlive the server: it owns everything that it uses.
using name_lookup = std::function<std::vector<std::string>(const std::string& host)>;

struct proxy_options {
  /// `host:port` or `unix:/path`, several separated by commas; port 0: any free one. Ports are shared with
  /// other processes of the same user that share them too: a new proxy starts beside the old.
  std::string listen{"127.0.0.1:8080"};
  std::string tls_listen;               ///< the same, for clients that speak TLS
  std::string tls_cert;                 ///< PEM file: what they are shown, with its chain
  std::string tls_key;                  ///< PEM file; empty: it stands in `tls_cert`
  unsigned unix_mode{0660};             ///< permissions of Unix sockets
  std::size_t max_connections{10'000};  ///< of clients; one more is answered with 503; 0: no bound
  std::size_t max_streams{};  ///< answers on their way at once; one more is answered with 503; 0: no bound
  std::string upstream;       ///< where what no route takes goes; empty: it is answered with 404
  std::string upstream_ca;    ///< \ref upstream_options::ca_file of `upstream`
  std::string upstream_cert;  ///< \ref upstream_options::cert_file of `upstream`
  std::string upstream_key;   ///< \ref upstream_options::key_file of `upstream`
  std::vector<upstream_options> upstreams;  ///< further ones; the name `default` is that of `upstream`
  std::vector<route_options> routes;        ///< may be empty where there is one upstream
  unsigned threads{};                       ///< 0: one for each core
  bool request_options{true};  ///< requests may say how their answers are treated: `X-Citestream-Style`, …
  session_options session;     ///< of `upstream`
  request_rewriting requests;  ///< of `upstream`
  proxy_deadlines deadlines;
  pool_options pool;
  name_lookup lookup;  ///< replaces getaddrinfo(), for tests; only read by the constructor of the server
  std::size_t max_head_bytes{16 * 1024};
  std::size_t max_head_fields{100};
  std::size_t max_request_bytes{64 * 1024 * 1024};
  std::size_t min_body_rate{1024};  ///< bytes a second of a request body on average, after `client_body`
  log_options log;
  record_options record;
  /// `host:port`, `:port` on the loopback interface: `/healthz`, `/readyz`, `/metrics`. Empty or `off`: none.
  std::string admin;
};

/// Counters since start().
struct proxy_statistics {
  std::uint64_t connections{};       ///< accepted
  std::uint64_t active{};            ///< client connections open now
  std::uint64_t answers{};           ///< requests being answered now
  std::uint64_t requests{};          ///< whose head and body were accepted
  std::uint64_t requests_changed{};  ///< whose body left rewritten
  std::uint64_t requests_unread{};   ///< whose body was to be read, could not be, and left as it came
  std::uint64_t refused{};           ///< answered by the proxy with 4xx or 5xx before upstream was asked
  std::uint64_t streams{};           ///< event streams rewritten
  std::uint64_t bodies{};            ///< JSON bodies rewritten
  std::uint64_t bypassed{};          ///< answers of a rewritten kind that passed: compressed, or by the route
  std::uint64_t upstream_errors{};   ///< exchanges that upstream did not bring to an end
  std::uint64_t clients_left{};      ///< exchanges given up because the client left
  std::uint64_t upstream_connects{};
  /// Bytes held for one client at most: unsent output, and citation records whose text it has not received.
  std::uint64_t unsent_max{};
};

/// The proxy: one thread and event loop for each core, each with listening sockets of its own.
class proxy_server {
 public:
  explicit proxy_server(proxy_options options);
  ~proxy_server();  ///< stop() without a drain time
  proxy_server(const proxy_server&) = delete;
  proxy_server& operator=(const proxy_server&) = delete;

  /// Reads the certificates, binds, and starts to serve. \return an empty string, or in one line why not.
  [[nodiscard]] std::string start();
  /// The first port listened on, and the first one with TLS; 0: there is none. Valid after start().
  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] std::uint16_t tls_port() const noexcept;
  /// All that is listened on: `http://127.0.0.1:8080`, `https://…`, `unix:/path`; as given, plain ones first.
  [[nodiscard]] std::vector<std::string> addresses() const;

  /// The admin listener's address and port; empty: there is none.
  [[nodiscard]] std::string admin_address() const;
  /// The log's file may have been moved away: the next line goes to one of its name. Also from signal
  /// handlers.
  void reopen_log() noexcept;
  /// Logs a line about the process.
  void say(log_level level, const std::string& message);

  /// Stops accepting; running answers go on, idle connections close. Returns when nobody is let in any more.
  /// Not from a thread of the proxy's own.
  void drain();
  /// drain() or stop() was called: nothing new is taken.
  [[nodiscard]] bool draining() const noexcept;
  /// Waits until no client connection is open. \return false: the time was over before.
  [[nodiscard]] bool wait_until_idle(std::chrono::milliseconds at_most);
  /// drain(), waits up to \p drain_time, ends what still runs as if upstream had died, and stops.
  void stop(std::chrono::milliseconds drain_time = std::chrono::milliseconds(0));

  /// Serves every request that comes from now on by \p options; those under way end as they began. Files with
  /// certificates are read again, those for clients are shown to new connections; the log's level and format
  /// change at once. The rest of `log`, `record`, all addresses, `unix_mode` and `threads` stay as they were:
  /// the log says which of them are other than before. Not from a thread of the proxy's own. \return an empty
  /// string, or in one line why all stays as it is.
  [[nodiscard]] std::string reload(proxy_options options);
  /// The same with the options in force: for certificates that have been replaced.
  [[nodiscard]] std::string reload();

  [[nodiscard]] proxy_statistics statistics() const noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
