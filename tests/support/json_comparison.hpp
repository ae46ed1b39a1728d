// Comparison of a document with the reference model.
#pragma once

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "support/json_model.hpp"

namespace citestream_tests {

/// Whether value and model are equal, including byte ranges.
inline bool same(citestream::json_value value, const model_value& model) {
  using citestream::json_kind;
  if (value.kind() != model.kind || value.key() != model.key) return false;
  if (value.range() != citestream::byte_range{model.begin, model.end}) return false;
  if (model.kind == json_kind::string && value.string() != model.text) return false;
  if (model.kind == json_kind::boolean && value.boolean() != (model.text == "true")) return false;
  if (model.kind == json_kind::number && value.number() != std::strtod(model.text.c_str(), nullptr))
    return false;
  citestream::json_value child = value.first();
  for (const model_value& expected : model.children) {
    if (!same(child, expected)) return false;
    child = child.next();
  }
  return !child;
}

/// Whether some number in \p model is out of the range of double.
inline bool has_huge_number(const model_value& model) {
  if (model.kind == citestream::json_kind::number && std::isinf(std::strtod(model.text.c_str(), nullptr)))
    return true;
  return std::ranges::any_of(model.children, has_huge_number);
}

}  // namespace citestream_tests
