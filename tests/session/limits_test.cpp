// Every member of `limits` is tested one below, at and one above the limit, for every cut: it takes effect
// exactly after the last allowed unit. A member without a row here fails the test.
#include <citestream/base/limits.hpp>
#include <citestream/check/support.hpp>
#include <citestream/provenance/provenance.hpp>

#include <functional>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "support/stream_runs.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

std::string many(std::string_view what, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += what;
  return out;
}

/// Escapes `"` and `\` of the text only, which is enough for these texts.
std::string chunk(std::string_view text, std::string_view more = {}, std::size_t choice = 0) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return R"({"object":"chat.completion.chunk","choices":[{"index":)" + std::to_string(choice) +
         R"(,"delta":{"content":")" + escaped + R"("},"finish_reason":null}])" + std::string(more) + "}";
}

std::string event(const std::string& payload, std::string_view line_end = "\n") {
  return "data: " + payload + std::string(line_end) + std::string(line_end);
}

/// An event with references of one address each. The member `text` makes the last one as long as needed.
std::string references(const std::vector<std::string>& urls, const std::string& text = {}) {
  std::string list;
  for (const std::string& url : urls) {
    if (!list.empty()) list += ',';
    list += R"({"url":")" + url + R"(","title":"","text":")" + (&url == &urls.back() ? text : "") + R"("})";
  }
  return R"(data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":null,)"
         R"("graph_data":{"references":{"files":[],"web":[)" +
         list + R"(]}}},"finish_reason":"stop"}]})" + "\n\n";
}

std::string one_text(const std::string& text) {
  return event(chunk(text)) + event("[DONE]");
}

struct outcome {
  stream_run run;
  std::vector<std::string> markers;  // markers of the citations in the first choice
  std::size_t references{};
  std::size_t dropped{};
  std::size_t choices{};
  bool operator==(const outcome& other) const {
    return comparable(run) == comparable(other.run) && markers == other.markers &&
           references == other.references && dropped == other.dropped && choices == other.choices;
  }
};

outcome outcome_of(session& work, const pieces& parts) {
  outcome got;
  got.run = run(work, parts);
  got.choices = work.choices();
  if (got.choices > 0) {
    const citations& cites = work.cites(0);
    for (const citation& one : cites.all()) got.markers.push_back(one.marker);
    got.references = cites.references().size();
    got.dropped = cites.dropped_references();
  }
  return got;
}

/// A limit, and streams with any number of the limited units.
struct row {
  std::string_view name;
  std::size_t limits::*field;
  std::size_t bound;
  std::function<std::string(std::size_t)> stream;
  std::function<bool(const outcome&)> exceeded;
  session_options options{};
};

bool cites_nothing(const outcome& got) {
  return got.markers.empty();
}

bool lists_less(const outcome& got) {
  return got.run.out.find("further source") != std::string::npos;
}

session_options printing_with(const style& how) {
  session_options options;
  options.style = &how;
  return options;
}

session_options enforcing() {
  session_options options;
  options.egress = egress_mode::enforce;
  return options;
}

session_options checking() {
  session_options options;
  options.check = check_mode::report;
  options.checker = &word_check;
  return options;
}

bool has_no_verdict(const outcome& got) {
  return got.run.out.find(R"("verdict")") == std::string::npos;
}

session_options reading(const grammar& only) {
  session_options options;
  options.grammars = {&only};
  return options;
}

/// The number of bytes of additions before the last record, plus one.
std::size_t last_record(const std::string& out) {
  return out.rfind(R"({"number":)") - out.find(R"({"version":1)");  // after a comma
}

/// The number of bytes of the list before its last entry, plus one.
std::size_t last_entry(const std::string& out) {
  return out.rfind("[^2]:") - out.find("[^1]:");  // after a line break, which is two bytes in JSON
}

/// Two markers. The label of the first, or in two_titles() its title, has \p pad bytes. A record contains a
/// title only as part of the marker.
std::string two_labels(std::size_t pad) {
  return event(chunk("x[" + std::string(pad, 'y') + "](http://u/) z[a](http://v/)")) + event("[DONE]");
}

std::string two_titles(std::size_t pad) {
  return event(chunk("x[a](http://u/ \"" + std::string(pad, 'y') + "\") z[a](http://v/)")) + event("[DONE]");
}

