// Codes, their messages, the version.
#include <citestream/base/status.hpp>
#include <citestream/base/version.hpp>

#include "boundary.hpp"

namespace citestream::capi {

constinit std::atomic<std::size_t> live_handles{};

}  // namespace citestream::capi

using citestream::errc;

static_assert(CITESTREAM_EVENT_TOO_LARGE == static_cast<int>(errc::event_too_large));
static_assert(CITESTREAM_INVALID_JSON == static_cast<int>(errc::invalid_json));
static_assert(CITESTREAM_JSON_TOO_DEEP == static_cast<int>(errc::json_too_deep));
static_assert(CITESTREAM_DUPLICATE_KEY == static_cast<int>(errc::duplicate_key));
static_assert(CITESTREAM_BODY_TOO_LARGE == static_cast<int>(errc::body_too_large));
static_assert(CITESTREAM_INCOMPLETE == static_cast<int>(errc::upstream_incomplete));
static_assert(CITESTREAM_DAMAGED_MESSAGE == static_cast<int>(errc::damaged_message));

const char* citestream_message(int code) {
  switch (code) {
    case CITESTREAM_MORE:
      return "output is buffered: call citestream_session_read()";
    case CITESTREAM_BAD_ARGUMENT:
      return "an argument is null or out of range";
    case CITESTREAM_BAD_STATE:
      return "the call is not allowed in this state";
    case CITESTREAM_UNKNOWN_OPTION:
      return "unknown option";
    case CITESTREAM_BAD_VALUE:
      return "invalid value for the option";
    case CITESTREAM_NO_MEMORY:
      return "out of memory";
    case CITESTREAM_UNSUPPORTED:
      return "not supported by this build";
    case CITESTREAM_STOPPED:
      return "the sink returned an error";
    case CITESTREAM_INTERNAL:
      return "internal error";
    default:
      break;
  }
  // These views are of string literals, which end with a NUL.
  const bool of_events =
      (code >= CITESTREAM_OK && code <= CITESTREAM_INCOMPLETE) || code == CITESTREAM_DAMAGED_MESSAGE;
  return of_events ? citestream::message(static_cast<errc>(code)).data() : "unknown error";
}

const char* citestream_version(void) {
  return CITESTREAM_VERSION;
}

uint32_t citestream_version_number(void) {
  return CITESTREAM_VERSION_NUMBER;
}
