/// \file
/// The language of the headers, C++20, and the library's version. Every public header includes this file
/// before any other, so that the first error of a compiler that reads them as an older language names the
/// reason.
#pragma once

#if __cplusplus < 202002L
#error "citestream needs C++20: compile with -std=c++20 (CMake: link citestream::citestream)"
#endif

#include <string_view>

/// The C++ interface of citestream.
namespace citestream {

/// "major.minor.patch", from the build.
[[nodiscard]] std::string_view version() noexcept;

}  // namespace citestream
