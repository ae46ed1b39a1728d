// How additions are written.
//
// object() writes one JSON object over all settled choices, from the start, whenever a choice is settled: the
// last object in a stream is complete, and a client needs only that one. begin_element() enforces the size
// limit: past it, records are counted and not written. Once the objects of a stream together reach the limit,
// records are sent once more at its end, or only counted: otherwise a stream that settles a thousand times
// would carry a thousand objects. Citations of the same references share their JSON, which is
// written once and copied.
#include "additions.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "active_grammars.hpp"
#include "rewrite/json.hpp"

namespace citestream {

namespace {

using choices_view = addition_writer::choices_view;

bool is_settled(const choice_state& choice) noexcept {
  return choice.phase == choice_phase::settled;
}

/// Writes the records of the settled choices.
class record_writer {
 public:
  /// \p max_bytes: no record begins at this size of \p out
  record_writer(const session_options& options, const other_texts& others, std::size_t max_bytes,
                std::string& out) noexcept
      : options_(options), others_(others), max_bytes_(max_bytes), out_(out) {}

  /// Appends the object. \p enabled: whether the citations of a choice are listed. Returns false if there is
  /// nothing to report.
  template <typename Enabled>
  bool write(choices_view choices, const Enabled& enabled) {
    out_.append("{\"version\":1,\"offsets\":\"").append(name(options_.offsets));
    bool any = list("\",\"citations\":[", choices, [&](const choice_state& one) {
      if (enabled(one)) list_citations(one);
    });
    any |= list(",\"uncited\":[", choices, [&](const choice_state& one) {
      if (enabled(one)) list_uncited(one);
    });
    any |= omitted_ > 0;
    if (std::ranges::any_of(choices, [&](const auto& one) { return found_urls(*one); })) {
      any = true;
      list(",\"egress\":[", choices, [&](const choice_state& one) { list_egress(one); });
    }
    if (!any) return false;
    if (options_.provenance) list_keys();
    if (omitted_ > 0) out_.append(",\"omitted\":").append(std::to_string(omitted_));
    out_ += '}';
    return true;
  }

 private:
  /// The references of a citation in the current list, and where their JSON is in the output.
  struct written_sources {
    const citation* cite{};
    std::size_t begin{};
    std::size_t size{};
  };

  /// Writes a list from its \p opening on: what \p take appends for each settled choice. Returns false if it
  /// is empty.
  template <typename Take>
  bool list(std::string_view opening, choices_view choices, const Take& take) {
    begin_ = out_.append(opening).size();
    for (const auto& one : choices) {
      if (is_settled(*one)) take(*one);
    }
    const bool any = out_.size() > begin_;
    out_ += ']';
    return any;
  }

  /// Starts another element of the current list. Returns false if the size limit is reached.
  bool begin_element() {
    if (out_.size() >= max_bytes_) {
      ++omitted_;
      return false;
    }
    if (out_.size() > begin_) out_ += ',';
    return true;
  }

  void list_citations(const choice_state& choice) {
    const citations& cites = choice.answer.cites();
    count_ = 0;
    for (std::size_t i = 0; i < cites.count(); ++i) {
      if (!begin_element()) continue;
      const citation& cite = cites.at(i);
      append_citation_place(cite, choice.number, options_.offsets, out_);
      append_finding(cite.finding.get(), cites, options_.offsets, out_);
      append_sources(cite, cites);
    }
  }

  /// Writes the references of a citation, or copies them from an earlier citation of the same ones.
  void append_sources(const citation& cite, const citations& cites) {
    const auto same = [&](const written_sources& one) { return same_sources(*one.cite, cite); };
    const auto found = std::find_if(written_.begin(), written_.begin() + count_, same);
    const std::size_t begin = out_.size();
    if (found != written_.begin() + count_) {
      out_.append(out_, found->begin, found->size);
      return;
    }
    append_citation_sources(cite, cites, out_);
    if (count_ < written_.size()) written_[count_++] = {&cite, begin, out_.size() - begin};
  }

  void list_uncited(const choice_state& choice) {
    const citations& cites = choice.answer.cites();
    for (const std::uint32_t index : cites.uncited()) {
      if (begin_element()) append_reference_json(cites.references()[index], out_, choice.number);
    }
  }

  [[nodiscard]] bool found_urls(const choice_state& choice) const noexcept {
    return is_settled(choice) && choice.answer.sent().recorded() + others_.found(choice.number) > 0;
  }

  void list_egress(const choice_state& choice) {
    list_egress(choice.answer.sent(), choice.number, {});
    for (const auto& other : others_.all()) {
      if (other->choice == choice.number) list_egress(other->guard, choice.number, name(other->place));
    }
  }
  void list_egress(const sent_text& text, std::uint32_t choice, std::string_view in) {
    for (const egress_record& found : text.records()) {
      if (begin_element()) append_egress_json(found, choice, options_.offsets, out_, in);
    }
    omitted_ += text.recorded() - text.records().size();
  }

  void list_keys() {
    out_.append(",\"provenance\":{");
    begin_ = out_.size();
    for (const reference& ref : options_.references) {
      if (has_provenance_key(ref) && begin_element()) append_provenance_member(ref, out_);
    }
    out_ += '}';
  }

