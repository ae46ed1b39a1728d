#include <citestream/check/support.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/question_scorer.hpp"
#include "module.hpp"

using namespace citestream;

const claim_check* citestream::linked_checker() noexcept {
  return &word_check;
}

/// Compares a claim with references. `text`: the claim, the question that it answers (or nothing) and the
/// references, one after the other; `sizes`: that of each; `count`: at least 2. The result is a JSON object.
extern "C" void citestream_check(const char* text, const std::size_t* sizes, std::size_t count) {
  static question_scorer scorer;
  std::vector<std::string_view> parts;
  for (std::size_t i = 0; i < count; ++i) {
    parts.emplace_back(text, sizes[i]);
    text += sizes[i];
  }
  const auto references = std::span<const std::string_view>(parts).subspan(2);
  last_result().clear();
  append_answer_support(scorer.score(parts[0], parts[1], references), references, offset_unit::utf16,
                        last_result());
}
