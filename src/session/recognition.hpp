/// \file
/// Decides which dialect a stream is read as.
///
/// Dialects are tried in the order of their table, specific before general. A stream that was recognised as a
/// general dialect can become a more specific one, at a payload before the first text or at one that contains
/// more than text. After the first text, only dialects with the same grammars are tried, because text that
/// was read with some grammars is not read again with others.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>

#include <optional>
#include <string_view>

namespace citestream {

/// What recognition::read() has found.
struct recognised_payload {
  bool read{};     ///< the dialect has read it
  bool changed{};  ///< recognition::current() has changed
  status why{};    ///< why it was not read: it is not JSON or has a duplicate key; empty: no dialect reads it
};

/// The dialect of one stream or body.
class recognition {
 public:
  /// \param options  must outlive this object
  explicit recognition(const session_options& options) noexcept;

  /// Parses and reads a payload. `message`: the type of the binary message that contains it; nothing if it is
  /// in no message.
  recognised_payload read(std::string_view payload, payload_kind kind,
                          std::optional<std::string_view> message, document& parsed, dialect_event& out);
  /// Some choice has text from now on.
  void note_text() noexcept { texts_begun_ = true; }
  [[nodiscard]] bool texts_begun() const noexcept { return texts_begun_; }

  /// The dialect that was recognised or chosen; null if not known yet.
  [[nodiscard]] const dialect* current() const noexcept { return current_; }
  /// The dialect whose grammars read the text. It is fixed with the first text, even if current() changes.
  [[nodiscard]] const dialect* text_dialect() const noexcept { return text_dialect_; }
  void reset() noexcept;

 private:
  template <typename Accepts>
  bool first_dialect(const Accepts& accepts) const;
  bool try_all(payload_kind kind, std::optional<std::string_view> message, document& parsed,
               dialect_event& out, status& why);
  bool try_dialect(const dialect& candidate, payload_kind kind, document& parsed, dialect_event& out,
                   status& why) const;
  bool read_as_unknown_message(payload_kind kind, document& parsed, dialect_event& out, status& why);
  [[nodiscard]] bool may_be_more_specific(bool read, const dialect_event& out) const noexcept;
  [[nodiscard]] bool may_switch_to(const dialect& other) const noexcept;
  void switch_to(const dialect& recognised) noexcept;

  const session_options* options_;
  bool grammars_chosen_;  ///< by the user
  bool texts_begun_{};    ///< some choice has text, so its grammars are fixed
  const dialect* current_;
  const dialect* text_dialect_;
  const dialect* preceding_{};  ///< recognised before `current_` by a payload that a gateway may have sent
};

}  // namespace citestream
