/// \file
/// The handle of a request.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/citestream.h>

#include <string>
#include <vector>

#include "boundary.hpp"

/// The handle of a request.
struct citestream_request {
  citestream::capi::tag type_tag{citestream::capi::tag::request};
  citestream::capi::counted handle_count;
  std::string body;  ///< to be sent
  bool keyed{};      ///< tool results have keys
  bool json{};       ///< it asks for an answer that is JSON for a program
  std::vector<citestream::reference> references;
  std::vector<citestream_reference> structs;  ///< the same, for the caller
};

namespace citestream::capi {

/// Returns true if a pointer from the caller is a handle of a request.
[[nodiscard]] bool is_request(const citestream_request* request) noexcept;

}  // namespace citestream::capi
