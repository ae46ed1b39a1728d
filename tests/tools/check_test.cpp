// `citestream check`: its report, its messages for invalid input, and its exit code.
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/lines.hpp"
#include "support/loopback.hpp"
#include "support/parsed_json.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;

namespace {

run_result check(std::vector<std::string> arguments, std::string_view input = {}) {
  arguments.insert(arguments.begin(), "check");
  return run(arguments, input);
}

constexpr std::string_view laptop =
    R"~([{"document":"product_id: SKU001 | price: 1499.0 | name: TechBook Pro","collection":"catalog",)~"
    R"~("metadata":{"source":"techmart_catalog.csv"}}])~";

constexpr std::string_view acme =
    R"~([{"document":"In 2023 Acme revenue grew 12%.","collection":"reports","title":"Acme",)~"
    R"~("metadata":{"source":"acme.pdf"}}])~";

/// The first and the last are unsure.
constexpr std::string_view judged_claims =
    R"~({"claim":"Sales grew by 20%.","references":["Last year sales rose 20%."]})~"
    "\n"
    R"~({"claim":"Sales rose 20%.","references":["Last year sales rose 20%."]})~"
    "\n"
    R"~({"claim":"Sales grew by 20% in May.","references":["Last year sales rose 20%."]})~"
    "\n";

/// The exit code and the claims of an answer: `0|Sales rose|Costs fell`.
std::string claims_in(std::string_view answer, const std::string& references) {
  const auto run = check({"answer", "--references", references}, answer);
  const auto report = parsed(run.out);
  std::string out = std::to_string(run.code);
  for (citestream::json_value one = report.root()["claims"].first(); one; one = one.next())
    out += "|" + std::string(one["text"].string());
  return out;
}

}  // namespace

TEST_CASE("claims are written one a line with the documented members") {
  const auto run = check(
      {"claims"}, R"~({"claim":"Sales rose 20%.","references":["Nothing.","In May sales rose 20 percent."]})~"
                  "\n");
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  CHECK(
      run.out ==
      R"~({"support":1,"verdict":"supported","evidence":{"reference":1,"start":7,"end":28,"offsets":"utf16"},)~"
      R"~("matched_words":["Sales","rose","20%"],"missing_numbers":[],)~"
      R"~("missing_names":[],"missing_words":[],"contradicted_numbers":[]})~"
      "\n");
}

TEST_CASE("the question of a bare answer is compared with it") {
  const auto of = [](const std::string& claim) {
    return R"~({"question":"How long can tents be returned?","claim":")~" + claim +
           R"~(","references":["Boots: 14 days. Tents can be returned within 30 days."]})~";
  };
  const auto right = check({"claims"}, of("30 days."));
  CHECK(right.out.starts_with(R"~({"compared":"How long can tents be returned? 30 days.","support":)~"));
  CHECK(right.code == 0);
  const auto wrong = check({"claims"}, of("14 days."));
  CHECK(wrong.out.find(R"~("verdict":"contradicted")~") != std::string::npos);
  CHECK(wrong.code == 1);
  CHECK(check({"claims", "--to", "text"}, of("30 days.")).out.find("tents be returned? 30 days.") !=
        std::string::npos);
  const auto whole = check({"claims"}, of("Tents can be returned within 30 days."));
  CHECK(whole.out.starts_with(R"~({"support":1,)~"));
}

TEST_CASE("a bare answer may begin with yes") {
  const std::string question = R"~({"question":"Can tents be returned?","claim":")~";
  const std::string reference = R"~(","references":["Tents can be returned within 30 days."]})~";
  for (const char* claim : {"Yes, within 30 days.", "yes, 30 days", "Ja, 30 days."}) {
    INFO(claim);
    const auto run = check({"claims"}, question + claim + reference);
    CHECK(parsed(run.out).root()["verdict"].string() == "supported");
    CHECK(parsed(run.out).root()["missing_names"].empty());
  }
  const auto wrong = check({"claims"}, question + "Yes, within 14 days." + reference);
  CHECK(parsed(wrong.out).root()["verdict"].string() == "contradicted");
}

TEST_CASE("a question that is answered by yes or no is compared without the answer") {
  const auto verdict = [](const std::string& claim, const std::string& reference) {
    const auto run = check({"claims"}, R"~({"question":"Is smoking allowed in rooms?","claim":")~" + claim +
                                           R"~(","references":[")~" + reference + "\"]}");
    return std::to_string(run.code) + ' ' + std::string(parsed(run.out).root()["verdict"].string());
  };
  const std::string allowed = "Smoking is allowed in rooms.";
  const std::string banned = "Smoking is not allowed in rooms.";
  CHECK(verdict("Yes.", allowed) == "0 supported");
  CHECK(verdict("Yes.", banned) == "1 contradicted");
  CHECK(verdict("No.", allowed) == "1 contradicted");
  CHECK(verdict("no", banned) == "0 supported");
  CHECK(verdict("No.", "Dogs sleep in rooms.") == "1 not_found");
  for (const char* no : {"No, it isn't.", "No, it is not.", "It is not.", "Not at all.", "No, it isn’t."}) {
    INFO(no);
    CHECK(verdict(no, allowed) == "1 contradicted");
    CHECK(verdict(no, banned) == "0 supported");
  }
  CHECK(verdict("Yes, it is.", allowed) == "0 supported");
  CHECK(verdict("Yes, it is.", banned) == "1 contradicted");
  const auto nein = check({"claims"}, R"~({"question":"Ist Rauchen im Hotel erlaubt?","claim":"Nein.",)~"
                                      R"~("references":["Rauchen ist im Hotel verboten."]})~");
  CHECK(parsed(nein.out).root()["verdict"].string() == "supported");
  CHECK(parsed(nein.out).root()["contradictions"].empty());
}

