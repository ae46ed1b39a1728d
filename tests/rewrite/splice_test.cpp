#include "rewrite/splice.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "framing/sse_decoder.hpp"
#include "support/json_model.hpp"
#include "support/parsed_json.hpp"

using namespace citestream;
using citestream_tests::model_value;
using citestream_tests::parsed;
using citestream_tests::read_model;

namespace {

/// The only event of \p raw. \p raw must outlive this object.
struct decoded_event {
  explicit decoded_event(std::string_view raw) {
    decoder.feed(raw);
    found = decoder.next(item) && item.kind == frame_kind::event;
  }
  sse_decoder decoder;
  frame item;
  bool found{};
};

/// The bytes of \p event with the edits in them.
std::string applied(splicer& edits, const frame& event) {
  std::string out;
  event_output to(out);
  edits.apply(event, to);
  to.flush();
  return out;
}

std::string inserted(const std::string& object, std::initializer_list<std::string_view> keys) {
  splicer edits(object);
  for (const std::string_view key : keys) edits.insert_member({0, object.size()}, key, "1");
  std::string out;
  edits.apply(out);
  return out;
}

/// Appends JSON in a canonical form without blanks, to compare the meaning of two texts.
void canonical(const model_value& value, std::string& out) {
  const auto quoted = [&](const std::string& text) { out += std::to_string(text.size()) + '"' + text + '"'; };
  if (value.kind == json_kind::string) return quoted(value.text);
  if (value.kind != json_kind::array && value.kind != json_kind::object) {
    out += value.text;
    return;
  }
  out += value.kind == json_kind::array ? '[' : '{';
  for (const model_value& child : value.children) {
    if (value.kind == json_kind::object) quoted(child.key);
    canonical(child, out);
    out += ',';
  }
  out += value.kind == json_kind::array ? ']' : '}';
}

std::string canonical(const model_value& value) {
  std::string out;
  canonical(value, out);
  return out;
}

/// Random JSON with unusual but valid spelling. \p line_breaks: blanks may be line breaks.
class random_json {
 public:
  random_json(std::mt19937& random, std::string_view blanks) : random_(random), blanks_(blanks) {}

  std::string value(int depth) {
    static const std::string_view scalars[] = {
        "null",  "true",    "-0.50E+1",     "\"\"", "\"a\\u0062\\n\"", "12",         "{}", "[ ]", "{\t}",
        "\"}\"", "\"],[\"", "\"\\\"\\\\\"", "[]",   "{   }",           "\"data: x\""};
    if (depth == 0 || random_() % 4 == 0) return std::string(scalars[random_() % std::size(scalars)]);
    const bool array = random_() % 2 == 0;
    std::string out(1, array ? '[' : '{');
    for (auto n = random_() % 4; n > 0; --n) {
      out += blank();
      if (!array) out += "\"k" + std::to_string(count_++) + "\"" + blank() + ":" + blank();
      out += value(depth - 1) + blank();
      if (n > 1) out += ',';
    }
    return out + blank() + (array ? ']' : '}');
  }

 private:
  std::string blank() {
    std::string out;
    while (!blanks_.empty() && random_() % 3 == 0) out += blanks_[random_() % blanks_.size()];
    return out;
  }
  std::mt19937& random_;
  std::string_view blanks_;
  int count_{};
};

/// Random edits of one payload, applied to the splicer and to the model, and recorded with their bytes.
class random_edits {
 public:
  random_edits(std::mt19937& random, std::string payload) : random_(random), payload_(std::move(payload)) {
    edits_.begin(payload_);
    model_ = *read_model(payload_);
    edit(model_);
    std::shuffle(todo_.begin(), todo_.end(), random_);
    // Insertions into one container keep their order, so the model applies them in that order.
    for (const auto& make : todo_) make(*this);
  }

  [[nodiscard]] const std::string& payload() const { return payload_; }
  [[nodiscard]] const model_value& model() const { return model_; }
  [[nodiscard]] splicer& edits() { return edits_; }

  /// \p result with every edit reverted by its bytes. Equals the payload if nothing else changed.
  [[nodiscard]] std::string undone(std::string result) const {
    for (auto change = made_.rbegin(); change != made_.rend(); ++change) {
      std::size_t at = result.find(change->added);
      if (at == std::string::npos) return "an edit is missing: " + change->added;
      std::size_t size = change->added.size();
      if (change->insertion && result[at - 1] == ',') --at, ++size;
      result.replace(at, size, change->removed);
    }
    return result;
  }