/// The first of the streams for whose output \p measured returns at least \p n.
template <typename Streams, typename Measured>
auto padded(const session_options& options, Streams streams, Measured measured) {
  return [=](std::size_t n) {
    std::size_t pad = 1;
    while (measured(run_whole(options, streams(pad)).out) < n) ++pad;
    return streams(pad);
  };
}

void add_events(std::vector<row>& all) {
  const auto too_large = [](const outcome& got) { return got.run.error.code == errc::event_too_large; };
  // The LF of a CRLF after an event is not counted, because it may never arrive.
  for (const std::string_view line_end : {"\n", "\r", "\r\n"}) {
    all.push_back({"an event", &limits::max_event_bytes, 200,
                   [=](std::size_t n) {
                     const std::string rest = event(chunk("a [A](b)"), line_end);
                     const std::string pad(n + line_end.size() - 1 - rest.size(), 'x');
                     return event(chunk("first"), line_end) + event(chunk(pad + "a [A](b)"), line_end) +
                            event("[DONE]", line_end);
                   },
                   too_large});
    all.push_back({"an event whose shape is known", &limits::max_event_bytes, 200,
                   [=](std::size_t n) {
                     const std::string pad(n + line_end.size() - 1 - event(chunk(""), line_end).size(), 'x');
                     return event(chunk("a"), line_end) + event(chunk("b"), line_end) +
                            event(chunk(pad), line_end) + event(chunk(" [A](b)"), line_end);
                   },
                   too_large});
  }
}

void add_levels(std::vector<row>& all) {
  const auto nested = [](std::size_t n) {
    return chunk("a [A](b)", R"(,"x":)" + many("[", n - 1) + many("]", n - 1));
  };
  const auto too_deep = [](const outcome& got) { return got.run.error.code == errc::json_too_deep; };
  all.push_back({"levels of a payload", &limits::max_json_depth, 9,
                 [=](std::size_t n) { return event(nested(n)) + event("[DONE]"); }, too_deep});
  all.push_back({"levels of a payload whose shape is known", &limits::max_json_depth, 9,
                 [=](std::size_t n) {
                   return event(nested(4)) + event(nested(4)) + event(nested(n)) + event("[DONE]");
                 },
                 too_deep});
}

void add_markers(std::vector<row>& all) {
  all.push_back({"text withheld", &limits::max_marker_bytes, 24,
                 [](std::size_t n) { return one_text("x[" + std::string(n - 5, 'y') + "](b) z"); },
                 cites_nothing});
  all.push_back({"a label", &limits::max_label_bytes, 12,
                 [](std::size_t n) { return one_text("x [" + std::string(n, 'y') + "](b) z"); },
                 cites_nothing});
  all.push_back({"an identifier", &limits::max_identifier_bytes, 12,
                 [](std::size_t n) { return one_text("x [A](" + std::string(n, 'y') + ") z"); },
                 cites_nothing});
  all.push_back({"an identifier in angle brackets", &limits::max_identifier_bytes, 12,
                 [](std::size_t n) { return one_text("x [A](<" + std::string(n, 'y') + ">) z"); },
                 cites_nothing});
  all.push_back({"a title", &limits::max_title_bytes, 12,
                 [](std::size_t n) { return one_text("x [A](b \"" + std::string(n, 'y') + "\") z"); },
                 cites_nothing});
  all.push_back({"parentheses", &limits::max_parentheses, 4,
                 [](std::size_t n) { return one_text("x [A](b" + many("(", n) + many(")", n) + ") z"); },
                 cites_nothing});
}

void add_numbers(std::vector<row>& all) {
  // The number is still a citation, and its address remains in the text.
  const auto number_alone = [](const outcome& got) { return got.markers == std::vector<std::string>{"[1]"}; };
  all.push_back({"an address behind a number", &limits::max_identifier_bytes, 14,
                 [](std::size_t n) { return one_text("x [[1]](http://" + std::string(n - 7, 'y') + ") z"); },
                 number_alone, reading(numeric_grammar)});
  all.push_back(
      {"parentheses in an address behind a number", &limits::max_parentheses, 4,
       [](std::size_t n) { return one_text("x [[1]](http://u" + many("(", n) + many(")", n) + ") z"); },
       number_alone, reading(numeric_grammar)});
}

