#include "cite/claim.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "base/characters.hpp"

namespace {

using citestream::claim_tracker;
using citestream::text_offset;
using citestream::text_span;

// In the texts of this file `@` is a marker that is removed, and `^` is a marker that prints `printed`.
constexpr std::string_view printed =
    "[\xF0\x9F\x93\x8E"
    "1]";

[[nodiscard]] bool is_marker(char c) {
  return c == '@' || c == '^';
}

[[nodiscard]] std::string output_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '^') out += printed;
    if (!is_marker(c)) out += c;
  }
  return out;
}

/// Feeds the text to a tracker in pieces of the sizes that \p next_size returns. \return the claims found
template <typename Sizes>
[[nodiscard]] std::vector<text_span> track(claim_tracker& tracker, std::string_view text, Sizes next_size) {
  std::vector<text_span> claims;
  while (!text.empty()) {
    const std::size_t run = std::min(text.find_first_of("@^"), text.size());
    if (run > 0) {
      const std::size_t size = std::min<std::size_t>(run, next_size());
      tracker.text(text.substr(0, size));
      tracker.settle();  // otherwise short texts are read at once
      text.remove_prefix(size);
      continue;
    }
    claims.push_back(tracker.claim());
    tracker.marker(text.front() == '^' ? printed : std::string_view());
    text.remove_prefix(1);
  }
  return claims;
}

[[nodiscard]] std::vector<text_span> track_whole(std::string_view text) {
  claim_tracker tracker;
  return track(tracker, text, [] { return std::string_view::npos; });
}

[[nodiscard]] std::vector<std::string> claims_of(std::string_view text) {
  const std::string out = output_of(text);
  std::vector<std::string> texts;
  for (const text_span& claim : track_whole(text)) {
    texts.push_back(out.substr(claim.start.utf8, claim.end.utf8 - claim.start.utf8));
  }
  return texts;
}

[[nodiscard]] bool same(const std::vector<text_span>& a, const std::vector<text_span>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const text_span& left, const text_span& right) {
                      return left.start == right.start && left.end == right.end;
                    });
}

[[nodiscard]] std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> parts{
      "a",    "Revenue", "12",   "3.5%",     ".",        ". ",      "! ",   "?",    "\n",   "\n\n", "\r\n",
      "\r",   " ",       "\t",   "- ",       "* ",       "-",       "**",   "1. ",  "12)",  "# ",   "###",
      "> ",   ">",       "|",    "| ",       "```",      "~~~",     "`",    "``",   "@",    "@",    "^",
      "@, @", "^; ^",    ",",    "(",        ")",        "\"",      "”",    "„",    "“",    "。",   "！",
      "」",   "增长",    "…",    "\xC2\xA0", "---",      "\n```\n", "===",  "é",    "Art.", ". 5",  ":",
      "_",    "🚀",       "\xE3", "\x80",     "\xF0\x9F", "\n- ",    "\n# ", "\n> ", "\n| "};
  std::string text;
  for (auto left = std::uniform_int_distribution<int>(1, 40)(random); left > 0; --left) {
    text += parts[std::uniform_int_distribution<std::size_t>(0, parts.size() - 1)(random)];
  }
  return text;
}

/// Whether \p text ends with the only abbreviation of random_text(), perhaps with more full stops.
[[nodiscard]] bool ends_with_abbreviation(std::string_view text) {
  text = text.substr(0, text.find_last_not_of('.') + 1);
  if (!text.ends_with("Art")) return false;
  const char before = text.size() > 3 ? text[text.size() - 4] : ' ';
  return static_cast<unsigned char>(before) < 0x80 && std::isalpha(static_cast<unsigned char>(before)) == 0;
}

/// How often a full stop and blanks precede something other than a lower-case letter, or a digit after a
/// short word. The only such letters of random_text() are `a` and `é`; `Revenue` begins with a capital.
[[nodiscard]] std::size_t stops_before_others(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(". "); at != std::string_view::npos; at = text.find(". ", at + 1)) {
    const std::string_view next = text.substr(std::min(text.find_first_not_of(" \t", at + 1), text.size()));
    const bool white = next.starts_with("\xC2\xA0") || next.starts_with('\n') || next.starts_with('\r');
    const bool number = !next.empty() && std::isdigit(static_cast<unsigned char>(next.front())) != 0;
    if (number && ends_with_abbreviation(text.substr(0, at))) continue;
    if (!white && !next.starts_with('a') && !next.starts_with("é")) ++count;
  }
  return count;
}

