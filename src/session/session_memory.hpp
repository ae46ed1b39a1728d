// What a session needs only while it is called, so that the sessions of one thread can share it.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include "rewrite/splice.hpp"

namespace citestream {

/// Behind a \ref workspace, or a session's own. Nothing in it outlives a call.
struct session_memory {
  document payload;      ///< the event under way
  document shape;        ///< a remembered event, while one like it is added
  document annotations;  ///< a list of annotations
  dialect_event read;    ///< what the event under way says
  splicer edits;         ///< what changes in it
};

}  // namespace citestream
