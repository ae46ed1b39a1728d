// Decides whether an answer is rewritten.
#include <citestream/session/rewrite_mode.hpp>

#include <algorithm>

#include "options_handle.hpp"

using namespace citestream;
using namespace citestream::capi;

static_assert(CITESTREAM_PASS == static_cast<int>(rewrite_mode::pass));
static_assert(CITESTREAM_BYPASSED == static_cast<int>(rewrite_mode::bypassed));
static_assert(CITESTREAM_EVENTS == static_cast<int>(rewrite_mode::events));
static_assert(CITESTREAM_JSON == static_cast<int>(rewrite_mode::json));

namespace {

constexpr std::size_t first_facts_size = CITESTREAM_SIZE_UP_TO(citestream_answer_facts, content_encoding);

}  // namespace

int citestream_decide(const citestream_options* options, const citestream_answer_facts* given) {
  citestream_answer_facts from;
  if (!is_options(options)) return CITESTREAM_BAD_ARGUMENT;
  if (const int code = read_struct(given, first_facts_size, from); code != CITESTREAM_OK) return code;
  if (!are_texts({from.method, from.path, from.content_type, from.content_encoding}))
    return CITESTREAM_BAD_ARGUMENT;
  response_facts facts;
  facts.status = from.status;
  facts.content_type = view(from.content_type);
  facts.content_encoding = view(from.content_encoding);
  facts.bypass = from.bypass != 0;
  const auto holds = [&](const std::string& path) { return is_below(view(from.path), path); };
  return guarded([&] {
    facts.json = asks_for_answer(view(from.method), view(from.path)) &&
                 std::ranges::any_of(options->values.json_paths, holds);
    return static_cast<int>(rewrite_mode_of(facts));
  });
}
