// `--to json`: one document for each answer.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "rewrite/json.hpp"
#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/lines.hpp"
#include "support/parsed_json.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream_tests;
using citestream::document;
using citestream::json_value;

namespace {

constexpr std::string_view markdown_text =
    "Revenue grew 20%[^1]. Größe \U0001F680 rose[^2], too[^3].\n\n"
    "[^1]: **Report.pdf** (p. 15) — _Revenue was up a fifth._\n"
    "[^2]: [**Site**](https://example.com/a) — _A page._\n"
    "[^3]: **X** — unresolved: source not found\n";

std::vector<std::string> keys_of(json_value object) {
  std::vector<std::string> out;
  for (json_value member = object.first(); member; member = member.next()) out.emplace_back(member.key());
  return out;
}

}  // namespace

TEST_CASE("every input form becomes a document") {
  const scratch_file references("references.json", references_json);
  const auto [form, input] = GENERATE(from_range(answers_by_form()));
  INFO(form);
  std::vector<std::string> arguments{"--from", form, "--to", "json", "--style", "numeric"};
  if (form == "text") arguments.insert(arguments.end(), {"--references", references.path()});
  const auto run = filter(arguments, input);
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  REQUIRE(run.out.ends_with("}\n"));
  const document parsed_out = parsed(run.out);
  const json_value root = parsed_out.root();
  CHECK(keys_of(root) == std::vector<std::string>{"content", "raw_content", "markdown_content", "offsets",
                                                  "citations", "citation_spans", "sources", "unresolved",
                                                  "uncited", "stats"});
  CHECK(root["content"].string() == numbered_text);
  CHECK(root["raw_content"].string() == stripped_text);
  CHECK(root["markdown_content"].string() == markdown_text);
  CHECK(root["unresolved"].raw() == "[3]");
  CHECK(root["uncited"][0]["id"].string() == "f2");
  CHECK_FALSE(root["uncited"][1]);
}

TEST_CASE("a document has every field of a citation") {
  const document parsed_out = parsed(filter({"--to", "json"}, answer_stream()).out);
  const json_value first = parsed_out.root()["citations"][0];
  CHECK(first["number"].integer() == 1);
  CHECK(first["choice"].integer() == 0);
  CHECK(first["label"].string() == "Report.pdf");
  CHECK(first["marker"].string() == "[Report.pdf](f1)");
  CHECK(first["status"].string() == "resolved");
  CHECK(first["snippet"].string() == "Revenue was up a fifth.");
  CHECK(first["text"].string() == "Revenue was up a fifth.");
  CHECK(first["page"].integer() == 15);
  const json_value third = parsed_out.root()["citations"][2];
  CHECK(third["status"].string() == "unresolved");
  CHECK_FALSE(third["text"]);
  CHECK_FALSE(parsed_out.root()["citations"][3]);
}

TEST_CASE("the spans of a document have the citations' positions and sources") {
  const document parsed_out = parsed(filter({"--to", "json", "--style", "numeric"}, answer_stream()).out);
  std::size_t at = 0;
  for (json_value span = parsed_out.root()["citation_spans"].first(); span; span = span.next(), ++at) {
    const json_value record = parsed_out.root()["citations"][at];
    CHECK(span["citation"].integer() == record["number"].integer());
    for (const char* key : {"start", "end", "claim_start", "claim_end"}) {
      CHECK(span[key].integer() == record[key].integer());
    }
  }
  CHECK(at == 3);
}

TEST_CASE("a source that is cited twice is listed once") {
  const auto run = filter({"--from", "text", "--to", "json"}, "a [A](x) b [B](y) c [A](x)");
  const document parsed_out = parsed(run.out);
  const json_value root = parsed_out.root();
  CHECK(root["sources"][0]["number"].integer() == 1);
  CHECK(root["sources"][0]["title"].string() == "A");
  CHECK(root["sources"][1]["identifier"].string() == "y");
  CHECK_FALSE(root["sources"][2]);
  CHECK(root["citations"][2]["number"].integer() == 1);
  CHECK(root["markdown_content"].string() ==
        "a[^1] b[^2] c[^1]\n\n[^1]: **A** — unresolved: source not found\n[^2]: **B** — unresolved: source "
        "not found\n");
}

