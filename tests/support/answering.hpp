/// \file
/// Work for linear.hpp: an answer whose text repeats one pattern.
#pragma once

#include <citestream/session/answer.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "support/linear.hpp"
#include "support/strings.hpp"

namespace citestream_tests {

/// The answer to \p start and \p pattern, which is repeated, in deltas of \p size bytes. \p a outlives the
/// work.
inline preparation answering(citestream::answer& a, std::string_view start, std::string_view pattern,
                             std::size_t size) {
  return [=, &a](std::size_t bytes) {
    const auto out = std::make_shared<std::string>();
    return [=, &a, text = std::string(start) + repeated_to(bytes, pattern)] {
      a.reset();
      out->clear();
      for (std::size_t at = 0; at < text.size(); at += size) {
        a.push(std::string_view(text).substr(at, size), *out);
      }
      a.finish(*out);
    };
  };
}

}  // namespace citestream_tests