  const session_options& options_;
  const other_texts& others_;
  std::size_t max_bytes_;
  std::string& out_;
  std::size_t begin_{};                      ///< of the current list
  std::size_t omitted_{};                    ///< records left out because of the size limit
  std::array<written_sources, 16> written_;  ///< the first `count_`: of the current list
  unsigned count_{};
};

}  // namespace

bool addition_writer::enabled(const dialect& spec) const noexcept {
  if (options_->add != additions::automatic) return options_->add == additions::always;
  return style_for(*options_, &spec).space != spacing::untouched;
}

bool addition_writer::due(const choice_state& choice) const noexcept {
  const citations& cites = choice.answer.cites();
  if (enabled(*choice.read_as) &&
      (!cites.all().empty() || !cites.native().empty() || !cites.uncited().empty()))
    return true;
  return options_->add != additions::never &&
         choice.answer.sent().recorded() + others_->found(choice.number) > 0;
}

bool addition_writer::annotated(const dialect_event& content) noexcept {
  constexpr std::size_t longest_empty = 4;  // `null`; `[]` and `[ ]` are shorter
  return std::any_of(content.choices.begin(), content.choices.end(), [](const choice_event& found) {
    return std::max(found.holder.annotations.value_or(byte_range{}).size(),
                    found.holder.message_annotations.value_or(byte_range{}).size()) > longest_empty;
  });
}

void addition_writer::add_to(const dialect_event& content, choice_list& choices, bool settled,
                             splicer& edits) {
  if (!content.root) return;
  // If the payload already has a `citestream` member, a proxy upstream has seen the markers, and nothing is
  // added here. Annotations of the provider that are held are sent later.
  if (content.root["citestream"]) {
    for (const auto& choice : choices.all()) {
      choice->unsent.record = false;
      if (choice->annotations.state == annotation_state::due && choice->annotations.held.empty())
        choice->annotations.state = annotation_state::none;
    }
    return;
  }
  for (const choice_event& found : content.choices) {
    choice_state* const choice = choices.find(found.choice);
    if (choice != nullptr) add_annotations(found, *choice, edits);
  }
  if (!settled || options_->add == additions::never || !has_room()) return;
  const std::string_view records = object(choices.all(), false);
  choices.note_records_sent();
  if (!records.empty()) edits.insert_member(content.root.range(), "citestream", records);
}

void addition_writer::add_annotations(const choice_event& found, choice_state& choice, splicer& edits) {
  const text_holder& holder = found.holder;
  if (!holder.can_annotate || !holder.object) return;  // sent with the next event that has a place for them
  const bool due = choice.annotations.state == annotation_state::due;
  const auto list_at = [&](byte_range place) { return edits.payload().substr(place.begin, place.size()); };
  std::optional<byte_range> repeat = holder.message_annotations;
  if (repeat && (choice.units.current.repeats.differs() || !list_at(*repeat).starts_with('[')))
    repeat.reset();
  if (!due && !holder.annotations && !repeat) return;
  if (!choice.answer.may_differ() && !enabled(*choice.read_as)) return;
  const provider_lists given{list_at(holder.annotations.value_or(byte_range{})),
                             list_at(repeat.value_or(byte_range{}))};
  const std::optional<std::string> elements = merged(choice, given);
  if (!elements) return;
  // Some clients keep only the last list. An empty one would replace the list that has been sent.
  const bool repeats =
      choice.phase == choice_phase::settled && elements->empty() && !choice.annotations.pages.empty();
  if (repeats && (found.slot != text_slot::absent || edits.empty())) {
    for (const auto& list : {holder.annotations, repeat}) {
      if (list) edits.remove_member(*list);
    }
    return;
  }
  const std::string json = "[" + *elements + "]";
  if (repeat) edits.replace(*repeat, json);
  if (holder.annotations) {
    edits.replace(*holder.annotations, json);
  } else if (!repeat || !elements->empty()) {
    edits.insert_member(*holder.object, "annotations", json);
  }
}

/// The elements of the list that an event has to carry instead of the lists \p given; nothing if they pass
/// unchanged.
std::optional<std::string> addition_writer::merged(choice_state& choice, const provider_lists& given) {
  if (choice.phase != choice_phase::settled) return annotations_.hold(choice, given);
  const bool due = choice.annotations.state == annotation_state::due;
  annotation_list list = annotations_.merge(choice, given, due && enabled(*choice.read_as));
  note_annotations(list, choice);
  if (due) choice.annotations.state = list.changed ? annotation_state::sent : annotation_state::none;
  return list.changed ? std::optional(std::move(list.elements)) : std::nullopt;
}

std::string_view addition_writer::object(choices_view choices, bool last) {
  object_.clear();
  const std::size_t max_bytes = last || has_room() ? options_->bounds.max_addition_bytes : 0;
  record_writer writer(*options_, *others_, max_bytes, object_);
  const auto lists = [this](const choice_state& one) { return enabled(*one.read_as); };
  if (!writer.write(choices, lists)) return {};
  written_bytes_ += object_.size();
  return object_;
}

}  // namespace citestream
