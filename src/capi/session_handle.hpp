/// \file
/// The handle of a session.
#pragma once

#include <citestream/citestream.h>
#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boundary.hpp"

/// The handle of memory that sessions share.
struct citestream_workspace {
  citestream::capi::tag type_tag{citestream::capi::tag::workspace};
  citestream::capi::counted handle_count;
  citestream::workspace memory;
  std::unique_ptr<std::string> spare;  ///< an output buffer that a session has released, or null
};

namespace citestream::capi {

/// Buffered output of a session, and the code to return with the last of it. Its memory may be lent to
/// another session of the workspace.
class waiting_output {
 public:
  /// Provides a buffer for new output. Drops output that was taken, at the latest when there is more of it
  /// than of other output. \p shared may be null.
  void make_room(citestream_workspace* shared);
  /// Lends the memory to \p shared if nothing is buffered.
  void release(citestream_workspace& shared) noexcept;
  /// Drops buffered output and the code.
  void drop() noexcept {
    if (all_ != nullptr) clear();
    code_ = 0;
  }
  /// After make_room(): new output is appended here.
  [[nodiscard]] std::string& all() noexcept { return *all_; }
  [[nodiscard]] std::string_view rest() const noexcept {
    return all_ == nullptr ? std::string_view() : std::string_view(*all_).substr(taken_);
  }
  /// Removes the first \p bytes of rest().
  void take(std::size_t bytes) noexcept { taken_ += bytes; }
  void keep_code(int code) noexcept { code_ = code; }
  /// Returns the code that was kept, once; then CITESTREAM_OK.
  [[nodiscard]] int take_code() noexcept { return std::exchange(code_, 0); }

 private:
  void clear() noexcept;

  std::unique_ptr<std::string> all_;
  std::size_t taken_{};
  int code_{};
};

/// A JSON body. It is collected until it is complete, or too large.
struct collected_body {
  std::size_t max_bytes{};
  std::string bytes;  ///< so far
  bool passes{};      ///< too large: it passes through
};

/// The call of the caller's sink.
enum class sink_call : std::uint8_t {
  none,
  running,
  freeing,  ///< running, and it has freed the session
};

/// A reference as a C struct. Its excerpts are counted but not set.
[[nodiscard]] citestream_reference struct_of(const reference& from) noexcept;

/// A citation as a C struct, and the objects that it points to.
class citation_record {
 public:
  /// Fills the struct from a citation. The result is valid until the next call.
  /// \param found  what the check of its claim found, or null; \param unit  of positions in JSON
  const citestream_citation* fill(std::uint32_t choice, const citation& from, const citations& all,
                                  const claim_finding* found, offset_unit unit);

 private:
  void fill_references(const citation& from, const citations& all);
  void fill_finding(const claim_finding* found, const citations& all, offset_unit unit);

  citestream_citation citation_{};
  std::vector<citestream_reference> references_;
  std::vector<citestream_text> excerpts_;  ///< of all references
  std::vector<const citestream_reference*> pointers_;
  std::string path_;     ///< JSON
  std::string finding_;  ///< JSON
};

}  // namespace citestream::capi

/// The handle of a session.
struct citestream_session {
  citestream_session(const citestream::session_options& options, int rewrite_mode,
                     citestream_workspace* workspace)
      : mode(rewrite_mode),
        rewriter(options, workspace == nullptr ? nullptr : &workspace->memory),
        shared(workspace),
        offsets(options.offsets),
        body{options.bounds.max_body_bytes, {}, {}} {}

  citestream::capi::tag type_tag{citestream::capi::tag::session};
  citestream::capi::counted handle_count;
  const int mode;  ///< citestream_rewrite_mode
  citestream::session rewriter;
  citestream_workspace* shared;  ///< or null
  const citestream::offset_unit offsets;
  citestream::capi::sink_call sink{};
  bool ended{};  ///< finish or abort was called
  int broken{};  ///< if not 0, every further call returns this code
  citestream::capi::collected_body body;
  citestream::capi::waiting_output waiting;
  std::uint64_t bytes_in{};
  std::uint64_t bytes_out{};
  citestream::status problem;
  citestream::capi::citation_record record;
};

namespace citestream::capi {

/// Returns CITESTREAM_OK if \p session is a session that may be called now, otherwise the code to return.
[[nodiscard]] int check(const citestream_session* session) noexcept;

}  // namespace citestream::capi
