// A pattern is compiled to segments: literal text, each with the field that precedes it. One state machine
// reads a candidate segment by segment. A field ends at the first character of the literal text that follows
// it. As other characters may begin with the same bytes (`【` and `あ`), a field is read in whole characters.
//
// No field can contain the first character of the pattern. If a candidate fails, another one can therefore
// start only inside the literal text that was being matched, or with the character that failed. This text is
// known and short, and is matched again from there, so the cost stays linear. The parser rejects patterns for
// which this would not be true and reports why.

#include <citestream/marker/pattern.hpp>

#include <array>
#include <string>
#include <vector>

#include "base/code_point.hpp"
#include "candidate.hpp"

namespace citestream {

namespace {

constexpr std::size_t max_pattern_bytes = 256;
constexpr std::uint32_t max_number_digits = 10;  ///< as in `[1]`

enum class field : std::uint8_t { label, identifier, key, number };

struct field_kind {
  std::string_view name;
  std::uint32_t max_bytes;
};
constexpr field_kind kinds[] = {{"{label}", 256}, {"{identifier}", 2048}, {"{key}", 256}, {"{number}", 64}};

/// A character, perhaps without its last bytes. Bytes that are not UTF-8 are characters, too.
struct character {
  std::uint32_t bytes{};  ///< the first one highest
  std::uint32_t size{};   ///< number of bytes

  [[nodiscard]] char byte(std::uint32_t at) const noexcept {
    return static_cast<char>(bytes >> 8U * (size - 1 - at) & 0xFFU);
  }
  [[nodiscard]] bool whole() const noexcept {
    const auto lead = static_cast<unsigned char>(byte(0));
    return size >= (lead >= 0xF0 ? 4U : lead >= 0xE0 ? 3U : lead >= 0xC0 ? 2U : 1U);
  }
  [[nodiscard]] bool begins(const character& other) const noexcept {
    return size <= other.size && bytes == other.bytes >> 8U * (other.size - size);
  }
  bool operator==(const character&) const noexcept = default;
};

/// Returns the character with these bytes. A first byte of several is never 0.
character character_of(std::uint32_t bytes) noexcept {
  const std::uint32_t size = bytes > 0xFFFFFF ? 4 : bytes > 0xFFFF ? 3 : bytes > 0xFF ? 2 : 1;
  return {bytes, size};
}

/// Returns the first character of \p text, which is UTF-8.
character first_character(std::string_view text) noexcept {
  std::uint32_t bytes = 0;
  for (const char byte : text.substr(0, first_code_point(text).length))
    bytes = bytes << 8U | static_cast<unsigned char>(byte);
  return character_of(bytes);
}

/// Literal text, and the field that precedes it. The first segment has no field.
struct segment {
  field before{};
  std::string text;
  std::size_t offset{};  ///< of the text in the pattern
  character first{};     ///< of the text
};

using ascii::is_control;

/// Gives names to the members of a recogniser_state that are private to the grammar.
struct memory {
  std::uint64_t& begin;
  std::uint64_t& field_begin;
  std::uint64_t& identifier_begin;
  std::uint64_t& identifier_end;
  std::uint64_t& label_begin;
  std::uint8_t& segment;      ///< number of the text that must follow, or whose field is being read
  std::uint32_t& at;          ///< bytes of the text so far; 0: in the field
  std::uint32_t& filled;      ///< the field, or the current item of a list, has at least one byte
  std::uint32_t& digits;      ///< number of digits of the current number
  std::uint32_t& label_size;  ///< size of the label
  std::uint32_t& bangs;       ///< where a `!` precedes: before_candidate, before_text
  std::uint32_t& partial;     ///< bytes of an incomplete character of the field, the first one highest

