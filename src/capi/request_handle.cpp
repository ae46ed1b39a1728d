// How a request is rewritten.
//
// Each kind of work takes the body that the one before has left. The first one that cannot read the body ends
// the work: the request then has the body of the caller, and no references.
#include "request_handle.hpp"

#include <citestream/provenance/provenance.hpp>

#include <utility>

#include "base/field_text.hpp"
#include "session_handle.hpp"

namespace citestream::capi {
namespace {

constexpr std::size_t first_rules_size = CITESTREAM_SIZE_UP_TO(citestream_request_rules, agent_tools);
constexpr std::uint32_t all_work = CITESTREAM_REQUEST_DOCUMENTS | CITESTREAM_REQUEST_KEYS |
                                   CITESTREAM_REQUEST_INSTRUCTIONS | CITESTREAM_REQUEST_INLINE_CITATIONS |
                                   CITESTREAM_REQUEST_REMOVE_OWN | CITESTREAM_REQUEST_CONTENT_KEYS;

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (const auto name = http::next_element(list)) names.emplace_back(*name);
  return names;
}

status add_keys(const citestream_request_rules& rules, std::string& made, citestream_request& to) {
  provenance_options how;
  how.agent_tools = names_in(view(rules.agent_tools));
  how.tools = names_in(view(rules.tools));
  if ((rules.work & CITESTREAM_REQUEST_CONTENT_KEYS) != 0) how.keys = provenance_keys::content;
  how.instructions = (rules.work & CITESTREAM_REQUEST_INSTRUCTIONS) != 0;
  provenance_registry registry;
  const status error = add_provenance(to.body, how, made, registry);
  for (reference& one : registry.references) to.references.push_back(std::move(one));
  to.keyed = !error;
  return error;
}

/// Does one kind of work on the body, if the caller wants it and nothing has failed.
template <typename Work>
void rewrite(bool enabled, status& error, std::string& body, const Work& work) {
  if (!enabled || error) return;
  std::string made;
  error = work(made);
  if (!error) body.swap(made);
}

status work_on(const citestream_request_rules& rules, citestream_request& to) {
  const auto wants = [&](std::uint32_t work) { return (rules.work & work) != 0; };
  status error;
  if (wants(CITESTREAM_REQUEST_DOCUMENTS)) error = read_request_references(to.body, to.references);
  rewrite(wants(CITESTREAM_REQUEST_REMOVE_OWN), error, to.body,
          [&](std::string& made) { return remove_own_citations(to.body, made); });
  rewrite(wants(CITESTREAM_REQUEST_INLINE_CITATIONS), error, to.body,
          [&](std::string& made) { return add_inline_citations(to.body, made); });
  rewrite(wants(CITESTREAM_REQUEST_KEYS), error, to.body,
          [&](std::string& made) { return add_keys(rules, made, to); });
  return error;
}

int read_request(const citestream_request_rules& rules, std::string_view body, citestream_request& to) {
  to.body = body;
  const status error = work_on(rules, to);
  if (error) {
    to.body = body;
    to.references.clear();
    to.keyed = false;
  }
  for (const reference& one : to.references) {
    to.structs.push_back(struct_of(one));
    to.structs.back().excerpt_count = 0;
  }
  return static_cast<int>(error.code);
}

}  // namespace

bool is_request(const citestream_request* request) noexcept {
  return request != nullptr && request->what == tag::request;
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
  for (const citestream_text& list : {rules.agent_tools, rules.tools}) {
    if (!is_text(list.data, list.size)) return CITESTREAM_BAD_ARGUMENT;
  }
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
