/// \file
/// A request that is being served, as the classes that serve it share it.
#pragma once

#include <memory>

#include "client_link.hpp"
#include "config_snapshot.hpp"
#include "http/message_head.hpp"
#include "request_facts.hpp"
#include "worker.hpp"

namespace citestream {

/// The references are to objects that outlive the request.
struct served_request {
  worker& owner;
  matched_route matched;
  client_link& client;
  std::shared_ptr<wakeup> wake;
  const http::request_head& head;
  request_facts& facts;

  [[nodiscard]] const proxy_deadlines& deadlines() const noexcept {
    return matched.config->options.deadlines;
  }
  [[nodiscard]] const upstream_target& upstream() const noexcept { return *matched.route->upstream; }
};

}  // namespace citestream
