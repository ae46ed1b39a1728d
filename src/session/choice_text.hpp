/// \file
/// What is kept of one text of a choice. Most choices have one; some providers divide an answer into several
/// (\ref text_unit), mostly one after the other, and repeat each of them later.
#pragma once

#include <citestream/cite/citation.hpp>
#include <citestream/dialect/dialect.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/indexed_text.hpp"
#include "choice_template.hpp"
#include "text_parts.hpp"

namespace citestream {

/// For a text that is repeated: the text received and the text sent.
class repeated_text {
 public:
  /// Returns true if the texts are kept, because events may repeat or quote them.
  [[nodiscard]] bool on() const noexcept { return on_; }
  /// From now on, events may repeat the text. `received`, `sent`: all text so far.
  void start(std::string_view received = {}, std::string_view sent = {});

  /// Adds received text.
  void receive(std::string_view more) {
    add_passed();
    received_.append(more);
  }
  /// Returns true if `all` is the text received so far. `grown`: texts of the same size are known to be
  /// equal.
  [[nodiscard]] bool is_all(std::string_view all, bool grown) const noexcept;
  /// Adds sent text.
  void send(std::string_view released) {
    add_passed();
    sent_.append(released);
  }
  /// Adds text that was sent as received.
  void pass(std::string_view text) {
    received_.append(text);
    passed_ += text.size();
  }

  [[nodiscard]] const indexed_text& received() const noexcept { return received_; }
  [[nodiscard]] const indexed_text& sent() const {
    add_passed();
    return sent_;
  }
  /// The sent text as a JSON string.
  [[nodiscard]] const std::string& sent_json();

  /// A repeat was received. `equal`: it was the text received so far.
  void note_repeat(bool equal) noexcept { differs_ = !equal; }
  /// Returns true if the last repeat was not equal to the text received.
  [[nodiscard]] bool differs() const noexcept { return differs_; }

  /// Frees the texts. Repeats are then not equal to the text received.
  void give_up() noexcept {
    *this = {};
    differs_ = true;
  }
  void reset() noexcept;

 private:
  /// Adds to the sent text what has passed. Deferred: most texts are never read.
  void add_passed() const {
    if (passed_ == 0) return;
    const std::string_view all = received_.text();
    sent_.append(all.substr(all.size() - passed_));
    passed_ = 0;
  }

  bool on_{};
  bool differs_{};
  indexed_text received_;
  mutable indexed_text sent_;
  mutable std::size_t passed_{};   ///< bytes at the end of `received_` that `sent_` lacks
  std::string sent_json_{"\"\""};  ///< the first `escaped_` bytes of the sent text
  std::size_t escaped_{};
};

/// Where the words are that a span quotes. Some providers count bytes that they have removed, so the words
/// may be a few bytes away from \p start. Nothing if they are not there. Only spans in bytes are checked.
std::optional<std::uint64_t> find_quote(std::uint64_t start, std::uint64_t end, std::string_view quote,
                                        offset_unit unit, const indexed_text& text);

/// Our annotations of one text.
struct own_annotations {
  std::vector<std::string> all;      ///< as JSON, in the order in which clients get them
  std::size_t early{};               ///< how many of them were sent before those of the provider
  std::size_t sent{};                ///< how many of them were sent as events
  std::size_t next{};                ///< citations before this index have been looked at
  std::vector<std::size_t> unknown;  ///< those of them whose reference was not known
  std::set<std::string> written;     ///< citations without positions may be equal
  std::size_t bytes{};               ///< of `all`
};

/// A reference in citation_lists of an earlier payload.
struct listed_reference {
  std::string url;                         ///< normalized
  std::optional<std::uint32_t> reference;  ///< its index among the references of the choice
};

/// What is known of the annotations of one text.
struct unit_annotations {
  using span = std::pair<std::uint64_t, std::uint64_t>;

  std::map<span, span> converted;  ///< the provider's positions, and what they became
  /// Keys of the sources that are annotated already, by the provider or, with
  /// own_citation_form::shows_sources_once, by citestream: normalized URL, file id, place in the request or
  /// title.
  std::set<std::string> annotated;
  std::size_t count{};                    ///< number of the provider's annotations received in events
  std::unique_ptr<own_annotations> ours;  ///< null: there are none
  std::vector<listed_reference> listed;   ///< those in citation_lists of earlier payloads
};

/// Maximum number of parts of one text whose places are kept. Providers interrupt a text once, if at all.
inline constexpr std::size_t max_kept_parts = 256;

/// What a text needs to continue after another one.
struct interrupted_text {
  std::size_t number{};        ///< see answer_stages::interrupt()
  choice_template last_event;  ///< of its events
};

/// Whether a text of a choice has ended.
enum class unit_phase : std::uint8_t {
  open,
  ended,  ///< by the provider or by this program; more text with its id continues it
  over,   ///< ended by the provider: more text with its id is another text
};

/// One text of a choice.
struct choice_text {
  text_unit id;
  std::shared_ptr<const std::string> name;  ///< its id as JSON; null if records do not use it
  text_place start;                         ///< of its last part, in the choice
  std::size_t first_citation{};             ///< number of the citations of the choice before it
  text_place end;                           ///< of its last part, once another text has begun
  std::vector<text_part> parts;             ///< all parts, if there are several
  unit_phase phase{unit_phase::open};
  bool not_of_model{};                            ///< see unit_mark::not_of_model
  bool consecutive{};                             ///< see unit_mark::consecutive
  std::unique_ptr<interrupted_text> interrupted;  ///< null: it is not set aside
  repeated_text repeats;
  unit_annotations annotations;

