// `citestream diff`: what it compares, its forms, and its exit codes.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "chunk/json_scan.hpp"
#include "support/child.hpp"
#include "support/parsed_json.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

run_result diff(std::vector<std::string> arguments, std::string_view input = {}) {
  arguments.insert(arguments.begin(), "diff");
  return run(arguments, input);
}

const std::string list =
    R"("sources":[{"title":"Report","text":"Sales rose by 20% in May."},{"title":"Note","text":"Profit fell."}])";

std::string body(const std::string& text, const std::string& question = {}) {
  return "{" + (question.empty() ? "" : R"("question":")" + question + "\",") + R"("answer":")" + text +
         "\"," + list + "}";
}

const std::string good = "Sales rose by 20% in May [1]. Profit fell [2].";
const std::string changed = "Sales fell by 20% in May [1]. Profit fell [2].";
const std::string invented = "Sales rose by 20% in May [1]. Profit fell [7].";

/// A body in all forms in which an answer can be compared.
void write_forms(const scratch_folder& to, const std::string& text) {
  to.write("body.json", body(text));
  to.write("stream.sse", "data: {" + list + "}\n\ndata: {\"answer\":\"" + text + "\"}\n\ndata: [DONE]\n\n");
  to.write("lines.ndjson", "{\"answer\":\"" + text + "\"}\n{" + list + "}\n");
  const std::string event = "data: " + body(text) + "\\n\\n";
  std::string escaped;
  for (const char c : event) escaped += c == '"' ? std::string("\\\"") : std::string(1, c);
  to.write("timed.ndjson", "{\"citestream_recording\":1}\n[0.25,\"" + escaped + "\"]\n");
  const run_result document = filter({"--to", "json", to.path("body.json"), "--from", "json"});
  REQUIRE(document.code == 0);
  to.write("document.json", document.out);
  to.write("documents.jsonl", document.out);
}

}  // namespace

TEST_CASE("standard input is one of the two sets only") {
  for (const auto& [older, newer] : {std::pair("-", "-"), std::pair("@-", "@-"), std::pair("-", "@-")}) {
    const run_result got = diff({older, newer}, body(good));
    CHECK(got.code == 2);
    CHECK(got.out.empty());
    CHECK(got.err == "citestream: diff: OLD and NEW cannot both be standard input\n");
  }
}

TEST_CASE("equal answers are not worse in any form of input and output") {
  const scratch_folder older;
  const scratch_folder newer;
  write_forms(older, good);
  write_forms(newer, good);
  for (const char* form : {"text", "json", "markdown"}) {
    const run_result got = diff({older.path(), newer.path(), "--to", form});
    INFO(got.out << got.err);
    CHECK(got.code == 0);
    CHECK(got.err.empty());
  }
  const document report = parsed(diff({older.path(), newer.path(), "--to", "json"}).out);
  const json_value root = report.root();
  CHECK(root["worse"].boolean() == false);
  int pairs = 0;
  for (json_value pair = root["pairs"].first(); pair; pair = pair.next(), ++pairs) {
    INFO(pair["name"].string());
    for (const char* side : {"old", "new"}) {
      CHECK(pair[side]["markers"].integer() == 2);
      CHECK(pair[side]["resolved"].number() == 1.0);
      CHECK(pair[side]["invented"].number() == 0.0);
      CHECK(pair[side]["supported"].number() == 1.0);
      CHECK(pair[side]["uncited"].integer() == 0);
    }
    CHECK(pair["changed"].empty());
  }
  CHECK(pairs == 6);
  CHECK(root["old"]["markers"].integer() == 12);
  CHECK(root["new"]["first_text_seconds"].number() == 0.25);
}

