// Equal words, equal numbers, names and contradictions.
#include <citestream/check/support.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "check/question_scorer.hpp"
#include "rewrite/finding_json.hpp"

using citestream::number_conflict;
using citestream::support;
using citestream::support_scorer;

namespace {

using texts = std::vector<std::string_view>;

struct scored {
  scored(std::string_view whole, const texts& references)
      : claim(whole), found(scorer.score(whole, references)) {}
  /// The word of the claim that is contradicted.
  [[nodiscard]] std::string_view claimed(std::size_t index) const {
    const auto& each = found.contradictions[index];
    return claim.substr(each.claim_begin, each.claim_end - each.claim_begin);
  }
  support_scorer scorer;
  std::string_view claim;
  support found;
};

texts list(std::span<const std::string_view> views) {
  return {views.begin(), views.end()};
}

/// Returns true if all content words of \p claim are found in \p reference.
bool covers(std::string_view reference, std::string_view claim) {
  const scored one(claim, {reference});
  INFO(claim << " | " << reference);
  CHECK(one.found.content_words > 0);
  return one.found.coverage == 1;
}

}  // namespace

TEST_CASE("a sentence from the reference is fully supported") {
  const std::string_view sentence = "The council approved two new tram lines on Tuesday.";
  const scored one(sentence, {"Earlier news. " + std::string(sentence) + " Later news."});
  CHECK(one.found.value > 0.98);
  CHECK(list(one.found.matched_words) ==
        texts{"council", "approved", "two", "new", "tram", "lines", "Tuesday"});
  CHECK(one.found.missing_words.empty());
}

TEST_CASE("unrelated text supports nothing") {
  const scored one("The council approved two new tram lines.",
                   {"Bees dance to tell others where flowers are."});
  CHECK(one.found.value == 0);
  CHECK_FALSE(one.found.evidence);
  CHECK(one.found.matched_words.empty());
  CHECK(list(one.found.missing_words) == texts{"council", "approved", "new", "tram", "lines"});
  CHECK(list(one.found.missing_numbers) == texts{"two"});
}

TEST_CASE("endings and irregular forms are the same word") {
  CHECK(covers("It increases its prices.", "price increase"));
  CHECK(covers("Studies of parties", "a study of a party"));
  CHECK(covers("They were planning and controlled it.", "plan and control"));
  CHECK(covers("Sales grew and shares fell.", "sale growing, share falling"));
  CHECK(covers("quick decisions", "decided quickly"));
  CHECK(covers("The company's profits", "profit of companies"));
  CHECK(covers("They bought a long-term lease", "buy long term leases"));
  CHECK(covers("He tried on Monday and pays for the days.", "Try to pay by the day."));
  CHECK_FALSE(covers("The station was closed.", "The state was closed."));
}

TEST_CASE("close synonyms and nominal forms are the same word in their language") {
  CHECK(covers("The staff must purchase the annual permit.", "Employees bought a permit this year."));
  CHECK(covers("Rovers beat United.", "United defeated Rovers."));
  CHECK(covers("The clinic prescribed it and charged 5 dollars.", "a prescription at a price of 5 dollars"));
  CHECK(covers("Der Verein begann mit der Übernahme der Kosten.",
               "Der Verein hat den Start und den Preis übernommen."));
  CHECK(
      covers("Le salarié a reçu le prix dans la société.", "L'employé perçoit un tarif dans l'entreprise."));
  CHECK(covers("Los empleados compraron la medicina.", "El trabajador adquirió un fármaco."));
  CHECK_FALSE(covers("Die Stadt hat die Art geprüft.", "Die Stadt hat die Kunst geprüft."));
}

TEST_CASE("letters are folded and possessives and contractions removed") {
  CHECK(covers("Das Café in MÜNCHEN", "cafe munchen"));
  CHECK(covers("Москва и Санкт", "МОСКВА САНКТ"));
  CHECK(covers("ΑΘΗΝΑ", "Αθήνα"));
  CHECK(covers("The U.S. army", "army of the US"));
  CHECK(covers("Moe\u2019s ferry didn't sail", "Moe ferry sails"));
  CHECK(covers("soft\u00ADware", "software"));
  CHECK(covers("\uFF11\uFF12 \uFF34\uFF4F\uFF4B\uFF59\uFF4F", "12 Tokyo"));
}

