#include "choice_template.hpp"

#include <utility>

namespace citestream {

void choice_template::learned(const learned_event& known, std::size_t text,
                              const choice_event& own) noexcept {
  const current_event* const current = std::get_if<current_event>(&remembered_);
  if (current == nullptr || current->content != &own) return;
  remembered_ = cached_event{&known, text, known.shape.event()};
  number_ = own.text.empty() ? 0 : known.number;
}

[[gnu::hot]] void choice_template::copy(cached_event& cached) {
  if (cached.raw.data() == cached.known->shape.event().data()) return;  // already a copy
  bytes_.assign(cached.raw);
  cached.raw = bytes_;
}

event_template& choice_template::make(event_cache& cache, kept_events& kept) {
  const auto last = std::exchange(remembered_, {});
  if (const auto* const current = std::get_if<current_event>(&last)) {
    made_.remember(kept.keep_current(*current->item), *current->content);
  } else if (const auto* const cached = std::get_if<cached_event>(&last)) {
    frame item;
    choice_event own;
    cache.restore(*cached->known, cached->raw, cached->text, item, own);
    made_.remember(kept.keep(item), own);
  }
  return made_;
}

}  // namespace citestream
