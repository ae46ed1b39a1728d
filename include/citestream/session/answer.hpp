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
///   for (const citestream::citation& c : answer.cites().all()) use(c);
/// \endcode
#pragma once

#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace citestream {

/// The text layer, composed: marker, cite, style. Movable; one thread at a time.
class answer {
 public:
  explicit answer(const session_options& options);
  ~answer();
  answer(answer&&) noexcept;
  answer& operator=(answer&&) noexcept;

  /// Appends to \p out what \p delta releases.
  void push(std::string_view delta, std::string& out);
  /// The answer has ended: appends what is withheld, as text.
  void finish(std::string& out);

  /// See citations::add_reference.
  bool add_reference(const reference& ref);
  /// See citations::resolve. Call after finish().
  void resolve();

  [[nodiscard]] const citations& cites() const noexcept;
  /// How many citations, from the first, have their final position.
  [[nodiscard]] std::size_t placed() const noexcept;
  /// Bytes withheld now, and at most so far.
  [[nodiscard]] std::size_t held() const noexcept;
  [[nodiscard]] std::size_t held_max() const noexcept;
  /// How often the bound let text go.
  [[nodiscard]] std::uint64_t abandoned() const noexcept;
  /// The end of the output text.
  [[nodiscard]] const text_offset& position() const noexcept;

  /// Back to the start of an answer; keeps capacity.
  void reset() noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
