#include <citestream/cite/citations.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "cite/url.hpp"

namespace {

using citestream::citation;
using citestream::citation_status;
using citestream::citations;
using citestream::match_kind;
using citestream::reference;
using citestream::source_type;
using citestream::text_offset;
using citestream::text_span;

/// Numbers and adds a citation as a session does.
std::size_t cite(citations& cites, std::string_view identifier, std::string_view label = {}) {
  const std::uint32_t number = cites.number_of(identifier);
  const std::string marker = "[" + std::string(identifier) + "]";
  const auto index =
      cites.add({.label = label, .identifier = identifier, .marker = marker, .number = number});
  REQUIRE(index);
  return *index;
}

[[nodiscard]] reference with_cite(std::string key, std::string text = {}, std::optional<double> score = {}) {
  reference ref;
  ref.cite = std::move(key);
  ref.text = std::move(text);
  ref.score = score;
  return ref;
}

[[nodiscard]] reference with_url(std::string url) {
  reference ref;
  ref.type = source_type::web;
  ref.url = std::move(url);
  return ref;
}

[[nodiscard]] std::vector<std::uint32_t> list(std::span<const std::uint32_t> values) {
  return {values.begin(), values.end()};
}

[[nodiscard]] std::string normal(std::string_view url) {
  std::string out;
  citestream::normalize_url(url, out);
  return out;
}

/// A direct implementation of the documentation, without regard to speed.
struct expectation {
  std::vector<std::uint32_t> references;
  std::optional<match_kind> match;
};

[[nodiscard]] expectation expect(const std::string& identifier, const std::vector<reference>& refs) {
  const bool digits = !identifier.empty() && identifier.find_first_not_of("0123456789") == std::string::npos;
  for (int key = 0; key < 5; ++key) {
    expectation found;
    for (std::uint32_t i = 0; i < refs.size(); ++i) {
      const reference& r = refs[i];
      const bool equal = key == 0   ? !r.cite.empty() && r.cite == identifier
                         : key == 1 ? !r.id.empty() && r.id == identifier
                         : key == 2 ? !r.url.empty() && r.url == identifier
                         : key == 3 ? citestream::is_web_url(identifier) && citestream::is_web_url(r.url) &&
                                          normal(r.url) == normal(identifier)
                                    : digits && r.number && std::to_string(*r.number) == identifier;
      if (equal) found.references.push_back(i);
    }
    if (found.references.empty()) continue;
    std::sort(found.references.begin(), found.references.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(-refs[a].score.value_or(-1e300), a) < std::pair(-refs[b].score.value_or(-1e300), b);
    });
    found.match = key == 3 ? match_kind::normalized : match_kind::exact;
    return found;
  }
  for (const std::string prefix : {"Source ", "source ", "src_", "src", "doc"}) {
    if (!identifier.starts_with(prefix)) continue;
    const std::string place = identifier.substr(prefix.size());
    if (!place.empty() && place.find_first_not_of("0123456789") == std::string::npos)
      return expect(place, refs);
  }
  return {};
}

template <typename T>
[[nodiscard]] bool agree(const T& a, const T& b) {
  return a == b || a == T() || b == T();
}

/// The newest of 16 references that \p ref completes, if there is one.
[[nodiscard]] reference* completed_by(const reference& ref, std::vector<reference>& refs) {
  if (!citestream::is_web_url(ref.url)) return nullptr;
  std::size_t left = 16;
  for (auto one = refs.rbegin(); one != refs.rend(); ++one) {
    if (!citestream::is_web_url(one->url) || normal(one->url) != normal(ref.url)) continue;
    if (left-- == 0) return nullptr;
    if (one->type == ref.type && agree(one->id, ref.id) && agree(one->cite, ref.cite) &&
        agree(one->number, ref.number) && agree(one->page, ref.page) && agree(one->text, ref.text) &&
        (!ref.score || one->score == ref.score))
      return &*one;
  }
  return nullptr;
}

