/// \file
/// Functions that differ between the two WebAssembly modules. The full one is a third larger; citestream.js
/// loads it if an option needs more than the small one has.
#pragma once

#include <citestream/cite/claim_check.hpp>

#include <string>

namespace citestream {

/// Compares claims; null in the small module.
[[nodiscard]] const claim_check* linked_checker() noexcept;

/// The output of the last call, for JavaScript.
[[nodiscard]] std::string& last_result() noexcept;

}  // namespace citestream