  explicit memory(recogniser_state& s)
      : begin(s.position[0]),
        field_begin(s.position[1]),
        identifier_begin(s.position[2]),
        identifier_end(s.position[3]),
        label_begin(s.position[4]),
        segment(s.phase),
        at(s.count[0]),
        filled(s.count[1]),
        digits(s.count[2]),
        label_size(s.count[3]),
        bangs(s.count[4]),
        partial(s.count[5]) {}
};

constexpr std::uint32_t before_candidate = 1;
constexpr std::uint32_t before_text = 2;  ///< the literal text being read

void split(const marker_fields& marker, marker_keys& out) {
  out.add_list(marker.identifier);
}

}  // namespace

struct marker_pattern::compiled {
  std::string text;
  std::vector<segment> segments;
  grammar one;
};

namespace {

using segments = std::vector<segment>;

/// Returns true if a field of this kind can continue with a character that ends with `byte`. The character
/// neither ends the field nor starts a marker.
bool extend(memory& m, field kind, std::uint32_t size, char byte) {
  const bool list = kind == field::key || kind == field::number;
  if (is_control(byte)) return false;
  if (list && byte == ',') {
    if (m.filled == 0) return false;
    m.filled = m.digits = 0;
    return true;
  }
  if (kind == field::number) {
    if (byte == ' ') return m.filled == 0 && size > 0;  // after a comma
    if (!is_digit(byte) || ++m.digits > max_number_digits) return false;
  }
  if (byte == ' ') return kind != field::identifier;
  m.filled = 1;
  return true;
}

/// Called when the current text is complete with the byte at \p position.
verdict next_segment(memory& m, const segments& all, std::uint64_t position) {
  if (m.segment + 1U == all.size()) return verdict::yes;
  ++m.segment;
  m.at = m.filled = m.digits = m.partial = 0;
  m.field_begin = position + 1;
  if (all[m.segment].before != field::label) m.identifier_begin = m.field_begin;
  return verdict::more;
}

verdict read_text(memory& m, const segments& all, const lexed_byte& in) {
  const std::string& text = all[m.segment].text;
  if (in.byte != text[m.at]) return verdict::no;
  if (m.at == 0) {
    m.bangs = (m.bangs & before_candidate) | (in.after_bang ? before_text : 0);
    if (m.segment == 0 && in.after_bang) m.bangs |= before_candidate;
  }
  ++m.at;
  return m.at < text.size() ? verdict::more : next_segment(m, all, in.position);
}

verdict read_field(memory& m, const segments& all, const lexed_byte& in) {
  const segment& due = all[m.segment];
  const std::uint32_t most = kinds[static_cast<std::size_t>(due.before)].max_bytes;
  const bool cut_off = m.partial != 0 && !is_continuation(in.byte);  // not UTF-8
  if (cut_off) m.filled = 1;
  m.partial = (cut_off ? 0 : m.partial << 8U) | static_cast<unsigned char>(in.byte);
  if (cut_off && due.before == field::number) return verdict::no;
  const character now = character_of(m.partial);
  const auto size = static_cast<std::uint32_t>(in.position + 1 - now.size - m.field_begin);
  if (now == due.first) {
    if (m.filled == 0) return verdict::no;
    if (due.before == field::label) {
      m.label_begin = m.field_begin;
      m.label_size = size;
    } else {
      m.identifier_end = m.field_begin + size;
    }
    m.partial = 0;
    m.at = now.size - 1;
    return read_text(m, all, in);
  }
  if (now.whole()) {
    if (now == all.front().first || !extend(m, due.before, size, in.byte)) return verdict::no;
    m.partial = 0;
  } else if (now.begins(due.first) && (m.filled != 0 || due.before != field::number)) {
    return size <= most ? verdict::more : verdict::no;
  } else if (due.before == field::number) {
    return verdict::no;
  }
  return size + now.size + (m.filled == 0 ? 1 : 0) <= most ? verdict::more : verdict::no;
}

verdict read(recogniser_state& s, const segments& all, const lexed_byte& in) {
  memory m(s);
  const bool field = m.segment > 0 && m.at == 0;
  return field ? read_field(m, all, in) : read_text(m, all, in);
}

void start(recogniser_state& s, std::uint64_t position) {
  s.reset();
  s.active = true;
  s.from = memory(s).begin = position;
}

/// Returns true if all of a marker has been read.
bool is_whole(const memory& m, const segments& all) {
  return m.segment + 1U == all.size() && m.at == all.back().text.size();
}

/// Returns true if the marker would be the description of an image if `(` followed.
bool may_be_image(const memory& m, const segments& all) {
  return (m.bangs & before_candidate) != 0 && all.front().text.front() == '[' &&
         all.back().text.back() == ']';
}

/// Called when the candidate failed at this byte. Another one may have started in the text before it.
bool start_again(recogniser_state& s, const segments& all, const lexed_byte& in) {
  const memory m(s);
  const bool field = m.segment > 0 && m.at == 0;
  const character failed = character_of(field ? m.partial : static_cast<unsigned char>(in.byte));
  const std::size_t which = field ? m.segment - 1 : m.segment;
  std::string_view known = all[which].text;
  if (!field) known = known.substr(0, m.at);
  // A field cannot contain a start.
  if (field && m.field_begin + failed.size != in.position + 1) known = {};
  const bool bang = (m.bangs & before_text) != 0;
  const std::size_t size = known.size() + failed.size;
  const auto byte_at = [&](std::size_t i) {
    return i < known.size() ? known[i] : failed.byte(static_cast<std::uint32_t>(i - known.size()));
  };
  for (std::size_t skip = which == 0 && !known.empty() ? 1 : 0; skip <= known.size(); ++skip) {
    start(s, in.position + 1 - (size - skip));
    verdict found = verdict::more;
    for (std::size_t i = skip; i < size && found == verdict::more; ++i) {
      lexed_byte byte = in;
      byte.byte = byte_at(i);
      byte.position = in.position + 1 - (size - i);
      if (i > 0 || !known.empty()) byte.after_bang = i > 0 ? byte_at(i - 1) == '!' : bang;
      found = read(s, all, byte);
    }
    if (found == verdict::more) return true;
  }
  return false;
}

step complete(recogniser_state& s, std::uint64_t end, marker_match& match) {
  const memory m(s);
  match = {};
  match.marker = {m.begin, end};
  match.identifier = {m.identifier_begin, m.identifier_end};
  match.label = {m.label_begin, m.label_begin + m.label_size};
  s.reset();
  return step::complete;
}

step advance(const grammar& self, recogniser_state& s, const lexed_byte& in, const grammar_options&,
             marker_match& match) {
  const segments& all = *static_cast<const segments*>(self.pattern);
  step done = step::none;
  const bool whole = s.active && is_whole(memory(s), all);
  if (whole && (in.end || in.byte != '(')) {
    done = complete(s, in.position, match);
    if (in.byte != self.starts.front()) return done;
  }
  if (in.end || in.literal) {
    s.reset();
    return done;
  }
  if (!s.active) start(s, in.position);
  const verdict found = whole && done == step::none ? verdict::no : read(s, all, in);
  if (found == verdict::more) return done;
  if (found == verdict::yes) {
    if (may_be_image(memory(s), all)) return step::none;
    return complete(s, in.position + 1, match);
  }
  if (!start_again(s, all, in)) s.reset();
  return done;
}

/// Parses a pattern. Returns where and why it is rejected.
class parser {
 public:
  parser(std::string_view text, segments& out) : text_(text), out_(out) {}

