/// \file
/// The library's version.
#pragma once

#include <citestream/base/language.hpp>

#include <string_view>

/// All that the library has for C++.
namespace citestream {

/// "major.minor.patch", from the build.
[[nodiscard]] std::string_view version() noexcept;

}  // namespace citestream
