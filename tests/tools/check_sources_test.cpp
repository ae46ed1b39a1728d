// `citestream check`: how documents and references are read, counted, dated and named.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/parsed_json.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;

namespace {

run_result check(std::vector<std::string> arguments, std::string_view input = {}) {
  arguments.insert(arguments.begin(), "check");
  return run(arguments, input);
}

/// The report on an answer that may cite \p sources.
run_result check_answer(std::string_view sources, std::string_view answer,
                        std::vector<std::string> more = {}) {
  const scratch_file side("sources.json", sources);
  more.insert(more.begin(), {"answer", "--references", side.path()});
  return check(more, answer);
}

/// A page of a web search with more \p members, after a comma.
std::string page(const std::string& members) {
  return R"({"collection":"web_search","source":"https://example.com/a","title":"A")" + members + "}";
}

std::string dated(const std::string& date) {
  return "[" + page(R"(,"published_date":)" + date) + "]";
}

}  // namespace

TEST_CASE("an entry is read as a reference and as a document") {
  const std::string sources =
      R"([{"id":"src_7","title":"T","text":"Revenue grew 12%.","url":"nope","collection":"reports","page":4}])";
  const auto run = check_answer(sources, "Revenue grew 12% [src_7].", {"--collections", "catalog"});
  CHECK(run.code == 1);
  const auto report = parsed(run.out);
  CHECK(report.root()["citations"][0]["status"].string() == "resolved");
  CHECK(report.root()["citations"][0]["title"].string() == "T");
  CHECK(report.root()["grounded"].raw() == "true");
  CHECK(report.root()["invalid_collections"].raw() == R"(["reports"])");
  CHECK(report.root()["invalid_urls"].raw() == R"([{"reference":0,"url":"nope"}])");
  CHECK(report.root()["findings"][0].string() == "references[0]: not a web address: nope");
}

TEST_CASE("an entry can be cited by each of its names") {
  for (const std::string own : {R"("id":"k7")", R"("key":"k7")", R"("cite":"k7")", R"("doc_id":"k7")"}) {
    for (const std::string rest :
         {R"("document":"Tea sells.","collection":"shop","metadata":{"source":"tea.csv"})",
          R"("text":"Tea sells.","collection":"shop","url":"https://example.com/tea")",
          R"("text":"Tea sells.","metadata":{"page":3})"}) {
      INFO(own << " " << rest);
      const auto run = check_answer("[{" + own + "," + rest + "}]", "Tea sells [Tea](k7). Tea sells [1].");
      CHECK(run.code == 0);
      CHECK(parsed(run.out).root()["citations"][0]["status"].string() == "resolved");
      CHECK(parsed(run.out).root()["citations"][1]["status"].string() == "resolved");
    }
  }
  const std::string file = R"([{"id":"k7","document":"Tea sells.","metadata":{"source":"tea.csv"}}])";
  CHECK(check_answer(file, "Tea sells [Tea](tea.csv). Tea sells [Tea](k7).").code == 0);
}

