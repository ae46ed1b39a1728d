/// \file
/// Sentences of an answer that say nothing about its subject.
#pragma once

#include <string_view>

namespace citestream::check_detail {

/// Returns true if \p sentence is a question, introduces what follows (`Here is the policy:`), is polite
/// (`Let me know if …`) or says that the references or the writer have no answer (`The documents do not
/// mention a CEO.`). In English, German, French and Spanish.
[[nodiscard]] bool is_remark(std::string_view sentence);

}  // namespace citestream::check_detail
