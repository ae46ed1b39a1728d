// Runs the Markdown files of golden/: a payload in a `json` fence, then the result of reading it in a
// `trace` fence. The first word after `json` is the kind of payload. A second word names a dialect that reads
// it without recognising it first, as later in a stream.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/data.hpp"
#include "support/json_model.hpp"

using namespace citestream;

namespace {

struct golden_case {
  std::string title;
  payload_kind kind{};
  std::string forced;
  std::string payload;
  std::string trace;
};

std::vector<golden_case> read_cases(const std::filesystem::path& file) {
  std::istringstream lines(citestream_tests::read_file(file));
  std::vector<golden_case> cases;
  std::string title;
  std::string fence;
  for (std::string line; std::getline(lines, line);) {
    if (fence.empty() && line.rfind("## ", 0) == 0) title = line.substr(3);
    if (line.rfind("```", 0) == 0) {
      std::istringstream words(line.substr(3));
      std::string kind;
      if (!fence.empty() || !(words >> fence)) {
        fence.clear();
      } else if (fence == "json") {
        golden_case& made = cases.emplace_back();
        made.title = title;
        words >> kind >> made.forced;
        made.kind = kind == "body" ? payload_kind::body : payload_kind::event;
      }
      continue;
    }
    if (fence == "json") cases.back().payload += (cases.back().payload.empty() ? "" : "\n") + line;
    if (fence == "trace") cases.back().trace += line + '\n';
  }
  return cases;
}

std::string_view slot_name(text_slot slot) {
  switch (slot) {
    case text_slot::string:
      return "string";
    case text_slot::null:
      return "null";
    case text_slot::absent:
      return "absent";
    case text_slot::none:
      break;
  }
  return "none";
}

class tracer {
 public:
  explicit tracer(const golden_case& source) : source_(source) {}

  std::string run() {
    document doc;
    if (doc.parse(source_.payload)) return "not JSON\n";
    const dialect* reader = find_dialect(source_.forced);
    if (reader == nullptr) {
      for (const dialect* candidate : dialects()) {
        if (candidate->signs.in_messages && source_.kind == payload_kind::event) continue;
        if (reader == nullptr && candidate->recognise(doc.root(), source_.kind)) reader = candidate;
      }
    }
    if (reader == nullptr) return "unknown\n";
    const dialect_event& event = event_;
    const bool known = reader->read(doc.root(), source_.kind, event_);
    out_ << reader->name << (known ? "" : ": passes") << '\n';
    if (!known) return out_.str();
    if (!event.root) out_ << "no root\n";
    if (event.root && event.root.raw() != doc.root().raw()) out_ << "root " << event.root.raw() << '\n';
    if (event.signals.error) out_ << "error\n";
    if (event.signals.end) out_ << "end\n";
    if (event.signals.last) out_ << "last\n";
    if (event.signals.resumable) out_ << "resumable\n";
    for (const choice_event& choice : event.choices) trace(choice);
    for (const found_reference& found : event.references) trace(found);
    for (const native_annotation& found : event.annotations) trace(found);
    for (const text_repeat& found : event.repeats) trace(found);
    if (event.numbering.token) trace_number(event);
    if (event.signals.annotates) out_ << "annotates\n";
    return out_.str();
  }

 private:
  std::string bytes(byte_range range) const { return source_.payload.substr(range.begin, range.size()); }

  void trace(text_unit unit) {
    if (unit == last_text) {
      out_ << " the last text";
    } else if (unit == only_text) {
      out_ << " the only text";
    } else if (unit != text_unit{}) {
      out_ << " unit " << unit.item << '.' << unit.part;
    }
  }

  void trace_number(const dialect_event& event) {
    out_ << "annotation number " << bytes(*event.numbering.token);
    if (event.numbering.by_text) out_ << " of its text";
    out_ << '\n';
  }

  void trace(const native_annotation& found) {
    out_ << "annotation of";
    trace(found.unit);
    if (found.start_token || found.end_token) {
      out_ << ": " << found.start << ".." << found.end << " {" << found.source << "}";
      if (found.start_token) out_ << " start " << bytes(*found.start_token);
    } else {
      out_ << ": no position {" << found.source << "}";
    }
    if (found.end_token) out_ << " end " << bytes(*found.end_token);
    if (found.counted_in != offset_unit::codepoint) out_ << " in " << name(found.counted_in);
    if (found.quote_token) out_ << " quote " << bytes(*found.quote_token);
    out_ << '\n';
  }

  void trace(const text_repeat& found) {
    out_ << "repeat of";
    trace(found.unit);
    out_ << ": {" << found.text << '}';
    if (found.token) out_ << " token " << bytes(*found.token);
    if (found.list)
      out_ << " annotations " << found.begin << ".." << found.end << " in " << bytes(*found.list);
    out_ << '\n';
  }

