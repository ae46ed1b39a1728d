/// \file
/// The text stage that makes URLs and markup inert, unless they are allowed.
///
/// \code
///   egress_stage stage(mode, code, patterns, limits);
///   stage.allow(reference);
///   stage.feed(text, out, edits);   // any number of times
///   stage.finish(out, edits);
/// \endcode
///
/// The output does not depend on how the text is divided. At most \ref max_held bytes are held back, and only
/// if the decision about them needs more text. egress_stage.cpp explains the rule.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/egress/egress.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "allowed_urls.hpp"
#include "base/text_edits.hpp"
#include "code_guess.hpp"
#include "exact_code.hpp"
#include "text_ahead.hpp"

namespace citestream {

/// The stage for one text at a time. In mode `report` its output is the text unchanged, so a caller may send
/// the text at once and ignore the output.
class egress_stage {
 public:
  static constexpr std::size_t max_held = 512;  ///< maximum number of bytes held back

  egress_stage(egress_mode mode, egress_code code, std::vector<egress_pattern> allowed, const limits& bounds);

  [[nodiscard]] egress_mode mode() const noexcept { return mode_; }
  /// Allows the URL of \p ref from now on.
  void allow(const reference& ref) { allowed_.allow(ref); }
  /// Takes text and appends to \p out as much as can be decided. \p edits gets the changes.
  void feed(std::string_view text, std::string& out, text_edits& edits);
  /// Ends the text. Appends the bytes held, made inert if they need it. If another text follows, the two are
  /// separated where they could form something active together.
  void finish(std::string& out, text_edits& edits);
  /// Number of bytes held back.
  [[nodiscard]] std::size_t held() const noexcept { return state_.held.size(); }

  /// The places that were made inert or, in mode `report`, would be: the first `max_egress_records`.
  [[nodiscard]] std::span<const egress_record> records() const noexcept { return records_; }
  /// Number of all such places.
  [[nodiscard]] std::uint64_t recorded() const noexcept { return recorded_; }

  /// Appends \p text with everything active made inert, independently of the current text. Records nothing.
  void append_inert(std::string_view text, std::string& out);
  /// Appends \p url. Unless it is allowed, it is changed so that a program that makes it a link makes a
  /// relative one.
  void append_inert_url(std::string_view url, std::string& out);

  /// Prepares for another text. Forgets the references and keeps the patterns.
  void reset() noexcept;

 private:
  /// State of the current text.
  struct text_state {
    std::string held;    ///< bytes not decided yet
    recent_text recent;  ///< the last characters decided
    code_guess guess;
    exact_code exact;  ///< used only for `egress_code::exact`
    /// One bit for each open bracket, the lowest for the innermost: set if `!` precedes it.
    std::uint64_t images{};
    bool undecided{};   ///< the last text ended in bytes that more text could have made active
    bool inert_host{};  ///< inside the host of a URL that was made inert
  };
  /// What happens to the next bytes.
  struct decision;
  struct allowed_destination;

  std::size_t run(std::string_view text, bool last, std::string& out, text_edits& edits);
  [[nodiscard]] std::size_t plain_size(std::string_view text) const noexcept;
  [[nodiscard]] decision decide(const text_ahead& text);
  [[nodiscard]] decision decide_tag(const text_ahead& text, character first);
  [[nodiscard]] decision decide_bracket(const text_ahead& text, character first);
  [[nodiscard]] allowed_destination find_allowed(const text_ahead& text, std::size_t url,
                                                 std::size_t bracket) const;
  [[nodiscard]] decision decide_destination(const text_ahead& text, std::size_t second, bool definition);
  [[nodiscard]] static decision write_destination(const text_ahead& text, std::string_view opening,
                                                  const allowed_url& allowed, std::size_t after);
  [[nodiscard]] decision decide_colon(const text_ahead& text, character first);
  [[nodiscard]] decision decide_url(const text_ahead& text, std::size_t slash, std::size_t size);
  [[nodiscard]] decision decide_slash(const text_ahead& text, character first);
  [[nodiscard]] static decision decide_control(character first);
  [[nodiscard]] decision decide_dot(const text_ahead& text, character first);
  [[nodiscard]] bool is_destination(std::size_t size) const noexcept;
  [[nodiscard]] bool is_recorded(std::size_t size) const noexcept;
  void write(std::string_view before, std::string_view after, std::string& out, text_edits& edits) const;
  void apply(const decision& decided, std::string_view bytes, std::string& out, text_edits& edits);

  egress_mode mode_;
  egress_code code_;
  std::size_t max_records_;
  allowed_urls allowed_;
  text_state state_;
  std::vector<egress_record> records_;
  std::uint64_t recorded_{};
};

}  // namespace citestream
