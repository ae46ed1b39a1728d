// What is kept of the provider's citations until the choice is settled, also if the answer then goes on.
#include "session/native_citations.hpp"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace citestream;

namespace {

void add(native_citations& all, std::uint32_t reference) {
  native_citation found;
  found.quote = "words";
  all.add(found, reference, only_text, 1 << 20U, true);
}

std::vector<std::uint32_t> in_text(const native_citations& all) {
  std::vector<std::uint32_t> references;
  all.each_in(only_text, [&](const received_citation& one) { references.push_back(one.reference); });
  return references;
}

}  // namespace

TEST_CASE("citations that were taken are not listed again when the answer continues") {
  native_citations all;
  add(all, 0);
  add(all, 1);
  CHECK(in_text(all) == std::vector<std::uint32_t>{0, 1});
  CHECK(all.take().size() == 2);
  CHECK(in_text(all).empty());
  add(all, 2);
  add(all, 0);  // a repeat of the first
  CHECK(in_text(all) == std::vector<std::uint32_t>{2});
  CHECK(all.take().size() == 1);
}