TEST_CASE("a changed verdict is listed and makes NEW worse in every form of input") {
  const scratch_folder older;
  const scratch_folder newer;
  write_forms(older, good);
  write_forms(newer, changed);
  for (const std::string& file : older.files()) {
    const run_result got = diff({older.path(file), newer.path(file), "--to", "json"});
    INFO(file << ' ' << got.out << got.err);
    CHECK(got.code == 1);
    const document report = parsed(got.out);
    const json_value pair = report.root()["pairs"].first();
    const json_value change = pair["changed"].first();
    CHECK(change["old"]["verdict"].string() == "supported");
    CHECK(change["new"]["verdict"].string() == "contradicted");
    CHECK(change["new"]["claim"].string().starts_with("Sales fell by 20% in May"));
    CHECK_FALSE(change.next());
    CHECK(pair["new"]["supported"].number() == 0.5);
    CHECK(pair["new"]["contradicted"].number() == 0.5);
    CHECK(diff({newer.path(file), older.path(file)}).code == 0);
    CHECK(diff({older.path(file), newer.path(file), "--tolerance", "0.5"}).code == 0);
    CHECK(diff({older.path(file), newer.path(file), "--tolerance", "0.49"}).code == 1);
  }
  const run_result text = diff({older.path("body.json"), newer.path("body.json")});
  CHECK(text.out.find("1 answer compared: NEW is worse\n") == 0);
  CHECK(text.out.find("\nsupported                 100 %       50 %  worse\n") != std::string::npos);
  CHECK(text.out.find(
            "  supported -> contradicted: Sales fell by 20% in May (before: Sales rose by 20% in May)\n") !=
        std::string::npos);
  const run_result page = diff({older.path("body.json"), newer.path("body.json"), "--to", "markdown"});
  CHECK(page.out.find("| supported | 100 % | 50 % | worse |\n") != std::string::npos);
  CHECK(page.out.find("- supported -\\> contradicted: Sales fell by 20% in May (before: ") !=
        std::string::npos);
}

TEST_CASE("an invented citation and a missing answer make NEW worse") {
  const scratch_folder older;
  const scratch_folder newer;
  older.write("a.json", body(good));
  older.write("b.json", body(good));
  newer.write("a.json", body(invented));
  newer.write("b.json", body(good));
  const run_result got = diff({older.path(), newer.path(), "--to", "json"});
  CHECK(got.code == 1);
  const document report = parsed(got.out);
  CHECK(report.root()["new"]["invented"].number() == 0.25);
  CHECK(report.root()["worse_measures"].first().string() == "resolved");
  newer.write("a.json", body(good));
  CHECK(diff({older.path(), newer.path()}).code == 0);
  newer.write("c.json", body(good));
  CHECK(diff({older.path(), newer.path()}).out.find("only in NEW: " + newer.path("c.json")) !=
        std::string::npos);
  CHECK(diff({older.path(), newer.path()}).code == 0);
  const run_result missing = diff({newer.path(), older.path()});
  CHECK(missing.code == 1);
  CHECK(missing.out.starts_with("2 answers compared: NEW is worse (an answer is missing)\n"));
  const document lacking = parsed(diff({newer.path(), older.path(), "--to", "json"}).out);
  CHECK(lacking.root()["worse_measures"].raw() == R"(["only_old"])");
}

