/// \file
/// The text stage that makes addresses and markup inert, unless they are allowed.
///
/// \code
///   egress_stage stage(mode, code, patterns, limits);
///   stage.know(reference);
///   stage.feed(text, out, edits);   // any number of times
///   stage.finish(out, edits);
/// \endcode
///
/// The output does not depend on how the text is divided. At most \ref max_held bytes are held back, and only
/// if they may be the start of something active. egress_stage.cpp explains the rule.
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

#include "allowed_addresses.hpp"
#include "base/text_edits.hpp"
#include "code_guess.hpp"
#include "exact_code.hpp"
#include "text_ahead.hpp"

namespace citestream {

/// The stage for one text. Reusable; keeps its patterns.
class egress_stage {
 public:
  static constexpr std::size_t max_held = 512;  ///< maximum of bytes held back

  egress_stage(egress_mode mode, egress_code code, std::vector<egress_pattern> allowed, const limits& bounds);

  [[nodiscard]] egress_mode mode() const noexcept { return mode_; }
  /// Allows the address of \p ref from now on.
  void know(const reference& ref) { allowed_.know(ref); }
  /// Takes text and appends what is decided.
  void feed(std::string_view text, std::string& out, text_edits& edits);
  /// Ends the text. Appends what is held, made inert if it could become active.
  void finish(std::string& out, text_edits& edits);
  [[nodiscard]] std::size_t held() const noexcept {
    return mode_ == egress_mode::report ? 0 : place_.held.size();
  }

  /// The places that were made inert or, in mode `report`, would be: the first `max_egress_records`.
  [[nodiscard]] std::span<const egress_record> records() const noexcept { return records_; }
  /// Number of all such places.
  [[nodiscard]] std::uint64_t recorded() const noexcept { return recorded_; }

  /// Appends \p text, made inert as a separate text. Nothing is recorded.
  void inert(std::string_view text, std::string& out);
  /// Appends \p address. Unless it is allowed, it is changed so that it leads nowhere if a program makes a
  /// link of it.
  void inert_address(std::string_view address, std::string& out);

  /// Prepares for another text and forgets all references.
  void reset() noexcept;

 private:
  /// The state of the stage in one text.
  struct place {
    std::string held;    ///< bytes not decided yet
    recent_text recent;  ///< the last bytes decided, decoded
    code_guess guess;
    exact_code exact;        ///< used only for `egress_code::exact`
    std::uint64_t images{};  ///< one bit for each open bracket: `!` is in front of it
    bool inert_host{};       ///< inside the host of an address that was made inert
  };
  /// What happens to the next bytes.
  struct decision;

  std::size_t run(std::string_view text, bool last, std::string& out, text_edits& edits);
  [[nodiscard]] std::size_t plain_size(std::string_view text) const noexcept;
  [[nodiscard]] decision decide(const text_ahead& text);
  [[nodiscard]] decision decide_tag(const text_ahead& text, character first);
  [[nodiscard]] decision decide_bracket(const text_ahead& text, character first);
  [[nodiscard]] decision decide_destination(const text_ahead& text, std::size_t mark, bool definition);
  [[nodiscard]] decision decide_colon(const text_ahead& text, character first);
  [[nodiscard]] decision decide_address(const text_ahead& text, std::size_t slash, std::size_t size);
  [[nodiscard]] decision decide_slash(const text_ahead& text, character first);
  [[nodiscard]] decision decide_dot(const text_ahead& text, character first);
  [[nodiscard]] bool follows_mark(std::size_t size) const noexcept;
  void apply(const decision& made, std::string_view bytes, std::string& out, text_edits& edits);

  egress_mode mode_;
  egress_code code_;
  std::size_t max_records_;
  allowed_addresses allowed_;
  place place_;
  std::vector<egress_record> records_;
  std::uint64_t recorded_{};
  text_edits reported_;  ///< the edits that mode `report` would make
  std::string unused_;   ///< the text that mode `report` would write
};

}  // namespace citestream
