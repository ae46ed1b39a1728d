#include "request_work.hpp"

#include "base/field_text.hpp"

namespace citestream {

namespace {

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (const auto name = http::next_element(list)) names.emplace_back(*name);
  return names;
}

provenance_options options_of(const request_work& work) {
  provenance_options how;
  how.tools = names_in(work.tools);
  how.agent_tools = names_in(work.agent_tools);
  how.instructions = (work.flags & request_work::instructions) != 0;
  if ((work.flags & request_work::content_keys) != 0) how.keys = provenance_keys::content;
  return how;
}

}  // namespace

status work_on_request(const request_work& work, std::string& body, std::vector<reference>& references,
                       bool& keyed) {
  status error;
  const auto wants = [&](std::uint32_t flag) { return (work.flags & flag) != 0 && !error; };
  const auto rewrite = [&](const auto& rewritten) {
    std::string made;
    error = rewritten(made);
    body.swap(made);
  };
  if (wants(request_work::documents)) error = read_request_references(body, references);
  if (wants(request_work::remove_own))
    rewrite([&](std::string& made) { return remove_own_citations(body, made); });
  if (wants(request_work::inline_citations))
    rewrite([&](std::string& made) { return add_inline_citations(body, made); });
  if (wants(request_work::keys)) {
    rewrite([&](std::string& made) { return work.add_keys(body, options_of(work), made, references); });
    keyed = keyed || !error;
  }
  return error;
}

}  // namespace citestream