/// What add_reference() does. Returns the same.
[[nodiscard]] bool add_to(std::vector<reference>& refs, const reference& ref) {
  if (reference* const one = completed_by(ref, refs)) {
    const reference before = *one;
    if (one->id.empty()) one->id = ref.id;
    if (one->cite.empty()) one->cite = ref.cite;
    if (one->title.empty()) one->title = ref.title;
    if (one->text.empty()) one->text = ref.text;
    if (!one->number) one->number = ref.number;
    if (!one->page) one->page = ref.page;
    return *one != before || one->url != ref.url;
  }
  if (std::find(refs.begin(), refs.end(), ref) != refs.end()) return false;
  refs.push_back(ref);
  return true;
}

const std::vector<std::string> identifiers{
    "a",     "b",        "1",         "2",          "Source 1",   "src_1",         "doc2",
    "src_b", "http://h", "http://h/", "HTTP://H#x", "http://h/p", "https://h/%70", ""};

/// The digits of `Source 1`, `src_1` and `doc2`; anything else unchanged.
std::string place_form(const std::string& id) {
  const std::size_t digits = id.find_first_of("12");
  return digits == std::string::npos ? id : id.substr(digits);
}

[[nodiscard]] reference random_reference(std::mt19937& random) {
  const auto up_to = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n)(random); };
  const auto maybe = [&]() -> std::string {
    return up_to(2) == 0 ? identifiers[up_to(identifiers.size() - 1)] : std::string();
  };
  reference ref;
  ref.type = static_cast<source_type>(up_to(3));
  ref.cite = maybe();
  ref.id = maybe();
  ref.url = maybe();
  ref.title = up_to(1) == 0 ? "title" + std::to_string(up_to(1)) : "";
  if (up_to(3) == 0) ref.text = "text";
  if (up_to(1) == 0) ref.score = static_cast<double>(up_to(3)) - 1.5;
  if (up_to(1) == 0) ref.number = static_cast<std::int64_t>(up_to(3));
  return ref;
}

}  // namespace

TEST_CASE("random references are joined as documented") {
  std::mt19937 random(1);
  const auto up_to = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n)(random); };
  citations cites;
  for (int round = 0; round < 3000; ++round) {
    cites.reset();
    std::vector<reference> refs;
    std::vector<expectation> expected;
    for (std::size_t batch = up_to(2); batch < 3;
         ++batch) {  // resolved citations do not change; later ones see more references
      std::vector<std::string> cited;
      for (std::size_t step = up_to(12); step > 0; --step) {
        if (up_to(1) == 0) {
          cited.push_back(identifiers[up_to(identifiers.size() - 1)]);
          cite(cites, cited.back());
        } else {
          const reference ref = random_reference(random);
          REQUIRE(cites.add_reference(ref) == add_to(refs, ref));
        }
      }
      REQUIRE(cites.pending() == !cited.empty());
      cites.resolve();
      for (const std::string& identifier : cited) expected.push_back(expect(identifier, refs));
      REQUIRE_FALSE(cites.pending());
      REQUIRE(std::equal(refs.begin(), refs.end(), cites.references().begin(), cites.references().end()));
      REQUIRE(cites.all().size() == expected.size());
      std::set<std::uint32_t> meant;
      std::set<std::uint32_t> matched;
      std::set<std::uint32_t> missing;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const citation& c = cites.all()[i];
        REQUIRE(list(c.references) == expected[i].references);
        REQUIRE(c.match == expected[i].match);
        REQUIRE((c.status == citation_status::resolved) == c.match.has_value());
        REQUIRE((c.status == citation_status::unresolved) == !c.match.has_value());
        REQUIRE(c.type.has_value() == c.match.has_value());
        if (c.type) REQUIRE(*c.type == refs[c.references.front()].type);
        meant.insert(c.references.begin(), c.references.end());
        (c.match ? matched : missing).insert(c.number);
      }
      for (const std::uint32_t number : matched) missing.erase(number);
      REQUIRE(list(cites.unresolved()) == std::vector<std::uint32_t>(missing.begin(), missing.end()));
      std::vector<std::uint32_t> uncited;
      for (std::uint32_t i = 0; i < refs.size(); ++i) {
        if (meant.count(i) == 0) uncited.push_back(i);
      }
      REQUIRE(list(cites.uncited()) == uncited);
    }
  }
}

