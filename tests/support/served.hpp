/// \file
/// A replay server.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "replay/server.hpp"
#include "support/loopback.hpp"

namespace citestream_tests {

/// A replay server that runs as long as this object exists.
struct served {
  explicit served(citestream::replay_options options) : server(std::move(options)) {
    const std::error_code error = server.start();
    INFO(error.message());
    REQUIRE_FALSE(error);
  }
  explicit served(std::vector<citestream::recording> recordings,
                  citestream::replay_pace pace = citestream::replay_pace::recorded)
      : served(options(std::move(recordings), pace)) {}

  static citestream::replay_options options(
      std::vector<citestream::recording> recordings,
      citestream::replay_pace pace = citestream::replay_pace::recorded) {
    citestream::replay_options out;
    out.recordings = std::move(recordings);
    out.pace = pace;
    return out;
  }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(server.port()); }

  /// The answer to one request.
  [[nodiscard]] loopback::message ask(std::string_view path, std::string_view body) const {
    loopback::http_client client(server.port());
    client.post(path, body);
    return client.response();
  }

  citestream::replay_server server;
};

}  // namespace citestream_tests