TEST_CASE("numbers are compared by value") {
  const texts same[] = {
      {"$1,499", "1499.0", "1499", "USD 1,499.00", "1\u00A0499"},
      {"1.5 million", "1500000", "1,500,000", "$1.5M", "1.5mn", "1.500.000"},
      {"25%", "25 percent", "25 per cent", "25\uFF05", "twenty-five percent"},
      {"two billion", "2,000,000,000", "$2bn", "2 billion"},
      {"1990s", "1990"},
      {"21st", "21", "twenty-one"},
      {"2024-03-15", "March 15, 2024", "15 Mar 2024", "15.03.2024", "15.3.2024", "03/15/2024", "15/03/2024"},
      {"12/03/2024", "December 3, 2024", "3.12.2024"},
      {"1 499 euros", "1499 \u20AC", "\u20AC1,499", "EUR 1499"},
      {"-5%", "\u22125 percent", "(-5%)"},
      {"16GB", "16 GB"},
      {"1.234,50", "1234.5"},
  };
  for (const texts& group : same) {
    for (const std::string_view a : group) {
      for (const std::string_view b : group) {
        const std::string reference = "it had " + std::string(a) + " in it";
        CHECK(covers(reference, b));
      }
    }
  }
  CHECK_FALSE(covers("1499", "14.99"));
  CHECK_FALSE(covers("15", "1.5"));
  CHECK_FALSE(covers("5 million", "5 billion"));
}

TEST_CASE("a numeral is its number in each language") {
  const auto check_all = [](std::string_view before, std::string_view after, const texts& numerals,
                            const std::vector<int>& values) {
    REQUIRE(numerals.size() == values.size());
    for (std::size_t i = 0; i < numerals.size(); ++i) {
      const auto with = [&](const std::string& count) {
        return std::string(before) + count + std::string(after);
      };
      CHECK(covers(with(std::to_string(values[i])), with(std::string(numerals[i]))));
    }
  };
  check_all(
      "The house has ", " rooms in the city.",
      {"two",     "three",     "four",     "five",     "six",      "seven",      "eight",
       "nine",    "ten",       "eleven",   "twelve",   "thirteen", "fourteen",   "fifteen",
       "sixteen", "seventeen", "eighteen", "nineteen", "twenty",   "thirty",     "forty",
       "fifty",   "sixty",     "seventy",  "eighty",   "ninety",   "one hundred"},
      {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 30, 40, 50, 60, 70, 80, 90, 100});
  check_all("Das Haus in der Stadt hat ", " Zimmer mit einem Bad.",
            {"zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
             "zwanzig", "dreißig"},
            {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 30});
  check_all(
      "La maison de la ville a ", " chambres avec une salle de bains.",
      {"deux", "trois", "quatre", "cinq", "six", "sept", "huit", "dix", "onze", "douze", "vingt", "trente"},
      {2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 20, 30});
  check_all("La casa de la ciudad tiene ", " cuartos con un baño.",
            {"dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce",
             "veinte", "treinta"},
            {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 30});
}

TEST_CASE("digit groups separated by spaces are one amount only next to a currency") {
  CHECK(covers("It costs 12 499 euros.", "It costs 12499 euros"));
  CHECK(covers("It costs $1 499 200 now.", "It costs $1,499,200"));
  CHECK(covers("| Sales | 100 200 300 |", "Sales 200"));
  CHECK_FALSE(covers("| Sales | 100 200 300 |", "Sales 100200300"));
}

TEST_CASE("an invalid date is read as numbers") {
  for (const std::string_view text : {"31.13.2024", "2024.03.15", "15.03-2024", "0/3/2024", "32/3/2024",
                                      "1.2.3", "2024-3-5", "1/2", "15.03.", "15.03.20245"}) {
    INFO(text);
    CHECK(covers("It says " + std::string(text) + ".", "It says " + std::string(text)));
    CHECK_FALSE(covers("It says " + std::string(text) + ".", "March"));
  }
}

TEST_CASE("a year of a decade supports the decade and contradicts nothing") {
  CHECK(covers("It opened in 1993.", "It opened in the 1990s."));
  CHECK(covers("It opened in 1923.", "It opened in the 1900s."));
  CHECK_FALSE(covers("It opened in 1989.", "It opened in the 1990s."));
  CHECK_FALSE(covers("It opened in the 1990s.", "It opened in 1993."));
  const scored year("It opened in 1993.", {"It opened in the 1990s."});
  CHECK(year.found.contradicted_numbers.empty());
  CHECK(list(year.found.missing_numbers) == texts{"1993"});
  CHECK(scored("It opened in 1989.", {"It opened in the 1990s."}).found.contradicted_numbers.size() == 1);
}

