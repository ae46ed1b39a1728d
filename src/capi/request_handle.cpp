// How a request is rewritten.
//
// If the body cannot be read, the request has the body of the caller, and no references.
#include "request_handle.hpp"

#include <utility>

#include "provenance/request_work.hpp"
#include "session_handle.hpp"

namespace citestream::capi {
namespace {

constexpr std::size_t first_rules_size = CITESTREAM_SIZE_UP_TO(citestream_request_rules, agent_tools);
constexpr std::uint32_t all_work = CITESTREAM_REQUEST_DOCUMENTS | CITESTREAM_REQUEST_KEYS |
                                   CITESTREAM_REQUEST_INSTRUCTIONS | CITESTREAM_REQUEST_INLINE_CITATIONS |
                                   CITESTREAM_REQUEST_REMOVE_OWN | CITESTREAM_REQUEST_CONTENT_KEYS;

static_assert(CITESTREAM_REQUEST_DOCUMENTS == request_work::documents);
static_assert(CITESTREAM_REQUEST_KEYS == request_work::keys);
static_assert(CITESTREAM_REQUEST_INSTRUCTIONS == request_work::instructions);
static_assert(CITESTREAM_REQUEST_INLINE_CITATIONS == request_work::inline_citations);
static_assert(CITESTREAM_REQUEST_REMOVE_OWN == request_work::remove_own);
static_assert(CITESTREAM_REQUEST_CONTENT_KEYS == request_work::content_keys);

int read_request(const citestream_request_rules& rules, std::string_view body, citestream_request& to) {
  const auto how = provenance_options_of(rules.work, view(rules.tools), view(rules.agent_tools));
  to.body = body;
  rewritten_request made = work_on_request(rules.work | request_work::structured_output, how, to.body);
  to.json = made.json;
  if (made.error) {
    to.body = body;
  } else {
    to.references = std::move(made.references);
    to.keyed = made.keyed;
  }
  for (const reference& one : to.references) {
    to.structs.push_back(struct_of(one));
    to.structs.back().excerpt_count = 0;
  }
  return static_cast<int>(made.error.code);
}

}  // namespace

bool is_request(const citestream_request* request) noexcept {
  return request != nullptr && request->type_tag == tag::request;
}

}  // namespace citestream::capi

using namespace citestream;
using namespace citestream::capi;

int citestream_request_create(const citestream_request_rules* given, const char* body, size_t size,
                              citestream_request** out) {
  citestream_request_rules rules;
  if (out != nullptr) *out = nullptr;
  if (!is_text(body, size)) return CITESTREAM_BAD_ARGUMENT;
  if (const int code = read_struct(given, first_rules_size, rules); code != CITESTREAM_OK) return code;
  if (!are_texts({rules.agent_tools, rules.tools})) return CITESTREAM_BAD_ARGUMENT;
  if ((rules.work & ~all_work) != 0 || rules.reserved != 0) return CITESTREAM_UNSUPPORTED;
  if (const int code = create(out); code != CITESTREAM_OK) return code;
  const int code = guarded([&] { return read_request(rules, view({body, size}), **out); });
  if (code >= 0) return code;
  destroy(*out);
  *out = nullptr;
  return code;
}

void citestream_request_free(citestream_request* request) {
  if (is_request(request)) destroy(request);
}

int citestream_request_body(const citestream_request* request, citestream_text* out) {
  if (out == nullptr) return CITESTREAM_BAD_ARGUMENT;
  *out = text({});
  if (!is_request(request)) return CITESTREAM_BAD_ARGUMENT;
  *out = text(request->body);
  return CITESTREAM_OK;
}

size_t citestream_request_reference_count(const citestream_request* request) {
  return is_request(request) ? request->structs.size() : 0;
}

int citestream_request_reference(const citestream_request* request, size_t index,
                                 const citestream_reference** out) {
  if (out == nullptr) return CITESTREAM_BAD_ARGUMENT;
  *out = nullptr;
  if (index >= citestream_request_reference_count(request)) return CITESTREAM_BAD_ARGUMENT;
  *out = &request->structs[index];
  return CITESTREAM_OK;
}
