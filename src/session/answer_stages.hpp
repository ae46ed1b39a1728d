/// \file
/// The text stages of an answer. The session uses them directly, other programs through \ref answer.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer_texts.hpp"
#include "citation_recorder.hpp"
#include "found_citations.hpp"

namespace citestream {

/// The text stages composed: marker, cite, style, egress. Functions without a comment are those of
/// \ref answer.
class answer_stages {
 public:
  /// See answer. \p spec: may be null. \p check: usually session_options::check
  answer_stages(const session_options& options, const dialect* spec, check_mode check);

  void push(std::string_view delta, std::string& out) {
    if (pass(delta, out)) out.append(delta);
  }
  [[nodiscard]] bool pass(std::string_view delta, std::string& out);
  /// Takes \p delta if nothing is held and nothing in it can begin a marker, so that exactly \p delta can be
  /// sent. Otherwise returns false and takes nothing: call pass().
  [[nodiscard]] bool pass_plain(std::string_view delta);
  void cite(std::string_view key);
  void finish(std::string& out);

  /// Sets the \ref citation::path of citations that are recorded from now on.
  void set_path(const citation_path& path) { recorder_.set_path(path); }
  /// Another text of the answer begins. Numbers and positions continue; the style may list sources again.
  /// Call after finish() or interrupt().
  void begin_text();
  /// Suspends the current text with its held bytes, because another text begins before it ends. Appends the
  /// bytes that egress holds. Returns the number for resume(), or nothing if the text must be ended instead:
  /// the style keeps text unchanged, or too many texts are suspended.
  [[nodiscard]] std::optional<std::size_t> interrupt(std::string& out);
  /// Continues a suspended text. Call after finish() or interrupt().
  void resume(std::size_t text);

  bool add_reference(const reference& ref);
  void resolve() { recorder_.resolve(); }
  std::vector<std::uint32_t> resolve_late() { return recorder_.resolve_late(); }
  /// From now on, keeps the index that answer_texts::sent_place() needs for text outside ASCII. No effect if
  /// positions are not reported: without records (\ref session_options::add) and typed events.
  void keep_places() { current().received.keep_places(); }
  /// See citations::expect_native. Call after finish().
  void expect_native(const placed_citation& one, std::size_t first) {
    recorder_.cites().expect_native(one, first);
  }
  /// See citations::add_native. Call after finish().
  bool add_native(const placed_citation& one) { return recorder_.add_native(one); }
  void append_list(std::string& out);

  [[nodiscard]] const citations& cites() const noexcept { return recorder_.cites(); }
  /// The received text, and positions in it and in the sent text. Positions in the sent text are final after
  /// finish(), or while unedited().
  [[nodiscard]] const answer_texts& texts() const noexcept { return texts_; }
  /// The last stage, with the URLs that egress recorded.
  [[nodiscard]] const sent_text& sent() const noexcept { return sent_; }
  /// The received text between two positions. Empty if claims are not checked, or the positions are not known
  /// (answer_texts::received_place()), or \ref limits::max_checked_bytes was reached. Valid until more text
  /// is received.
  [[nodiscard]] std::string_view received_text(std::uint64_t begin, std::uint64_t end,
                                               offset_unit unit) const noexcept;
  /// Returns true if every citation so far comes from a grammar whose keys the request defines
  /// (\ref grammar::keyed_by_request). Such an answer needs no references from the provider.
  [[nodiscard]] bool keyed_by_request() const noexcept { return keyed_by_request_; }
  [[nodiscard]] std::size_t held() const noexcept { return texts_.held(); }
  [[nodiscard]] std::size_t held_max() const noexcept { return holds_.max; }
  /// Returns true if finish() has work to do: text is held back, or a citation without a marker has not been
  /// placed.
  [[nodiscard]] bool waiting() const noexcept { return held() > 0 || !texts_.current().markerless.empty(); }
  /// Returns true if the sent text may differ from the received text. Also true in egress mode `report`.
  [[nodiscard]] bool may_differ() const noexcept {
    return !texts_.current().styled.unchanged() || !sent().is_styled();
  }
  /// Returns true if all text received so far has been sent unchanged.
  [[nodiscard]] bool unedited() const noexcept { return !waiting() && texts_.unedited(); }
  [[nodiscard]] std::uint64_t abandoned() const noexcept {
    return texts_.current().styled.unchanged() ? 0 : holds_.abandoned + texts_.abandoned();
  }

  void reset() noexcept;

 private:
  /// How a marker is handled that cites no reference known before the text.
  struct unknown_rules {
    unknown_rules(const session_options& options, const dialect* spec);

    const bool only_known;                     ///< see session_options::only_known
    std::span<const grammar* const> grammars;  ///< see marker_rules::only_known
    const unresolved_print print;              ///< `keep` if the style prints nothing
  };

  /// What was held back.
  struct hold_counts {
    std::size_t max{};          ///< most bytes at the same time
    std::uint64_t abandoned{};  ///< releases because of the limit, in earlier texts
  };

  bool push_styled(std::string_view delta, std::string& out);
  [[gnu::noinline]] void push_tokens(std::string_view delta, std::string& out);
  [[gnu::noinline]] void record_placed();
  void finish_styled(std::string& out);
  void drain(std::string& out);
  void take(const marker_token& token, std::string& out);
  void take_piece(const marker_token& piece, std::string& out);
  void take_text(const marker_token& token, std::string& out);
  void take_marker(const marker_token& token, std::string& out);
  void take_enclosing(const marker_token& token, const marker_keys& keys, std::string& out);
  void remove_marker(const marker_token& token);
  void take_markerless(std::uint64_t until, std::string& out);
  [[nodiscard]] const marker_keys* read_keys(const marker_token& token);
  [[nodiscard]] bool cites_only_unknown(const marker_token& token, const marker_keys& keys) const;
  [[nodiscard]] citation_print print_of(std::string_view key, std::int64_t first, std::string_view label);
  [[nodiscard]] bool prints_any(const marker_token& token, const marker_keys& keys, std::int64_t first);
  void cite_keys(const marker_token& token, const marker_keys& keys, const text_span& place,
                 const text_span& claim, std::string& out);
  [[nodiscard]] bool has_room(std::size_t count, std::size_t bytes) const noexcept;
  [[nodiscard]] bool may_print() const noexcept { return printed_bytes_ < max_printed_bytes_; }
  [[nodiscard]] answer_text& current() noexcept { return texts_.current(); }
  [[nodiscard]] claim_tracker& claims() noexcept { return current().received.claims; }
  [[nodiscard]] styled_text& styled() noexcept { return current().styled; }

  unknown_rules unknown_;
  bool keyed_by_request_{true};
  bool may_pass_{};                       ///< the next delta may take the shortcut in push_styled()
  std::vector<marker_pattern> patterns_;  ///< keep the grammars alive that the scanner uses
  sent_text sent_;
  citation_recorder recorder_;
  answer_texts texts_;
  marker_buffers buffers_;
  std::size_t max_printed_bytes_;
  std::size_t printed_bytes_{};  ///< size of the printed citations and lists
  hold_counts holds_;
};

}  // namespace citestream