 private:
  struct made_edit {
    std::string added;
    std::string removed;
    bool insertion{};
  };

  void edit(model_value& value) {
    if (random_() % 6 == 0) {
      todo_.push_back([&value](random_edits& self) { self.replace(value); });
      return;  // edits inside it would be lost
    }
    value.children.reserve(value.children.size() + 2);  // recorded children must not move
    for (model_value& child : value.children) edit(child);
    const bool object = value.kind == json_kind::object;
    if (!object && value.kind != json_kind::array) return;
    for (auto n = random_() % 3; n > 0 && random_() % 2 == 0; --n) {
      todo_.push_back([&value, object](random_edits& self) { self.insert(value, object); });
    }
  }
  std::string fresh() { return "\"new" + std::to_string(100 + made_.size()) + "\""; }
  void replace(model_value& value) {
    const std::string json = fresh();
    edits_.replace({value.begin, value.end}, json);
    made_.push_back({json, payload_.substr(value.begin, value.end - value.begin), false});
    value.kind = json_kind::string;
    value.text = json.substr(1, json.size() - 2);
    value.children.clear();
  }
  void insert(model_value& value, bool object) {
    const std::string json = fresh();
    model_value added;
    added.kind = json_kind::string;
    added.text = json.substr(1, json.size() - 2);
    if (object) {
      added.key = "key\n" + added.text;
      edits_.insert_member({value.begin, value.end}, added.key, json);
      made_.push_back({"\"key\\n" + added.text + "\":" + json, "", true});
    } else {
      edits_.insert_elements({value.begin, value.end}, json);
      made_.push_back({json, "", true});
    }
    value.children.push_back(std::move(added));
  }

  std::mt19937& random_;
  std::string payload_;
  model_value model_;
  splicer edits_;
  std::vector<std::function<void(random_edits&)>> todo_;
  std::vector<made_edit> made_;
};

}  // namespace

TEST_CASE("members are added after the last value of an object") {
  CHECK(inserted("{}", {"a"}) == R"({"a":1})");
  CHECK(inserted("{}", {"a", "b"}) == R"({"a":1,"b":1})");
  CHECK(inserted("{ }", {"a"}) == R"({"a":1 })");
  CHECK(inserted("{ \t\r\n}", {"a", "b"}) == "{\"a\":1,\"b\":1 \t\r\n}");
  CHECK(inserted(R"({"x":2})", {"a"}) == R"({"x":2,"a":1})");
  CHECK(inserted(R"({"x":2 , "y":{} })", {"a", "b"}) == R"({"x":2 , "y":{},"a":1,"b":1 })");
  CHECK(inserted(R"({})", {"quote\" and \n"}) == R"({"quote\" and \n":1})");
}

