#include "rewrite_stages.hpp"

namespace citestream {

rewrite_stages::rewrite_stages(const session_options& options, session_memory& memory, bool small)
    : space(memory),
      events(options.typed_events),
      reader(options, space.payload, space.read, counts, small),
      templates(options, reader),
      adder(options, space.copies, reader, templates),
      choices(options),
      others(options, templates.kept(), adder),
      additions(options, others, space.annotations),
      texts(options, additions, others, events, counts),
      units(options, additions, others, adder, counts),
      closer(choices, texts, others, additions, adder) {}

[[gnu::hot]] void rewrite_stages::open(const dialect_event& content) {
  if (!choices.open(content, *reader.dialect_of().text_dialect())) ++counts.passed_through;
  for (const found_reference& found : content.references) {
    others.add_reference(found.ref, found.choice);
    choices.add_reference(found);
  }
}

void rewrite_stages::take_other_texts(const dialect_event& content, const frame* item, event_output& out) {
  for (const other_text_event& found : content.other_texts) {
    choice_state* const main = choices.find(found.at.choice);
    if (main == nullptr) continue;
    const std::uint64_t before = others.found(found.at.choice);
    others.take(found, main->answer.cites(), item, space.edits, out);
    // The first URL that is recorded after the choice was settled makes a record due.
    const bool settled = main->phase == choice_phase::settled;
    if (settled && before == 0 && additions.due(*main)) main->unsent.record = true;
  }
}

void rewrite_stages::adopt_dialect() {
  for (const auto& choice : choices.all()) templates.make(*choice);
  choices.switch_to(*reader.dialect_of().text_dialect());
}

session_statistics rewrite_stages::statistics() const noexcept {
  session_statistics all = counts;
  choices.add_to(all);
  others.add_to(all);
  return all;
}

void rewrite_stages::reset() noexcept {
  counts = {};
  events.clear();
  reader.reset();
  adder.reset();
  choices.reset();
  others.reset();
  additions.reset();
  units.reset();
}

}  // namespace citestream
