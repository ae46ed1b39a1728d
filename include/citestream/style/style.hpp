/// \file
/// Styles: how a citation is printed into the text, and what writes untrusted text as inert Markdown and
/// HTML. Labels come from the model, titles and snippets from documents. Neither can be trusted.
///
/// A style is a stateless descriptor. It sees one citation at a time and depends on nothing else, so the text
/// is the same however the answer was cut.
///
/// \code
///   void render(const citestream::citation_context& cite, std::string& out) {
///     out += "(" + std::to_string(cite.number) + ")";
///   }
///   constinit const citestream::style my_style{
///       .name = "mine", .space = citestream::spacing::kept, .render = &render};
/// \endcode
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
  untouched,  ///< the text passes unchanged and without delay, markers included
  kept,       ///< all white space is kept
  trimmed,    ///< spaces and tabs before a marker are removed
  tidy,       ///< also removed: separators in groups, wrapping parentheses, blanks that become double
};

/// What is known about a citation when it is printed. Views and pointers are valid during the call.
struct citation_context {
  std::string_view label;       ///< of the marker; empty if the grammar has none
  std::string_view identifier;  ///< what it cites: one key, if the marker has several
  std::uint32_t number{};       ///< number of the source, from 1
  const reference* best{};      ///< the best reference known so far (\ref citations::best), or null
};

/// A style: stateless, chosen at run time, open to users of the library.
struct style {
  std::string_view name;  ///< used in options and `--help`; static
  spacing space{};        ///< what happens to white space around what it prints
  /// Appends the text for one citation. Null: nothing is printed.
  void (*render)(const citation_context& cite, std::string& out){};
  /// Appends a list after the answer's text, separated by an empty line. Called at the end of each text of
  /// the answer that has citations; references that have not arrived yet are missing. Starts no further entry
  /// after \p max_bytes bytes. Null: there is no list.
  void (*list)(const citations& from, std::size_t max_bytes, std::string& out){};
  /// Printed between two citations that nothing else separates.
  std::string_view separator{};
  /// What it prints depends on the references that are known when the marker is complete, so two streams with
  /// the same text may differ.
  bool prints_references{};
  /// Printed for a citation without a reference if \ref session_options::unresolved is `mark`. Not used
  /// without `render`.
  std::string_view unresolved{"[?]"};
};

// The built-in styles that have a name in C++. find_style() finds these and all others.
extern const style strip_style;        ///< removes markers (the default)
extern const style keep_style;         ///< leaves the text unchanged
extern const style numeric_style;      ///< `[1]`
extern const style footnote_style;     ///< `[^1]`, and a list of references at the end
extern const style superscript_style;  ///< `<sup>[1]</sup>`
extern const style html_style;         ///< `<sup><a href="#cite-1" data-citation="1">[1]</a></sup>`
extern const style label_style;        ///< the marker's label, or the title of the reference

/// All styles, in the order in which `--help` lists them.
[[nodiscard]] std::span<const style* const> styles() noexcept;

/// Returns the style with this name, or null.
[[nodiscard]] const style* find_style(std::string_view name) noexcept;

/// Where inert text is placed.
enum class inert_place : std::uint8_t {
  inside_line,  ///< after trusted text on the same line
  anywhere,     ///< also at the start of a line, or directly after text of the answer
};

/// Appends \p text to \p out as one line of Markdown (CommonMark 0.31.2 and GFM 0.29) that shows the text and
/// nothing else: no link or image, no emphasis, code, HTML or entity. `Financial_Report.pdf` is not changed.
/// Returns true if anything was appended. Linear time; allocates only for \p out.
///
/// - A URL in the text is not changed, and a renderer may make a link of it. \ref session_options::egress
///   decides which URLs may appear in an answer.
/// - The line is also plain text in HTML: `<` and `>`, and `&` if it could start an entity, are written as
///   entities.
/// - White space and line breaks are joined to one blank, and removed at both ends.
/// - Control characters, invisible characters, characters that change the direction of writing, and bytes
///   that are not UTF-8 are removed.
/// - If what is left is longer than \p max_bytes, counted before escaping, it is truncated between two code
///   points and ends in `…`.
bool append_inert_markdown(std::string_view text, std::size_t max_bytes, std::string& out,
                           inert_place place = inert_place::inside_line);

/// Appends \p url as the destination of a Markdown link, without its parentheses. All bytes that could end it
/// or be read as something else are percent-encoded (RFC 3986, 2.1), and the `&` of an entity is written as
/// `&amp;`. Returns false and appends nothing unless \p url is an `http://` or `https://` URL with a host
/// that is not in brackets, and at most 8,000 bytes (RFC 9110, 4.1).
bool append_link_destination(std::string_view url, std::string& out);

}  // namespace citestream
