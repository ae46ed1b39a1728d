/// \file
/// The egress guard's terms: which addresses may leave in an answer, and what is said of those that may not.
///
/// What a model writes can carry data away (EchoLeak, CVE-2025-32711): an image loads by itself, a link by a
/// click. An address may leave where it is that of a reference (equal after RFC 3986, 6.2, normalisation;
/// with a fragment, byte for byte), where a pattern allows it, and where it names no other host (`#part`,
/// `a/b.html`; not
/// `/a`, `?a`). Every other one leaves as inert text: an image as its alt text, a link as its label, a
/// definition not at all, HTML without its tag, an address in the text as `https[://]host[.]example/x`.
#pragma once

#include <citestream/base/offsets.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace citestream {

/// What the guard does.
enum class egress_mode : std::uint8_t {
  off,      ///< nothing is looked at
  report,   ///< the text leaves as it came, and what enforce would change is reported
  enforce,  ///< addresses that may not leave are made inert, and reported
};

/// What is done with code.
enum class egress_code : std::uint8_t {
  inert,  ///< addresses and markup in it are made inert, too, by characters that do not show
  exact,  ///< it stays byte for byte where every renderer takes it for code
};

/// What an address stood in.
enum class egress_kind : std::uint8_t { image, link, definition, autolink, url, html };

/// Why an address may not leave.
enum class egress_reason : std::uint8_t {
  not_allowed,  ///< readable, and neither a reference's nor allowed
  unreadable,   ///< renderers may read it differently: escapes, entities, markup that is never let through
  too_long,     ///< longer than what may be withheld
  unfinished,   ///< the text ended, or a blank line came, inside it
};

/// "image", "link", "definition", "autolink", "url" or "html".
[[nodiscard]] std::string_view name(egress_kind kind) noexcept;
/// "not_allowed", "unreadable", "too_long" or "unfinished".
[[nodiscard]] std::string_view name(egress_reason reason) noexcept;
/// The mode named "off", "report" or "enforce".
[[nodiscard]] std::optional<egress_mode> egress_mode_from_name(std::string_view name) noexcept;

/// One address that may not leave. It does not say which: addresses are where secrets are.
struct egress_record {
  egress_kind kind{};      ///< what it stood in
  egress_reason reason{};  ///< why it may not leave
  text_offset position;    ///< in the output: of the inert text, or where it would stand
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
