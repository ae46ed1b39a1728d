// What is added to a stream: the "citestream" object and the annotations of a choice.
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

class addition_writer {
 public:
  using choices_view = std::span<const std::unique_ptr<choice_state>>;

  // `reader`: used within calls only.
  addition_writer(const session_options& options, const other_texts& others, document& reader) noexcept
      : options_(&options), others_(&others), annotations_doc_(reader) {}

  // Whether citations are to be added at all.
  [[nodiscard]] bool enabled() const noexcept;
  // Whether anything is to be added at all.
  [[nodiscard]] bool any() const noexcept {
    return enabled() || (options_->add != additions::never && options_->egress != egress_mode::off);
  }
  // Whether there is anything to say of this choice, which is settled.
  [[nodiscard]] bool due(const choice_state& one) const noexcept;

  // Adds to a payload the citations of the choices settled so far, and their annotations where it has a place
  // for them. `root`: the payload's.
  void add_to(std::string_view payload, json_value root, const dialect_event& content, choice_list& choices,
              splicer& edits);

  // `{"version":1,"offsets":…,"citations":[…],"uncited":[…]}` over all settled choices, in order; empty where
  // none has a citation, a reference or something for `"egress":[…]`. With provenance `"provenance":{…}`
  // follows, what each key means. Past `max_addition_bytes` records are only counted, as "omitted". Valid
  // until the next call.
  [[nodiscard]] std::string_view object(choices_view choices);

  // The elements of one list of annotations for a choice: those of `upstream` (the event's own value of
  // `annotations`, or empty) that are not about a page that ours are about, whose offsets hold no longer,
  // then ours. Empty where we have none, or where `upstream` is no list: the event's own value then stays.
  // Valid until the next call.
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

  // Of the list under way: what a citation cites, in `object_`.
  struct written_sources {
    const citation* cite;
    std::size_t begin;
    std::size_t size;
  };

  const session_options* options_;
  const other_texts* others_;
  document& annotations_doc_;
  std::size_t omitted_{};  // records that the bound kept out of `object_`
  std::string object_;
  std::vector<written_sources> written_;  // of one list; reused
  std::string annotations_;
  std::string ours_;
  std::string json_;
  std::vector<std::string> pages_;  // what `ours_` are about, sorted
  std::string url_;
};

}  // namespace citestream
