/// \file
/// The references of one answer, and what identifiers in markers mean among them.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/cite/citation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hash_table.hpp"
#include "keyed_hash.hpp"

namespace citestream::cite_detail {

/// References by one key. References with the same key form a chain, the one entered last first.
class key_chains {
 public:
  /// Makes room for the next reference, even if it has no key here.
  void append() { links_.emplace_back(); }
  /// Adds reference \p ref under a key. `same(other)`: other has that key. `better(a, b)`: a is ordered
  /// before b.
  template <typename Same, typename Better>
  void enter(std::uint32_t ref, std::uint64_t hash, Same same, Better better) {
    links_[ref].best = ref;
    const std::uint32_t head = table_.find(hash, same);
    if (head == none) return table_.insert(hash, ref);
    if (!better(ref, links_[head].best)) links_[ref].best = links_[head].best;
    links_[ref].older = head;
    table_.replace(hash, head, ref);
  }
  template <typename Same>
  [[nodiscard]] std::uint32_t newest(std::uint64_t hash, Same same) noexcept {
    return table_.find(hash, same);
  }
  [[nodiscard]] std::uint32_t older(std::uint32_t ref) const noexcept { return links_[ref].older; }
  /// The best reference of the chain from \p ref on.
  [[nodiscard]] std::uint32_t best(std::uint32_t ref) const noexcept { return links_[ref].best; }
  /// The list made from the chain from \p ref on. Older links never change, so the list is made once.
  [[nodiscard]] std::uint32_t& list(std::uint32_t ref) noexcept { return links_[ref].list; }
  void clear() noexcept {
    table_.clear();
    links_.clear();
  }

 private:
  struct link {
    std::uint32_t older{none};
    std::uint32_t best{none};
    std::uint32_t list{none};
  };
  hash_table table_;
  std::vector<link> links_;  ///< by index of the reference
};

/// The references that an identifier means: a chain of one key.
struct matching {
  key_chains* keys{};
  std::uint32_t newest{none};  ///< none: there are no such references
  match_kind match{match_kind::exact};
};

/// References that no citation cites.
class uncited_references {
 public:
  /// Makes room for the next reference, also in the list.
  void append() {
    cited_.push_back(false);
    list_.reserve(cited_.capacity());
  }
  void cite(std::uint32_t ref) noexcept {
    cited_[ref] = true;
    changed_ = true;
  }
  /// In order of arrival; valid until the next change. Linear in the references if one was cited since the
  /// last call: call it for a record, not for every citation.
  [[nodiscard]] std::span<const std::uint32_t> list() noexcept;
  void clear() noexcept;

 private:
  std::vector<bool> cited_;  ///< by reference
  std::vector<std::uint32_t> list_;
  std::size_t checked_{};  ///< references before this one are cited or in `list_`
  bool changed_{};
};

/// The references of one answer.
class reference_index {
 public:
  /// \p hash must outlive the index.
  /// \param max_references  see limits::max_references; \param max_bytes  see limits::max_reference_bytes
  reference_index(std::size_t max_references, std::size_t max_bytes, const keyed_hash& hash) noexcept
      : max_references_(max_references), max_bytes_(max_bytes), hash_(hash) {}

  /// See citations::add_reference().
  bool add(const reference& ref);
  /// The index of a reference that was added; `none` if it was dropped.
  [[nodiscard]] std::uint32_t index_of(const reference& ref);
  /// The references that \p identifier means now. \p normal: its normalized URL; empty if it is not a web
  /// URL. \p first_place: see citations::number_of().
  [[nodiscard]] matching find(std::string_view identifier, std::string_view normal,
                              std::int64_t first_place) noexcept;
  /// The best of these references; null if there are none.
  [[nodiscard]] const reference* best(const matching& found) const noexcept;
  /// The number of the list of all of these references. There must be at least one.
  [[nodiscard]] std::uint32_t list(const matching& found);
  /// The number of a list of that reference and \p others.
  [[nodiscard]] std::uint32_t list_of(std::uint32_t ref, std::span<const std::uint32_t> others = {});
  /// The references of a list, best score first. Valid until clear().
  [[nodiscard]] std::span<const std::uint32_t> listed(std::uint32_t list) const noexcept {
    return lists_[list].references;
  }
  /// The place in a list, from 1, that \p identifier names: `4`, `src_4`, `Source 4`. 0 if it names none.
  [[nodiscard]] static std::int64_t place_of(std::string_view identifier, std::int64_t first_place) noexcept;
  /// See citations::page_title().
  [[nodiscard]] std::string_view page_title(std::uint32_t ref) noexcept;

  [[nodiscard]] std::span<const reference> all() const noexcept { return refs_.all(); }
  /// How often a reference was added or completed.
  [[nodiscard]] std::size_t changes() const noexcept { return counts_.changes; }
  /// Number of references dropped because of a limit.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return counts_.dropped; }
  [[nodiscard]] uncited_references& uncited() noexcept { return uncited_; }
  /// Reference \p ref is cited. If it is a passage of a source of the request, so is the source.
  void cite(std::uint32_t ref) noexcept;
  /// The references of a list are cited. Takes linear time only once for a list: many spellings may share
  /// one.
  void cite_list(std::uint32_t list) noexcept;

  /// Removes everything; keeps capacity.
  void clear() noexcept;

 private:
  struct counts {
    std::size_t bytes{};  ///< size of all text in references
    std::size_t changes{};
    std::uint64_t dropped{};
  };
  /// A key of each kind that find() compares.
  struct chains {
    key_chains cite, id, url, normal_url, number;

    [[nodiscard]] std::array<key_chains*, 5> all() noexcept {
      return {&cite, &id, &url, &normal_url, &number};
    }
  };

  [[nodiscard]] std::uint64_t hash_of(const reference& ref) const noexcept;
  bool add_named(const reference& ref);
  bool insert_distinct(const reference& ref);
  void enter_all(std::uint32_t ref);
  template <typename T>
  void enter(key_chains& keys, std::uint32_t ref, const T reference::*field);
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const noexcept;
  [[nodiscard]] std::uint32_t newest_of_page(std::string_view normal) noexcept;
  [[nodiscard]] std::uint32_t same_page(const reference& ref);
  [[nodiscard]] static bool agrees(const reference& one, const reference& ref) noexcept;
  [[nodiscard]] std::uint32_t whole_of(const reference& ref) const noexcept;
  [[nodiscard]] reference named(const reference& ref) const;
  bool complete(std::uint32_t index, const reference& ref);
  [[nodiscard]] matching find_exactly(std::string_view key) noexcept;
  [[nodiscard]] matching find_place(std::string_view digits, std::int64_t first_place) noexcept;

  std::size_t max_references_;
  std::size_t max_bytes_;
  const keyed_hash& hash_;
  recycled<reference> refs_;
  recycled<std::string> normal_urls_;  ///< by reference; empty if the URL is not a web URL
  std::string page_;                   ///< a normalized URL; reused
  hash_table distinct_;                ///< references by all fields
  /// The first reference at each place of the request.
  std::map<std::pair<request_part, std::int64_t>, std::uint32_t> requested_;
  chains by_;
  /// Never changed once made: citations hold views of them.
  struct reference_list {
    std::vector<std::uint32_t> references;
    bool cited{};
  };
  recycled<reference_list> lists_;
  uncited_references uncited_;
  counts counts_;
};

}  // namespace citestream::cite_detail
