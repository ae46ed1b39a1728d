// Patterns of the allowlist and the URLs that they match.
#include <citestream/egress/egress.hpp>

#include <catch2/catch.hpp>

using namespace citestream;

TEST_CASE("a pattern has a scheme and a host and perhaps a port") {
  CHECK(compile_egress_pattern("https://example.com") ==
        egress_pattern{"https", "example.com", "443", false});
  CHECK(compile_egress_pattern("HTTP://Example.com:8080") ==
        egress_pattern{"http", "example.com", "8080", false});
  CHECK(compile_egress_pattern("https://*.example.com") ==
        egress_pattern{"https", ".example.com", "443", true});
  CHECK(compile_egress_pattern("https://[::1]:8443") == egress_pattern{"https", "[::1]", "8443", false});
  for (const char* wrong : {"",
                            "example.com",
                            "//example.com",
                            "ftp://example.com",
                            "https://",
                            "https://*",
                            "https://*.com",
                            "https://a.*.com",
                            "https://*example.com",
                            "https://example.com/",
                            "https://example.com/a",
                            "https://user@example.com",
                            "https://example.com:",
                            "https://example.com:x",
                            "https://example.com:123456",
                            "https://exa mple.com",
                            "https://.example.com",
                            "https://example.com.",
                            "https://a..b",
                            "javascript://a.b"}) {
    INFO(wrong);
    CHECK_FALSE(compile_egress_pattern(wrong));
  }
}

TEST_CASE("a URL matches a pattern by scheme and host and port") {
  const egress_pattern host = *compile_egress_pattern("https://example.com");
  for (const char* good : {"https://example.com", "https://example.com/", "HTTPS://EXAMPLE.COM/a?b#c",
                           "https://example.com:443/x", "https://example.com?q"}) {
    INFO(good);
    CHECK(matches(host, good));
  }
  for (const char* wrong : {"http://example.com", "https://example.com:8443", "https://a.example.com",
                            "https://example.com.evil.org", "https://example.com@evil.org",
                            "https://evil.org@example.com", "https://example.com\\@evil.org",
                            "https:example.com", "https:///example.com", "https://exa%6Dple.com",
                            "https://example.com./", "https://example.com /", "https://example.c\xD0\xBEm"}) {
    INFO(wrong);
    CHECK_FALSE(matches(host, wrong));
  }
}

TEST_CASE("a star matches one or more labels and never none") {
  const egress_pattern below = *compile_egress_pattern("https://*.example.com");
  CHECK(matches(below, "https://a.example.com/x"));
  CHECK(matches(below, "https://a.b.example.com"));
  CHECK_FALSE(matches(below, "https://example.com"));
  CHECK_FALSE(matches(below, "https://.example.com"));
  CHECK_FALSE(matches(below, "https://evilexample.com"));
  CHECK_FALSE(matches(below, "https://a.example.com.evil.org"));
}
