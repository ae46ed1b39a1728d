// How raw markers are found.
//
// Each form of marker is a function that reads one marker at the start of a text and returns its size, or 0.
// The search tries all chosen forms at each position. Code, escaped characters and images are skipped.
// Markers have at most a few kilobytes, so this is linear in practice and needs no state. It is deliberately
// simpler than the library's scanner, which it checks.
#include "raw_markers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>

#include "base/ascii.hpp"
#include "base/web_url.hpp"

namespace citestream::load {
namespace {

constexpr std::size_t max_label = 256;
constexpr std::size_t max_identifier = 2048;

using ascii::is_alphanumeric;
using ascii::is_control;
using ascii::is_digit;

/// A position in the text. Each function advances it past what it reads, or returns false.
struct place {
  std::string_view rest;

  bool literal(std::string_view what) {
    if (!rest.starts_with(what)) return false;
    rest.remove_prefix(what.size());
    return true;
  }
  template <typename Accept>
  bool run(const Accept& accept, std::size_t at_most, std::string_view* read = nullptr) {
    const auto end = std::find_if_not(rest.begin(), rest.end(), accept);
    const auto size = static_cast<std::size_t>(end - rest.begin());
    if (size == 0 || size > at_most) return false;
    if (read != nullptr) *read = rest.substr(0, size);
    rest.remove_prefix(size);
    return true;
  }
  void blanks() {
    while (rest.starts_with(' ')) rest.remove_prefix(1);
  }
};

using form = std::function<std::size_t(std::string_view)>;

/// Returns the number of bytes of \p text before \p at.
std::size_t read_size(std::string_view text, const place& at) {
  return text.size() - at.rest.size();
}

bool is_uuid(std::string_view text) {
  constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return text.size() == shape.size() && std::ranges::equal(text, shape, [](char c, char s) {
           return s == '-' ? c == '-' : ascii::is_hex_digit(c);
         });
}

bool is_of_kind(std::string_view identifier, const std::string& kind) {
  if (kind == "uuid") return is_uuid(identifier);
  return kind != "url" || !web_scheme(identifier).empty();
}

/// `[label](identifier)`, optionally with a title after the identifier.
std::size_t read_link(std::string_view text, const std::string& kind) {
  place at{text};
  std::string_view identifier;
  const auto label = [](char c) { return c != '[' && c != ']' && c != '\n'; };
  const auto destination = [](char c) {
    return !is_control(c) && c != ' ' && c != '(' && c != ')' && c != '<';
  };
  const auto title = [](char c) { return c != '"' && c != '\n'; };
  if (!at.literal("[") || !at.run(label, max_label) || !at.literal("](")) return 0;
  if (!at.run(destination, max_identifier, &identifier) || !is_of_kind(identifier, kind)) return 0;
  if (at.literal(" \"") && (!at.run(title, max_label) || !at.literal("\""))) return 0;
  return at.literal(")") ? read_size(text, at) : 0;
}

/// `[1]`, `[1, 2]`, `[1-3]`, `[^1]`.
std::size_t read_numeric(std::string_view text) {
  constexpr std::size_t most_digits = 4;
  place at{text};
  if (!at.literal("[")) return 0;
  static_cast<void>(at.literal("^"));
  do {
    at.blanks();
    if (!at.run(is_digit, most_digits)) return 0;
  } while (at.literal(",") || at.literal("-") || at.literal("–"));
  return at.literal("]") ? read_size(text, at) : 0;
}

/// `[src_1]`, `[doc1]`, `[doc:0]`, `[Source 1]`.
std::size_t read_source(std::string_view text) {
  constexpr std::size_t most_digits = 4;
  constexpr std::array<std::string_view, 7> words{"[src_",    "[src",     "[doc:", "[doc",
                                                  "[Source ", "[source ", "[Doc "};
  for (const std::string_view word : words) {
    place at{text};
    if (at.literal(word) && at.run(is_digit, most_digits) && at.literal("]")) return read_size(text, at);
  }
  return 0;
}

/// Reads a marker between \p begin and \p end. The text between them must not contain any byte of \p never.
std::size_t read_between(std::string_view text, std::string_view begin, std::string_view end,
                         std::string_view never) {
  place at{text};
  if (!at.literal(begin)) return 0;
  const std::size_t size = at.rest.substr(0, max_identifier + end.size()).find(end);
  if (size == std::string_view::npos || size == 0) return 0;
  if (at.rest.substr(0, size).find_first_of(never) != std::string_view::npos) return 0;
  at.rest.remove_prefix(size + end.size());
  return read_size(text, at);
}

/// `[cite: 1, 2]`, `[cite_start]`, `[cite_end]`.
std::size_t read_cite(std::string_view text) {
  for (const std::string_view word : {"[cite_start]", "[cite_end]"}) {
    if (text.starts_with(word)) return word.size();
  }
  return read_between(text, "[cite:", "]", "[\n");
}

/// `<co>text</co: 0,1>` or `<citation>key</citation>`.
std::size_t read_tag(std::string_view text) {
  const std::size_t size = read_between(text, "</co: ", ">", "<\n");
  return size != 0 ? size : read_between(text, "<citation>", "</citation>", "<\n");
}

/// U+E200 `cite` or `filecite` … U+E201.
std::size_t read_private(std::string_view text) {
  const std::size_t size = read_between(text, "\uE200cite", "\uE201", "\r\n");
  return size != 0 ? size : read_between(text, "\uE200filecite", "\uE201", "\r\n");
}

/// Reads a marker of a user's pattern. A field matches any bytes except control bytes, the first byte of the
/// pattern and the byte that follows the field.
std::size_t read_pattern(std::string_view text, std::string_view pattern) {
  place at{text};
  for (std::size_t i = 0; i < pattern.size();) {
    const bool doubled = i + 1 < pattern.size() && pattern[i] == pattern[i + 1];
    if (pattern[i] == '{' && !doubled) {
      const std::size_t close = pattern.find('}', i);
      const char next = close + 1 < pattern.size() ? pattern[close + 1] : '\0';
      const auto field = [&](char c) { return !is_control(c) && c != pattern.front() && c != next; };
      if (!at.run(field, max_identifier)) return 0;
      i = close + 1;
      continue;
    }
    if (!at.literal(pattern.substr(i, 1))) return 0;
    i += doubled && (pattern[i] == '{' || pattern[i] == '}') ? 2U : 1U;
  }
  return read_size(text, at);
}

form form_named(std::string_view name, const std::string& kind) {
  const auto word = [](char c) { return is_alphanumeric(c) || c == '-' || c == '_'; };
  if (name == "numeric") return &read_numeric;
  if (name == "source") return &read_source;
  if (name == "tag") return &read_tag;
  if (name == "cite") return &read_cite;
  if (name == "ref") return [](std::string_view text) { return read_between(text, "[REF|", "]", "[\r\n"); };
  if (name == "lenticular")
    return [](std::string_view text) { return read_between(text, "【", "】", "\r\n"); };
  if (name == "private") return &read_private;
  if (name == "file")
    return [word](std::string_view text) -> std::size_t {
      place at{text};
      if (!at.literal("<|file-") || !at.run(word, max_identifier)) return 0;
      return at.literal("|>") || at.literal(">") ? read_size(text, at) : 0;
    };
  if (name == "link") return [kind](std::string_view text) { return read_link(text, kind); };
  return {};
}

std::vector<form> forms_of(const marker_options& options, std::string_view dialect) {
  std::vector<form> out;
  for (const std::string& name : options.names) {
    if (form one = form_named(name, options.identifiers)) out.push_back(std::move(one));
  }
  for (const std::string& pattern : options.patterns)
    out.emplace_back([&pattern](std::string_view text) { return read_pattern(text, pattern); });
  if (options.names.empty()) {
    const std::string_view known = options.dialect == "auto" ? dialect : std::string_view(options.dialect);
    for (const std::string_view name : markers_of_dialect(known))
      out.push_back(form_named(name, options.identifiers));
  }
  return out;
}

/// Returns the size of the code at the start of \p text, which begins with a backtick: up to the end of the
/// next run of backticks of the same length, or the run alone without such a run.
std::size_t code_size(std::string_view text) {
  const std::size_t run = std::min(text.find_first_not_of('`'), text.size());
  for (std::size_t at = text.find('`', run); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_not_of('`', at), text.size());
    if (end - at == run) return end;
    at = text.find('`', end);
  }
  constexpr std::size_t fence = 3;  // an unclosed fence contains the rest of the text
  return run >= fence ? text.size() : run;
}

}  // namespace