TEST_CASE("a claim that cites what does not exist is listed in every form of input") {
  const scratch_folder older;
  const scratch_folder newer;
  write_forms(older, good);
  const auto changes = [&](const std::string& text, const std::string& file) {
    write_forms(newer, text);
    const document report = parsed(diff({older.path(file), newer.path(file), "--to", "json"}).out);
    std::string out;
    for (json_value each = report.root()["pairs"].first()["changed"].first(); each; each = each.next()) {
      out += std::string(each["old"]["claim"].string()) + ':';
      for (const char* side : {"old", "new"})
        out += std::string(each[side]["verdict"].raw()) + std::string(each[side]["invented"].raw()) + ' ';
    }
    return out;
  };
  for (const std::string& file : older.files()) {
    INFO(file);
    const std::string claim = "Profit fell:";
    CHECK(changes(invented, file) == claim + R"("supported"false nulltrue )");
    CHECK(changes("Sales rose by 20% in May [1]. Profit fell [2][7].", file) ==
          claim + R"("supported"false "supported"true )");
    CHECK(changes("Sales rose by 20% in May [1]. Profit fell [7][2].", file) ==
          claim + R"("supported"false "supported"true )");
    CHECK(changes("Sales rose by 20% in May [1]. Profit rose [7][2].", file) ==
          claim + R"("supported"false "contradicted"true )");
    CHECK(changes("Sales rose by 20% in May [1]. Profit fell.", file).empty());
    CHECK(changes(good, file).empty());
  }
  older.write("body.json", body(invented));
  CHECK(changes("Sales rose by 20% in May [1]. Profit fell [8].", "body.json").empty());
  older.write("body.json", body("Sales rose by 20% in May [1]. Profit fell [7][2]."));
  CHECK(changes(invented, "body.json") == R"(Profit fell:"supported"true nulltrue )");
  newer.write("none.json", R"({"answer":"Profit fell [1].","sources":[{"title":"Note"}]})");
  older.write("none.json",
              R"({"answer":"Profit fell [1].","sources":[{"title":"A","text":"Profit fell."}]})");
  CHECK(diff({older.path("none.json"), newer.path("none.json")}).out.find("->") == std::string::npos);
  older.write("none.json", R"({"answer":"Profit fell [7].","sources":[{"title":"Note"}]})");
  CHECK(diff({older.path("none.json"), newer.path("none.json")})
            .out.find("\n  invented -> not judged: Profit fell\n") != std::string::npos);
  write_forms(newer, "Sales rose by 20% in May [1][7]. Profit fell [7].");
  older.write("body.json", body(good));
  CHECK(diff({older.path("body.json"), newer.path("body.json")})
            .out.ends_with("  supported -> supported, invented: Sales rose by 20% in May\n"
                           "  supported -> invented: Profit fell\n"));
}

TEST_CASE("documents of several choices are measured with all their citations") {
  const scratch_folder older;
  const scratch_folder newer;
  const auto write = [](const scratch_folder& to, const std::string& second) {
    const auto delta = [](int choice, const std::string& text) {
      return R"(data: {"choices":[{"index":)" + std::to_string(choice) + R"(,"delta":{"content":")" + text +
             "\"}}]}\n\n";
    };
    to.write("stream.sse", R"(data: {"choices":[],)" + list + "}\n\n" + delta(0, good) + delta(1, second) +
                               "data: [DONE]\n\n");
    const run_result document = filter({"--to", "json", "--markers", "numeric", to.path("stream.sse")});
    REQUIRE(document.code == 0);
    REQUIRE(document.out.starts_with("[{"));
    to.write("document.json", document.out);
    to.write("documents.jsonl", document.out);
  };
  write(older, good);
  write(newer, changed);
  for (const char* file : {"document.json", "documents.jsonl"}) {
    INFO(file);
    const run_result got = diff({older.path(file), newer.path(file), "--to", "json"});
    CHECK(got.code == 1);
    const document report = parsed(got.out);
    CHECK(report.root()["old"]["markers"].integer() == 4);
    CHECK(report.root()["old"]["supported"].number() == 1.0);
    CHECK(report.root()["new"]["contradicted"].number() == 0.25);
    CHECK(diff({older.path("stream.sse"), older.path(file)}).code == 0);
  }
}

TEST_CASE("an answer that cites nothing is worse than one that does") {
  const scratch_folder both;
  both.write("old.json", body(good));
  both.write("new.json", body("Sales rose by 20% in May. Profit fell."));
  CHECK(diff({both.path("old.json"), both.path("new.json")}).code == 1);
  CHECK(diff({both.path("new.json"), both.path("old.json")}).code == 0);
}

TEST_CASE("a document is not worse than the answer that it is of") {
  const scratch_folder both;
  both.write("old.json", body(good));
  both.write("new.json", filter({"--to", "json", both.path("old.json"), "--from", "json"}).out);
  const run_result got = diff({both.path("old.json"), both.path("new.json"), "--to", "json"});
  INFO(got.out);
  CHECK(got.code == 0);
  CHECK(parsed(got.out).root()["old"]["cited_claims"].is_null());
  both.write("new.json", filter({"--to", "json", "--from", "json"}, body(changed)).out);
  CHECK(diff({both.path("old.json"), both.path("new.json")}).code == 1);
}

