// Codes, their messages, the version.
#include <citestream/base/status.hpp>
#include <citestream/base/version.hpp>

#include <iterator>

#include "boundary.hpp"

using citestream::errc;

static_assert(CITESTREAM_EVENT_TOO_LARGE == static_cast<int>(errc::event_too_large));
static_assert(CITESTREAM_INVALID_JSON == static_cast<int>(errc::invalid_json));
static_assert(CITESTREAM_JSON_TOO_DEEP == static_cast<int>(errc::json_too_deep));
static_assert(CITESTREAM_DUPLICATE_KEY == static_cast<int>(errc::duplicate_key));
static_assert(CITESTREAM_BODY_TOO_LARGE == static_cast<int>(errc::body_too_large));
static_assert(CITESTREAM_INCOMPLETE == static_cast<int>(errc::upstream_incomplete));
static_assert(CITESTREAM_DAMAGED_MESSAGE == static_cast<int>(errc::damaged_message));

const char* citestream_message(int code) {
  static constexpr const char* texts[] = {"an argument is null or out of range",
                                          "the call is not allowed in this state",
                                          "unknown option",
                                          "invalid value for the option",
                                          "out of memory",
                                          "not supported by this build",
                                          "the sink returned an error",
                                          "internal error"};
  constexpr int first = CITESTREAM_BAD_ARGUMENT;
  static_assert(std::size(texts) == first - CITESTREAM_INTERNAL + 1);
  if (code <= first && code >= CITESTREAM_INTERNAL) return texts[first - code];
  if (code == CITESTREAM_MORE) return "output is buffered: call citestream_session_read()";
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
