/// \file
/// Marker grammars: what one marker looks like.
///
/// A grammar is a stateless descriptor. Its recogniser is given the answer's text byte by byte, once, and
/// keeps what it must remember in a `recogniser_state` that the scanner owns: the cost of a byte does not
/// depend on how much is held. It says from which byte on a marker may still be under way; everything before
/// that byte is free to leave.
#pragma once

#include <citestream/base/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// Which identifiers make a citation; a marker with another one is text.
enum class identifier_kind : std::uint8_t {
  any,
  uuid,  ///< 8-4-4-4-12 hexadecimal digits (RFC 9562)
  url,   ///< `http://` or `https://` and at least one byte more
};

/// What a marker does.
enum class marker_role : std::uint8_t {
  citation,     ///< cites what its identifier names
  claim_start,  ///< cites nothing; the claim of the next citation starts here. Removed from the text
  silent,       ///< cites nothing and has no other effect. Removed from the text
};

/// The parts of a complete marker; views into its text.
struct marker_fields {
  std::string_view label;       ///< empty where the grammar has none
  std::string_view identifier;  ///< what the marker cites
  std::string_view
      cited;           ///< text of the answer that stands inside the marker, and stays: `<co>text</co: 0>`
  marker_role role{};  ///< with another role than `citation`, a marker needs no other parts
};

/// What a recogniser may be told about.
struct grammar_options {
  identifier_kind identifiers{identifier_kind::any};  ///< others make no citation
  limits bounds{};                                    ///< of these the ones of markers
};

/// In place of a position: there is none.
inline constexpr std::uint64_t no_position = ~std::uint64_t{0};

/// A recogniser's memory between bytes. All positions are bytes from the start of the answer.
struct recogniser_state {
  /// An open bracket.
  struct opener {
    std::uint64_t position{};  ///< of the bracket
    bool image{};              ///< it stands behind `!`
  };

  std::uint64_t from{no_position};  ///< first byte of the earliest marker that may still be under way
  bool active{};  ///< it wants every byte; otherwise only bytes of `grammar::starts` are given
  bool raw{};     ///< the bytes that follow are to be given as they are: code and escapes are not looked for
  bool reread{};  ///< should the raw part fail, its bytes from now on are text like any other
  /// Set: nothing but a marker whose cited text starts here, or none, can come of what starts at `from`.
  std::uint64_t cited{no_position};
  std::uint8_t phase{};         ///< the grammar's own; 0 where no raw part is under way
  std::uint64_t position[5]{};  ///< the grammar's own
  std::uint32_t count[6]{};     ///< the grammar's own
  std::vector<opener> openers;  ///< the grammar's own; keeps its capacity

  /// Forgets everything but capacity.
  void reset() noexcept;
};

/// What one byte did.
enum class step : std::uint8_t {
  none,      ///< go on
  complete,  ///< a marker ends with this byte; the match says where it lies
  retry,     ///< the raw part failed before this byte: look at it as text and give it again
  rewind,    ///< the raw part failed, and what came since `reread` was set is to be read again as text
};

/// One byte, as the scanner sees it.
struct lexed_byte {
  char byte{};                   ///< 0 at the end
  std::uint64_t position{};      ///< of it, from the start of the answer
  bool literal{};                ///< escaped with `\` or inside code: it opens and closes nothing
  bool after_bang{};             ///< the byte before is an unescaped `!`
  bool line_start{};             ///< only blanks and `>` stand before it on its line
  bool end{};                    ///< no byte: the text ends at `position`
  std::uint32_t closing_cost{};  ///< bytes that must come, after this one, before a `]` can close a bracket
};

/// Bytes `[begin, end)` of the answer.
struct text_range {
  std::uint64_t begin{};  ///< from the start of the answer
  std::uint64_t end{};    ///< exclusive

  friend bool operator==(const text_range&, const text_range&) = default;  ///< member by member
};

/// Where a complete marker and its parts lie. An empty range: the grammar has no such part.
struct marker_match {
  text_range marker;      ///< all of it
  text_range label;       ///< marker_fields::label
  text_range identifier;  ///< marker_fields::identifier
  text_range cited;       ///< marker_fields::cited
  marker_role role{};     ///< marker_fields::role
};

struct grammar;

/// Takes one byte; all bytes of a text together must cost linear time. Sets \p match where it returns
/// step::complete: the marker may have ended before this byte, which then starts or continues another.
using advance_function = step (*)(const grammar& self, recogniser_state& state, const lexed_byte& in,
                                  const grammar_options& options, marker_match& match);

/// The keys of one marker that cites several sources: `[1, 2]`.
class marker_keys {
 public:
  /// Removes all keys; keeps capacity.
  void clear() noexcept;
  /// Adds a key; the text is copied.
  void add(std::string_view key);
  /// Adds what stands between the \p separator bytes of \p list, blanks around it removed.
  void add_list(std::string_view list, char separator);
  /// How many keys.
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// The key \p index, from 0 and below size(). Valid until the next add() or clear().
  [[nodiscard]] std::string_view operator[](std::size_t index) const noexcept;

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

/// A grammar: stateless, chosen at run time, open to users of the library. Everything that other stages need
/// to know about a grammar is a field of it, so a grammar of your own can do all that a built-in one can.
///
/// \code
///   constinit const citestream::grammar my_grammar{
///       .name = "mine", .starts = "[", .advance = &advance, .may_be_prose = true};
/// \endcode
struct grammar {
  std::string_view name;       ///< as options and `--help` have it; static, of a pattern the pattern
  std::string_view starts;     ///< the bytes that a marker can start with
  advance_function advance{};  ///< the recogniser; never null
  /// Splits an identifier into the keys that it holds; null: it is one.
  void (*keys)(std::string_view identifier, marker_keys& out){};
  /// Another grammar's marker took the text before \p position: forgets what started there. Null: the state
  /// is reset where its `from` is before it.
  void (*forget)(recogniser_state& state, std::uint64_t position){};
  const void* pattern{};  ///< the grammar's own: what a pattern given at run time was compiled to
  /// Takes bytes from the start of \p bytes, of which the first stands at \p position, as `advance` would one
  /// by one, and stops before the first that is \p special, or that would change `from`, `active`, `raw` or
  /// `reread` or complete anything. None that it takes is literal. \p special: not 0 for a byte that starts a
  /// marker of any grammar, for an escape, a backtick, `!` and a line break. Costs no more than it takes.
  /// \return how many it took. Null: each byte is given to `advance`.
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

extern const grammar link_grammar;        ///< `[label](identifier)`: Writer, OpenAI search models
extern const grammar numeric_grammar;     ///< `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `[[1]](url)`: Perplexity, xAI
extern const grammar source_grammar;      ///< `[src_1]`, `[doc1]`, `[Source 1]`: Azure On Your Data, MariaDB
extern const grammar ref_grammar;         ///< `[REF|d_1|a_2]`: provenance keys
extern const grammar file_grammar;        ///< `<|file-123|>`: OpenAI file search prompts
extern const grammar lenticular_grammar;  ///< `【4:0†source】`: OpenAI Assistants, Azure Agents
extern const grammar private_grammar;     ///< U+E200 `cite` U+E202 key U+E201: OpenAI ChatGPT models
extern const grammar
    tag_grammar;  ///< `<co>text</co: 0,1>`, `<citation>key</citation>`: Cohere, agent prompts

/// All grammars, in the order in which `--help` names them.
[[nodiscard]] std::span<const grammar* const> grammars() noexcept;

/// The grammar with that name, or null.
[[nodiscard]] const grammar* find_grammar(std::string_view name) noexcept;

}  // namespace citestream