void add_answers(std::vector<row>& all) {
  all.push_back(
      {"citations", &limits::max_citations, 4,
       [](std::size_t n) { return one_text("x" + many(" [A](b)", n)); },
       [](const outcome& got) { return got.run.out.find("[A](b)") < got.run.out.find("version"); }});
  // The first has 8 bytes: 6 of marker, 1 of label, 1 of identifier. A title is part of the marker only.
  all.push_back(
      {"bytes of citations", &limits::max_citation_bytes, 30,
       [](std::size_t n) { return one_text("x [A](b) [A](b \"" + std::string(n - 19, 'y') + "\")"); },
       [](const outcome& got) { return got.markers.size() == 1; }});
  all.push_back({"bytes of references", &limits::max_reference_bytes, 60,
                 [](std::size_t n) {
                   const std::vector<std::string> urls{"http://u/", "http://v/"};
                   return event(chunk("x")) + references(urls, std::string(n - 18, 'y'));
                 },
                 [](const outcome& got) { return got.dropped == 1 && got.references == 1; }});
  all.push_back({"references", &limits::max_references, 3,
                 [](std::size_t n) {
                   std::vector<std::string> urls;
                   for (std::size_t i = 0; i < n; ++i) urls.push_back("http://u/" + std::to_string(i));
                   return event(chunk("x")) + references(urls);
                 },
                 [](const outcome& got) { return got.dropped == 1 && got.references == 3; }});
}

void add_streams(std::vector<row>& all) {
  all.push_back({"bytes of records", &limits::max_addition_bytes, 420,
                 padded(session_options{}, two_titles, last_record),
                 [](const outcome& got) { return got.run.out.find(R"("omitted":1)") != std::string::npos; }});
  all.push_back({"bytes of printed citations", &limits::max_printed_bytes, 12,
                 [](std::size_t n) { return two_labels(n - 1); },
                 [](const outcome& got) { return got.markers.size() == 1; }, printing_with(label_style)});
  all.push_back({"bytes of the list", &limits::max_list_bytes, 80,
                 padded(printing_with(footnote_style), two_labels, last_entry), lists_less,
                 printing_with(footnote_style)});
  all.push_back({"choices", &limits::max_choices, 3,
                 [](std::size_t n) {
                   std::string stream;
                   for (std::size_t i = 0; i < n; ++i) stream += event(chunk("x [A](b)", {}, i));
                   return stream + event("[DONE]");
                 },
                 [](const outcome& got) { return got.choices == 3 && got.run.counts.passed_through == 1; }});
  all.push_back({"texts of a choice", &limits::max_texts, 3,
                 [](std::size_t n) {
                   std::string stream = event(R"({"type":"start"})");
                   for (std::size_t i = 0; i < n; ++i) {
                     const std::string id = R"("id":")" + std::to_string(i) + '"';
                     stream += event(R"({"type":"text-start",)" + id + "}") +
                               event(R"({"type":"text-delta",)" + id + R"x(,"delta":"x [A](b) y"})x") +
                               event(R"({"type":"text-end",)" + id + "}");
                   }
                   return stream + event(R"({"type":"finish"})") + event("[DONE]");
                 },
                 [](const outcome& got) {
                   return got.run.counts.passed_through == 3 && got.markers.size() == 3 &&
                          got.run.out.find("x [A](b) y") != std::string::npos;
                 }});
  all.push_back({"choices in one event", &limits::max_choices, 3,
                 [](std::size_t n) {
                   std::string payload = R"({"object":"chat.completion.chunk","choices":[)";
                   for (std::size_t i = 0; i < n; ++i) {
                     payload += (i > 0 ? R"(,{"index":)" : R"({"index":)") + std::to_string(i) +
                                R"(,"delta":{"content":"x"}})";
                   }
                   return event(payload + "]}") + event("[DONE]");
                 },
                 [](const outcome& got) { return got.choices == 0 && got.run.counts.passed_through == 1; }});
  all.push_back({"records of the egress guard", &limits::max_egress_records, 3,
                 [](std::size_t n) { return one_text("x" + many(" ![a](//b)", n)); },
                 [](const outcome& got) { return got.run.out.find(R"("omitted":1)") != std::string::npos; },
                 enforcing()});
  all.push_back({"text that is kept to check claims", &limits::max_checked_bytes, 20,
                 [](std::size_t n) {
                   return event(chunk(std::string(n, 'x') + " [A](http://b)")) +
                          references({"http://b"}, "t");
                 },
                 has_no_verdict, checking()});
  all.push_back({"claims and references compared", &limits::max_compared_bytes, 30,
                 [](std::size_t n) {
                   return event(chunk("Tea sells. [A](http://b)")) +
                          references({"http://b"}, std::string(n - 10, 't'));
                 },
                 has_no_verdict, checking()});
  // Used in turn, so that with one too many each is evicted before it is used again.
  all.push_back({"shapes of events", &limits::max_envelopes, 3,
                 [](std::size_t n) {
                   std::string stream;
                   for (std::size_t i = 0; i < 4 * n; ++i) {
                     stream += event(chunk("x", ",\"" + std::string(1 + i % n, 'k') + "\":true"));
                   }
                   return stream + event("[DONE]");
                 },
                 [](const outcome& got) { return got.run.counts.known_shape == 0; }});
}

