/// \file
/// Files with certificates that are trusted.
#pragma once

#include <string>

namespace citestream {

/// Whether \p path can be trusted by: a PEM file that holds at least one certificate. \return an empty
/// string, or in one line why not.
[[nodiscard]] std::string trouble_of_ca_file(const std::string& path);

}  // namespace citestream
