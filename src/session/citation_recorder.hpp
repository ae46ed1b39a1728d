/// \file
/// The citations of one answer. A citation is recorded when its positions in the sent text are final, and
/// its claim is checked then.
#pragma once

#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "answer_texts.hpp"
#include "claim_checks.hpp"
#include "found_citations.hpp"

namespace citestream {

/// Positions of a citation and its claim in the same text.
struct citation_places {
  text_span citation;
  text_span claim;
};

/// Records the citations of one answer, in the order in which they are found.
class citation_recorder {
 public:
  /// \p check: instead of session_options::check. \p sent: of the answer
  citation_recorder(const session_options& options, check_mode check, const sent_text& sent);

  [[nodiscard]] const citations& cites() const noexcept { return cites_; }
  [[nodiscard]] citations& cites() noexcept { return cites_; }
  /// The received text from its start. Null if claims are not checked.
  [[nodiscard]] kept_text* checked_text() const noexcept {
    return checks_ == nullptr ? nullptr : &checks_->text();
  }

  /// Call when text arrives. Notes whether references were known before the first text.
  void note_text() noexcept {
    if (early_ == references_before::unknown)
      early_ = cites_.references().empty() ? references_before::none : references_before::some;
  }
  [[nodiscard]] bool has_text() const noexcept { return early_ != references_before::unknown; }
  /// Returns true if references were known before the first text.
  [[nodiscard]] bool knew_references() const noexcept { return early_ == references_before::some; }

  /// Sets the path of citations that are recorded from now on.
  void set_path(const citation_path& path) { path_ = path; }
  /// Records a citation, now or when record_final() finds that its positions are final.
  void add(const found_citation& one, answer_texts& texts);
  /// Records the citations of the current text whose positions are final now.
  void record_final(answer_texts& texts) {
    if (!texts.current().unplaced.empty()) record_all_final(texts);
  }

  /// See answer_stages.
  void resolve();
  std::vector<std::uint32_t> resolve_late();
  bool add_native(const placed_citation& one);

  /// Prepares for another answer; keeps capacity.
  void reset() noexcept;

 private:
  /// Whether references were known before the first text.
  enum class references_before : std::uint8_t {
    unknown,  ///< there is no text yet
    none,
    some,
  };

  [[nodiscard]] std::optional<citation_places> sent_places(const found_citation& one,
                                                           const answer_texts& texts) const;
  bool record(const found_citation& one, const answer_texts& texts);
  void record_all_final(answer_texts& texts);

  const sent_text* sent_;
  citations cites_;
  citation_path path_;                    ///< of the current text
  std::unique_ptr<claim_checks> checks_;  ///< null if claims are not checked
  references_before early_{};
};

}  // namespace citestream