TEST_CASE("a claim of a document with several citations has one verdict as in its answer") {
  const scratch_folder both;
  both.write("old.json", body("Sales rose by 20% in May [1]. Sales rose by 20% in May [1][2]. Bad [7]."));
  for (const char* check : {"off", "report"}) {
    both.write("new.json",
               filter({"--to", "json", both.path("old.json"), "--from", "json", "--check", check}).out);
    const document report = parsed(diff({both.path("old.json"), both.path("new.json"), "--to", "json"}).out);
    CHECK(report.root()["old"]["supported"].raw() == report.root()["new"]["supported"].raw());
    CHECK(report.root()["worse"].boolean() == false);
  }
}

TEST_CASE("verdicts of documents count as they are") {
  const scratch_folder both;
  both.write("old.json", filter({"--to", "json", "--from", "json", "--check", "report"}, body(good)).out);
  std::string other = both.read("old.json");
  const std::string verdict = R"("verdict":"supported")";
  REQUIRE(other.find(verdict) != std::string::npos);
  other.replace(other.find(verdict), verdict.size(), R"("verdict":"contradicted")");
  both.write("new.json", other);
  const run_result got = diff({both.path("old.json"), both.path("new.json")});
  CHECK(got.code == 1);
  CHECK(got.out.find("supported -> contradicted") != std::string::npos);
}

TEST_CASE("documents with an error are read as far as they go and reported") {
  const scratch_folder folder;
  const std::string cut = folder.write("cut.sse", "data: " + body(good) + "\n\ndata: {\"ans");
  const std::string all = filter({cut, folder.path("missing.sse"), "--to", "json", "--from", "sse"}).out;
  folder.write("old.jsonl", all);
  const run_result got = diff({folder.path("old.jsonl"), folder.path("old.jsonl"), "--to", "json"});
  INFO(got.out << got.err);
  CHECK(got.code == 2);
  CHECK(got.err.find("old.jsonl:1: " + cut) != std::string::npos);
  CHECK(got.err.find("old.jsonl:2: " + folder.path("missing.sse")) != std::string::npos);
  CHECK(parsed(got.out).root()["old"]["markers"].integer() == 2);
}

TEST_CASE("claims of a document are read in the unit of its positions") {
  const std::string unit = GENERATE(values<std::string>({"utf8", "utf16", "codepoint"}));
  const scratch_folder both;
  both.write("old.json", body("Größer \U0001F680\U0001F680 is Zürich. " + good));
  std::string written =
      filter({"--to", "json", both.path("old.json"), "--from", "json", "--offsets", unit}).out;
  const std::string member = R"("offsets":")" + unit + R"(",)";
  REQUIRE(written.find(member) != std::string::npos);
  both.write("new.json", written);
  for (const char* other : {"utf8", "utf16", "codepoint"}) {
    INFO(unit << ' ' << other);
    CHECK(diff({both.path("old.json"), both.path("new.json"), "--offsets", other}).code == 0);
  }
  written.erase(written.find(member), member.size());
  for (const char* value : {"", R"("offsets":7,)", R"("offsets":"bytes",)"}) {
    both.write("new.json", std::string("{") + value + written.substr(1));
    CHECK(diff({both.path("old.json"), both.path("new.json"), "--offsets", unit}).code == 0);
    CHECK(diff({both.path("old.json"), both.path("new.json"), "--offsets", unit == "utf8" ? "utf16" : "utf8"})
              .code == 1);
  }
}