TEST_CASE("a citation in words that introduce its source cites the rest of the sentence") {
  const std::string list =
      R"~(","references":[{"id":"f1","title":"Annual Report 2024","text":"Sales rose 20% in May. Returns are not free."}]})~";
  const auto first = [&](const std::string& answer) {
    const auto run = check({"answer"}, R"~({"answer":")~" + answer + list);
    const auto report = parsed(run.out);
    const auto one = report.root()["claims"].first();
    return std::to_string(run.code) + ' ' + std::string(one["verdict"].string()) + ": " +
           std::string(one["attributed_to"].string()) + '|' + std::string(one["text"].string());
  };
  for (const std::string before :
       {"According to the Annual Report 2024 [1], ", "Based on the provided documents [1], ",
        "Selon le rapport [1], ", "Según el informe anual [1], ", "Laut Bericht [1] ",
        "As the Annual Report 2024 [1] notes, ", "As the report notes [1], ", "Como indica el informe [1], ",
        "Comme l'indique le rapport [1], ", "According to Reuters [1], ", "According to notes.pdf [1], ",
        "The Annual Report 2024 [1] states that ", "A recent study [1] found that "}) {
    INFO(before);
    std::string lead = before;
    lead.erase(lead.find(" [1]"), 4);
    CHECK(first(before + "sales rose 20% in May.") == "0 supported: " + lead + "|sales rose 20% in May.");
    CHECK(first(before + "returns are not free.") == "0 supported: " + lead + "|returns are not free.");
    CHECK(first(before + "sales fell 20% in May.") == "1 contradicted: " + lead + "|sales fell 20% in May.");
  }
  CHECK(first("According to the report [1], sales rose 20% in May [1].").starts_with("0 supported: |"));
  CHECK(first("According to the CEO the firm lost the data [1].").starts_with("1 not_found: |"));
}

TEST_CASE("a claim with a wrong number is reported") {
  const auto run = check({"claims"}, R"~({"claim":"Sales rose 25%.","references":["Sales rose 20%."]})~");
  CHECK(run.code == 1);
  CHECK(run.out.find(R"~("contradicted_numbers":[{"claimed":"25%","found":"20%"}])~") != std::string::npos);
  const auto text =
      check({"claims", "--to", "text"}, R"~({"claim":"Sales rose 25%.","references":["Sales rose 20%."]})~");
  CHECK(text.code == 1);
  CHECK(text.out.find("contradicted: 25% (number; the text has 20%)") != std::string::npos);
}

TEST_CASE("the support at which a verdict changes can be set") {
  const std::string claim = R"~({"claim":"Sales grew by 20%.","references":["Last year sales rose 20%."]})~";
  const auto verdict = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), "claims");
    const std::string out = check(flags, claim).out;
    const std::size_t at = out.find("\"verdict\":\"") + 11;
    return out.substr(at, out.find('"', at) - at);
  };
  CHECK(verdict({}) == "unsure");
  CHECK(verdict({"--supported", "0.5"}) == "supported");
  CHECK(verdict({"--not-found", "0.6"}) == "not_found");
  CHECK(check({"claims", "--supported", "2"}, claim).code == 2);
  CHECK(check({"claims", "--supported", "0.2", "--not-found", "0.4"}, claim).code == 2);
  CHECK(check({"claims", "--supported", "0.2", "--not-found", "0.4"}, claim)
            .err.find("--not-found (0.4) must not exceed --supported (0.2)") != std::string::npos);
}

TEST_CASE("an unreadable line gives an error and the others are processed") {
  const std::string good = R"~({"claim":"tea sells","references":["tea sells"]})~";
  const auto run =
      check({"claims"}, good + "\nnonsense\n\n{}\n{\"claim\":\"a\",\"references\":[1]}\n" + good);
  CHECK(run.code == 1);
  const auto lines = lines_of(run.out);
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].starts_with(R"~({"support":1,)~"));
  CHECK(lines[1].starts_with(R"~({"line":2,"error":")~"));
  CHECK(lines[2].starts_with(R"~({"line":4,"error":"no \"claim\")~"));
  CHECK(lines[3].starts_with(R"~({"line":5,"error":"no \"references\")~"));
  CHECK(lines[4] == lines[0]);
}

TEST_CASE("documents of a vector store become sources and collections") {
  const auto run =
      check({"format"}, R"~([{"collection":"catalog","metadata":{"source":"techmart_catalog.csv"}},)~"
                        R"~({"collection":"faq","metadata":{"source":"techmart_faq.csv"}},)~"
                        R"~({"collection":"faq","metadata":{"source":"techmart_faq.csv"}}])~");
  CHECK(run.code == 0);
  CHECK(
      run.out ==
      R"~({"sources":["techmart_catalog.csv","techmart_faq.csv"],"collections_used":["catalog","faq"],)~"
      R"~("source_types":["chromadb","chromadb"],"citation_format":"internal_kb",)~"
      R"~("formatted_citations":["Product Catalog","FAQ"],"missing":[],"invalid_urls":[],"invalid_dates":[],"invalid_collections":[],)~"
      R"~("incomplete":[{"document":0,"fields":["published_date"]},{"document":1,"fields":["published_date"]},{"document":2,"fields":["published_date"]}],"valid":true})~"
      "\n");
}

