// Citations of what does not exist: what is printed for them, their numbers, and repaired identifiers.
#include <citestream/session/answer.hpp>

#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

using namespace citestream;

namespace {

reference listed(std::string id, std::string title, std::int64_t number) {
  reference out;
  out.id = std::move(id);
  out.title = std::move(title);
  out.number = number;
  return out;
}

const std::vector<reference>& known() {
  static const std::vector<reference> all{listed("report-2024-a", "Report", 1),
                                          listed("manual-77-x", "Manual", 2)};
  return all;
}

struct printed {
  std::string text;
  std::string records;  ///< `number:status:match` of each
};

/// \param cut  the text is pushed in two parts
printed print(const session_options& options, std::string_view text, bool early, std::size_t cut) {
  answer one(options);
  const auto add = [&] {
    for (const reference& ref : known()) one.add_reference(ref);
  };
  if (early) add();
  printed out;
  one.push(text.substr(0, cut), out.text);
  one.push(text.substr(cut), out.text);
  one.finish(out.text);
  if (!early) add();
  one.resolve();
  one.append_list(out.text);
  for (const citation& cite : one.cites().all()) {
    CHECK(out.text.size() >= cite.end.utf8);
    out.records += std::to_string(cite.number) + ":" + std::string(name(cite.status)) +
                   (cite.match ? ":" + std::string(name(*cite.match)) : "") + " ";
  }
  return out;
}

/// The same at every cut.
printed print(const session_options& options, std::string_view text, bool early = true) {
  const printed whole = print(options, text, early, text.size());
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    const printed parts = print(options, text, early, cut);
    REQUIRE(parts.text == whole.text);
    REQUIRE(parts.records == whole.records);
  }
  return whole;
}

session_options with(std::string_view chosen, unresolved_print how = unresolved_print::keep) {
  session_options options;
  options.style = find_style(chosen);
  options.unresolved = how;
  for (const char* each : {"link", "numeric", "source", "ref"})
    options.grammars.push_back(find_grammar(each));
  return options;
}

constexpr std::string_view text =
    "Tea sells [9]. Coffee sells [1], too [Ghost](nobody). Milk [2, 8]. (See [7].)";

}  // namespace

TEST_CASE("a citation without a reference is dropped and takes no number") {
  const printed numeric = print(with("numeric", unresolved_print::drop), text);
  CHECK(numeric.text == "Tea sells. Coffee sells [1], too. Milk [2]. (See.)");
  CHECK(numeric.records ==
        "0:unresolved 1:resolved:exact 0:unresolved 2:resolved:exact 0:unresolved 0:unresolved ");
  CHECK(print(with("superscript", unresolved_print::drop), text).text ==
        "Tea sells. Coffee sells<sup>[1]</sup>, too. Milk<sup>[2]</sup>. (See.)");
  CHECK(print(with("label", unresolved_print::drop), text).text ==
        "Tea sells. Coffee sells Report, too. Milk Manual. (See.)");
}

TEST_CASE("citations that were dropped or marked are a 0 in the list of what is unresolved") {
  for (const auto how : {unresolved_print::drop, unresolved_print::mark}) {
    answer one(with("numeric", how));
    for (const reference& ref : known()) one.add_reference(ref);
    std::string out;
    one.push("A [1] [8] [9] [8].", out);
    one.finish(out);
    one.resolve();
    const auto listed_now = [&] {
      return std::vector<std::uint32_t>(one.cites().unresolved().begin(), one.cites().unresolved().end());
    };
    CHECK(listed_now() == std::vector<std::uint32_t>{0});
    one.add_reference(listed("late", "Late", 8));
    CHECK(one.resolve_late().size() == 2);
    CHECK(listed_now() == std::vector<std::uint32_t>{0});
    CHECK(one.cites().all()[1].number == 2);
    one.add_reference(listed("later", "Later", 9));
    CHECK(one.resolve_late().size() == 1);
    CHECK(listed_now().empty());
  }
}

TEST_CASE("text after a dropped citation keeps its spacing") {
  const auto dropped = [](std::string_view given) {
    return print(with("numeric", unresolved_print::drop), given).text;
  };
  CHECK(dropped("a [9][1] b") == "a [1] b");
  CHECK(dropped("a  [9][8][1][2] b") == "a [1][2] b");
  CHECK(dropped("a [1][9][2] b") == "a [1][2] b");
  CHECK(dropped("a [9] [1] b") == "a [1] b");
  CHECK(dropped("a[9][1] b [9] c") == "a[1] b c");
}