std::vector<row> rows() {
  std::vector<row> all;
  for (const auto add : {add_events, add_levels, add_markers, add_numbers, add_answers, add_streams})
    add(all);
  return all;
}

}  // namespace

TEST_CASE("every limit takes effect at the same byte for every cut") {
  for (const row& one : rows()) {
    session_options options = one.options;
    options.bounds.*one.field = one.bound;
    session cut(options);
    for (const std::size_t n : {one.bound - 1, one.bound, one.bound + 1}) {
      const std::string stream = one.stream(n);
      CAPTURE(one.name, n, one.bound, stream);
      session whole(options);
      const outcome expected = outcome_of(whole, {stream});
      CAPTURE(expected.run.out);
      CHECK(one.exceeded(expected) == (n > one.bound));
      if (one.field == &limits::max_envelopes) continue;  // affects only the speed
      const auto check = [&](const pieces& parts) {
        cut.reset();
        if (!(outcome_of(cut, parts) == expected)) FAIL_CHECK("cut behind " << parts.front().size());
      };
      const std::string_view bytes = stream;
      for (std::size_t at = 1; at < bytes.size(); ++at) check({bytes.substr(0, at), bytes.substr(at)});
      for (const std::size_t size : {1U, 2U, 3U}) check(cut_every(bytes, size));
    }
    session unbounded(one.options);
    CHECK_FALSE(one.exceeded(outcome_of(unbounded, {one.stream(one.bound + 1)})));
  }
}

TEST_CASE("the body limit takes effect at the same byte in every interface") {
  const std::string body =
      R"({"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a [A](b) "}}]})";
  limits bounds;
  bounds.max_body_bytes = body.size();
  session_options options;
  options.bounds = bounds;
  session work(options);
  provenance_options provenance;
  provenance.bounds = bounds;
  for (const std::size_t n : {body.size() - 1, body.size(), body.size() + 1}) {
    CAPTURE(n);
    // A body with one byte less is incomplete.
    const std::string given = n < body.size() ? body.substr(0, n) : body + std::string(n - body.size(), ' ');
    const errc expected = n < body.size()   ? errc::invalid_json
                          : n > body.size() ? errc::body_too_large
                                            : errc::ok;
    std::string out;
    work.reset();
    const errc rewritten = n < body.size() ? errc::upstream_incomplete : expected;
    CHECK(work.rewrite_body(given, out).code == rewritten);
    CHECK((out == given) == (n != body.size()));
    std::vector<reference> sources;
    CHECK(add_provenance(given, provenance, out, sources).code == expected);
    CHECK(add_inline_citations(given, out, bounds).code == expected);
  }
}

TEST_CASE("every limit is tested") {
  std::set<std::size_t> offsets;
  const limits bounds;
  const auto note = [&](std::size_t limits::*field) {
    offsets.insert(static_cast<std::size_t>(reinterpret_cast<const char*>(&(bounds.*field)) -
                                            reinterpret_cast<const char*>(&bounds)));
  };
  for (const row& one : rows()) note(one.field);
  note(&limits::max_body_bytes);
  CHECK(offsets.size() == sizeof(limits) / sizeof(std::size_t));
}
