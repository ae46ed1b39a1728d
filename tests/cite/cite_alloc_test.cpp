// A warm stage does not allocate. The program counts every call of operator new.
#include <citestream/cite/citations.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cite/claim.hpp"
#include "cite/url.hpp"
#include "support/counted_new.hpp"

using citestream_tests::allocations;

namespace {

struct traffic {
  std::vector<std::string> identifiers;
  std::vector<citestream::reference> references;
};

/// Strings of \p length, too long for a std::string to keep inside itself.
[[nodiscard]] traffic make_traffic(std::size_t count, std::size_t length) {
  traffic made;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key =
        (i % 2 == 0 ? "https://host/%7e" : "key") + std::to_string(i) + std::string(length, 'x');
    made.identifiers.push_back(key);
    made.identifiers.push_back(i % 2 == 0 ? key + "/" : key);
    citestream::reference ref;
    (i % 2 == 0 ? ref.url : ref.cite) = key;
    ref.id = "id" + key;
    ref.title = ref.text = key;
    ref.score = static_cast<double>(i % 7);
    ref.number = static_cast<std::int64_t>(i);
    made.references.push_back(ref);
    ref.text += "2";
    made.references.push_back(ref);
  }
  return made;
}

void run(citestream::citations& cites, const traffic& given) {
  for (std::size_t i = 0; i < given.identifiers.size(); ++i) {
    const std::string& id = given.identifiers[i];
    cites.add({.label = id, .identifier = id, .marker = id, .number = cites.number_of(id)});
    cites.add_reference(given.references[i]);
    cites.add_reference(given.references[i]);
    if (i == given.identifiers.size() / 2) cites.resolve();
  }
  cites.resolve();
}

}  // namespace

TEST_CASE("warm citations do not allocate for the same or less traffic") {
  const traffic given = make_traffic(300, 60);
  const traffic smaller = make_traffic(100, 30);
  citestream::citations cites;
  run(cites, given);
  REQUIRE(allocations > 0);
  for (const traffic* next : {&given, &smaller, &given}) {
    cites.reset();
    const std::size_t before = allocations;
    run(cites, *next);
    const std::size_t after = allocations;
    CHECK(after == before);
    CHECK(cites.all().size() == next->identifiers.size());
    CHECK(cites.unresolved().empty());
  }
}

TEST_CASE("claims are found without allocating") {
  citestream::claim_tracker tracker;
  const std::string text = "# Title\n- Revenue 🚀 grew. Costs fell\n```\ncode\n```\n> quote\n\n1. item";
  const std::size_t before = allocations;
  for (int i = 0; i < 100; ++i) {
    tracker.text(text);
    (void)tracker.claim();
    tracker.marker("[1]");
  }
  tracker.reset();
  const std::size_t after = allocations;
  CHECK(after == before);
}

TEST_CASE("normal forms reuse their buffer") {
  const std::string url = "https://Example.com:443/a/very/long/%7epath/that/needs/the/heap/#part";
  std::string out;
  citestream::normalize_url(url, out);
  const std::size_t before = allocations;
  citestream::normalize_url(url, out);
  const std::size_t after = allocations;
  CHECK(after == before);
}