TEST_CASE("a sign is part of a number unless words give the direction") {
  for (const auto& [claim, reference] : {std::pair{"The margin was -5%.", "The margin was 5%."},
                                         std::pair{"The margin was 5%.", "The margin was -5%."},
                                         std::pair{"The margin was 5%.", "The margin was \u22125%."},
                                         std::pair{"The margin was 5%.", "The margin was -5.02%."}}) {
    INFO(claim << " | " << reference);
    const scored one(claim, {reference});
    REQUIRE(one.found.contradicted_numbers.size() == 1);
    CHECK(one.found.value < 0.5);
  }
  CHECK(scored("The margin was 5%.", {"The margin was -5%."}).found.contradicted_numbers[0].found == "-5%");
  CHECK(scored("The margin fell by 5%", {"Margin: -5%"}).found.missing_numbers.empty());
  CHECK(covers("The margin fell by 5%", "margin -5%"));
  CHECK(covers("a loss of $5", "a loss of -$5"));
  for (const std::string_view text : {"pages 10-15", "COVID-19", "from 10 -15", "2024-15"}) {
    INFO(text);
    CHECK(covers(std::string(text) + " is there", text));
  }
  CHECK(covers("pages 10-15", "15 pages"));
}

TEST_CASE("numbers are read as their language writes them") {
  const std::vector<texts> same = {
      {"Das Gerät kostet 1499 Euro.", "Das Gerät kostet 1.499 Euro."},
      {"The device costs 1499 euros.", "The device costs 1.499 euros."},
      {"Der Verein hat 1200 Mitglieder.", "Der Verein hat 1.200 Mitglieder."},
      {"La ville compte 12500 habitants.", "La ville compte 12.500 habitants.",
       "La ville compte 12 500 habitants."},
      {"Le budget est de 3 Md€.", "Le budget est de 3 milliards d'euros."},
      {"El gasto es de 3 mil millones de euros.", "El gasto es de 3.000 millones de euros."},
      {"105 people came.", "One hundred and five people came."},
      {"Die Frist beträgt 3 Monate.", "Die Frist beträgt drei Monate."},
      {"Le bail dure 3 ans.", "Le bail dure trois ans."},
      {"El plazo es de 3 meses.", "El plazo es de tres meses."},
      {"Rund 62 % der Leute waren dort.", "Rund 62 Prozent der Leute waren dort."}};
  for (const texts& group : same) {
    for (const std::string_view a : group) {
      for (const std::string_view b : group) CHECK(covers(a, b));
    }
  }
  CHECK_FALSE(covers("Das Seil ist 1,5 m lang.", "Das Seil ist 2,5 m lang."));
  CHECK_FALSE(covers("The rope is 1.499 m long.", "The rope is 1499 m long."));
  CHECK_FALSE(covers("El gasto es de 3 millones de euros.", "El gasto es de 3 millones de dólares."));
}

TEST_CASE("times of day are equal in both notations") {
  const std::vector<texts> same = {
      {"It starts at 8 pm.", "It starts at 8 p.m. today.", "It starts at 20:00.", "It starts at 8:00 PM."},
      {"It leaves at 2:15 p.m.", "It leaves at 14:15.", "It leaves at 2.15 pm."},
      {"Er fährt um 9:30 Uhr ab.", "Er fährt um 9.30 Uhr ab.", "Er fährt um 09.30 Uhr ab."},
      {"It leaves at 12:30 am.", "It leaves at 0:30."}};
  for (const texts& group : same) {
    for (const std::string_view a : group) {
      for (const std::string_view b : group) {
        CHECK(scored(a, {b}).found.missing_numbers.empty());
        CHECK(scored(a, {b}).found.contradictions.empty());
      }
    }
  }
  CHECK(scored("The train departs at 7 p.m.", {"The train departs at 7 a.m."}).found.contradictions.size() ==
        1);
  CHECK_FALSE(covers("Er fährt um 9.30 Uhr ab.", "Er fährt um 9.45 Uhr ab."));
  CHECK_FALSE(covers("It weighs 9.30 kg.", "It weighs 9:30 kg."));
  CHECK_FALSE(covers("Der Zug hält am 8 am Bahnsteig.", "Der Zug hält am 20 am Bahnsteig."));
}