TEST_CASE("results of a web search become links with their dates") {
  const auto run =
      check({"format"}, R"~([{"collection":"web_search","source":"https://techradar.com/best-laptops",)~"
                        R"~("title":"Best Gaming Laptops 2024","published_date":"2024-03-15"},)~"
                        R"~({"collection":"web_search","source":"https://pcmag.com/laptop-review",)~"
                        R"~("title":"Gaming Laptop Reviews"}])~");
  CHECK(run.code == 0);
  CHECK(
      run.out ==
      R"~({"sources":["https://techradar.com/best-laptops","https://pcmag.com/laptop-review"],)~"
      R"~("collections_used":["web_search"],"source_types":["web","web"],"citation_format":"web_urls",)~"
      R"~("formatted_citations":["[Best Gaming Laptops 2024](https://techradar.com/best-laptops) (2024-03-15)",)~"
      R"~("[Gaming Laptop Reviews](https://pcmag.com/laptop-review)"],"missing":[],"invalid_urls":[],"invalid_dates":[],"invalid_collections":[],)~"
      R"~("incomplete":[{"document":1,"fields":["published_date"]}],"valid":true})~"
      "\n");
}

TEST_CASE("both kinds of documents together are mixed") {
  const auto run =
      check({"format"}, R"~([{"collection":"catalog","metadata":{"source":"techmart_catalog.csv"}},)~"
                        R"~({"collection":"web_search","source":"https://example.com/article",)~"
                        R"~("title":"External Review"}])~");
  CHECK(run.code == 0);
  CHECK(
      run.out ==
      R"~({"sources":["techmart_catalog.csv","https://example.com/article"],)~"
      R"~("collections_used":["catalog","web_search"],"source_types":["chromadb","web"],)~"
      R"~("citation_format":"mixed","formatted_citations":["Product Catalog",)~"
      R"~("[External Review](https://example.com/article)"],"missing":[],"invalid_urls":[],"invalid_dates":[],"invalid_collections":[],)~"
      R"~("incomplete":[{"document":0,"fields":["published_date"]},{"document":1,"fields":["published_date"]}],"valid":true})~"
      "\n");
}

TEST_CASE("a document without a date or a title is incomplete and not invalid") {
  const std::string page = R"~("collection":"web_search","source":"https://example.com/a")~";
  const auto undated = check({"format"}, "[{" + page + R"~(,"title":"A"}])~");
  CHECK(undated.code == 0);
  CHECK(undated.out.find(R"~("incomplete":[{"document":0,"fields":["published_date"]}],"valid":true})~") !=
        std::string::npos);
  const auto untitled = check({"format"}, "[{" + page + R"~(,"published_date":"2024-03-15"}])~");
  CHECK(untitled.code == 1);
  CHECK(untitled.out.find(R"~("incomplete":[{"document":0,"fields":["title"]}],"valid":true})~") !=
        std::string::npos);
  const auto wrong = check({"format"}, "[{" + page + R"~(,"title":"A","published_date":"soon"}])~");
  CHECK(wrong.code == 1);
  CHECK(wrong.out.find(R"~("incomplete":[],"valid":false})~") != std::string::npos);
  const auto text = check({"format", "--to", "text"}, "[{" + page + R"~(,"title":"A"}])~");
  CHECK(text.out.find("incomplete: 1 without a date\n") != std::string::npos);
}

TEST_CASE("incomplete documents are named and the others are listed") {
  const auto run = check({"format"}, R"~([{},7,null,{"collection":"web_search","source":"nonsense"},)~"
                                     R"~({"collection":"user_manual","metadata":{"source":"m.pdf"}}])~");
  CHECK(run.code == 1);
  CHECK(run.out.find(
            R"~("formatted_citations":["nonsense","User Manual"],"missing":[)~"
            R"~({"document":0,"fields":["collection","metadata.source"]},)~"
            R"~({"document":1,"fields":["document"]},{"document":2,"fields":["document"]},)~"
            R"~({"document":3,"fields":["title"]}],"invalid_urls":[{"document":3,"url":"nonsense"}])~") !=
        std::string::npos);
}

TEST_CASE("an empty list of documents is valid and anything else is rejected") {
  const auto empty = check({"format"}, "[]");
  CHECK(empty.code == 0);
  CHECK(
      empty.out ==
      R"~({"sources":[],"collections_used":[],"source_types":[],"citation_format":null,)~"
      R"~("formatted_citations":[],"missing":[],"invalid_urls":[],"invalid_dates":[],"invalid_collections":[],)~"
      R"~("incomplete":[],"valid":true})~"
      "\n");
  for (const char* nothing : {"[7]", "[{}]", R"~([{"document":7}])~"}) {
    const auto run = check({"format"}, nothing);
    INFO(nothing);
    CHECK(run.code == 1);
    CHECK(run.out.find(R"~("citation_format":null)~") != std::string::npos);
  }
  for (const char* bad : {"", "{}", "7", "[", "{\"documents\":7}"}) {
    const auto run = check({"format"}, bad);
    INFO(bad);
    CHECK(run.code == 1);
    CHECK(run.out.empty());
    CHECK(run.err.starts_with("citestream: check: standard input: "));
  }
}

TEST_CASE("ChromaDB's own result of a query is read") {
  const auto run =
      check({"format", "--name", "faq=Questions"},
            R"~({"ids":[["a","b"]],"documents":[["x","y"]],"metadatas":[[)~"
            R"~({"source":"s.csv","collection":"faq"},{"source":"t.csv","collection":"faq"}]]})~");
  CHECK(run.code == 0);
  CHECK(run.out.find(R"~("sources":["s.csv","t.csv"])~") != std::string::npos);
  CHECK(run.out.find(R"~("formatted_citations":["Questions"])~") != std::string::npos);
}

TEST_CASE("titles and addresses do nothing in Markdown") {
  const auto run = check(
      {"format", "--to", "text"},
      R"~([{"collection":"web_search","source":"https://example.com/a)[x](b","title":"a](x)\n![i](y)<b>"},)~"
      R"~({"collection":"web_search","source":"javascript:alert(1)","title":"Click"}])~");
  CHECK(run.code == 1);
  CHECK(run.out.starts_with(R"~(- [a\]\(x\) \!\[i\]\(y\)&lt;b&gt;](https://example.com/a%29%5Bx%5D%28b))~"));
  CHECK(run.out.find("\n- Click\n") != std::string::npos);
  CHECK(run.out.find("not a web address: javascript:alert(1)") != std::string::npos);
}

TEST_CASE("an answer that its documents support is valid and grounded") {
  const scratch_file documents("documents.json", laptop);
  const auto run = check({"answer", "--references", documents.path()}, "The TechBook Pro costs $1,499");
  CHECK(run.code == 0);
  const auto report = parsed(run.out);
  CHECK(report.root()["valid"].raw() == "true");
  CHECK(report.root()["grounded"].raw() == "true");
  CHECK(report.root()["claims"][0]["evidence"]["reference"].integer() == 0);
  CHECK(report.root()["collections"].raw() == R"~(["catalog"])~");
}

TEST_CASE("an answer with another price is not grounded and a finding names the reason") {
  const scratch_file documents("documents.json", laptop);
  const auto run = check({"answer", "--references", documents.path()}, "The TechBook Pro costs $1,299 [1].");
  CHECK(run.code == 1);
  const auto report = parsed(run.out);
  CHECK(report.root()["valid"].raw() == "false");
  CHECK(report.root()["grounded"].raw() == "false");
  CHECK(report.root()["claims"][0]["reason"].string() == "says $1,299 where the text has 1499.0");
  CHECK(report.root()["citations"][0]["status"].string() == "resolved");
}

TEST_CASE("uncited sentences next to cited ones count by their numbers") {
  const scratch_file documents("documents.json", acme);
  const auto answer = [&](std::string_view text) {
    const auto run = check({"answer", "--references", documents.path()}, text);
    return std::to_string(run.code) + ' ' + std::string(parsed(run.out).root()["grounded"].raw());
  };
  CHECK(answer("Acme revenue grew 12% [1].") == "0 true");
  CHECK(answer("Acme revenue grew 12% [1]. Profit was $5 million.") == "1 false");
  CHECK(answer("Acme revenue grew 12% [1]. Acme revenue grew 14%.") == "1 false");
  CHECK(answer("Acme revenue grew 12% [1]. Revenue grew 12%.") == "0 true");
  CHECK(answer("Acme revenue grew 12% [1]. Whales sing songs underwater.") == "0 \"unknown\"");
  CHECK(answer("Acme revenue grew 12% [1]. Revenue grew at Globex.") == "0 \"unknown\"");
}

TEST_CASE("text of a sentence after its last marker is a claim that cites nothing") {
  const scratch_folder folder;
  const std::string known =
      folder.write("known.json", R"~([{"title":"Report","text":"Sales rose by 20% in May."}])~");
  const auto claims = [&](std::string_view answer) { return claims_in(answer, known); };
  CHECK(claims("According to [1], sales rose by 20% in May.") == "0|According to, sales rose by 20% in May.");
  CHECK(claims("According to [1], sales fell by 90% in May.") == "1|According to, sales fell by 90% in May.");
  CHECK(claims("Sales rose [1], and profits fell by 90%.") == "1|Sales rose|and profits fell by 90%.");
  CHECK(claims("Sales rose [1] in May.") == "0|Sales rose");
  CHECK(claims("Sales rose [1] (see page 12).") == "0|Sales rose");
  CHECK(claims("Sales rose by 20% in May [1].") == "0|Sales rose by 20% in May");
  CHECK(claims("# Sales fell by 90% [1]\n\nSales rose [1].") == "0|Sales rose");
}

TEST_CASE("a citation of the provider alone makes a claim") {
  const auto run = check(
      {"answer"},
      R"~({"id":"m","type":"message","role":"assistant","model":"c","content":[{"type":"text",)~"
      R"~("text":"Costs are fine in June.","citations":[{"type":"char_location","cited_text":)~"
      R"~("Costs are not fine in June.","document_index":0,"document_title":"A","start_char_index":0,)~"
      R"~("end_char_index":27}]},{"type":"text","text":" Costs are fine in July."}],"stop_reason":"end_turn"})~");
  CHECK(run.code == 1);
  const auto report = parsed(run.out);
  const citestream::json_value first = report.root()["claims"][0];
  CHECK(first["text"].string() == "Costs are fine in June.");
  CHECK(first["citations"].raw() == "[1]");
  CHECK(first["verdict"].string() == "contradicted");
  CHECK(report.root()["citations"][0]["title"].string() == "A");
  CHECK(report.root()["claims"][1]["citations"].empty());
}

TEST_CASE("sentences of an answer that cites nothing count by their numbers") {
  const scratch_file documents("documents.json", acme);
  const auto run = check({"answer", "--references", documents.path()}, "I do not know.");
  CHECK(run.code == 0);
  CHECK(parsed(run.out).root()["grounded"].string() == "unknown");
  CHECK(parsed(run.out).root()["findings"].empty());
  CHECK(check({"answer", "--references", documents.path()}, "Acme revenue grew 14%.").code == 1);
}

TEST_CASE("another name at the start of a claim is not grounded") {
  const scratch_file documents("documents.json", acme);
  const auto run = check({"answer", "--references", documents.path()}, "Globex revenue grew 12% [1].");
  CHECK(run.code == 1);
  const auto report = parsed(run.out);
  CHECK(report.root()["grounded"].string() == "unknown");
  CHECK(report.root()["claims"][0]["missing_names"].raw() == R"~(["Globex"])~");
  const auto most = check({"answer", "--references", documents.path()},
                          "Globex revenue grew 12% thanks to 2023 weather [1].");
  CHECK(most.out.find("\"its words are in the text\"") == std::string::npos);
}

TEST_CASE("text that is not prose makes no claim") {
  const scratch_file documents("documents.json", acme);
  const auto run = check({"answer", "--references", documents.path()},
                         "# Outlook for 2031\n\n1. Acme revenue grew 12% [1].\n\n```py\nx = 77\n```\n"
                         "| Year | Whales 55 |\n|---|---:|\n\n---\n- Acme revenue grew\n\n"
                         "[1]: https://example.com/88 \"Title 99\"\n[acme]: <https://example.com/88>\n"
                         "[2]: HTTPS://example.com/77 \"Title 98\"\n");
  const auto report = parsed(run.out);
  INFO(run.out);
  CHECK(run.code == 0);
  CHECK(report.root()["grounded"].raw() == "true");
  CHECK(report.root()["claims"][0]["text"].string() == "Acme revenue grew 12%");
  CHECK(report.root()["claims"][1]["text"].string() == "Acme revenue grew");
  CHECK_FALSE(report.root()["claims"][2]);
  const auto row = check({"answer", "--references", documents.path()},
                         "| Year | Whales |\n|---|---|\n| 1955 | 77 |\n\n[acme]: https://x.org says 88.\n");
  CHECK(row.out.find("1955") != std::string::npos);
  CHECK(row.out.find("says 88") != std::string::npos);
}

TEST_CASE("a list of references makes no claim") {
  const scratch_folder folder;
  const std::string known = folder.write(
      "known.json",
      R"~([{"title":"Report.pdf","text":"Sales rose by 20% in May."},{"title":"Review","id":"r-2","text":"Costs fell."}])~");
  for (const std::string_view list :
       {"Sources:\n[1] Report.pdf\n[2] review – pages 3, 4–7", "[1] Report.pdf.\n\n[2] (r-2)",
        "## Sources\n- [1]\n- [2]", "**Quellen:**\n1. Report.pdf, S. 7 [1]\n2. „Review“ [2]",
        "- [1]: Report.pdf\n- [2]: **Review**", "- Report.pdf [1]\n- [2]: Review, page 3", "Sources: [1] [2]",
        "Sources: [1] Report.pdf, [2] Review", "Quelle: Report.pdf, S. 3 [1]",
        "**Sources**\n[1] Report.pdf\n[2] Review",
        "References\n\n[1] Report.pdf (published 12 March 2025)\n[2] Review – costs in 7 countries",
        "来源：\n[1] 《Report.pdf》，\n[2] Review", "## Sources\n1. Report.pdf\n2. Review",
        "| No | Title |\n|---|---|\n| [1] | Report.pdf |\n| [2] | Review |"}) {
    INFO(list);
    const auto run = check({"answer", "--references", known},
                           "Sales rose by 20% in May [1]. Costs fell [2].\n\n" + std::string(list));
    const auto report = parsed(run.out);
    INFO(run.out);
    CHECK(run.code == 0);
    CHECK(report.root()["grounded"].raw() == "true");
    CHECK(report.root()["claims"][1]["text"].string() == "Costs fell");
    CHECK((!report.root()["claims"][2] || report.root()["claims"][2]["citations"].empty()));
  }
}

TEST_CASE("a list of references with a heading makes no claim") {
  const scratch_folder folder;
  const std::string known = folder.write(
      "known.json",
      R"~([{"title":"Report.pdf","text":"Sales rose by 20% in May."},{"title":"Review","id":"Review 7","text":"Costs fell."}])~");
  const std::string answer = "Sales rose by 20% in May [1]. Costs fell [2].\n\n";
  const auto claims = [&](std::string_view text) { return claims_in(text, known); };
  const std::string bibliography =
      "[1] Smith, J. (2019). Sales in hard times. Press, 12(3), 45-67.\n"
      "[2] Jones, K. (2021a). Wind.\n  Second edition.\n";
  for (const std::string_view heading :
       {"## References\n\n", "**Sources used in this answer**\n", "# 4. Quellen\n\n\n", "Works cited:\n",
        "参考文献：\n", "*Références :*\n\n", "Sources used in this answer\n\n"}) {
    INFO(heading);
    CHECK(claims(answer + std::string(heading) + bibliography) == "0|Sales rose by 20% in May|Costs fell");
  }
  for (const std::string_view list :
       {"## References\n\n1. Smith, J. (2019). Rain. Press. [1]\n2. Jones, K. 2021. Wind. [2]\n",
        "## References\n\nSmith, J. (2019). Sales 45.\n\nJones. Costs 46. https://example.com/46\n",
        "Sources:\n[1]: Sales 2019\n\n[^2]: Costs 2021\n",
        "[^1]: Sales, version 5, 2019\n[^2]: Costs (2021). p. 12.", "Sources used:\n- [1]\n- [2]\n",
        "## Sources\n| No | Title |\n|---|---|\n| [1] | Sales 2019 |\n| [2] | Costs 2021 |\n",
        "Source: Review 7 [2]"}) {
    INFO(list);
    CHECK(claims(answer + std::string(list)) == "0|Sales rose by 20% in May|Costs fell");
  }
  const std::string other = "It cost 7 euros.";
  for (const std::string_view text :
       {"Sources of revenue:\n- It cost 7 euros.", "Sources:\n- Report.pdf\n\nIt cost 7 euros.",
        "Sources: [1] [2]\n\nIt cost 7 euros.", "## Sources\n- Report.pdf\n## Summary\n- It cost 7 euros.",
        "Sources:\n[1]\n\nIt cost 7 euros.", "## Sources\n\nIt cost 7 euros."}) {
    INFO(text);
    CHECK(claims(answer + std::string(text)).ends_with("|" + other));
  }
  for (const std::string_view contradicted :
       {"Sources used:\n- Sales rose by 30% in May [1]", "## References\n- [1] Sales rose by 30% in May.",
        "### Literature\nSales rose by 30% in May."}) {
    INFO(contradicted);
    CHECK(claims(answer + std::string(contradicted)).find("|Sales rose by 30% in May") != std::string::npos);
  }
}

TEST_CASE("a sentence inside a long claim of the provider is cited") {
  const auto run = check(
      {"answer"},
      R"~({"candidates":[{"content":{"parts":[{"text":"One rose. Two fell."}],"role":"model"},"finishReason":"STOP",)~"
      R"~("groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/1","title":"A"}}],)~"
      R"~("groundingSupports":[{"segment":{"startIndex":0,"endIndex":19},"groundingChunkIndices":[0]},)~"
      R"~({"segment":{"startIndex":4,"endIndex":8},"groundingChunkIndices":[0]}]}}],"modelVersion":"gemini-2.5-flash"})~");
  const auto report = parsed(run.out);
  INFO(run.out);
  CHECK(report.root()["claims"][1]["text"].string() == "rose");
  CHECK(!report.root()["claims"][2]);
}

TEST_CASE("text that looks like a list entry and states something is a claim") {
  const scratch_folder folder;
  const std::string known =
      folder.write("known.json", R"~([{"title":"Sales","text":"Sales fell by 20% in 2024."},)~"
                                 R"~({"title":"Sales rose by 20%","text":"Sales fell by 20%."},)~"
                                 R"~({"title":"Q1","text":"In Q1 it cost 12."}])~");
  const auto claims = [&](std::string_view answer) {
    const auto report = parsed(check({"answer", "--references", known}, answer).out);
    std::string out;
    for (citestream::json_value one = report.root()["claims"].first(); one; one = one.next())
      out += std::string(one["text"].string()) + "|" + std::string(one["verdict"].string()) + "\n";
    return out;
  };
  CHECK(claims("- Sales: 500 [1]") == "Sales: 500|unsure\n");
  CHECK(claims("Sales rose by 20% [2].") == "Sales rose by 20%|contradicted\n");
  CHECK(claims("| Q1 | 99 [3] |") == "Q1 | 99|contradicted\n");
  CHECK(claims("Paris [1].") == "Paris|not_found\n");
  CHECK(claims("2024年公司的销售额增长了百分之五十：[1]") ==
        "2024年公司的销售额增长了百分之五十：|not_found\n");
  CHECK(claims("- **Price:** [3] 50 euros") == "**Price:** 50 euros|contradicted\n");
  CHECK(claims("利润下降了。[1] 费用上升了。") == "利润下降了。|not_found\n费用上升了。|not_found\n");
  CHECK(claims("[1] Sales：500") == "Sales：500|unsure\n");
  CHECK(claims("[1] Costs fell.\n[2] Sales rose.") == "Costs fell.|unsure\nSales rose.|contradicted\n");
  CHECK(claims("Sales fell.\n[1] Costs fell.\n[3]") == "Sales fell.|supported\nCosts fell.|unsure\n");
}

TEST_CASE("an answer with CRLF has the claims of one with LF") {
  const scratch_file documents("documents.json", acme);
  for (const std::string_view text :
       {"Summary:\nProfit fell 5%.\n", "A list:\n\n- Costs fell 6%\n- Acme grew 12% [1].\nSo\nit is.",
        "| A | 5% |\n|---|---|\n| B | 6% [1] |\nCosts\nfell by 7%."}) {
    std::string crlf;
    for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    const auto verdicts = [&](const std::string& answer) {
      const auto report = parsed(check({"answer", "--references", documents.path()}, answer).out);
      std::string out;
      for (citestream::json_value one = report.root()["claims"].first(); one; one = one.next()) {
        std::string claim(one["text"].string());
        std::erase(claim, '\r');
        out += claim + "|" + std::string(one["reason"].string()) + "\n";
      }
      return out;
    };
    const std::string expected = verdicts(std::string(text));
    CHECK(verdicts(crlf) == expected);
    CHECK_FALSE(expected.empty());
  }
}

TEST_CASE("claims begin and end with whole characters") {
  const scratch_folder folder;
  const std::string known =
      folder.write("known.json", R"~([{"title":"Report","text":"Costs fell in May."}])~");
  for (const std::string_view text : {"Sales rose. “Costs fell in May”", "Sales rose. [1] “", "[1] “"}) {
    const auto run = check({"answer", "--references", known}, text);
    INFO(run.out);
    CHECK(run.out.find("\xE2\x80\"") == std::string::npos);
    CHECK(run.out.find("\"\x9C") == std::string::npos);
  }
}

TEST_CASE("input without an answer gives a message and no report") {
  for (const char* bad : {"{\"a\":", R"({"a":1})", "data: {\"x\":1", "[1,2"}) {
    for (const char* from : {"json", "sse"}) {
      const auto run = check({"answer", "--from", from}, bad);
      INFO(from << " " << bad << run.out);
      CHECK(run.code == 1);
      CHECK(run.out.empty());
      CHECK(run.err.starts_with("citestream: check: standard input: "));
    }
  }
}

TEST_CASE("the reason why an answer has no text is that of filter") {
  const std::string stream = "event: error\ndata: {\"error\":{\"message\":\"busy\"}}\n\n";
  const std::string body = R"({"choices":[{"message":{"content":"Sales rose by 20% in May."}}]})";
  const std::string event = "data: " + body + "\n\n";
  for (const auto& [input, option, why] :
       {std::tuple{std::string(R"({"answer":)"), "--max-body-bytes", "the JSON body is truncated at byte 10"},
        {stream, "--max-event-bytes", "the stream reports an error"},
        {body, "--max-body-bytes", "body exceeds max_body_bytes at byte 60"},
        {event, "--max-event-bytes", "event exceeds max_event_bytes at byte 0 (the event was not read)"}}) {
    const std::string expected = "standard input: " + std::string(why) + "\n";
    CHECK(check({"answer", option, "60"}, input).err == "citestream: check: " + expected);
    CHECK(run({"filter", "--to", "text", option, "60"}, input).err == "citestream: filter: " + expected);
  }
}

TEST_CASE("text that looks like a stream fails with a hint") {
  for (const char* text : {"{curly} words", "data: these are ours"}) {
    const auto run = check({"answer"}, text);
    INFO(text);
    CHECK(run.code == 1);
    CHECK(run.err.find("--from text") != std::string::npos);
    CHECK(check({"answer", "--from", "text"}, text).err.empty());
  }
  CHECK(check({"answer", "--from", "json"}, "{curly}").err.find("--from text") == std::string::npos);
}

TEST_CASE("an answer of Gemini is recognised as a list of objects") {
  const std::string answer =
      R"~([{"candidates":[{"content":{"parts":[{"text":"Hi [x](f1)."}]},"finishReason":"STOP"}],"modelVersion":"m"}])~";
  for (const std::string start : {"", " \n"}) {
    const auto run = check({"answer"}, start + answer);
    CHECK(run.err.empty());
    CHECK(parsed(run.out).root()["claims"][0]["text"].string() == "Hi");
  }
  CHECK(check({"answer"}, R"([{"a":1}])").code == 1);
  const scratch_file list("list.json", "[1,2]");
  CHECK(check({"answer", list.path()}).err.find("list.json: the format of the answer is unknown") !=
        std::string::npos);
  const scratch_file blank("blank.json", " \n");
  CHECK(check({"answer", blank.path()}).err.ends_with("blank.json: the input is empty\n"));
  const scratch_file recorded("a.sse", "\n{\"citestream_recording\":1}\n[0,\"data: " +
                                           std::string(R"({\"choices\":[{\"index\":0,\"delta\":)") +
                                           R"({\"content\":\"Hi.\"},\"finish_reason\":\"stop\"}]}\n\n"])");
  CHECK(check({"answer", recorded.path()}).err.empty());
}

TEST_CASE("citations of what does not exist are named") {
  const scratch_file documents("documents.json", laptop);
  const auto run = check({"answer", "--references", documents.path()}, "The TechBook Pro costs $1,499 [7].");
  CHECK(run.code == 1);
  const auto report = parsed(run.out);
  CHECK(report.root()["invented"].raw() == R"~(["7"])~");
  CHECK(report.root()["grounded"].string() == "unknown");
  CHECK(report.root()["uncited"].raw() == "[0]");
}

TEST_CASE("a whole stream is checked with the references that it brings") {
  const auto run = check({"answer"}, answer_stream());
  const auto report = parsed(run.out);
  CHECK(run.code == 1);
  CHECK(report.root()["invented"].raw() == R"~(["gone"])~");
  CHECK(report.root()["citations"][0]["status"].string() == "resolved");
  CHECK(report.root()["offsets"].string() == "utf16");
  const auto text = check({"answer", "--to", "text"}, answer_stream());
  CHECK(text.code == 1);
  CHECK(text.out.starts_with("grounded: no\n"));
}

TEST_CASE("references given in advance select the markers to be checked") {
  const scratch_file side("side.json", R"(["Acme revenue grew 12% in 2023."])");
  const std::string text = R"("Acme revenue grew 12% in 2023 [Source 1]. It fell [2].")";
  const std::string stream =
      R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":)" + text +
      "},\"finish_reason\":\"stop\"}]}\n\n";
  const std::string body = R"({"object":"chat.completion","choices":[{"index":0,"message":{"content":)" +
                           text + R"(},"finish_reason":"stop"}]})";
  for (const std::string& input : {stream, body}) {
    INFO(input);
    const auto report = parsed(check({"answer", "--references", side.path()}, input).out);
    CHECK(report.root()["citations"][0]["status"].string() == "resolved");
    CHECK(report.root()["claims"][0]["grounded"].raw() == "true");
    CHECK(report.root()["invented"].raw() == R"~(["2"])~");
  }
}

TEST_CASE("an answer is checked with a user's own marker and the others") {
  const scratch_file side("side.json", R"([{"id":"k","text":"Acme revenue grew 12%."}])");
  const std::string answer = "Acme revenue grew 12% [ref:k]. Acme revenue grew [1].";
  const auto plain = parsed(check({"answer", "--references", side.path()}, answer).out);
  CHECK(plain.root()["citations"][0]["marker"].string() == "[1]");
  const auto own = check({"answer", "--references", side.path(), "--marker", "[ref:{key}]"}, answer);
  CHECK(own.code == 0);
  const auto report = parsed(own.out);
  CHECK(report.root()["citations"][0]["marker"].string() == "[ref:k]");
  CHECK(report.root()["citations"][0]["status"].string() == "resolved");
  CHECK(report.root()["citations"][1]["marker"].string() == "[1]");
  const auto only = parsed(
      check({"answer", "--references", side.path(), "--markers", "link", "--marker", "[ref:{key}]"}, answer)
          .out);
  CHECK(only.root()["citations"][0]["marker"].string() == "[ref:k]");
  CHECK_FALSE(only.root()["citations"][1]);
  const std::string stream = chunk(0, json_text("A [ref:f1]."), "\"stop\"", references_json);
  const auto streamed = parsed(check({"answer", "--marker", "[ref:{key}]"}, stream).out);
  CHECK(streamed.root()["citations"][0]["status"].string() == "resolved");
  CHECK(check({"answer", "--marker", "[ref:{key}"}, answer).code == 2);
}

TEST_CASE("several choices are reported in a list") {
  const auto report = parsed(check({"answer"}, two_choices_stream()).out);
  CHECK(report.root().is_array());
  CHECK(report.root()[1]["citations"][0]["status"].string() == "resolved");
}

TEST_CASE("a stream that breaks off is reported before it fails") {
  const std::string whole = answer_stream();
  const auto run = check({"answer"}, whole.substr(0, whole.size() / 2));
  CHECK(run.code == 1);
  CHECK_FALSE(run.out.empty());
  CHECK(run.err.starts_with("citestream: check: standard input: "));
}

TEST_CASE("citations of an answer that breaks off before its references are not known") {
  const std::string cut = "data: {\"answer\":\"Profit fell [1].\"}\n\ndata: {\"sour";
  const auto json = check({"answer"}, cut);
  CHECK(json.code == 1);
  const auto report = parsed(json.out);
  CHECK(report.root()["valid"].boolean() == false);
  CHECK(report.root()["hallucination_detected"].boolean() == false);
  CHECK(report.root()["invented"].empty());
  CHECK(report.root()["citations"][0]["status"].string() == "pending");
  CHECK(report.root()["findings"].raw() == R"(["the answer ends before its references: 1"])");
  const auto text = check({"answer", "--to", "text"}, cut);
  CHECK(text.code == 1);
  CHECK(text.out.find("\n      [1] 1: the answer ends before its references\n") != std::string::npos);
  CHECK(text.out.find("\nfound: the answer ends before its references: 1\n") != std::string::npos);
  CHECK(text.out.find("does not exist") == std::string::npos);
}

TEST_CASE("nonexistent collections and invalid addresses are reported") {
  const scratch_file documents("documents.json", laptop);
  const auto run =
      check({"answer", "--references", documents.path(), "--collections", "faq"}, "TechBook Pro");
  CHECK(run.code == 1);
  CHECK(parsed(run.out).root()["invalid_collections"].raw() == R"~(["catalog"])~");
  const scratch_file bad("bad.json", R"~([{"type":"web","url":"http:/x","title":"X","text":"Tea sells."}])~");
  const auto other = check({"answer", "--references", bad.path()}, "Tea sells.");
  CHECK(other.code == 1);
  CHECK(parsed(other.out).root()["invalid_urls"][0]["url"].string() == "http:/x");
}

TEST_CASE("wrong usage of check is one line and exit code 2") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{},
                                                                     {"nonsense"},
                                                                     {"claims", "--to", "sse"},
                                                                     {"format", "--name", "x"},
                                                                     {"format", "--name", "x="},
                                                                     {"answer", "--from", "frames"}}) {
    const auto run = check(arguments);
    CHECK(run.code == 2);
    CHECK(lines_of(run.err).size() == 1);
  }
}