TEST_CASE("numbers follow first appearance and equal sources share one") {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    citations cites;
    std::map<std::string, std::uint32_t> numbers;
    for (int i = 0; i < 20; ++i) {
      const std::string& id =
          identifiers[std::uniform_int_distribution<std::size_t>(0, identifiers.size() - 1)(random)];
      const auto next = static_cast<std::uint32_t>(numbers.size() + 1);
      const std::string named = citestream::is_web_url(id) ? normal(id) : place_form(id);
      const auto source = numbers.emplace(named, next).first;
      REQUIRE(cites.number_of(id) == source->second);
    }
  }
}

TEST_CASE("identifiers of one known reference share a number and those of several do not") {
  citations cites;
  reference page = with_url("https://h/p");
  page.id = "key";
  page.number = 1;
  cites.add_reference(page);
  reference other;
  other.id = "src_1";
  other.number = 2;
  cites.add_reference(other);
  CHECK(cites.number_of("key") == 1);
  CHECK(cites.number_of("https://H/p") == 1);
  CHECK(cites.number_of("1") == 1);
  CHECK(cites.number_of("src_1") == 2);
  CHECK(cites.number_of("2") == 2);
  CHECK(cites.number_of("Source 2") == 2);
  CHECK(cites.number_of("3") == 3);
  CHECK(cites.number_of("doc3") == 3);
}

TEST_CASE("a page in a list and the annotation of that page are one reference") {
  reference listed = with_url("https://h/p");
  listed.type = source_type::web;
  listed.number = 1;
  reference annotated = with_url("https://H/p/");
  annotated.type = source_type::web;
  annotated.title = "Page";
  for (const bool list_first : {true, false}) {
    citations cites;
    const reference& first = list_first ? listed : annotated;
    const reference& second = list_first ? annotated : listed;
    CHECK(cites.add_reference(first));
    if (list_first) cite(cites, "1");
    cites.resolve();
    CHECK(cites.add_reference(second));
    if (!list_first) cite(cites, "1");
    cites.resolve();
    CHECK_FALSE(cites.add_reference(first));
    REQUIRE(cites.references().size() == 1);
    CHECK(cites.references().front().title == "Page");
    CHECK(cites.references().front().url == first.url);
    CHECK(cites.all().front().status == citation_status::resolved);
    CHECK(cites.uncited().empty());
  }
}

TEST_CASE("references to one page with different texts or numbers stay apart") {
  citations cites;
  reference ref = with_url("https://h/p");
  ref.number = 1;
  ref.text = "one";
  CHECK(cites.add_reference(ref));
  reference other = ref;
  other.number = 2;
  CHECK(cites.add_reference(other));
  other = ref;
  other.text = "two";
  CHECK(cites.add_reference(other));
  other = ref;
  other.type = source_type::file;
  CHECK(cites.add_reference(other));
  CHECK(cites.references().size() == 4);
}

