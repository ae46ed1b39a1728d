/// \file
/// Memory that a session needs only while it is called, for the sessions of one thread to share.
///
/// \code
///   citestream::workspace space;                      // one a thread
///   citestream::session session(options, &space);     // as many as are open
/// \endcode
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/rewrite/splice.hpp>

namespace citestream {

/// Room to parse payloads in: some 120 KiB once it was used, more for larger payloads. A session without one
/// makes its own at its first payload. Sessions that share one must not be called at the same time; it
/// outlives them, and nothing of one session is seen by another.
class workspace {
 public:
  workspace() = default;
  workspace(const workspace&) = delete;
  workspace& operator=(const workspace&) = delete;

 private:
  friend class stream;
  document payload_;      // the event under way
  document shape_;        // an event remembered, when one like it is added
  document annotations_;  // a list of annotations
  dialect_event read_;    // what the event under way says
  splicer edits_;         // what changes in it
};

}  // namespace citestream
