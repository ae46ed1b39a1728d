/// \file
/// The terms of the egress stage: which addresses an answer may contain, and what is reported of the
/// others.
///
/// What a model writes can carry data away (EchoLeak, CVE-2025-32711): an image loads without a click, a link
/// with one. An address is allowed if it is a reference's, byte for byte, if a pattern allows its host, or if
/// it is relative (`#part`, `a/b.html`, `/a`). Every other address, and all HTML but a few tags without
/// attributes, is made inert wherever it is in the text: `[a]\(https[://]host[.]example/x)`, `&lt;img`. In
/// code a zero-width space takes the sequence apart, in a formula a blank.
#pragma once

#include <citestream/base/offsets.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

/// What the stage does.
enum class egress_mode : std::uint8_t {
  off,      ///< the text is not looked at
  report,   ///< the text passes unchanged; the places that `enforce` would change are reported
  enforce,  ///< what is not allowed is made inert, and reported
};

/// What is done with code.
enum class egress_code : std::uint8_t {
  inert,  ///< addresses and markup in it are made inert, too, by characters that do not show
  exact,  ///< it stays byte for byte where every renderer takes it for code
};

/// What was made inert.
enum class egress_kind : std::uint8_t { image, link, definition, autolink, url, html };

/// Why it was made inert.
enum class egress_reason : std::uint8_t {
  not_allowed,  ///< neither a reference's nor allowed
  unreadable,   ///< HTML, which is never let through
  too_long,     ///< longer than what may be held back
  unfinished,   ///< not used any more
};

/// "image", "link", "definition", "autolink", "url" or "html".
[[nodiscard]] std::string_view name(egress_kind kind) noexcept;
/// "not_allowed", "unreadable", "too_long" or "unfinished".
[[nodiscard]] std::string_view name(egress_reason reason) noexcept;
/// The mode named "off", "report" or "enforce".
[[nodiscard]] std::optional<egress_mode> egress_mode_from_name(std::string_view name) noexcept;

/// One place that was made inert. The address is not kept: addresses are where secrets are.
struct egress_record {
  egress_kind kind{};      ///< what was made inert
  egress_reason reason{};  ///< why
  text_offset position;    ///< in the output: where it was taken apart, or would be
};

/// Appends `{"choice":0,"kind":"image","reason":"not_allowed","position":41}`; \p in: what the position is
/// in, where it is not the answer: `"in":"refusal"` follows.
void append_egress_json(const egress_record& found, std::uint32_t choice, offset_unit unit, std::string& out,
                        std::string_view in = {});

/// Addresses that are allowed: `SCHEME://HOST`, `SCHEME://HOST:PORT` or `SCHEME://*.HOST`.
struct egress_pattern {
  std::string scheme;  ///< `http` or `https`
  std::string host;    ///< in lower case; with `*.` in the pattern, what stands behind the `*`
  std::string port;    ///< in digits; the scheme's own where the pattern has none
  bool subdomains{};   ///< any host below `host`, not `host` without its dot itself

  friend bool operator==(const egress_pattern&, const egress_pattern&) = default;  ///< member by member
};

/// Reads a pattern. Scheme and port must be met exactly; a host is letters, digits, hyphens and dots, or
/// digits and colons in brackets. A path, a user or any other `*` makes it none, so that nobody relies on it.
[[nodiscard]] std::optional<egress_pattern> compile_egress_pattern(std::string_view text);

/// Whether \p url is one that \p pattern means: an address that every reader takes apart in the same way
/// (printable ASCII, no user, no backslash, no escape in the host).
[[nodiscard]] bool matches(const egress_pattern& pattern, std::string_view url);

}  // namespace citestream