  void trace(const choice_event& choice) {
    out_ << "choice " << choice.choice << ": " << slot_name(choice.slot);
    trace(choice.unit.id);
    if (choice.slot == text_slot::string) out_ << " {" << choice.text << '}';
    if (choice.slot == text_slot::string || choice.slot == text_slot::null)
      out_ << " token " << bytes(choice.token);
    if (choice.mirror.token)
      out_ << " mirror " << bytes(*choice.mirror.token) << '@' << choice.mirror.token->begin;
    if (choice.mirror.accumulates) out_ << " accumulated {" << choice.mirror.text << '}';
    if (choice.keeps_text) out_ << " kept";
    if (choice.holder.annotations) out_ << " annotations " << bytes(*choice.holder.annotations);
    if (choice.unit.begins) out_ << " begun";
    if (choice.needs_text) out_ << " never empty";
    if (choice.unit.pauses) out_ << " pauses";
    if (choice.unit.ends) out_ << " ended";
    if (!choice.unit.name.empty() && !choice.unit.ends) out_ << " id " << choice.unit.name;
    if (choice.end.here) out_ << " finished";
    if (!choice.end.reason.empty()) out_ << " (" << choice.end.reason << ')';
    if (!choice.end.expected) out_ << " endless";
    if (choice.holder.can_annotate) out_ << " annotatable";
    out_ << '\n';
    trace_cited("before", choice.cited.begin, choice.cited.text);
    trace_cited("behind", choice.cited.text, choice.cited.end);
    if (choice.holder.object)
      out_ << "  ." << choice.holder.content_key << " in " << bytes(*choice.holder.object) << '\n';
  }

  void trace_cited(const char* where, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    out_ << "  cited " << where << ':';
    for (std::size_t i = begin; i < end; ++i) out_ << ' ' << event_.cited.at(i);
    out_ << '\n';
  }

  void trace(const found_reference& found) {
    out_ << "reference";
    if (found.choice) out_ << " of " << *found.choice;
    const reference& ref = found.ref;
    out_ << ": " << name(ref.type);
    const std::pair<const char*, const std::string*> fields[] = {
        {"id", &ref.id}, {"cite", &ref.cite}, {"title", &ref.title}, {"url", &ref.url}, {"text", &ref.text}};
    for (const auto& [field, value] : fields) {
      if (!value->empty()) out_ << ' ' << field << '=' << *value;
    }
    if (ref.score) out_ << " score=" << *ref.score;
    if (ref.page) out_ << " page=" << *ref.page;
    if (ref.number) out_ << " number=" << *ref.number;
    out_ << '\n';
  }

  const golden_case& source_;
  dialect_event event_;
  std::ostringstream out_;
};

std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(CITESTREAM_SOURCE_DIR) /
                                                               "tests/dialect/golden"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns the values of \p payload, a list as an object and an object as a list.
std::string other_container(const citestream_tests::model_value& value, const std::string& payload) {
  const bool list = value.kind == json_kind::array;
  std::string out(1, list ? '{' : '[');
  for (const auto& child : value.children) {
    if (out.size() > 1) out += ',';
    if (list) out += "\"k" + std::to_string(child.begin) + "\":";
    out += payload.substr(child.begin, child.end - child.begin);
  }
  return out + (list ? '}' : ']');
}

/// Passes \p payload to \p take, each time with one value that has another type.
template <typename Take>
void each_type(const citestream_tests::model_value& value, const std::string& payload, const Take& take) {
  const bool container = value.kind == json_kind::array || value.kind == json_kind::object;
  const std::string raw = payload.substr(value.begin, value.end - value.begin);
  for (const std::string& other :
       {container ? other_container(value, payload) : '[' + raw + ']', "{\"k\":" + raw + '}',
        std::string("null"), std::string("\"\""), std::string("-1"), std::string("[]"), std::string("{}")}) {
    take(payload.substr(0, value.begin) + other + payload.substr(value.end));
  }
  for (const auto& child : value.children) each_type(child, payload, take);
}

}  // namespace

TEST_CASE("a golden payload in which any value has another type is read safely") {
  std::size_t ran = 0;
  for (const auto& file : golden_files()) {
    for (golden_case source : read_cases(file)) {
      const auto json = citestream_tests::read_model(source.payload);
      if (!json) continue;
      each_type(*json, std::string(source.payload), [&](const std::string& payload) {
        source.payload = payload;
        INFO(file.filename().string() << ": " << source.title << ": " << payload);
        CHECK(tracer(source).run() != "not JSON\n");  // each range that it shows is in the payload
        ++ran;
      });
    }
  }
  CHECK(ran >= 10'000);
}

TEST_CASE("every golden payload is read as its trace shows") {
  std::size_t ran = 0;
  for (const auto& file : golden_files()) {
    for (const golden_case& source : read_cases(file)) {
      INFO(file.filename().string() << ": " << source.title);
      CHECK(tracer(source).run() == source.trace);
      ++ran;
    }
  }
  CHECK(ran >= 40);
}