TEST_CASE("the order and time of references do not change the citations") {
  std::vector<reference> refs{with_cite("a", "one", 0.5), with_cite("a", "two", 0.9), with_url("http://h/"),
                              with_cite("c", "unused", 0.1), with_cite("a", "three")};
  refs[3].id = "b";
  const std::vector<std::string> cited{"a", "HTTP://h", "b", "nothing", "a"};
  const auto outcome = [&](const std::vector<std::size_t>& order, std::size_t early) {
    citations cites;
    for (std::size_t i = 0; i < early; ++i) cites.add_reference(refs[order[i]]);
    for (const std::string& id : cited) cite(cites, id);
    for (std::size_t i = early; i < order.size(); ++i) cites.add_reference(refs[order[i]]);
    cites.resolve();
    std::vector<std::string> lines;
    for (const citation& c : cites.all()) {
      std::string line = std::to_string(c.number) + " " + std::string(name(c.status));
      for (const std::uint32_t i : c.references) line += " " + cites.references()[i].text;
      lines.push_back(line);
    }
    for (const std::uint32_t i : cites.uncited()) lines.push_back("uncited " + cites.references()[i].text);
    for (const std::uint32_t n : cites.unresolved()) lines.push_back("unresolved " + std::to_string(n));
    return lines;
  };
  const std::vector<std::string> expected{"1 resolved two one three", "2 resolved ",
                                          "3 resolved unused",        "4 unresolved",
                                          "1 resolved two one three", "unresolved 4"};
  std::vector<std::size_t> order(refs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    for (std::size_t early = 0; early <= refs.size(); ++early) REQUIRE(outcome(order, early) == expected);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("a record keeps its fields") {
  citations cites;
  const text_span place{{10, 8, 7}, {13, 11, 10}};
  const text_span claim{{1, 1, 1}, {9, 7, 6}};
  {
    std::string label = "Report";
    std::string identifier = "id1";
    std::string marker = "[Report](id1)";
    const std::uint32_t number = cites.number_of(identifier);
    REQUIRE(cites.add({.label = label,
                       .identifier = identifier,
                       .marker = marker,
                       .number = number,
                       .place = place,
                       .claim = claim}) == 0);
    label = identifier = marker = "overwritten";
  }
  const citation& c = cites.all().front();
  CHECK(c.number == 1);
  CHECK(c.label == "Report");
  CHECK(c.identifier == "id1");
  CHECK(c.marker == "[Report](id1)");
  CHECK((c.start == place.start));
  CHECK((c.end == place.end));
  CHECK((c.claim_start == claim.start));
  CHECK((c.claim_end == claim.end));
  CHECK(c.status == citation_status::pending);
  CHECK(cites.pending());
}

TEST_CASE("an unresolved citation stays unresolved if its reference is late") {
  citations cites;
  cite(cites, "a");
  cites.resolve();
  CHECK(list(cites.unresolved()) == std::vector<std::uint32_t>{1});
  cites.add_reference(with_cite("a"));
  cites.resolve();
  CHECK(cites.all()[0].status == citation_status::unresolved);
  CHECK(list(cites.uncited()) == std::vector<std::uint32_t>{0});
  cite(cites, "a");
  cites.resolve();
  CHECK(cites.all()[0].status == citation_status::unresolved);
  CHECK(cites.all()[1].status == citation_status::resolved);
  CHECK(cites.uncited().empty());
  CHECK(cites.unresolved().empty());
}

TEST_CASE("the reference list of a resolved citation survives later references") {
  citations cites;
  cites.add_reference(with_cite("a", "old", 0.1));
  cite(cites, "a");
  cites.resolve();
  const auto before = cites.all()[0].references;
  for (int i = 0; i < 1000; ++i) {
    cites.add_reference(with_cite("a", std::to_string(i), 0.5));
    cites.add_reference(with_cite("k" + std::to_string(i)));
    cite(cites, "k" + std::to_string(i));
    if (i % 100 == 0) cites.resolve();
  }
  cites.resolve();
  CHECK(before.data() == cites.all()[0].references.data());
  CHECK(list(before) == std::vector<std::uint32_t>{0});
}

TEST_CASE("equal references are stored once and different ones separately") {
  reference base;
  base.type = source_type::file;
  base.id = base.cite = base.title = base.url = base.text = "x";
  base.score = 0.5;
  base.page = 1;
  base.number = 1;
  std::vector<reference> all(12, base);
  all[1].type = source_type::web;
  all[2].id = "y";
  all[3].cite = "y";
  all[4].title = "y";
  all[5].url = "y";
  all[6].text = "y";
  all[7].score = 0.6;
  all[8].page = 2;
  all[9].number = 2;
  all[10].score.reset();
  all[11].page.reset();
  citations cites;
  for (const reference& ref : all) CHECK(cites.add_reference(ref));
  for (const reference& ref : all) CHECK_FALSE(cites.add_reference(ref));
  CHECK(cites.references().size() == all.size());
  CHECK(cites.dropped_references() == 0);
}

TEST_CASE("a score of negative zero equals zero and NaN is not a score") {
  citations cites;
  CHECK(cites.add_reference(with_cite("a", "t", 0.0)));
  CHECK_FALSE(cites.add_reference(with_cite("a", "t", -0.0)));
  CHECK(cites.add_reference(with_cite("a", "n", std::numeric_limits<double>::quiet_NaN())));
  CHECK_FALSE(cites.add_reference(with_cite("a", "n")));
  CHECK(cites.add_reference(with_cite("a", "i", std::numeric_limits<double>::infinity())));
  CHECK(cites.add_reference(with_cite("a", "l", -std::numeric_limits<double>::infinity())));
  cite(cites, "a");
  cites.resolve();
  CHECK(list(cites.all()[0].references) == std::vector<std::uint32_t>{2, 0, 3, 1});
}

TEST_CASE("a numeric identifier is an index only if no key matches") {
  citations cites;
  reference numbered = with_cite("", "numbered");
  numbered.number = 2;
  cites.add_reference(numbered);
  reference keyed = with_cite("2", "keyed");
  for (const char* id : {"2", "02", "-2", "+2", "2.0", "", "99999999999999999999", "1000000000"})
    cite(cites, id);
  cites.resolve();
  CHECK(list(cites.all()[0].references) == std::vector<std::uint32_t>{0});
  CHECK(cites.all()[0].match == match_kind::exact);
  CHECK(list(cites.all()[1].references) == std::vector<std::uint32_t>{0});
  for (std::size_t i = 2; i < cites.all().size(); ++i) {
    INFO(cites.all()[i].identifier);
    CHECK(cites.all()[i].status == citation_status::unresolved);
  }
  cites.add_reference(keyed);
  const std::size_t last = cite(cites, "2");
  cites.resolve();
  CHECK(list(cites.all()[last].references) == std::vector<std::uint32_t>{1});
}

TEST_CASE("a RAG answer's name for a list index means its digits") {
  citations cites;
  for (std::int64_t number = 1; number < 4; ++number) {
    reference ref;
    ref.title = "page " + std::to_string(number);
    ref.number = number;
    if (number == 3) ref.id = "src_1";
    cites.add_reference(ref);
  }
  const auto meant = [&](std::string_view identifier) {
    const std::size_t index = cite(cites, identifier);
    const bool known = cites.knows(identifier);
    const reference* const best = cites.best(identifier);
    cites.resolve();
    const citation& found = cites.all()[index];
    CHECK(known == (found.status == citation_status::resolved));
    CHECK((best != nullptr) == known);
    return found.references.empty() ? 0 : found.references.front() + 1;
  };
  for (const char* one : {"Source 1", "source 1", "doc1", "src1", "doc01", "doc:0", "doc:00"}) {
    INFO(one);
    CHECK(meant(one) == 1);
  }
  CHECK(meant("src_2") == 2);
  CHECK(cites.knows("3"));
  CHECK_FALSE(cites.knows("3", 0));  // places from 0
  CHECK(meant("src_1") == 3);        // a reference has this key
  for (const char* none :
       {"Source 4", "doc0", "doc:3", "doc:", "doc:-1", "doc", "src_", "Source  1", "SOURCE 1", "Doc1",
        "doc-1", "doc1a", "src__1", "doc99999999999999999999", "xdoc1", "Source"}) {
    INFO(none);
    CHECK(meant(none) == 0);
  }
}

TEST_CASE("the title is the label or the best reference's title or the identifier") {
  citations cites;
  reference titled = with_cite("a", "best", 0.9);
  titled.title = "Best";
  reference other = with_cite("a", "other", 0.1);
  other.title = "Other";
  cites.add_reference(other);
  cites.add_reference(titled);
  cites.add_reference(with_cite("b"));
  for (const char* id : {"a", "b", "c"}) cite(cites, id);
  cite(cites, "a", "Label");
  CHECK(cites.title(cites.all()[0]) == "a");
  cites.resolve();
  CHECK(cites.title(cites.all()[0]) == "Best");
  CHECK(cites.title(cites.all()[1]) == "b");
  CHECK(cites.title(cites.all()[2]) == "c");
  CHECK(cites.title(cites.all()[3]) == "Label");
}

TEST_CASE("the title of a source without one is its URL or the id that a number means") {
  citations cites;
  for (const auto& [id, url] :
       {std::pair("report", ""), std::pair("7", ""), std::pair("x", "https://a.example/")}) {
    reference ref;
    ref.id = id;
    ref.url = url;
    ref.number = static_cast<std::int64_t>(cites.references().size()) + 1;
    cites.add_reference(ref);
  }
  for (const char* marked : {"1", "2", "3", "report"}) cite(cites, marked);
  cites.resolve();
  const std::vector<std::string_view> titles{"report", "7", "https://a.example/", "report"};
  for (std::size_t i = 0; i < titles.size(); ++i) CHECK(cites.title(cites.all()[i]) == titles[i]);
}

TEST_CASE("limits stop citations and sources and references") {
  citestream::limits bounds;
  bounds.max_citations = 3;
  bounds.max_references = 2;
  citations cites(bounds);
  for (const char* id : {"a", "b", "c"}) cite(cites, id);
  CHECK(cites.number_of("b") == 2);
  CHECK(cites.number_of("d") == 0);
  CHECK_FALSE(cites.add({.identifier = "a", .marker = "m", .number = 1}));
  CHECK(cites.all().size() == 3);
  CHECK(cites.add_reference(with_cite("a")));
  CHECK(cites.add_reference(with_cite("b")));
  CHECK_FALSE(cites.add_reference(with_cite("c")));
  CHECK_FALSE(cites.add_reference(with_cite("a")));
  CHECK(cites.dropped_references() == 1);
  cites.resolve();
  CHECK(list(cites.unresolved()) == std::vector<std::uint32_t>{3});
  cites.reset();
  CHECK(cites.dropped_references() == 0);
  CHECK(cites.number_of("d") == 1);
}

TEST_CASE("sources are in the order of their numbers if citations are not") {
  citations cites;
  const std::uint32_t first = cites.number_of("a");
  const std::uint32_t second = cites.number_of("b");
  cites.add({.identifier = "b", .marker = "m", .number = second});
  cites.add({.identifier = "a", .marker = "m", .number = first});
  cites.resolve();
  CHECK(list(cites.sources()) == std::vector<std::uint32_t>{1, 0});
  CHECK(list(cites.unresolved()) == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("a number given by the caller is used unchanged") {
  citations cites;
  cites.add({.identifier = "x", .marker = "m", .number = 4'000'000'000U});
  cites.add({.identifier = "y", .marker = "m", .number = 7});
  cites.add({.identifier = "z", .marker = "m", .number = 7});
  cites.resolve();
  CHECK(list(cites.unresolved()) == std::vector<std::uint32_t>{7, 4'000'000'000U});
}

TEST_CASE("reset and move remove every trace of the old answer") {
  citations cites;
  cites.add_reference(with_cite("a"));
  cite(cites, "a");
  cites.resolve();
  cites.reset();
  CHECK(cites.all().empty());
  CHECK(cites.references().empty());
  CHECK(cites.uncited().empty());
  CHECK_FALSE(cites.pending());
  cite(cites, "b");
  cite(cites, "a");
  citations moved = std::move(cites);
  moved.resolve();
  CHECK(moved.all()[1].number == 2);
  CHECK(list(moved.unresolved()) == std::vector<std::uint32_t>{1, 2});
  CHECK(moved.all()[1].references.empty());
  CHECK_FALSE(moved.all()[1].type);
  CHECK_FALSE(moved.all()[1].match);
}

TEST_CASE("states and matches have names") {
  CHECK(name(citation_status::pending) == "pending");
  CHECK(name(citation_status::resolved) == "resolved");
  CHECK(name(citation_status::unresolved) == "unresolved");
  CHECK(name(match_kind::exact) == "exact");
  CHECK(name(match_kind::normalized) == "normalized");
}

namespace {

/// A citation of the provider from byte \p start to byte \p end.
citestream::placed_citation native(std::uint32_t reference, std::uint64_t start, std::uint64_t end,
                                   citestream::citation_anchor anchor) {
  citestream::placed_citation one;
  one.anchor = anchor;
  one.reference = reference;
  one.place = one.claim = {{start, start, start}, {end, end, end}};
  one.json = "{}";
  if (anchor != citestream::citation_anchor::none) one.unit = citestream::offset_unit::utf8;
  return one;
}

/// Adds a citation of a marker at byte \p at, for the text from byte \p claim on.
void mark(citations& cites, std::string_view identifier, std::uint64_t claim, std::uint64_t at) {
  const std::uint32_t number = cites.number_of(identifier);
  const text_offset end{at, at, at};
  cites.add({.identifier = identifier,
             .marker = "m",
             .number = number,
             .place = {end, end},
             .claim = {{claim, claim, claim}, end}});
}

}  // namespace

TEST_CASE("a citation of the provider joins the marker that cites its page there") {
  using citestream::citation_anchor;
  using citestream::citation_origin;
  citations cites;
  cites.add_reference(with_url("https://a.example/x"));
  cites.add_reference(with_url("https://b.example/"));
  cites.add_reference(with_url("https://c.example/"));
  mark(cites, "https://A.example/x", 0, 10);
  mark(cites, "https://A.example/x", 12, 20);
  cites.resolve();
  CHECK(list(cites.uncited()) == std::vector<std::uint32_t>{1, 2});
  CHECK_FALSE(cites.add_native(native(0, 20, 20, citation_anchor::marker)));
  CHECK(cites.all()[0].origin == citation_origin::marker);
  CHECK(cites.all()[1].origin == citation_origin::both);
  CHECK(cites.add_native(native(0, 20, 20, citation_anchor::marker)));  // no other marker is there
  CHECK(cites.add_native(native(0, 11, 12, citation_anchor::claim)));   // between both claims
  CHECK_FALSE(cites.add_native(native(0, 3, 5, citation_anchor::claim)));
  CHECK(cites.add_native(native(1, 3, 5, citation_anchor::claim)));
  auto joined = native(0, 3, 5, citation_anchor::claim);
  joined.joins = true;
  CHECK(cites.add_native(joined));
  CHECK(cites.add_native(native(1, 0, 0, citation_anchor::none)));
  cites.resolve();
  CHECK(list(cites.uncited()) == std::vector<std::uint32_t>{2});
  std::string seen;
  for (const auto& one : cites.native())
    seen += std::to_string(one.number) + "/" + std::to_string(one.group) + " ";
  CHECK(seen == "1/2 1/3 2/4 1/4 2/5 ");
  CHECK(cites.native()[2].references.front() == 1);
  CHECK(cites.native()[2].match == match_kind::native);
  CHECK(cites.native()[2].status == citation_status::resolved);
  cites.reset();
  CHECK(cites.native().empty());
}

TEST_CASE("an unresolved identifier means what the provider cites at one of its markers") {
  using citestream::citation_anchor;
  using citestream::citation_origin;
  citations cites;
  cites.add_reference(with_url("https://a.example/"));
  cites.add_reference(with_url("https://b.example/"));
  const auto marker = [&](std::string_view identifier, std::uint32_t number, std::uint64_t at) {
    cites.add({.identifier = identifier, .marker = "m", .number = number, .received = {at, at + 3}});
  };
  const auto over = [](std::uint32_t reference, std::uint64_t begin, std::uint64_t end) {
    auto one = native(reference, 0, 0, citation_anchor::marker);
    one.received = {begin, end};
    return one;
  };
  marker("1", cites.number_of("1"), 10);
  marker("x", 0, 20);  // not printed
  marker("https://b.example", cites.number_of("https://b.example"), 30);
  marker("1", cites.number_of("1"), 40);
  marker("2", cites.number_of("2"), 50);
  cites.resolve();
  CHECK(list(cites.unresolved()) == std::vector<std::uint32_t>{0, 1, 3});
  CHECK(cites.add_native(over(0, 7, 10)));   // before a marker
  CHECK(cites.add_native(over(0, 13, 20)));  // after one
  CHECK_FALSE(cites.add_native(over(1, 12, 14)));
  CHECK(cites.add_native(over(0, 41, 42)));        // its identifier already means another source
  CHECK(cites.add_native(over(0, 31, 32)));        // a marker of another source
  CHECK(cites.add_native(over(0, 22, 30)));        // and other text
  CHECK(cites.add_native(over(0, 17, 23)));        // the same
  CHECK_FALSE(cites.add_native(over(0, 18, 25)));  // and two bytes on each side
  auto block = native(1, 90, 91, citation_anchor::block);
  CHECK(cites.add_native(block));
  CHECK(cites.resolve_late() == std::vector<std::uint32_t>{0, 1, 3});
  CHECK(cites.resolve_late().empty());
  CHECK(list(cites.unresolved()) == std::vector<std::uint32_t>{3});
  CHECK(cites.all()[0].number == 1);
  CHECK(cites.all()[0].origin == citation_origin::both);
  CHECK(cites.all()[0].references.front() == 1);
  CHECK(cites.all()[0].match == match_kind::native);
  CHECK(cites.all()[1].references.front() == 0);
  CHECK(cites.all()[1].number == cites.native()[0].number);
  CHECK(cites.all()[3].origin == citation_origin::marker);
  CHECK(cites.all()[3].references.front() == 1);
  CHECK(cites.all()[4].origin == citation_origin::marker);
}

TEST_CASE("a reference that a citation meant until a better one came counts as uncited") {
  for (const bool early : {false, true}) {
    citations cites;
    reference first;
    first.number = 1;
    first.title = "A";
    CHECK(cites.add_reference(first));
    const auto index = cites.add({.identifier = "1", .marker = "[1]", .number = cites.number_of("1", 1)});
    REQUIRE(index);
    if (early) CHECK(cites.references_of(*index).size() == 1);
    reference better;
    better.cite = "1";
    better.title = "B";
    CHECK(cites.add_reference(better));
    cites.resolve();
    CHECK(cites.references()[cites.all()[0].references.front()].title == "B");
    CHECK(std::ranges::equal(cites.uncited(), std::vector<std::uint32_t>{0}));
  }
}

TEST_CASE("references that come after resolving are joined with unresolved citations only") {
  citations cites;
  cites.add_reference(with_cite("a", "first"));
  for (const char* id : {"a", "b", "c", "b"}) cite(cites, id);
  cites.resolve();
  CHECK(cites.resolve_late().empty());
  const auto numbers = [&] {
    std::vector<std::uint32_t> out;
    for (const citation& one : cites.all()) out.push_back(one.number);
    return out;
  };
  const std::vector<std::uint32_t> before = numbers();
  CHECK(cites.unresolved().size() == 2);
  cites.add_reference(with_cite("a", "second"));
  cites.add_reference(with_cite("b", "late"));
  CHECK(cites.resolve_late() == std::vector<std::uint32_t>{1, 3});
  CHECK(cites.resolve_late().empty());
  CHECK(numbers() == before);
  CHECK(cites.all()[0].references.size() == 1);
  CHECK(cites.all()[1].status == citation_status::resolved);
  CHECK(cites.all()[2].status == citation_status::unresolved);
  CHECK(cites.unresolved().size() == 1);
  CHECK(std::vector(cites.uncited().begin(), cites.uncited().end()) == std::vector<std::uint32_t>{1});
}
