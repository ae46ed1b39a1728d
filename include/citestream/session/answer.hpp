/// \file
/// One answer: text deltas in, text in the chosen style and citations out. No SSE, no JSON.
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

#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace citestream {

/// The text layer, composed: marker, cite, style. Movable; one thread at a time.
class answer {
 public:
  /// Keeps nothing of \p options but the style and the grammars that they point to, which outlive it.
  explicit answer(const session_options& options);
  ~answer();
  answer(answer&&) noexcept;             ///< leaves what can be assigned to or destroyed
  answer& operator=(answer&&) noexcept;  ///< the same

  /// Appends to \p out what \p delta releases.
  void push(std::string_view delta, std::string& out);
  /// A citation without a marker in the text, where what was pushed so far ends: of the source that \p key
  /// names, a digits-only one by its place in the list of references, from 0. Its record's `marker` is empty,
  /// and white space is put in order as around a marker. What the style prints for it, if anything, leaves
  /// with the next push() or with finish().
  void cite(std::string_view key);
  /// The answer has ended: appends what is withheld, as text.
  void finish(std::string& out);

  /// See citations::add_reference.
  bool add_reference(const reference& ref);
  /// See citations::resolve. Call after finish().
  void resolve();
  /// Appends the list that the style prints behind the text (\ref style::list), if it has one and anything is
  /// cited: once, behind an empty line. Call after finish(), and after resolve() where all references are
  /// known.
  void append_list(std::string& out);

  /// The citations and references so far. Lives as long as the answer.
  [[nodiscard]] const citations& cites() const noexcept;
  /// Returns true if every citation so far comes from a grammar whose keys the request defines
  /// (\ref grammar::keyed_by_request). Such an answer needs no references from the provider.
  [[nodiscard]] bool keyed_by_request() const noexcept;
  /// How many citations, from the first, have their final position.
  [[nodiscard]] std::size_t placed() const noexcept;
  /// Bytes withheld now.
  [[nodiscard]] std::size_t held() const noexcept;
  /// The same, at most so far.
  [[nodiscard]] std::size_t held_max() const noexcept;
  /// Whether finish() has something to do: text is withheld, or a citation waits for its place.
  [[nodiscard]] bool waiting() const noexcept;
  /// How often the bound let text go.
  [[nodiscard]] std::uint64_t abandoned() const noexcept;
  /// The end of the output text.
  [[nodiscard]] text_offset position() const noexcept;

  /// What the egress guard has found (\ref session_options::egress), in order of being found: the first
  /// \ref limits::max_egress_records. Valid until the next push(), finish() or reset().
  [[nodiscard]] std::span<const egress_record> egress() const noexcept;
  /// How many there were in all.
  [[nodiscard]] std::uint64_t egress_count() const noexcept;

  /// Back to the start of an answer; keeps capacity.
  void reset() noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
