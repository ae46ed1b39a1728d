// Which dialect a stream is read as.
//
// Dialects are tried in the order of their table, the special before the general. A stream taken for one of a
// general form may turn out to be of a more special one: by a payload before the first text, or by one with
// more than text. Once text has come, only dialects that cite with the same grammars come into question, as
// what was read with some grammars is not read again with others.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>

#include <string_view>

namespace citestream {

class recognition {
 public:
  // `options` outlives it.
  explicit recognition(const session_options& options) noexcept;

  // Parses a payload and reads it. \return false: it is not JSON, or no dialect knows it (`why` is then ok).
  bool read(std::string_view payload, payload_kind kind, document& parsed, dialect_event& out, status& why);
  // Some choice has text.
  void note_text() noexcept { texts_begun_ = true; }
  [[nodiscard]] bool texts_begun() const noexcept { return texts_begun_; }

  // Recognised, or chosen; null: not known yet.
  [[nodiscard]] const dialect* current() const noexcept { return current_; }
  // Whose grammars new texts are read with.
  [[nodiscard]] const dialect* read_as() const noexcept { return read_as_; }
  void reset() noexcept;

 private:
  bool reads_as(const dialect& candidate, payload_kind kind, document& parsed, dialect_event& out,
                status& why) const;
  bool reads_anyhow(payload_kind kind, document& parsed, dialect_event& out, status& why);
  [[nodiscard]] bool may_turn_out(bool read, const dialect_event& out) const noexcept;
  [[nodiscard]] bool may_become(const dialect& other) const noexcept;
  void become(const dialect& recognised) noexcept;

  const session_options* options_;
  bool grammars_chosen_;  // by whoever made the session
  bool texts_begun_{};    // some choice has text: what it cites with is settled
  const dialect* current_;
  const dialect* read_as_;
};

}  // namespace citestream
