/// \file
/// The one table of session options. Command line, configuration file, environment, C interface and
/// manual page take their options from it. Tests compare docs/proxy.md and citestream.h with it.
#pragma once

#include <citestream/session/options.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What the value of an option looks like.
enum class option_type : std::uint8_t {
  choice,    ///< one of a few names
  text,      ///< any text
  boolean,   ///< `true` or `false`, also `on`, `off`, `1`, `0`
  whole,     ///< a whole number from 0
  fraction,  ///< a number from 0 to 1, such as `0.85`
  list,      ///< elements separated by commas; setting the option replaces all of them
  repeated,  ///< one element, which may hold commas; the option may be given several times
  seconds,   ///< a number from 0; only options of the proxy
};

/// Which interfaces offer an option besides the C interface, which offers all of them.
enum option_reach : std::uint8_t {
  in_c_only = 0,
  in_proxy = 1,    ///< the proxy's file, environment and command line
  in_filter = 2,   ///< `citestream filter`
  in_reading = 4,  ///< commands that only read answers, such as `citestream check answer`
  in_judging = 8,  ///< commands that give verdicts, such as `citestream check claims`
  in_load = 16,    ///< `citestream load`, which finds the markers that were left
};

#ifdef __wasm__
/// The modules of the npm package print no help, so they do not contain it.
struct help_text {
  constexpr help_text(const char*) noexcept {}
};
#else
using help_text = std::string_view;
#endif

/// One option of a session.
struct session_option {
  std::string_view name;  ///< `egress_allow`: a key in files, `--egress-allow`, `CITESTREAM_EGRESS_ALLOW`
  option_type type;
  std::uint8_t reach;             ///< bits of \ref option_reach
  std::string_view unit;          ///< name of the value in help: `BYTES`; empty for booleans
  std::string_view default_text;  ///< the default, as text; empty: none, or an empty list
  help_text help;                 ///< one line
  /// Sets the option, or appends one element of a list. Returns false if \p value is not valid; \p to is then
  /// unchanged.
  bool (*set)(std::string_view value, session_options& to);
  /// Empties a list; null for options that are not lists.
  void (*clear)(session_options& to) = nullptr;
  /// All valid values, or null if there are too many to list.
  std::vector<std::string_view> (*choices)() = nullptr;
};

/// All options, in the order in which help shows them.
[[nodiscard]] std::span<const session_option> session_option_table() noexcept;

/// The option called \p name, or null.
[[nodiscard]] const session_option* find_session_option(std::string_view name) noexcept;

/// Sets \p option from one text. A list is split at commas, and blanks around elements are ignored. A further
/// value of a repeated option is appended. Returns an empty string, or the reason for which the text is
/// rejected, worded to follow the option's name or the value: `is not one of strip, keep`. \p to is then
/// unchanged.
[[nodiscard]] std::string set_option(const session_option& option, std::string_view text,
                                     session_options& to);

/// Sets \p option from elements that are already separate, which replace earlier ones. Returns the same as
/// the other overload; \p refused is the element that was rejected.
[[nodiscard]] std::string set_option(const session_option& option, std::span<const std::string> elements,
                                     session_options& to, std::string& refused);

/// Returns why options exclude each other, in words for people; empty if they do not. To be called after all
/// options are set. \p not_found and \p supported are the names of these options, as the user writes them.
[[nodiscard]] std::string option_conflict(const session_options& options,
                                          std::string_view not_found = "not_found",
                                          std::string_view supported = "supported");

}  // namespace citestream
