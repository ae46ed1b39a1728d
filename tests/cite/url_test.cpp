#include "cite/url.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace {

[[nodiscard]] std::string normal(std::string_view url) {
  std::string out = "what was there";
  citestream::normalize_url(url, out);
  return out;
}

[[nodiscard]] bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

[[nodiscard]] std::string random_url(std::mt19937& random) {
  static const std::vector<std::string> parts{"a",     "B",        "9",
                                              "/",     "//",       "?",
                                              "#",     "@",        ":",
                                              ":80",   ":443",     ":0080",
                                              ":0",    "[",        "]",
                                              "[::1]", "%",        "%4",
                                              "%41",   "%3",       "%%",
                                              "1",     "4",        "%34",
                                              "%31",   "%2F",      "%2f",
                                              "%c3",   "%e9",      "%2541",
                                              "%25",   "\xC3\xA9", ".",
                                              "~",     "&",        "=",
                                              " ",     "\\",       "utm_source=openai"};
  static const std::vector<std::string> starts{"http://", "https://", "HTTP://", "hTtPs://",
                                               "ftp://",  "",         "http:/"};
  const auto pick = [&](const auto& from) {
    return from[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random)];
  };
  std::string url = pick(starts);
  for (auto left = std::uniform_int_distribution<int>(0, 12)(random); left > 0; --left) url += pick(parts);
  return url;
}

}  // namespace

TEST_CASE("the normal form of a normal form is the same") {
  std::mt19937 random(3);
  for (int round = 0; round < 200'000; ++round) {
    const std::string url = random_url(random);
    const std::string once = normal(url);
    CAPTURE(url);
    REQUIRE(normal(once) == once);
    REQUIRE(citestream::is_web_url(once) == citestream::is_web_url(url));
    REQUIRE(once.size() <= 3 * url.size());
    REQUIRE((!citestream::is_web_url(url) || std::ranges::all_of(once, is_ascii) || once == url));
  }
}

TEST_CASE("URLs that differ only in spelling have one normal form") {
  std::mt19937 random(5);
  const auto any_of = [&](std::string_view bytes) {
    return bytes[std::uniform_int_distribution<std::size_t>(0, bytes.size() - 1)(random)];
  };
  const auto coin = [&] { return std::uniform_int_distribution<int>(0, 1)(random) == 1; };
  constexpr std::string_view unreserved = "abcXYZ019-._~";
  constexpr std::string_view digits = "0123456789ABCDEFabcdef";
  const auto disguise = [&](char c) {  // the same character, maybe as an escape in either case
    if (coin()) return std::string(1, c);
    const auto value = static_cast<unsigned char>(c);
    std::string escape{'%', digits[value / 16], digits[value % 16]};
    if (coin() && escape[2] >= 'A') escape[2] = static_cast<char>(escape[2] - 'A' + 'a');
    return escape;
  };
  for (int round = 0; round < 20'000; ++round) {
    std::string plain = "https://";
    std::string other = "HttpS://";
    for (int i = 0; i < 4; ++i) {
      const char c = any_of("abcxyz019-.");
      plain += c;
      other += coin() && c >= 'a' ? std::string(1, static_cast<char>(c - 'a' + 'A')) : disguise(c);
    }
    if (coin()) other += ":443";
    for (int i = 0; i < 5; ++i) {
      const char c = i == 0 || coin() ? '/' : any_of(unreserved);
      plain += c;
      other += c == '/' ? "/" : disguise(c);
    }
    while (plain.back() == '/') plain.pop_back();
    const bool query = coin();
    if (query) plain += "?q=1/", other += "?%71=1/";
    if (coin()) other += query ? "&utm_source=openai" : "?utm_source=openai";
    if (coin()) other += "#part";
    CAPTURE(plain, other);
    REQUIRE(normal(other) == normal(plain));
    REQUIRE(normal(plain) == plain);
  }
}

