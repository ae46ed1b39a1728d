#include "check/table_row.hpp"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

using citestream::check_detail::cell_separator;
using citestream::check_detail::has_fields;
using citestream::check_detail::is_table_row;

namespace {

/// Returns whether each line of \p text is a row: "+" or "-".
std::string rows_of(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    out += is_table_row(text, at) ? '+' : '-';
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return out;
}

}  // namespace

TEST_CASE("lines with the same separators next to one another are rows of a table") {
  CHECK(rows_of("Red;Green\nBlue;White") == "++");
  CHECK(rows_of("<table>\n <TR><td>A</td>\n</Tr>\n<tread>") == "+++-");
  CHECK(rows_of("Zone,Price\nA,410\nB,380") == "+++");
  CHECK(rows_of("We sell red,green and blue.\nThey are cheap.") == "--");
  CHECK(rows_of("Red;Green\n\nBlue;White") == "---");
  CHECK(rows_of("Zone,410\n\nArea,380") == "---");
  CHECK(rows_of("It weighs 1,400 kg unless\nthe tank is full,\nas it mostly is.") == "---");
  CHECK(rows_of("Zone,\nArea,380\nPort,410") == "-++");
  CHECK(rows_of("Zone,4,\nArea,3,8") == "++");
  CHECK(rows_of("- Monday: 8 to 16\n<tr>\na | b\nplain") == "+++-");
}

TEST_CASE("commas of two lines inside numbers separate no fields") {
  CHECK_FALSE(has_fields("1,200\n3,400", 0));
  CHECK(has_fields("1,200,5\n3,400,6", 0));
  CHECK_FALSE(has_fields("a, b\nc, d", 0));
}

TEST_CASE("a row has one kind of separator") {
  CHECK(cell_separator("a | b, c") == '|');
  CHECK(cell_separator("a\tb") == '\t');
  CHECK(cell_separator("a;b,c") == ';');
  CHECK(cell_separator("a,b") == ',');
  CHECK(cell_separator("- Monday: 8") == '\0');
}