TEST_CASE("a member is removed with one comma wherever it is") {
  for (const std::string space : {"", " ", "\n\t "}) {
    const std::string a = space + "\"a\"" + space + ":" + space + "1";
    const std::string gone = space + "\"list\"" + space + ":" + space + "[1, {\"b\":\"]\\\"\"}]";
    for (const auto& [object, left] :
         {std::pair{"{" + gone + space + "}", std::string("{}")},
          std::pair{"{" + a + "," + gone + "}", std::string(R"({"a":1})")},
          std::pair{"{" + gone + space + "," + a + "}", std::string(R"({"a":1})")},
          std::pair{"{" + a + "," + gone + ",\"c\":2}", std::string(R"({"a":1,"c":2})")}}) {
      const document doc = parsed(object);
      splicer edits(object);
      edits.remove_member(doc.root()["list"].range());
      std::string out;
      edits.apply(out);
      std::erase_if(out, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
      CHECK(out == left);
    }
  }
}

TEST_CASE("elements are added after the last one of an array") {
  const auto insert = [](const std::string& array, std::string_view json) {
    splicer edits(array);
    edits.insert_elements({0, array.size()}, json);
    edits.insert_elements({0, array.size()}, "");
    std::string out;
    edits.apply(out);
    return out;
  };
  CHECK(insert("[]", "1,2") == "[1,2]");
  CHECK(insert("[ ]", "1") == "[1 ]");
  CHECK(insert("[0, 5 ]", "1,2") == "[0, 5,1,2 ]");
  CHECK(insert("[[]]", "1") == "[[],1]");
  CHECK(insert("[0]", "") == "[0]");
}

TEST_CASE("edits are applied in order of position and stay until they are cleared") {
  const std::string payload = R"({"a":"1","b":"2"})";
  splicer edits(payload);
  CHECK(edits.empty());
  edits.replace({13, 16}, "\"second\"");
  edits.insert_member({0, payload.size()}, "c", "3");
  edits.replace({5, 8}, "\"first\"");
  CHECK_FALSE(edits.empty());
  for (int i = 0; i < 2; ++i) {
    std::string out = "before ";
    edits.apply(out);
    CHECK(out == R"(before {"a":"first","b":"second","c":3})");
  }
  edits.begin(payload);
  CHECK(edits.empty());
  std::string out;
  edits.apply(out);
  CHECK(out == payload);
}

TEST_CASE("an edit inside a replacement is dropped") {
  const std::string payload = R"({"a":{"b":[1]},"c":2})";
  splicer edits(payload);
  edits.insert_elements({10, 13}, "9");
  edits.replace({10, 13}, "7");
  edits.replace({5, 14}, "null");
  edits.replace({19, 20}, "3");
  std::string out;
  edits.apply(out);
  CHECK(out == R"({"a":null,"c":3})");
}

TEST_CASE("an item keeps its other lines and its line ends") {
  const std::string raw = ": note\r\nid: 7\r\ndata: {\"a\":\"x\"}\r\nevent:e\r\n\r\n";
  decoded_event event(raw);
  // A comment is a separate item. The event may start with it or after it.
  while (event.found == false && event.decoder.next(event.item))
    event.found = event.item.kind == frame_kind::event;
  REQUIRE(event.found);
  splicer edits(event.item.data);
  edits.replace({5, 8}, "\"new\"");
  edits.insert_member({0, event.item.data.size()}, "b", "[]");
  const std::string out = applied(edits, event.item);
  std::string expected(event.item.raw);
  expected.replace(expected.find("\"x\""), 3, "\"new\",\"b\":[]");
  CHECK(out == expected);
}

TEST_CASE("data over several lines keeps its lines") {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const std::string raw =
        "data: {" + end + "data:   \"a\": \"x\"" + end + "data" + end + "data:}" + end + end;
    decoded_event event(raw);
    REQUIRE(event.found);
    REQUIRE(event.item.data == "{\n  \"a\": \"x\"\n\n}");
    splicer edits(event.item.data);
    edits.replace({9, 12}, "\"new\"");
    edits.insert_member({0, event.item.data.size()}, "b", "1");
    const std::string out = applied(edits, event.item);
    std::string expected(event.item.raw);
    expected.replace(expected.find("\"x\""), 3, "\"new\",\"b\":1");
    CHECK(out == expected);
  }
}

TEST_CASE("random edits of random documents change no other byte") {
  std::mt19937 random(99);
  std::size_t edited = 0;
  for (int round = 0; round < 4'000; ++round) {
    random_edits made(random, random_json(random, " \t\n\r").value(5));
    std::string out;
    made.edits().apply(out);
    CAPTURE(made.payload(), out);
    const auto result = read_model(out);
    REQUIRE(result);
    REQUIRE(canonical(*result) == canonical(made.model()));
    REQUIRE(made.undone(out) == made.payload());
    if (out != made.payload()) ++edited;
  }
  CHECK(edited > 1'500);
}

TEST_CASE("edits do not depend on how data is cut into lines") {
  std::mt19937 random(100);
  const std::string ends[] = {"\n", "\r\n", "\r"};
  std::size_t lines = 0;
  for (int round = 0; round < 3'000; ++round) {
    random_edits made(random, random_json(random, " \n").value(4));
    const std::string& end = ends[random() % 3];
    const std::string field = random() % 2 == 0 ? "data: " : "data:";
    std::string raw = "id: 1" + end + field;
    // The decoder removes one space after "data:".
    for (const char c :
         field == "data:" && made.payload()[0] == ' ' ? " " + made.payload() : made.payload()) {
      if (c != '\n') {
        raw += c;
        continue;
      }
      raw += end + "data: ";
      ++lines;
    }
    raw += end + end;
    decoded_event event(raw);
    REQUIRE(event.found);
    REQUIRE(event.item.data == made.payload());
    std::string expected;
    made.edits().apply(expected);
    const std::string out = applied(made.edits(), event.item);
    CAPTURE(raw, out);
    const decoded_event again(out);
    REQUIRE(again.found);
    // A replacement may remove whole lines, but the meaning is the same.
    REQUIRE(canonical(*read_model(again.item.data)) == canonical(made.model()));
    REQUIRE(again.item.data == expected);
    REQUIRE(out.substr(0, 5) == "id: 1");
  }
  CHECK(lines > 1'000);
}
