// How `--help` shows options.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace citestream::tools {

/// `--style NAME:{strip,keep}=strip`: the name of the value, the values if there are few, the default.
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