[[nodiscard]] text_offset offset_of(std::string_view text, std::size_t bytes) {
  text_offset offset;
  offset.advance(text.substr(0, bytes));
  return offset;
}

}  // namespace

TEST_CASE("claims are the same for every cut of the text") {
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    const std::string text = random_text(random);
    CAPTURE(text);
    const auto whole = track_whole(text);
    for (std::size_t size = 1; size <= 4; ++size) {
      claim_tracker tracker;
      REQUIRE(same(track(tracker, text, [&] { return size; }), whole));
      REQUIRE(tracker.position() == offset_of(output_of(text), output_of(text).size()));
    }
    claim_tracker tracker;
    const auto any = [&] { return std::uniform_int_distribution<std::size_t>(1, 9)(random); };
    REQUIRE(same(track(tracker, text, any), whole));
  }
}

TEST_CASE("a text cut once at each byte keeps its claims") {
  const std::string text =
      "# Zahlen\n\n1. „Der Umsatz 🚀 wuchs um 3,5 %.“ @ Dann fiel er@, @.\r\n- 收入增长了。利润下降@\n> quote "
      "^ ^";
  const auto whole = track_whole(text);
  REQUIRE(whole.size() == 6);
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    claim_tracker tracker;
    const auto all = [] { return std::string_view::npos; };
    auto claims = track(tracker, std::string_view(text).substr(0, cut), all);
    const auto rest = track(tracker, std::string_view(text).substr(cut), all);
    claims.insert(claims.end(), rest.begin(), rest.end());
    CAPTURE(cut);
    REQUIRE(same(claims, whole));
  }
}

TEST_CASE("a claim precedes its marker within one block and has no white space around it") {
  std::mt19937 random(11);
  for (int round = 0; round < 4000; ++round) {
    const std::string text = random_text(random);
    const std::string out = output_of(text);
    CAPTURE(text);
    std::size_t at = 0;
    std::size_t index = 0;
    const auto claims = track_whole(text);
    for (const char c : text) {
      if (is_marker(c)) {
        const text_span& claim = claims.at(index++);
        REQUIRE(claim.start.utf8 <= claim.end.utf8);
        REQUIRE(claim.end.utf8 <= at);
        const std::string inside = out.substr(claim.start.utf8, claim.end.utf8 - claim.start.utf8);
        if (!inside.empty()) {
          REQUIRE(std::string_view(" \t\r\n").find(inside.front()) == std::string_view::npos);
          REQUIRE(std::string_view(" \t\r\n").find(inside.back()) == std::string_view::npos);
          REQUIRE(inside.find(printed) == std::string::npos);
          if (out.find("```") == std::string::npos && out.find("~~~") == std::string::npos) {
            REQUIRE(inside.find("\n\n") == std::string::npos);
            REQUIRE(inside.find("\n- ") == std::string::npos);
            REQUIRE(inside.find("\n|") == std::string::npos);
            REQUIRE(stops_before_others(inside) == 0);
          }
        }
      }
      at += c == '^' ? printed.size() : is_marker(c) ? 0 : 1;
    }
    REQUIRE(index == claims.size());
  }
}

TEST_CASE("claims are the same in all three units") {
  std::mt19937 random(13);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random_text(random);
    const std::string out = output_of(text);
    CAPTURE(text);
    for (const text_span& claim : track_whole(text)) {
      REQUIRE(claim.start == offset_of(out, claim.start.utf8));
      REQUIRE(claim.end == offset_of(out, claim.end.utf8));
    }
  }
}

TEST_CASE("offsets count a character outside the BMP once or twice or four times") {
  const auto claims = track_whole("🚀 up. 📈 é up@");
  REQUIRE(claims.size() == 1);
  CHECK((claims[0].start == text_offset{9, 7, 6}));
  CHECK((claims[0].end == text_offset{19, 14, 12}));
}

