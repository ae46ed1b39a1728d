/// \file
/// Format of the options in `--help`.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace citestream::tools {

/// Shows an option as `--style NAME:{strip,keep}=strip`: the placeholder of its value, the valid values if
/// they can be listed, and the default.
class help_format : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string out;
    const std::string value = option->get_type_size() == 0 ? "" : option->get_type_name();
    if (!value.empty()) out += " " + value;
    if (!option->get_default_str().empty()) out += "=" + option->get_default_str();
    if (option->get_positional() && option->get_expected_max() > 1) out += " ...";
    if (option->get_required()) out += " REQUIRED";
    return out;
  }
};

}  // namespace citestream::tools
