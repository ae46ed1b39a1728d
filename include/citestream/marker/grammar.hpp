/// \file
/// Marker grammars: what one marker looks like.
///
/// A grammar is a stateless descriptor. Its recogniser reads the text byte by byte, from each byte that can
/// start a marker until it is no longer active. Its state is a `recogniser_state`, which the scanner owns. A
/// byte therefore costs the same however much text is held back. The recogniser reports the first byte of the
/// earliest marker that may still be incomplete; everything before that byte can be sent.
///
/// \code
///   constinit const citestream::grammar my_grammar{
///       .name = "mine", .starts = "[", .advance = &advance, .may_be_prose = true};
/// \endcode
#pragma once

#include <citestream/base/byte_range.hpp>
#include <citestream/base/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// Which identifiers make a citation. A marker with any other identifier is text.
enum class identifier_kind : std::uint8_t {
  any,
  uuid,  ///< 8-4-4-4-12 hexadecimal digits (RFC 9562)
  url,   ///< `http://` or `https://` followed by at least one byte
};

/// What a marker does.
enum class marker_role : std::uint8_t {
  citation,     ///< cites what its identifier names
  claim_start,  ///< cites nothing; the claim of the next citation starts here. Removed from the text
  silent,       ///< cites nothing and has no other effect. Removed from the text
};

/// The parts of a complete marker, as views into its text.
struct marker_fields {
  std::string_view label;       ///< empty if the grammar has none
  std::string_view identifier;  ///< what the marker cites
  std::string_view cited;       ///< answer text inside the marker, which is kept: `<co>text</co: 0>`
  marker_role role{};           ///< a marker that is not a `citation` needs no other parts
};

/// Settings that every recogniser receives.
struct grammar_options {
  identifier_kind identifiers{identifier_kind::any};  ///< markers with other identifiers are text
  limits bounds{};                                    ///< the limits on markers are used
};

/// No position.
inline constexpr std::uint64_t no_position = ~std::uint64_t{0};

/// A recogniser's memory between bytes. All positions are bytes from the start of the answer.
struct recogniser_state {
  /// An open bracket.
  struct opener {
    std::uint64_t position{};  ///< of the bracket
    bool image{};              ///< the bracket follows `!`
  };

  std::uint64_t from{no_position};  ///< first byte of the earliest marker that may still be incomplete
  bool active{};  ///< true: call with every byte. False: call only with the bytes in `grammar::starts`
  bool raw{};     ///< the next bytes are raw: the scanner looks for neither code nor escapes in them
  bool reread{};  ///< if the raw part fails, the bytes since this was set are read again as text
  /// If set, the only marker that can still start at `from` is one whose cited text starts here.
  std::uint64_t cited{no_position};
  std::uint8_t phase{};         ///< private to the grammar; set to 0 to read a raw part as text
  std::uint64_t position[5]{};  ///< private to the grammar
  std::uint32_t count[6]{};     ///< private to the grammar
  std::vector<opener> openers;  ///< private to the grammar; keeps its capacity

  /// Clears everything and keeps the capacity.
  void reset() noexcept;
};

/// The result of one byte.
enum class step : std::uint8_t {
  none,      ///< continue
  complete,  ///< a marker is complete; the match holds its position
  retry,     ///< the raw part failed before this byte: call again with the same byte as text
  rewind,    ///< the raw part failed: read the bytes since `reread` was set again, as text
};

/// One byte as the scanner sees it.
struct lexed_byte {
  char byte{};                         ///< 0 at the end
  std::uint64_t position{};            ///< from the start of the answer
  bool literal{};                      ///< escaped with `\` or inside code, so it opens and closes nothing
  bool after_bang{};                   ///< the previous byte is an unescaped `!`
  bool line_start{};                   ///< only blanks and `>` precede it on its line
  bool end{};                          ///< there is no byte: the text ends at `position`
  std::uint32_t bytes_before_close{};  ///< bytes that must follow this one before a `]` can close a bracket
};

/// The position of a complete marker and of its parts. A part that the grammar does not have is empty.
struct marker_match {
  text_range marker;      ///< the whole marker
  text_range label;       ///< marker_fields::label
  text_range identifier;  ///< marker_fields::identifier
  text_range cited;       ///< marker_fields::cited
  marker_role role{};     ///< marker_fields::role
};

struct grammar;