TEST_CASE("an exact number supports the round one") {
  CHECK(covers("exactly 1,498,203 people came", "1.5 million people came"));
  CHECK(covers("a share of 24.6%", "a share of 25%"));
  CHECK_FALSE(covers("a share of 20%", "a share of 25%"));
  CHECK_FALSE(covers("in the year 1998", "in the year 2000"));
}

TEST_CASE("a number without a scale is exact unless the claim is approximate") {
  for (const auto& [claim, reference] :
       {std::pair{"The proxy returns error 500.", "The proxy returns error 502."},
        std::pair{"The server uses port 8080.", "The server uses port 8081."},
        std::pair{"The tool needs Python 3.10.", "The tool needs Python 3.11."},
        std::pair{"The feature is in version 2.0.", "The feature is in version 2.1."},
        std::pair{"The plan costs $1,500.", "The plan costs $1,540."},
        std::pair{"The firm has 30 employees.", "The firm has 31 employees."},
        std::pair{"More than 500 people came.", "There came 496 people."},
        std::pair{"Nearly 500 people came.", "There came 502 people."}}) {
    INFO(claim << " | " << reference);
    CHECK(scored(claim, {reference}).found.contradicted_numbers.size() == 1);
  }
  for (const auto& [claim, reference] :
       {std::pair{"About 500 people came.", "There came 502 people."},
        std::pair{"More than 500 people came.", "There came 502 people."},
        std::pair{"It weighs ~500 g.", "It weighs 502 g."},
        std::pair{"Es kamen rund 500 Personen zum Fest.", "Es kamen 502 Personen zum Fest."},
        std::pair{"Le film dure presque 100 minutes.", "Le film dure 99 minutes."},
        std::pair{"En la fiesta hubo cerca de 500 vecinos.", "En la fiesta hubo 502 vecinos."}}) {
    INFO(claim << " | " << reference);
    CHECK(scored(claim, {reference}).found.missing_numbers.empty());
  }
}

TEST_CASE("a contradicted number lowers a full score below one half") {
  const struct {
    std::string_view claim, reference;
    number_conflict conflict;
  } cases[] = {
      {"Revenue grew 25% last year.", "Revenue grew 20% last year.", {"25%", "20%"}},
      {"Revenue grew 25% last year.", "Last year revenue grew by 20 percent.", {"25%", "20 percent"}},
      {"The company was founded in 1998.", "Founded in 1996, the company sells tea.", {"1998", "1996"}},
      {"The TechBook Pro costs $1,299", "price: 1499.0 | name: TechBook Pro", {"$1,299", "1499.0"}},
      {"The firm has 12 employees.", "The firm has 15 employees.", {"12", "15"}},
      {"It carried 3.4 million passengers.",
       "It carried 2.4 million passengers.",
       {"3.4 million", "2.4 million"}},
      {"Five ships were ordered.", "Three ships were ordered.", {"Five", "Three"}},
  };
  for (const auto& each : cases) {
    const scored one(each.claim, {each.reference});
    INFO(each.claim);
    REQUIRE(one.found.contradicted_numbers.size() == 1);
    CHECK(one.found.contradicted_numbers[0] == each.conflict);
    CHECK(one.found.value < 0.5);
    CHECK(list(one.found.missing_numbers) == texts{each.conflict.claimed});
  }
}

TEST_CASE("the reported number is the one at the same place in the reference") {
  const struct {
    std::string_view claim, reference, found;
  } cases[] = {
      {"The laptop weighs 1.3 kg.", "Laptop 3 weighs 1.4 kg and has 5 ports.", "1.4"},
      {"The laptop weighs 1.3 kg.", "The laptop has 3 ports, 2 fans and weighs 1.4 kg.", "1.4"},
      {"The firm opened with 12 employees.", "The firm opened 3 offices and hired 15 employees.", "15"},
      {"Revenue grew 25% last year.", "Margins fell 3%, and last year revenue grew by 20 percent.",
       "20 percent"},
      {"The bridge carries 900 trains.", "Built by 4 firms, the bridge carries 700 trains on 2 tracks.",
       "700"},
  };
  for (const auto& each : cases) {
    const scored one(each.claim, {each.reference});
    INFO(each.claim << " | " << each.reference);
    REQUIRE(one.found.contradicted_numbers.size() == 1);
    CHECK(one.found.contradicted_numbers[0].found == each.found);
  }
}

