/// \file
/// Styles: how a citation is printed into the text.
#pragma once

#include <citestream/cite/citations.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace citestream {

/// What a style does with the white space around a marker.
enum class spacing : std::uint8_t {
  untouched,  ///< the text passes unchanged and at once, markers included
  stays,      ///< kept
  goes,       ///< spaces and tabs before a marker are removed
  tidy,       ///< groups, wrapping parentheses and blanks are removed so that the text reads on
};

/// What is known about a citation when it is printed. Views and pointers live as long as the call.
struct citation_context {
  std::string_view label;       ///< the marker's; empty if the grammar has none
  std::string_view identifier;  ///< what it cites; of a marker with several keys, one of them
  std::uint32_t number{};       ///< number of the source, from 1
  const reference* best{};      ///< the best reference known so far (\ref citations::best), or null
};

/// A style: stateless, chosen at run time, open to users of the library.
/// `constinit const style numeric_style{"numeric", spacing::stays, &render};`
struct style {
  std::string_view name;  ///< as options and `--help` have it; static
  spacing space{};        ///< what happens to white space around a marker
  /// Appends the text of a citation. Null: citations are not printed.
  void (*render)(const citation_context& cite, std::string& out){};
  /// Appends the list that follows the answer's text after an empty line. Called once, when the references
  /// are known or the stream has ended; if citations are pending, references may be missing. Starts no
  /// further entry after \p max_bytes. Null: no list.
  void (*list)(const citations& from, std::size_t max_bytes, std::string& out){};
  /// Printed between two citations that nothing else separates.
  std::string_view separator{};
  /// What it prints depends on the references that are known when the marker is complete, so two streams with
  /// the same text may differ.
  bool prints_references{};
};

extern const style strip_style;        ///< removes markers (the default)
extern const style keep_style;         ///< keeps the text unchanged
extern const style numeric_style;      ///< `[1]`
extern const style footnote_style;     ///< `[^1]`, and a list of sources at the end
extern const style superscript_style;  ///< `<sup>[1]</sup>`
extern const style html_style;         ///< `<sup><a href="#cite-1" data-citation="1">[1]</a></sup>`
extern const style label_style;        ///< the marker's label, or the source's title

/// All styles, in the order in which `--help` names them.
[[nodiscard]] std::span<const style* const> styles() noexcept;

/// The style with that name, or null.
[[nodiscard]] const style* find_style(std::string_view name) noexcept;

}  // namespace citestream
