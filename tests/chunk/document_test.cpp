#include <citestream/chunk/document.hpp>

#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

using citestream::byte_range;
using citestream::document;
using citestream::errc;
using citestream::json_kind;
using citestream::json_value;
using citestream::status;

namespace {

errc code_of(std::string_view json) {
  document doc;
  return doc.parse(json).code;
}

bool valid(std::string_view json) {
  return code_of(json) == errc::ok;
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

}  // namespace

TEST_CASE("lookups chain and an absent member is a missing value") {
  document doc;
  REQUIRE_FALSE(doc.parse(R"({"choices":[{"delta":{"content":"hi \u00e9\n","n":null}}],"ok":true})"));
  const json_value root = doc.root();
  CHECK(root["choices"][0]["delta"]["content"].string() == "hi \xC3\xA9\n");
  CHECK(root["choices"][0]["delta"]["content"].key() == "content");
  CHECK(root["choices"][0]["delta"]["n"].is_null());
  CHECK(root["ok"].boolean() == true);
  CHECK(root["choices"][1].kind() == json_kind::missing);
  CHECK(root["none"]["of"][7]["this"].kind() == json_kind::missing);
  CHECK_FALSE(root["none"]);
  CHECK(root["choices"]["key"].kind() == json_kind::missing);
  CHECK(root["ok"][0].kind() == json_kind::missing);
  CHECK(root["ok"].string().empty());
  CHECK_FALSE(root["ok"].number());
  CHECK_FALSE(root["ok"].integer());
  CHECK_FALSE(root["choices"].boolean());
  CHECK_FALSE(doc.duplicate());
}

TEST_CASE("siblings are walked in order and keys are unescaped") {
  document doc;
  REQUIRE_FALSE(doc.parse(R"( { "a" : 1 , "\u0062\"" : [ ] , "c":{ "d":[1,[2],{}] } } )"));
  json_value member = doc.root().first();
  CHECK(member.key() == "a");
  member = member.next();
  CHECK(member.key() == "b\"");
  CHECK(member.empty());
  member = member.next();
  CHECK(member.key() == "c");
  CHECK_FALSE(member.empty());
  CHECK_FALSE(member.next());
  const json_value list = member["d"];
  CHECK(list[0].integer() == 1);
  CHECK(list[1][0].integer() == 2);
  CHECK(list[2].is_object());
  CHECK(list[2].empty());
  CHECK_FALSE(list[3]);
  CHECK(list[0].key().empty());
}

TEST_CASE("ranges are the exact bytes of a value without the white space around it") {
  const std::string json = " {\t\"a\" :  \"x\\\"y\"  ,\"o\": { \"p\":[ 1.50 , true ] }\r\n } ";
  document doc;
  REQUIRE_FALSE(doc.parse(json));
  const json_value root = doc.root();
  CHECK(root.raw() == json.substr(1, json.size() - 2));
  CHECK(root["a"].raw() == R"("x\"y")");
  CHECK(json.substr(root["a"].range().begin, root["a"].range().size()) == root["a"].raw());
  CHECK(root["o"].raw() == R"({ "p":[ 1.50 , true ] })");
  CHECK(root["o"]["p"].raw() == "[ 1.50 , true ]");
  CHECK(root["o"]["p"][0].raw() == "1.50");
  CHECK(root["o"]["p"][1].raw() == "true");
  CHECK(root["none"].raw().empty());
  CHECK(root["none"].range() == byte_range{});
}

TEST_CASE("scalars are roots too") {
  document doc;
  REQUIRE_FALSE(doc.parse("  \"a\""));
  CHECK(doc.root().string() == "a");
  CHECK(doc.root().range() == byte_range{2, 5});
  REQUIRE_FALSE(doc.parse("17 "));
  CHECK(doc.root().integer() == 17);
  CHECK(doc.root().raw() == "17");
  for (const char* json : {"null", "true", "false", "0", "-1.5e3", "\"\""}) CHECK(valid(json));
  CHECK(valid("0." + std::string(2000, '1')));
}

TEST_CASE("text that is not JSON is invalid") {
  const char* const bad[] = {"",
                             " ",
                             "{",
                             "}",
                             "[",
                             "]",
                             "[1",
                             "1]",
                             "[1]]",
                             "1],[2",
                             "1,2",
                             "1 2",
                             "[1,]",
                             "[,1]",
                             "{\"a\"}",
                             "{\"a\":}",
                             "{\"a\":1,}",
                             "{a:1}",
                             "{'a':1}",
                             "{\"a\":1 \"b\":2}",
                             "nul",
                             "nulll",
                             "null1",
                             "True",
                             "tru",
                             "truex",
                             "falsey",
                             "01",
                             "-",
                             "1.",
                             ".5",
                             "1e",
                             "+1",
                             "0x10",
                             "1x",
                             "NaN",
                             "Infinity",
                             "\"",
                             "\"a",
                             "\"\\x\"",
                             "\"\\u12\"",
                             "\"\\",
                             "[1}",
                             "{\"a\":1]",
                             "\"a\"b",
                             "1\"a\"",
                             "\xEF\xBB\xBF{}",
                             "{}{}",
                             "{} x",
                             "[1]\t,",
                             "/**/1",
                             "\"\t\"",
                             "\"\n\"",
                             "[\"a\":1]",
                             "{1:2}",
                             "{null:2}",
                             "{\"a\":1:2}",
                             ":",
                             ","};
  for (const char* json : bad) {
    CAPTURE(json);
    CHECK(code_of(json) == errc::invalid_json);
  }
}

TEST_CASE("a NUL byte anywhere makes the text invalid") {
  const std::string json = R"({"a":[1,"x"]})";
  for (std::size_t at = 0; at <= json.size(); ++at) {
    CAPTURE(at);
    CHECK_FALSE(valid(std::string(json).insert(at, 1, '\0')));
  }
}

TEST_CASE("lone surrogates and invalid UTF-8 are invalid in values and in keys") {
  for (const char* text :
       {R"(\ud800)", R"(\udc00)", R"(\ud800x)", R"(\ud800\u0041)", R"(\ud800\ud800)", R"(\udc00\ud800)",
        "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\xC3", "\xE2\x82", "\x80"}) {
    CAPTURE(text);
    CHECK_FALSE(valid(std::string("\"") + text + '"'));
    CHECK_FALSE(valid(std::string("{\"") + text + "\":1}"));
  }
  document doc;
  REQUIRE_FALSE(doc.parse(R"("\ud83d\ude00")"));
  CHECK(doc.root().string() == "\xF0\x9F\x98\x80");
}

TEST_CASE("a number of many digits is the double nearest to it") {
  document doc;
  for (const std::string token :
       {"0.300000000000040000000", "0.1000000000000000055511151231257827", "-0.123456789012345678901",
        "3.00000000000040000000e-1", "123456789012345678901.5", "0.00000000000000000000000000000000001",
        "1.7976931348623157081452742373170436e308", "0.0000000000000000000e99999",
        "1.0000000000000000000000e-400", "44444444e-14444444444444444440004", "-0.0E+99999999999999999999",
        "12.5e-000000000000000000001", "0.0001e-9223372036854775807"}) {
    for (const std::string& json : {token, "[" + token + " ]", "{\"a\":" + token + "\n}"}) {
      CAPTURE(json);
      REQUIRE_FALSE(doc.parse(json));
      const auto value = doc.root().first() ? doc.root().first() : doc.root();
      CHECK(value.number() == std::strtod(token.c_str(), nullptr));
    }
  }
  for (const std::string token :
       {"1.00000000000000000000000e309", "-1.7976931348623159e+000000000000000000000308",
        "0.1000000000000000000000e310", "1.0000000000000000000000e99999999999999999999",
        "0.00e99999999999999999999.", "12e9223372036854775807", "01e-99999999999999999999",
        "1.e-99999999999999999999", "1e-99999999999999999999x", "1e+-99999999999999999999",
        "-e-999999999999999999999"}) {
    CAPTURE(token);
    CHECK(doc.parse(token).code == citestream::errc::invalid_json);
  }
}

TEST_CASE("numbers out of the range of double are invalid and long integers are doubles") {
  CHECK_FALSE(valid("1e400"));
  CHECK_FALSE(valid("[-1e309]"));
  CHECK_FALSE(valid(std::string(400, '9')));
  document doc;
  REQUIRE_FALSE(
      doc.parse("[9223372036854775807,9223372036854775808,123456789012345678901234567890,1e-400,-0,15.0,1.5,"
                "1e300,-9223372036854775808,18446744073709551616]"));
  const json_value list = doc.root();
  CHECK(list[0].integer() == 9223372036854775807);
  CHECK_FALSE(list[1].integer());
  CHECK(*list[1].number() == 9223372036854775808.0);
  CHECK(*list[2].number() == 123456789012345678901234567890.0);
  CHECK_FALSE(list[2].integer());
  CHECK(*list[3].number() == 0.0);
  CHECK(list[4].integer() == 0);
  CHECK(list[5].integer() == 15);
  CHECK_FALSE(list[6].integer());
  CHECK(*list[6].number() == 1.5);
  CHECK_FALSE(list[7].integer());
  CHECK(list[8].integer() == std::numeric_limits<std::int64_t>::min());
  CHECK(*list[9].number() == 18446744073709551616.0);
}

TEST_CASE("nesting is accepted up to the limit") {
  document doc(3);
  CHECK(doc.parse(nested(3)).code == errc::ok);
  CHECK(doc.parse(nested(4)).code == errc::json_too_deep);
  CHECK(doc.parse(nested(4)).offset == 3);
  CHECK_FALSE(doc.root());
  CHECK(doc.parse(R"({"a":{"b":{"c":1}}})").code == errc::ok);
  CHECK(doc.parse(R"({"a":{"b":{"c":{}}}})").code == errc::json_too_deep);
  CHECK(document().parse(nested(128)).code == errc::ok);
  CHECK(document().parse(nested(129)).code == errc::json_too_deep);
}

TEST_CASE("a megabyte of open brackets is too deep for every limit") {
  std::string objects;
  while (objects.size() < 1'000'000) objects += "{\"a\":";
  for (const std::size_t bound : {std::size_t{128}, std::size_t{1'000'000'000}}) {
    document doc(bound);
    CHECK(doc.parse(std::string(1'000'000, '[')).code == errc::json_too_deep);
    CHECK(doc.parse(nested(1'000'000)).code == errc::json_too_deep);
    CHECK(doc.parse(objects).code == errc::json_too_deep);
    CHECK(doc.parse("[]").code == errc::ok);
  }
}

TEST_CASE("a duplicate key is reported only when it is looked up") {
  document doc;
  REQUIRE_FALSE(doc.parse(R"({"a":1,"b":{"c":1,"\u0063":2},"a2":3,"a":4})"));
  CHECK(doc.root()["a2"].integer() == 3);
  CHECK(doc.root()["none"].kind() == json_kind::missing);
  CHECK_FALSE(doc.duplicate());
  CHECK_FALSE(doc.root().ambiguous());
  CHECK(doc.root()["a"].integer() == 1);
  CHECK(doc.duplicate());
  CHECK(doc.root()["b"].ambiguous());
  REQUIRE_FALSE(doc.parse(R"({"b":{"c":1,"\u0063":2}})"));
  CHECK_FALSE(doc.duplicate());
  CHECK(doc.root()["b"]["c"].integer() == 1);
  CHECK(doc.duplicate());
}

TEST_CASE("a failed parse leaves the document empty and the next one works") {
  document doc;
  CHECK_FALSE(doc.root());
  REQUIRE_FALSE(doc.parse("{\"a\":1}"));
  CHECK(doc.parse("{\"a\":1").code == errc::invalid_json);
  CHECK_FALSE(doc.root());
  CHECK_FALSE(doc.root()["a"]);
  REQUIRE_FALSE(doc.parse("{\"a\":2}"));
  CHECK(doc.root()["a"].integer() == 2);
}

TEST_CASE("the offset of an error is near its byte") {
  document doc;
  CHECK(doc.parse(R"({"a":1,"b":nope})").offset == 11);
  CHECK(doc.parse(R"(["a","\ud800"])").offset == 5);
  CHECK(doc.parse("[1] [2]").offset == 4);
  CHECK(doc.parse("{\"a\":\"b").offset == 7);
  CHECK(doc.parse("").offset == 0);
}

TEST_CASE("strings outlive the parsed bytes and a document moves with its values") {
  std::string json = R"({"a":"first","b":"second\n"})";
  document doc;
  REQUIRE_FALSE(doc.parse(json));
  const std::string_view first = doc.root()["a"].string();
  json.assign(json.size(), '#');
  CHECK(first == "first");
  CHECK(doc.root()["b"].string() == "second\n");
  CHECK(doc.root()["b"].raw() == R"("second\n")");
  document moved = std::move(doc);
  CHECK(moved.root()["a"].string() == "first");
}

TEST_CASE("string views stay valid through a payload of many strings") {
  std::string json = "[";
  for (int i = 0; i < 20'000; ++i) json += (i == 0 ? "\"s\\u00e9" : ",\"s\\u00e9") + std::to_string(i) + '"';
  json += ']';
  document doc;
  REQUIRE_FALSE(doc.parse("[\"small\"]"));
  REQUIRE_FALSE(doc.parse(json));
  int i = 0;
  bool all = true;
  for (json_value text = doc.root().first(); text; text = text.next(), ++i) {
    all = all && text.string() == "s\xC3\xA9" + std::to_string(i);
  }
  CHECK(i == 20'000);
  CHECK(all);
}
