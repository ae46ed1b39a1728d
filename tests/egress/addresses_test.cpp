// Which addresses may leave, how what was found is written down, and where text stands that was changed.
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "egress/address_book.hpp"
#include "egress/position_map.hpp"

using namespace citestream;

TEST_CASE("hosts in brackets and ports are compared as readers read them") {
  CHECK(compile_egress_pattern("http://[2001:DB8::1]") ==
        egress_pattern{"http", "[2001:db8::1]", "80", false});
  CHECK(compile_egress_pattern("https://a.example:0443") == compile_egress_pattern("https://a.example"));
  for (const char* wrong : {"https://[::1", "https://[]", "https://[:]", "https://[::g]", "https://[::1].b",
                            "https://*.a_b.c", "https://*.a..c", "https://*.-.", "https://:443"}) {
    INFO(wrong);
    CHECK_FALSE(compile_egress_pattern(wrong));
  }
  const egress_pattern below = *compile_egress_pattern("https://*.a.example");
  CHECK_FALSE(matches(below, "https://.a.example"));
  CHECK_FALSE(matches(below, "https://a.example"));
  CHECK_FALSE(matches(below, "https://x.a.example/\x7F"));
  CHECK_FALSE(matches(below, "https://x.a.example/a\\b"));
  CHECK(matches(below, "https://x.a.example:443/~"));
}

TEST_CASE("a record names what its position is in where that is not the answer") {
  const egress_record found{egress_kind::html, egress_reason::unreadable, {7, 5, 4}};
  std::string out;
  append_egress_json(found, 2, offset_unit::utf16, out);
  CHECK(out == R"({"choice":2,"kind":"html","reason":"unreadable","position":5})");
  out.clear();
  append_egress_json(found, 0, offset_unit::codepoint, out, "refusal");
  CHECK(out == R"({"choice":0,"kind":"html","reason":"unreadable","position":4,"in":"refusal"})");
}

TEST_CASE("a reference's address and keys may leave and no more of them than there is room for") {
  reference ref;
  ref.url = "https://ref.example/a#part";
  ref.id = "https://id.example/b";
  ref.cite = "key-1";
  address_book book({}, 1000);
  CHECK(book.empty());
  CHECK_FALSE(book.allows("https://ref.example/a"));
  book.know(ref);
  book.know(ref);
  for (const char* good : {"https://ref.example/a", "https://ref.example/a#part", "https://id.example/b"}) {
    INFO(good);
    CHECK(book.allows(good));
    CHECK(book.allows_destination(good));
  }
  CHECK(book.allows_destination("key-1"));
  for (const char* wrong : {"https://ref.example/a#other", "https://ref.example/b", "ftp://ref.example/a",
                            "key-1", "//ref.example/a", "https://ref.example/%61", "https://REF.example/a",
                            "https://ref.example//a", "https://ref.example/a/", ""}) {
    INFO(wrong);
    CHECK_FALSE(book.allows(wrong));
  }
  for (const char* wrong : {"key:1", "/a", "a?b", "www.ref.example", "%61", "key 1"}) {
    INFO(wrong);
    CHECK_FALSE(book.allows_destination(wrong));
  }
  reference spaced;
  spaced.id = "key 1";
  book.know(spaced);
  CHECK(book.allows_destination("key 1"));
  book.reset();
  CHECK_FALSE(book.allows_destination("key 1"));
  address_book small({}, 60);
  small.know(ref);
  reference other;
  other.url = "https://other.example/a";
  small.know(other);
  CHECK(small.allows("https://ref.example/a"));
  CHECK_FALSE(small.allows("https://other.example/a"));
}

TEST_CASE("what is forgotten of changes changes no place that was kept") {
  std::mt19937 random(11);  // NOLINT: the same each time
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    position_map all(10);
    position_map some(10);
    std::vector<text_offset> asked;
    for (int step = 0; step < 60; ++step) {
      if (below(2) == 0) {
        const std::string text = below(2) == 0 ? "é👍a" : std::string(below(4), 'x');
        all.pass(text);
        some.pass(text);
      } else {
        const std::string raw(1 + below(5), 'r');
        const std::string made(below(6), 'm');
        all.change(raw, made);
        some.change(raw, made);
      }
      if (below(3) == 0) asked.push_back(all.in());
      if (below(8) == 0) some.forget(asked, below(4) == 0 ? all.changes() / 2 : all.changes());
      REQUIRE(some.out() == all.out());
      for (const text_offset& at : asked) REQUIRE(some.place(at) == all.place(at));
    }
    CHECK(some.changes() <= all.changes());
    some.reset();
    CHECK(some.changes() == 0);
    CHECK(some.in() == text_offset{});
  }
}
