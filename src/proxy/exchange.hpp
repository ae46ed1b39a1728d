/// \file
/// One request and its answer.
#pragma once

#include <citestream/provenance/provenance.hpp>
#include <citestream/session/session.hpp>

#include <memory>
#include <string>
#include <string_view>

#include "client_link.hpp"
#include "http/body_decoder.hpp"
#include "http/forwarding.hpp"
#include "http/message_head.hpp"
#include "request_facts.hpp"
#include "stream_watch.hpp"
#include "treatment.hpp"
#include "trouble.hpp"
#include "worker.hpp"

namespace citestream {

/// Sends the request, relays the answer. The upstream connection is closed with the exchange unless the
/// answer came whole and upstream keeps it.
class exchange {
 public:
  /// \p request and what it views must outlive the exchange.
  exchange(worker& home, course way, client_link& client, const std::shared_ptr<wakeup>& wake,
           const http::request_head& request, std::string body, request_facts& seen);
  ~exchange();
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;

  /// \return whether the client's connection can carry another request.
  awaitable<bool> run();

 private:
  enum class step : std::uint8_t {
    data,      ///< body bytes have come
    complete,  ///< so has the body's end, perhaps with bytes before it
    failed,    ///< nothing follows (see trouble_), perhaps bytes came before
    quiet,     ///< nothing came for a while
  };

  // exchange.cpp: up to the answer's head
  [[nodiscard]] std::string prepare_request();
  awaitable<trouble> open();
  awaitable<trouble> connect(clock::time_point deadline);
  awaitable<trouble> read_head();
  awaitable<trouble> read_one_head(clock::time_point deadline);
  awaitable<trouble> pass_interim_head();
  awaitable<trouble> receive(clock::time_point deadline, trouble late);
  awaitable<bool> give_up(trouble why);
  template <class Ready>
  awaitable<trouble> wait(const Ready& ready, clock::time_point deadline, trouble late);

  // relay.cpp: the body
  [[nodiscard]] awaitable<bool> relay();
  awaitable<bool> relay_events();
  awaitable<bool> relay_json();
  awaitable<bool> send_json(const std::string& body);
  awaitable<bool> relay_untouched(std::string collected);
  awaitable<step> next_body(std::chrono::milliseconds quiet_after = {});
  void forget_head() noexcept;
  void write(const client_link::pieces& bytes);
  bool write_part(std::string_view data, bool last);
  awaitable<bool> written();
  awaitable<bool> drained(unread_records& records);
  std::string_view rewrite(std::string_view& in, session& rewriter, unread_records& records,
                           stream_watch& watch, std::string& out);
  awaitable<bool> send(const client_link::pieces& bytes);
  [[nodiscard]] bool finish(step how);
  void write_head(http::framing body, std::uint64_t length, bool changed);
  [[nodiscard]] http::treatment kind_of_answer() const noexcept;
  void end_events(session& rewriter, step& how, std::string& out);
  [[nodiscard]] bool keeps_client() const noexcept;
  [[nodiscard]] std::unique_ptr<recorder::stream> record();
  [[nodiscard]] session_options answer_options();

  worker& home_;
  course way_;
  const proxy_options& options_;  ///< of the site that way_ keeps
  client_link& client_;
  std::shared_ptr<wakeup> wake_;
  const http::request_head& request_;
  std::string body_;
  request_facts& seen_;
  provenance_registry sources_;  ///< of the request, where it was given provenance
  bool provenance_{};

  std::shared_ptr<upstream_link> link_;
  std::string raw_;             ///< the answer's head as it came, and what the same read brought behind it
  http::response_head answer_;  ///< views into raw_
  http::body_decoder decoder_;
  std::string_view undecoded_;  ///< in raw_, or what link_ read last
  clock::time_point end_{};     ///< of the whole answer, at the latest
  clock::time_point last_arrival_{};
  trouble trouble_{trouble::none};
  bool was_quiet_{};
  clock::time_point asked_{};    ///< the request was given to upstream
  clock::time_point arrived_{};  ///< of what link_ read last
  clock::time_point left_{};     ///< of what the client's socket was given last

  http::treatment kind_{http::treatment::pass};  ///< of the answer
  std::string head_;                             ///< the client's, until it is sent
  std::string chunk_start_;                      ///< of the part that is sent
  http::framing client_body_{http::framing::none};
  bool keep_client_{};
  bool failure_told_{};  ///< the client can tell from the body that it failed, or lacks nothing of it
};

}  // namespace citestream
