/// \file
/// What a session needs only during a call, so that the sessions of one thread can share it.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include "rewrite/splice.hpp"
#include "session/event_template.hpp"

namespace citestream {

/// The content of a \ref workspace, or of a session without one. Nothing in it is used after the call.
struct session_memory {
  document payload;      ///< the current event
  copy_memory copies;    ///< of an event, while another one like it is written
  document annotations;  ///< a list of annotations
  dialect_event read;    ///< the content of the current event
  splicer edits;         ///< the edits of the current event
};

}  // namespace citestream