TEST_CASE("money of another currency and percentages are other numbers") {
  const std::string_view claim = "The TechBook costs $1,499.";
  for (const std::string_view other : {"\u20AC1,499", "\u00A31,499", "1499 euros", "\u20B9 1,499"}) {
    const std::string reference = "The TechBook costs " + std::string(other) + ".";
    const scored one(claim, {reference});
    INFO(reference);
    REQUIRE(one.found.contradicted_numbers.size() == 1);
    CHECK(one.found.contradicted_numbers[0].claimed == "$1,499");
    CHECK(list(one.found.missing_numbers) == texts{"$1,499"});
    CHECK(one.found.value < 0.5);
  }
  const scored percent(claim, {"The TechBook costs 1499%."});
  CHECK(list(percent.found.missing_numbers) == texts{"$1,499"});
  for (const std::string_view same : {"$1,499", "1499.0", "1,499 USD", "US$ 1499", "1499 dollars"}) {
    INFO(same);
    CHECK(covers("The TechBook costs " + std::string(same) + ".", claim));
  }
  CHECK(covers("It costs \u20AC5.", "It costs 5 EUR."));
  CHECK(covers("Sales rose 12,5 % there.", "Sales rose 12.5 percent there."));
  CHECK(covers("Rooms 3,5 and 12,500 seats.", "rooms 3, 5 and 12500 seats"));
}

TEST_CASE("the first word of a sentence may be a name if all else matches") {
  const scored other("Globex revenue grew 12%.", {"Acme revenue grew 12%."});
  CHECK(list(other.found.missing_names) == texts{"Globex"});
  CHECK(other.found.missing_words.empty());
  const scored little("Globex grew strongly.", {"Acme revenue grew 12%."});
  CHECK(little.found.missing_names.empty());
  CHECK(scored("globex revenue grew 12%.", {"Acme revenue grew 12%."}).found.missing_names.empty());
}

TEST_CASE("an adverb or a request at the start of a sentence is not a name") {
  const std::string free = "Shipping is free for orders above 50 euros.";
  const std::string support = "Support is available at +49 30 1234567.";
  const std::string versand = "Der Versand ist ab 50 Euro kostenlos.";
  const std::pair<std::string, std::string> examples[] = {
      {"Unfortunately, shipping is free for orders above 50 euros.", free},
      {"Typically, shipping is free for orders above 50 euros.", free},
      {"Remember that shipping is free for orders above 50 euros.", free},
      {"Call support at +49 30 1234567.", support},
      {"Visit support at +49 30 1234567.", support},
      {"Leider ist der Versand ab 50 Euro kostenlos.", versand},
      {"Derzeit ist der Versand ab 50 Euro kostenlos.", versand},
      {"Malheureusement, la livraison est gratuite.", "La livraison est gratuite."},
      {"Actuellement, la livraison est gratuite.", "La livraison est gratuite."},
      {"Lamentablemente, el envío es gratuito.", "El envío es gratuito."},
      {"Actualmente, el envío es gratuito.", "El envío es gratuito."}};
  for (const auto& [claim, text] : examples) {
    INFO(claim);
    CHECK(list(scored(claim, {text}).found.missing_names).empty());
  }
  CHECK(scored("Unfortunately, shipping is free for orders above 50 euros.", {free}).found.value == 1);
  CHECK(list(scored("Peter founded Acme in Graz.", {"Acme was founded in Graz."}).found.missing_names) ==
        texts{"Peter"});
  CHECK(list(scored("Emily called support.", {"Support was called."}).found.missing_names) == texts{"Emily"});
}

TEST_CASE("a number that is only missing costs less than one that is contradicted") {
  const std::string_view claim = "The harbour expects 40 ships and many visitors from Norway this summer.";
  const scored missing(claim, {"The harbour expects ships and visitors from Norway this summer."});
  const scored contradicted(claim,
                            {"The harbour expects 90 ships and many visitors from Norway this summer."});
  CHECK(list(missing.found.missing_numbers) == texts{"40"});
  CHECK(missing.found.contradicted_numbers.empty());
  CHECK(missing.found.value > 0.5);
  CHECK(contradicted.found.value < 0.5);
}