TEST_CASE("a long text is cut in the footnote and whole in the citation") {
  std::string text;
  for (int i = 0; i < 150; ++i) text += i % 10 == 0 ? "\\n" : "\u00E9";
  for (int i = 0; i < 100; ++i) text += "z";
  const scratch_file references("long.json", R"([{"cite":"x","text":")" + text + "\"}]");
  const auto run = filter({"--from", "text", "--to", "json", "--references", references.path()}, "a [A](x)");
  const document parsed_out = parsed(run.out);
  const std::string_view markdown = parsed_out.root()["markdown_content"].string();
  CHECK(markdown.ends_with("z…_\n"));
  CHECK(std::count(markdown.begin(), markdown.end(), '\n') == 3);  // no line break inside the footnote
  CHECK(parsed_out.root()["citations"][0]["text"].string().ends_with(std::string(100, 'z')));
  CHECK(parsed_out.root()["citations"][0]["snippet"].string().ends_with(std::string(50, 'z')));
}

TEST_CASE("titles and texts of sources are inert in the list of footnotes") {
  const auto [title, shown] = GENERATE(table<std::string, std::string>(
      {{"Financial_Report.pdf", "Financial_Report.pdf"},
       {"2024-05_q1.final-v2.pdf", "2024-05_q1.final-v2.pdf"},
       {"x ![i](https://evil.example/?q=1)", "x \\!\\[i\\]\\(https://evil.example/?q=1\\)"},
       {"<img src=x> &lt;", "&lt;img src=x&gt; &amp;lt;"},
       {"_a_ __b__ c_", "\\_a\\_ \\_\\_b\\_\\_ c\\_"},
       {"**a** `b` ~~c~~ {d} e|f #1 + \\", "\\*\\*a\\*\\* \\`b\\` \\~\\~c\\~\\~ \\{d\\} e\\|f \\#1 \\+ \\\\"},
       {"HTTP://a www.b WWW.c ftp://d me@e $f$", "HTTP://a www.b WWW.c ftp://d me@e \\$f\\$"},
       {"at 10:30: no link", "at 10:30: no link"},
       {"  a\r\n\n b\t\u2028c\u0085d\v ", "a b c d"},
       {"a\u202Eb\u2066c\u200Fd\u061Ce\x01\x7F\u009Bf", "abcdef"},
       {"h\u200Ettps:\u2069//a", "https://a"},
       {"Größe 10 € \U0001F680", "Größe 10 € \U0001F680"}}));
  INFO(title);
  std::string json;
  citestream::append_json_string(title, json);
  const scratch_file references("inert.json",
                                R"([{"cite":"x","page":2,"title":)" + json + R"(,"text":)" + json + "}]");
  const auto run = filter(
      {"--from", "text", "--to", "json", "--markers", "numeric", "--references", references.path()}, "a [1]");
  const document parsed_out = parsed(run.out);
  CHECK(parsed_out.root()["markdown_content"].string() ==
        "a[^1]\n\n[^1]: **" + shown + "** (p. 2) — _" + shown + "_\n");
}

TEST_CASE("a label of the model is inert in the list of footnotes") {
  const auto run = filter({"--from", "text", "--to", "json"}, "a [x ![i](https://evil.example/?q=1)](f1)");
  const document parsed_out = parsed(run.out);
  CHECK(parsed_out.root()["markdown_content"].string() ==
        "a[^1]\n\n[^1]: **x \\!\\[i\\]\\(https://evil.example/?q=1\\)** — unresolved: source not found\n");
}

