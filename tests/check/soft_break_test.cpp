#include "check/soft_break.hpp"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

using citestream::check_detail::join_lines;

namespace {

std::string joined(std::string_view text) {
  std::string out = "text before";
  join_lines(text, out);
  return out;
}

/// Joins the lines of \p text, with so many words more in each that it is as wide as wrapped text.
std::string joined_wide(std::string_view text) {
  constexpr std::string_view more = " in the house at the end of the old street";
  std::string wide;
  bool in_word = false;
  bool added = false;
  for (const char c : text) {
    if (in_word && !added && (c == ' ' || c == '\n' || c == '\r')) {
      wide += more;
      added = true;
    }
    wide += c;
    in_word = c != ' ' && c != '\n';
    if (c == '\n') added = false;
  }
  std::string out = joined(wide);
  for (std::size_t at = out.find(more); at != std::string::npos; at = out.find(more, at))
    out.erase(at, more.size());
  return out;
}

/// Returns true if no line of \p text is joined with another one.
bool keeps(std::string_view text) {
  return joined(text) == text;
}

}  // namespace

TEST_CASE("lines of a paragraph are joined inside its sentences") {
  CHECK(joined_wide("The lift does not\nstop here.\n") == "The lift does not stop here.\n");
  CHECK(joined_wide("The lift does not\r\nstop here.") == "The lift does not\r stop here.");
  CHECK(joined_wide("The lift does not \nstop here.") == "The lift does not  stop here.");
  CHECK(
      joined_wide("Debt rose to 40\nmillion euros, 5%\nmore (see\n2023) than\n$2 or\n(in all)\n5 in May.") ==
      "Debt rose to 40 million euros, 5% more (see 2023) than $2 or (in all)\n5 in May.");
  CHECK(joined_wide("Die Karte gilt an\nallen Tagen bis\nMitternacht.") ==
        "Die Karte gilt an allen Tagen bis\nMitternacht.");
  CHECK(joined_wide("Se vende leche\no nata.") == "Se vende leche o nata.");
  CHECK(joined_wide("Si la carte est perdue,\nécrivez au service client.") ==
        "Si la carte est perdue, écrivez au service client.");
  CHECK(joined_wide("Ask at the desk.\nThe desk is\nopen until 6.\n\nThe lift is\nclosed.") ==
        "Ask at the desk.\nThe desk is open until 6.\n\nThe lift is closed.");
  CHECK(joined("").empty());
}

TEST_CASE("lines of an item of a list are joined if they begin below its text") {
  CHECK(joined_wide("- The lift does not\n  stop here.\n- The stairs are\n  closed.") ==
        "- The lift does not   stop here.\n- The stairs are   closed.");
  CHECK(joined_wide("▪ The lift does not\n  stop here.") == "▪ The lift does not   stop here.");
  CHECK(joined_wide("12. The lift does not\n    stop here.") == "12. The lift does not     stop here.");
  CHECK(joined_wide("   The lift does not\n   stop here.") == "   The lift does not    stop here.");
  CHECK(keeps("- The lift does not\nstop here."));
  CHECK(keeps("The lift does not\n    stop here."));
  CHECK(keeps("The lift has stops at\n- floor 1\n2. floor 2\nb) floor 3\no  floor 4."));
}

TEST_CASE("lines of lists and tables and forms and poems are not joined") {
  CHECK(keeps("Fruit.\n\nred apples\ngreen pears\nblue plums\n\nVegetables."));
  CHECK(keeps("apples cost 3 euros\npears cost 4 euros\nplums are not sold."));
  CHECK(keeps("Our shop sells fruit.\napples cost 3 euros\npears cost 4 euros."));
  CHECK(
      keeps("the standard room costs 120 euros for a night\nthe superior room costs 150 euros for a night"));
  CHECK(
      keeps("Log of the run.\nconnection to the server was not opened in time\n"
            "connection to the cache was opened within 3 seconds\nthe job was started."));
  CHECK(keeps("The prices.\nsingle room: 50 euros\ndouble room: 70 euros."));
  CHECK(keeps("Rooms\nthe rooms of the house are not heated."));
  CHECK(keeps("# The rooms are\nheated."));
  CHECK(keeps("room | price\nsmall | 50.\nlarge | 70."));
  CHECK(keeps("room,price\nsmall,50\nlarge,70\nThe end."));
  CHECK(keeps("The rose is red\nThe violet blue\nThe honey sweet."));
  CHECK(keeps("Open on:\nall days."));
  CHECK(keeps("The room\n\nis heated."));
  CHECK(keeps("\nis heated.\n"));
  CHECK(keeps(std::string(600, 'x') + "\nand more."));
}