bool can_find_marker(std::string_view grammar) {
  return static_cast<bool>(form_named(grammar, {}));
}

std::vector<std::string_view> markers_of_dialect(std::string_view dialect) {
  if (dialect == "perplexity" || dialect == "xai") return {"numeric"};  // links may be text
  if (dialect == "rag" || dialect == "cloudflare") return {"numeric", "source", "ref"};
  if (dialect == "azure") return {"source"};
  if (dialect == "cohere") return {"link", "tag", "source"};
  if (dialect == "gemini" || dialect == "interactions") return {"link", "cite"};
  if (dialect == "responses") return {"link", "private"};
  return {"link"};
}

std::optional<std::string> find_raw_marker(std::string_view text, const marker_options& options,
                                           std::string_view dialect) {
  const std::vector<form> forms = forms_of(options, dialect);
  bool bang = false;  // after a `!` that is not escaped: a link here is an image
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '`' || c == '\\') {
      at += c == '`' ? code_size(text.substr(at)) : 2;
      bang = false;
      continue;
    }
    for (const form& one : forms) {
      const std::size_t size = one(text.substr(at));
      if (size == 0) continue;
      const bool link = c == '[' && (text[at + size - 1] == ')' || text.substr(at + size).starts_with('('));
      if (!bang || !link) return std::string(text.substr(at, size));
    }
    bang = c == '!';
    ++at;
  }
  return std::nullopt;
}

}  // namespace citestream::load