  [[nodiscard]] bool ended() const noexcept { return phase != unit_phase::open; }
  /// Returns true if \p text is all of it that was received.
  [[nodiscard]] bool is_received(std::string_view text) const noexcept {
    return repeats.on() && repeats.is_all(text, false);
  }
  /// Returns true if it has continued after another text.
  [[nodiscard]] bool continued() const noexcept { return !parts.empty(); }
  /// Returns false if it has more parts than are kept: part_at() must not be called then.
  [[nodiscard]] bool has_places() const noexcept { return parts.size() < max_kept_parts; }
  /// \param json  its id
  void set_name(std::string_view json);
  /// Begins another part of the text.
  void begin_part(const text_place& at);
  /// The part that a position in the received text is in; see find_part() for \p side.
  [[nodiscard]] text_part part_at(std::uint64_t position, offset_unit in, edit_side side) const noexcept;
  /// Converts a position in the sent text of the choice to one in this text. \p side: as in part_at().
  [[nodiscard]] std::uint64_t own_place(std::uint64_t sent, offset_unit in, edit_side side) const noexcept;
  [[nodiscard]] text_span own_span(const text_offset& begin, const text_offset& last) const noexcept;
  /// The path of the citations in it.
  [[nodiscard]] citation_path path(const dialect& spec) const;
  void reset() noexcept;
};

/// The texts of one choice.
struct choice_texts {
  /// The last text with this id; null if no text has it. Some servers give all texts the same id.
  [[nodiscard]] const choice_text* find(text_unit id) const noexcept { return find_in(*this, id); }
  [[nodiscard]] choice_text* find(text_unit id) noexcept { return find_in(*this, id); }
  /// The text that \p id means, which may be \ref last_text; null if no text has it.
  [[nodiscard]] choice_text* meant(text_unit id) noexcept { return id == last_text ? &current : find(id); }
  /// The text that \p found repeats: the one with its id, or, because some servers count items and parts
  /// differently or not at all, another equal one, of this item if possible. Null if none fits.
  [[nodiscard]] choice_text* repeated_by(const text_repeat& found) noexcept;
  /// Returns true if this is the text that arrives.
  [[nodiscard]] bool is_current(text_unit id) const noexcept { return id == current.id || id == last_text; }
  /// Returns true if the text that arrives has this id, and is over.
  [[nodiscard]] bool is_over(text_unit id) const noexcept {
    return current.phase == unit_phase::over && id == current.id;
  }
  /// Applies an event without text to the earlier text that it names. Returns false if there is no such text.
  bool note_earlier(const unit_mark& mark) noexcept;
  /// Applies the limit \p max. Below it, returns \p mark. At it, returns \p mark as a continuation if a text
  /// has its id, and nothing otherwise.
  [[nodiscard]] std::optional<unit_mark> admit(const unit_mark& mark, std::size_t max) noexcept;
  /// An interrupted text other than \p not_this, or null.
  [[nodiscard]] const choice_text* interrupted(text_unit not_this) const noexcept;
  /// Returns true if citation \p index is in the text that arrives.
  [[nodiscard]] bool is_here(std::size_t index) const noexcept {
    return index >= cited_in.size() || (current.id == cited_in[index] && current.first_citation <= index);
  }
  /// Starts the text of \p mark, or continues it if it is an earlier one. \p at: where in the choice.
  /// \p citations: number of those before it.
  void begin(const unit_mark& mark, const text_place& at, std::size_t citations);
  void reset() noexcept;

  /// Orders texts, also those with the same id.
  struct text_key {
    text_unit id;
    std::size_t first_citation{};  ///< see choice_text

    friend auto operator<=>(const text_key&, const text_key&) = default;
  };

  choice_text current;                           ///< the text that arrives
  std::multimap<text_key, choice_text> earlier;  ///< all others, ended or interrupted
  std::vector<text_unit> cited_in;               ///< the text of each citation before those of `current`

 private:
  template <typename Texts>
  static auto find_in(Texts& texts, text_unit id) noexcept -> decltype(&texts.current) {
    if (texts.current.id == id) return &texts.current;
    const auto at = last_in(texts.earlier, {id, std::numeric_limits<std::size_t>::max()});
    return at == texts.earlier.end() ? nullptr : &at->second;
  }
  /// The last text with the id of \p key that begins at or before its citation, or the end.
  template <typename Texts>
  static auto last_in(Texts& texts, text_key key) noexcept {
    const auto after = texts.upper_bound(key);
    if (after == texts.begin() || std::prev(after)->second.id != key.id) return texts.end();
    return std::prev(after);
  }
};

}  // namespace citestream
