// The steps are in the order structured output, references, citations of ours, inline citations, keys: the
// keys come last so that nothing changes them. The body is parsed again only after a step has changed it.
#include "request_work.hpp"

#include "base/field_text.hpp"
#include "parsed_request.hpp"

namespace citestream {

namespace {

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (const auto name = http::next_element(list)) names.emplace_back(*name);
  return names;
}

}  // namespace

rewritten_request work_on_request(std::uint32_t work, const provenance_options& how, std::string& body) {
  rewritten_request out;
  provenance::parsed_request request(body);
  const bool each = (work & request_work::each_step) != 0;
  const auto wants = [&](std::uint32_t step) { return (work & step) != 0 && (each || !out.error); };
  const auto note = [&](status error) {
    if (!out.error) out.error = error;
    return !error;
  };
  const auto rewrite = [&](const auto& step) {
    std::string made;
    const bool good = note(step(made));
    if (made != body) {
      body.swap(made);
      request.reset(body);
      out.changed = true;
    }
    return good;
  };
  if (wants(request_work::structured_output)) out.json = requests_json(request, how.bounds);
  if (wants(request_work::documents)) note(read_request_references(request, out.references, how.bounds));
  if (wants(request_work::remove_own) && provenance::may_have_own_citations(body)) {
    // With `each_step` they are removed from every request that was accepted. The other steps take longer and
    // have a limit, so that one request does not stop the others of its worker.
    limits bounds = how.bounds;
    if (each) bounds.max_body_bytes = body.size();
    rewrite([&](auto& made) { return remove_own_citations(request, made, bounds); });
  }
  if (wants(request_work::inline_citations))
    rewrite([&](auto& made) { return add_inline_citations(request, made, how.bounds); });
  if (wants(request_work::keys))
    out.keyed = rewrite([&](auto& made) { return add_provenance(request, how, made, out.references); });
  return out;
}

provenance_options provenance_options_of(std::uint32_t work, std::string_view tools,
                                         std::string_view agent_tools) {
  provenance_options how;
  how.tools = names_in(tools);
  how.agent_tools = names_in(agent_tools);
  how.instructions = (work & request_work::instructions) != 0;
  if ((work & request_work::content_keys) != 0) how.keys = provenance_keys::content;
  return how;
}

}  // namespace citestream