TEST_CASE("an invisible title or text gives no emphasis marks") {
  const scratch_file references("empty.json", R"([{"cite":"x","text":"\u0001 \n\u202E"}])");
  const auto run =
      filter({"--from", "text", "--to", "json", "--references", references.path()}, "a [\u200E](x)");
  const document parsed_out = parsed(run.out);
  const std::string_view markdown = parsed_out.root()["markdown_content"].string();
  CHECK(markdown == "a[^1]\n\n[^1]: **x**\n");
}

TEST_CASE("a title in the list of footnotes has 1024 bytes at most") {
  const auto listed = [](const std::string& title) {
    const scratch_file references("title.json", R"([{"cite":"x","title":")" + title + "\"}]");
    const auto run = filter(
        {"--from", "text", "--to", "json", "--markers", "numeric", "--references", references.path()}, "[1]");
    return std::string(parsed(run.out).root()["markdown_content"].string());
  };
  const auto entry = [](const std::string& title) { return "[^1]\n\n[^1]: **" + title + "**\n"; };
  const std::string longest(1024, 'z');
  CHECK(listed(longest) == entry(longest));
  CHECK(listed(longest + "z") == entry(std::string(1021, 'z') + "…"));
  CHECK(listed(std::string(1020, 'z') + "\u00E9\u00E9zzz") == entry(std::string(1020, 'z') + "…"));
}

TEST_CASE("several choices make a list of documents") {
  const auto run = filter({"--to", "json"}, two_choices_stream());
  const document parsed_out = parsed(run.out);
  REQUIRE(parsed_out.root().is_array());
  CHECK(parsed_out.root()[0]["content"].string() == "One done. End");
  CHECK(parsed_out.root()[1]["content"].string() == "Two.");
  CHECK(parsed_out.root()[1]["citations"][0]["choice"].integer() == 1);
  CHECK_FALSE(parsed_out.root()[2]);
}

TEST_CASE("citations are pending in the document of a truncated answer") {
  const auto run = filter({"--to", "json"}, chunk(0, json_text("a [b](c). d")));
  CHECK(run.code == 1);
  const document parsed_out = parsed(run.out);
  CHECK(parsed_out.root()["content"].string() == "a. d");
  CHECK(parsed_out.root()["citations"][0]["status"].string() == "pending");
}

TEST_CASE("a document has counts of its input") {
  const document parsed_out = parsed(filter({"--to", "json"}, answer_stream()).out);
  const json_value stats = parsed_out.root()["stats"];
  CHECK(stats["events"].integer() == static_cast<std::int64_t>(answer_deltas().size()) + 3);
  CHECK(stats["deltas"].integer() == static_cast<std::int64_t>(answer_deltas().size()));
  CHECK(stats["held_max"].integer() > 0);
  CHECK(stats["abandoned"].integer() == 0);
  CHECK(stats["passed_through"].integer() == 0);
}

TEST_CASE("the citations of a document have verdicts if claims are checked") {
  const scratch_file list("list.json", R"([{"title":"A","text":"The plan costs $1,499."}])");
  const std::vector<std::string> read{"--from",    "text",    "--to",         "json",
                                      "--markers", "numeric", "--references", list.path()};
  std::vector<std::string> checked = read;
  checked.insert(checked.end(), {"--check", "report"});
  const std::string text = "The plan costs $1,499 [1]. The plan does not cost $1,499 [1]. Bees dance [2].";
  const document with = parsed(filter(checked, text).out);
  const json_value cites = with.root()["citations"];
  CHECK(cites[0]["verdict"].string() == "supported");
  CHECK(cites[1]["verdict"].string() == "contradicted");
  CHECK(cites[1]["contradictions"][0]["rule"].string() == "negation");
  CHECK_FALSE(cites[2]["verdict"]);
  const document without = parsed(filter(read, text).out);
  CHECK_FALSE(without.root()["citations"][0]["verdict"]);
}

