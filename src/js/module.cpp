// The functions that the WebAssembly module exports. citestream.js is their only caller.
//
// JavaScript writes arguments to memory from citestream_allocate(). Output is left in a result, whose address
// and size citestream_result() returns; it is valid until the next call. The module has no exceptions: what
// would throw traps, and JavaScript then gives up the whole instance.
#include "module.hpp"

#include <citestream/chunk/document.hpp>
#include <citestream/session/rewrite_mode.hpp>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/sources.hpp"
#include "provenance/request_work.hpp"
#include "rewrite/json_object.hpp"
#include "session/event_lines.hpp"
#include "session/option_table.hpp"

using namespace citestream;

namespace {

// citestream.js has copies of these values.
static_assert(static_cast<int>(rewrite_mode::events) == 2 && static_cast<int>(rewrite_mode::json) == 3);
static_assert(static_cast<int>(request_kind::other) == 0 && static_cast<int>(request_kind::chat) == 1 &&
              static_cast<int>(request_kind::history) == 3);
static_assert(static_cast<int>(errc::upstream_incomplete) == 7);

std::string result;

/// Memory that all sessions of an instance share: WebAssembly has one thread.
workspace& shared_memory() {
  static workspace memory;
  return memory;
}

/// An answer that is being rewritten.
struct js_session {
  explicit js_session(const session_options& options)
      : unit(options.offsets), rewriter(options, &shared_memory()) {}
  offset_unit unit;
  session rewriter;
};

}  // namespace

std::string& citestream::last_result() noexcept {
  return result;
}

#ifdef __wasm__
void std::__libcpp_verbose_abort(const char*, ...) {
  __builtin_trap();
}
#endif

extern "C" {

#ifdef __wasm__
// What the C++ library calls if it throws or gives up. Its own functions print, which takes 10 KB.
void* __cxa_allocate_exception(std::size_t) noexcept {
  __builtin_trap();
}
void __cxa_throw(void*, void*, void (*)(void*)) {
  __builtin_trap();
}
void abort_message(const char*, ...) {
  __builtin_trap();
}
/// simdjson reads an environment variable. The C library's getenv() would import host functions for that.
char* getenv(const char*) {
  return nullptr;
}
#endif

char* citestream_allocate(std::size_t size) {
  return static_cast<char*>(std::malloc(size));
}
void citestream_release(char* memory) {
  std::free(memory);
}
/// Address and size of the last output, each 32 bits.
const void* citestream_result() {
  static struct {
    const char* data;
    std::size_t size;
  } view;
  view = {result.data(), result.size()};
  return &view;
}

session_options* citestream_options() {
  auto* const made = new session_options;
  made->checker = linked_checker();
  return made;
}
/// `text`: the name and then the value. Returns 0, or 1 if the result is the reason for which it is rejected.
int citestream_set_option(session_options* options, const char* text, std::size_t name, std::size_t value) {
  result.clear();
  const session_option* const row = find_session_option({text, name});
  if (row == nullptr) {
    result = "is not an option";
    return 1;
  }
  result = set_option(*row, {text + name, value}, *options);
  return result.empty() ? 0 : 1;
}
/// Returns 1 if options exclude each other, and the result is the reason; otherwise 0.
int citestream_conflict(const session_options* options) {
  result = option_conflict(*options, "notFound", "supported");
  return result.empty() ? 0 : 1;
}
void citestream_free_options(session_options* options) {
  delete options;
}

/// Adds references that are known before the answer, a JSON list. Returns 0, or 1 if it is not one.
int citestream_add_references(session_options* options, const char* text, std::size_t size) {
  document list;
  if (list.parse({text, size}) || !list.root().is_array()) return 1;
  std::int64_t number = 0;
  for (const json_value& entry : list.root()) {
    if (!entry.is_object() && !entry.is_string()) return 1;
    options->references.push_back(read_source(entry, ++number));
  }
  return 0;
}

/// Returns the kind of a request to \p path, a request_kind.
int citestream_endpoint(const char* path, std::size_t size) {
  return static_cast<int>(find_api({path, size}).kind);
}
/// Returns 1 if the answer to a request may be that of a model. `text`: the method and then the path.
int citestream_asks(const char* text, std::size_t method, std::size_t path) {
  return asks_for_answer({text, method}, {text + method, path}) ? 1 : 0;
}

/// Reads and rewrites the body of a chat request, and adds its references to the options of the answer.
/// `work`: a sum of request_work. The small module has no keys.
/// `text`: the body, the names of the tools whose results get keys, and the names of agents. If the request
/// asks for JSON, the answer does not change. The result is the body to send. Returns an errc.
int citestream_request(session_options* options, std::uint32_t work, const char* text, std::size_t size,
                       std::size_t tools, std::size_t agents) {
  const char* const names = text + size;
  const provenance_options how = provenance_options_of(work, {names, tools}, {names + tools, agents});
  std::string body(text, size);
  rewritten_request made = work_on_request(work | request_work::structured_output, how, body);
  std::ranges::move(made.references, std::back_inserter(options->references));
  options->provenance = options->provenance || made.keyed;
  if (made.json) options->keep_answers();
  result.swap(body);
  return static_cast<int>(made.error.code);
}

/// How an answer with this Content-Type is handled: a rewrite_mode.
int citestream_mode(int status, const char* type, std::size_t size) {
  response_facts facts;
  facts.status = status;
  facts.content_type = {type, size};
  facts.json = true;
  return static_cast<int>(rewrite_mode_of(facts));
}

js_session* citestream_session(const session_options* options) {
  return new js_session(*options);
}
/// Returns an errc; the result is the output.
int citestream_write(js_session* session, const char* bytes, std::size_t size) {
  result.clear();
  return static_cast<int>(session->rewriter.write({bytes, size}, result).code);
}
/// `message`: for the error event if the stream was cut off; may be empty.
int citestream_finish(js_session* session, int aborted, const char* message, std::size_t size) {
  result.clear();
  const stream_end how = aborted != 0 ? stream_end::aborted : stream_end::complete;
  return static_cast<int>(session->rewriter.finish(result, how, {message, size}).code);
}
int citestream_body(js_session* session, const char* bytes, std::size_t size) {
  result.clear();
  return static_cast<int>(session->rewriter.rewrite_body({bytes, size}, result).code);
}
/// The typed events since the last call, as JSON lines.
void citestream_events(js_session* session) {
  result.clear();
  for (session_event event; session->rewriter.next(event);) append_event_line(event, session->unit, result);
}
/// The counters, as a JSON object.
void citestream_statistics(js_session* session) {
  const session_statistics all = session->rewriter.statistics();
  result.clear();
  object_writer object(result);
  object.number("events", all.events);
  object.number("deltas", all.deltas);
  object.number("bytesIn", all.bytes_in);
  object.number("held", all.held);
  object.number("heldMax", all.held_max);
  object.number("abandoned", all.abandoned);
  object.number("passedThrough", all.passed_through);
  object.number("resolved", all.resolved);
  object.number("unresolved", all.unresolved);
  object.number("pending", all.pending);
  const dialect* const seen = session->rewriter.recognised();
  object.string("dialect", seen == nullptr ? std::string_view{} : seen->name);
  object.end();
}
void citestream_free_session(js_session* session) {
  delete session;
}
/// After a trap: what its call has used is given up, so that other sessions can go on.
void citestream_recover() {
  shared_memory().abandon();
  std::construct_at(&result);
}

}  // extern "C"
