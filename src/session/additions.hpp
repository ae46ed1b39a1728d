/// \file
/// Writes what is added to a stream: the member "citestream" and the annotations of a choice.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/session/options.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
      : options_(&options), others_(&others), annotations_doc_(reader) {}

  /// Returns true if citations are added.
  [[nodiscard]] bool enabled() const noexcept;
  /// Returns true if anything is added.
  [[nodiscard]] bool any() const noexcept {
    return enabled() || (options_->add != additions::never && options_->egress != egress_mode::off);
  }
  /// Returns true if there is something to add for this choice, which must be settled.
  [[nodiscard]] bool due(const choice_state& one) const noexcept;

  /// Adds to a payload the records of all choices settled so far, and the annotations of choices that have a
  /// place for them in this payload. `root` is the root of the payload.
  void add_to(std::string_view payload, json_value root, const dialect_event& content, choice_list& choices,
              splicer& edits);

  /// `{"version":1,"offsets":…,"citations":[…],"uncited":[…]}` for all settled choices, in order.
  /// `"egress":[…]` follows if addresses were recorded, and with provenance `"provenance":{…}`, the meaning
  /// of each key. Over `max_addition_bytes`, records are only counted, as `"omitted"`. Empty if there is
  /// nothing to report. Valid until the next call.
  [[nodiscard]] std::string_view object(choices_view choices);

  /// The elements of one list of annotations for a choice: first those of `upstream`, then ours. `upstream`
  /// is the value of `annotations` in the event, or empty. Its annotations for pages that ours also cover are
  /// left out, because their offsets are no longer valid. Empty if we have no annotations, or if `upstream`
  /// is not a list: the value in the event is then kept. Valid until the next call.
  [[nodiscard]] std::string_view annotations(const choice_state& one, std::string_view upstream);

 private:
  void add_annotations(std::string_view payload, const choice_event& found, choice_state& one,
                       splicer& edits);
  bool begin_element(std::size_t list);
  void list_citations(const choice_state& one, std::size_t list);
  void append_sources(const citation& cite, const citations& cites);
  void list_uncited(const choice_state& one, std::size_t list);
  void list_egress(const choice_state& one, std::size_t list);
  void list_all_egress(choices_view choices);
  void list_keys();
  std::size_t write_annotations(const choice_state& one);
  void list_pages();
  bool keep_foreign(std::string_view upstream);

  /// The sources of a citation in the current list, and where their JSON is in `object_`.
  struct written_sources {
    const citation* cite;
    std::size_t begin;
    std::size_t size;
  };

  const session_options* options_;
  const other_texts* others_;
  document& annotations_doc_;
  std::size_t omitted_{};  ///< records left out of `object_` because of the size limit
  std::string object_;
  std::vector<written_sources> written_;  ///< of the current list; reused
  std::string annotations_;
  std::string ours_;
  std::string json_;
  std::vector<std::string> pages_;  ///< the normalized URLs of `ours_`, sorted
  std::string url_;
};

}  // namespace citestream