  pattern_error parse() {
    if (text_.empty()) return {pattern_problem::empty, 0, 0};
    if (text_.size() > max_pattern_bytes) return {pattern_problem::too_long, max_pattern_bytes, 0};
    out_.push_back({});
    while (at_ < text_.size()) {
      const pattern_problem problem = take();
      if (problem != pattern_problem::none) return {problem, at_, 0};
    }
    return check();
  }

 private:
  pattern_problem take() {
    const char byte = text_[at_];
    const std::size_t size = first_code_point(text_.substr(at_)).length;
    if (size == 0) return pattern_problem::not_utf8;
    if (is_control(byte)) return pattern_problem::control_byte;
    if (byte == '`' || byte == '\\') return pattern_problem::code_or_escape;
    const bool doubled = at_ + 1 < text_.size() && text_[at_ + 1] == byte;
    if (byte == '{' && !doubled) return take_field();
    if (byte == '}' && !doubled) return pattern_problem::brace;
    if (out_.back().text.empty()) out_.back().offset = at_;
    out_.back().text += text_.substr(at_, size);
    at_ += byte == '{' || byte == '}' ? 2 : size;
    return pattern_problem::none;
  }

  pattern_problem take_field() {
    const std::string_view rest = text_.substr(at_);
    for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
      if (!rest.starts_with(kinds[kind].name)) continue;
      bool& seen = kind == 0 ? label_ : cites_;
      if (seen) return pattern_problem::second_field;
      if (at_ == 0) return pattern_problem::starts_with_field;
      if (out_.back().text.empty()) return pattern_problem::adjacent_fields;
      seen = true;
      out_.push_back({static_cast<field>(kind), {}, at_});
      at_ += kinds[kind].name.size();
      return pattern_problem::none;
    }
    return rest.find('}') == std::string_view::npos ? pattern_problem::brace : pattern_problem::unknown_field;
  }