TEST_CASE("only http and https URLs with a host are web URLs") {
  for (const char* url : {"http://a", "https://a", "HTTP://a", "hTTpS://?", "http://["}) {
    INFO(url);
    CHECK(citestream::is_web_url(url));
  }
  for (const char* text :
       {"", "http", "http://", "https://", "http:/a", "ftp://a", " http://a", "httpss://a", "mailto:a@b"}) {
    INFO(text);
    CHECK_FALSE(citestream::is_web_url(text));
  }
}

TEST_CASE("normal forms of URLs") {
  const std::vector<std::pair<std::string_view, std::string_view>> table{
      {"HTTP://Example.COM", "http://example.com"},
      {"http://example.com/", "http://example.com"},
      {"http://example.com//", "http://example.com"},
      {"http://example.com/a/", "http://example.com/a"},
      {"http://example.com/A/b", "http://example.com/A/b"},
      {"http://example.com/?q=A/", "http://example.com?q=A/"},
      {"http://example.com/a/?q", "http://example.com/a?q"},
      {"http://example.com?", "http://example.com?"},
      {"http://example.com/a#b?c/", "http://example.com/a"},
      {"http://example.com#b", "http://example.com"},
      {"http://example.com:80/a", "http://example.com/a"},
      {"http://example.com:0080", "http://example.com"},
      {"http://example.com:/a", "http://example.com/a"},
      {"https://example.com:443", "https://example.com"},
      {"https://example.com:80", "https://example.com:80"},
      {"http://example.com:443", "http://example.com:443"},
      {"http://example.com:8080/", "http://example.com:8080"},
      {"http://example.com:0/", "http://example.com:0"},
      {"http://User:Pa@Example.com:80/", "http://User:Pa@example.com"},
      {"http://u@v:80@Example.com", "http://u@v:80@example.com"},
      {"http://[2001:DB8::1]:80/a/", "http://[2001:db8::1]/a"},
      {"https://[::1]:8443", "https://[::1]:8443"},
      {"https://[::FFFF", "https://[::ffff"},
      {"http://a/x?utm_source=openai", "http://a/x"},
      {"http://a/?utm%5fsource=chatgpt.com#b", "http://a"},
      {"http://a?utm_source=openai&b=1&utm_source=openai&c", "http://a?b=1&c"},
      {"http://a?utm_source=openai&", "http://a?"},
      {"http://a?b&utm_source=openai2", "http://a?b&utm_source=openai2"},
      {"http://a?xutm_source=openai&utm_source=me", "http://a?xutm_source=openai&utm_source=me"},
      {"http://a?&&b?c", "http://a?&&b?c"},
      {"http://a/%7Euser/%41%2d%2E%5f", "http://a/~user/A-._"},
      {"http://a/%c3%a9%2f?x=%3d", "http://a/%C3%A9%2F?x=%3D"},
      {"http://a/?x=%61", "http://a?x=a"},
      {"http://%41b.%63/", "http://ab.c"},
      {"http://a%C3%BC.de/", "http://a%C3%BC.de"},
      {"http://a/%", "http://a/%"},
      {"http://a/%4", "http://a/%4"},
      {"http://a/%zz%4g", "http://a/%zz%4g"},
      {"http://a/%2541", "http://a/%2541"},
      {"http://a/100%/%41", "http://a/100%/A"},
      {"http://a/%%34%31", "http://a/%%341"},
      {"http://Ä.de/Ä", "http://%C3%84.de/%C3%84"},
      {"https://a/K%c3%b6ln/日?q=ß&%C3%9f#ö", "https://a/K%C3%B6ln/%E6%97%A5?q=%C3%9F&%C3%9F"},
      {"http://a/%\xC3%A9", "http://a/%%C3%A9"},
      // No URL of these schemes, or none with a host: as it is
      {"HTTP://", "HTTP://"},
      {"HTTP:///A/", "HTTP:///A/"},
      {"HTTP://:80/", "HTTP://:80/"},
      {"HTTP://u@/", "HTTP://u@/"},
      {"FTP://A/", "FTP://A/"},
      {"Doc%41/", "Doc%41/"},
      {"", ""},
  };
  for (const auto& [url, expected] : table) {
    INFO(url);
    CHECK(normal(url) == expected);
  }
}
