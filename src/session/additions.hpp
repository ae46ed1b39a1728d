/// \file
/// Writes what is added to a stream: the member "citestream" and the annotations of a choice.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "annotations.hpp"
#include "choice_list.hpp"
#include "other_text.hpp"
#include "rewrite/splice.hpp"

namespace citestream {

/// Writes the additions of one stream or body.
class addition_writer {
 public:
  using choices_view = std::span<const std::unique_ptr<choice_state>>;

  /// \param reader  used only during calls
  addition_writer(const session_options& options, const other_texts& others, document& reader) noexcept
      : options_(&options), others_(&others), annotations_(options, reader) {}

  /// Returns true if citations are added to answers of this dialect.
  [[nodiscard]] bool enabled(const dialect& spec) const noexcept;
  /// Returns true if there is something to add for this choice, which must be settled.
  [[nodiscard]] bool due(const choice_state& choice) const noexcept;

  /// Returns true if the provider has annotated text in this payload.
  [[nodiscard]] static bool annotated(const dialect_event& content) noexcept;
  /// Rewrites the annotations in a payload. Those of a choice that is not settled are held back or pass
  /// unchanged, those of a settled choice are merged with citestream's. \p settled: a choice has settled;
  /// also adds the records of all settled choices.
  void add_to(const dialect_event& content, choice_list& choices, bool settled, splicer& edits);

  /// `{"version":1,"offsets":…,"citations":[…],"uncited":[…]}` for all settled choices, in order.
  /// `"egress":[…]` follows if addresses were recorded, and with provenance `"provenance":{…}`, the meaning
  /// of each key. Over `max_addition_bytes`, records are only counted, as `"omitted"`. Empty if there is
  /// nothing to report. Valid until the next call.
  /// \p last: no other object follows. Another one only counts the records if there is no room.
  [[nodiscard]] std::string_view object(choices_view choices, bool last);
  /// Returns false if the objects of this stream have reached `max_addition_bytes` in all.
  [[nodiscard]] bool has_room() const noexcept {
    return written_bytes_ == 0 || written_bytes_ < options_->bounds.max_addition_bytes;
  }
  void reset() noexcept { written_bytes_ = 0; }

  /// Returns the annotations of a choice whose text has ended, for an event of our own.
  [[nodiscard]] annotation_list annotations(const choice_state& choice) {
    return annotations_.merge(choice, {}, enabled(*choice.read_as));
  }
  /// Call after sending that list: its pages are not annotated again, and nothing is held for the choice any
  /// more.
  void note_annotations(const annotation_list& sent, choice_state& choice) const {
    choice.annotations.note_sent(sent.pages, options_->bounds.max_addition_bytes);
    choice.annotations.held.clear();
    choice.annotations.places.clear();
  }

 private:
  void add_annotations(const choice_event& found, choice_state& choice, splicer& edits);
  [[nodiscard]] std::optional<std::string> merged(choice_state& choice, const provider_lists& given);

  const session_options* options_;
  const other_texts* others_;
  annotation_writer annotations_;
  std::size_t written_bytes_{};  ///< of all objects of this stream
  std::string object_;           ///< reused
};

}  // namespace citestream
