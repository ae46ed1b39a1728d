/// \file
/// One answer: takes text deltas and returns text in the chosen style, and citations. Does not parse SSE
/// or JSON.
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
#include <vector>

namespace citestream {

class answer_stages;

/// The text stages composed: marker, cite, style, egress. Movable; one thread at a time.
class answer {
 public:
  /// Copies \p options; the style and the grammars that they point to must outlive the answer. The
  /// dialect \p by decides what they do not choose; null: session_options::dialect does.
  explicit answer(const session_options& options, const dialect* by = nullptr);
  ~answer();
  answer(answer&&) noexcept;             ///< the moved-from object can only be assigned to or destroyed
  answer& operator=(answer&&) noexcept;  ///< the same

  /// Takes the next text and appends to \p out the text that can be sent.
  void push(std::string_view delta, std::string& out);
  /// Like push(), but does not copy text that is sent unchanged. Returns true if exactly \p delta can be
  /// sent; \p out is then unchanged.
  [[nodiscard]] bool pass(std::string_view delta, std::string& out);
  /// Adds a citation without a marker at the end of the text received so far. \p key names the source; digits
  /// alone are an index in the list of references, from 0. The record's `marker` is empty. White space is
  /// tidied as around a marker. What the style prints is sent with the next push() or with finish().
  void cite(std::string_view key);
  /// The answer has ended: appends the text that is held back.
  void finish(std::string& out);

  /// See citations::add_reference.
  bool add_reference(const reference& ref);
  /// See citations::resolve. Call after finish().
  void resolve();
  /// See citations::resolve_late. Call after resolve().
  std::vector<std::uint32_t> resolve_late();
  /// Appends the list that the style prints after the text (\ref style::list), after an empty line, if the
  /// style has one and anything is cited. Call once, after finish(), and after resolve() if all references
  /// are known.
  void append_list(std::string& out);

  /// The references so far, and the citations whose position in the output is final. Valid as long as the
  /// answer.
  [[nodiscard]] const citations& cites() const noexcept;
  /// Bytes of text held back now.
  [[nodiscard]] std::size_t held() const noexcept;
  /// The maximum of held() so far.
  [[nodiscard]] std::size_t held_max() const noexcept;
  /// How often text was released because of the limit.
  [[nodiscard]] std::uint64_t abandoned() const noexcept;

  /// The URLs that egress recorded (\ref session_options::egress), in order: the first
  /// \ref limits::max_egress_records. Valid until the next push(), finish() or reset().
  [[nodiscard]] std::span<const egress_record> egress() const noexcept;

  /// Prepares for another answer; keeps capacity.
  void reset() noexcept;

 private:
  std::unique_ptr<answer_stages> stages_;
};

}  // namespace citestream
