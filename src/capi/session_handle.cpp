// How a session is called.
//
// with_input() performs every call that takes input: it checks the handle and the output, lets the session
// append its output to `waiting`, and delivers the output. Output is passed to the caller's sink, or copied
// into the caller's buffer as far as it fits, or kept in `waiting` until it is read or taken. If not all of
// it fits, the code of the call is kept and returned with the last of it.
//
// While a sink runs, `sink` rejects all calls except free, which is noted there: the session is then freed
// when the outer call returns. After an exception the state is unknown, so `broken` rejects all further
// calls.
#include "session_handle.hpp"

#include <algorithm>
#include <utility>

#include "options_handle.hpp"
#include "request_handle.hpp"
#include "session/option_table.hpp"

namespace citestream::capi {
namespace {

constexpr std::size_t first_output_size = CITESTREAM_SIZE_UP_TO(citestream_output, waiting);
// Output buffers larger than this are freed once they are empty, because many sessions can be idle at once.
constexpr std::size_t idle_capacity = 64 * 1024;

/// Copies the caller's struct. Arguments are checked first, so a call that fails has no effect.
int read_output(const citestream_output* given, citestream_output& out) noexcept {
  if (given == nullptr) return CITESTREAM_OK;
  const int code = read_struct(given, first_output_size, out);
  if (code != CITESTREAM_OK) return code;
  const bool no_buffer = out.data == nullptr && out.capacity != 0;
  return out.sink == nullptr && no_buffer ? CITESTREAM_BAD_ARGUMENT : CITESTREAM_OK;
}

int give_to_sink(citestream_session& session, int code, citestream_output& out) {
  const std::string_view all = session.waiting.rest();
  session.waiting.take(all.size());
  out.size = all.size();
  if (all.empty()) return code;
  session.sink = sink_call::running;
  int sink_result = 0;
  try {
    sink_result = out.sink(out.user, all.data(), all.size());
  } catch (...) {
    sink_result = 1;  // a sink in C++ that throws, although it must not
  }
  if (session.sink == sink_call::running) session.sink = sink_call::none;
  return sink_result == 0 ? code : CITESTREAM_STOPPED;
}

int give_to_buffer(citestream_session& session, int code, citestream_output& out) noexcept {
  const std::string_view all = session.waiting.rest();
  out.size = std::min(all.size(), out.capacity);
  if (out.size != 0) std::memcpy(out.data, all.data(), out.size);
  session.waiting.take(out.size);
  out.waiting = all.size() - out.size;
  if (out.waiting == 0) return code;
  session.waiting.keep_code(code);
  return CITESTREAM_MORE;
}

/// The options of the answer to \p request.
session_options options_for(const session_options& options, const citestream_request& request) {
  session_options all = options;
  all.references.insert(all.references.end(), request.references.begin(), request.references.end());
  all.provenance = all.provenance || request.keyed;
  if (request.json) all.keep_answers();
  return all;
}

/// \param request  may be null
int create_session(const citestream_options* options, const citestream_request* request, int mode,
                   citestream_workspace* workspace, citestream_session** out) {
  if (out == nullptr) return CITESTREAM_BAD_ARGUMENT;
  *out = nullptr;
  const bool valid_workspace = workspace == nullptr || workspace->type_tag == tag::workspace;
  const bool valid_mode = mode >= CITESTREAM_PASS && mode <= CITESTREAM_JSON;
  if (!is_options(options) || !valid_workspace || !valid_mode) return CITESTREAM_BAD_ARGUMENT;
  return guarded([&]() -> int {
    if (!option_conflict(options->values.session).empty()) return CITESTREAM_BAD_VALUE;
    options->in_use.store(true);
    const session_options& given = options->values.session;
    *out = request == nullptr ? new citestream_session(given, mode, workspace)
                              : new citestream_session(options_for(given, *request), mode, workspace);
    return CITESTREAM_OK;
  });
}

/// Moves buffered output to the caller's sink or buffer. \p given is valid or null.
int deliver(citestream_session& session, int code, citestream_output* given) {
  if (given == nullptr) return code;
  citestream_output out;
  static_cast<void>(read_output(given, out));
  out.size = out.waiting = 0;
  if (const int kept = session.waiting.take_code(); kept != 0 && code == CITESTREAM_OK) code = kept;
  code = out.sink != nullptr ? give_to_sink(session, code, out) : give_to_buffer(session, code, out);
  static_cast<void>(write_struct(out, first_output_size, given));
  return code;
}

/// Performs one call with input: checks the arguments, does the work, delivers the output.
template <typename Work>
[[gnu::hot]] int with_input(citestream_session* session, citestream_output* given,
                            const Work& work) noexcept {
  if (const int code = check(session); code != CITESTREAM_OK) return code;
  citestream_output out;
  if (const int code = read_output(given, out); code != CITESTREAM_OK) return code;
  if (session->ended) return CITESTREAM_BAD_STATE;
  int code = guarded([&]() -> int {
    session->waiting.make_room(session->shared);
    const std::size_t before = session->waiting.rest().size();
    const status problem = work();
    session->bytes_out += session->waiting.rest().size() - before;
    if (problem) session->problem = problem;
    return static_cast<int>(problem.code);
  });
  if (code < 0) return session->broken = code;
  code = deliver(*session, code, given);
  if (session->sink == sink_call::freeing) destroy(session);
  return code;
}

status take(citestream_session& session, std::string_view bytes) {
  session.bytes_in += bytes.size();
  if (session.mode == CITESTREAM_EVENTS) return session.rewriter.write(bytes, session.waiting.all());
  collected_body& body = session.body;
  if (session.mode != CITESTREAM_JSON || body.passes) {
    session.waiting.all() += bytes;
    return {};
  }
  body.bytes += bytes;
  if (body.bytes.size() <= body.max_bytes) return {};
  body.passes = true;
  session.waiting.all() += body.bytes;
  std::string().swap(body.bytes);
  return {errc::body_too_large, body.max_bytes};
}

status end(citestream_session& session, stream_end how, std::string_view message, std::string_view code) {
  session.ended = true;
  if (session.mode == CITESTREAM_EVENTS)
    return session.rewriter.finish(session.waiting.all(), how, message, code);
  if (how == stream_end::aborted) {
    session.waiting.all() += session.body.bytes;  // an incomplete JSON text passes through unchanged
    return {errc::upstream_incomplete, session.bytes_in};
  }
  if (session.mode != CITESTREAM_JSON || session.body.passes) return {};
  const status problem = session.rewriter.rewrite_body(session.body.bytes, session.waiting.all());
  std::string().swap(session.body.bytes);
  return problem;
}

}  // namespace

void waiting_output::clear() noexcept {
  taken_ = 0;
  if (all_->capacity() > idle_capacity) std::string().swap(*all_);
  all_->clear();
}

[[gnu::hot]] void waiting_output::make_room(citestream_workspace* shared) {
  if (all_ != nullptr) {
    if (rest().empty()) {
      clear();
    } else if (taken_ > all_->size() / 2) {  // moves fewer bytes than were taken
      all_->erase(0, std::exchange(taken_, 0));
    }
  } else if (shared != nullptr && shared->spare != nullptr) {
    all_ = std::move(shared->spare);
  } else {
    all_ = std::make_unique<std::string>();
  }
}

[[gnu::hot]] void waiting_output::release(citestream_workspace& shared) noexcept {
  if (all_ == nullptr || !rest().empty()) return;
  clear();
  if (shared.spare == nullptr || shared.spare->capacity() < all_->capacity()) shared.spare.swap(all_);
  all_.reset();
}

[[gnu::hot]] int check(const citestream_session* session) noexcept {
  if (session == nullptr || session->type_tag != tag::session) return CITESTREAM_BAD_ARGUMENT;
  if (session->broken != CITESTREAM_OK) return session->broken;
  return session->sink == sink_call::none ? CITESTREAM_OK : CITESTREAM_BAD_STATE;
}

}  // namespace citestream::capi

