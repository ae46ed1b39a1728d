/// \file
/// Whether a request may have citations that remove_own_citations() removes.
#pragma once

#include <string_view>

namespace citestream {

/// Returns false if remove_own_citations() would not change \p body. Only searches the bytes.
[[nodiscard]] bool may_have_own_citations(std::string_view body) noexcept;

}  // namespace citestream
