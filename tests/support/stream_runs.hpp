// Runs sessions over streams cut in any way and keeps their whole output.
#pragma once

#include <citestream/session/session.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/strings.hpp"

namespace citestream_tests {

/// A typed event with strings of its own.
struct owned_event {
  citestream::session_event_type type{};
  std::uint32_t choice{};
  std::optional<std::uint64_t> delta;
  std::string text;
  std::uint32_t number{};
  std::string marker;
  std::uint64_t end{};  ///< of the citation, in bytes
  citestream::citation_status status{};
  std::string finish_reason;
};

/// How a run ends.
struct ending {
  citestream::stream_end how{citestream::stream_end::complete};
  std::string_view message;
  std::string_view code;
};

/// The output of a session for one stream.
struct stream_run {
  std::string out;
  citestream::status error;  ///< the last one of write()
  citestream::status end;    ///< of finish()
  std::vector<owned_event> events;
  citestream::session_statistics counts;
};

/// Runs \p session over \p parts, each written into a string of its own, and finishes. A session that has run
/// is to be reset first.
stream_run run(citestream::session& session, const pieces& parts, const ending& how = {});

/// The same with a new session, all bytes at once.
stream_run run_whole(const citestream::session_options& options, std::string_view bytes,
                     const ending& how = {});

/// The text of a choice. The session must have had \ref citestream::session_options::typed_events.
std::string text_of(const stream_run& run, std::uint32_t choice = 0);

/// The default options, but with this style.
citestream::session_options options_for(const citestream::style& how);

/// What must not depend on how a stream was cut.
inline auto comparable(const stream_run& run) {
  return std::tuple(run.out, run.error.code, run.error.offset, run.end.code, run.end.offset);
}

/// Compares \p stream in one piece with \p stream in single bytes, and cut in two at every byte (`cut_step`).
/// \return the first cut that changes the output, with that output, or an empty string
std::string cut_difference(const citestream::session_options& options, std::string_view stream);

/// The `data` of the events in \p bytes.
std::vector<std::string> payloads(std::string_view bytes);

}  // namespace citestream_tests