using namespace citestream;
using namespace citestream::capi;

int citestream_workspace_create(citestream_workspace** out) {
  return create(out);
}

void citestream_workspace_free(citestream_workspace* workspace) {
  if (workspace != nullptr && workspace->type_tag == tag::workspace) destroy(workspace);
}

int citestream_session_create(const citestream_options* options, int mode, citestream_workspace* workspace,
                              citestream_session** out) {
  return create_session(options, nullptr, mode, workspace, out);
}

int citestream_session_create_for(const citestream_options* options, const citestream_request* request,
                                  int mode, citestream_workspace* workspace, citestream_session** out) {
  if (out != nullptr) *out = nullptr;
  if (!is_request(request)) return CITESTREAM_BAD_ARGUMENT;
  return create_session(options, request, mode, workspace, out);
}

void citestream_session_free(citestream_session* session) {
  if (session == nullptr || session->type_tag != tag::session) return;
  if (session->sink == sink_call::none) return destroy(session);
  session->sink = sink_call::freeing;
}

int citestream_session_reset(citestream_session* session) {
  if (const int code = check(session); code != CITESTREAM_OK) return code;
  session->rewriter.reset();
  session->ended = session->body.passes = false;
  session->body.bytes.clear();
  session->waiting.drop();
  session->bytes_in = session->bytes_out = 0;
  session->problem = {};
  return CITESTREAM_OK;
}

[[gnu::hot]] int citestream_session_write(citestream_session* session, const char* bytes, size_t size,
                                          citestream_output* out) {
  if (!is_text(bytes, size)) return CITESTREAM_BAD_ARGUMENT;
  return with_input(session, out, [&] { return take(*session, view({bytes, size})); });
}

int citestream_session_finish(citestream_session* session, citestream_output* out) {
  return with_input(session, out, [&] { return end(*session, stream_end::complete, {}, {}); });
}

int citestream_session_abort(citestream_session* session, const char* message, const char* code,
                             citestream_output* out) {
  const std::string_view why = message == nullptr ? std::string_view{} : message;
  const std::string_view named = code == nullptr ? std::string_view{} : code;
  return with_input(session, out, [&] { return end(*session, stream_end::aborted, why, named); });
}

int citestream_session_read(citestream_session* session, citestream_output* given) {
  if (const int code = check(session); code != CITESTREAM_OK) return code;
  citestream_output out;
  if (given == nullptr) return CITESTREAM_BAD_ARGUMENT;
  if (const int code = read_output(given, out); code != CITESTREAM_OK) return code;
  const int code = deliver(*session, CITESTREAM_OK, given);
  if (session->sink == sink_call::freeing) destroy(session);
  return code;
}

[[gnu::hot]] int citestream_session_take(citestream_session* session, citestream_text* out) {
  if (out == nullptr) return CITESTREAM_BAD_ARGUMENT;
  *out = text({});
  if (const int code = check(session); code != CITESTREAM_OK) return code;
  const std::string_view rest = session->waiting.rest();
  *out = text(rest);
  session->waiting.take(rest.size());
  return session->waiting.take_code();
}

[[gnu::hot]] int citestream_session_release(citestream_session* session) {
  if (const int code = check(session); code != CITESTREAM_OK) return code;
  if (session->shared != nullptr) session->waiting.release(*session->shared);
  return CITESTREAM_OK;
}
