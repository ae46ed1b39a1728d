#include "support/composed_streams.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

namespace citestream_tests {

namespace {

constexpr std::array<std::string_view, 26> words{"The",
                                                 " sky",
                                                 " is",
                                                 " blue",
                                                 "\n\n",
                                                 ". ",
                                                 "[Report.pdf](id1)",
                                                 " [A](https://example.com/a)",
                                                 " ([B](b))",
                                                 "[",
                                                 "](",
                                                 "(",
                                                 ")",
                                                 "]",
                                                 "`",
                                                 "```\n",
                                                 "é",
                                                 "日本",
                                                 "😀",
                                                 "\\",
                                                 "\"",
                                                 "\t",
                                                 "\x7F",
                                                 "[x] (y)",
                                                 " [C](c), [D](d)",
                                                 "!"};

class composer {
 public:
  explicit composer(std::uint32_t seed) : random_(seed) {
    line_end_ = std::array<std::string_view, 3>{"\n", "\r\n", "\r"}[pick(3)];
    mirrored_ = pick(2) == 0;
    lines_ = pick(3) == 0;
  }

  composed_stream make() {
    const std::size_t count = 1 + pick(3);
    std::vector<std::vector<std::string>> deltas;
    for (std::size_t i = 0; i < count; ++i) {
      made_.texts.push_back(text());
      deltas.push_back(cut(made_.texts.back()));
      deltas.back().push_back("");  // the finish event
    }
    while (!deltas.empty()) send_some(deltas);
    if (pick(2) == 0) add_plain("data: [DONE]" + end() + end());
    return std::move(made_);
  }

 private:
  std::size_t pick(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }
  std::string end() const { return std::string(line_end_); }

  std::string text() {
    std::string made;
    for (std::size_t left = pick(40); left > 0; --left) made += words[pick(words.size())];
    return made;
  }

  std::vector<std::string> cut(const std::string& whole) {
    std::vector<std::string> parts;
    std::string part;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      const bool inside = (static_cast<unsigned char>(whole[at]) & 0xC0U) == 0x80;
      if (!inside && pick(4) == 0) parts.push_back(std::exchange(part, {}));
      part += whole[at];
    }
    parts.push_back(part);
    return parts;
  }

  void add_plain(const std::string& bytes) { made_.events.push_back({{bytes}, {}, {}}); }

  // Sends the next delta of one or several choices in one event.
  void send_some(std::vector<std::vector<std::string>>& deltas) {
    if (pick(8) == 0) add_plain(": comment" + end() + (pick(2) == 0 ? end() : ""));
    event_ = {{""}, {}, {}};
    if (pick(6) == 0) put("id: 1" + end() + ": inside" + end());
    put("data:" + std::string(pick(3) == 0 ? "" : " "));
    std::vector<std::size_t> here{pick(deltas.size())};
    if (deltas.size() > 1 && pick(4) == 0) here.push_back((here[0] + 1) % deltas.size());
    payload(deltas, here);
    put(end() + end());
    made_.events.push_back(std::move(event_));
    bool over = true;
    for (const auto& left : deltas) over = over && left.empty();
    if (over) deltas.clear();
  }

  void payload(std::vector<std::vector<std::string>>& deltas, const std::vector<std::size_t>& here) {
    object({{"id", [&] { put("\"chatcmpl-" + std::to_string(pick(1000)) + "\""); }},
            {"object", [&] { put("\"chat.completion.chunk\""); }},
            {"created", [&] { put(pick(2) == 0 ? "1.7e9" : "1700000000"); }},
            {"x\\u002dextra", [&] { put("{\"content\": [ \"not this\" , 1.50, {} ]}"); }},
            {"choices", [&] {
               put("[");
               for (std::size_t i = 0; i < here.size(); ++i) {
                 if (i > 0) put("," + blank());
                 choice(here[i], deltas[here[i]]);
               }
               put("]");
             }}});
  }

  void choice(std::size_t index, std::vector<std::string>& left) {
    const bool finish = left.size() == 1;
    const std::string delta = left.empty() ? "" : left.front();
    const bool null = left.empty() || (finish && pick(2) == 0);
    if (!left.empty()) left.erase(left.begin());
    std::vector<std::pair<std::string, std::function<void()>>> members{
        {"index", [&] { put(std::to_string(index)); }},
        {"finish_reason", [&] { put(finish ? "\"stop\"" : "null"); }},
        {"delta", [&] { holder(index, delta, null); }}};
    if (mirrored_) members.push_back({"message", [&] { holder(index, delta, null); }});
    object(members);
  }

  void holder(std::size_t index, const std::string& delta, bool null) {
    object({{"role", [&] { put("\"assistant\""); }},
            {"refusal", [&] { put("null"); }},
            {"content", [&] {
               event_.tokens.push_back(null ? "null" : json_string(delta));
               event_.choices.push_back(index);
               event_.fixed.emplace_back();
             }}});
  }

  void object(std::vector<std::pair<std::string, std::function<void()>>> members) {
    std::shuffle(members.begin(), members.end(), random_);
    put("{" + blank());
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) put("," + blank());
      put("\"" + members[i].first + "\"" + blank() + ":" + blank());
      members[i].second();
      put(blank());
    }
    put("}");
  }

  std::string blank() {
    if (lines_ && pick(6) == 0) return end() + "data:" + std::string(pick(2) == 0 ? " " : "");
    return std::array<std::string, 5>{"", "", " ", "  ", "\t"}[pick(5)];
  }

  void put(const std::string& bytes) { event_.fixed.back() += bytes; }

  void append_unit(std::uint32_t unit, std::string& out) {
    constexpr std::string_view lower = "0123456789abcdef";
    constexpr std::string_view upper = "0123456789ABCDEF";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += (pick(2) == 0 ? lower : upper)[(unit >> shift) & 15U];
  }

  // `text` as JSON. Characters are escaped if necessary, and sometimes without need.
  std::string json_string(const std::string& text) {
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
      const auto lead = static_cast<unsigned char>(text[at]);
      const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      std::uint32_t point = size == 1 ? lead : lead & (0xFFU >> (size + 1));
      for (std::size_t i = 1; i < size; ++i)
        point = point << 6U | (static_cast<unsigned char>(text[at + i]) & 63U);
      if (lead >= 0x20 && lead != '"' && lead != '\\' && pick(4) != 0) {
        out.append(text, at, size);
      } else if (lead == '/' || lead == '"' || lead == '\\') {
        out.append("\\").append(text, at, 1);
      } else if (point >= 0x10000) {
        append_unit(0xD800 + ((point - 0x10000) >> 10U), out);
        append_unit(0xDC00 + ((point - 0x10000) & 0x3FFU), out);
      } else {
        append_unit(point, out);
      }
      at += size;
    }
    return out + "\"";
  }

  std::mt19937 random_;
  std::string_view line_end_;
  bool mirrored_{};
  bool lines_{};
  composed_stream made_;
  composed_event event_;
};

}  // namespace

std::string composed_event::raw() const {
  std::string all = fixed.front();
  for (std::size_t i = 0; i < tokens.size(); ++i) all += tokens[i] + fixed[i + 1];
  return all;
}

std::string composed_stream::raw() const {
  std::string all;
  for (const composed_event& event : events) all += event.raw();
  return all;
}

composed_stream compose(std::uint32_t seed) {
  return composer(seed).make();
}

}  // namespace citestream_tests
