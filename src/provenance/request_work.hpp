/// \file
/// What the C interface and the npm package do with a request.
#pragma once

#include <citestream/provenance/provenance.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What is done with a request.
struct request_work {
  /// Flags. citestream.h and citestream.js have the same numbers.
  static constexpr std::uint32_t documents = 1;
  static constexpr std::uint32_t keys = 2;
  static constexpr std::uint32_t instructions = 4;
  static constexpr std::uint32_t inline_citations = 8;
  static constexpr std::uint32_t remove_own = 16;
  static constexpr std::uint32_t content_keys = 32;

  std::uint32_t flags{};
  std::string_view tools;        ///< comma-separated: provenance_options::tools
  std::string_view agent_tools;  ///< the same
  /// add_provenance(). A program that does not have it leaves out `keys`.
  decltype(&add_provenance) add_keys{};
};

/// Does each kind of work on what the one before has left of \p body, until one fails. References of the
/// request are added to \p references; \p keyed becomes true if its results have keys now.
[[nodiscard]] status work_on_request(const request_work& work, std::string& body,
                                     std::vector<reference>& references, bool& keyed);

}  // namespace citestream