TEST_CASE("an empty input is an empty document") {
  for (const char* form : {"sse", "text", "deltas"}) {
    const auto run = filter({"--from", form, "--to", "json"}, "");
    CHECK(run.code == 0);
    const document parsed_out = parsed(run.out);
    CHECK(parsed_out.root()["content"].is_string());
    CHECK(parsed_out.root()["content"].string().empty());
  }
}

TEST_CASE("several files and folders become lines of JSON with the name of the file") {
  const scratch_folder folder;
  const std::string one = folder.write("one.sse", answer_stream());
  folder.write("in/b.sse", answer_stream());
  folder.write("in/a.ndjson", "{\"citestream_recording\":1,\"content_type\":\"text/event-stream\"}\n");
  folder.write("in/.hidden.sse", "x");
  folder.write("in/notes.txt", "x");
  folder.write("in/below/c.sse", answer_stream());
  const auto run = filter({folder.path("in"), one, "--to", "json"});
  INFO(run.err);
  const auto lines = lines_of(run.out);
  REQUIRE(lines.size() == 3);
  const std::vector<std::string> names{folder.path("in/a.ndjson"), folder.path("in/b.sse"), one};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CHECK(parsed(lines[i]).root()["file"].string() == names[i]);
    CHECK(parsed(lines[i]).root()["content"].string() == (i == 0 ? "" : stripped_text));
  }
  CHECK_FALSE(parsed(filter({one, "--to", "json"}).out).root()["file"]);
}

TEST_CASE("a file that fails does not keep others from being read") {
  const scratch_folder folder;
  const std::string one = folder.write("one.sse", answer_stream());
  const auto run = filter({one, folder.path("missing.sse"), one, "--to", "text"});
  CHECK(run.code == 1);
  CHECK(run.out == std::string(stripped_text) + "\n" + std::string(stripped_text) + "\n");
  CHECK(run.err == "citestream: filter: " + folder.path("missing.sse") + ": No such file or directory\n");
  CHECK(filter({one, one, "--to", "text"}).code == 0);
}

TEST_CASE("citations of the provider are in documents and events") {
  const auto event = [](const std::string& type, const std::string& members) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + members + "}\n\n";
  };
  const std::string stream =
      event("message_start", R"(,"message":{"type":"message","role":"assistant","content":[]})") +
      event(
          "content_block_delta",
          R"(,"index":0,"delta":{"type":"citations_delta","citation":{"type":"page_location","cited_text":"Q",)"
          R"("document_title":"D","start_page_number":2,"end_page_number":3}})") +
      event("content_block_delta", R"(,"index":0,"delta":{"type":"text_delta","text":"Claim."})") +
      event("content_block_stop", R"(,"index":0)") +
      event("message_delta", R"(,"delta":{"stop_reason":"end_turn"})") + event("message_stop", "");
  const document parsed_out = parsed(filter({"--to", "json"}, stream).out);
  const json_value root = parsed_out.root();
  const json_value one = root["citations"][0];
  CHECK(one["origin"].string() == "provider");
  CHECK(one["anchor"].string() == "block");
  CHECK(one["end"].integer() == 6);
  CHECK(one["native"]["start_page_number"].integer() == 2);
  CHECK(one["native"]["unit"].string() == "none");
  CHECK(one["references"][0]["source_span"].raw() == R"({"unit":"page","start":2,"end":3,"base":1})");
  CHECK_FALSE(root["citations"][1]);
  CHECK(root["citation_spans"][0]["end"].integer() == 6);
  CHECK(root["sources"][0]["title"].string() == "D");
  CHECK_FALSE(root["uncited"][0]);
  const std::string lines = filter({"--to", "events"}, stream).out;
  CHECK(lines.find(R"({"type":"resolved","number":1,"choice":0,"group":0,"origin":"provider")") !=
        std::string::npos);
}