TEST_CASE("answers are paired by their question and then by the names of their files") {
  const scratch_folder older;
  const scratch_folder newer;
  older.write("1.json", body(good, "How were sales?"));
  older.write("2.json", body("Profit fell [2].", "And profit?"));
  older.write("3.json", body(good));
  newer.write("1.json", body("Profit fell [2].", "And profit?"));
  newer.write("2.json", body(good, " How were sales? "));
  newer.write("3.sse", "data: " + body(good) + "\n\n");
  const document report = parsed(diff({older.path(), newer.path(), "--to", "json"}).out);
  std::vector<std::string> names;
  for (json_value pair = report.root()["pairs"].first(); pair; pair = pair.next()) {
    CHECK(pair["old"]["markers"].integer() == pair["new"]["markers"].integer());
    names.emplace_back(pair["name"].string());
  }
  CHECK(names == std::vector<std::string>{"2.json", "1.json", "3.sse"});
  older.write("4.json", body(good, "One?"));
  newer.write("4.json", body(good, "Another?"));
  const document unpaired = parsed(diff({older.path(), newer.path(), "--to", "json"}).out);
  CHECK(unpaired.root()["only_old"].first().string() == older.path("4.json"));
  CHECK(unpaired.root()["only_new"].first().string() == newer.path("4.json"));
}

TEST_CASE("lines of files are paired by their numbers and never with other lines") {
  const scratch_folder older;
  const scratch_folder newer;
  older.write("a.jsonl", body(good) + "\n\n" + body(changed) + "\n");
  newer.write("a.jsonl", body(good) + "\n" + body(invented) + "\n");
  const document report = parsed(diff({older.path(), newer.path(), "--to", "json"}).out);
  CHECK(report.root()["pairs"][0]["name"].string() == "a.jsonl:1");
  CHECK_FALSE(report.root()["pairs"][1]);
  CHECK(report.root()["only_old"][0].string() == older.path("a.jsonl") + ":3");
  CHECK(report.root()["only_new"][0].string() == newer.path("a.jsonl") + ":2");
}

TEST_CASE("the order of a list does not decide which answers are paired") {
  const scratch_folder folder;
  const std::string one = folder.write("old/x.json", body(good, "One?"));
  const std::string y = folder.write("old/y.json", body(good, "Two?"));
  const std::string other = folder.write("new/1/x.json", body(good, "Other?"));
  const std::string plain = folder.write("new/2/x.json", body(good));
  const std::string older = folder.write("old.txt", one + "\n" + y + "\n");
  for (const std::string& names : {other + "\n" + plain + "\n", plain + "\n" + other + "\n"}) {
    const std::string newer = folder.write("new.txt", names);
    const document report = parsed(diff({"@" + older, "@" + newer, "--to", "json"}).out);
    CHECK(report.root()["pairs"][0]["name"].string() == "x.json");
    CHECK(report.root()["only_new"][0].string() == other);
  }
}

TEST_CASE("of several answers to one question those with the same file name are paired") {
  const scratch_folder older;
  const scratch_folder newer;
  older.write("a.json", body("Profit fell [2].", "And profit?"));
  older.write("b.json", body(good, "And profit?"));
  newer.write("b.json", body(good, "And profit?"));
  newer.write("c.json", body("Profit fell [2].", "And profit?"));
  const document report = parsed(diff({older.path(), newer.path(), "--to", "json"}).out);
  for (json_value pair = report.root()["pairs"].first(); pair; pair = pair.next())
    CHECK(pair["old"]["markers"].integer() == pair["new"]["markers"].integer());
}

TEST_CASE("texts are compared with references of a file") {
  const scratch_folder both;
  both.write("old.txt", good);
  both.write("new.txt", changed);
  both.write("refs.json", "[" + list.substr(list.find("[") + 1));
  const std::vector<std::string> files{both.path("old.txt"), both.path("new.txt")};
  const run_result known = diff({files[0], files[1], "--references", both.path("refs.json")});
  CHECK(known.code == 1);
  CHECK(known.out.find("supported -> contradicted") != std::string::npos);
  CHECK(diff(files).out.find("supported -> ") == std::string::npos);
}

