/// \file
/// What the two WebAssembly modules have in different forms. The full one is a third larger; citestream.js
/// loads it if an option needs more than the small one has.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/cite/claim_check.hpp>
#include <citestream/provenance/provenance.hpp>
#include <citestream/session/options.hpp>

#include <string>

namespace citestream {

/// Compares claims; null in the small module.
[[nodiscard]] const claim_check* linked_checker() noexcept;

/// Gives the tool results of a request keys, and adds them to the references of its answer. Only in the full
/// module.
status key_results(std::string& body, const provenance_options& how, session_options& options);

/// The output of the last call, for JavaScript.
[[nodiscard]] std::string& last_result() noexcept;

}  // namespace citestream