TEST_CASE("what separates a citation and a dropped one is removed") {
  for (const char* const style : {"numeric", "label", "superscript"}) {
    const session_options options = with(style, unresolved_print::drop);
    const std::pair<const char*, const char*> cases[] = {{"a [1], [9].", "a [1]."},
                                                         {"a ([1]; [9]).", "a ([1])."},
                                                         {"a [1], [9], [2].", "a [1], [2]."},
                                                         {"a [1] [9] [8] b", "a [1] b"},
                                                         {"a [1], b [9], c", "a [1], b, c"},
                                                         {"a ([9]; [1]), [2] b", "a ([1]), [2] b"},
                                                         {"a [1]; ", "a [1]; "}};
    for (const auto& [given, expected] : cases) {
      INFO(style << ": " << given);
      CHECK(print(options, given).text == print(options, expected).text);
    }
  }
}

TEST_CASE("text around citations that are all dropped is tidied as strip does") {
  constexpr std::string_view given = "claim ([9]). foo [9]bar x [9], [9] y";
  CHECK(print(with("numeric", unresolved_print::drop), given).text == "claim. foo bar x y");
  std::mt19937 random(1);
  constexpr std::string_view pieces[] = {"[9]", "[8]", " ", "  ", "(",  ")",     ",",
                                         ";",   "\n",  "a", "b ", "\\", "\u00e9"};
  for (int round = 0; round < 300; ++round) {
    std::string made;
    for (int i = 0; i < 14; ++i) made += pieces[random() % std::size(pieces)];
    INFO(made);
    const std::string stripped = print(with("strip"), made).text;
    for (const std::string_view style : {"numeric", "superscript", "markdown", "label"})
      CHECK(print(with(style, unresolved_print::drop), made).text == stripped);
  }
}

TEST_CASE("citations among dropped ones are where their records say") {
  constexpr std::string_view given = "a [1], [9] b ([9], [1]) d [9][2] e ([9])[1] f ([9]) [2].\n [9] [1] g";
  CHECK(print(with("numeric", unresolved_print::drop), given).text ==
        "a [1] b ([1]) d [2] e [1] f [2].\n [1] g");
  std::mt19937 random(2);
  constexpr std::string_view pieces[] = {"[9]", "[1]", "[2]", " ", "(", ")", ", ", ";", "\n", "a", "\u00e9"};
  for (int round = 0; round < 500; ++round) {
    std::string made;
    for (int i = 0; i < 14; ++i) made += pieces[random() % std::size(pieces)];
    INFO(made);
    for (const std::string_view style : {"numeric", "superscript"}) {
      const std::string before = style == "numeric" ? "" : "<sup>";
      const session_options options = with(style, unresolved_print::drop);
      CHECK(print(options, made).records.size() <= 14 * 20);  // the same at every cut
      answer one(options);
      for (const reference& ref : known()) one.add_reference(ref);
      std::string out;
      one.push(made, out);
      one.finish(out);
      one.resolve();
      for (const citation& cite : one.cites().all()) {
        const std::string wanted = cite.number == 0 ? ""
                                                    : before + "[" + std::to_string(cite.number) + "]" +
                                                          (before.empty() ? "" : "</sup>");
        CHECK(out.substr(cite.start.utf8, cite.end.utf8 - cite.start.utf8) == wanted);
      }
    }
  }
}

TEST_CASE("a citation without a reference is marked in each style that prints") {
  const std::vector<std::pair<std::string_view, std::string_view>> marks{
      {"numeric", "[?]"},
      {"footnote", "[?]"},
      {"superscript", "<sup>[?]</sup>"},
      {"html", "<sup class=\"unresolved\">?</sup>"},
      {"label", "[citation not found]"},
      {"markdown", "\\[?\\]"}};
  for (const auto& [chosen, mark] : marks) {
    const printed out = print(with(chosen, unresolved_print::mark), "Tea sells [9].");
    const bool blank = find_style(chosen)->space == spacing::kept;
    CHECK(out.text == "Tea sells" + std::string(blank ? " " : "") + std::string(mark) + ".");
  }
  for (const std::string_view chosen : {"strip", "keep"}) {
    CHECK(print(with(chosen, unresolved_print::mark), text).text == print(with(chosen), text).text);
    CHECK(print(with(chosen, unresolved_print::drop), text).text == print(with(chosen), text).text);
  }
}

TEST_CASE("without references before the text every citation is printed") {
  for (const auto how : {unresolved_print::drop, unresolved_print::mark}) {
    const printed late = print(with("numeric", how), text, false);
    CHECK(late.text == print(with("numeric"), text, false).text);
    CHECK(late.text.find("[1]") != std::string::npos);
  }
  const printed list = print(with("footnote", unresolved_print::drop), "Tea [9].", false);
  CHECK(list.text.find("unresolved: source not found") != std::string::npos);
}

