/// \file
/// The spelling of the keys by which OpenAI's models cite results of the caller's tools: `turn0search1` is
/// result 1 of the first round of calls. Both are counted from 0. The word between them is the kind of the
/// result (`search`, `news`, `file`, `view`); models are not consistent in it, so it does not count.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace citestream::turn_key {

/// What a key names.
struct place {
  std::uint32_t round{};
  std::uint32_t result{};
};

/// Reads a key. Returns nothing if \p text is not a key.
[[nodiscard]] inline std::optional<place> read(std::string_view text) noexcept {
  constexpr std::string_view start = "turn";
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  if (!text.starts_with(start)) return std::nullopt;
  const char* const end = text.data() + text.size();
  place out;
  const auto [word, bad_round] = std::from_chars(text.data() + start.size(), end, out.round);
  if (bad_round != std::errc{}) return std::nullopt;
  const std::string_view rest(word, static_cast<std::size_t>(end - word));
  const std::size_t digits = rest.find_first_not_of(letters);
  if (digits == 0 || digits == std::string_view::npos) return std::nullopt;
  const auto [stop, bad_result] = std::from_chars(word + digits, end, out.result);
  return bad_result == std::errc{} && stop == end ? std::optional(out) : std::nullopt;
}

/// The key of a place, as references have it.
[[nodiscard]] inline std::string make(place of) {
  return "turn" + std::to_string(of.round) + "search" + std::to_string(of.result);
}

}  // namespace citestream::turn_key
