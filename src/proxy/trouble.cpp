#include "trouble.hpp"

namespace citestream {

trouble_text describe(trouble what) noexcept {
  switch (what) {
    case trouble::shutdown:
      return {503, "proxy_shutdown", "the proxy is shutting down"};
    case trouble::no_descriptors:
      return {503, "too_many_connections", "the proxy has no file descriptor left for a connection"};
    case trouble::unreachable:
      return {502, "upstream_unreachable", "the upstream cannot be reached"};
    case trouble::tls:
      return {502, "upstream_tls", "no trusted TLS connection to the upstream"};
    case trouble::connect_timeout:
      return {504, "upstream_timeout", "the upstream did not accept in time"};
    case trouble::head_timeout:
      return {504, "upstream_timeout", "the upstream did not answer in time"};
    case trouble::idle_timeout:
      return {504, "upstream_timeout", "the upstream fell silent"};
    case trouble::total_timeout:
      return {504, "upstream_timeout", "the upstream did not end its answer in time"};
    case trouble::closed:
      return {502, "upstream_closed", "the upstream closed the connection early"};
    case trouble::reset:
      return {502, "upstream_reset", "the upstream reset the connection"};
    case trouble::malformed:
      return {502, "upstream_malformed", "the upstream sent a malformed answer"};
    case trouble::internal:
      return {500, "proxy_error", "an error inside the proxy"};
    case trouble::none:
    case trouble::client_gone:
      break;
  }
  return {};
}

std::string_view trouble_name(trouble what) noexcept {
  switch (what) {
    case trouble::none:
      return {};
    case trouble::client_gone:
      return "client_left";
    case trouble::connect_timeout:
      return "connect_timeout";
    case trouble::head_timeout:
      return "head_timeout";
    case trouble::idle_timeout:
      return "idle_timeout";
    case trouble::total_timeout:
      return "total_timeout";
    default:
      return describe(what).code;
  }
}

}  // namespace citestream
