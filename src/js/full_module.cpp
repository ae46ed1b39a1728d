#include <citestream/check/support.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/support_json.hpp"
#include "module.hpp"

using namespace citestream;

const claim_check* citestream::linked_checker() noexcept {
  return &word_check;
}

status citestream::key_results(std::string& body, const provenance_options& how, session_options& options) {
  std::string made;
  provenance_registry registry;
  const status error = add_provenance(body, how, made, registry);
  body.swap(made);
  for (reference& one : registry.references) options.references.push_back(std::move(one));
  if (!error) options.provenance = true;
  return error;
}

/// Compares a claim with references. `text`: the claim and the references, one after the other; `sizes`: that
/// of each; `count`: at least 1. The result is a JSON object.
extern "C" void citestream_check(const char* text, const std::size_t* sizes, std::size_t count) {
  static support_scorer scorer;
  const std::string_view claim(text, sizes[0]);
  std::vector<std::string_view> references;
  text += sizes[0];
  for (std::size_t i = 1; i < count; ++i) {
    references.emplace_back(text, sizes[i]);
    text += sizes[i];
  }
  last_result().clear();
  append_support_json(scorer.score(claim, references), claim, references, offset_unit::utf16, last_result());
}