TEST_CASE("a judge decides claims that are unsure and no others") {
  const scratch_folder to;
  const auto judged_by = [&](const std::string& script) {
    return check({"claims", "--judge",
                  "while read -r line; do echo \"$line\" >> " + to.path("asked") + "; " + script + "; done"},
                 judged_claims);
  };
  const auto good = judged_by(R"(echo '{"verdict":"supported"}')");
  CHECK(good.code == 0);
  CHECK(good.err.empty());
  std::vector<std::string> out = lines_of(good.out);
  REQUIRE(out.size() == 3);
  CHECK(out[0].starts_with(R"({"judged":true,"support":0.5515,"verdict":"supported")"));
  CHECK(out[1].starts_with(R"({"support":1,"verdict":"supported")"));
  CHECK(out[2].starts_with(R"({"judged":true,)"));
  const std::vector<std::string> asked = lines_of(to.read("asked"));
  REQUIRE(asked.size() == 2);  // one process: it would be started twice with a file of its own
  CHECK(asked[0] ==
        R"({"claim":"Sales grew by 20%.","references":["Last year sales rose 20%."],"support":0.5515})");
  CHECK(judged_by(R"(printf '\357\273\277{"verdict":"supported"}\n')").out == good.out);
  CHECK(check({"claims", "--judge", R"(while read -r l; do echo '{"verdict":"contradicted"}'; done)"},
              judged_claims)
            .code == 1);
}

