/// \file
/// Egress: which URLs an answer may contain, and what is reported about the others.
///
/// Text written by a model can leak data (EchoLeak, CVE-2025-32711): an image loads without a click, a link
/// with one. A URL is allowed if it is that of a reference, if a pattern allows its host, or if it is
/// relative (`#part`, `a/b.html`, `/a`). All other URLs, and all HTML except a few tags without attributes
/// and those that style `html` prints, are made inert wherever they are in the text:
/// `[a]\(https[://]host[.]example/x)`, `&lt;img`. In code a zero-width space splits the sequence, in a
/// formula a space. docs/egress.md has the rule and its limits.
#pragma once

#include <citestream/base/offsets.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

/// What the egress stage does.
enum class egress_mode : std::uint8_t {
  off,      ///< the text is not checked
  report,   ///< the text passes unchanged; the places that `enforce` would change are reported
  enforce,  ///< what is not allowed is made inert and reported
};

/// What happens to code.
enum class egress_code : std::uint8_t {
  inert,  ///< URLs and markup in code are made inert too, with invisible characters
  exact,  ///< URLs in code stay usable if every renderer reads it as code
};

/// What is not allowed.
enum class egress_kind : std::uint8_t { image, link, definition, autolink, url, html };

/// Why it is not allowed.
enum class egress_reason : std::uint8_t {
  not_allowed,  ///< neither the URL of a reference nor allowed by a pattern
  unreadable,   ///< HTML that is not on the list of harmless tags, or U+0002 or U+0003
  too_long,     ///< longer than the maximum that is held back
};

/// "image", "link", "definition", "autolink", "url" or "html".
[[nodiscard]] std::string_view name(egress_kind kind) noexcept;
/// "not_allowed", "unreadable" or "too_long".
[[nodiscard]] std::string_view name(egress_reason reason) noexcept;

/// One place that was made inert or, in mode `report`, would be. The URL itself is not kept, because it may
/// contain secrets.
struct egress_record {
  egress_kind kind{};      ///< what is not allowed
  egress_reason reason{};  ///< why
  text_offset position;    ///< in the output: where the text was changed or, in mode `report`, would be
};

/// Appends `{"choice":0,"kind":"image","reason":"not_allowed","position":41}`. If \p in is not empty, it
/// names the text that the position is in, and `"in":"refusal"` is added.
void append_egress_json(const egress_record& found, std::uint32_t choice, offset_unit unit, std::string& out,
                        std::string_view in = {});

/// A pattern of allowed URLs: `SCHEME://HOST`, `SCHEME://HOST:PORT` or `SCHEME://*.HOST`.
struct egress_pattern {
  std::string scheme;  ///< `http` or `https`
  std::string host;    ///< in lower case; for `*.HOST` the part after the `*`
  std::string port;    ///< digits; the default port of the scheme if the pattern has none
  bool subdomains{};   ///< allows all subdomains of `host`, but not the domain itself

  friend bool operator==(const egress_pattern&, const egress_pattern&) = default;  ///< member by member
};

/// Compiles a pattern. Scheme and port must match exactly. A host consists of letters, digits, hyphens and
/// dots, or of digits and colons in brackets. Returns nothing for a pattern with a path, a user or any other
/// `*`, so that no one relies on what would be ignored.
[[nodiscard]] std::optional<egress_pattern> compile_egress_pattern(std::string_view text);

/// Returns true if \p pattern allows \p url. The URL must be one that every reader parses in the same way:
/// printable ASCII, no user, no backslash, no escape in the host.
[[nodiscard]] bool matches(const egress_pattern& pattern, std::string_view url);

}  // namespace citestream