namespace {

struct worked {
  std::string_view name;
  std::string_view text;
  std::vector<std::string> claims;
};

}  // namespace

TEST_CASE("claims of worked examples") {
  const std::vector<worked> table{
      // Sentences
      {"whole sentence so far", "Revenue grew 12%@.", {"Revenue grew 12%"}},
      {"second sentence", "Costs fell. Revenue grew 12% ^.", {"Revenue grew 12%"}},
      {"marker behind the stop", "Costs fell. Revenue grew 12%.@", {"Revenue grew 12%."}},
      {"marker behind the stop and a blank", "Costs fell. Revenue grew 12%. ^", {"Revenue grew 12%."}},
      {"each sentence its own", "A grew.@ B fell.@ C", {"A grew.", "B fell."}},
      {"each sentence its own, printed", "A grew. ^ B fell. ^ C", {"A grew.", "B fell."}},
      {"stop behind the marker", "A grew@. B fell@.", {"A grew", "B fell"}},
      {"a decimal point ends nothing", "It is 3.5% of 1.000.000@", {"It is 3.5% of 1.000.000"}},
      {"a domain ends nothing", "See example.com now@", {"See example.com now"}},
      {"question and exclamation", "Why? Because! It grew@", {"It grew"}},
      {"ellipsis", "Well… it grew@", {"it grew"}},
      {"a small letter after a stop and a blank",
       "It was 3.5 million, e.g. big@. Dr. Smith of Acme Inc.  agreed ^",
       {"It was 3.5 million, e.g. big", "Dr. Smith of Acme Inc.  agreed"}},
      {"a small letter after a closing bracket",
       "It (Acme Inc.) grew.) and fell@",
       {"It (Acme Inc.) grew.) and fell"}},
      {"small letters of other scripts",
       "Siehe Abb. über Größe, др. далее, π. έως@",
       {"Siehe Abb. über Größe, др. далее, π. έως"}},
      {"capitals of other scripts", "Costs fell. Über@ Да. Далее@ Ω. Έως@", {"Über", "Далее", "Έως"}},
      {"a number after an abbreviation",
       "See p. 3, Art. 5 Abs.  1, PÁG. 2, pág. 3 and No.\u00A07@ et al.. 4@",
       {"2, pág. 3 and No.\u00A07", "et al.. 4"}},
      {"a number after an abbreviation in typographic quotes",
       "Es gilt „Art. 5 DSGVO“@ «p. 3»@ – Abs. 2@",
       {"Es gilt „Art. 5 DSGVO“", "«p. 3»", "– Abs. 2"}},
      {"a number after another word",
       "In May. 12 grew@ It is 5. 12 grew@ Maß. 3@ p2. 4@ p!. 5@ approximately. 6@ 第p. 7@",
       {"12 grew", "12 grew", "3", "4", "5", "6", "7"}},
      {"titles and other abbreviations",
       "Dr. Smith met St. John@ 1,3 Mrd. Euro@ inkl. MwSt. 119@ et al. (2020)@",
       {"Dr. Smith met St. John", "1,3 Mrd. Euro", "inkl. MwSt. 119", "et al. (2020)"}},
      {"initials",
       "J. K. Rowling met George W. Bush in the U.S. Senate@ at 5 p.m. Eastern@ z. B. Hunde@",
       {"J. K. Rowling met George W. Bush in the U.S. Senate", "at 5 p.m. Eastern", "z. B. Hunde"}},
      {"units are not initials",
       "It has 230 V. Ohm@ 20 °C. Heat@ 5 m. Rain@ it ends at a. Rain@ example.com. Rain@",
       {"Ohm", "Heat", "Rain", "Rain", "Rain"}},
      {"German ordinals",
       "Er kam am 3. Mai@ im 19. Jahrhundert@ vom 1. Januar bis 31. März@ Er hatte 12. Sie@ am 300. Tag@ "
       "am3. Mai@ am 3. 12@",
       {"Er kam am 3. Mai", "im 19. Jahrhundert", "vom 1. Januar bis 31. März", "Sie", "Tag", "Mai", "12"}},
      {"words that introduce a source",
       "According to [@], it rose@. As stated in ^, it fell. Laut @ stieg es.",
       {"", "], it rose", "", ""}},
      {"a long text before a source",
       "The committee that met in May objected to@",
       {"The committee that met in May objected to"}},
      {"words that only refer to a source",
       "It rose. (Source: @) It fell. (see ^, @). Siehe @ It grew. *Quelle: @*",
       {"It rose.", ") It fell.", ") It fell.", ") It fell.", "It grew."}},
      {"a sentence that starts with a reference to a source", "It rose.\n\nSee @ for more.", {""}},
      {"a label on a line of its own", "It rose.\nSource: @", {"Source:"}},
      {"other bullets",
       "• A@\n‣ B@\n– C@\n(1) D@\n(2) E@\na) F@\n(b) G@\n•H@\n(3. I@\n(ab) J@\nab) K@",
       {"A", "B", "C", "D", "E", "F", "G", "•H", "I", "(ab) J", "ab) K"}},
      {"bullets without a marker",
       "• A rose by 2\n• B fell@\n\n(1) A\n(2) B@\n\na) A\nb) B@",
       {"B fell", "B", "B"}},
      {"a small letter on the next line", "See p.\nbig@", {"big"}},
      {"a small letter after a question", "Why? it grew@ Stop.! it fell@", {"it grew", "it fell"}},
      {"stops instead of an ellipsis", "Well... it grew@", {"Well... it grew"}},
      {"a small letter after a marker", "It grew. ^ big@", {"It grew.", "big"}},
      {"a full stop after a marker and before a small letter",
       "It grew@. iPhone fell@",
       {"It grew", "iPhone fell"}},
      {"closing quote", "He said \"it grew.\" Costs fell@", {"Costs fell"}},
      {"closing bracket", "(It grew.) Costs fell@", {"Costs fell"}},
      {"closing typographic quotes", "“It grew.” Costs fell@", {"Costs fell"}},
      {"closing emphasis", "**It grew.** Costs fell@", {"Costs fell"}},
      {"bracket and quote before the marker", "Yes. (“It grew.”)@", {"(“It grew.”)"}},
      {"several stops", "It grew!? Costs fell@", {"Costs fell"}},
      {"a soft line break ends nothing", "Revenue\ngrew 12%@", {"Revenue\ngrew 12%"}},
      {"CRLF is one line break", "Revenue\r\ngrew 12%@", {"Revenue\r\ngrew 12%"}},
      {"line break behind a stop", "Costs fell.\nRevenue grew@", {"Revenue grew"}},
      {"no-break space behind a stop", "Costs fell.\xC2\xA0Revenue grew@", {"Revenue grew"}},
      // Groups
      {"one group", "It grew@@.", {"It grew", "It grew"}},
      {"one group with blanks and a comma",
       "It grew ^, ^ ^; ^.",
       {"It grew", "It grew", "It grew", "It grew"}},
      {"group behind the stop", "It grew. ^^", {"It grew.", "It grew."}},
      {"from one marker to the next", "A grew@ and B fell@.", {"A grew", "and B fell"}},
      {"a stop between two markers", "A grew ^. ^", {"A grew", "A grew"}},
      {"a bracket between two markers", "A grew ^ (^)", {"A grew", "A grew"}},
      {"brackets that open before a marker",
       "It grew\n  ( (@) and fell (^, ^). 増加した（@）(^ a [^]",
       {"It grew", ") and fell", ") and fell", "増加した", "増加した", "a"}},
      {"text after a group", "A grew@, but B fell@", {"A grew", ", but B fell"}},
      {"group on the next line", "A grew.\n^", {"A grew."}},
      // No text
      {"nothing", "@", {""}},
      {"white space alone", " \n @", {""}},
      {"first marker before the text", "@ It grew@", {"", "It grew"}},
      // Lists of references
      {"entries after a colon", "It grew@.\n\nSources:\n@ Report. New.\n@ Review", {"It grew", "", ""}},
      {"entries after a bold colon", "It grew.\n\n**Quellen:**\n@@ Report\n\n@", {"", "", ""}},
      {"entries after a full-width colon", "增长了。\n来源：\n@ 报告\n@ 评论", {"", ""}},
      {"entries after a heading", "It grew@\n# Sources\n@ Report\n@ Review", {"It grew", "", ""}},
      {"entries after a cited text", "It grew@.\n\n@ Report\n@ Review", {"It grew", "", ""}},
      {"items that start with a marker", "It grew.\n- @ Report\n- @\n2. @", {"", "", ""}},
      {"rows that start with a marker", "| No | Name |\n|---|---|\n| @ | Report |\n|@^|", {"", "", ""}},
      {"entries in a quote", "> Sources:\n> @ Report\n> @ Review", {"", ""}},
      {"markers before their sentences", "@ It grew.\n@ Costs fell.\n@ It won.", {"", "", ""}},
      {"an entry in two sentences", "See:\n@ Report. Review.\nIt grew@", {"", "It grew"}},
      {"a group on lines of its own", "It grew.\n@\n@\n\n^", {"It grew.", "It grew.", ""}},
      {"a group over two lines", "It grew@,\n@. Costs fell@", {"It grew", "It grew", "Costs fell"}},
      {"markers after their sentences",
       "It grew.\n@ Costs fell.\n@ It won.\n@",
       {"It grew.", "Costs fell.", "It won."}},
      {"a wrapped line", "It grew and\n@ costs fell@", {"It grew and", "costs fell"}},
      {"entries after one word", "References\n@ Report\n\n@ Review", {"", ""}},
      {"entries after one bold word", "It grew.\n\n**Sources**\n\n@ Report", {""}},
      {"text after a list", "See:\n@ Report\nnew.\n@ Review\n\nIt grew.\n@", {"", "", "It grew."}},
      {"text after a heading after a list", "# See\n@ Report\n# New\nIt grew.\n@", {"", "It grew."}},
      {"a cell before the marker", "| It grew | @ @ |", {"It grew |", "It grew |"}},
      {"several markers in an entry", "It grew.\n- @, @\n\nSources:\n@; @ Report", {"", "", "", ""}},
      {"a name at the end of a line",
       "It was founded by Mr. Smith\n@ or by Mr. Smith.\n@",
       {"It was founded by Mr. Smith", "or by Mr. Smith."}},
      {"an abbreviation after other ends",
       "Well… Art. 5 grew@ 增长。Art. 5 fell@",
       {"Art. 5 grew", "Art. 5 fell"}},
      {"a colon before the marker", "It grew: @", {"It grew:"}},
      {"a colon in the sentence", "Fact: it grew.\n@", {"Fact: it grew."}},
      // Blocks
      {"blank line", "Costs fell\n\nRevenue grew@", {"Revenue grew"}},
      {"blank line with blanks", "Costs fell\n \t\nRevenue grew@", {"Revenue grew"}},
      {"blank line with CRLF", "Costs fell\r\n\r\nRevenue grew@", {"Revenue grew"}},
      {"blank line with CR", "Costs fell\r\rRevenue grew@", {"Revenue grew"}},
      {"marker alone in its block", "Revenue grew 12%.\n\n@", {"Revenue grew 12%."}},
      {"bullets", "Facts:\n- A grew@\n* B fell@\n+ C stayed@", {"A grew", "B fell", "C stayed"}},
      {"numbered items", "1. A grew@\n2) B fell@\n10. C stayed.@", {"A grew", "B fell", "C stayed."}},
      {"indented bullets", "- A grew\n  - B fell@\n\t- C@", {"B fell", "C"}},
      {"bullet and soft break", "- A grew\n  by 12%@", {"A grew\n  by 12%"}},
      {"bullet in bullet", "- - A@", {"A"}},
      {"a minus sign is not a bullet", "It fell by\n-5% in May@", {"It fell by\n-5% in May"}},
      {"bold at the start of a line is not a bullet", "It\n**grew** fast@", {"It\n**grew** fast"}},
      {"a number at the start of a line is not an item",
       "It grew by\n12% in\n2023@",
       {"It grew by\n12% in\n2023"}},
      {"a decimal at the start of a line is not an item", "It grew by\n3.5% now@", {"It grew by\n3.5% now"}},
      {"ten digits are no item", "Call\n1234567890) now@", {"Call\n1234567890) now"}},
      {"empty bullet", "A grew\n-\nB fell@", {"B fell"}},
      {"heading", "Costs fell\n## Revenue 2023@\nIt grew@", {"Revenue 2023", "It grew"}},
      {"text under a heading", "# Revenue\nIt grew@", {"It grew"}},
      {"a hash tag is not a heading", "It grew\n#revenue up@", {"It grew\n#revenue up"}},
      {"seven hashes are no heading", "It grew\n####### up@", {"It grew\n####### up"}},
      {"item with a heading", "- # Revenue\n  It grew@", {"It grew"}},
      {"quote", "He said\n> It grew@", {"It grew"}},
      {"lines of one quote", "> It grew\n> by 12%@", {"It grew\n> by 12%"}},
      {"paragraphs of one quote", "> It grew\n>\n> Costs fell@", {"Costs fell"}},
      {"bullets in a quote", "> - A grew\n> - B fell@", {"B fell"}},
      {"table rows", "| A | grew 1@ |\n|---|---|\n| B | fell 2@ |", {"A | grew 1", "B | fell 2"}},
      {"thematic break", "Costs fell\n\n---\nRevenue grew@", {"Revenue grew"}},
      {"stars as thematic break", "Costs fell\n* * *\nRevenue grew@", {"Revenue grew"}},
      {"underlined heading", "Revenue\n=======\nIt grew@", {"It grew"}},
      {"long dash line", "Revenue\n----------\nIt grew@", {"It grew"}},
      {"two dashes are text", "Revenue\n-- or so@", {"Revenue\n-- or so"}},
      {"fence", "Code:\n```cpp\nint a. b;\n```\nIt grew@", {"It grew"}},
      {"marker behind a fence", "Code:\n```\nx = 1\n\n# y\n```\n@", {"x = 1\n\n# y"}},
      {"tildes", "~~~\n```\n~~~~ \nIt grew@", {"It grew"}},
      {"a shorter run closes nothing", "````\na\n```\nb. c\n````\n@", {"a\n```\nb. c"}},
      {"fence in a quote", "> ```\n> a\n> ```\n> It grew@", {"It grew"}},
      {"a line of inline code is not a fence", "Use\n```x``` now@", {"Use\n```x``` now"}},
      {"info with sentences", "Use\n``` a. b. c\nx\n```\n@", {"x"}},
      {"info is not a sentence", "A grew.\n\n``` b. c\n```\n@", {"A grew."}},
      {"a marker ends what looked like code", "~~~ a\nb@ c. D@", {"b", "D"}},
      // German
      {"German quotes", "Die Kosten sanken. „Der Umsatz wuchs um 3,5 %.“ Das half@", {"Das half"}},
      {"German claim", "Der Umsatz wuchs 2023 um 1.234,5 Mio. Euro. Größe zählt^.", {"Größe zählt"}},
      {"guillemets", "»Der Umsatz wuchs.« Die Kosten sanken@", {"Die Kosten sanken"}},
      // Chinese and Japanese
      {"Chinese sentences", "收入增长了。利润下降@。", {"利润下降"}},
      {"Chinese marker behind the stop",
       "成本下降。收入增长了12%。@利润下降！@",
       {"收入增长了12%。", "利润下降！"}},
      {"Chinese quotes", "他说：“增长了。”利润下降了吗？是的@", {"是的"}},
      {"Japanese brackets", "「増えた。」利益は減った@", {"利益は減った"}},
      {"Chinese comma between markers", "增长@，@。", {"增长", "增长"}},
      {"Chinese comma ends nothing", "收入增长，利润下降@", {"收入增长，利润下降"}},
      {"ideographic space", "增长.　下降@", {"下降"}},
      // Outside the BMP
      {"emoji",
       "🚀 Launch! 📈 Sales rose 👍🏽@ 🎉@",
       {"📈 Sales rose 👍🏽", "📈 Sales rose 👍🏽"}},
      {"symbols between a sentence and its marker",
       "It rose. ✅\uFE0F @ It fell. → @",
       {"It rose.", "It fell."}},
      {"emoji as bullet text", "- 🚀@\n- 📈 up@", {"🚀", "📈 up"}},
      {"rare ideographs", "𠮷野家。𠮷田@", {"𠮷田"}},
  };
  for (const worked& example : table) {
    INFO(example.name);
    CHECK(claims_of(example.text) == example.claims);
  }
}