TEST_CASE("inputs that cannot be read or compared give exit code 2 and a message") {
  const scratch_folder files;
  files.write("good.json", body(good));
  files.write("cut.json", body(good).substr(0, 60));
  files.write("cut.sse", "data: " + body(good).substr(0, 60));
  files.write("other.json", R"({"x":[1,2]})");
  files.write("empty.json", "");
  files.write("recording.ndjson", "{\"citestream_recording\":1}\n[1,2,3\n");
  files.write("lists.jsonl", "[]\n7\nnull\n\"x\"\n");
  files.write("odd.json",
              R"({"raw_content":"x","content":7,"citations":[7,{"claim_start":-1},{"status":"resolved",)"
              R"("claim_start":5,"claim_end":99999999999,"references":[{"text":"x"}]}],"uncited":7})");
  files.write("folder/notes.xyz", "x");
  const std::string good_file = files.path("good.json");
  for (const char* bad : {"cut.json", "cut.sse", "other.json", "empty.json", "recording.ndjson",
                          "lists.jsonl", "missing.json", "folder"}) {
    for (const bool first : {true, false}) {
      const run_result got = first ? diff({files.path(bad), good_file}) : diff({good_file, files.path(bad)});
      INFO(bad << ' ' << got.out << got.err);
      CHECK(got.code == 2);
      CHECK(got.err.starts_with("citestream: diff: "));
      CHECK(got.err.find(bad) != std::string::npos);
    }
  }
  CHECK(diff({files.path("odd.json"), good_file}).code == 0);
  CHECK(diff({good_file}).code == 2);
  CHECK(diff({good_file, good_file, "--tolerance", "2"}).code == 2);
  CHECK(diff({good_file, good_file, "--to", "xml"}).code == 2);
}

TEST_CASE("one answer that cannot be read does not hide the others") {
  const scratch_folder older;
  const scratch_folder newer;
  older.write("a.json", body(good));
  older.write("b.json", body(good));
  newer.write("a.json", body(good));
  newer.write("b.json", "{\"answer\":");
  const run_result got = diff({older.path(), newer.path()});
  CHECK(got.code == 2);
  CHECK(got.out.find("1 answer compared") == 0);
  CHECK(got.out.find("not read completely: " + newer.path("b.json")) != std::string::npos);
}

TEST_CASE("an answer over the limit in a folder is not read and not skipped") {
  const scratch_folder both;
  both.write("a.json", body(good));
  both.write("b.json", body(good + std::string(100, ' ')));
  const std::string limit = std::to_string(body(good).size() + 10);
  const run_result got = diff({both.path(""), both.path(""), "--max-body-bytes", limit});
  CHECK(got.code == 2);
  CHECK(got.out.find("1 answer compared") == 0);
  CHECK(got.err.find("b.json: body exceeds max_body_bytes at byte " + limit) != std::string::npos);
}

TEST_CASE("citations of an answer that breaks off before its references are not invented") {
  const scratch_folder both;
  both.write("old.json", body(good));
  both.write("new.sse", "data: {\"answer\":\"" + good + "\"}\n\ndata: {\"sour");
  both.write("new.json",
             filter({"--to", "json"}, "data: {\"answer\":\"" + good + "\"}\n\ndata: {\"sour").out);
  for (const char* file : {"new.sse", "new.json"}) {
    const document report = parsed(diff({both.path("old.json"), both.path(file), "--to", "json"}).out);
    const json_value pair = report.root()["pairs"].first();
    CHECK(pair["new"]["markers"].integer() == 2);
    CHECK(pair["new"]["resolved"].number() == 0.0);
    CHECK(pair["new"]["invented"].number() == 0.0);
    CHECK(pair["changed"].empty());
  }
  both.write("old.json", body("Sales rose by 20% in May [7]. Profit fell [2]."));
  CHECK(diff({both.path("old.json"), both.path("new.json")})
            .out.ends_with("  invented -> not judged: Sales rose by 20% in May\n"));
}

TEST_CASE("a stream or a list of chunks in a JSON file is read as check answer reads it") {
  const scratch_folder folder;
  for (const std::string& bytes :
       {std::string(
            R"~([{"candidates":[{"content":{"parts":[{"text":"Hi [x](f1)."}]},"finishReason":"STOP"}],)~"
            R"~("modelVersion":"m"}])~"),
        std::string("\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi [x](f1).\"},"
                    "\"finish_reason\":\"stop\"}]}\n\n")}) {
    const std::string file = folder.write("a.json", bytes);
    const run_result got = diff({file, file, "--to", "json"});
    CHECK(got.err.empty());
    CHECK(parsed(got.out).root()["new"]["markers"].integer() == 1);
  }
}

