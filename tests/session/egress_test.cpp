// Egress in answers and sessions, in every style and for every cut: active content is inert, ordinary text is
// unchanged, and citations have the right positions in the output.
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "egress/payloads.hpp"
#include "egress/staged.hpp"
#include "session/guarded_streams.hpp"
#include "support/chat_events.hpp"
#include "support/rounds.hpp"
#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

struct guarded_answer {
  std::string text;
  std::vector<citation> cites;
  std::vector<egress_record> found;
  std::size_t held_most{};
};

guarded_answer answered(const session_options& options, const pieces& deltas) {
  guarded_answer out;
  answer work(options);
  for (const reference& ref : options.references) work.add_reference(ref);
  for (const std::string_view delta : deltas) {
    work.push(delta, out.text);
    out.held_most = std::max(out.held_most, work.held());
  }
  work.finish(out.text);
  work.resolve();
  out.cites.assign(work.cites().all().begin(), work.cites().all().end());
  out.found.assign(work.egress().begin(), work.egress().end());
  return out;
}

bool same(const guarded_answer& a, const guarded_answer& b) {
  const auto equal = [](const citation& x, const citation& y) {
    return x.start == y.start && x.end == y.end && x.claim_start == y.claim_start &&
           x.claim_end == y.claim_end && x.label == y.label && x.identifier == y.identifier &&
           x.marker == y.marker;
  };
  const auto alike = [](const egress_record& x, const egress_record& y) {
    return x.kind == y.kind && x.reason == y.reason && x.position == y.position;
  };
  return a.text == b.text && std::ranges::equal(a.cites, b.cites, equal) &&
         std::ranges::equal(a.found, b.found, alike);
}

std::string end_event(std::string_view references = {}, std::size_t choice = 0) {
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":)" + std::to_string(choice) +
         R"(,"delta":{"content":null,"graph_data":{"references":{"files":[],"web":[)" +
         std::string(references) + R"(]}}},"finish_reason":"stop"}]})" + "\n\ndata: [DONE]\n\n";
}

/// The part of \p text between two positions, measured in one unit.
std::string part(const std::string& text, const text_offset& from, const text_offset& to, offset_unit unit) {
  text_offset at;
  std::string out;
  for (const char c : text) {
    const std::uint64_t before = at.in(unit);
    at.advance(std::string_view(&c, 1));
    // A continuation byte belongs to its character.
    const bool inside = at.in(unit) == before ? !out.empty() && before <= to.in(unit)
                                              : before >= from.in(unit) && before < to.in(unit);
    if (inside) out += c;
  }
  return out;
}

/// Sentences with cited claims, each with unique words, and with text that is made inert.
std::string claims(std::size_t count, std::size_t changes) {
  const std::array<std::string_view, 6> foreign{
      "![x](https://evil.example/a?b)", "https://evil.example/é",      "[l👍](//evil.example)",
      "<img src=https://evil.example>", "<https://evil.example/auto>", "[a ![b](//c) d](https://e)"};
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    out += "A" + number + "a é👍 ";
    for (std::size_t k = 0; k < changes; ++k) out += std::string(foreign[(i + k) % foreign.size()]) + ' ';
    out += "Z" + number + "z [Source " + number + "]. ";
    if (i % 3 == 2) out += "\n\n";
  }
  return out;
}

const std::span<const style* const> all_styles = styles();
const std::array<offset_unit, 3> units{offset_unit::utf8, offset_unit::utf16, offset_unit::codepoint};

void check_claims(const guarded_answer& got, std::size_t count) {
  REQUIRE(got.cites.size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    for (const offset_unit unit : units) {
      const std::string claim = part(got.text, got.cites[i].claim_start, got.cites[i].claim_end, unit);
      INFO(name(unit) << ' ' << i << ": " << claim);
      CHECK(claim.starts_with("A" + number + "a "));
      CHECK(claim.ends_with("Z" + number + "z"));
    }
    CHECK(got.cites[i].start.utf8 <= got.cites[i].end.utf8);
    const std::string before = got.text.substr(0, got.cites[i].start.utf8);
    CHECK((before.ends_with("Z" + number + "z") || before.ends_with("Z" + number + "z ")));
  }
}

}  // namespace