TEST_CASE("reading the claim does not change the state") {
  std::mt19937 random(17);
  for (int round = 0; round < 1000; ++round) {
    const std::string text = random_text(random);
    claim_tracker asked;
    std::vector<text_span> claims;
    for (const char c : text) {
      const text_span claim = asked.claim();
      const text_span again = asked.claim();
      REQUIRE(claim.start == again.start);
      REQUIRE(claim.end == again.end);
      if (is_marker(c)) {
        claims.push_back(claim);
        asked.marker(c == '^' ? printed : std::string_view());
      } else {
        asked.text({&c, 1});
      }
    }
    CAPTURE(text);
    REQUIRE(same(claims, track_whole(text)));
  }
}

TEST_CASE("claims of text read in large pieces equal those read byte by byte") {
  static const std::vector<std::string> parts{"a",
                                              "b c",
                                              " ",
                                              "  ",
                                              "\t",
                                              ".",
                                              "!",
                                              "?",
                                              ",",
                                              "\n",
                                              "\r",
                                              ":",
                                              "_",
                                              "-",
                                              "*",
                                              "=",
                                              "`",
                                              "#",
                                              "(",
                                              ")",
                                              "@",
                                              "^",
                                              "é",
                                              "«",
                                              "“",
                                              "”",
                                              "’",
                                              "–",
                                              "…",
                                              "増",
                                              "。",
                                              "！",
                                              "　",
                                              "，",
                                              "」",
                                              "🚀",
                                              "．",
                                              "\xC2\xA0",
                                              "\xC2\x85",
                                              "\xE2\x80",
                                              "\xF0\x9F",
                                              "\x80",
                                              "\xC3",
                                              "\xE3",
                                              "\xF4\x90",
                                              "\xE5",
                                              "\xE5\xA2",
                                              "\xC1\xAE",
                                              "\xE0\x80\xAE",
                                              "\xF0\x80\x80\xA0",
                                              "\xE0\xA4\x95",
                                              "か",
                                              "\xEF\xBB\xBF",
                                              "Revenue grew "};
  std::mt19937 random(19);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  for (int round = 0; round < 20000; ++round) {
    // After a prefix of varying size, so that buffered text is read at each of its bytes in some round.
    std::string text = round % 2 == 0 ? std::string(below(300), 'x') : std::string();
    const std::size_t alphabet = 1 + below(parts.size());
    for (auto left = below(80); left > 0; --left) {
      text += parts[round % 3 == 0 ? below(alphabet) : below(parts.size())];
    }
    CAPTURE(text);
    claim_tracker late;
    const auto sizes = [&] { return 1 + below(round % 5 == 0 ? 200 : 6); };
    const std::vector<text_span> found = track(late, text, sizes);
    claim_tracker at_once;
    std::vector<text_span> expected;
    for (const char c : text) {
      if (is_marker(c)) {
        expected.push_back(at_once.claim());
        at_once.marker(c == '^' ? printed : std::string_view());
      } else {
        at_once.text({&c, 1});
        static_cast<void>(at_once.claim());  // reads it
      }
    }
    REQUIRE(same(found, expected));
    REQUIRE(late.position() == at_once.position());
    REQUIRE(same({late.claim()}, {at_once.claim()}));
    REQUIRE(late.position() == at_once.position());
  }
}