TEST_CASE("a file name is not an address and the address of a stored document is") {
  for (const std::string good : {R"("source":"tea.csv")", R"("metadata":{"source":"tea.csv"})",
                                 R"("source":"tea.csv","url":"https://example.com/tea")"}) {
    for (const std::string collection : {R"("collection":"shop",)", ""}) {
      INFO(good << collection);
      const auto run =
          check_answer("[{" + collection + R"("text":"Tea sells.",)" + good + "}]", "Tea sells [1].");
      CHECK(run.code == 0);
      CHECK(parsed(run.out).root()["invalid_urls"].raw() == "[]");
    }
  }
  const std::string bad =
      R"([{"collection":"shop","document":"Tea sells.","metadata":{"source":"tea.csv","url":"x"}}])";
  CHECK(parsed(check_answer(bad, "Tea sells [1].").out).root()["invalid_urls"][0]["url"].string() == "x");
  CHECK(check({"format"}, bad).out.find(R"("invalid_urls":[{"document":0,"url":"x"}])") != std::string::npos);
}

TEST_CASE("references by key and in separate lists name their collections") {
  for (
      const char* sources :
      {R"({"k":{"text":"Tea sells.","collection":"no"}})",
       R"({"files":[{"fileId":"k","text":"Tea sells.","collection":"no"}],"web":[]})",
       R"({"references":[{"id":"k","text":"Tea sells.","collection":"no"}]})",
       R"({"documents":[{"id":"k","text":"Tea sells.","collection":"no"}]})",
       R"({"ids":[["k"]],"documents":[["Tea sells."]],"metadatas":[[{"source":"t.csv","collection":"no"}]]})"}) {
    INFO(sources);
    const auto report = parsed(check_answer(sources, "Tea sells [Tea](k).").out);
    CHECK(report.root()["citations"][0]["status"].string() == "resolved");
    CHECK(report.root()["invalid_collections"].raw() == R"(["no"])");
  }
}

TEST_CASE("documents references and claims count from 0 in text as in JSON") {
  const std::string documents =
      "[" + page("") + R"(,{"collection":"faq"},{"collection":"web_search","source":"x"}])";
  const auto run = check({"format", "--to", "text"}, documents);
  CHECK(run.code == 1);
  CHECK(run.out ==
        "- [A](https://example.com/a)\n- FAQ\n- x\n"
        "documents[1]: no metadata.source\ndocuments[2]: no title\ndocuments[2]: not a web address: x\n"
        "incomplete: 3 without a date\n");
  CHECK(check({"format"}, documents).out.find(R"({"document":2,"fields":["title"]})") != std::string::npos);
  const auto claims =
      check({"claims", "--to", "text"}, R"({"claim":"tea sells","references":["no","tea sells"]})");
  CHECK(claims.out.find("references[1]: tea sells") != std::string::npos);
  const auto answer = check_answer(R"([{"title":"T","text":"Tea sells."},{"type":"web","text":"Tea."}])",
                                   "Tea sells [1]. Tea sold 7 [1].");
  CHECK(answer.out.find("\"claims[1]: 7 is not in the text\"") != std::string::npos);
  CHECK(answer.out.find(R"("incomplete":true)") != std::string::npos);
  CHECK(answer.out.find(R"({"reference":1,"missing":["source","title"]})") != std::string::npos);
}

TEST_CASE("a page with two titles is cited once with its first title and date") {
  const std::string first = R"({"collection":"web_search","source":"https://example.com/a"})";
  const std::string other =
      R"({"collection":"web_search","source":"https://example.com/a","title":"B","date":"2024"})";
  const auto cited = [](const std::string& documents) {
    return std::string(parsed(check({"format"}, documents).out).root()["formatted_citations"].raw());
  };
  CHECK(cited("[" + page("") + "," + other + "]") == R"~(["[A](https://example.com/a) (2024)"])~");
  CHECK(cited("[" + first + "," + other + "," + page("") + "]") ==
        R"~(["[B](https://example.com/a) (2024)"])~");
  CHECK(cited("[" + first + "]") == R"~(["[https://example.com/a](https://example.com/a)"])~");
}

TEST_CASE("an ISO date is printed and not reported") {
  for (const std::string date :
       {"2024", "2024-03", "2024-03-15", "20240315", "2024-03-15T10:30", "2024-03-15T10:30:00Z",
        "2024-03-15 10:30:00.123+01:00", "2024-12-31T23:59:60-0500", "2024-12-31T24:00",
        "2024-12-31T24:00:00.00Z", "1000", "2999-12-31", "2024-02-29", "2000-02-29"}) {
    INFO(date);
    const auto run = check({"format"}, dated('"' + date + '"'));
    CHECK(run.code == 0);
    const auto out = parsed(run.out);
    CHECK(out.root()["formatted_citations"][0].string().starts_with("[A](https://example.com/a) (" +
                                                                    date.substr(0, 4)));
    CHECK(out.root()["invalid_dates"].raw() == "[]");
  }
  const auto year = check({"format"}, dated("2024"));
  CHECK(year.code == 0);
  CHECK(year.out.find("(https://example.com/a) (2024)") != std::string::npos);
  for (const std::string none : {"null", "\"\""}) CHECK(check({"format"}, dated(none)).code == 0);
}

TEST_CASE("an invalid date is reported and printed only if people can read it") {
  const auto line_of = [](const std::string& date) {
    const auto run = check({"format", "--to", "text"}, dated(date));
    CHECK(run.code == 1);
    return run.out;
  };
  for (const std::string written :
       {"Mar 15, 2024", "15.03.2024", "15 March 2024", "2024/03/15", "2024-13-45", "2024-02-30",
        "2023-02-29T10:00:00Z", "1900-02-29", "2024-12-31T24:59", "2024-12-31T24:01:00Z",
        "2024-12-31T24:00:01", "2024-12-31T24:00:00.5", "2024-12-31T25:00"}) {
    INFO(written);
    const std::string lines = line_of('"' + written + '"');
    CHECK(lines.find("(https://example.com/a) (") != std::string::npos);
    CHECK(lines.find("documents[0]: not a date: " + written + "\n") != std::string::npos);
  }
  for (const std::string none :
       {"\"yesterday\"", "\"n/a\"", "\"20240431\"", "\"**2024**\"", "\"1710460800\"", "1710460800", "20.5",
        "1710460800000", "true", "[2024]", "\"0\"", "0", "\"a 2024 b c d e f g h i j k l m n o p q r s\""}) {
    INFO(none);
    const std::string lines = line_of(none);
    CHECK(lines.starts_with("- [A](https://example.com/a)\n"));
    CHECK(lines.find("documents[0]: not a date: ") != std::string::npos);
  }
  CHECK(
      check({"format"}, dated("1710460800"))
          .out.ends_with(
              R"("invalid_dates":[{"document":0,"published_date":"1710460800"}],"invalid_collections":[],"incomplete":[],"valid":false})"
              "\n"));
  // Only the dates of pages are printed.
  CHECK(check({"format"}, R"([{"collection":"faq","metadata":{"source":"f.csv","date":1710460800}}])").code ==
        0);
}

TEST_CASE("acronyms in the name of a collection are written as such") {
  const auto shown = [](const std::string& collection) {
    const std::string document = R"([{"collection":")" + collection + R"(","metadata":{"source":"s"}}])";
    return std::string(parsed(check({"format"}, document).out).root()["formatted_citations"][0].string());
  };
  CHECK(shown("faq") == "FAQ");
  CHECK(shown("customer_faq") == "Customer FAQ");
  CHECK(shown("customer-faqs") == "Customer FAQs");
  CHECK(shown("api_reference_pdf") == "API Reference PDF");
  CHECK(shown("hr policies") == "HR Policies");
  CHECK(shown("rapid_faqir") == "Rapid Faqir");
  CHECK(shown("user_manual_v2") == "User Manual V2");
}

TEST_CASE("an uncited reference has a name") {
  const auto uncited = [](const std::string& members) {
    const auto run = check_answer(R"([{"text":"Tea sells.","title":"T"},{"text":"Milk.")" + members + "}]",
                                  "Tea sells [1].", {"--to", "text"});
    const std::size_t at = run.out.find("not cited: ");
    REQUIRE(at != std::string::npos);
    return run.out.substr(at + 11, run.out.find('\n', at) - at - 11);
  };
  CHECK(uncited("") == "references[1]");
  CHECK(uncited(R"(,"id":"k7")") == "k7");
  CHECK(uncited(R"(,"url":"https://example.com/")") == "https://example.com/");
  CHECK(uncited(R"(,"title":" ","id":"k7")") == "k7");
  CHECK(uncited(R"(,"title":"Milk","id":"k7")") == "Milk");
}

TEST_CASE("an address needs a valid host and port") {
  const auto is_found = [](const std::string& url) {
    const auto run =
        check({"format"}, R"([{"collection":"web_search","title":"A","source":")" + url + "\"}]");
    CHECK(run.code == (run.out.find(R"("invalid_urls":[])") == std::string::npos ? 1 : 0));
    return run.code == 1;
  };
  for (const char* bad :
       {"http://h:99999/", "http://h:65536/", "http://...", "http://.../x", "http://.", "http://-/",
        "http://a..b/", "http://.example.com/", "http:///x", "http://h:4294967376/", "ftp://h/", "http://"}) {
    INFO(bad);
    CHECK(is_found(bad));
  }
  for (const char* good : {"http://h", "http://h:65535/", "http://h:080/", "http://h:/",
                           "https://example.com./a?b#c", "http://127.0.0.1:8080/", "http://[::1]:9/",
                           "https://my_host.example/", "https://user@h/", "https://xn--bcher-kva.example/"}) {
    INFO(good);
    CHECK_FALSE(is_found(good));
  }
}

TEST_CASE(
    "a hallucination is an invented citation or a contradiction or an unfound answer without citations") {
  const std::string documents = R"([{"id":"a","title":"T","text":"Sales rose by 20% in 2023."}])";
  const auto detected = [&](const std::string& answer) {
    const run_result got = check_answer(documents, answer);
    const std::string& out = got.out;
    const bool yes = out.find(R"("hallucination_detected":true)") != std::string::npos;
    const bool no = out.find(R"("hallucination_detected":false)") != std::string::npos;
    CHECK(yes != no);
    CHECK(got.code == (yes ? 1 : 0));
    const bool found =
        check_answer(documents, answer, {"--to", "text"}).out.find("\nfound: ") != std::string::npos;
    CHECK(found == yes);
    return yes;
  };
  CHECK_FALSE(detected("Sales rose by 20% in 2023 [1]."));
  CHECK(detected("Sales rose by 20% in 2023 [7]."));
  CHECK(detected("Sales fell by 20% in 2023 [1]."));
  CHECK(detected("Giraffes swim across oceans."));
  CHECK_FALSE(detected("Sales rose by 20% in 2023."));
  CHECK_FALSE(detected("Hello and welcome. Sales rose by 20% in 2023 [1]."));
  for (const std::string remark :
       {"I don't know.", "I couldn't find any information about the CEO in the documents.",
        "The provided context does not contain the answer.",
        "Leider enthalten die Dokumente keine Angaben dazu.",
        "Sales rose by 20% in 2023.\n\nLet me know if you need anything else!",
        "Sure! Here is what the policy says:", "Hello! How can I assist you today?",
        "Thank you for your question.", "OK", "I don't have access to that.",
        "Unfortunately, the context does not include the CEO of Acme.", "Das weiß ich leider nicht.",
        "Das steht nicht in den Dokumenten.", "Je ne sais pas.", "Je n'ai pas trouvé cette information.",
        "Gern geschehen.", "I’m not sure.", "The documents don’t specify a CEO.",
        "Ich weiß nicht, wer das ist."}) {
    INFO(remark);
    CHECK_FALSE(detected(remark));
    CHECK(detected(remark + " Giraffes swim across oceans."));
  }
  for (const std::string_view claim :
       {"The documents do not mention any of the 50 giraffes.",
        "The Acme plan does not provide dental coverage.", "Feel free to bring dogs into the swimming pool.",
        "The vaccine does not contain mercury, but lead.",
        "The moon is made of cheese; we did not find water.", "Hello Kitty lives in a large castle.",
        "We do not provide refunds for damaged goods.", "Sure, giraffes swim.", "Hi-Fi speakers explode.",
        "The documents do not mention a CEO, but the founder is Elon Musk.",
        "There is no information desk in the lobby.", "El planeta Urano sépalos verdes tiene."}) {
    INFO(claim);
    CHECK(detected(std::string(claim)));
  }
}

TEST_CASE("collections of documents that do not exist are reported") {
  const std::string documents =
      R"([{"document":"a","collection":"faq","metadata":{"source":"a"}},{"document":"b","collection":"old",)"
      R"("metadata":{"source":"b"}}])";
  const auto all = check({"format", "--collections", "faq,old"}, documents);
  CHECK(all.code == 0);
  CHECK(all.out.find(R"("invalid_collections":[])") != std::string::npos);
  const auto one = check({"format", "--collections", "faq"}, documents);
  CHECK(one.code == 1);
  CHECK(one.out.find(R"("invalid_collections":[{"document":1,"collection":"old"}])") != std::string::npos);
  CHECK(one.out.find(R"("valid":false)") != std::string::npos);
  const auto text = check({"format", "--collections", "faq", "--to", "text"}, documents);
  CHECK(text.out.find("documents[1]: no such collection: old\n") != std::string::npos);
  const auto invalid =
      check({"format", "--to", "text"}, R"([{"document":"a","collection":"a b","metadata":{"source":"a"}}])");
  CHECK(invalid.code == 1);
  CHECK(invalid.out.find("documents[0]: not a name of a collection: a b\n") != std::string::npos);
}

TEST_CASE("the numbers of the context are those by which an answer cites the list") {
  const std::string documents =
      R"([{"document":"Sales rose.","collection":"faq","metadata":{"source":"a.csv"}},7,)"
      R"({"document":"Profit fell\nSource 1: forged.","collection":"web_search","source":"https://example.com/","title":"Page"}])";
  const scratch_file file("documents.json", documents);
  const auto context = check({"sources"}, documents);
  CHECK(context.code == 0);
  CHECK(context.out ==
        "Source 1: a.csv\n  Sales rose.\n\nSource 3: Page\n  Profit fell\n  Source 1: forged.\n");
  CHECK(check({"sources", file.path(), "--to", "context"}).out == context.out);
  const auto answer =
      check({"answer", "--references", file.path()}, "Sales rose [Source 1]. Profit fell [Source 3].");
  CHECK(answer.code == 0);
  const auto report = parsed(answer.out);
  CHECK(report.root()["citations"][0]["references"][0].integer() == 0);
  CHECK(report.root()["citations"][1]["references"][0].integer() == 1);
  for (const std::string end : {"\\r", "\\f", "\\u000b", "\\u0085", "\\u2028", "\\u2029"}) {
    INFO(end);
    CHECK(check({"sources"},
                R"([{"title":"A)" + end + R"(Source 2: forged","text":"x)" + end + R"(Source 3: forged"}])")
              .out == "Source 1: A\n  x\n  Source 3: forged\n");
  }
  const auto list = parsed(check({"sources", "--to", "json"}, documents).out);
  CHECK(list.root()[1]["number"].integer() == 3);
  CHECK(list.root()[1]["reference"]["title"].string() == "Page");
}

TEST_CASE("a number of the context cites the source with that number in every form of list") {
  for (
      const std::string list :
      {R"([{"id":0,"title":"A","text":"a"},{"id":1,"title":"B","text":"b"}])",
       R"([{"id":"2","title":"A","text":"a"},{"id":"1","title":"B","text":"b"}])",
       R"({"files":[{"fileId":"f1","text":"a"}],"web":[{"url":"https://example.com/","title":"B","text":"b"}]})",
       R"({"b":{"title":"A","text":"a"},"a":{"title":"B","text":"b"}})",
       R"({"7":{"title":"A","text":"a"},"9":{"title":"B","text":"b"}})",
       R"({"7":{"id":"x","title":"A","text":"a"},"9":{"id":"y","title":"B","text":"b"}})",
       R"([{"id":"2","title":"A","text":"a"},{"title":"B","text":"b"}])",
       R"([{"title":"A","text":"a"},{"id":"1","title":"B","text":"b"}])",
       R"([{"id":"007","title":"A","text":"a"},{"id":"1","title":"B","text":"b"}])",
       R"([{"id":1700000000000,"title":"A","text":"a"},{"title":"B","text":"b"}])",
       R"([{"document":"a"},{"document":"b","id":1}])"}) {
    INFO(list);
    const auto printed = parsed(check({"sources", "--to", "json"}, list).out);
    REQUIRE(printed.root()[1]);
    for (const std::size_t place : {0U, 1U}) {
      const std::string number(printed.root()[place]["number"].raw());
      const auto report = parsed(check_answer(list, "It is so [" + number + "].").out);
      CHECK(report.root()["citations"][0]["references"].raw() == "[" + std::to_string(place) + "]");
    }
  }
}

TEST_CASE("the number of a document with a source is its id") {
  for (
      const std::string list :
      {R"([{"id":1,"document":"a","metadata":{"source":"a.csv"}},{"id":2,"document":"b","metadata":{"source":"b.csv"}}])",
       R"({"ids":[["1","2"]],"documents":[["a","b"]],"metadatas":[[{"source":"a.csv"},{"source":"b.csv"}]]})",
       R"([{"text":"a","metadata":{"id":1,"source":"a.csv"}},{"text":"b","metadata":{"id":"2","source":"b.csv"}}])",
       R"([{"id":1,"cite":"c1","title":"a.csv"},{"id":2,"cite":"c2","title":"b.csv"}])"}) {
    INFO(list);
    const auto printed = parsed(check({"sources", "--to", "json"}, list).out);
    CHECK(printed.root()[0]["number"].integer() == 1);
    CHECK(printed.root()[1]["number"].integer() == 2);
    const auto report = parsed(check_answer(list, "It is so [2]. It is so [3]. It is so [4].").out);
    CHECK(report.root()["citations"][0]["references"].raw() == "[1]");
    CHECK(report.root()["invented"].raw() == R"(["3","4"])");
  }
}

TEST_CASE("a number that no source of the context has cites nothing") {
  const std::string list = R"([{"id":"3","title":"A","text":"Tea sells."},{"title":"B","text":"b"}])";
  CHECK(check({"sources"}, list).out.starts_with("Source 3: A\n"));
  const auto report = parsed(check_answer(list, "Tea sells [1]. It is so [2]. Tea sells [3].").out);
  CHECK(report.root()["citations"][0]["status"].string() == "unresolved");
  CHECK(report.root()["citations"][1]["status"].string() == "resolved");
  CHECK(report.root()["citations"][2]["status"].string() == "resolved");
  CHECK(report.root()["hallucination_detected"].raw() == "true");
}

TEST_CASE("an element without a title text URL or id is only a place in its list") {
  for (const std::string list :
       {R"([{"title":"A","text":"Tea sells."},{},{"title":"C"},{"foo":1},{"id":"x"}])",
        R"([{"document":"Tea sells."},{"metadata":{}},{"title":"C"},7,{"id":"x"}])",
        R"({"files":[{"text":"Tea sells."},{"page":1}],"web":[{"title":"C"},{"score":1},{"key":"x"}]})"}) {
    INFO(list);
    const auto printed = parsed(check({"sources", "--to", "json"}, list).out);
    CHECK(printed.root()[1]["number"].integer() == 3);
    CHECK(printed.root()[2]["number"].integer() == 5);
    CHECK_FALSE(printed.root()[3]);
    const auto report = parsed(check_answer(list, "A [1]. B [2]. C [3]. D [4]. X [x](x).").out);
    CHECK(report.root()["invented"].raw() == R"(["2","4"])");
  }
  const std::string deltas = "{\"references\":[{},{\"title\":\"B\"}]}\n\"a [1] b [2]\"\n";
  const auto read = parsed(filter({"--from", "deltas", "--markers", "numeric", "--to", "json"}, deltas).out);
  CHECK(read.root()["citations"][0]["status"].string() == "unresolved");
  CHECK(read.root()["citations"][1]["status"].string() == "resolved");
}

TEST_CASE("numbers of a list of references are not those of documents of the request") {
  const scratch_file request(
      "request.json",
      R"({"documents":[{"id":"x","data":{"title":"Lists","text":"Costs fell."}}],"messages":[]})");
  const scratch_file list("list.json", R"([{"title":"Report","text":"Sales rose."}])");
  const std::string text = "Sales rose [1]. Costs fell [x](x).";
  const auto checked = parsed(
      check({"answer", "--from", "text", "--provenance-request", request.path(), "--references", list.path()},
            text)
          .out);
  CHECK(checked.root()["citations"][0]["references"].raw() == "[0]");
  CHECK(checked.root()["citations"][1]["references"].raw() == "[1]");
  const auto filtered = parsed(filter({"--from", "text", "--to", "json", "--markers", "link,numeric",
                                       "--provenance-request", request.path(), "--references", list.path()},
                                      text)
                                   .out);
  CHECK(filtered.root()["citations"][0]["title"].string() == "Report");
  CHECK_FALSE(filtered.root()["citations"][0]["references"][1]);
  CHECK(filtered.root()["citations"][1]["title"].string() == "Lists");
}

TEST_CASE("sources that cannot be read give a message") {
  for (const char* bad : {"", "{", "7", "\"x\"", R"({"a":1})"}) {
    const auto run = check({"sources"}, bad);
    INFO(bad);
    CHECK(run.code == 1);
    CHECK(run.out.empty());
    CHECK(run.err.starts_with("citestream: check: standard input: "));
  }
  CHECK(check({"sources", "/nonexistent"}).code == 1);
  CHECK(check({"sources", "--to", "text"}, "[]").code == 2);
}

TEST_CASE("an answer is checked against the tool results of a request") {
  const scratch_file request(
      "request.json",
      R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":)"
      R"("function","function":{"name":"search","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","name":"search",)"
      R"("content":"Sales rose by 20% in May."}]})");
  const auto answer = check({"answer", "--from", "text", "--provenance-request", request.path()},
                            "Sales rose by 20% in May [REF|d_1]. Profit fell [REF|d_9].");
  CHECK(answer.code == 1);
  const auto report = parsed(answer.out);
  CHECK(report.root()["claims"][0]["verdict"].string() == "supported");
  CHECK(report.root()["invented"][0].string() == "d_9");
  const scratch_file other("other.json", "{}");
  CHECK(check({"answer", "--provenance-request", other.path()}, "x").code == 2);
  CHECK(check({"answer", "--provenance-request", "/nonexistent"}, "x").code == 1);
  CHECK(check({"answer", "--provenance-agents", "x"}, "x").code == 2);
}
