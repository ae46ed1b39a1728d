// Joining, normal forms and claims are linear in the input.
#include <citestream/cite/citations.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cite/claim.hpp"
#include "cite/url.hpp"
#include "support/linear.hpp"
#include "support/strings.hpp"

using namespace citestream_tests;

namespace {

using key_of = std::function<std::string(std::size_t)>;

/// Work with n citations and n distinct references that have the given keys.
[[nodiscard]] std::function<void()> join(std::size_t n, const key_of& identifier, const key_of& key,
                                         std::string citestream::reference::*field) {
  struct input {
    std::vector<std::string> identifiers;
    std::vector<citestream::reference> references;
    citestream::citations cites;
  };
  auto in = std::make_shared<input>();
  for (std::size_t i = 0; i < n; ++i) {
    in->identifiers.push_back(identifier(i));
    citestream::reference& ref = in->references.emplace_back();
    ref.*field = key(i);
    ref.text = std::to_string(i);
    ref.score = static_cast<double>(i % 1000);
  }
  return [in, n] {
    citestream::citations& cites = in->cites;
    cites.reset();
    for (std::size_t i = 0; i < n; ++i) {
      const std::string& id = in->identifiers[i];
      cites.add({.identifier = id, .marker = "m", .number = cites.number_of(id)});
      cites.add_reference(in->references[i]);
    }
    cites.resolve();
    REQUIRE(cites.all().size() == n);
    REQUIRE(cites.references().size() == n);
  };
}

}  // namespace

TEST_CASE("joining is linear for distinct keys and equal keys and spellings of one key") {
  using citestream::reference;
  const key_of one = [](std::size_t) { return std::string("key"); };
  const key_of many = [](std::size_t i) { return "key" + std::to_string(i); };
  const key_of other = [](std::size_t i) { return "other" + std::to_string(i); };
  const key_of url = [](std::size_t) { return std::string("http://host/aaaaaaaaaaaaaaa"); };
  const key_of spelled = [](std::size_t i) {  // one address, spelled differently each time
    std::string text = "http://host/";
    for (unsigned bit = 0; bit < 15; ++bit) text += (i >> bit & 1U) != 0 ? "%61" : "a";
    return text;
  };
  const key_of zeros = [](std::size_t i) { return std::string(i % 50, '0') + std::to_string(i); };
  check_linear(1000, [&](std::size_t n) { return join(n, many, many, &reference::cite); });
  check_linear(1000, [&](std::size_t n) { return join(n, one, one, &reference::id); });
  check_linear(1000, [&](std::size_t n) { return join(n, many, one, &reference::cite); });
  check_linear(1000, [&](std::size_t n) { return join(n, many, other, &reference::cite); });
  check_linear(1000, [&](std::size_t n) { return join(n, spelled, spelled, &reference::url); });
  check_linear(1000, [&](std::size_t n) { return join(n, spelled, url, &reference::url); });
  check_linear(1000, [&](std::size_t n) { return join(n, zeros, many, &reference::cite); });
}

TEST_CASE("references that differ only in their uses are told apart in linear time") {
  check_linear(1000, [](std::size_t n) {
    std::vector<citestream::reference> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i].uses = "d_" + std::to_string(i);
    return [all = std::move(all), n] {
      citestream::citations cites;
      for (const citestream::reference& one : all) cites.add_reference(one);
      REQUIRE(cites.references().size() == n);
    };
  });
}

TEST_CASE("spellings of one URL share one list of matches") {
  citestream::citations cites;
  for (int i = 0; i < 100; ++i) {
    citestream::reference ref;
    ref.url = "http://host/a";
    ref.text = std::to_string(i);
    cites.add_reference(ref);
  }
  for (const char* id : {"http://host/a/", "HTTP://host/a", "http://host/%61", "http://host/a/"}) {
    cites.add({.identifier = id, .marker = "m", .number = cites.number_of(id)});
  }
  cites.resolve();
  for (const citestream::citation& c : cites.all()) {
    CHECK(c.references.size() == 100);
    CHECK(c.references.data() == cites.all()[0].references.data());
  }
}

TEST_CASE("resolving after every reference is linear if nothing is cited") {
  check_linear(1000, [](std::size_t n) {
    auto cites = std::make_shared<citestream::citations>();
    return [cites, n] {
      cites->reset();
      cites->add({.identifier = "a", .marker = "m", .number = cites->number_of("a")});
      citestream::reference ref;
      for (std::size_t i = 0; i < n; ++i) {
        ref.cite = "b" + std::to_string(i);
        cites->add_reference(ref);
        cites->resolve();
      }
      REQUIRE(cites->uncited().size() == n);
    };
  });
}

TEST_CASE("normalising hostile URLs is linear") {
  for (const std::string_view unit :
       {"%", "%4", "%41", "%2f", "@", ":", "/", "//a", "[", "]", "?", "#", "A", "0"}) {
    for (const std::string_view start : {"http://h", "http://h/"}) {
      INFO(start << unit);
      check_linear(20'000, [&](std::size_t n) {
        auto out = std::make_shared<std::string>();
        return [out, url = std::string(start) + repeated_to(n, unit)] {
          citestream::normalize_url(url, *out);
          REQUIRE(out->size() >= 8);
        };
      });
    }
  }
}

TEST_CASE("finding claims in hostile texts is linear") {
  for (const std::string_view unit :
       {"a", ".", "\n", "\r", "- ", "1. ",  "#",    "> ",   ">",       "`",   "```\n",
        "~", "|", "-",  ". ", "。", "\xF0", "\x80", "\n- ", "\n```\n", "\n> "}) {
    INFO(unit);
    check_linear(20'000, [&](std::size_t n) {
      return [text = repeated_to(n, unit)] {
        citestream::claim_tracker tracker;
        tracker.text(text);
        REQUIRE(tracker.claim().end.utf8 <= tracker.position().utf8);
      };
    });
  }
}