TEST_CASE("only words make a claim") {
  const auto check = [](char32_t first, char32_t last) {
    for (char32_t c = first; c <= last; ++c) {
      std::string encoded;
      if (c >= 0x800) {
        encoded += static_cast<char>(c < 0x10000 ? 0xE0U | c >> 12U : 0xF0U | c >> 18U);
        if (c >= 0x10000) encoded += static_cast<char>(0x80U | (c >> 12U & 0x3FU));
        encoded += static_cast<char>(0x80U | (c >> 6U & 0x3FU));
      } else {
        encoded += static_cast<char>(0xC0U | c >> 6U);
      }
      encoded += static_cast<char>(0x80U | (c & 0x3FU));
      const bool word = c == 0xFFFD || !citestream::is_separator(c);
      const std::string text = "It rose. (" + encoded + ") @";
      INFO(text);
      REQUIRE(claims_of(text).front() == (word ? "(" + encoded + ")" : "It rose."));
      claim_tracker tracker;
      REQUIRE(same(track(tracker, text, [] { return std::size_t{1}; }), track_whole(text)));
    }
  };
  check(0x80, 0x3FFF);
  check(0xE000, 0xFFFF);
  check(0x1EFF0, 0x1FFFF);
}

TEST_CASE("reset forgets open code and positions") {
  claim_tracker tracker;
  tracker.text("Costs fell. ```\n```\ncode\n\xE3");
  tracker.reset();
  CHECK(tracker.position() == text_offset{});
  tracker.text("One. Two");
  CHECK(tracker.claim().start == text_offset{5, 5, 5});
  CHECK(tracker.claim().end == text_offset{8, 8, 8});
}