TEST_CASE("egress keeps the positions of claims for every style and unit and cut") {
  const std::string text = claims(4, 2);
  const std::string_view all = text;
  for (const style* how : all_styles) {
    INFO(how->name);
    session_options options = guarding(egress_mode::enforce, *how);
    options.grammars = {&source_grammar};
    const guarded_answer whole = answered(options, {text});
    check_claims(whole, 4);
    CHECK(whole.text.find("](https://e") == std::string::npos);
    CHECK(whole.text.find("https://evil") == std::string::npos);
    std::size_t wrong = 0;
    for (std::size_t at = 1; at < text.size(); ++at) {
      wrong += same(answered(options, {all.substr(0, at), all.substr(at)}), whole) ? 0U : 1U;
    }
    for (const std::size_t size : {1U, 2U, 7U}) {
      wrong += same(answered(options, cut_every(text, size)), whole) ? 0U : 1U;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("claims with thousands of egress changes have correct positions") {
  const std::string text = claims(3, 3000);
  for (const style* how : {&keep_style, &strip_style}) {
    session_options options = guarding(egress_mode::enforce, *how);
    options.grammars = {&source_grammar};
    const guarded_answer whole = answered(options, {text});
    check_claims(whole, 3);
    for (const std::size_t size : {1U, 1000U, 40000U})
      CHECK(same(answered(options, cut_every(text, size)), whole));
  }
}

TEST_CASE("a citation does not cover the text next to it if egress changes that text") {
  // The text without what egress adds.
  const auto letters = [](std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (std::string_view("\\[] \u200B").find(c) == std::string_view::npos) out += c;
    }
    return out;
  };
  std::size_t wrong = 0;
  for (const style* how : all_styles) {
    for (const std::string_view label : {"R", "See:", "//b", "www"}) {
      for (const std::string_view before : {"From ", "x:", "http:", "[a]", "https://a.good.example/b, "}) {
        for (const std::string_view after :
             {" and", ": https://a.good.example/a it", ": https://x.y", "(https://a.good.example/a) it",
              "(//b) it", "//b it", ".evil.example", "://b"}) {
          const std::string text = std::string(before) + '[' + std::string(label) +
                                   "](https://ref.example/p)" + std::string(after);
          session_options options = guarding(egress_mode::enforce, *how);
          options.references[0].url = "https://ref.example/p";
          const guarded_answer got = answered(options, {text});
          REQUIRE(got.cites.size() == 1);
          wrong += same(answered(options, cut_every(text, 1)), got) ? 0U : 1U;
          const citation& one = got.cites[0];
          INFO(how->name << ": " << text << " -> " << got.text);
          if (one.start == one.end) continue;
          const std::string outside_before = letters(got.text.substr(0, one.start.utf8));
          const std::string outside_after = letters(got.text.substr(one.end.utf8));
          CHECK(outside_before.starts_with(letters(before)));
          CHECK(outside_after.ends_with(letters(after)));
          if (label == "R") CHECK(outside_before + outside_after == letters(before) + letters(after));
        }
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a citation in front of text that egress changes ends where its style does") {
  struct example {
    const style* how;
    std::string_view text;
    std::string_view sent;
    std::uint64_t start;
    std::uint64_t end;
  };
  const std::vector<example> examples{
      {&numeric_style, "From [R](f-1): https://a.good.example it", "From [1]: https://a.good.example/ it", 5,
       8},
      {&numeric_style, "It grew [R](f-1): https://x.y", "It grew [1]\\: https[://]x[.]y", 8, 11},
      {&footnote_style, "From [R](f-1)(https://a.good.example) it", "From[^1](https://a.good.example/) it", 4,
       8},
      {&strip_style, "x [a][R](f-1)(//b) now", "x [a]\\(/\u200B/b) now", 5, 5},
  };
  for (const example& one : examples) {
    const guarded_answer got = answered(guarding(egress_mode::enforce, *one.how), {one.text});
    CHECK(got.text == one.sent);
    REQUIRE(got.cites.size() == 1);
    CHECK(got.cites[0].start.utf8 == one.start);
    CHECK(got.cites[0].end.utf8 == one.end);
  }
}

TEST_CASE("an answer with each payload is inert in every style at every cut") {
  for (const payload& one : payloads()) {
    const std::string_view text = one.text;
    for (const style* how : all_styles) {
      INFO(how->name << ": " << one.name);
      const guarded_answer plain = answered(guarding(egress_mode::off, *how), {text});
      const session_options options = guarding(egress_mode::enforce, *how);
      const guarded_answer whole = answered(options, {text});
      CHECK(whole.text == staged(plain.text));
      if (how == &keep_style) CHECK(whole.text == one.expected);
      const std::size_t step = how == &keep_style || how == &strip_style ? 1 : 5;
      std::size_t wrong = same(answered(options, cut_every(text, 1)), whole) ? 0 : 1;
      for (std::size_t at = 1; at < text.size(); at += step) {
        wrong += same(answered(options, {text.substr(0, at), text.substr(at)}), whole) ? 0U : 1U;
      }
      CHECK(wrong == 0);
      const guarded_answer reported = answered(guarding(egress_mode::report, *how), cut_every(text, 1));
      CHECK(reported.text == plain.text);
      CHECK(reported.found.size() == whole.found.size());
    }
  }
}

TEST_CASE("a stream with each payload is inert at every cut and reported") {
  for (const payload& one : payloads()) {
    INFO(one.name);
    session_options options = guarding(egress_mode::enforce);
    options.typed_events = true;
    const std::string_view text = one.text;
    const std::string stream = chat_event(text) + end_event();
    const stream_run whole = run_whole(options, stream);
    CHECK(text_of(whole) == one.expected);
    CHECK((whole.out.find(R"("citestream":{"version":1,)") != std::string::npos) ==
          (whole.counts.egress > 0));
    CHECK((whole.out.find(R"("egress":[{"choice":0,"kind":")") != std::string::npos) ==
          (whole.counts.egress > 0));
    session work(options);
    std::size_t wrong = 0;
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (!is_start(text, at)) continue;
      work.reset();
      const std::string cut = chat_event(text.substr(0, at)) + chat_event(text.substr(at)) + end_event();
      wrong += text_of(run(work, {cut})) == one.expected ? 0U : 1U;
    }
    for (std::size_t at = 1; at < stream.size(); at += cut_step) {
      work.reset();
      const std::string_view bytes = stream;
      wrong += comparable(run(work, {bytes.substr(0, at), bytes.substr(at)})) == comparable(whole) ? 0U : 1U;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("ordinary answers are unchanged except for code and addresses") {
  for (const payload& one : ordinary_answers()) {
    const std::string& text = one.text;
    for (const egress_mode mode : {egress_mode::off, egress_mode::report, egress_mode::enforce}) {
      session_options options = guarding(mode);
      options.typed_events = true;
      std::string stream;
      for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 5;
        while (!is_start(text, end)) ++end;
        stream += chat_event(std::string_view(text).substr(at, end - at));
        at = end;
      }
      const stream_run got = run_whole(options, stream + end_event());
      INFO(one.name);
      CHECK(text_of(got) == (mode == egress_mode::enforce ? one.expected : text));
      if (one.expected == text) CHECK(got.counts.egress == 0);
      CHECK((got.out.find("\"citestream\"") == std::string::npos) == (got.counts.egress == 0));
    }
  }
}

TEST_CASE("report mode changes no byte except for the additions") {
  session_options options = guarding(egress_mode::report);
  const std::string stream = chat_event("a ![b](https://evil.example/) c") + end_event();
  const std::string left = run_whole(options, stream).out;
  const std::size_t added = left.find(R"("citestream":)");
  REQUIRE(added != std::string::npos);
  CHECK(left.substr(0, chat_event("a ![b](https://evil.example/) c").size()) ==
        chat_event("a ![b](https://evil.example/) c"));
  CHECK(left.find(R"("citations":[],"uncited":[],"egress":[{"choice":0,"kind":"image",)"
                  R"("reason":"not_allowed","position":5}])") != std::string::npos);
  options.add = additions::never;
  CHECK(run_whole(options, stream).out == stream);
}

TEST_CASE("report mode sends every byte at once") {
  for (const payload& one : payloads()) {
    INFO(one.name);
    answer reported(guarding(egress_mode::report, keep_style));
    std::string left;
    for (std::size_t at = 0; at < one.text.size(); ++at) {
      reported.push(std::string_view(one.text).substr(at, 1), left);
      CHECK(left.size() == at + 1);
    }
    CHECK(reported.held() == 0);
    reported.finish(left);
    CHECK(left == one.text);
  }
}

TEST_CASE("egress holds back at most one byte of harmless text") {
  const std::string text =
      "Revenue grew by 20% (year on year), as [Report](id1) says; costs fell. É 👍\n\n- one\n- two [B](id2)\n";
  for (const style* how : {&strip_style, &numeric_style, &footnote_style}) {
    INFO(how->name);
    answer plain(guarding(egress_mode::off, *how));
    answer guarded_one(guarding(egress_mode::enforce, *how));
    std::string left;
    std::string guarded_left;
    for (const char c : text) {
      plain.push(std::string_view(&c, 1), left);
      guarded_one.push(std::string_view(&c, 1), guarded_left);
      CHECK(left.starts_with(guarded_left));
      CHECK(left.size() <= guarded_left.size() + 1);
    }
    plain.finish(left);
    guarded_one.finish(guarded_left);
    CHECK(guarded_left == left);
  }
}

TEST_CASE("no link begins in the output of a style") {
  for (const char* behind :
       {"(https://evil.example/x)", "(javascript:f)", "[y](javascript:f)", " (see above)"}) {
    const std::string text = std::string("As [R](id1)") + behind + " and [note].";
    for (const style* how : {&numeric_style, &footnote_style}) {
      const auto given = [&](std::size_t cut) {
        answer one(guarding(egress_mode::enforce, *how));
        std::string out;
        one.push(std::string_view(text).substr(0, cut), out);
        one.push(std::string_view(text).substr(cut), out);
        one.finish(out);
        return out;
      };
      const std::string whole = given(0);
      INFO(whole);
      CHECK(whole.find("1](") == std::string::npos);
      CHECK(whole.find("y](") == std::string::npos);
      CHECK((whole.find('\\') == std::string::npos) == (behind[0] != '('));
      for (std::size_t cut = 1; cut < text.size(); ++cut) CHECK(given(cut) == whole);
    }
  }
}

TEST_CASE("addresses in labels and titles and snippets are inert in every style") {
  for (const std::string address : {"https://evil.example/S", "HTTP://evil.example/S", "//evil.example/S",
                                    "www.evil.example/S", "javascript:f"}) {
    reference ref;
    ref.id = "f-17";
    ref.title = ref.text = "see " + address;
    for (const style* how : all_styles) {
      for (const std::string& label : {address, std::string("1")}) {
        answer one(guarding(egress_mode::enforce, *how));
        one.add_reference(ref);
        std::string out;
        one.push("As [" + label + "](f-17) and ", out);
        one.push("[" + label + "](f-18)", out);
        one.finish(out);
        one.resolve();
        one.append_list(out);
        INFO(how->name << ": " << out);
        CHECK(out.find(address) == std::string::npos);
      }
    }
  }
}

TEST_CASE("an address in a label is made inert once in the list of footnotes") {
  answer one(guarding(egress_mode::enforce, footnote_style));
  std::string out;
  one.push("See [https://docs.example/a](f-17), [R](f-18)", out);
  one.finish(out);
  one.resolve();
  out.clear();
  one.append_list(out);
  CHECK(out.find("[^1]: **https[://]docs[.]example/a** ") != std::string::npos);
  CHECK(out.find("[^2]: **R** ") != std::string::npos);
  CHECK(one.cites().all()[0].label == "https[://]docs[.]example/a");
}

TEST_CASE("an address cited before its reference is not linked but in its record") {
  const std::string stream = chat_event("See [a page](https://late.example/p), ") + chat_event("and more.") +
                             end_event(R"({"url":"https://late.example/p","title":"T","text":""})");
  session_options options;
  options.egress = egress_mode::enforce;
  options.typed_events = true;
  for (const style* how : all_styles) {
    INFO(how->name);
    options.style = how;
    options.add = additions::always;
    const stream_run got = run_whole(options, stream);
    const std::string text = text_of(got);
    CHECK(text.substr(0, text.find("[^1]:")).find("(https://late") == std::string::npos);
    CHECK(got.out.find(R"("identifier":"https://late.example/p")") != std::string::npos);
    CHECK(got.out.find(R"("status":"resolved")") != std::string::npos);
  }
}

TEST_CASE("the record of an unresolved citation contains no live address") {
  const std::string stream =
      chat_event(
          "See [a ![x](https://evil.example/i)](https://evil.example/p?q=S), [b](javascript:f) "
          "[c](//evil.example/x).") +
      end_event();
  for (const style* how : all_styles) {
    session_options options;
    options.style = how;
    options.add = additions::always;
    options.egress = egress_mode::enforce;
    const std::string left = run_whole(options, stream).out;
    INFO(how->name << ": " << left);
    CHECK(left.find("https://evil") == std::string::npos);
    CHECK(left.find("\"//evil") == std::string::npos);
    CHECK(left.find("](//") == std::string::npos);
    CHECK(left.find("\"javascript:") == std::string::npos);
    CHECK(left.find("(javascript:") == std::string::npos);
    CHECK(left.find("https[://]evil[.]example/p?q=S") != std::string::npos);
    options.egress = egress_mode::report;
    CHECK(run_whole(options, stream).out.find(R"("identifier":"https://evil.example/p?q=S")") !=
          std::string::npos);
  }
}

TEST_CASE("choices are guarded separately and bodies like streams") {
  session_options options = guarding(egress_mode::enforce);
  options.typed_events = true;
  const std::string stream = chat_event("a ![x](https://ev") + chat_event("b [y](", "null", 1) +
                             chat_event("il.example/) c") +
                             chat_event("https://a.good.example/) d", "null", 1) + end_event({}, 0);
  const stream_run got = run_whole(options, stream);
  CHECK(text_of(got, 0) == R"(a ![x]\(https[://]evil[.]example/) c)");
  CHECK(text_of(got, 1) == "b [y](https://a.good.example/) d");
  CHECK(got.counts.egress == 1);
  session work(options);
  std::string out;
  const std::string body =
      R"({"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",)"
      R"("content":"a ![x](https://evil.example/) c"},"finish_reason":"stop"}]})";
  CHECK_FALSE(work.rewrite_body(body, out));
  CHECK(out.find(R"("content":"a ![x]\\(https[://]evil[.]example/) c")") != std::string::npos);
  CHECK(out.find(R"("egress":[{"choice":0,"kind":"image","reason":"not_allowed","position":5}])") !=
        std::string::npos);
  CHECK(work.egress(0).size() == 1);
}

TEST_CASE("a truncated answer contains no address that later text could complete") {
  for (const std::string_view text :
       {"a ![x](https://evil.example/q", "b [y](https://evil.exa",
        "c <img src=\"https:", "d https://evil.example/", "e <https://evil.exam", "[z]: https://evil.ex"}) {
    session_options options = guarding(egress_mode::enforce);
    options.typed_events = true;
    const stream_run got = run_whole(options, chat_event(text), {stream_end::aborted, "reset", "reset"});
    INFO(got.out);
    CHECK(got.out.find("](https:") == std::string::npos);
    CHECK(got.out.find("https://") == std::string::npos);
    CHECK(got.out.find("<img") == std::string::npos);
    if (!text.starts_with('[')) CHECK(text_of(got).starts_with(text.substr(0, 2)));
    CHECK(got.out.find("event: error") != std::string::npos);
  }
}

TEST_CASE("texts on both sides of an event without a choice form nothing active") {
  session_options options = guarding(egress_mode::enforce);
  options.typed_events = true;
  const std::string usage = "data: {\"object\":\"chat.completion.chunk\",\"choices\":[]}\n\n";
  const std::string ping = "event: ping\ndata: {}\n\n";
  const std::string end = end_event();
  const std::string finish = end.substr(0, end.find("data: [DONE]"));
  for (const std::string& between : {usage, ping, finish}) {
    const stream_run got =
        run_whole(options, chat_event("a ![x]") + between + chat_event("(x:evil.example)") + end_event());
    INFO(got.out);
    const bool ended = between == finish;  // what is held was sent before it
    CHECK(text_of(got) == (ended ? "a ![x] \u200B(x:evil.example)" : "a ![x]\\(x:evil.example)"));
  }
}
