// Every option of `citestream proxy` that a file, the environment and the command line can set, one row each.
// The rows of session options are made from the core's table.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/proxy_options.hpp"
#include "session/option_table.hpp"

namespace citestream::tools {

/// A value as text, whatever it came from; lists have several.
using option_values = std::vector<std::string>;

enum class option_kind : std::uint8_t {
  text,
  list,     ///< of texts
  whole,    ///< a number from 0
  seconds,  ///< a number from 0, fractions too
  boolean,  ///< `true` or `false`
};

enum class option_place : std::uint8_t {
  proxy,     ///< file (top level), environment, command line
  answer,    ///< those, and in `[[routes]]`, where it counts for one route
  route,     ///< `[[routes]]` only
  upstream,  ///< `[upstreams.NAME]` only
};

/// What rows write into; each writes one thing.
struct option_target {
  proxy_options& proxy;
  std::chrono::milliseconds& drain;
  route_options& route;
  upstream_options& upstream;
};

struct configuration_option {
  std::string_view key;  ///< in the file; option_variable() and option_flag() follow from it
  option_kind kind;
  option_place place;
  std::string_view argument;  ///< what stands for its value in help; empty for booleans
  std::string_view preset;    ///< the default, written as in the environment
  std::string_view help;
  /// Checks and sets; a list comes whole. \return an empty string, or what is wrong with the value.
  std::string (*set)(const option_values& values, option_target& to);
  /// All valid values, or null if there are too many to list.
  std::vector<std::string> (*choices)() = nullptr;
  /// The core's row, if this is an option of a session; `set` and `choices` are then null.
  const session_option* session = nullptr;
};

/// The table, in the order in which options are shown.
[[nodiscard]] std::span<const configuration_option> configuration_options() noexcept;
/// All valid values of an option; empty if there are too many to list.
[[nodiscard]] option_values option_choices(const configuration_option& one);
/// Whether one text may hold several values, separated by commas.
[[nodiscard]] bool is_split_by_commas(const configuration_option& one) noexcept;
/// The row of a key in that place, or null. An `answer` row is found at the `proxy` and at the `route` place.
[[nodiscard]] const configuration_option* find_option(std::string_view key, option_place where) noexcept;
/// Whether the environment and the command line have it.
[[nodiscard]] bool is_on_command_line(const configuration_option& one) noexcept;

/// `CITESTREAM_IDLE_TIMEOUT`
[[nodiscard]] std::string option_variable(const configuration_option& one);
/// `--idle-timeout`; of what is true by default `--no-…`.
[[nodiscard]] std::string option_flag(const configuration_option& one);

/// The values in \p text, as the environment writes them: lists by commas, patterns (which may hold commas)
/// by line breaks; an empty text is an empty list.
[[nodiscard]] option_values split_values(const configuration_option& one, std::string_view text);

/// Checks \p given by the row's kind and choices, then sets them. \return an empty string, or what is wrong.
[[nodiscard]] std::string apply_option(const configuration_option& one, const option_values& given,
                                       option_target& to);

}  // namespace citestream::tools