TEST_CASE("citations of one list entry have one number whichever grammar cited it") {
  constexpr std::string_view forms = "A [1]. B [src_1]. C [Source 1]. D [2]. E [Report](report-2024-a).";
  const printed early = print(with("numeric"), forms);
  CHECK(early.text == "A [1]. B [1]. C [1]. D [2]. E [1].");
  const printed late = print(with("numeric"), "A [1]. B [src_1]. C [Source 1]. D [2].", false);
  CHECK(late.text == "A [1]. B [1]. C [1]. D [2].");
  const printed list = print(with("footnote"), "A [1]. B [src_1]. C [Source 1].", false);
  CHECK(list.text.find("[^1]: **Report**") != std::string::npos);
  CHECK(list.text.find("[^2]") == std::string::npos);
}

TEST_CASE("a late reference cited by place and by URL keeps both numbers") {
  answer one(with("numeric"));
  std::string out;
  one.push("A [Report](https://example.com/r). B [1]. C [src_1].", out);
  one.finish(out);
  CHECK(out == "A [1]. B [2]. C [2].");
  reference late = listed("r", "Report", 1);
  late.url = "https://example.com/r";
  one.add_reference(late);
  one.resolve();
  for (const citation& cite : one.cites().all()) {
    CHECK(cite.status == citation_status::resolved);
    CHECK(cite.references.front() == 0);
    CHECK(out.substr(cite.start.utf8, cite.end.utf8 - cite.start.utf8) ==
          "[" + std::to_string(cite.number) + "]");
  }
}

TEST_CASE("a reference keeps the number that it got before it was known") {
  constexpr std::string_view forms[] = {"[1]", "[src_1]", "[Source 1]", "[x](report-2024-a)"};
  std::vector<std::string_view> later(std::begin(forms), std::end(forms));
  later.insert(later.end(), {"[x](report-2024-b)", "[Report](no-such-id)"});  // repaired
  session_options options = with("footnote");
  options.repair = true;
  for (const std::string_view before : forms) {
    for (const std::string_view after : later) {
      answer one(options);
      std::string out;
      one.push("A [9]. B " + std::string(before) + ". ", out);
      for (const reference& ref : known()) one.add_reference(ref);
      one.push("C " + std::string(after) + ". D [2].", out);
      one.finish(out);
      INFO(before << " " << after);
      CHECK(out == "A[^1]. B[^2]. C[^2]. D[^3].");
      one.resolve();
      one.append_list(out);
      CHECK(out.find("**Report**") == out.rfind("**Report**"));
    }
  }
}

TEST_CASE("a page keeps the number that it got before it was known by another spelling") {
  answer one(with("numeric"));
  std::string out;
  one.push("A [y](https://A.example/x/). ", out);
  reference page = listed("file-1-a", "Page", 1);
  page.url = "https://a.example/x";
  one.add_reference(page);
  one.push("B [x](file-1-a) [z](https://a.example/x).", out);
  one.finish(out);
  CHECK(out == "A [1]. B [1] [1].");
}

TEST_CASE("an identifier that is also the place of another reference keeps its own number") {
  session_options options = with("numeric");
  answer one(options);
  one.add_reference(listed("src_1", "Second", 2));
  one.add_reference(listed("first", "First", 1));
  std::string out;
  one.push("A [1]. B [src_1]. C [2].", out);
  one.finish(out);
  CHECK(out == "A [1]. B [2]. C [2].");
}

TEST_CASE("an identifier within two edits of one known identifier is repaired") {
  session_options options = with("numeric", unresolved_print::drop);
  options.repair = true;
  const auto cite = [&](const std::string& identifier, bool early) {
    return print(options, "A [x](" + identifier + ").", early).records;
  };
  for (const bool early : {false, true}) {
    for (const char* near :
         {"report-2024-b", "report-2024-", "report-2024", "rep0rt-2O24-a", "xreport-2024-a"})
      CHECK(cite(near, early) == "1:resolved:repaired ");
    CHECK(cite("report-2024-a", early) == "1:resolved:exact ");
    CHECK(cite("rep0rt-2O24-b", early) == (early ? "0:unresolved " : "1:unresolved "));
  }
  options.repair = false;
  CHECK(cite("report-2024-b", false) == "1:unresolved ");
}

TEST_CASE("a citation that is repaired by its title has the number of the reference") {
  session_options options = with("footnote");
  options.repair = true;
  const printed list = print(options, "A [2]. B [Manual](nope). C [Report](nope). D [1]. E [x](nope).");
  CHECK(list.text.starts_with("A[^1]. B[^1]. C[^2]. D[^2]. E[^3]."));
  CHECK(list.text.find("[^1]: **Manual**") == list.text.rfind("**Manual**") - 6);
}

