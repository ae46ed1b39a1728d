/// \file
/// All that is done with the body of a request: by the proxy, the C interface and the npm package.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/provenance/provenance.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What is done with a request: a sum of these. citestream.h and citestream.js have the numbers up to 32.
namespace request_work {

inline constexpr std::uint32_t documents = 1;
inline constexpr std::uint32_t keys = 2;
inline constexpr std::uint32_t instructions = 4;  ///< see provenance_options_of()
inline constexpr std::uint32_t inline_citations = 8;
inline constexpr std::uint32_t remove_own = 16;
inline constexpr std::uint32_t content_keys = 32;  ///< see provenance_options_of()
inline constexpr std::uint32_t structured_output = 64;
/// A step that fails does not end the others, and \ref remove_own has no limit on the size of the body.
inline constexpr std::uint32_t each_step = 128;

}  // namespace request_work

/// The result of work_on_request().
struct rewritten_request {
  bool changed{};                     ///< the body was changed
  bool keyed{};                       ///< its tool results have keys now
  bool json{};                        ///< it asks for an answer that is JSON for a program
  status error;                       ///< the first one
  std::vector<reference> references;  ///< documents, search results, and tool results that got keys
};

/// Does the steps of \p work on \p body. Each gets the body that the step before it has made.
/// \param how  of the keys, and the limits of all steps
[[nodiscard]] rewritten_request work_on_request(std::uint32_t work, const provenance_options& how,
                                                std::string& body);

/// Returns the options that \p work has flags for. \p tools and \p agent_tools are separated by commas.
[[nodiscard]] provenance_options provenance_options_of(std::uint32_t work, std::string_view tools,
                                                       std::string_view agent_tools);

}  // namespace citestream
