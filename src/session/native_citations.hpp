/// \file
/// The citations of the provider in one choice, until the choice is settled.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/dialect/dialect_event.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace citestream {

/// A citation of the provider with its position in the received text.
struct received_citation : native_traits {
  text_unit unit;             ///< the text that it names, else `arrived_in`
  bool named{};               ///< it names its text
  text_unit arrived_in;       ///< the text that arrived at the same time
  offset_unit counted_in{};   ///< unit of the position
  std::uint64_t start{};      ///< from the start of its text
  std::uint64_t end{};        ///< exclusive
  std::size_t order{};        ///< of arrival
  std::uint32_t reference{};  ///< index in the references of the choice
  std::string json;           ///< as in the payload; empty: not kept
  std::string quote;          ///< the words at the position; empty: not known
};

/// Keeps the citations of the provider, each once and bounded.
class native_citations {
 public:
  /// Adds a citation of the reference with that index. \p now: the text that arrives. Once all citations
  /// together exceed \p max_bytes, further ones are ignored.
  void add(const native_citation& found, std::uint32_t reference, text_unit now, std::size_t max_bytes,
           bool with_json);
  [[nodiscard]] bool waiting() const noexcept { return !all_.empty(); }
  /// Calls \p visit for each citation in the text \p unit that take() has not removed.
  template <typename Visit>
  void each_in(text_unit unit, Visit visit) const {
    for (auto at = seen_.lower_bound({unit, 0, 0, 0}); at != seen_.end(); ++at) {
      if (std::get<text_unit>(at->first) != unit) return;
      if (at->second >= taken_) visit(all_[at->second - taken_]);
    }
  }
  /// Returns true if the provider cites reference \p reference in any text.
  [[nodiscard]] bool cites(std::uint32_t reference) const noexcept {
    return reference < cited_.size() && cited_[reference] != citing::no;
  }
  /// Removes and returns them, in the order of the text. A citation without a place is
  /// dropped if another citation of the same reference has one.
  [[nodiscard]] std::vector<received_citation> take();

  /// How many citations in citations::native() have been reported as typed events.
  std::uint32_t reported{};

 private:
  std::uint32_t taken_{};  ///< number of citations that take() has removed from `all_`

  /// How a reference is cited.
  enum class citing : std::uint8_t { no, yes, at_a_place };
  /// What distinguishes two citations: repeats of a text repeat its citations.
  using place = std::tuple<text_unit, std::uint64_t, std::uint64_t, std::uint32_t>;

  std::vector<received_citation> all_;
  std::map<place, std::size_t> seen_;  ///< those added, with their number in order of arrival
  std::vector<citing> cited_;          ///< by reference
  std::size_t bytes_{};
};

struct choice_state;

/// Tells the answer what the provider cites in the current text, before it is resolved. \pre the text has
/// ended, and place_natives() was not called
void expect_natives(choice_state& choice);
/// Converts the positions of the kept citations to the sent text and adds them to the answer. Returns the
/// citations of markers that this resolves, as indexes into citations::all(). \pre answer_stages::resolve()
/// was called, and their texts have ended
std::vector<std::uint32_t> place_natives(choice_state& choice);

}  // namespace citestream