TEST_CASE("a judge that fails or lies does not change the result") {
  const std::string claims =
      R"~({"claim":"Sales grew by 20%.","references":["Last year sales rose 20%."]})~"
      "\n"
      R"~({"claim":"Sales grew by 20% there.","references":["Last year sales rose 20%."]})~"
      "\n";
  const auto without = check({"claims"}, claims);
  for (const char* const command :
       {"exit 3", "no-such-program-anywhere", "while read -r l; do echo x; done", "cat",
        "echo early; cat >/dev/null", R"(while read -r l; do echo '{"verdict":"true"}'; done)",
        "read -r l; echo '{}'; exit 0",
        R"(while read -r l; do printf '{"verdict":"unsure"}\n{"verdict":"supported"}\n'; done)",
        "while read -r l; do head -c 100000 /dev/zero; echo; done"}) {
    INFO(command);
    const auto got = check({"claims", "--judge", command}, claims);
    CHECK(got.out == without.out);
    CHECK(got.code == without.code);
    const std::string own = "citestream: check: --judge ";
    CHECK(got.err.find(own) != std::string::npos);
    CHECK(got.err.find(own) == got.err.rfind(own));
  }
}

TEST_CASE("a judge that is late is ended and not asked again") {
  const std::string line = R"~({"claim":"Sales grew by 20%.","references":["Last year sales rose 20%."]})~"
                           "\n";
  const auto got =
      check({"claims", "--judge", "sleep 1000; cat", "--judge-timeout", "0.05"}, line + line + line);
  CHECK(got.out == check({"claims"}, line + line + line).out);
  CHECK(got.err ==
        "citestream: check: --judge gave no answer in time (--judge-timeout); it gets no more questions, and "
        "claims stay unsure\n");
}