TEST_CASE("other numbers of a text contradict nothing") {
  for (const auto& [claim, reference] : {
           std::pair{"It has 300 engineers.", "It has 300 engineers, 20 cooks and 15 drivers."},
           std::pair{"Sales rose 8% in 2021.", "Sales rose 8% in 2021 and 5% in 2022."},
           std::pair{"The TechBook Pro costs $1,499.", "TechBook Pro 15 | 16GB RAM | 1TB SSD | $1,499"},
           std::pair{"The lake is 94 metres deep.",
                     "Bathing was banned in 1998. The lake is 94 metres deep."},
       }) {
    INFO(claim);
    CHECK(scored(claim, {reference}).found.contradicted_numbers.empty());
  }
}

TEST_CASE("names that no reference has are listed whole") {
  const scored one("She says that Satya Nadella met Tim Cook in Paris.", {"He met Cook in Paris."});
  CHECK(list(one.found.missing_names) == texts{"Satya Nadella", "Tim"});
  CHECK(list(scored("Revenue grew.", {"Nothing."}).found.missing_names).empty());
  CHECK(list(scored("Acme Corp grew.", {"It grew."}).found.missing_names) == texts{"Acme Corp"});
  CHECK(list(scored("It grew in Q3, said NASA.", {"It grew."}).found.missing_names) == texts{"Q3", "NASA"});
}

TEST_CASE("the letter A inside a sentence is a name and not the article") {
  CHECK(list(scored("Hepatitis A spreads fast.", {"Hepatitis B spreads fast."}).found.missing_names) ==
        texts{"A"});
  CHECK(list(scored("B acquired A.", {"A acquired B."}).found.missing_names) == texts{"A"});
  CHECK(covers("Hepatitis A spreads fast.", "Hepatitis A spreads fast"));
  CHECK(covers("How to build a house", "How to Build A House"));
}

TEST_CASE("citation marks and addresses are not part of a claim") {
  CHECK(covers("Tea sells.", "Tea sells [1][2, 3] [^4]. See https://example.com/a/7?x=9"));
  CHECK(covers("Tea sells.", "Tea sells. See HTTPS://Example.com/a/7?x=9"));
  CHECK(scored("[1] https://example.com", {"one"}).found.content_words == 0);
  CHECK(scored("Http://example.com/Tea", {"one"}).found.content_words == 0);
}

TEST_CASE("scripts without spaces are compared by pairs of characters") {
  CHECK(covers("日本の首都は東京である。", "日本の首都"));
  CHECK(scored("東京は日本の首都です", {"日本の首都は東京である。"}).found.value > 0.3);
  CHECK(scored("東京は日本の首都です", {"猫は魚を食べる。"}).found.value < 0.1);
  CHECK(covers("a 字 b", "字"));
}

TEST_CASE("only words close together count") {
  std::string far = "The glacier ";
  for (int i = 0; i < 100; ++i) far += "and so on ";
  const std::string near = "The glacier and so on lost its ice ";
  CHECK(scored("The glacier lost ice.", {near}).found.coverage == 1);
  CHECK(scored("The glacier lost ice.", {far + "lost its ice"}).found.coverage < 0.7);
}

TEST_CASE("evidence is the shortest stretch of the best window") {
  const std::string_view reference = "Tea. Once more tea, and then the tea sells well in Graz. More.";
  const scored one("Tea sells in Graz", {"no", reference});
  REQUIRE(one.found.evidence);
  CHECK(one.found.evidence->reference == 1);
  const auto [which, begin, end] = *one.found.evidence;
  CHECK(reference.substr(begin, end - begin) == "tea sells well in Graz");
}

TEST_CASE("a second reference adds half of what the first lacks") {
  const std::string_view claim = "Red foxes sleep, green frogs jump";
  const double one = scored(claim, {"Red foxes sleep"}).found.coverage;
  const double two = scored(claim, {"Red foxes sleep", "green frogs jump"}).found.coverage;
  CHECK(one == Approx(0.5));
  CHECK(two == Approx(0.75));
}

TEST_CASE("empty text supports nothing and needs no support") {
  CHECK(scored("", {"text"}).found.value == 0);
  CHECK(scored("", {"text"}).found.content_words == 0);
  CHECK(scored("It is what it is.", {"text"}).found.content_words == 0);
  CHECK(scored("claim", {}).found.value == 0);
  CHECK(scored("claim", {""}).found.value == 0);
  CHECK(list(scored("claim", {}).found.missing_words) == texts{"claim"});
}

