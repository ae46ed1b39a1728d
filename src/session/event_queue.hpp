// Typed events that wait to be pulled.
#pragma once

#include <citestream/session/session.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "choice.hpp"

namespace citestream {

class event_queue {
 public:
  explicit event_queue(bool enabled) : enabled_(enabled) {}

  [[nodiscard]] bool enabled() const noexcept { return enabled_; }

  // The choice released `text`. Reports it, and the citations whose position is final by now, in the order of
  // the text.
  void released(choice_state& one, std::optional<std::uint64_t> delta, std::string_view text) {
    if (enabled_) add(one, delta, text);
  }
  // The choice was given the list of its style. Positions of citations do not count it.
  void listed(const choice_state& one, std::string_view text) {
    if (enabled_ && !text.empty()) add_text(one, {}, text);
  }
  // The choice's citations from `first` on are resolved, and it has ended unless that was said.
  void settled(const choice_state& one, std::size_t first);

  [[nodiscard]] bool next(session_event& out);
  void clear() noexcept;

 private:
  void add(choice_state& one, std::optional<std::uint64_t> delta, std::string_view text);
  void add_text(const choice_state& one, std::optional<std::uint64_t> delta, std::string_view text);
  void add_citation(const choice_state& one, std::optional<std::uint64_t> delta, std::size_t index);

  struct entry {
    session_event_type type{};
    const choice_state* choice{};
    std::optional<std::uint64_t> delta;
    std::size_t begin{};  // of the text in `text_`, or of a citation's label, which its identifier follows
    std::size_t end{};
    std::size_t label_end{};
    std::size_t index{};  // of a citation
  };

  bool enabled_;
  std::vector<entry> entries_;
  std::string text_;
  std::size_t next_{};
};

}  // namespace citestream
