/// \file
/// One answer: takes text deltas and returns text in the chosen style, and citations. Knows nothing of SSE
/// and JSON.
///
/// \code
///   citestream::answer answer(options);
///   std::string text;
///   for (std::string_view delta : deltas) answer.push(delta, text);
///   answer.finish(text);
///   answer.add_reference(ref);
///   answer.resolve();
///   answer.append_list(text);
///   for (const citestream::citation& c : answer.cites().all()) use(c);
/// \endcode
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// The text stages composed: marker, cite, style, egress. Movable; one thread at a time.
class answer {
 public:
  /// Copies \p options; the style and the grammars that they point to must outlive the answer. The
  /// dialect \p by decides what they do not choose; null: session_options::dialect does.
  explicit answer(const session_options& options, const dialect* by = nullptr);
  ~answer();
  answer(answer&&) noexcept;             ///< the moved-from object can only be assigned to or destroyed
  answer& operator=(answer&&) noexcept;  ///< the same

  /// Takes the next text and appends to \p out the text that can be released.
  void push(std::string_view delta, std::string& out);
  /// Like push(), but does not copy text that is released unchanged. Returns true if exactly \p delta can be
  /// released; \p out is then unchanged.
  [[nodiscard]] bool pass(std::string_view delta, std::string& out);
  /// Takes \p delta if nothing is held and nothing in it can begin a marker, so that exactly \p delta can be
  /// released. Otherwise returns false and takes nothing: call pass().
  [[nodiscard]] bool pass_plain(std::string_view delta);
  /// Adds a citation without a marker at the end of the text pushed so far. \p key names the source; digits
  /// alone are an index in the list of references, from 0. The record's `marker` is empty. White space is
  /// tidied as around a marker. What the style prints is released with the next push() or with finish().
  void cite(std::string_view key);
  /// The answer has ended: appends the text that is held back.
  void finish(std::string& out);

  /// Sets the \ref citation::path of citations that are recorded from now on.
  void set_path(const citation_path& path);
  /// Another text of the answer begins. Numbers and positions go on; the style may list sources again. Call
  /// after finish() or interrupt().
  void begin_text();
  /// Sets the current text aside, with what is held back of it, because another text comes before it has
  /// ended. Appends what egress holds back. Returns the number for resume(). Nothing if the text has to end
  /// instead: the style leaves text unchanged, or too many texts are set aside.
  [[nodiscard]] std::optional<std::size_t> interrupt(std::string& out);
  /// Continues a text that was set aside. Call after finish() or interrupt().
  void resume(std::size_t text);

  /// See citations::add_reference.
  bool add_reference(const reference& ref);
  /// See citations::resolve. Call after finish().
  void resolve();
  /// See citations::resolve_late. Call after resolve().
  std::vector<std::uint32_t> resolve_late();
  /// From now on, keeps the index that released_place() needs for text outside ASCII. No effect if positions
  /// are not reported: without records (\ref session_options::add) and typed events.
  void keep_places();
  /// The text pushed between two positions. Empty if claims are not checked, or the positions are not known
  /// (see released_place()), or \ref limits::max_checked_bytes was reached. Valid until the next push().
  [[nodiscard]] std::string_view received_text(std::uint64_t begin, std::uint64_t end,
                                               offset_unit unit) const noexcept;
  /// See citations::expect_native. Call after finish().
  void expect_native(const placed_citation& one, std::size_t first);
  /// See citations::add_native. Call after finish().
  bool add_native(const placed_citation& one);
  /// Appends the list that the style prints after the text (\ref style::list), after an empty line, if the
  /// style has one and anything is cited. Call once for each text, after finish(), and after resolve() if all
  /// references are known.
  void append_list(std::string& out);

  /// The references so far, and the citations whose position in the output is final. Valid as long as the
  /// answer.
  [[nodiscard]] const citations& cites() const noexcept;
  /// Returns true if every citation so far comes from a grammar whose keys the request defines
  /// (\ref grammar::keyed_by_request). Such an answer needs no references from the provider.
  [[nodiscard]] bool keyed_by_request() const noexcept;
  /// Bytes of text held back now.
  [[nodiscard]] std::size_t held() const noexcept;
  /// The maximum of held() so far.
  [[nodiscard]] std::size_t held_max() const noexcept;
  /// Returns true if finish() has work to do: text is held back, or a citation has no final position yet.
  [[nodiscard]] bool waiting() const noexcept;
  /// Returns true if the style or egress may change the text.
  [[nodiscard]] bool may_edit() const noexcept;
  /// Returns true if all text pushed so far has been released unchanged.
  [[nodiscard]] bool unedited() const noexcept;
  /// The size of the text pushed so far. Call after finish(), or while unedited().
  [[nodiscard]] text_offset received() const noexcept;
  /// Converts a position in the text pushed to the released text, in \p unit. A position inside something
  /// that was replaced becomes the start (\p end false) or the end of the replacement. Positions after
  /// received() become the end of the text. Call after finish(), or while unedited().
  [[nodiscard]] std::uint64_t released_position(std::uint64_t pushed, offset_unit unit,
                                                bool end) const noexcept;
  /// The same in all units. Nothing if that is not known: text outside ASCII is indexed only from the first
  /// citation or keep_places() on, and only up to a maximum number of such characters.
  [[nodiscard]] std::optional<text_offset> released_place(std::uint64_t pushed, offset_unit unit,
                                                          bool end) const noexcept;
  /// The same position in the text pushed, in all units. Nothing as in released_place().
  [[nodiscard]] std::optional<text_offset> received_place(std::uint64_t pushed,
                                                          offset_unit unit) const noexcept;
  /// The size of the text released, without the list of the style. Call after finish().
  [[nodiscard]] text_offset released_end() const noexcept;
  /// How often text was released because of the limit.
  [[nodiscard]] std::uint64_t abandoned() const noexcept;

  /// The URLs that egress recorded (\ref session_options::egress), in order: the first
  /// \ref limits::max_egress_records. Valid until the next push(), finish() or reset().
  [[nodiscard]] std::span<const egress_record> egress() const noexcept;
  /// How many URLs egress recorded in all.
  [[nodiscard]] std::uint64_t egress_count() const noexcept;

  /// Prepares for another answer; keeps capacity.
  void reset() noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