TEST_CASE("support is written in the documented form") {
  const std::string_view reference = "\U0001F680 In 2023 sales grew by 20%.";
  const texts references{reference};
  support_scorer scorer;
  const std::string_view claim = "In 2023 Acme sales grew \"25%\" more.";
  const support& found = scorer.score(claim, references);
  std::string out;
  citestream::append_answer_support({found, claim}, references, citestream::offset_unit::utf16, out);
  const std::string tail =
      R"("matched_words":["2023","sales","grew"],"missing_numbers":["25%"],"missing_names":["Acme"],"missing_words":[],)"
      R"("contradicted_numbers":[{"claimed":"25%","found":"20%"}],)"
      R"("contradictions":[{"rule":"number","claimed":"25%","found":"20%","start":25,"end":28,)"
      R"("evidence":{"reference":0,"start":25,"end":28}}]})";
  CHECK(out.ends_with(tail));
  CHECK(out.find(R"("evidence":{"reference":0,"start":6,"end":21,"offsets":"utf16"},)") != std::string::npos);
  out.clear();
  citestream::append_answer_support({found, claim}, references, citestream::offset_unit::utf8, out);
  CHECK(out.find(R"("start":8,"end":23,"offsets":"utf8")") != std::string::npos);
  out.clear();
  citestream::append_answer_support({}, {}, citestream::offset_unit::utf8, out);
  CHECK(
      out ==
      R"({"support":0,"verdict":"unsure","evidence":null,"matched_words":[],"missing_numbers":[],"missing_names":[],"missing_words":[],)"
      R"("contradicted_numbers":[]})");
}

TEST_CASE("shares are written with at most four decimals") {
  const auto written = [](double share) {
    std::string out;
    citestream::append_share_json(share, out);
    return out;
  };
  CHECK(written(0) == "0");
  CHECK(written(1) == "1");
  CHECK(written(0.83) == "0.83");
  CHECK(written(0.5) == "0.5");
  CHECK(written(0.00012) == "0.0001");
  CHECK(written(0.99999) == "1");
  CHECK(written(0.123456) == "0.1235");
}

TEST_CASE("words that say where a claim comes from are not part of it") {
  const std::string_view faq = "Customers may return any item within 30 days of delivery for a full refund.";
  const std::string_view factory =
      "Productivity increases of 20-30% are what smart factory technologies bring, a new study says.";
  const std::string_view tax = "Die Steuer beträgt 19 Prozent und wird monatlich bezahlt.";
  const struct {
    std::string_view lead_in;
    std::string_view claim;
    std::string_view reference;
  } cases[] = {
      {"According to our FAQ, ", "items can be returned within 30 days.", faq},
      {"Based on the Return Policy Guide, ", "items can be returned within 30 days.", faq},
      {"The FAQ page states that ", "items can be returned within 30 days.", faq},
      {"According to recent industry analysis, ",
       "smart factory technologies can increase productivity by 20-30%", factory},
      {"The 2023 FAQ states that ", "items can be returned within 30 days.", faq},
      {"Section 4.2 of the FAQ states that ", "items can be returned within 30 days.", faq},
      {"Our Q3 report says that ", "items can be returned within 30 days.", faq},
      {"As per company policy, ", "items can be returned within 30 days.", faq},
      {"As the FAQ states, ", "items can be returned within 30 days.", faq},
      {"Laut Finanzamt Köln, ", "beträgt die Steuer 19 Prozent.", tax},
      {"Laut Finanzamt Köln ", "beträgt die Steuer 19 Prozent.", tax},
      {"Laut unserem neuen Bericht von 2023 ", "beträgt die Steuer 19 Prozent.", tax},
      {"Laut dem  neuen Bericht ", "beträgt die Steuer 19 Prozent.", tax},
      {"Gemäß dem Handbuch für Händler ", "beträgt die Steuer 19 Prozent.", tax},
      {"Nach Angaben der neuen Leitung ", "beträgt die Steuer 19 Prozent.", tax},
      {"Dem Bericht zufolge ", "beträgt die Steuer 19 Prozent.", tax},
  };
  for (const auto& [lead_in, claim, reference] : cases) {
    INFO(lead_in);
    const std::string whole = std::string(lead_in).append(claim);
    const scored one(whole, {reference});
    CHECK(one.found.attributed_to == lead_in);
    CHECK(one.found.value >= 0.85);
    CHECK(one.found.missing_names.empty());
    const scored bare(claim, {reference});
    CHECK(bare.found.value == one.found.value);
    CHECK(bare.found.attributed_to.empty());
  }
}