namespace {

/// The claim at the end of \p text, fed in pieces of \p size bytes. `{` marks the start of a claim.
std::string claim_started_in(std::string_view text, std::size_t size) {
  claim_tracker tracker;
  std::string output;
  while (!text.empty()) {
    const std::size_t run = std::min(text.find('{'), text.size());
    for (std::size_t at = 0; at < run; at += size) {
      tracker.text(text.substr(at, std::min(size, run - at)));
    }
    output += text.substr(0, run);
    text.remove_prefix(run);
    if (text.empty()) break;
    tracker.start_claim();
    text.remove_prefix(1);
  }
  const text_span claim = tracker.claim();
  return output.substr(claim.start.utf8, claim.end.utf8 - claim.start.utf8);
}

}  // namespace

TEST_CASE("a claim whose start is known has all sentences up to its marker") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    CHECK(claim_started_in("One. {Two. Three! Four.", size) == "Two. Three! Four.");
    CHECK(claim_started_in("One {two\nthree. Four", size) == "two\nthree. Four");
    CHECK(claim_started_in("One. {两。三", size) == "两。三");
    CHECK(claim_started_in("{One. {Two. Three", size) == "Two. Three");
    CHECK(claim_started_in("* {One. Two", size) == "One. Two");
    CHECK(claim_started_in("Zero.\n{* One. Two", size) == "One. Two");
  }
}