TEST_CASE("an identifier near two known ones is not repaired and short ones never are") {
  session_options options = with("numeric");
  options.repair = true;
  answer one(options);
  for (const char* id : {"document-1", "document-2", "abc1"}) one.add_reference(listed(id, "", 0));
  std::string out;
  one.push("A [x](document-3). B [y](abc2). C [z](document-1x).", out);
  one.finish(out);
  one.resolve();
  CHECK(one.cites().all()[0].status == citation_status::unresolved);
  CHECK(one.cites().all()[1].status == citation_status::unresolved);
  CHECK(one.cites().all()[2].status == citation_status::unresolved);  // near both
}

TEST_CASE("a URL is not repaired to a similar one that may be another page") {
  session_options options = with("numeric");
  options.repair = true;
  answer one(options);
  one.add_reference(listed("https://a.example/page1", "Page one", 0));
  std::string out;
  one.push("A [x](https://a.example/page2). B [Page one](https://a.example/page3).", out);
  one.finish(out);
  one.resolve();
  CHECK(one.cites().all()[0].status == citation_status::unresolved);
  CHECK(one.cites().all()[1].match == match_kind::repaired);  // by its title
}

TEST_CASE("edits and lengths of identifiers are counted in characters") {
  session_options options = with("numeric");
  options.repair = true;
  answer one(options);
  for (const char* id : {"报告一", "uberuber", "年度销售报告二〇二四年"})
    one.add_reference(listed(id, "", 0));
  std::string out;
  one.push("A [x](报告二). B [x](überüber). C [x](年度销售报告二〇二五年). D [x](年度销售报告).", out);
  one.finish(out);
  one.resolve();
  const auto status = [&](std::size_t index) { return one.cites().all()[index].status; };
  CHECK(status(0) == citation_status::unresolved);  // too short
  CHECK(status(1) == citation_status::resolved);
  CHECK(status(2) == citation_status::resolved);
  CHECK(status(3) == citation_status::unresolved);
}

TEST_CASE("a label that is exactly one known title repairs an unknown identifier") {
  session_options options = with("label", unresolved_print::mark);
  options.repair = true;
  const printed out = print(options, "A [Manual](lost) and [Other](gone).");
  CHECK(out.text == "A Manual and [citation not found].");
  CHECK(out.records == "1:resolved:repaired 0:unresolved ");
}

TEST_CASE("a title repairs an identifier also if egress changes the label") {
  session_options options = with("numeric");
  options.repair = true;
  options.egress = egress_mode::enforce;
  answer one(options);
  one.add_reference(listed("report-2024", "Q3 <draft>", 0));
  std::string out;
  one.push("Up [Q3 <draft>](zzzz).", out);
  one.finish(out);
  one.resolve();
  CHECK(one.cites().all()[0].status == citation_status::resolved);
}

TEST_CASE("a label that is the title of all parts of a document repairs identifiers") {
  session_options options = with("numeric");
  options.repair = true;
  answer one(options);
  for (const char* id : {"report-2024", "report-2024", "other-document"}) {
    one.add_reference(listed(id, std::string_view(id) == "report-2024" ? "Report" : "Other", 0));
    reference part = listed(id, "Shared", 0);
    part.text = "part " + std::to_string(one.cites().references().size());
    one.add_reference(part);
  }
  std::string out;
  one.push("A [Report](lost). B [Shared](lost).", out);
  one.finish(out);
  one.resolve();
  CHECK(one.cites().all()[0].status == citation_status::resolved);
  CHECK(one.cites().all()[0].references.size() > 1);
  CHECK(one.cites().all()[1].status == citation_status::unresolved);
}

TEST_CASE("an identifier near two names of one reference is repaired") {
  session_options options = with("numeric");
  options.repair = true;
  answer one(options);
  reference both = listed("report-2024-aa", "", 0);
  both.cite = "report-2024-bb";
  one.add_reference(both);
  std::string out;
  one.push("A [x](report-2024-ab).", out);
  one.finish(out);
  one.resolve();
  CHECK(one.cites().all()[0].status == citation_status::resolved);
}

TEST_CASE("a repaired citation keeps what the model wrote") {
  session_options options = with("numeric");
  options.repair = true;
  answer one(options);
  for (const reference& ref : known()) one.add_reference(ref);
  std::string out;
  one.push("A [x](report-2024-b).", out);
  one.finish(out);
  one.resolve();
  CHECK(one.cites().all()[0].identifier == "report-2024-b");
  CHECK(one.cites().references()[one.cites().all()[0].references.front()].id == "report-2024-a");
}

TEST_CASE("many unknown identifiers and references take bounded time") {
  session_options options = with("numeric");
  options.repair = true;
  answer one(options);
  for (int i = 0; i < 20'000; ++i) one.add_reference(listed("identifier-" + std::to_string(i), "", 0));
  std::string out;
  for (int i = 0; i < 20'000; ++i) one.push("A [x](unknown-key-" + std::to_string(i) + ").", out);
  one.finish(out);
  one.resolve();
  CHECK(one.cites().all().size() == 20'000);
}
