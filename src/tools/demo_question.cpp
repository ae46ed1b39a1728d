// The content of each event is printed as it arrives. The last citation record is stored and printed at the
// end.
#include "demo_question.hpp"

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <set>
#include <string_view>

#include "framing/sse_decoder.hpp"
#include "json_post.hpp"

namespace citestream::tools {

namespace {

constexpr std::string_view question =
    R"({"model":"demo","stream":true,"messages":[{"role":"user","content":"How quiet is the Aurora 4?"}]})";

/// Prints the text of an answer as it arrives and its citations at the end.
class answer_printer {
 public:
  explicit answer_printer(std::FILE* out) : out_(out) {}

  void take(std::string_view bytes) {
    events_.feed(bytes);
    frame item;
    while (events_.next(item)) {
      if (item.kind == frame_kind::event) take_event(item);
    }
    std::fflush(out_);
  }

  /// Prints the citations. \return true if the answer is complete and reported no error
  [[nodiscard]] bool end() {
    std::fputs("\n\n", out_);
    print_citations();
    std::fflush(out_);
    return finished_ && !failed_;
  }

 private:
  void take_event(const frame& event) {
    failed_ = failed_ || event.event == "error";
    if (payload_.parse(event.data)) return;
    const json_value choice = payload_.root()["choices"][0];
    print(choice["delta"]["content"].string());
    finished_ = finished_ || choice["finish_reason"].is_string();
    if (const json_value record = payload_.root()["citestream"]) record_ = record.raw();
  }

  void print(std::string_view text) const { std::fwrite(text.data(), 1, text.size(), out_); }

  void print_citations() {
    if (record_.empty() || payload_.parse(record_)) return;
    print("Citations\n");
    std::set<std::int64_t> shown;
    for (const json_value& one : payload_.root()["citations"]) {
      const std::int64_t number = one["number"].integer().value_or(0);
      if (!shown.insert(number).second) continue;
      print("  [" + std::to_string(number) + "] ");
      print_source(one);
      print("  (");
      print(one["status"].string());
      print(")\n");
    }
  }

  void print_source(const json_value& citation) const {
    const std::string_view title = citation["title"].string();
    print(title.empty() ? citation["label"].string() : title);
    if (const auto page = citation["page"].integer()) print(", page " + std::to_string(*page));
    if (const std::string_view url = citation["url"].string(); !url.empty()) {
      print(", ");
      print(url);
    }
  }

  std::FILE* out_;
  sse_decoder events_;
  document payload_;
  std::string record_;
  bool finished_{};
  bool failed_{};
};

}  // namespace

std::string ask_demo_question(const std::string& address, std::FILE* out) {
  http::upstream_url url;
  std::string why = http::parse_upstream_url("http://" + address + "/v1/chat", url);
  if (!why.empty()) return why;
  answer_printer printer(out);
  why = post_json(url, question, no_limit, [&](std::string_view bytes) {
    printer.take(bytes);
    return true;
  });
  if (!why.empty()) return address + ' ' + why;
  return printer.end() ? std::string{} : "the answer was cut off";
}

std::string demo_curl_line(const std::string& address) {
  return "curl -N http://" + address + "/v1/chat -d '{\"model\":\"demo\",\"stream\":true}'";
}

}  // namespace citestream::tools
