/// \file
/// Table of all options of `citestream proxy` that can be set in a file, in the environment or on the command
/// line. The rows of session options are generated from the core's table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/proxy_options.hpp"
#include "session/option_table.hpp"

namespace citestream::tools {

/// The value of an option as text, independent of its source. A list has any number of elements, any other
/// option has one.
using option_values = std::vector<std::string>;

/// Where an option can be set.
enum class option_place : std::uint8_t {
  proxy,     ///< file (top level), environment, command line
  answer,    ///< as `proxy`, and in `[[routes]]` for a single route
  route,     ///< `[[routes]]` only
  upstream,  ///< `[upstreams.NAME]` only
};

/// The objects that options are stored in. Each row of the table sets a member of one of them.
struct option_target {
  proxy_options proxy;
  route_options route;
  upstream_options upstream;
};

/// One row of the table.
struct configuration_option {
  std::string_view key;  ///< key in the file, from which option_variable() and option_flag() are derived
  option_type type;
  option_place place;
  std::string_view argument;  ///< placeholder for the value in the help; empty for booleans
  std::string default_text;   ///< the default, in the syntax of environment variables
  std::string_view help;
  /// Checks the value and sets it. Gets all elements of a list at once. \return an empty string, or the error
  std::string (*set)(const option_values& values, option_target& to);
  /// Returns all valid values; null if the values cannot be listed.
  std::vector<std::string> (*choices)() = nullptr;
  /// Row of the core's table if this is a session option; `set` and `choices` are then null.
  const session_option* session = nullptr;
};

/// Returns the table, in the order in which options are shown.
[[nodiscard]] std::span<const configuration_option> configuration_options() noexcept;
/// Returns the row of an option of the core's table, also for one that the proxy does not have.
[[nodiscard]] configuration_option row_of(const session_option& option) noexcept;
/// Returns all valid values of an option, or an empty list if the values cannot be listed.
[[nodiscard]] option_values option_choices(const configuration_option& one);
/// Returns true if an option has any number of elements.
[[nodiscard]] bool is_list(const configuration_option& one) noexcept;
/// Returns the row for \p key at \p where, or null. Both `proxy` and `route` include the rows of `answer`.
[[nodiscard]] const configuration_option* find_option(std::string_view key, option_place where) noexcept;
/// Returns true if an option can be set in the environment and on the command line.
[[nodiscard]] bool is_on_command_line(const configuration_option& one) noexcept;

/// Returns the environment variable of an option, such as `CITESTREAM_IDLE_TIMEOUT`.
[[nodiscard]] std::string option_variable(const configuration_option& one);
/// Returns the flag of an option, such as `--idle-timeout`, or `--no-…` for a boolean that is true by
/// default.
[[nodiscard]] std::string option_flag(const configuration_option& one);

/// Reads `true`, `on` or `1`, or `false`, `off` or `0`. \return nothing if \p text is something else
[[nodiscard]] std::optional<bool> read_boolean(std::string_view text) noexcept;

/// Splits the value of an environment variable. Elements of a list are separated by commas, around which
/// blanks are ignored, or by line breaks if they may contain commas (marker patterns). An empty text is an
/// empty list.
[[nodiscard]] option_values split_values(const configuration_option& one, std::string_view text);

/// Checks \p given against the type and choices of the option, then sets it. \return an empty string, or the
/// error
[[nodiscard]] std::string apply_option(const configuration_option& one, const option_values& given,
                                       option_target& to);

}  // namespace citestream::tools
