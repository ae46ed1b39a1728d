// Allowed URLs, their rebuilt form, and the JSON of a record.
#include "egress/allowed_urls.hpp"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

using namespace citestream;

TEST_CASE("hosts in brackets and ports are compared as browsers read them") {
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

TEST_CASE("a record names the text of its position if it is not the answer") {
  const egress_record found{egress_kind::html, egress_reason::unreadable, {7, 5, 4}};
  std::string out;
  append_egress_json(found, 2, offset_unit::utf16, out);
  CHECK(out == R"({"choice":2,"kind":"html","reason":"unreadable","position":5})");
  out.clear();
  append_egress_json(found, 0, offset_unit::codepoint, out, "refusal");
  CHECK(out == R"({"choice":0,"kind":"html","reason":"unreadable","position":4,"in":"refusal"})");
}

TEST_CASE("the URLs of references are allowed byte for byte") {
  reference ref;
  ref.url = "https://ref.example/a(b)#part";
  ref.id = "https://id.example/b/";
  ref.cite = "key-1";
  allowed_urls book({}, 1000);
  CHECK(book.empty());
  CHECK_FALSE(book.find("https://ref.example/a(b)"));
  book.allow(ref);
  book.allow(ref);
  for (const char* good :
       {"https://ref.example/a(b)", "https://ref.example/a(b)#part", "https://ref.example/a%28b%29#part",
        "https://id.example/b", "https://id.example/b/"}) {
    INFO(good);
    REQUIRE(book.find(good));
    CHECK(book.find(good)->by == allowed_by::reference);
  }
  for (const char* wrong : {"https://ref.example/a(b)#other", "https://ref.example/b", "ftp://id.example/b",
                            "key-1", "//id.example/b", "https://id.example/%62", "https://ID.example/b",
                            "https://id.example//b", "https://id.example/b//", ""}) {
    INFO(wrong);
    CHECK_FALSE(book.find(wrong));
  }
  book.reset();
  CHECK(book.empty());
}

TEST_CASE("URLs of references over the size limit are not allowed") {
  reference ref;
  ref.url = "https://ref.example/a";
  reference other;
  other.url = "https://other.example/a";
  allowed_urls small({}, 40);
  small.allow(ref);
  small.allow(other);
  CHECK(small.find("https://ref.example/a"));
  CHECK_FALSE(small.find("https://other.example/a"));
}

TEST_CASE("an allowed URL is rebuilt so that no part of it starts another one") {
  const allowed_urls book({*compile_egress_pattern("https://*.good.example")}, 1000);
  const auto rebuilt = [&](std::string_view url) {
    const auto found = book.find(url);
    return found ? found->url : std::string();
  };
  CHECK(rebuilt("https://A.good.example") == "https://a.good.example/");
  CHECK(rebuilt("https://a.good.example?q") == "https://a.good.example/?q");
  CHECK(rebuilt("https://a.good.example//x///y") == "https://a.good.example/%2Fx/%2F/y");
  CHECK(rebuilt("https://a.good.example/?u=http://b") == "https://a.good.example/?u=http:/%2Fb");
  CHECK(rebuilt("https://a.good.example/WWW.x@y*z") == "https://a.good.example/WWW%2Ex%40y%2Az");
  CHECK(rebuilt("https://www.good.example/a_b-c.d~e") == "https://www.good.example/a_b-c.d~e");
  CHECK(rebuilt("https://good.example/").empty());
  CHECK(rebuilt("https://u@a.good.example/").empty());
}
