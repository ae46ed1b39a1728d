/// \file
/// Numbers on the command line.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace citestream::tools {

/// Accepts 1 to 18 digits with a value of at least \p least. CLI11 itself would convert a negative number to
/// a very large one.
inline CLI::Validator whole_number_from(unsigned least) {
  const auto wrong = [least](const std::string& text) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    const bool counts = digits && text.size() < 19 && std::stoull(text) >= least;
    return counts ? std::string()
                  : "'" + text + "' is not a whole number of at least " + std::to_string(least);
  };
  return {wrong, ""};
}

/// Accepts a count of at least 1.
inline CLI::Validator at_least_one() {
  return whole_number_from(1);
}

/// Accepts a number from \p least to \p most. \p what  what the number is, for the error
inline CLI::Validator number_between(double least, double most, std::string_view what = "number") {
  const auto written = [](double number) {
    char text[32];
    const auto done = std::to_chars(text, text + sizeof text, number, std::chars_format::fixed);
    return std::string(text, done.ptr);
  };
  const std::string expected =
      "is not a " + std::string(what) + " from " + written(least) + " to " + written(most);
  const auto wrong = [least, most, expected](const std::string& text) {
    double number{};
    const bool read = CLI::detail::lexical_cast(text, number);
    return read && number >= least && number <= most ? std::string() : "'" + text + "' " + expected;
  };
  return {wrong, ""};
}

}  // namespace citestream::tools
