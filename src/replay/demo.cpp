#include "demo.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/code_point.hpp"
#include "rewrite/json.hpp"

namespace citestream {
namespace {

struct file_reference {
  std::string_view text;
  std::string_view file_id;
  std::string_view score;
  int page;
  bool cited;  ///< has the member `cite`, by which the model cites it; here the file's id
};

struct web_reference {
  std::string_view text;
  std::string_view url;
  std::string_view title;
  std::string_view score;
};

/// One choice of an answer: its text and its references.
struct demo_choice {
  std::string_view text;
  std::vector<file_reference> files;
  std::vector<web_reference> web;
};

constexpr std::string_view datasheet = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
constexpr std::string_view manual = "16fd2706-8baf-433b-82eb-8c7fada847da";
constexpr std::string_view price_list = "6fa459ea-ee8a-4ca4-894e-db77e160355e";

bool is_word(char byte) {
  return ascii::is_alphanumeric(byte) || !ascii::is_ascii(byte);
}

/// Divides \p text like a model's tokens: a word with the space or mark before it, long words and numbers in
/// pieces, other marks alone. A link therefore spans many tokens. Characters are not divided.
std::vector<std::string_view> tokens_of(std::string_view text) {
  constexpr std::size_t longest_word = 6;
  std::vector<std::string_view> out;
  while (!text.empty()) {
    std::size_t end = 1;
    if (text.size() > 1 && (text[0] == ' ' || text[0] == '-' || text[0] == '_') && is_word(text[1])) end = 2;
    const bool word = is_word(text[end - 1]);
    while (word && end < text.size() && is_word(text[end]) &&
           (end < longest_word || is_continuation(text[end]))) {
      ++end;
    }
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

std::string references_json(const demo_choice& from) {
  std::string out = "{\"files\":";
  append_json_array(from.files, out, [&](const file_reference& file) {
    out += "{\"text\":" + json_string(file.text) + ",\"fileId\":" + json_string(file.file_id);
    out.append(",\"score\":").append(file.score);
    out += ",\"page\":" + std::to_string(file.page);
    out += ",\"cite\":" + (file.cited ? json_string(file.file_id) : "null") + '}';
  });
  append_json_list("web", from.web, out, [&](const web_reference& page) {
    out += "{\"text\":" + json_string(page.text) + ",\"url\":" + json_string(page.url);
    out += ",\"title\":" + json_string(page.title);
    out.append(",\"score\":").append(page.score).append("}");
  });
  return out + '}';
}

/// `graph_data` of all events but the last.
constexpr std::string_view empty_graph_data = R"({"sources":null,"status":null,"subqueries":null})";

std::string final_graph_data(const demo_choice& from) {
  std::string out = "{\"sources\":";
  append_json_array(from.files, out, [&](const file_reference& file) {
    out += "{\"file_id\":" + json_string(file.file_id) + ",\"snippet\":" + json_string(file.text) + '}';
  });
  return out + R"(,"status":"finished","subqueries":[],"references":)" + references_json(from) + '}';
}

/// Writes events like Writer's `chat.completion.chunk`: every key is present, `message` repeats `delta`.
class event_writer {
 public:
  event_writer(std::string_view id, std::string_view model) : id_(id), model_(model) {}

  [[nodiscard]] std::string choice(std::size_t index, std::string_view content, std::string_view graph_data,
                                   std::string_view finish_reason) const {
    std::string delta = "{\"content\":";
    delta.append(content).append(R"(,"role":"assistant","tool_calls":null,"graph_data":)").append(graph_data);
    delta += R"(,"llm_data":null,"image_data":null,"translation_data":null,"web_search_data":null,)"
             R"("refusal":null})";
    std::string out = "{\"index\":" + std::to_string(index) + ",\"finish_reason\":";
    out.append(finish_reason).append(",\"message\":").append(delta).append(",\"delta\":").append(delta);
    return event(out + R"(,"logprobs":null,"trace_details":null})", "null");
  }

  [[nodiscard]] std::string usage(std::size_t completion_tokens) const {
    constexpr std::size_t prompt_tokens = 1200;
    return event("", "{\"prompt_tokens\":" + std::to_string(prompt_tokens) +
                         ",\"completion_tokens\":" + std::to_string(completion_tokens) +
                         ",\"total_tokens\":" + std::to_string(prompt_tokens + completion_tokens) + '}');
  }

 private:
  [[nodiscard]] std::string event(const std::string& choices, const std::string& usage) const {
    return "data: {\"id\":" + json_string(id_) + R"(,"object":"chat.completion.chunk","choices":[)" +
           choices + "],\"created\":1764547200,\"model\":" + json_string(model_) + ",\"usage\":" + usage +
           R"(,"system_fingerprint":"v1","service_tier":null})" + "\n\n";
  }

  std::string_view id_;
  std::string_view model_;
};

/// The pace of a model: 200 ms until the first token, then 25 to 40 ms per token. The same in every run.
class pacing {
 public:
  /// \param choices  number of interleaved answers, each of which has the full pace
  explicit pacing(std::size_t choices) : choices_(static_cast<double>(choices)) {}

  double next() {
    const double now = seconds_;
    random_ = random_ * 1664525U + 1013904223U;  // Numerical Recipes' linear congruential generator
    seconds_ += (0.025 + 0.015 * (random_ >> 16U) / 65535.0) / choices_;
    return now;
  }

 private:
  double choices_;
  double seconds_{0.2};
  std::uint32_t random_{1};
};

recording record(std::string_view name, std::string_view id, const std::vector<demo_choice>& choices) {
  const event_writer events(id, name);
  pacing time(choices.size());
  std::vector<recording_piece> pieces;
  const auto send = [&](std::string event) { pieces.push_back({time.next(), std::move(event)}); };

  std::vector<std::vector<std::string_view>> tokens;
  for (const demo_choice& each : choices) {
    send(events.choice(tokens.size(), "null", empty_graph_data, "null"));
    tokens.push_back(tokens_of(each.text));
  }
  std::size_t count = 0;
  std::size_t going = choices.size();
  for (std::size_t turn = 0; going != 0; ++turn) {
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (turn < tokens[i].size()) {
        send(events.choice(i, json_string(tokens[i][turn]), empty_graph_data, "null"));
        ++count;
      } else if (turn == tokens[i].size()) {
        send(events.choice(i, "null", final_graph_data(choices[i]), "\"stop\""));
        --going;
      }
    }
  }
  send(events.usage(count));
  return {std::string(name), std::move(pieces), true};
}

demo_choice files_and_web() {
  return {
      "The Aurora 4 delivers 12.4 kW at −7 °C "
      "[Aurora_4_Datasheet.pdf](7c9e6679-7425-40de-944b-e07fc1f90ae7), and its circulation pump draws at "
      "most "
      "45 W [Aurora_4_Datasheet.pdf](7c9e6679-7425-40de-944b-e07fc1f90ae7).\n\n"
      "Service is due every 24 months; the filter is rinsed, not replaced "
      "([Service_Manual.pdf](16fd2706-8baf-433b-82eb-8c7fada847da)). "
      "Testers measured 34 dB at three metres "
      "[Quiet Homes Test](https://example.org/tests/heat_pumps_(2025)), "
      "and installers like it 👍 [Installer Survey](https://example.com/survey?year=2025).",
      {{"Heating capacity A-7/W35: 12.4 kW.", datasheet, "0.94", 3, true},
       {"Circulation pump: 5 to 45 W, speed controlled.", datasheet, "0.88", 7, true},
       {"Every 24 months rinse the filter behind the left panel. It need not be replaced.", manual, "0.91",
        41, true},
       {"Aurora 4, indoor unit: price on request.", price_list, "0.42", 2, false}},
      {{"The Aurora 4 was the quietest of nine units: 34 dB at 3 m.",
        "https://example.org/tests/heat_pumps_(2025)", "Heat pumps, tested for quiet homes", "0.86"},
       {"Eight of ten installers would choose the unit again.", "https://example.com/survey?year=2025",
        "Installer Survey 2025", "0.79"}}};
}

std::vector<demo_choice> two_choices() {
  return {{"In short: rinse the filter every 24 months "
           "[Service_Manual.pdf](16fd2706-8baf-433b-82eb-8c7fada847da).",
           {{"Every 24 months rinse the filter behind the left panel.", manual, "0.91", 41, true}},
           {}},
          {"The filter sits behind the left panel "
           "[Service_Manual.pdf](16fd2706-8baf-433b-82eb-8c7fada847da); a clean one saves about 4 % of power "
           "[Installer Survey](https://example.com/survey?year=2025).",
           {{"Every 24 months rinse the filter behind the left panel.", manual, "0.91", 41, true}},
           {{"A rinsed filter lowered consumption by 4 % on average.", "https://example.com/survey?year=2025",
             "Installer Survey 2025", "0.79"}}}};
}

demo_choice one_unresolved() {
  return {
      "The warranty covers five years [Service_Manual.pdf](16fd2706-8baf-433b-82eb-8c7fada847da) and can be "
      "extended to ten [Warranty_Terms.pdf](00000000-0000-4000-8000-000000000000).",
      {{"Warranty: five years from the day of commissioning.", manual, "0.83", 4, true}},
      {}};
}

}  // namespace

std::vector<recording> demo_recordings() {
  return {record("demo", "5b2d8f5e-6a43-4c1e-9d5a-2f4f3c1a0b01", {files_and_web()}),
          record("demo-two-choices", "5b2d8f5e-6a43-4c1e-9d5a-2f4f3c1a0b02", two_choices()),
          record("demo-unresolved", "5b2d8f5e-6a43-4c1e-9d5a-2f4f3c1a0b03", {one_unresolved()})};
}

}  // namespace citestream