TEST_CASE("several answers on the lines of a JSON file are not read as one") {
  const scratch_folder folder;
  const std::string document = filter({"--to", "json", "--from", "json"}, body("Hi [x](f1).")).out;
  const std::string completion =
      R"({"object":"chat.completion","choices":[{"index":0,"message":{"content":"Hi [x](f1)."},)"
      R"("finish_reason":"stop"}]})"
      "\n";
  for (const std::string& line : {document, completion}) {
    const std::string file = folder.write("a.json", line + line);
    const run_result got = diff({file, file});
    CHECK(got.code == 2);
    CHECK(got.err.find("several answers, one on each line (name the file .jsonl)") != std::string::npos);
  }
}

TEST_CASE("answers after blank lines are paired by the questions of their recordings") {
  const scratch_folder older;
  const scratch_folder newer;
  for (const auto* folder : {&older, &newer}) {
    const std::string name = folder == &older ? "xa.ndjson" : "xb.ndjson";
    folder->write(name,
                  "\n{\"citestream_recording\":1,\"question\":\"Q\"}\n"
                  "[0,\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":"
                  "\\\"Hi.\\\"},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n\\n\"]\n");
  }
  const run_result got = diff({older.path(""), newer.path(""), "--to", "json"});
  CHECK(parsed(got.out).root()["pairs"][0]["question"].string() == "Q");
}

TEST_CASE("JSON files of a folder that are not answers are skipped with a message") {
  const scratch_folder older;
  const scratch_folder newer;
  for (const scratch_folder* each : {&older, &newer}) {
    each->write("a.json", body(good));
    each->write("package.json", R"({"name":"x","version":1})");
    each->write("list.json", R"([{"id":"x"}])");
  }
  const run_result got = diff({older.path(), newer.path()});
  CHECK(got.code == 0);
  CHECK(got.out.starts_with("1 answer compared"));
  CHECK(got.out.find("package.json") == std::string::npos);
  for (const char* const name : {"list.json", "package.json"}) {
    CHECK(got.err.find("citestream: diff: " + newer.path(name) + ": skipped: ") != std::string::npos);
  }
}

TEST_CASE("names of files that are not UTF-8 are shown with replacement characters") {
  const scratch_folder older;
  const scratch_folder newer;
  older.write("a\xFF.json", body(good));
  newer.write("a\xFF.json", body(good));
  newer.write("b\xFE.json", "{\"choices\":[");
  for (const std::string form : {"json", "markdown"}) {
    const run_result got = diff({older.path(), newer.path(), "--to", form});
    CHECK(citestream::json_scan::is_utf8(got.out));
    CHECK(got.out.find("b\uFFFD.json") != std::string::npos);
  }
}

TEST_CASE("control characters and markup in answers do not reach the report") {
  const scratch_folder both;
  both.write("old.json", body("Sales rose by 20% in \\u001b[31mMay \\u202e[1]. Profit fell [2]."));
  both.write("new.json", body("Sales fell by 20% in \\u001b[31mMay <b>now</b> [1]. Profit fell [2]."));
  const std::vector<std::string> files{both.path("old.json"), both.path("new.json")};
  CHECK(diff(files).out.find('\x1b') == std::string::npos);
  CHECK(diff(files).out.find("\u202e") == std::string::npos);
  const std::string page = diff({files[0], files[1], "--to", "markdown"}).out;
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find('\x1b') == std::string::npos);
}

TEST_CASE("many long answers are compared in linear time") {
  const scratch_folder both;
  std::string older;
  std::string newer;
  for (int i = 0; i < 3000; ++i) {
    older += "Sales of shop " + std::to_string(i) + " rose by 20% in May [1]. ";
    newer += "Sales of shop " + std::to_string(i) + " fell by 20% in June [1]. ";
  }
  both.write("old.json", body(older));
  both.write("new.json", body(newer));
  const run_result got = diff({both.path("old.json"), both.path("new.json")});
  CHECK(got.code == 1);
}
