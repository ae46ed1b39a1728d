/// \file
/// What all threads of a proxy share to tell about it.
#pragma once

#include <string>
#include <utility>

#include "metrics.hpp"
#include "recorder.hpp"
#include "request_log.hpp"
#include "seldom.hpp"

namespace citestream {

struct observer {
  observer(log_options log_, record_options record) : log(std::move(log_)), recordings(std::move(record)) {}

  /// \return an empty string, or why not.
  [[nodiscard]] std::string start() {
    std::string why = log.start();
    return why.empty() ? recordings.start() : why;
  }
  /// Counts a request that has ended, and logs it.
  void ended(const request_facts& of, const std::string& client, proxy_metrics& counters);

  request_log log;
  recorder recordings;
  model_names models;
  seldom full;        ///< connections over the bound
  seldom unaccepted;  ///< connections that the system did not give
  seldom broken;      ///< connections that an error inside the proxy ended
};

}  // namespace citestream