TEST_CASE("a judge that cannot be meant is a usage error") {
  CHECK(check({"claims", "--judge", ""}, judged_claims).code == 2);
  CHECK(check({"claims", "--judge", "https://localhost/"}, judged_claims).code == 2);
  CHECK(check({"claims", "--judge", "http://"}, judged_claims).code == 2);
  const auto alone = check({"claims", "--judge-timeout", "1"}, judged_claims);
  CHECK(alone.code == 2);
  CHECK(alone.err.find("--judge-timeout requires --judge") != std::string::npos);
}

TEST_CASE("a judge decides claims of an answer") {
  const std::string answer =
      R"({"answer":"Sales grew by 20% [1].","sources":[{"title":"A","url":"https://a.example","text":"Last year sales rose 20%."}]})";
  const auto with = [&](const std::string& verdict) {
    return check(
        {"answer", "--judge", R"(while read -r l; do echo '{"verdict":")" + verdict + R"("}'; done)"},
        answer);
  };
  const auto yes = with("supported");
  CHECK(yes.code == 0);
  CHECK(yes.out.find(R"("grounded":true,"reason":"the judge's verdict is supported","judged":true)") !=
        std::string::npos);
  const auto no = with("contradicted");
  CHECK(no.code == 1);
  CHECK(no.out.find(R"("hallucination_detected":true)") != std::string::npos);
  const auto uncited = check(
      {"answer", "--judge", R"(while read -r l; do echo '{"verdict":"contradicted"}'; done)"},
      R"({"answer":"Sales grew by 20%.","sources":[{"title":"A","text":"Last year sales rose 20%."}]})");
  CHECK(uncited.code == 1);
  CHECK(uncited.out.find(R"("findings":["claims[0]: the judge's verdict is contradicted"])") !=
        std::string::npos);
}

TEST_CASE("a judge that is a server gets each unsure claim in a request") {
  const std::string verdict = R"({"verdict":"supported"})";
  const std::string head = "HTTP/1.1 200 OK\r\n";
  for (const std::string& response :
       {head + "X: " + std::string(20'000, 'x') + "\r\nContent-Length: 23\r\n\r\n" + verdict,
        head + "Transfer-Encoding: chunked\r\n\r\n5\r\n" + verdict.substr(0, 5) + "\r\n12\r\n" +
            verdict.substr(5) + "\r\n0\r\n\r\n",
        head + "\r\n" + verdict}) {
    std::mutex mutex;
    std::vector<std::string> asked;
    loopback::upstream server([&](loopback::wire& client, int) {
      loopback::reader from(client);
      const loopback::message request = from.next();
      {
        const std::lock_guard lock(mutex);
        asked.push_back(request.head.substr(0, request.head.find('\r')) + ' ' + request.body);
      }
      client.send(response);
    });
    const auto got = check({"claims", "--judge", server.url() + "/judge"}, judged_claims);
    CHECK(got.code == 0);
    CHECK(got.err.empty());
    const std::vector<std::string> out = lines_of(got.out);
    REQUIRE(out.size() == 3);
    CHECK(out[0].starts_with(R"({"judged":true,"support":0.5515,"verdict":"supported")"));
    CHECK(out[1].starts_with(R"({"support":1,"verdict":"supported")"));
    CHECK(out[2].starts_with(R"({"judged":true,)"));
    const std::lock_guard lock(mutex);
    REQUIRE(asked.size() == 2);
    CHECK(asked[0] ==
          "POST /judge HTTP/1.1 "
          R"({"claim":"Sales grew by 20%.","references":["Last year sales rose 20%."],"support":0.5515})"
          "\n");
  }
}

TEST_CASE("a judge that is a server and fails does not change the result") {
  const std::string line = R"~({"claim":"Sales grew by 20%.","references":["Last year sales rose 20%."]})~"
                           "\n";
  const std::string without = check({"claims"}, line + line).out;
  const auto error_of = [&](const std::string& url, const std::string& time = "10") {
    const auto got = check({"claims", "--judge", url, "--judge-timeout", time}, line + line);
    CHECK(got.out == without);
    return got.err;
  };
  const std::string own = "citestream: check: --judge ";
  const auto answering = [&](const std::string& response, const std::string& time = "10") {
    loopback::upstream server([&](loopback::wire& client, int) {
      static_cast<void>(loopback::reader(client).next());
      client.send(response);
      if (time != "10") client.wait_for_end(loopback::patience);
    });
    const std::string error = error_of(server.url(), time);
    CHECK(server.connections() == (error.find("no more questions") == std::string::npos ? 2 : 1));
    return error;
  };
  const std::string head = "HTTP/1.1 200 OK\r\n";
  CHECK(answering("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n") ==
        own + "returned status 503; it gets no more questions, and claims stay unsure\n");
  CHECK(answering(head + "Content-Length: 50\r\n\r\n{\"verdict\":\"supported\"}") ==
        own + "gave an incomplete answer; it gets no more questions, and claims stay unsure\n");
  CHECK(answering(head + "\r\n" + std::string(100'000, ' ')) ==
        own + "gave an answer of more than 64 KiB; it gets no more questions, and claims stay unsure\n");
  CHECK(answering("SSH-2.0-x\r\n\r\n") ==
        own + "gave no answer; it gets no more questions, and claims stay unsure\n");
  CHECK(answering(head + "Content-Length: 50\r\n\r\n{", "0.05") ==
        own + "gave no answer in time; it gets no more questions, and claims stay unsure\n");
  CHECK(answering(head + "Content-Length: 2\r\n\r\n{}") == own + "gave an answer without a verdict: {}\n");

  auto closed = std::make_unique<loopback::upstream>([](loopback::wire&, int) {});
  const std::string nobody = closed->url();
  closed.reset();
  CHECK(error_of(nobody) == own + "cannot be reached; it gets no more questions, and claims stay unsure\n");
  for (const char* const url : {"https://judge.example/x", "HTTPS://judge.example/x"}) {
    const auto secure = check({"claims", "--judge", url}, line);
    CHECK(secure.code == 2);
    CHECK(secure.err.find("https URL; use a command") != std::string::npos);
  }
}
