#include "marker/texts.hpp"

#include <algorithm>

namespace citestream_tests {
namespace {

using pieces_list = std::vector<std::string_view>;

std::string put_together(random_source& random, std::size_t pieces, const pieces_list& from) {
  std::string out;
  for (std::size_t i = 0; i < pieces; ++i) out += from[below(random, from.size())];
  return out;
}

const pieces_list hostile_pieces{"[", "[",  "]",  "(",  ")", "](", "!", "\\", "`", "\"", "<", ">", " ",
                                 " ", "\t", "\n", "\r", ",", ";",  ".", "a",  "1", "~",  "é", "。"};

const pieces_list grammatical_pieces{"[a](b)",
                                     "[a](b)",
                                     "([c](d))",
                                     "![e](f)",
                                     "[g](http://h)",
                                     "[",
                                     "[",
                                     "](b)",
                                     "](http://b)",
                                     "](b",
                                     "](",
                                     "![",
                                     "](<b c>)",
                                     "](<b",
                                     "](b \"t\")",
                                     "](b \"",
                                     "](b \"\"",
                                     "](http://h \"",
                                     "](b (",
                                     "]",
                                     "(",
                                     ")",
                                     " (",
                                     ") ",
                                     " ",
                                     "  ",
                                     "\t",
                                     ", ",
                                     "; ",
                                     ",",
                                     ".",
                                     "a",
                                     "text",
                                     "`",
                                     "``",
                                     "`x`",
                                     "\n```\n",
                                     "\n~~~\n",
                                     "```",
                                     "~~~",
                                     "\n",
                                     "\n\n",
                                     "\r\n",
                                     "\n> ",
                                     "\\",
                                     "\\[",
                                     "\\(",
                                     "\\\"",
                                     "\"",
                                     "\")",
                                     " \"",
                                     "’",
                                     "\u3000",
                                     "😀",
                                     " [a](b)",
                                     "\n\n[a](b) "};

/// Titles that fail, the only text that is read twice.
const pieces_list title_pieces{
    "[", "[",  "![", "](b \"", "](http://b \"", "\"",  "\"", "\"a", "](x)", "](http://x)", "a", " ", "(",
    ")", "\\", "\n", "`",      "[c](http://d)", "<b>", "]("};

}  // namespace

std::string hostile_text(random_source& random, std::size_t pieces) {
  return put_together(random, pieces, hostile_pieces);
}

std::string grammatical_text(random_source& random, std::size_t pieces) {
  return put_together(random, pieces, grammatical_pieces);
}

std::string narrow_text(random_source& random, std::size_t pieces) {
  pieces_list chosen;
  for (std::size_t i = 3 + below(random, 5); i > 0; --i) {
    const pieces_list& from = below(random, 3) == 0 ? hostile_pieces : grammatical_pieces;
    chosen.push_back(from[below(random, from.size())]);
  }
  return put_together(random, pieces, chosen);
}

std::string difficult_text(random_source& random, std::size_t bytes) {
  switch (below(random, 4)) {
    case 0:
      return hostile_text(random, bytes);
    case 1:
      return grammatical_text(random, 1 + bytes / 2);
    case 2:
      return put_together(random, 1 + bytes / 2, title_pieces);
    default:
      return narrow_text(random, 1 + bytes / 2);
  }
}

std::string composed_answer(random_source& random, std::size_t pieces) {
  return put_together(random, pieces,
                      {"Revenue grew by 20%",
                       " in the third quarter",
                       ". ",
                       ", while ",
                       " costs fell",
                       "; ",
                       "\n\n",
                       "\n- ",
                       "\n1. ",
                       " [Financial_Report.pdf](id1)",
                       " [Q3 [draft].pdf](id2)",
                       "[X](https://x.org/a_(b))",
                       " ([W](http://h/?q=1))",
                       " [A](1), [B](2)",
                       " [T](u \"Title\")",
                       " [S](<a b>)",
                       " ![chart](img.png)",
                       " `code [x](y)`",
                       "\n```\n[no](t)\n```\n",
                       " “quoted”",
                       "’s",
                       " 売上は20%増加した",
                       "。",
                       " 😀",
                       "👩‍💻",
                       " naïve",
                       " (see below)",
                       " [not a link]",
                       " \\[escaped](x)",
                       " **bold**",
                       "\n> quote ",
                       "\n# Heading\n",
                       " | cell | ",
                       "!",
                       "?",
                       " [",
                       " ]("});
}

const std::vector<std::string>& example_texts() {
  static const std::vector<std::string> texts{
      "grew by 20% [Financial_Report.pdf](id1).",
      "[label](identifier)",
      "[Report [2023].pdf](id)",
      "see [a [b](id) c",
      "[x] (y)",
      "[W](https://en.wikipedia.org/wiki/Ruby_(gem))",
      "[u](<a b>) and [u](url \"title\").",
      "![alt](url) \\[x](y)",
      "[![alt](url) label](id)",
      "x [A](1), [B](2) y",
      "x [A](1) [B](2).",
      "foo[X](id)bar",
      "foo [X](id)bar",
      "`[a](b)` [c](d).",
      "[x] (y) [z]",
      "claim ([W](url)).",
      "claim \\([W](url)).",
      "an unfinished [Acme-Prod",
      "  [A](1) at the start\n[B](2)\tof lines",
      "> ```\n> [a](b)\n> ```\n[c](d)",
  };
  return texts;
}

std::vector<std::string_view> cut(std::string_view text, random_source& random, std::size_t longest) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t size = std::min(text.size(), 1 + below(random, longest));
    out.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace citestream_tests
