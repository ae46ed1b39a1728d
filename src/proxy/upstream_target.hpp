/// \file
/// One configured upstream, ready to be connected to. Shared by all threads.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

#include "asio.hpp"
#include "http/upstream_url.hpp"
#include "server.hpp"

namespace citestream {

struct upstream_target {
  std::string name;
  http::upstream_url url;
  asio::ssl::context tls{asio::ssl::context::tls_client};
};

/// Takes the URL apart and reads the certificates. \return an empty string, or in one line why not.
[[nodiscard]] std::string make_upstream_target(const upstream_options& from,
                                               std::shared_ptr<upstream_target>& out);

}  // namespace citestream