/// Consumes one byte. The total cost over a text must be linear. Sets \p match when it returns
/// step::complete. The marker may have ended before this byte; the byte then starts or continues another one.
using advance_function = step (*)(const grammar& self, recogniser_state& state, const lexed_byte& in,
                                  const grammar_options& options, marker_match& match);

/// The keys of one marker that cites several references: `[1, 2]`.
class marker_keys {
 public:
  /// Removes all keys and keeps the capacity.
  void clear() noexcept;
  /// Adds a copy of \p key.
  void add(std::string_view key);
  /// Adds the items of \p list, which one of \p separators separates, without the blanks around them.
  void add_list(std::string_view list, std::string_view separators = ",");
  /// The number of keys.
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// The key at \p index, which must be less than size(). Valid until the next add() or clear().
  [[nodiscard]] std::string_view operator[](std::size_t index) const noexcept;

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

/// A grammar: stateless, chosen at run time, open to users of the library. Everything that other stages need
/// to know about a grammar is a field of it, so a grammar of your own can do all that a built-in one can.
struct grammar {
  std::string_view name;       ///< used in options and `--help`; static. For a pattern, the pattern
  std::string_view starts;     ///< the bytes that a marker can start with
  advance_function advance{};  ///< the recogniser; never null
  /// Splits the identifier of \p marker into keys. Null: the identifier is the only key.
  void (*keys)(const marker_fields& marker, marker_keys& out){};
  /// Returns false if a marker with this identifier is text. Null: every identifier cites something.
  bool (*cites)(std::string_view identifier) noexcept {};
  /// Called when the marker of another grammar took the text before \p position: drops what started there.
  /// Null: the state is reset if its `from` is before \p position.
  void (*forget)(recogniser_state& state, std::uint64_t position){};
  const void* pattern{};  ///< private to the grammar: the compiled form of a pattern given at run time
  /// An optional shortcut for `advance`, used by the scanner. Consumes bytes from the start of
  /// \p bytes, whose first byte is at \p position, as `advance` would one by one. Stops before the first byte
  /// that is \p special, that would change `from`, `active`, `raw` or `reread`, or that would complete a
  /// marker. The consumed bytes are never literal. \p special is nonzero for each byte that starts a marker
  /// of any grammar, and for escapes, backticks, `!` and line breaks. The cost must be proportional to the
  /// bytes consumed. \return the number of bytes consumed. Null: every byte goes through `advance`.
  std::size_t (*skip)(recogniser_state& state, std::string_view bytes, std::uint64_t position,
                      std::span<const std::uint8_t, 256> special, const grammar_options& options){};
  /// Ordinary text may look like a marker of this grammar (`[1]`, `[a](b)`). With
  /// \ref session_options::only_known, such a marker stays text unless it cites a known reference.
  bool may_be_prose{};
  /// Its keys are defined by the request (\ref session_options::provenance turns the grammar on), so the
  /// references are complete before the answer starts.
  bool keyed_by_request{};
  /// The number that \p marker uses for the first reference of a list: 0 or 1. Null: 1 for every marker.
  std::int64_t (*first_place)(std::string_view marker) noexcept {};
};

// The built-in grammars that have a name in C++. find_grammar() finds these and all others.
extern const grammar link_grammar;     ///< `[label](identifier)`: Writer, OpenAI search models
extern const grammar numeric_grammar;  ///< `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `[[1]](url)`: Perplexity, xAI
extern const grammar
    source_grammar;                 ///< `[src_1]`, `[doc1]`, `[doc:0]`, `[Source 1]`: Azure, Cohere, MariaDB
extern const grammar ref_grammar;   ///< `[REF|d_1|a_2]`: provenance keys
extern const grammar file_grammar;  ///< `<|file-123|>`: OpenAI file search prompts
extern const grammar lenticular_grammar;  ///< `【4:0†source】`: OpenAI Assistants, Azure Agents
extern const grammar private_grammar;     ///< U+E200 `cite` U+E202 key U+E201: OpenAI ChatGPT models
extern const grammar
    tag_grammar;  ///< `<co>text</co: 0,1>`, `<citation>key</citation>`: Cohere, agent prompts
extern const grammar cite_grammar;  ///< `[cite: 1, 2]`: Gemini

/// All grammars, in the order in which `--help` lists them.
[[nodiscard]] std::span<const grammar* const> grammars() noexcept;

/// Returns the grammar with this name, or null.
[[nodiscard]] const grammar* find_grammar(std::string_view name) noexcept;

}  // namespace citestream
