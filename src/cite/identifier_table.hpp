/// \file
/// The identifiers that markers cite: which references they mean, and the numbers of their sources.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/cite/citation.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hash_table.hpp"
#include "keyed_hash.hpp"
#include "reference_index.hpp"
#include "repair.hpp"

namespace citestream::cite_detail {

/// An identifier as it is spelled in markers. Several spellings of one URL have the same number.
struct identifier_entry {
  std::string text;
  std::int64_t first_place{1};     ///< number of the first place in a list, if `text` is digits
  std::string normal;              ///< the normalized URL; empty if it is not a web URL
  std::uint32_t number{};          ///< 0: not numbered yet
  std::size_t changes_seen{};      ///< reference_index::changes() when it was looked up
  std::size_t changes_repaired{};  ///< the same for `repaired`
  std::string_view repaired;       ///< corrected identifier, a view into a reference; empty if none
  std::uint32_t list{none};        ///< of its references; `none`: no result so far
  std::uint32_t annotated{none};   ///< see citations::expect_native()
  match_kind match{};
};

/// The distinct identifiers of one answer, and the references that they may mean.
class identifier_table {
 public:
  /// \param repairs  see session_options::repair; the other parameters: see reference_index
  identifier_table(std::size_t max_references, std::size_t max_reference_bytes, bool repairs);
  identifier_table(const identifier_table&) = delete;
  identifier_table& operator=(const identifier_table&) = delete;

  [[nodiscard]] reference_index& references() noexcept { return references_; }
  [[nodiscard]] const reference_index& references() const noexcept { return references_; }

  /// The index of the entry for \p identifier; `none` if no marker has cited it.
  [[nodiscard]] std::uint32_t find(std::string_view identifier, std::int64_t first_place) noexcept;
  /// The entry of an identifier, as find(). Makes a new one if necessary and if fewer than \p most exist.
  [[nodiscard]] std::uint32_t intern(std::string_view identifier, std::int64_t first_place, std::size_t most);
  [[nodiscard]] identifier_entry& operator[](std::uint32_t index) noexcept { return entries_[index]; }

  /// The references that an identifier means now, perhaps after a repair.
  [[nodiscard]] matching meaning(identifier_entry& entry);
  /// The best of them, or null.
  [[nodiscard]] const reference* best(identifier_entry& entry) { return references_.best(meaning(entry)); }
  /// Looks up \p entry and fills in its `list` and `match`, unless that was done since the last reference
  /// came.
  void look_up(identifier_entry& entry);
  /// The reference whose title is \p label, if that repairs an identifier that means no reference.
  [[nodiscard]] std::optional<std::uint32_t> titled(std::string_view label);

  /// The number of the source of an identifier. Identifiers that resolve to the same reference share a
  /// number. Until either resolves, so do identifiers for the same list position.
  [[nodiscard]] std::uint32_t number_of(std::uint32_t index, std::string_view label);
  /// The next number, for a source that no identifier names.
  [[nodiscard]] std::uint32_t next_number() noexcept { return ++last_number_; }

  /// Prepares for another answer; keeps capacity.
  void clear() noexcept;

 private:
  [[nodiscard]] std::uint32_t find_page(std::string_view url);
  [[nodiscard]] std::uint32_t own_number(std::uint32_t index);
  [[nodiscard]] std::uint32_t& number_at(std::size_t ref);
  [[nodiscard]] std::uint32_t first_at(std::int64_t place) noexcept;
  [[nodiscard]] std::uint32_t earlier_number(const reference& ref);
  [[nodiscard]] std::uint64_t key_of(std::int64_t place) const noexcept {
    return hash_({reinterpret_cast<const char*>(&place), sizeof place});
  }

  keyed_hash hash_;
  reference_index references_;
  reference_repair repair_;
  bool repairs_;
  recycled<identifier_entry> entries_;
  hash_table by_text_;    ///< by `text`
  hash_table by_normal_;  ///< the first entry of each web URL, by `normal`
  hash_table by_place_;   ///< the first entry of each place in a list
  std::string page_;      ///< reused
  std::uint32_t last_number_{};
  std::vector<std::uint32_t> number_of_reference_;  ///< 0: none yet; by reference, as far as known
};

}  // namespace citestream::cite_detail
