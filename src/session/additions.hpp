// What is added to a stream: the "citestream" object and the annotations of a choice.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/session/options.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "beside.hpp"
#include "choice.hpp"

namespace citestream {

class addition_writer {
 public:
  // `reader`: used within calls only.
  addition_writer(const session_options& options, const beside_texts& beside, document& reader) noexcept
      : options_(&options), beside_(&beside), annotations_doc_(reader) {}

  // Whether citations are to be added at all.
  [[nodiscard]] bool enabled() const noexcept;
  // Whether anything is to be added at all.
  [[nodiscard]] bool any() const noexcept {
    return enabled() || (options_->add != additions::never && options_->egress != egress_mode::off);
  }
  // Whether there is anything to say of this choice, which is settled.
  [[nodiscard]] bool due(const choice_state& one) const noexcept;

  // `{"version":1,"offsets":…,"citations":[…],"uncited":[…]}` over all settled choices, in order; empty where
  // none has a citation, a reference or something for `"egress":[…]`. With provenance `"provenance":{…}`
  // follows, what each key means. Past `max_addition_bytes` records are only counted, as "omitted". Valid
  // until the next call.
  [[nodiscard]] std::string_view object(const std::vector<std::unique_ptr<choice_state>>& choices,
                                        std::size_t count);

  // The elements of one list of annotations for a choice: those of `upstream` (the event's own value of
  // `annotations`, or empty) that are not about a page that ours are about, whose offsets hold no longer,
  // then ours. Empty where we have none, or where `upstream` is no list: the event's own value then stays.
  // Valid until the next call.
  [[nodiscard]] std::string_view annotations(const choice_state& one, std::string_view upstream);

 private:
  bool begin_element(std::size_t list);
  void list_citations(const choice_state& one, std::size_t list);
  void append_sources(const citation& cite, const citations& cites);
  void list_uncited(const choice_state& one, std::size_t list);
  void list_egress(const choice_state& one, std::size_t list);
  void list_all_egress(const std::vector<std::unique_ptr<choice_state>>& choices, std::size_t count);
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
  const beside_texts* beside_;
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
