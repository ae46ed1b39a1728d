/// \file
/// Reads the path of a request as servers may: encoded characters are decoded, backslashes are slashes,
/// repeated slashes count once, and parameters of segments (`/v1;a=b/chat`) are ignored. None of these
/// spellings of a path then avoids what applies to it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/web_url.hpp"

namespace citestream {

/// Returns the characters of a path one by one.
class path_reader {
 public:
  /// \param target  path with or without a query; must outlive this object
  explicit path_reader(std::string_view target) noexcept : target_(target) {}

  /// Returns nothing at the end of the path. A `?` is always an encoded one.
  [[nodiscard]] std::optional<char> next() noexcept {
    std::optional<char> out;
    do {
      target_ = rest();
      out = take();
    } while (out == '/' && last_ == '/');
    last_ = out;
    return out;
  }
  /// Returns what follows the characters read and the parameters of their segment, with the query.
  [[nodiscard]] std::string_view rest() const noexcept {
    if (!target_.starts_with(';')) return target_;
    return target_.substr(std::min(target_.find_first_of("/\\?"), target_.size()));
  }

 private:
  std::optional<char> take() noexcept {
    if (target_.empty() || target_.front() == '?') return std::nullopt;
    const std::optional<char> decoded = percent_decoded(target_, 0);
    const char out = decoded.value_or(target_.front());
    target_.remove_prefix(decoded ? 3 : 1);
    return out == '\\' ? '/' : out;
  }

  std::string_view target_;
  std::optional<char> last_;
};

/// Returns all characters of the path of \p target.
[[nodiscard]] inline std::string path_of(std::string_view target) {
  std::string out;
  path_reader reader(target);
  while (const std::optional<char> next = reader.next()) out += *next;
  return out;
}

/// Returns what follows \p prefix in \p target, with the query; nothing if the path of \p target is neither
/// \p prefix nor below it (`/v10` is not below `/v1`). A slash at the end of \p prefix does not count.
[[nodiscard]] inline std::optional<std::string_view> after_path(std::string_view target,
                                                                std::string_view prefix) noexcept {
  path_reader from(target);
  path_reader expected(prefix);
  while (true) {
    const std::string_view rest = from.rest();
    const std::optional<char> found = from.next();
    const std::optional<char> wanted = expected.next();
    if (!wanted || (wanted == '/' && !path_reader(expected).next())) {
      return !found || found == '/' ? std::optional(rest) : std::nullopt;
    }
    if (found != wanted) return std::nullopt;
  }
}

}  // namespace citestream