TEST_CASE("a claim whose start is known ends with its block and at its marker") {
  CHECK(claim_started_in("{One. Two.\n\nThree. Four", 1) == "Four");
  CHECK(claim_started_in("{One. Two.\n* Three. Four", 1) == "Four");
  claim_tracker tracker;
  tracker.start_claim();
  tracker.text("One. Two");
  tracker.marker({});
  tracker.text(" three. Four");
  CHECK(tracker.claim().start.utf8 == 16);
}

TEST_CASE("a list of references ends with its text") {
  claim_tracker tracker;
  tracker.text("See:\n");
  tracker.marker("");
  tracker.text(" Report");
  tracker.begin_text();
  const std::uint64_t begin = tracker.position().utf8;
  tracker.text("It grew.\n");
  CHECK(tracker.claim().start.utf8 == begin);
  CHECK(tracker.claim().end.utf8 == begin + 8);
}

TEST_CASE("no claim starts before the text that it is in") {
  for (const std::string_view before :
       {"One two", "One. Two", "One.", "- item", "> quote", "```\ncode", "``", "##", "a\r", "\xE3"}) {
    INFO(before);
    claim_tracker tracker;
    tracker.text(before);
    tracker.begin_text();
    const text_offset begin = tracker.position();
    CHECK(tracker.claim().start == begin);
    CHECK(tracker.claim().end == begin);
    tracker.text("- Three four");
    CHECK(tracker.claim().start.utf8 == begin.utf8 + 2);
    CHECK(tracker.claim().end == tracker.position());
  }
  claim_tracker tracker;
  tracker.start_claim();
  tracker.text("One. Two");
  tracker.marker({});
  tracker.begin_text();
  tracker.text(" .");
  CHECK(tracker.claim().start.utf8 == 9);
}