  /// Checks rules that concern the pattern as a whole.
  pattern_error check() {
    if (out_.back().text.empty()) return {pattern_problem::ends_with_field, out_.back().offset, 0};
    if (!cites_) return {pattern_problem::cites_nothing, 0, 0};
    const std::string& opening = out_.front().text;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      const std::string& text = out_[i].text;
      const bool edge =
          is_alphanumeric(text[0]) || std::string_view(" ,_-.").find(text[0]) != std::string_view::npos;
      if (edge) return {pattern_problem::letter_at_edge, out_[i].offset, 0};
      const bool last = i + 1 == out_.size();
      for (std::size_t from = i == 0 ? 1 : 0; !last && from < text.size(); ++from) {
        if (hides_start(text, from, opening)) return {pattern_problem::overlaps_start, out_[i].offset, 0};
      }
    }
    return {};
  }

  /// Returns true if a marker that starts at byte \p from of a text could still continue in the field after
  /// it.
  static bool hides_start(std::string_view text, std::size_t from, std::string_view opening) {
    const std::string_view rest = text.substr(from);
    if (rest.starts_with(opening)) return true;
    return opening.starts_with(rest) &&
           first_character(opening.substr(rest.size())) != first_character(opening);
  }

  std::string_view text_;
  segments& out_;
  std::size_t at_{};
  bool label_{};
  bool cites_{};
};

}  // namespace

std::string_view message(pattern_problem problem) noexcept {
  constexpr std::array<std::string_view, 15> messages{
      "no problem",
      "the pattern is empty",
      "the pattern has more than 256 bytes",
      "a pattern cannot hold a control character",
      "the pattern is not valid UTF-8",
      "a backtick or backslash would start code or an escape",
      "this brace belongs to no field; write a literal brace twice",
      "a field is one of {label}, {identifier}, {key}, {number}",
      "a pattern has at most one {label} and exactly one of {identifier}, {key}, {number}",
      "a pattern cannot start with a field",
      "two fields need text between them",
      "a pattern cannot end with a field",
      "this text must not start with a letter, digit, blank or one of , _ - .",
      "another marker could start inside this text",
      "a pattern needs one of {identifier}, {key}, {number}",
  };
  return messages[static_cast<std::size_t>(problem)];
}

const grammar& marker_pattern::as_grammar() const noexcept {
  return compiled_->one;
}

std::optional<marker_pattern> compile_marker_pattern(std::string_view pattern, pattern_error& why) {
  const auto made = std::make_shared<marker_pattern::compiled>();
  made->text = pattern;
  why = parser(made->text, made->segments).parse();
  if (why.problem != pattern_problem::none) {
    why.column = 1;
    for (const char byte : pattern.substr(0, why.offset)) {
      why.column += is_continuation(byte) ? 0U : 1U;
    }
    return {};
  }
  for (segment& each : made->segments) each.first = first_character(each.text);
  bool list = false;
  for (std::size_t i = 1; i < made->segments.size(); ++i) {
    const field kind = made->segments[i].before;
    list = list || kind == field::key || kind == field::number;
  }
  made->one.name = made->text;
  made->one.starts = std::string_view(made->segments.front().text).substr(0, 1);
  made->one.advance = &advance;
  made->one.keys = list ? &split : nullptr;
  made->one.pattern = &made->segments;
  return marker_pattern(made);
}

}  // namespace citestream
