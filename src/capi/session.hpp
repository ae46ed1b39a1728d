// The handle of a session.
#pragma once

#include <citestream/citestream.h>
#include <citestream/session/session.hpp>
#include <citestream/session/workspace.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "boundary.hpp"

struct citestream_workspace {
  citestream::capi::tag what{citestream::capi::tag::workspace};
  citestream::capi::counted one;
  citestream::workspace room;
};

namespace citestream::capi {

/// A citation as C sees it, and what it points to.
class citation_record {
 public:
  /// Valid until the next call.
  const citestream_citation* fill(std::uint32_t choice, const citation& from, const citations& all);

 private:
  citestream_citation citation_{};
  std::vector<citestream_reference> references_;
  std::vector<const citestream_reference*> pointers_;
};

}  // namespace citestream::capi

struct citestream_session {
  citestream_session(const citestream::session_options& options, int treatment, citestream::workspace* shared)
      : how(treatment), body_bound(options.bounds.max_body_bytes), work(options, shared) {}

  citestream::capi::tag what{citestream::capi::tag::session};
  citestream::capi::counted one;
  const int how;  ///< citestream_treatment
  std::size_t body_bound;
  citestream::session work;
  bool busy{};            ///< a sink is being called
  bool doomed{};          ///< it freed the session
  bool ended{};           ///< finish or abort was called
  bool passes{};          ///< a body that was too large
  int broken{};           ///< the code that every further call returns
  std::string collected;  ///< a JSON body
  std::string waiting;    ///< output; of it, `given` bytes have been taken
  std::size_t given{};
  int kept{};  ///< the code that comes with the last of it
  std::uint64_t bytes_in{};
  std::uint64_t bytes_out{};
  citestream::status problem;
  citestream::capi::citation_record record;
};

namespace citestream::capi {

/// Whether what a caller passes as a session is one, and may be called now: a code.
[[nodiscard]] int check(const citestream_session* session) noexcept;

}  // namespace citestream::capi