TEST_CASE("openers and pages and the country of a dollar are not part of a claim") {
  const std::string_view reference = "Refunds of up to $20 take 30 days.";
  for (const std::string_view claim :
       {"In summary, refunds of up to $20 take 30 days.", "**Note:** Refunds of up to $20 take 30 days.",
        "Yes — refunds of up to $20 take 30 days.", "Additionally, refunds of up to $20 take 30 days.",
        "Refunds of up to US$20 take 30 days.", "Refunds of up to US$ 20 take 30 days.",
        "Refunds of up to $20 take 30 days [https://example.com/policy].",
        "Refunds of up to $20 take 30 days (p. 3).", "Refunds of up to $20 take 30 days (pages 4-7)."}) {
    INFO(claim);
    const scored one(claim, {reference});
    CHECK(one.found.coverage == 1);
    CHECK(one.found.attributed_to.empty());
  }
  for (const std::string_view claim :
       {"Summary refunds of up to $20 take 30 days.", "Refunds of up to $20 take 30 days (3 weeks).",
        "US refunds of up to $20 take 30 days.", "Refunds of up to HK$20 take 30 days.",
        "Refunds of up to $20 take 30 days (Section 9).",
        "Refunds of the Galaxy Note, up to $20, take 30 days."}) {
    INFO(claim);
    CHECK(scored(claim, {reference}).found.coverage < 1);
  }
}

TEST_CASE("words before a claim belong to it if they say more or if little follows") {
  for (const std::string_view claim :
       {"According to our FAQ, yes.", "According to no report that we know, items can be returned.",
        "In the survey 83% said that they return items every month.",
        "A survey of 500 users found that items can be returned.", "Nach dem Umbau stieg die Zahl der Items.",
        "Laut Handbuch.", "Nach 30 Tagen, so heißt es, verfällt der Anspruch.",
        "It was raining. The FAQ states that items return.",
        "The company never said that items can be returned here.",
        "Items that customers return are refunded.",
        "According to a page whose title is much longer than any title that a reader would expect to find "
        "here, items return soon."}) {
    INFO(claim);
    CHECK(scored(claim, {"Items can be returned."}).found.attributed_to.empty());
  }
}

TEST_CASE("neither a negated claim nor its opposite is supported by the other") {
  const struct {
    std::string_view text;
    std::string_view claim;
    std::string_view word;
  } cases[] = {
      {"The plan costs $1,499.", "The plan does not cost $1,499.", "cost"},
      {"The plan does not cost $1,499.", "The plan costs $1,499.", "costs"},
      {"Refunds can't be requested online.", "Refunds can be requested online.", "requested"},
      {"The bridge was never closed. It opened in 1990.", "The bridge was closed.", "closed"},
      {"Die Anlage ist nicht geprüft.", "Die Anlage ist geprüft.", "geprüft"},
      {"Le musée ne ferme pas.", "Le musée ferme.", "ferme"},
      {"La planta no está abierta.", "La planta está abierta.", "abierta"},
  };
  for (const auto& [text, claim, word] : cases) {
    INFO(claim);
    const scored one(claim, {text});
    REQUIRE(one.found.contradictions.size() == 1);
    CHECK(one.found.contradictions[0].rule == "negation");
    CHECK(one.found.verdict == citestream::claim_verdict::contradicted);
    CHECK(one.claimed(0) == word);
    CHECK(one.found.value < 0.5);
    const scored same(text, {text});
    CHECK(same.found.contradictions.empty());
    CHECK(same.found.value > 0.98);
  }
}

TEST_CASE("a negation that is not about the claim changes nothing") {
  const struct {
    std::string_view text;
    std::string_view claim;
  } cases[] = {
      {"Returns are accepted within 30 days. Items returned later are not accepted.",
       "Returns are accepted within 30 days."},
      {"No, the museum opens on Monday.", "The museum opens on Monday."},
      {"The kit includes not only a lamp but also a cable.", "The kit includes a lamp and a cable."},
      {"There are no additional fees.", "No additional fees are charged."},
      {"The plan does not include support. It costs $10 a month.", "The plan costs $10 a month."},
      {"It is delivered without a battery.", "It has no battery."},
      {"The minister ruled out sending the army.", "The minister will not send the army."},
      {"No one will be dismissed.", "Nobody is dismissed."},
      {"63% said that they work from home, and 18% that they never do.", "18% never work from home."},
  };
  for (const auto& [text, claim] : cases) {
    INFO(claim);
    CHECK(scored(claim, {text}).found.contradictions.empty());
  }
}
