// Each rule about contradictions, with a claim that it must find and one that it must not.
#include <citestream/check/support.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "check/question_scorer.hpp"

using citestream::claim_verdict;

namespace {

struct example {
  std::string_view reference;
  std::string_view claim;
  std::string_view claimed;  ///< the word of the claim; empty: nothing is contradicted
  std::string_view found;
};

/// Checks that \p rule finds exactly the words of each example, at their places.
void check_rule(std::string_view rule, const std::vector<example>& examples) {
  citestream::support_scorer scorer;
  for (const example& each : examples) {
    INFO(each.claim << " | " << each.reference);
    const std::string_view references[] = {each.reference};
    const citestream::support& result = scorer.score(each.claim, references);
    CHECK((result.verdict == claim_verdict::contradicted) == !each.claimed.empty());
    CHECK(result.contradictions.empty() == each.claimed.empty());
    if (each.claimed.empty() || result.contradictions.empty()) continue;
    const citestream::contradiction& first = result.contradictions.front();
    CHECK(first.rule == rule);
    CHECK(each.claim.substr(first.claim_begin, first.claim_end - first.claim_begin) == each.claimed);
    CHECK(each.reference.substr(first.found.begin, first.found.end - first.found.begin) == each.found);
    CHECK(result.value < 0.5);
  }
}

claim_verdict verdict_of(std::string_view claim, std::string_view reference) {
  citestream::support_scorer scorer;
  const std::string_view references[] = {reference};
  return scorer.score(claim, references).verdict;
}

}  // namespace

TEST_CASE("what is done before something denies it until then") {
  check_rule("negation",
             {{"Do not open the door in the first 20 minutes.",
               "Wait at least 20 minutes before opening the door.", "", ""},
              {"No abra la puerta en los primeros 20 minutos.",
               "Hay que esperar 20 minutos antes de abrir la puerta.", "", ""},
              {"N'ouvrez pas la porte pendant 20 minutes.",
               "Il faut attendre 20 minutes avant d'ouvrir la porte.", "", ""},
              {"Hemden sind vom Umtausch ausgeschlossen.", "Hemden können nicht umgetauscht werden.", "", ""},
              {"Do not open the door in the first 20 minutes.", "Open the door in the first 20 minutes.",
               "Open", "open"}});
}

TEST_CASE("free of negates as without does") {
  check_rule("negation", {{"The tablets are free of lactose.", "The tablets contain no lactose.", "", ""},
                          {"The soup is free of nuts.", "The soup is not free of nuts.", "free", "free"},
                          {"Parking is free of charge.", "There is no charge for parking.", "", ""}});
}

TEST_CASE("have to in a question demands nothing") {
  check_rule("quantity", {{"Guests may pay in cash.", "Do guests have to pay in cash? They may.", "", ""},
                          {"Guests may pay in cash.", "Guests have to pay in cash.", "have", "may"}});
}

TEST_CASE("a need and before that both texts have excuse no negation") {
  check_rule("negation", {{"The battery can be replaced when needed.",
                           "The battery cannot be replaced when needed.", "replaced", "replaced"},
                          {"Die Tablette wird vor dem Essen genommen.",
                           "Die Tablette wird nicht vor dem Essen genommen.", "Essen", "Essen"}});
}

TEST_CASE("the same in a negated form is not contradicted") {
  check_rule("", {{"The phone has no headphone jack.", "The phone lacks a headphone jack.", "", ""},
                  {"The tenant may sublet only with permission.",
                   "The tenant must not sublet without permission.", "", ""},
                  {"Le magasin est ouvert du lundi au samedi. Il n'est pas ouvert le dimanche.",
                   "Le magasin est fermé le dimanche.", "", ""}});
}

TEST_CASE("a text that is wrapped is read as one that is not") {
  check_rule("", {{"The old lift of the town hall does not\nstop at the roof.",
                   "The old lift of the town hall does not stop at the roof.", "", ""},
                  {"The old lift of the town hall does not stop at the roof.",
                   "The old lift of the town hall does not\nstop at the roof.", "", ""},
                  {"The debt of the port at the border is 40\nmillion euros.",
                   "The debt is 40 million euros.", "", ""},
                  {"Der Hafen an der alten Grenze hat 40\nmillionen Euro Schulden.",
                   "Der Hafen hat 40 Millionen Euro Schulden.", "", ""},
                  {"The boat takes 1,400 kg, or 900 kg if\nthe sea is rough,\nwhich it seldom is.",
                   "The boat takes 1,400 kg.", "", ""}});
  check_rule("negation", {{"The old lift of the town hall does not\nstop at the roof.",
                           "The old lift of the town hall stops at the roof.", "stops", "stop"},
                          {"The old lift of the town hall stops at the roof.",
                           "The old lift of the town hall does not\nstop at the roof.", "stop", "stops"}});
  check_rule("scale",
             {{"The debt of the port at the border is 40\nmillion euros.",
               "The debt of the port is 40 billion euros.", "40 billion euros", "40\nmillion euros"}});
}

TEST_CASE("a sentence of a cited text is not contradicted by any of them") {
  check_rule("", {{"The shop sells no\nHale clocks  to children. It sells Hale clocks to adults.",
                   "The shop sells no Hale clocks to children.", "", ""}});
  check_rule("negation", {{"The shop sells no\nHale clocks to children. It is open.",
                           "The shop sells clocks to no children.", "children", "children"}});
  citestream::support_scorer scorer;
  const std::string_view both[] = {"The vault may be opened at night.",
                                   "It is old. The vault may not be opened at night."};
  CHECK(scorer.score("The vault may not be opened at night.", both).verdict == claim_verdict::supported);
  CHECK(scorer.score("The vault may not be opened at night.", std::span(both).first(1)).verdict ==
        claim_verdict::contradicted);
  CHECK(scorer.score("The vault may be opened at night.", std::span(both).last(1)).verdict ==
        claim_verdict::contradicted);
}

TEST_CASE("support decides the verdict if nothing is contradicted") {
  constexpr std::string_view text = "The council approved two new tram lines on Tuesday.";
  CHECK(verdict_of("The council approved two new tram lines.", text) == claim_verdict::supported);
  CHECK(verdict_of("The council approved three new tram lines.", text) == claim_verdict::contradicted);
  CHECK(verdict_of("Bees dance to tell others where flowers are.", text) == claim_verdict::not_found);
  CHECK(verdict_of("The council debated the price of new tram tickets.", text) == claim_verdict::unsure);
  CHECK(verdict_of("It is so.", text) == claim_verdict::unsure);
  CHECK(verdict_of("", text) == claim_verdict::unsure);
  citestream::support_scorer strict({.supported = 1.01, .not_found = 0.99});
  const std::string_view references[] = {text};
  CHECK(strict.score("The council approved two new tram lines.", references).verdict ==
        claim_verdict::unsure);
  CHECK(strict.score("The council approved tram lines in Graz.", references).verdict ==
        claim_verdict::not_found);
}

TEST_CASE("a claim of an FAQ and one with its source in front are supported") {
  CHECK(verdict_of("According to our FAQ, items can be returned within 30 days.",
                   "Customers may return any item within 30 days of delivery for a full refund.") ==
        claim_verdict::supported);
  CHECK(verdict_of("According to recent industry analysis, smart factory technologies can increase "
                   "productivity by 20-30%",
                   "Productivity increases of 20-30% are what smart factory technologies bring.") ==
        claim_verdict::supported);
}

TEST_CASE("a rule looks at the best sentence and its neighbours or at the whole table") {
  check_rule("number",
             {{"The tower is 90 m high. Nobody may climb it. In 1990 it was painted. The bridge is 40 m "
               "high.",
               "The bridge is 50 m high.", "50", "40"}});
  const std::string far = "The harbour was closed in March. " + std::string(300, 'x') +
                          " Ships waited. Others left. The harbour opened in May.";
  check_rule("month", {{far, "The harbour opened in May.", "", ""}});
}

TEST_CASE("the opposite of a word of the evidence is contradicted") {
  check_rule(
      "antonym",
      {{"Revenue of the company fell by 5% in 2023.", "Revenue of the company rose by 5% in 2023.", "rose",
        "fell"},
       {"Smoking is prohibited on the platform.", "Smoking is allowed on the platform.", "allowed",
        "prohibited"},
       {"Revenue rose 5%. Costs fell 3%.", "Costs rose 3%.", "rose", "fell"},
       {"Die Preise sind um 5 Prozent gesunken.", "Die Preise sind um 5 Prozent gestiegen.", "gestiegen",
        "gesunken"},
       {"Le musée ouvre à 18 heures.", "Le musée ferme à 18 heures.", "ferme", "ouvre"},
       {"El precio del pan subió en la ciudad.", "El precio del pan bajó en la ciudad.", "bajó", "subió"},
       {"Revenue rose 5% and costs fell 3%.", "Revenue rose 5%.", "", ""},
       {"Revenue did not fall in 2023.", "Revenue rose in 2023.", "", ""},
       {"Revenue climbed by 5% in 2023.", "Revenue rose by 5% in 2023.", "", ""},
       {"Imports of steel fell.", "The price of gold rose.", "", ""},
       {"Take the tablet twice a day.", "Take the tablet once a day.", "once", "twice"},
       {"Press the key twice once the lamp is green.", "Press the key twice once the lamp is green.", "", ""},
       {"The upper deck is for pupils.", "The lower deck is for pupils.", "lower", "upper"},
       {"The court upheld the ruling.", "The court overturned the ruling.", "overturned", "upheld"},
       {"Las exportaciones aumentaron en el último año.", "Las exportaciones disminuyeron en el último año.",
        "disminuyeron", "aumentaron"}});
}

TEST_CASE("a verb with its particle is the opposite of another verb") {
  constexpr std::string_view orders =
      "Staff numbers went down by 60 after the takeover, while orders climbed.";
  check_rule(
      "antonym",
      {{orders, "After the takeover, the number of employees rose by 60.", "rose", "down"},
       {orders, "After the takeover, the number of employees dropped by 60.", "", ""},
       {"Rents were up 8% in the old town.", "Rents in the old town fell 8%.", "fell", "up"},
       {"Rents were up 8% in the old town.", "Rents in the old town rose 8%.", "", ""},
       {"The lamp turns off after ten days without use.", "The lamp turns on after ten days without use.",
        "on", "off"},
       {"The painter was born in Ghent and passed away in 1931.", "The painter died in 1931.", "", ""}});
}

TEST_CASE("what is sold can be bought") {
  constexpr std::string_view hose = "The hose is sold separately in the shop.";
  check_rule("antonym",
             {{hose, "You need to buy the hose separately in the shop.", "", ""},
              {"Les cartes s'achètent à la caisse.", "Les cartes sont vendues à la caisse.", "", ""},
              {"Das Museum erwarb 2015 ein Bild von Lenz.", "2015 verkaufte das Museum ein Bild von Lenz.",
               "verkaufte", "erwarb"},
              {"The club bought the old stadium in May.", "The club sold the old stadium in May.", "sold",
               "bought"}});
}

TEST_CASE("a change is by its number unless another number follows") {
  check_rule("direction", {{"Die Erträge der Bank sanken um 3 Prozent.",
                            "Es gab einen Rückgang der Erträge von 3 Prozent.", "", ""},
                           {"Die Erträge der Bank sanken um 3 Prozent.",
                            "Die Erträge sanken von 3 Prozent auf 2 Prozent.", "von", "um"}});
}

TEST_CASE("what costs more is more expensive") {
  check_rule(
      "antonym",
      {{"The small tent is cheaper than the big one.", "The small tent costs more.", "more", "cheaper"},
       {"The small tent is lighter than the big one.", "The small tent weighs more.", "more", "lighter"},
       {"Das Zelt ist billiger als das Boot.", "Das Zelt kostet mehr.", "mehr", "billiger"},
       {"La tente est plus chère que le sac.", "La tente coûte moins.", "moins", "chère"},
       {"La tienda es más barata que la casa.", "La tienda cuesta más.", "más", "barata"},
       {"The small tent is cheaper than the big one, at 70 euros.",
        "The small tent costs more than 60 euros.", "", ""}});
  check_rule("comparison",
             {{"The tent is cheaper than the boat.", "The boat costs less than the tent.", "than", "than"},
              {"The tent is cheaper than the boat.", "The boat costs more than the tent.", "", ""}});
}

TEST_CASE("opposites of ordinary prose are contradicted in each language") {
  check_rule(
      "antonym",
      {{"The small oven is louder than the big one.", "The small oven is quieter.", "quieter", "louder"},
       {"The north trail is easier than the south trail.", "The north trail is less difficult.", "", ""},
       {"The café shuts at 3 on Friday.", "The café closes at 3 on Friday.", "", ""},
       {"Häufig tritt Müdigkeit auf, selten ist Übelkeit.", "Müdigkeit tritt oft auf.", "", ""},
       {"Les ventes grimpent de 3 % dans la région.", "Les ventes ont reculé de 3 % dans la région.",
        "reculé", "grimpent"},
       {"The market is held outdoors on Friday.", "The market is held indoors on Friday.", "indoors",
        "outdoors"},
       {"Der Markt der Stadt ist drinnen.", "Der Markt der Stadt ist draußen.", "draußen", "drinnen"},
       {"La mère de la princesse est venue.", "Le père de la princesse est venu.", "père", "mère"},
       {"El padre de la artista vive en Lima.", "La madre de la artista vive en Lima.", "madre", "padre"},
       {"The old house is low.", "The height of the old house is 5 metres.", "", ""},
       {"Der Preis stieg in diesem Jahr.", "Der Preis ist in diesem Fall der von diesem Jahr.", "", ""},
       {"Members keep their points during a break.", "Members lose their points during a break.", "lose",
        "keep"},
       {"A helmet is compulsory on the rope course.", "A helmet is optional on the rope course.", "optional",
        "compulsory"},
       {"A helmet is mandatory on the rope course.", "You have to wear a helmet on the rope course.", "", ""},
       {"Tours commence at noon and finish at one.", "Tours start at noon.", "", ""},
       {"Admission is free of charge.", "There is no charge for admission.", "", ""},
       {"In der Halle ist das Rauchen verboten.", "Das Rauchen ist in der Halle erlaubt.", "erlaubt",
        "verboten"},
       {"Das Schloss ist am Montag offen.", "Das Schloss ist am Montag geschlossen.", "geschlossen", "offen"},
       {"Das Schloss ist am Montag offen.", "Am Montag ist das Schloss geöffnet.", "", ""},
       {"Die Versicherung ist für die Reise optional.", "Die Versicherung ist für die Reise Pflicht.",
        "Pflicht", "optional"},
       {"Der Antrag ist vorab bei der Stadt zu stellen.",
        "Der Antrag ist bei der Stadt nachträglich zu stellen.", "nachträglich", "vorab"},
       {"Les chiens sont interdits dans le parc.", "Les chiens sont admis dans le parc.", "admis",
        "interdits"},
       {"Le projet de la mairie a échoué en mai.", "Le projet de la mairie a réussi en mai.", "réussi",
        "échoué"},
       {"La asistencia disminuyó un 5 % en 2020.", "En 2020 hubo un incremento del 5 % de la asistencia.",
        "incremento", "disminuyó"},
       {"El pintor murió en la ciudad de Lima.", "El pintor nació en la ciudad de Lima.", "nació", "murió"},
       {"El agua es gratis y los niños pagan 3 euros.", "Los niños pagan 3 euros.", "", ""}});
  check_rule("roles", {{"Rovers beat United in the final.", "United defeated Rovers in the final.",
                        "defeated", "beat"},
                       {"Rovers beat United in the final.", "Rovers defeated United in the final.", "", ""}});
}

TEST_CASE("an opposite is contradicted if the own word is in a clause about something else") {
  check_rule("antonym",
             {{"The pool is open from Tuesday to Saturday. It is closed on Sundays.",
               "The pool is open on Sundays.", "open", "closed"},
              {"The pool is open on Saturdays. Here the sauna is closed on Sundays.",
               "The pool is open on Sundays.", "", ""},
              {"The pool is open on Sundays. The sauna is closed on Sundays.", "The pool is open on Sundays.",
               "", ""},
              {"Sales of cars fell in June, while sales of vans rose in June.", "Sales of vans fell in June.",
               "fell", "rose"},
              {"Sales of cars fell in June, while sales of vans rose in June.", "Sales of vans rose in June.",
               "", ""},
              {"Sales fell in June, while sales of vans rose.", "Sales of vans fell in June.", "", ""},
              {"Common side effects include nausea; rash is rare.", "Rash is a rare side effect.", "", ""},
              {"If the mode is auto, the flag is optional. If it is custom, the flag is required.",
               "The flag is required.", "", ""}});
  check_rule("quantity", {{"Owners must pay a fee, and tenants may pay by card at the desk.",
                           "Tenants must pay by card at the desk.", "must", "may"}});
}

TEST_CASE("another member of a closed class is contradicted") {
  check_rule("month", {{"The museum opens in March.", "The museum opens in April.", "April", "March"},
                       {"The museum opens in May.", "The museum opens in June.", "June", "May"},
                       {"Das Museum öffnet im März.", "Das Museum öffnet im Mai.", "Mai", "März"},
                       {"The museum may open in June.", "The museum opens in June.", "", ""}});
  check_rule(
      "weekday",
      {{"The office is closed on Mondays.", "The office is closed on Tuesdays.", "Tuesdays", "Mondays"},
       {"Le bureau est fermé le lundi.", "Le bureau est fermé le mardi.", "mardi", "lundi"}});
  check_rule("place",
             {{"The US fined Apple two billion euros.", "The EU fined Apple two billion euros.", "EU", "US"},
              {"The ship sailed from Germany and Sweden.", "The ship sailed from Sweden.", "", ""}});
  check_rule("order", {{"Profit grew in the second quarter.", "Profit grew in the third quarter.", "third",
                        "second"}});
  check_rule("unit", {{"The parcel weighs 5 kg.", "The parcel weighs 5 pounds.", "pounds", "kg"},
                      {"It is 5 km (3.1 miles) long.", "It is 3.1 miles long.", "", ""},
                      {"Mayors are paid daily.", "Mayors are paid weekly.", "weekly", "daily"}});
}

TEST_CASE("a country is contradicted by another one and not by its continent") {
  constexpr std::string_view lake = "Lake Mara in Uganda is the largest lake of Africa.";
  check_rule("place", {{lake, "The largest lake of Africa, Mara, is in Zambia.", "Zambia", "Uganda"},
                       {lake, "The largest lake of Africa, Mara, is in Uganda.", "", ""},
                       {"The lake in Uganda is deep.", "The lake in Africa is deep.", "", ""},
                       {"The firm has its seat in Estonia.", "The Latvian firm has its seat there.",
                        "Latvian", "Estonia"},
                       {"The law of Scotland applies to the lease.",
                        "The law of England applies to the lease.", "England", "Scotland"},
                       {"Der See liegt in Ungarn an der Grenze.", "Der See liegt in Kroatien an der Grenze.",
                        "Kroatien", "Ungarn"},
                       {"Le lac est situé en Hongrie.", "Le lac est situé en Croatie.", "Croatie", "Hongrie"},
                       {"El lago está en Ecuador.", "El lago está en Bolivia.", "Bolivia", "Ecuador"}});
}

TEST_CASE("the month May is a word of the claim and may is not") {
  check_rule("number", {{"Rent rose to 9% in May from 5% in April.", "Rent was 5% in May.", "5%", "9%"},
                        {"Rent rose to 9% in May from 5% in April.", "Rent was 9% in May.", "", ""}});
  check_rule("month", {{"The pool opened on 2024-06-02.", "The pool opened on May 2.", "May", "06"},
                       {"The pool opened on 2024-05-02.", "The pool opened on June 2.", "June", "05"},
                       {"The pool opened on 2024-05-02.", "The pool opened on May 2.", "", ""},
                       {"Opened: June 2024. May 2024: trial.", "It was opened in May 2024.", "", ""},
                       {"May guests swim? They may swim in June.", "Guests may swim in June.", "", ""},
                       {"Notes:\n- May be closed in June.", "It is closed in June.", "", ""},
                       {"Das Bad öffnete am 02.05.2024.", "Das Bad öffnete am 2. Mai 2024.", "", ""}});
  CHECK(verdict_of("The pool opened in May 2024.", "The pool opened: MAY 2024.") == claim_verdict::supported);
  check_rule("", {{"GUESTS MAY NOT SWIM IN JUNE.", "Guests may not swim in June.", "", ""}});
  CHECK(verdict_of("Rent rose in May.", "Rent may have risen.") == claim_verdict::unsure);
  CHECK(verdict_of("Rent rose by 2% in May.", "Rent rose by 2% in\nMay.") == claim_verdict::supported);
  CHECK(verdict_of("Rent may rise.", "May rent rise?") == claim_verdict::supported);
  CHECK(verdict_of("Das Bad öffnete am 2. Mai.", "Das Bad öffnete am 02.05.2024.") ==
        claim_verdict::supported);
}

TEST_CASE("the references tell the language of a claim with few stop words") {
  check_rule("unit", {{"Der Hafen wurde 1998 eröffnet. Die Überfahrt dauert 3 Stunden.",
                       "Die Überfahrt dauert insgesamt 3 Tage.", "Tage", "Stunden"},
                      {"Les photos sont interdites dans toutes les salles. La visite dure 2 heures.",
                       "La visite dure seulement 2 jours.", "jours", "heures"},
                      {"La sala está cerrada los domingos. El préstamo dura 3 semanas.",
                       "El préstamo dura 3 meses.", "meses", "semanas"}});
}

TEST_CASE("a day or month that the text has in words or in a range is not contradicted") {
  constexpr std::string_view library = "The library is open from Tuesday to Friday and on Saturday.";
  check_rule("weekday",
             {{library, "The library is open on Saturday.", "", ""},
              {library, "The library is open on Wednesday.", "", ""},
              {library, "The library is open on Sunday.", "Sunday", "Tuesday"},
              {"The office is open Monday-Friday.", "The office is open on Wednesday.", "", ""},
              {"The bar is open Friday to Sunday.", "The bar is open on Saturday.", "", ""},
              {"Das Museum ist Montag bis Freitag geöffnet.", "Das Museum ist mittwochs geöffnet.", "", ""},
              {"Le musée est ouvert du lundi au vendredi.", "Le musée est ouvert le mercredi.", "", ""},
              {"El museo abre de lunes a viernes.", "El museo abre el miércoles.", "", ""}});
  check_rule("month",
             {{"The pool is open from May to September.", "The pool is open in July.", "", ""},
              {"The pool is open from May to September.", "The pool is open in October.", "October", "May"}});
}

TEST_CASE("what a sentence makes an exception of is not contradicted by the rest of it") {
  check_rule("negation", {{"The rule applies to all vehicles except motorcycles.",
                           "The rule does not apply to motorcycles.", "", ""},
                          {"The rule applies to all vehicles except motorcycles.",
                           "The rule does not apply to vehicles.", "apply", "applies"},
                          {"Les chiens ne sont pas admis, sauf les chiens d'assistance.",
                           "Les chiens d'assistance sont admis.", "", ""},
                          {"Les chiens ne sont pas admis, sauf les chiens d'assistance.",
                           "Les chiens sont admis.", "admis", "admis"}});
  check_rule("antonym",
             {{"Le musée est ouvert tous les jours sauf le mardi.", "Le musée est fermé le mardi.", "", ""},
              {"El museo abre todos los días excepto el lunes.", "El museo cierra el lunes.", "", ""},
              {"Das Museum ist täglich außer dienstags geöffnet.", "Das Museum ist dienstags geschlossen.",
               "", ""}});
}

TEST_CASE("the opposite at another time or in another case is not contradicted") {
  constexpr std::string_view tower = "The tower can be climbed from April to October.";
  constexpr std::string_view lamp =
      "If the lamp blinks, the tank is empty; if it stays on, the tray is full.";
  check_rule("negation", {{tower, "You cannot climb the tower in January.", "", ""},
                          {tower, "You cannot climb the tower in July.", "climb", "climbed"},
                          {lamp, "If the lamp stays on without blinking, the tray is full.", "", ""},
                          {lamp, "If the lamp does not blink, the tank is empty.", "blink", "blinks"},
                          {"Der Eintritt ins Schloss kostet 9 Euro; der Park ist kostenlos.",
                           "Für den Park zahlt man keinen Eintritt.", "", ""}});
  check_rule(
      "antonym",
      {{"The shop is open from Tuesday to Sunday.", "The shop is closed on Mondays.", "", ""},
       {"The shop is open from Tuesday to Sunday.", "The shop is closed on Fridays.", "closed", "open"},
       {"The lid only opens below 80 °C.", "The lid is closed above 80 °C.", "", ""},
       {"Das Bad öffnet erst im Mai.", "Das Bad ist im März geschlossen.", "", ""},
       {"Die Preise werden zum 1. Januar um 8 Prozent erhöht.", "Die Preise werden um 8 Prozent gesenkt.",
        "gesenkt", "erhöht"}});
  check_rule("order", {{"The bank made a loss in the second quarter.",
                        "The bank made a profit in the fourth quarter.", "", ""}});
}

TEST_CASE("a statement about another side of a limit is not contradicted") {
  constexpr std::string_view pool = "The pool is open from 8 to 19.";
  check_rule("negation", {{pool, "After 19, the pool is not open.", "", ""},
                          {pool, "From 8 to 19, the pool is not open.", "open", "open"},
                          {"The lamp goes out when the battery is full.",
                           "Die Lampe leuchtet, solange der Akku nicht voll ist.", "", ""}});
  check_rule("antonym", {{pool, "The pool is closed after 19.", "", ""},
                         {"Cars may not enter on weekdays.", "At weekends, cars may enter.", "", ""}});
  check_rule("number",
             {{"Do not charge the battery below 5 °C.", "The battery is not charged at 3 °C.", "", ""},
              {"Never charge the battery at 5 °C.", "The battery is never charged at 3 °C.", "3", "5"}});
}

TEST_CASE("a number in a clause about something else is not contradicted") {
  constexpr std::string_view guests = "The hotel had 480 guests in 2023, up from 410 the previous year.";
  constexpr std::string_view pitch =
      "A pitch costs 14 euros a night in July, 9 euros the rest of the season.";
  check_rule("number", {{"The kitchen closes at 9.30. Drinks are served until midnight.",
                         "You can get a drink at 11.", "", ""},
                        {guests, "In 2022 the hotel had 410 guests.", "", ""},
                        {guests, "In 2023 the hotel had 410 guests.", "410", "480"},
                        {"Quiet hours are between 22 and 6 hours. Shops open from 7 to 20 hours.",
                         "After 22 hours you have to be quiet.", "", ""}});
  check_rule("clause", {{pitch, "In June, a pitch costs 9 euros a night.", "", ""}});
  check_rule("antonym", {{"Nine members supported the plan, and four opposed it.",
                          "Nine members supported the plan and four were against it.", "", ""}});
  check_rule("roles", {{"The company raised its fares by 4 percent.",
                        "Fares of the company were raised by 4 percent.", "", ""}});
}

TEST_CASE("pas does not negate again and ne after plus que negates nothing") {
  check_rule("negation",
             {{"Les repas ne sont pas remboursés.", "On ne rembourse pas les repas.", "", ""},
              {"Les repas sont remboursés.", "On ne rembourse pas les repas.", "rembourse", "remboursés"},
              {"Le groupe a ouvert six boutiques en Espagne et en a fermé onze en France.",
               "Le groupe a fermé plus de boutiques qu'il n'en a ouvert.", "", ""}});
}

TEST_CASE("a difference and another thing that is counted are not contradicted") {
  constexpr std::string_view tablets = "From twelve years of age, tablets are taken every day.";
  check_rule("number", {{"A day pass costs $8.00 in town and $9.50 with the airport.",
                         "Without the airport, a day pass costs $1.50 less.", "", ""},
                        {"Sales grew by 20% in 2023.", "In 2023 sales grew 25% more.", "25%", "20%"},
                        {tablets, "You take two tablets a day.", "", ""},
                        {"The reservoir is 38 % full.", "62 % of the reservoir is not full.", "", ""}});
  check_rule("negation", {{"Two of our 22 shops cut their prices.",
                           "Twenty of the 22 shops did not cut their prices.", "", ""}});
  check_rule("antonym",
             {{"Call the office before 8 p.m.", "The office takes no calls after 8 p.m.", "", ""}});
}

TEST_CASE("days of dates and ends of times and what is lacking are not contradicted") {
  constexpr std::string_view pass = "The pass is closed to cars until 20 May.";
  check_rule("month", {{pass, "In April, the pass is closed to cars.", "", ""},
                       {pass, "The pass is closed to cars until 20 June.", "June", "May"}});
  check_rule("clause", {{"The volcano erupted on 3 April 1906. 118 people died.",
                         "The eruption of the volcano in 1906 killed 118.", "", ""}});
  check_rule("negation", {{"After 45 pages without a break the printer pauses for two minutes.",
                           "After 45 pages in a row the printer takes a two-minute break.", "", ""},
                          {"The phone comes without a charger.", "The phone comes with a charger.", "charger",
                           "charger"}});
  check_rule("number", {{"The bakery sells 900 rolls a day, half as many as ten years ago.",
                         "Ten years ago the bakery sold 1,800 rolls a day.", "", ""}});
}

TEST_CASE("a number that another sentence far away has is contradicted") {
  check_rule("number",
             {{"The cream is applied twice a day, two times after meals. It is kept in a fridge. Do not "
               "freeze it. Redness goes away after three days.",
               "The cream is applied three times after meals.", "three", "two"}});
}

TEST_CASE("a unit is contradicted by another one after the same number") {
  check_rule(
      "unit",
      {{"Do not take more than eight tablets in 24 hours.", "Take no more than eight tablets a day.", "", ""},
       {"Nurses on nights slept 47 minutes less.", "Night nurses slept less than day nurses.", "", ""},
       {"El programa corto dura 30 minutos.", "El programa corto dura media hora.", "", ""},
       {"Rent is paid monthly.", "Rent is paid weekly.", "weekly", "monthly"}});
}

TEST_CASE("a number that follows from the numbers of the text is not contradicted") {
  constexpr std::string_view load = "The maximum load is 110 kg for the S2 and 125 kg for the S4.";
  constexpr std::string_view leave =
      "Staff have 30 days of leave. Leave has to be requested at least two weeks in advance.";
  constexpr std::string_view fare = "A return ticket costs 7 euros, and pensioners pay half.";
  constexpr std::string_view gain = "Der Gewinn sank von 96 auf 71 Millionen Euro.";
  check_rule("number", {{load, "The S2 carries 110 kg, 15 kg less than the S4.", "", ""},
                        {load, "The S4 carries a maximum load of 130 kg.", "130", "110"},
                        {leave, "Leave has to be requested 14 days in advance.", "", ""},
                        {leave, "Leave has to be requested 13 days in advance.", "13", "30"},
                        {fare, "Pensioners pay 3.50 euros for a return ticket.", "", ""},
                        {fare, "Pensioners pay 4.50 euros for a return ticket.", "4.50 euros", "7 euros"},
                        {"A room costs 80 euros a night.", "Three nights in a room cost 240 euros.", "", ""},
                        {gain, "Der Gewinn lag zuvor bei 96 Millionen Euro.", "", ""},
                        {gain, "Der Gewinn sank auf 61 Millionen Euro.", "61 Millionen Euro", "96"}});
  check_rule("scale", {{"The pool costs 11.4 million dollars, of which the region pays 4 million.",
                        "The region pays 4 of the 11.4 million dollars.", "", ""}});
}

TEST_CASE("an amount for a longer time or of several times is not contradicted") {
  constexpr std::string_view power = "The allowance for power is 40 euros a month.";
  constexpr std::string_view strom =
      "Für den Strom wird in der Firma eine monatliche Pauschale von 40 Euro gezahlt.";
  constexpr std::string_view meals = "Staff get 3 free meals a week.";
  constexpr std::string_view dose = "Adults take 10 ml four times a day, children take 5 ml twice a day.";
  constexpr std::string_view saft =
      "Die Erwachsenen nehmen viermal täglich 10 ml von dem Saft, und die Kinder nehmen 5 ml.";
  constexpr std::string_view fois = "L'adulte prend 10 ml quatre fois par jour.";
  constexpr std::string_view veces = "El adulto toma 10 ml cuatro veces al día.";
  check_rule("number",
             {{power, "The allowance for power is 480 euros a year.", "", ""},
              {power, "The allowance for power is 500 euros a year.", "500 euros", "40 euros"},
              {power, "The allowance for power is 480 euros a month.", "480 euros", "40 euros"},
              {strom, "Für den Strom wird in der Firma eine Pauschale von 480 Euro im Jahr gezahlt.", "", ""},
              {strom, "Für den Strom wird in der Firma eine Pauschale von 500 Euro im Jahr gezahlt.",
               "500 Euro", "40 Euro"},
              {"L'abonnement coûte 40 euros par mois.", "L'abonnement coûte 480 euros par an.", "", ""},
              {"La cuota mensual es de 40 euros.", "La cuota anual es de 480 euros.", "", ""},
              {meals, "Staff get 156 free meals a year.", "", ""},
              {meals, "Staff get 150 free meals a year.", "150", "3"},
              {dose, "Adults take 40 ml a day.", "", ""},
              {dose, "Adults take 30 ml a day.", "30", "10"},
              {"Children take 5 ml twice a day.", "Children take 10 ml a day.", "", ""},
              {saft, "Die Erwachsenen nehmen am Tag 40 ml von dem Saft.", "", ""},
              {saft, "Die Erwachsenen nehmen am Tag 30 ml von dem Saft.", "30", "5"},
              {fois, "L'adulte prend 40 ml par jour.", "", ""},
              {fois, "L'adulte prend 30 ml par jour.", "30", "10"},
              {veces, "El adulto toma 40 ml al día.", "", ""},
              {veces, "El adulto toma 30 ml al día.", "30", "10"}});
}

TEST_CASE("a number of a unit that is half of a longer unit is not contradicted") {
  constexpr std::string_view cake =
      "Bake it for 45 minutes. Do not open the oven during the first half hour.";
  check_rule("number", {{cake, "Keep the oven closed for the first 30 minutes.", "", ""},
                        {cake, "Keep the oven closed for the first 20 minutes.", "20", "45"},
                        {"Das Programm dauert eine halbe Stunde, die Reinigung 20 Minuten.",
                         "Das Programm dauert 30 Minuten.", "", ""},
                        {"Le programme dure une demi-heure, le nettoyage 20 minutes.",
                         "Le programme dure 30 minutes.", "", ""},
                        {"El programa dura media hora y la limpieza 20 minutos.",
                         "El programa dura 30 minutos.", "", ""},
                        {"The lease runs for half a year, the notice period is 3 months.",
                         "The lease runs for 6 months.", "", ""}});
}

TEST_CASE("the remainder of a share is not contradicted") {
  constexpr std::string_view bonds =
      "Two thirds of the cost are covered by a state grant, and the rest will come from municipal bonds.";
  constexpr std::string_view land = "Zwei Drittel der Kosten trägt das Land, den Rest bezahlt die Stadt.";
  constexpr std::string_view ville = "Deux tiers des coûts sont payés par l'État et le reste par la ville.";
  constexpr std::string_view ciudad = "Dos tercios del coste los paga el Estado y el resto la ciudad.";
  constexpr std::string_view fifths =
      "Two fifths of the cost are covered by a grant, the rest will come from bonds.";
  check_rule("number", {{bonds, "One third of the cost will come from municipal bonds.", "", ""},
                        {bonds, "One third of the cost is covered by a state grant.", "One", "Two"},
                        {land, "Ein Drittel der Kosten bezahlt die Stadt.", "", ""},
                        {land, "Ein Drittel der Kosten trägt das Land.", "Ein", "Zwei"},
                        {ville, "Un tiers des coûts est payé par la ville.", "", ""},
                        {ville, "Un tiers des coûts est payé par l'État.", "Un", "Deux"},
                        {ciudad, "Un tercio del coste lo paga la ciudad.", "", ""},
                        {ciudad, "Un tercio del coste lo paga el Estado.", "Un", "Dos"},
                        {fifths, "Three fifths of the cost will come from bonds.", "", ""},
                        {fifths, "Three fifths of the cost are covered by a grant.", "Three", "Two"}});
}

TEST_CASE("a number of another noun or in an opposite statement is not contradicted") {
  check_rule("number", {{"Take one tablet in the morning and one tablet in the evening for seven days.",
                         "Two tablets are taken per day.", "", ""},
                        {"This medicine is only for children over 15.",
                         "A child of ten cannot take this medicine.", "", ""},
                        {"La pensión cuesta 40 euros. Está a 3 kilómetros de la playa.",
                         "La pensión está cerca de la playa y cuesta 45 euros.", "45 euros", "40 euros"}});
}

TEST_CASE("a noun with the same word before it is not taken for a verb") {
  check_rule("roles", {{"It ended a dispute over river tolls that had lasted eleven years.",
                        "An eleven-year dispute about river tolls was brought to an end.", "", ""},
                       {"On Sunday Lille beat Lyon.", "On Sunday Lyon beat Lille.", "beat", "beat"}});
}

TEST_CASE("a negation besides without is contradicted in both directions") {
  check_rule(
      "negation",
      {{"You can enter without a ticket.", "You cannot enter without a ticket.", "enter", "enter"},
       {"You cannot enter without a ticket.", "You can enter without a ticket.", "enter", "enter"},
       {"Man kann ohne Ticket eintreten.", "Man kann ohne Ticket nicht eintreten.", "eintreten", "eintreten"},
       {"On peut entrer sans billet.", "On ne peut pas entrer sans billet.", "entrer", "entrer"},
       {"Se puede entrar sin billete.", "No se puede entrar sin billete.", "entrar", "entrar"},
       {"The phone comes without a charger.", "The phone comes with a charger.", "charger", "charger"},
       {"You cannot enter without a ticket.", "You need a ticket to enter.", "", ""},
       {"Without a permit, camping is forbidden.", "Camping requires a permit.", "", ""},
       {"Paper is recycled; glass is not.", "Glass is not recycled.", "", ""},
       {"It installs dependencies unless --no-deps is given.",
        "With --no-deps it does not install dependencies.", "", ""}});
}

TEST_CASE("a negator that is limited negates nothing and impossible does") {
  constexpr std::string_view update = "The update not only fixes bugs but also improves speed.";
  constexpr std::string_view film = "Der Film erhielt nicht nur gute Kritiken, sondern auch drei Preise.";
  constexpr std::string_view tool = "Le logiciel ne corrige pas seulement les erreurs, il accélère aussi.";
  constexpr std::string_view lost = "It is impossible to recover deleted files.";
  check_rule("negation", {{update, "The update does not fix bugs.", "fix", "fixes"},
                          {update, "The update fixes bugs.", "", ""},
                          {film, "Der Film erhielt gute Kritiken und drei Preise.", "", ""},
                          {tool, "Le logiciel corrige les erreurs.", "", ""},
                          {"Il n'y a que deux trains par jour.", "Il y a deux trains par jour.", "", ""},
                          {"La piscine n'ouvre qu'en juin.", "La piscine ouvre en juin.", "", ""},
                          {"La piscine n'ouvre pas en juin.", "La piscine ouvre en juin.", "ouvre", "ouvre"},
                          {lost, "Deleted files cannot be recovered.", "", ""},
                          {lost, "Deleted files can be recovered.", "recovered", "recover"},
                          {"The study failed to find an effect on sleep.",
                           "The study found an effect on sleep.", "found", "find"}});
}

TEST_CASE("a value of a clause about something else is contradicted") {
  constexpr std::string_view lines = "The red line costs $10 and the blue line costs $15.";
  constexpr std::string_view plans = "The free plan has 10 seats and the paid plan has 15.";
  constexpr std::string_view fees = "Fees: adults 12 euros, students 8 euros, children 4 euros.";
  constexpr std::string_view linien = "Die rote Linie kostet 10 Euro und die blaue Linie kostet 15 Euro.";
  constexpr std::string_view lignes = "La ligne rouge coûte 10 euros et la ligne bleue coûte 15 euros.";
  constexpr std::string_view lineas = "La línea roja cuesta 10 euros y la línea azul cuesta 15 euros.";
  check_rule("clause", {{lines, "The blue line costs $10.", "$10", "$15"},
                        {lines, "The red line costs $15.", "$15", "$10"},
                        {lines, "The blue line costs $15.", "", ""},
                        {lines, "The red line costs $10.", "", ""},
                        {plans, "The paid plan has 10 seats.", "10", "15"},
                        {plans, "The paid plan has 15 seats.", "", ""},
                        {fees, "Students pay 12 euros.", "12 euros", "8 euros"},
                        {fees, "Students pay 8 euros.", "", ""},
                        {linien, "Die blaue Linie kostet 10 Euro.", "10 Euro", "15 Euro"},
                        {linien, "Die blaue Linie kostet 15 Euro.", "", ""},
                        {lignes, "La ligne bleue coûte 10 euros.", "10 euros", "15 euros"},
                        {lignes, "La ligne bleue coûte 15 euros.", "", ""},
                        {lineas, "La línea azul cuesta 10 euros.", "10 euros", "15 euros"},
                        {lineas, "La línea azul cuesta 15 euros.", "", ""}});
}

TEST_CASE("a value is contradicted by a clause that has the subject or all of the claim") {
  constexpr std::string_view load = "The maximum load is 110 kg for the S2 and 125 kg for the S4.";
  constexpr std::string_view news =
      "Revenue rose by 6% in the third quarter. Net profit fell because freight costs more. The Asian "
      "division "
      "grew by 14%.";
  check_rule("clause", {{load, "The S4 has a maximum load of 110 kg.", "110", "125"},
                        {load, "The S2 has a maximum load of 110 kg.", "", ""},
                        {news, "The Asian division grew by 6%.", "6%", "14%"},
                        {news, "The Asian division grew by 14%.", "", ""}});
}

TEST_CASE("a last negator negates a German verb and or continues a negation") {
  constexpr std::string_view heat = "Für Wärmepumpen gelten beide Tarife nicht.";
  constexpr std::string_view tent = "Never dry the tent in the sun or store it wet.";
  check_rule("negation", {{heat, "Für Wärmepumpen gelten beide Tarife.", "gelten", "gelten"},
                          {heat, "Beide Tarife gelten nicht für Wärmepumpen.", "", ""},
                          {tent, "Store the tent wet.", "Store", "store"},
                          {tent, "Do not store the tent wet.", "", ""}});
}

TEST_CASE("or does not negate in another predicate than the negated one") {
  constexpr std::string_view mug = "The mug has no handle and comes in steel or glass.";
  constexpr std::string_view guests = "Guests who do not ski can book a boat or raft.";
  constexpr std::string_view tasse = "Die Tasse hat keinen Henkel und ist aus Stahl oder Glas.";
  constexpr std::string_view clients = "Les clients qui ne skient pas peuvent louer un kayak ou un radeau.";
  constexpr std::string_view clientes = "Los clientes que no esquían pueden alquilar un kayak o una balsa.";
  constexpr std::string_view damage = "The policy does not cover losses by flood or theft.";
  check_rule("negation", {{mug, "The mug comes in glass.", "", ""},
                          {guests, "Guests can book a raft.", "", ""},
                          {tasse, "Die Tasse ist aus Glas.", "", ""},
                          {clients, "Les clients peuvent louer un radeau.", "", ""},
                          {clientes, "Los clientes pueden alquilar una balsa.", "", ""},
                          {damage, "The policy covers losses by theft.", "covers", "cover"},
                          {"The ticket cannot be sold or exchanged.", "The ticket can be exchanged.",
                           "exchanged", "exchanged"}});
}

TEST_CASE("an act with a reason is not denied nor are acts of those who cancel") {
  check_rule("negation",
             {{"The bank closed the account because the owner paid late.", "The owner did not pay late.",
               "pay", "paid"},
              {"The editor rejected the paper although the data support the claim.",
               "The data do not support the claim.", "support", "support"},
              {"Guests who cancel pay the full price.", "Guests do not pay the full price.", "pay", "pay"}});
}

TEST_CASE("a value before a change is not denied") {
  constexpr std::string_view limit = "The limit for bags was raised from 20 to 25 kg.";
  check_rule("negation", {{limit, "The limit for bags is 25 kg instead of 20.", "", ""},
                          {limit, "The limit for bags is not 20 kg any more.", "", ""},
                          {"The limit for bags is not 20 kg.", limit, "", ""},
                          {limit, "The limit for bags is 20 kg instead of 25.", "25", "25"},
                          {"The limit for bags is 20 kg.", "The limit for bags is not 20 kg.", "20", "20"}});
}

TEST_CASE("ne with que denies nothing") {
  constexpr std::string_view bains = "Les bains ne sont ouverts qu'après la pause.";
  check_rule("negation", {{bains, "Les bains sont ouverts après la pause.", "", ""},
                          {"Les bains sont ouverts après la pause.",
                           "Les bains ne sont pas ouverts après la pause.", "ouverts", "ouverts"},
                          {"Les bains ne sont pas seulement ouverts après la pause.",
                           "Les bains ne sont pas ouverts après la pause.", "ouverts", "ouverts"}});
}

TEST_CASE("what need not be so may be so") {
  constexpr std::string_view form = "The form may be signed in ink or online.";
  constexpr std::string_view antrag = "Man kann den Antrag mit Tinte oder online unterschreiben.";
  check_rule("negation", {{form, "You don't have to sign the form in ink.", "", ""},
                          {"You do not have to sign the form in ink.", form, "", ""},
                          {form, "The form must not be signed in ink.", "signed", "signed"},
                          {"The form has to be signed in ink.", "You don't have to sign the form in ink.",
                           "sign", "signed"},
                          {antrag, "Man muss den Antrag nicht mit Tinte unterschreiben.", "", ""},
                          {antrag, "Man darf den Antrag nicht mit Tinte unterschreiben.", "Tinte", "Tinte"}});
}

TEST_CASE("what happens if something necessary is not done does not deny it") {
  constexpr std::string_view boats = "Boats that do not carry a lamp are turned back.";
  constexpr std::string_view boote = "Boote, die nicht beleuchtet sind, werden gestoppt.";
  check_rule("negation",
             {{boats, "Boats must carry a lamp.", "", ""},
              {boats, "Boats have to carry a lamp.", "", ""},
              {"Boats must carry a lamp.", boats, "", ""},
              {"Boats do not carry a lamp.", "Boats must carry a lamp.", "carry", "carry"},
              {boote, "Boote müssen beleuchtet sein.", "", ""},
              {"Boote sind nicht beleuchtet.", "Boote müssen beleuchtet sein.", "beleuchtet", "beleuchtet"},
              {"Ceux qui ne paient pas le droit sont exclus.", "Chacun doit payer le droit.", "", ""},
              {"Los barcos que no llevan una luz no salen.", "Los barcos deben llevar una luz.", "", ""},
              {"Those who do not pay the toll cannot enter.", "You must pay the toll to enter.", "", ""}});
}

TEST_CASE("what is removed or prevented or rejected is denied") {
  check_rule("negation", {{"Version 4 drops support for old phones.",
                           "Old phones are not supported by version 4.", "", ""}});
  constexpr std::string_view stalls = "The stalls in the harbour are old and will be removed.";
  constexpr std::string_view seal = "The new seal prevents leaks in the tank.";
  constexpr std::string_view toll = "A plan to raise the toll was rejected.";
  check_rule(
      "negation",
      {{stalls, "There will be no stalls in the harbour.", "", ""},
       {"The stalls in the harbour are old.", "There will be no stalls in the harbour.", "stalls", "stalls"},
       {"With the new seal, there are no leaks in the tank.", seal, "", ""},
       {"With the new seal, there are no leaks in the tank.", "The new seal has leaks in the tank.", "leaks",
        "leaks"},
       {toll, "They did not raise the toll.", "", ""},
       {"A plan to raise the toll was adopted.", "They did not raise the toll.", "raise", "raise"},
       {"Le projet de relever le péage a été rejeté.", "Ils ne vont pas relever le péage.", "", ""},
       {"El plan de subir el peaje fue rechazado.", "No se va a subir el peaje.", "", ""},
       {"Die Maut in der Stadt wird abgeschafft.", "In der Stadt gibt es keine Maut.", "", ""},
       {"The vase was long attributed to Hale.", "The vase is not by Hale.", "", ""},
       {"The vase was made by Hale.", "The vase was not made by Hale.", "Hale", "Hale"},
       {"Removed files can be restored.", "Removed files cannot be restored.", "restored", "restored"},
       {"Stir the glue with a spoon to prevent lumps.", "Do not stir the glue with a spoon.", "stir",
        "Stir"}});
}

TEST_CASE("a negated verb that is a stop word negates its subject") {
  constexpr std::string_view towel = "A towel is not included and costs 9 euros.";
  constexpr std::string_view photos = "The photos aren't used.";
  check_rule("negation",
             {{"A towel is not included.", "A towel is included.", "towel", "towel"},
              {"A towel is included.", "A towel is not included.", "towel", "towel"},
              {"No towel is included.", "A towel is not included.", "", ""},
              {towel, "A towel is included.", "towel", "towel"},
              {towel, "A towel costs 9 euros.", "", ""},
              {towel, "A towel does not cost 9 euros.", "", ""},
              {photos, "The photos are used.", "photos", "photos"},
              {photos, "The photos are used in leaflets.", "", ""},
              {"Exceptions cannot be made.", "Exceptions can be made.", "Exceptions", "Exceptions"},
              {"A towel is never included.", "A towel is included.", "towel", "towel"},
              {"Mark what is done and what is not.", "Mark what is done.", "", ""}});
}

TEST_CASE("what is given is compared as what one gives") {
  check_rule("negation",
             {{"Do not give the powder to cats.", "The powder can be given to cats.", "given", "give"},
              {"Do not give the powder to cats.", "The powder must not be given to cats.", "", ""},
              {"Give the powder to cats.", "The powder is given to cats.", "", ""}});
  CHECK(verdict_of("Give the powder to cats.", "The powder is given to cats.") == claim_verdict::supported);
}

TEST_CASE("non before a hyphen and in French negates the next word") {
  constexpr std::string_view glue = "The glue is non-toxic and dries fast.";
  constexpr std::string_view bon = "Le bon est non cessible et valable deux ans.";
  check_rule("negation",
             {{glue, "The glue is toxic.", "toxic", "toxic"},
              {glue, "The glue is not toxic.", "", ""},
              {glue, "The glue dries fast.", "", ""},
              {"The glue is not toxic.", "The glue is non-toxic.", "", ""},
              {"The glue is toxic.", "The glue is non-toxic.", "toxic", "toxic"},
              {"Non-residents pay for the sauna.", "Residents do not pay for the sauna.", "", ""},
              {bon, "Le bon est cessible.", "cessible", "cessible"},
              {bon, "Le bon n'est pas cessible.", "", ""},
              {bon, "Le bon est valable deux ans.", "", ""},
              {"Le bon est non seulement cessible, mais valable deux ans.", "Le bon est cessible.", "", ""}});
  CHECK(verdict_of("The glue is non-toxic.", "The glue is not toxic.") == claim_verdict::supported);
  CHECK(verdict_of("The persona non grata left.", "The persona grata left.") == claim_verdict::unsure);
}

TEST_CASE("each part of neither and nor is negated however the negation is worded") {
  constexpr std::string_view saft = "Der Saft enthält keinen Alkohol und keinen Zucker.";
  constexpr std::string_view noch = "Der Saft enthält weder Alkohol noch Zucker.";
  constexpr std::string_view sirop = "Le sirop ne contient ni alcool ni sucre.";
  constexpr std::string_view jarabe = "El jarabe no contiene alcohol ni azúcar.";
  check_rule("negation",
             {{saft, noch, "", ""},
              {noch, saft, "", ""},
              {"Der Saft enthält Alkohol und Zucker.", noch, "Alkohol", "Alkohol"},
              {noch, "Der Saft enthält Zucker.", "Zucker", "Zucker"},
              {"Der Saft enthält keinen Alkohol und noch Zucker.", "Der Saft enthält Zucker.", "", ""},
              {"The syrup contains no alcohol and no sugar.", "The syrup contains neither alcohol nor sugar.",
               "", ""},
              {"The syrup contains alcohol and sugar.", "The syrup contains neither alcohol nor sugar.",
               "alcohol", "alcohol"},
              {"Le sirop ne contient pas d'alcool, ni de sucre.", sirop, "", ""},
              {"Le sirop ne contient aucun alcool et aucun sucre.", sirop, "", ""},
              {sirop, "Le sirop contient du sucre.", "contient", "contient"},
              {"Le train est rapide et cher.", "Le train n'est ni rapide ni cher.", "rapide", "rapide"},
              {"El jarabe no contiene ni alcohol ni azúcar.", jarabe, "", ""},
              {"El jarabe no contiene alcohol, ni tampoco azúcar.", jarabe, "", ""},
              {jarabe, "El jarabe contiene azúcar.", "contiene", "contiene"},
              {"El tren es rápido y caro.", "El tren no es rápido ni caro.", "rápido", "rápido"}});
}

TEST_CASE("a value of another row of an HTML table is contradicted") {
  constexpr std::string_view line =
      "<p>Prices</p><table><tr><th>Plan</th><th>Price</th></tr><tr><td>Basic</td><td>$10</td></tr>"
      "<tr><td>Pro</td><td>$25</td></tr></table><p>All plans are paid monthly.</p>";
  constexpr std::string_view lines =
      "<table class=\"a, b\">\n <tr>\n  <td>Basic</td>\n  <td>$10</td>\n </tr>\n <tr>\n  <td>Pro</td>\n"
      "  <td>$25</td>\n </tr>\n</table>";
  check_rule("clause", {{line, "The Basic plan costs $25.", "$25", "$10"},
                        {line, "The Basic plan costs $10.", "", ""},
                        {line, "The Pro plan costs $25.", "", ""},
                        {lines, "Basic costs $25.", "$25", "$10"},
                        {lines, "Pro costs $25.", "", ""}});
}

TEST_CASE("a value that another one is compared with is not contradicted by it") {
  constexpr std::string_view year = "Net income was $93.7 billion, compared to $97.0 billion in 2023.";
  check_rule("clause",
             {{year, "Net income in 2023 was $97.0 billion.", "", ""},
              {year, "Net income was $97.0 billion.", "$97.0 billion", "$93.7 billion"},
              {"Net income was $94 million, compared to $97 million a year earlier.",
               "Net income was $97 million a year earlier.", "", ""},
              {"The rate was 4%, versus 5% in May.", "The rate was 5% in May.", "", ""},
              {"The rate was 4%, down from 5% in June.", "The rate was 5% in June.", "", ""},
              {"The rate was 4%, unemployment 5% in June.", "The rate was 5% in June.", "5%", "4%"},
              {"Der Gewinn betrug 8 Millionen Euro, verglichen mit 10 Millionen Euro im Vorjahr.",
               "Der Gewinn betrug 10 Millionen Euro im Vorjahr.", "", ""},
              {"Der Gewinn betrug 8 Millionen Euro, gegenüber 10 Millionen Euro im Jahr 2022.",
               "Der Gewinn betrug 10 Millionen Euro im Jahr 2022.", "", ""},
              {"Der Gewinn betrug 8 Millionen Euro, Steuern 10 Millionen Euro im Jahr 2022.",
               "Der Gewinn betrug 10 Millionen Euro im Jahr 2022.", "10 Millionen Euro", "8 Millionen Euro"},
              {"Le taux est de 4 %, contre 5 % en mai.", "Le taux était de 5 % en mai.", "", ""},
              {"Le taux est de 4 %, par rapport à 5 % en mai.", "Le taux était de 5 % en mai.", "", ""},
              {"La tasa es del 4 %, frente al 5 % en mayo.", "La tasa era del 5 % en mayo.", "", ""}});
}

TEST_CASE("a value with its description is not contradicted by another clause") {
  constexpr std::string_view weather = "Temperatures range from -5 °C in January to 28 °C in July.";
  constexpr std::string_view warranty =
      "The warranty covers defects for 24 months from the date of purchase. Batteries are covered for 12 "
      "months.";
  constexpr std::string_view table = "| Plan | Users | Price |\n| Free | 1 | $0 |\n| Team | 10 | $25 |";
  check_rule(
      "clause",
      {{weather, "Temperatures in January are around -5 °C.", "", ""},
       {weather, "In July temperatures reach 28 °C.", "", ""},
       {warranty, "The battery warranty lasts 12 months from the date of purchase.", "", ""},
       {table, "The Free plan costs nothing and has 1 user, while the Team plan costs $25.", "", ""},
       {table, "The Free plan costs nothing and has 1 user, while the Team plan costs $0.", "$0", "$25"}});
}

TEST_CASE("a value of another row of a TSV or CSV table or of a list is contradicted") {
  for (const char mark : {'\t', ',', ';'}) {
    std::string table = "Country|Population\nNorway|5.4 million\nSweden|10.4 million\nFinland|5.5 million";
    for (char& c : table) c = c == '|' ? mark : c;
    check_rule("clause", {{table, "The population of Sweden was 5.5 million.", "5.5 million", "10.4 million"},
                          {table, "The population of Sweden was 10.4 million.", "", ""}});
  }
  constexpr std::string_view hours =
      "Opening hours:\n- Monday: 8 to 16\n- Tuesday: 10 to 18\n- Saturday: 9 to 13";
  check_rule("clause", {{hours, "On Saturday it opens from 10 to 18.", "Saturday", "Tuesday"},
                        {hours, "On Saturday it opens from 9 to 13.", "", ""},
                        {"- Basic: 5 users\n- Team: 20 users", "Basic has 20 users.", "20", "5"},
                        {"Call f(x,y) with 5 for Basic, and g(x) with 20 for Team.",
                         "Call f(x,y) with 5 for Basic.", "", ""}});
}

TEST_CASE("another number next to the same word contradicts one in no reference") {
  check_rule("number", {{"Joan Aldous held on with a majority of 1,206, well ahead of the Greens.",
                         "In Fennshire, Aldous won by a majority of 2,106 votes.", "2,106", "1,206"},
                        {"The new world completes an orbit in just 9.2 days. It is 41 light-years away.",
                         "It takes the planet 2.9 days to go around once.", "2.9", "9.2"},
                        {"Orders ship within 3 days. A refund takes 14 days.",
                         "The parcel leaves after 72 hours.", "", ""}});
}

TEST_CASE("the other side of a limit is contradicted") {
  check_rule(
      "quantity",
      {{"Hand luggage may weigh no more than 8 kg.", "A bag of hand luggage weighs at least 8 kg.", "8", "8"},
       {"Applicants need at least three years of practice.",
        "A maximum of three years of practice is needed.", "three", "three"},
       {"Une présence d'au moins deux jours par semaine est exigée.",
        "Il faut deux jours de présence par semaine au maximum.", "deux", "deux"},
       {"Moins de 40 personnes ont voté.", "Au moins 40 personnes ont voté.", "40", "40"},
       {"Su importe no excederá del 5 % del contrato.", "El importe será, como mínimo, del 5 % del contrato.",
        "5 %", "5 %"},
       {"Hand luggage may weigh no more than 8 kg.", "Hand luggage weighs at most 8 kg.", "", ""},
       {"Rooms hold 8 people or more.", "A room holds at least 8 people.", "", ""},
       {"120 people came.", "More than 100 people came.", "", ""},
       {"42 people came.", "Fewer than 50 people came.", "", ""},
       {"120 Personen kamen.", "Mehr als 100 Personen kamen.", "", ""},
       {"At least 8 people must book.", "If 8 people book, it runs.", "", ""}});
}

TEST_CASE("a value of another row or column of a table is contradicted") {
  constexpr std::string_view rates =
      "| Room | Low season | High season |\n|---|---|---|\n| Single | 58 € | 74 € |\n| Double | 82 € | 110 € "
      "|\n";
  constexpr std::string_view dishwashers =
      "| Model | Noise | Water |\n|---|---|---|\n| Rill 300 | 46 dB | 11.5 l |\n| Rill 500 | 42 dB | 9.5 l "
      "|\n";
  constexpr std::string_view weather =
      "station,max_temp_c,rain_mm,sun_h\nBexholm,24.8,77,164\nCorrin,22.3,118,139\n";
  constexpr std::string_view html =
      "<table><tr><th></th><th>2022</th><th>2023</th></tr><tr><td>Guests</td><td>410</td><td>480</td></tr>"
      "</table>";
  check_rule("clause", {{rates, "In the low season a double room costs 110 €.", "110 €", "82 €"},
                        {rates, "In the high season a double room costs 110 €.", "", ""},
                        {dishwashers, "The Rill 300 uses 9.5 litres.", "9.5", "11.5"},
                        {dishwashers, "The Rill 300 uses 11.5 litres and the Rill 500 9.5.", "", ""},
                        {weather, "Bexholm had 118 mm of rain.", "118", "77"},
                        {weather, "Corrin had 118 mm of rain.", "", ""},
                        {html, "There were 480 guests in 2022.", "480", "410"}});
}

TEST_CASE("the same digits with another unit or scale are contradicted anywhere") {
  check_rule("unit", {{"Trailers are towed at 100 km per hour at most.",
                       "The TR-90 may be towed at 100 miles per hour at most.", "miles", "km"}});
  check_rule("scale", {{"In 2022 the plant at Teesport had an output of 1,150,000 t.",
                        "Teesport turned out 1.15 billion tonnes of cement.", "1.15 billion", "1,150,000"},
                       {"Die Brücke kostet 19 Millionen Euro; angesetzt waren 14 Millionen.",
                        "Statt 14 kostet sie etwa 19 Millionen Euro.", "", ""}});
}

TEST_CASE("a month that no reference has is contradicted by the only one of the text") {
  check_rule("month", {{"La fouille se poursuivra en septembre.",
                        "En février, les fouilles bretonnes reprendront.", "février", "septembre"},
                       {"Elle se poursuivra en septembre.", "En février, les fouilles bretonnes reprendront.",
                        "", ""}});
}

TEST_CASE("opposites next to the same word contradict in a sentence of other words") {
  check_rule("antonym",
             {{"Afterwards, flush twice with cold water and discard the liquid.",
               "The manual says to rinse the machine twice using hot water.", "hot", "cold"},
              {"Wash it in cold water.", "The manual says to rinse the machine with hot air.", "", ""}});
}

TEST_CASE("what is allowed is contradicted by what is not permitted") {
  check_rule("negation", {{"Dogs must be kept on a lead and are not permitted in the bedrooms.",
                           "Dogs are allowed in the bedrooms.", "allowed", "permitted"},
                          {"Les pique-niques sont permis sur la pelouse nord seulement.",
                           "Hors de la pelouse nord, les pique-niques ne sont pas autorisés.", "", ""}});
}

TEST_CASE("by for to is contradicted if the text is about a change") {
  check_rule(
      "direction",
      {{"The levy was lifted from €2 to €3.50 a night.", "The levy goes up by €3.50 a night.", "by", "to"},
       {"The bank slashed its workforce by 4,000.", "The bank trimmed its workforce to 4,000.", "to", "by"}});
}

TEST_CASE("who acts may be named after other words of a passive sentence") {
  check_rule("roles",
             {{"La bodega Viñalta fue comprada en junio por el grupo Quinta Serra.",
               "Viñalta compró Quinta Serra.", "compró", "comprada"},
              {"Globex was acquired in June by Acme.", "Globex acquired Acme.", "acquired", "acquired"},
              {"Globex was acquired in June by Acme.", "Acme acquired Globex.", "", ""}});
}

TEST_CASE("a table value next to names or scaled in the header is not contradicted") {
  constexpr std::string_view regions =
      "Region,Stores,Revenue (m USD)\nNorth,112,418\nCoastal,87,391\nCentral,140,502\n";
  constexpr std::string_view airlines =
      "| Airline | Complaints per 100,000 | Seats |\n|---|---|---|\n| Pelican | 3.1 | 30 |\n| Norjet | 5.6 | "
      "31 |\n";
  constexpr std::string_view stages =
      "| Stage | Length | Winner |\n|---|---|---|\n| 2. Tulac to Salers | 142 km | Ibarra |\n| 3. Salers | "
      "23 km | "
      "Pelletier |\n| 4. Salers to Vicq | 191 km | Pelletier |\n";
  constexpr std::string_view fares = "Zone;Ticket;Monat\nA;2,80 €;62,50 €\nB;3,60 €;84,20 €\n";
  check_rule("clause", {{regions, "Revenue in the Coastal region was 391 million dollars.", "", ""},
                        {airlines, "Norjet has more complaints per 100,000 passengers.", "", ""},
                        {stages, "Pelletier won two of the stages, that to Vicq included.", "", ""},
                        {fares, "In Zone B kostet das Ticket 3,60 Euro im Monat 84,20 Euro.", "", ""}});
}

TEST_CASE("a sentence that negates in other words contradicts nothing") {
  check_rule(
      "negation",
      {{"Rules are evaluated from top to bottom, and the first match decides. If no rule matches, traffic "
        "is dropped.",
        "Traffic that doesn't match any of the rules is dropped.", "", ""},
       {"I can see two authorisations, but only one was actually collected. The second is a hold by your "
        "bank.",
        "The second charge was just a hold placed by the bank and was never actually collected.", "", ""},
       {"Fires are banned all year, gas stoves are allowed.",
        "You are not allowed to light fires at any time of year.", "", ""},
       {"The right of withdrawal does not apply to custom goods or perishable food.",
        "You can withdraw, except from orders of custom goods or perishable food.", "", ""},
       {"It was only after a second outbreak that the pump was closed.",
        "The pump was not closed until after a second outbreak.", "", ""},
       {"The shop opens at ten on Sundays.", "The shop does not open until ten on Sundays.", "", ""},
       {"The shop does not open until ten on Sundays.", "The shop opens at ten on Sundays.", "", ""},
       {"The opening, planned for June 2025, has been moved to March 2026.",
        "The hall is now expected to open in March 2026 instead of June 2025.", "", ""},
       {"La ley impide vender alcohol a menores.", "No se puede vender alcohol a menores.", "", ""},
       {"Le gel empêche d'ouvrir la vanne.", "On ne peut pas ouvrir la vanne en cas de gel.", "", ""},
       {"Der Frost verhindert, dass sich das Ventil öffnet.", "Bei Frost öffnet sich das Ventil nicht.", "",
        ""}});
}

namespace {

constexpr std::string_view sales_in_thousands =
    "Region | 2022 sales | 2023 sales\n---|---|---\nNorth | 410 | 455\nSouth | 380 | 362\n"
    "Figures in thousands of units.";

}  // namespace

TEST_CASE("a number scaled by its table or in a range or by a year is not contradicted") {
  constexpr std::string_view oil =
      "Producción (miles de toneladas)\n\nprovincia,2022,2023\nJaén,198,286\nCórdoba,170,201";
  constexpr std::string_view survey =
      "Surveys in 2019 and 2020 caught no individuals. In the autumn of 2022 DNA was found at four sites, "
      "and a gill-net survey the following spring yielded seven fish.";
  constexpr std::string_view users = "Basic: £9 per month, 1 user. Team: £29 per month, up to 8 users.";
  check_rule(
      "number",
      {{sales_in_thousands, "In the North, sales rose from 410,000 units in 2022 to 455,000 in 2023.", "",
        ""},
       {oil, "En 2023, Jaén produjo 286.000 toneladas.", "", ""},
       {survey,
        "A gill-net survey in spring 2023 caught seven fish after DNA had been found the previous autumn.",
        "", ""},
       {"The fee for parcels of 1 to 5 kg is 9 dollars.", "A parcel of 3 kg has a fee of 9 dollars.", "", ""},
       {users, "If you have five users, the Team plan at £29 a month would be enough.", "", ""},
       {users, "The Basic plan at £9 a month has five users.", "five", "1"}});
}

TEST_CASE("numbers that are not a range or year or of another row are contradicted") {
  constexpr std::string_view patients = "In the first group, 10 of 50 patients recovered.";
  constexpr std::string_view rise = "The number rose from 10 to 50 patients within a year.";
  constexpr std::string_view museum =
      "The museum had 2,022 visitors in May, more than in the previous month. It opened in 2019.";
  check_rule("number",
             {{patients, "In the first group, 30 patients recovered.", "30", "50"},
              {rise, "The number rose to 30 patients within a year.", "30", "50"},
              {sales_in_thousands, "In the South, sales were 410,000 units in 2022.", "410,000", "380"},
              {museum, "The museum opened in 2023.", "2023", "2019"}});
}

TEST_CASE("the amount of a change is not another value") {
  constexpr std::string_view calls =
      "Die Feuerwehr war 2023 bei 287 Einsätzen gefordert, 41 mehr als im Jahr davor. Nur 62 davon waren "
      "Brände.";
  check_rule("clause",
             {{calls, "Von den 287 Einsätzen der Feuerwehr im Jahr 2023 waren nur 62 Brände.", "", ""}});
}

TEST_CASE("a later version is a limit") {
  check_rule("antonym", {{"L'extension exige la version 4.2 ou une version plus récente.",
                          "L'extension nécessite au moins la version 4.2.", "", ""}});
}

TEST_CASE("a place that a reference has elsewhere is not contradicted") {
  constexpr std::string_view sharks =
      "Basking sharks arrive off the western coast of the island in May. They are seen most often in Skerra "
      "Sound. Sightings on the eastern coast are rare.";
  check_rule(
      "place",
      {{sharks,
        "Basking sharks are seen most often in Skerra Sound, and rarely on the island's eastern coast.", "",
        ""},
       {sharks, "Basking sharks arrive off the northern coast of the island in May.", "northern",
        "western"}});
}

TEST_CASE("a unit that a reference has elsewhere is not contradicted") {
  check_rule(
      "unit",
      {{"Vaccination against tick-borne encephalitis takes three doses. The second is given one to three "
        "months after the first. Travellers may ask for a rapid schedule. The first booster is due after "
        "three years.",
        "Protection against tick-borne encephalitis takes three doses, and a booster after three years.", "",
        ""}});
}

TEST_CASE("the same digits with another unit or decimal point are contradicted") {
  constexpr std::string_view dog =
      "Do not give it to puppies under twelve weeks. The opened bottle keeps for 28 days in the "
      "refrigerator.";
  constexpr std::string_view ducks =
      "The wetlands of the delta shelter an estimated 250,000 wintering ducks.";
  check_rule("unit", {{dog, "The opened bottle keeps for 28 weeks in the refrigerator.", "weeks", "days"}});
  check_rule("scale", {{ducks, "The wetlands shelter around 25,000 ducks in winter.", "25,000", "250,000"},
                       {ducks, "The wetlands shelter around 250,000 ducks in winter.", "", ""},
                       {"A room costs 14 euros a night.", "Ten nights in a room cost 140 euros.", "", ""}});
}

TEST_CASE("dates with an ordinal or instead of another one are compared") {
  constexpr std::string_view bridge =
      "Die Brücke wird ab 3. Juni gesperrt. Bis zum 30. September erneuert das Land die Fahrbahn.";
  constexpr std::string_view hall = "The opening, planned for June 2025, has been moved to March 2026.";
  check_rule("month",
             {{bridge, "Die Brücke ist vom 3. Juni bis zum 30. November gesperrt.", "November", "September"},
              {bridge, "Die Brücke ist vom 3. Juni bis zum 30. September gesperrt.", "", ""}});
  check_rule("number", {{hall, "The hall is to open in March 2027 instead of June 2025.", "2027", "2026"},
                        {hall, "The hall is to open in March 2026 instead of June 2025.", "", ""}});
}

TEST_CASE("must only if is may only if") {
  check_rule(
      "quantity",
      {{"El jarabe puede tomarse durante la lactancia solo si el médico lo considera imprescindible.",
        "Durante la lactancia, el jarabe solo debe tomarse si el médico lo ve imprescindible.", "", ""}});
}

TEST_CASE("what is not done in one of several cases is not contradicted by the others") {
  check_rule("negation", {{"Wild camping is prohibited, but fires are permitted at eleven sites.",
                           "Camping in the wild is not allowed.", "", ""},
                          {"No es válida en el servicio nocturno ni en el tren del aeropuerto.",
                           "No es válida en el tren del aeropuerto.", "", ""},
                          {"Bibs are collected on Friday; nothing will be handed out on race day.",
                           "Bibs are not given out on the day of the race.", "", ""},
                          {"Students need not prove income if they hold a scholarship.",
                           "Students with a scholarship are exempt from having to prove income.", "", ""}});
}

TEST_CASE("a number of a score or of a limit or that is computed is not contradicted") {
  check_rule(
      "number",
      {{"Moura scored twice, once with four minutes left. It was the first win of Brazil in five matches.",
        "Moura scored twice as Brazil won 3–1.", "", ""},
       {"The 80-litre bin suits gardens of up to 50 square metres, and the large one gardens of up to 150.",
        "A garden of 120 square metres needs the large bin.", "", ""},
       {"Der Fahrer fuhr mit 148 statt der erlaubten 100 km/h.", "Der Fahrer war 48 km/h zu schnell.", "",
        ""},
       {"La résidence dure quatre mois et la bourse s'élève à 1 600 euros par mois.",
        "La bourse s'élève à 6 400 euros pour toute la résidence.", "", ""},
       {"En janvier, 61 lits étaient fermés ; il n'en reste que 22 aujourd'hui.",
        "Depuis janvier, 39 des lits fermés ont rouvert.", "", ""},
       {"Die Bearbeitungszeit sank von 9,4 auf 7,1 Wochen.",
        "Die Bearbeitung dauert im Schnitt über zwei Wochen weniger.", "", ""},
       {"La vacuna antigua exigía tres dosis; la nueva, dos.", "La nueva vacuna exige una dosis menos.", "",
        ""},
       {"El aceite bajó en 1,20 euros el litro, hasta 6,30 euros.",
        "El aceite bajó hasta 6,30 euros por litro.", "", ""},
       {"The Vireo range sold 1.2 million units, while the Tanager range sold 2.9 million.",
        "The Tanager range outsold the Vireo range by more than two to one.", "", ""}});
}

TEST_CASE("a share and a limit in Spanish are not a change") {
  check_rule("direction",
             {{"Los locales de más de 300 metros deberán tener contenedores. Los menores podrán adherirse.",
               "Los locales que no lleguen a 300 metros pueden adherirse.", "", ""},
              {"Entre los jóvenes, el porcentaje de lectores llega al 78 %.",
               "Un 78 % de los jóvenes lee al menos un libro.", "", ""}});
}

TEST_CASE("a table without a header has names of rows only") {
  constexpr std::string_view plans = "| Basic | $10 |\n| Pro | $25 |\n";
  check_rule("clause", {{plans, "Basic costs $25.", "$25", "$10"}, {plans, "Basic costs $10.", "", ""}});
}

TEST_CASE("a number in a table header is not a value and does not count the next cell") {
  const std::string table = "| Boat | Hire (2-4 h) | Berths |\n|---|---|---|\n| Tern | 90 euros | 6 |\n";
  check_rule("clause", {{table, "The Tern has six berths.", "", ""},
                        {table + "| Gull | 70 euros | 5 |\n", "The Tern has five berths.", "five", "6"}});
  check_rule("number",
             {{"| Boat | 2 | Berths |\n|---|---|---|\n| Tern | b | 6 |", "The Tern has 6 berths.", "", ""},
              {"| Boat | Equipment |\n|---|---|\n| Tern | 5 berths |", "The Tern has 6 berths.", "6", "5"}});
}

TEST_CASE("the number of the rows of a table is not contradicted by its cells") {
  constexpr std::string_view countries =
      "Country,Capital,Population (m)\nArvenia,Sorl,4.2\nBelgrava,Tarsk,11.8\nCosta Lumen,Playa Real,2.9\n";
  check_rule("number", {{countries, "Of the three countries, Belgrava has the largest population.", "", ""},
                        {countries, "Arvenia has a population of 5.2.", "5.2", "4.2"}});
}

TEST_CASE("a word is a name only where it has a capital and one after of is not replaced") {
  check_rule(
      "clause",
      {{"The quay is at Long Lake. Boats from the north shore sail daily. Boats from the south shore of the "
        "lake are full.",
        "Boats sail from the north shore of Long Lake.", "", ""},
       {"The quay is at Long Lake. Boats from the south shore of the lake are full; boats from the north "
        "shore sail daily.",
        "Boats sail from the north shore of Long Lake.", "", ""},
       {"Boats sail from the south shore of Long Lake and from the north shore of Mill Lake.",
        "Boats sail from the north shore of Long Lake.", "north", "south"}});
}

TEST_CASE("a month with a computed number is not contradicted by another month") {
  check_rule("clause", {{"Stocks were 300 tons at the end of June, 20 tons more than in March.",
                         "At the end of March, stocks were 280 tons.", "", ""},
                        {"Stocks were 300 tons at the end of June, 20 tons more than in March.",
                         "At the end of March, stocks were 300 tons.", "March", "June"}});
}

TEST_CASE("a statement continued in the next clause or sentence is not contradicted") {
  check_rule("clause",
             {{"Of the 24 samples tested, 19 contained traces of lead above the legal limit.",
               "Most of the 24 samples contained lead above the legal limit.", "", ""},
              {"Ferrow completed his third symphony in 1911 but withdrew it after the premiere. It was not "
               "performed again until 1962.",
               "After its premiere, the third symphony of Ferrow went unperformed until 1962.", "", ""},
              {"Group,This year,Last year\nRevenue,$3.4 billion,$3.1 billion\nNet profit,$212 "
               "million,$198 million\n",
               "The group had a net profit of $212 million on revenue of $3.4 billion.", "", ""}});
}

TEST_CASE("who refuses or stops does not do it") {
  check_rule("negation",
             {{"The treaty was signed by four states; Belmora refused to sign because of the fishing clause.",
               "Belmora did not sign the treaty because of the clause on fishing.", "", ""},
              {"It removes the legacy interface, so older plug-ins no longer work.",
               "Older plug-ins stop working because the legacy interface was removed.", "", ""},
              {"Deductions may be made only for damage beyond normal wear and tear.",
               "Normal wear and tear cannot be deducted from the deposit.", "", ""}});
}

TEST_CASE("words before and after a verb without an object are not exchanged") {
  check_rule("roles", {{"The Merrow Island ferry runs six times a day in summer and twice a day in winter.",
                        "Outside the summer, only two ferries a day run to Merrow Island.", "", ""}});
}

TEST_CASE("a number may have the scale of one before it") {
  check_rule("scale", {{"Le coût, estimé à 11 millions d'euros, a finalement atteint 14 millions.",
                        "Les travaux ont coûté 14 millions d'euros au lieu de 11.", "", ""}});
}

TEST_CASE("a negated number is contradicted by the same number") {
  check_rule("negation",
             {{"Der Tarif kostet 1.499 Euro im Jahr.", "Der Tarif kostet nicht 1.499 Euro im Jahr.",
               "1.499 Euro", "1.499 Euro"},
              {"The plan is not $49 per month.", "The plan is $49 per month.", "$49", "$49"},
              {"La limite est de 5 kg.", "La limite n'est pas de 5 kg.", "5", "5"},
              {"The plan is no more than $49 per month.", "The plan is $49 per month or less.", "", ""},
              {"It takes 28 days, and the new mixture nine.",
               "The new mixture takes nine days rather than 28.", "", ""},
              {"The express service takes two days and is for all.",
               "One can't miss the two-day express service.", "", ""},
              {"The plan is not $49 but $59.", "The plan is $59.", "", ""}});
}

TEST_CASE("a clause ends at and after a year") {
  check_rule("clause", {{"Profit was 4 million in 2022 and 6 million in 2023.",
                         "Profit was 4 million in 2023.", "4 million", "6 million"},
                        {"Revenue rose 5% in 2022 and 8% in 2023.", "Revenue rose 8% in 2022.", "8%", "5%"},
                        {"Revenue rose 5% in 2022 and 8% in 2023.", "Revenue rose 8% in 2023.", "", ""}});
}

TEST_CASE("lines with one comma each are rows of a table") {
  constexpr std::string_view sales = "Year,Sales\n2021,100\n2022,120\n2023,150\n";
  check_rule("clause",
             {{sales, "Sales in 2022 were 150.", "150", "120"}, {sales, "Sales in 2022 were 120.", "", ""}});
  CHECK(verdict_of("The price of id 18 is 120.", "id,price\n18,120\n") != claim_verdict::contradicted);
}

TEST_CASE("words around one number do not count for the next") {
  check_rule("number", {{"Patients take tablets daily for 2 weeks in the old hospital that has bed 14.",
                         "Patients take 9 tablets daily for weeks abroad.", "", ""}});
}

TEST_CASE("round factors are factors") {
  check_rule("number", {{"It costs 40 euros a month for ten months.", "Ten months cost 400 euros.", "", ""},
                        {"A room costs 14 euros a night.", "Ten nights in a room cost 140 euros.", "", ""},
                        {"Take 4 ml of syrup ten times a day.", "That is 40 ml of syrup a day.", "", ""}});
}

TEST_CASE("to after rose is not a limit and le is not a number") {
  check_rule("quantity",
             {{"Sales rose to 5 million euros.", "Sales were at least 5 million euros.", "", ""}});
  check_rule("number", {{"Prenez deux comprimés le matin. Le comprimé est rouge.",
                         "Prenez un comprimé le matin.", "un", "deux"}});
  check_rule("roles", {{"Germany borders France.", "France borders Germany.", "", ""}});
  check_rule("number", {{"Turnover was EUR 3.2 billion.", "Turnover was $3.2 billion.", "$3.2 billion",
                         "3.2 billion"}});
}

TEST_CASE("names of several words and with a dot are read") {
  check_rule("place",
             {{"The rule applies in the EU.", "The rule applies in the United States.", "States", "EU"},
              {"The rule applies in the European Union.", "The rule applies in the United States.", "States",
               "European"},
              {"La norma se aplica a todos los productos en la UE.",
               "La norma se aplica a todos los productos en los Estados Unidos.", "Unidos", "UE"},
              {"The rule applies in the USA.", "The rule applies in the United States.", "", ""},
              {"The report states that the rule applies in the EU.", "The rule applies in the EU.", "", ""}});
  check_rule("roles",
             {{"Acme Inc. acquired Globex Ltd. in 2021.", "Globex Ltd. acquired Acme Inc. in 2021.",
               "acquired", "acquired"},
              {"Company A acquired Company B.", "Company B acquired Company A.", "acquired", "acquired"},
              {"Company A acquired Company B.", "Company B was acquired by Company A.", "", ""}});
}

TEST_CASE("the same amount in another currency or unit is contradicted") {
  check_rule("unit",
             {{"The ticket costs 20 pounds.", "The ticket costs 20 dollars.", "20 dollars", "20"},
              {"The ticket costs 20 dollars.", "The ticket costs 20 pounds.", "20", "20 dollars"},
              {"The ticket costs 20 yen.", "The ticket costs $20.", "$20", "20"},
              {"The ticket costs 20 pounds.", "The ticket costs £20.", "", ""},
              {"The ticket costs 2,000 yen.", "The ticket costs ¥2,000.", "", ""},
              {"The ticket costs ₹500.", "The ticket costs 500 rupees.", "", ""},
              {"The ticket costs 500 yen.", "The ticket costs ₹500.", "₹500", "500"},
              {"The ticket costs 20 pounds, that is 25 dollars.", "The ticket costs 25 dollars.", "", ""},
              {"Backups are kept for 30 days.", "Backups are kept for 30 weeks.", "weeks", "days"}});
}

TEST_CASE("an amount in another unit is contradicted only if it is another amount") {
  check_rule("number", {{"The table is 120 cm long.", "The table is 1.2 m long.", "", ""},
                        {"The table is 12 cm long.", "The table is 1.2 m long.", "1.2", "12"},
                        {"Everest is 8.849 km high.", "Everest is 8,849 m high.", "", ""}});
  check_rule("scale", {{"The tank holds 1500 ml.", "The tank holds 1.5 litres.", "", ""},
                       {"The bag weighs 1,500 g.", "The bag weighs 1.5 kg.", "", ""},
                       {"The disk has 1000 MB.", "The disk has 1 GB.", "", ""},
                       {"The delay is 200 ms.", "The delay is 0.2 s.", "", ""},
                       {"The heater draws 1500 W.", "The heater draws 1.5 kW.", "", ""},
                       {"The battery has 5 Ah.", "The battery has 5000 mAh.", "", ""},
                       {"Die Dosis beträgt 0,5 g.", "Die Dosis beträgt 500 mg.", "", ""},
                       {"La dose est de 0,5 g.", "La dose est de 500 mg.", "", ""},
                       {"La dosis es de 0,5 g.", "La dosis es de 500 mg.", "", ""},
                       {"The plant makes 45 GW.", "The plant makes 45,000 kW.", "45,000", "45"}});
}

TEST_CASE("two values that the evidence has swapped are contradicted") {
  check_rule(
      "clause",
      {{"Basic costs $20 and Pro costs $50.", "Basic costs $50 and Pro costs $20.", "$50", "$20"},
       {"Pro costs $20 and Basic costs $50.", "Basic costs $50 and Pro costs $20.", "", ""},
       {"Unlike Basic, which costs $50, Pro costs $20.", "Basic costs $50 and Pro costs $20.", "", ""},
       {"Sales fell in May and rose in June.", "Sales rose in May and fell in June.", "May", "June"},
       {"Germany won 5 medals and France won 7.", "Germany won 7 medals and France won 5.", "Germany",
        "France"},
       {"Sales were $7m in 2022 and $5m in 2023.", "Sales were $5m in 2022 and $7m in 2023.", "$5m", "$7m"},
       {"Sales were $7m in 2023 and $5m in 2022.", "Sales were $5m in 2022 and $7m in 2023.", "", ""},
       {"Basic | $20\nPro | $50\n", "Basic costs $50 and Pro costs $20.", "$50", "$20"}});
}

TEST_CASE("exchanged roles are contradicted in German sentences that end with the verb") {
  constexpr std::string_view took = "Globex hat 2023 den Konkurrenten Acme übernommen.";
  constexpr std::string_view taken = "Acme wurde 2023 von Globex übernommen.";
  check_rule("roles", {{took, "Acme hat Globex übernommen.", "übernommen", "übernommen"},
                       {took, "Globex hat Acme übernommen.", "", ""},
                       {took, "Globex wurde von Acme übernommen.", "übernommen", "übernommen"},
                       {taken, "Globex wurde von Acme übernommen.", "übernommen", "übernommen"},
                       {taken, "Globex hat Acme übernommen.", "", ""}});
}

TEST_CASE("exchanged roles are contradicted in French and Spanish sentences in both voices") {
  constexpr std::string_view bought = "Renault a racheté Dacia en 1999.";
  constexpr std::string_view beat = "El Barcelona venció al Sevilla en la final.";
  constexpr std::string_view sold = "Telefónica compró Orange en 2005.";
  check_rule("roles", {{bought, "Renault a été racheté par Dacia.", "racheté", "racheté"},
                       {bought, "Dacia a été racheté par Renault.", "", ""},
                       {beat, "El Sevilla venció al Barcelona.", "venció", "venció"},
                       {beat, "El Barcelona venció al Sevilla.", "", ""},
                       {beat, "El Barcelona fue vencido por el Sevilla.", "vencido", "venció"},
                       {beat, "El Sevilla fue vencido por el Barcelona.", "", ""},
                       {sold, "Telefónica fue comprada por Orange.", "comprada", "compró"},
                       {sold, "Orange fue comprada por Telefónica.", "", ""}});
}

TEST_CASE("claims without stop words are read in the language of their references") {
  constexpr std::string_view bought = "En mai, Globex rachète Acme pour un montant de 3 millions.";
  check_rule("roles", {{bought, "Acme rachète Globex.", "rachète", "rachète"},
                       {bought, "Globex rachète Acme.", "", ""},
                       {"Globex rachète Acme.", "Acme rachète Globex.", "rachète", "rachète"}});
  check_rule("month", {{"La livraison est prévue en août.", "Livraison prévue janvier.", "janvier", "août"}});
  check_rule("negation", {{bought, "Globex ne rachète pas Acme.", "rachète", "rachète"}});
}

TEST_CASE("a clause of reporting is a lead-in in each language") {
  citestream::support_scorer scorer;
  const auto lead_of = [&](std::string_view claim) {
    const std::string_view references[] = {"-"};
    return scorer.score(claim, references).attributed_to;
  };
  CHECK(lead_of("Der Bericht besagt, dass der Umsatz um 8 % stieg.") == "Der Bericht besagt, dass ");
  CHECK(lead_of("Le rapport indique que les ventes ont augmenté de 8 %.") == "Le rapport indique que ");
  CHECK(lead_of("Le rapport montre qu'en mai les ventes ont augmenté.") == "Le rapport montre qu'");
  CHECK(lead_of("El informe señala que las ventas subieron un 8 %.") == "El informe señala que ");
  CHECK(lead_of("Le rapport n'indique pas que les ventes ont augmenté.").empty());
}

TEST_CASE("all for some and must for may are contradicted") {
  check_rule(
      "quantity",
      {{"Some employees received a bonus.", "All employees received a bonus.", "All", "Some"},
       {"Visitors may wear a helmet.", "Visitors must wear a helmet.", "must", "may"},
       {"Einige Schulen bleiben im Winter zu.", "Alle Schulen bleiben im Winter zu.", "Alle", "Einige"},
       {"All employees received a bonus, some of them two.", "All employees received a bonus.", "", ""}});
}

TEST_CASE("an amount is contradicted by one that is not next to it") {
  check_rule(
      "quantity",
      {{"Most guests left early.", "Few guests left early.", "Few", "Most"},
       {"Few guests left early.", "In most cases guests left early.", "most", "Few"},
       {"Few of the guests left early.", "Most of the guests left early.", "Most", "Few"},
       {"Few guests left early.", "Many guests left early.", "Many", "Few"},
       {"Most guests left early.", "All guests left early.", "All", "Most"},
       {"The bus usually runs on time.", "The bus always runs on time.", "always", "usually"},
       {"Die meisten Gäste haben gezahlt.", "Wenige Gäste haben gezahlt.", "Wenige", "meisten"},
       {"Die meisten Gäste haben gezahlt.", "Alle Gäste haben gezahlt.", "Alle", "meisten"},
       {"Peu de clients ont payé.", "La plupart des clients ont payé.", "plupart", "Peu"},
       {"La mayoría de los clientes pagaron.", "Pocos clientes pagaron.", "Pocos", "mayoría"},
       {"All guests left early.", "Most guests left early.", "", ""},
       {"Many guests left early.", "Most guests left early.", "", ""},
       {"Most guests left early.", "Some guests left early.", "", ""},
       {"Several guests left early.", "A few guests left early.", "", ""},
       {"Few guests liked the most expensive room.", "All guests saw the most expensive room.", "All", "Few"},
       {"All rooms are expensive.", "The most expensive rooms are new.", "", ""},
       {"Accounts can have five users at most.", "All accounts can have at most five users.", "", ""}});
}

TEST_CASE("a negated amount contradicts the same amount and negates nothing else") {
  check_rule("quantity", {{"All members voted.", "Not all members voted.", "all", "All"},
                          {"Not all members voted.", "All members voted.", "All", "all"},
                          {"The app does not always work.", "The app always works.", "always", "always"},
                          {"Alle Kunden haben gezahlt.", "Nicht alle Kunden haben gezahlt.", "alle", "Alle"},
                          {"Most members voted.", "Not all members voted.", "", ""},
                          {"Not all members voted, but most did.", "Most members voted.", "", ""},
                          {"Not many members voted.", "Few members voted.", "", ""},
                          {"Some shops do not accept cards.", "Not all shops accept cards.", "", ""}});
}

TEST_CASE("by for to before the same number is contradicted") {
  check_rule("direction",
             {{"Revenue rose to 5 million.", "Revenue rose by 5 million.", "by", "to"},
              {"Der Umsatz stieg auf 5 Prozent.", "Der Umsatz stieg um 5 Prozent.", "um", "auf"},
              {"Revenue rose by 2 million to 5 million.", "Revenue rose to 5 million.", "", ""},
              {"El alquiler pasó de 700 a 750 euros.", "El alquiler pasó de 750 a 700 euros.", "de", "a"},
              {"Le loyer est passé de 700 à 750 euros.", "Le loyer est de 750 euros.", "", ""},
              {"El alquiler pasó de 700 a 750 euros.", "El alquiler es de 750 euros.", "", ""},
              {"Die Miete stieg von 700 auf 750 Euro.", "Es ist eine Miete von 750 Euro.", "", ""}});
}

TEST_CASE("the Spanish de before the amount of a change is by and not from") {
  check_rule("direction",
             {{"Las rentas aumentaron un 5 %.", "El aumento fue del 5 %.", "", ""},
              {"Las rentas aumentaron un 5 %.", "El aumento fue del 5 % respecto a 2020.", "", ""},
              {"La renta aumentó un 5 %.", "La renta tuvo un aumento de 5 % a 7 %.", "de", "un"},
              {"La renta tuvo un aumento del 5 %.", "La renta aumentó al 5 %.", "al", "del"}});
}

TEST_CASE("a comparative before a number is not a direction") {
  check_rule("direction", {{"El abono es gratuito para trayectos superiores a 40 km.",
                            "El abono es gratis para trayectos de más de 40 km.", "", ""},
                           {"El abono es gratis para trayectos de más de 40 km.",
                            "El abono es gratuito para trayectos superiores a 40 km.", "", ""},
                           {"Le port est offert pour les commandes supérieures à 40 euros.",
                            "Le port est offert pour les commandes de plus de 40 euros.", "", ""},
                           {"Le taux a augmenté de 9 %.", "Le taux a augmenté à 9 %.", "à", "de"}});
}

TEST_CASE("an attribute with of or from before a number is not a direction") {
  constexpr std::string_view inversion = "La inversión asciende a 74 millones de euros.";
  constexpr std::string_view montant = "L'investissement s'élève à 74 millions d'euros.";
  constexpr std::string_view summe = "Die Investition der Stadt beläuft sich auf 74 Millionen Euro.";
  check_rule("direction",
             {{inversion, "El operador ha pagado la inversión de 74 millones de euros.", "", ""},
              {"El operador ha vendido una inversión de 74 millones de euros.", inversion, "", ""},
              {montant, "L'opérateur a vendu l'investissement de 74 millions d'euros.", "", ""},
              {"L'opérateur a vendu un investissement de 74 millions d'euros.", montant, "", ""},
              {summe, "Die Stadt kaufte für eine Investition von 74 Millionen Euro.", "", ""},
              {"Bonuses were paid to 12 teams.", "Bonuses rose for staff from 12 teams.", "", ""},
              {"Les ventes ont augmenté à 5 %.", "Les ventes ont augmenté de 5 %.", "de", "à"},
              {"Los precios subieron a 5 euros.", "Los precios subieron de 5 euros.", "de", "a"},
              {"Die Miete stieg auf 5 Euro.", "Die Miete stieg von 5 Euro.", "von", "auf"}});
}

TEST_CASE("a number of its own subject is not contradicted by another of its noun") {
  constexpr std::string_view headache =
      "Headache was reported by 9% of patients taking the drug and 4% taking placebo.";
  check_rule("number",
             {{headache, "4% of patients taking placebo reported headache.", "", ""},
              {"The parliament has 120 seats: 61 for the coalition and 59 for the opposition.",
               "The opposition has 59 seats.", "", ""},
              {"The library has 1.2 million books, 300,000 of which are digitised.",
               "300,000 books of the library are digitised.", "", ""},
              {"The old server had 8 cores; the new one has 32.", "The new server has 32 cores.", "", ""},
              {"Version 3.0 drops support for Python 3.7.", "Support for Python 3.7 was dropped.", "", ""},
              {"The number of users rose from 2 million to 5 million.",
               "The number of users rose by 3 million.", "", ""},
              {"The number of users rose from 2 million to 5 million.",
               "The number of users rose by 4 million.", "4 million", "2 million"}});
}

TEST_CASE("a number is not contradicted by one that rounds to it") {
  constexpr std::string_view app = "The app has 2,312 users.";
  constexpr std::string_view state = "The state has 17,932,651 inhabitants.";
  check_rule("number",
             {{state, "The state has 17.9 million inhabitants.", "", ""},
              {state, "The state has 17.8 million inhabitants.", "17.8 million", "17,932,651"},
              {app, "The app has about 2,300 users.", "", ""},
              {app, "The app has ~2,300 users.", "", ""},
              {app, "The app has 2,300 users.", "2,300", "2,312"},
              {app, "The app has about 2,500 users.", "2,500", "2,312"},
              {"Das Land hat 3.645.000 Einwohner.", "Das Land hat etwa 3,6 Millionen Einwohner.", "", ""}});
}

TEST_CASE("parts of a time are one amount") {
  constexpr std::string_view flight = "The flight takes 2 hours and 15 minutes.";
  check_rule("number", {{flight, "The flight takes 135 minutes.", "", ""},
                        {flight, "The flight takes 2.25 hours.", "", ""},
                        {flight, "The flight takes 145 minutes.", "145", "15"},
                        {"The flight takes 2.25 hours.", flight, "", ""},
                        {"Running time: 1 h 30 min", "The running time is 90 minutes.", "", ""},
                        {"Running time: 1 h 30 min", "The running time is 95 minutes.", "95", "30"}});
}

TEST_CASE("fractions and a letter for billions and both orders of a date are read") {
  check_rule("number",
             {{"The film is 1.5 hours long.", "The film is 1½ hours long.", "", ""},
              {"The film is 2.5 hours long.", "The film is 1½ hours long.", "1½", "2.5"},
              {"Add 0.5 cup of sugar.", "Add 1/2 cup of sugar.", "", ""},
              {"Add 1/2 cup of sugar.", "Add 0.5 cup of sugar.", "", ""},
              {"Add 0.75 cup of sugar.", "Add 1/2 cup of sugar.", "1", "0.75"},
              {"Add 2.5 cups of sugar.", "Add 2 1/2 cups of sugar.", "", ""},
              {"Add 3.5 cups of sugar.", "Add 2 1/2 cups of sugar.", "2 1/2", "3.5"},
              {"Add 0.5 cup of sugar.", "Add ½ cup of sugar.", "", ""},
              {"Add 2½ cups of flour.", "Add 2 ½ cups of flour.", "", ""},
              {"On May 5 half of the staff left.", "On May 5 1/2 of the staff left.", "", ""},
              {"Add 0.75 cup of sugar.", "Add ½ cup of sugar.", "½", "0.75"},
              {"This is the twenty-first century.", "This is the 21st century.", "", ""},
              {"This is the twenty-first century.", "This is the 20th century.", "20th", "twenty-first"},
              {"Inflation was $12\\%$ in May.", "Inflation was 12% in May.", "", ""},
              {"Inflation was $12\\%$ in May.", "Inflation was 13% in May.", "13%", "$12\\%"},
              {"Mo-Fr 9-17 Uhr, Sa 10-14 Uhr", "Montags bis freitags von 9 bis 17 Uhr geöffnet.", "", ""},
              {"The contract is dated April 3, 2024.", "The contract is dated 03/04/2024.", "", ""},
              {"The contract is dated 03/04/2024.", "The contract is dated April 3, 2024.", "", ""},
              {"The contract is dated April 3, 2024.", "The contract is dated 03/05/2024.", "05", "3"}});
  check_rule("scale", {{"It has 7 billion parameters.", "It has 7B parameters.", "", ""},
                       {"It has 7B parameters.", "It has 7 billion parameters.", "", ""}});
}

TEST_CASE("numbers of another scale or of another noun are contradicted") {
  check_rule("number", {{"The plan was founded in 2024.", "The plan was founded in 2023.", "2023", "2024"},
                        {"The ferry has 3 decks and 40 cabins.", "The ferry has 40 decks.", "40", "3"},
                        {"The basket has 30 apples and 20 pears.", "The basket has 20 apples and 30 pears.",
                         "20", "30"},
                        {"The ferry has 3 decks and 40 cabins.", "The ferry has 40 cabins.", "", ""}});
  check_rule("scale", {{"The bridge cost 5 billion dollars.", "The bridge cost 5 million dollars.",
                        "5 million dollars", "5 billion dollars"},
                       {"The town has 2,000 trees.", "The town has 2 thousand trees.", "", ""}});
}

TEST_CASE("one is a number before a noun that the text counts otherwise") {
  check_rule(
      "number",
      {{"Take two tablets.", "Take one tablet.", "one", "two"},
       {"Take one tablet.", "Take two tablets.", "two", "one"},
       {"The contract runs for 3 years.", "The contract runs for one year.", "one", "3"},
       {"Two thirds of the students live here.", "One third of the students live here.", "One", "Two"},
       {"Two thirds of the students live here.", "A third of the students live here.", "A", "Two"},
       {"A quarter of the voters agreed.", "Three quarters of the voters agreed.", "Three", "A"},
       {"Nehmen Sie zwei Tabletten.", "Nehmen Sie eine Tablette.", "eine", "zwei"},
       {"Die Frist beträgt drei Monate.", "Die Frist beträgt einen Monat.", "einen", "drei"},
       {"Prenez un comprimé par jour.", "Prenez deux comprimés par jour.", "deux", "un"},
       {"Dos tercios de los votantes viven aquí.", "Un tercio de los votantes vive aquí.", "Un", "Dos"},
       {"Take 1 tablet.", "Take one tablet.", "", ""},
       {"Take one tablet, or two tablets if it hurts.", "Take one tablet.", "", ""},
       {"Give the command two arguments.", "Give the command at least one argument.", "", ""},
       {"Two arguments are needed.", "More than one argument is needed.", "", ""},
       {"The box has two tablets. One is blue.", "One of the two tablets is blue.", "", ""},
       {"The group has five members. Anna resigned.", "One member of the group resigned.", "", ""},
       {"Die Gruppe hat fünf Mitglieder. Anna trat zurück.", "Ein Mitglied der Gruppe trat zurück.", "",
        ""}});
}

TEST_CASE("a value of another clause or row is contradicted") {
  constexpr std::string_view table =
      "| Plan | Price |\n|---|---|\n| Basic | $10 a month |\n| Pro | $30 a month |";
  constexpr std::string_view prose = "The EU requires 10% and the US requires 25%.";
  check_rule("clause", {{table, "The Pro plan costs $10 a month.", "$10", "$30"},
                        {table, "The Pro plan costs $30 a month.", "", ""},
                        {table, "The Basic plan costs $10 a month.", "", ""},
                        {prose, "The US requires 10%.", "US", "EU"},
                        {"Plan A costs $10 and plan B costs $20.", "Plan A costs $20.", "$20", "$10"},
                        {prose, "The US requires 25%.", "", ""},
                        {"63% said that they work from home, and 18% that they never do.",
                         "18% never work from home.", "", ""}});
}

TEST_CASE("a comparison with its sides exchanged is contradicted") {
  check_rule(
      "comparison",
      {{"Silver is denser than gold.", "Gold is denser than silver.", "than", "than"},
       {"Sales in Norway were higher than in Sweden.", "Sales in Sweden were higher than in Norway.", "than",
        "than"},
       {"L'or est plus dense que l'argent.", "L'argent est plus dense que l'or.", "que", "que"},
       {"Silver is lighter than gold.", "Gold is heavier than silver.", "", ""},
       {"Light users are less likely to churn than heavy users.",
        "Heavy users are more likely to churn than light users.", "", ""},
       {"Heavy users are more likely to churn than light users.",
        "Light users are more likely to churn than heavy users.", "than", "than"},
       {"Lyon est plus petite que Paris.", "Paris est plus grande que Lyon.", "", ""},
       {"Model A performs better than Model B.", "Model B performs worse than Model A.", "", ""},
       {"Gold is denser than silver.", "Gold is denser than silver.", "", ""},
       {"La luz es más lenta que el sonido.", "El sonido es más lento que la luz.", "que", "que"},
       {"Las herramientas que acceden a los procesos obtienen información de la estructura del directorio "
        "que el sistema crea.",
        "Las herramientas del sistema que acceden a los procesos obtienen información de este directorio.",
        "", ""}});
}

TEST_CASE("a German adjective that ends with er before als compares") {
  check_rule(
      "comparison",
      {{"Der Besen ist leiser als der Sauger.", "Der Sauger ist leiser als der Besen.", "als", "als"},
       {"Der Besen ist leiser als der Sauger.", "Der Besen ist leiser als der Sauger.", "", ""},
       {"Das Team war als Sieger in Bonn.", "Als Team war der Sieger in Bonn.", "", ""},
       {"Der Lehrer war früher als Koch tätig.", "Der Koch war früher als Lehrer tätig.", "als", "als"},
       {"Der Koch war hier als Gast.", "Der Gast war hier als Koch.", "", ""}});
}

TEST_CASE("single letters are sides of a comparison") {
  check_rule("comparison",
             {{"B is lighter than A.", "A is lighter than B.", "than", "than"},
              {"Pump B is quieter than pump A.", "Pump A is quieter than pump B.", "than", "than"},
              {"In B, rents were higher than in A.", "In A, rents were higher than in B.", "than", "than"},
              {"B est plus cher que A.", "A est plus cher que B.", "que", "que"},
              {"A is lighter than B.", "A is lighter than B.", "", ""},
              {"A is lighter than B.", "B is heavier than A.", "", ""},
              {"A is lighter than B.", "A is lighter than C.", "", ""}});
}

TEST_CASE("a subject exchanged with its object is contradicted") {
  check_rule(
      "roles",
      {{"Acme acquired Globex in 2020.", "Globex acquired Acme in 2020.", "acquired", "acquired"},
       {"Acme acquired Globex in 2020.", "Acme was acquired by Globex in 2020.", "acquired", "acquired"},
       {"Acme a racheté Globex en 2020.", "Globex a racheté Acme en 2020.", "racheté", "racheté"},
       {"Acme acquired Globex in 2020.", "Globex was acquired by Acme in 2020.", "", ""},
       {"Ann Smith met Tim Cook in Graz.", "Tim Cook met Ann Smith in Graz.", "", ""},
       {"The House passed the bill.", "The bill passed the House.", "", ""},
       {"The decision of the lower court was reversed by the Supreme Court.",
        "The Supreme Court reversed the decision of the lower court.", "", ""},
       {"Households get a grant of 750 pounds from the county.", "The county gives households 750 pounds.",
        "", ""}});
}

TEST_CASE("a time after by is not who acts") {
  check_rule(
      "roles",
      {{"The pass opens if there is light snow by March.", "The pass opens if it snows lightly before March.",
        "", ""},
       {"The pass may close if there is heavy snow by mid-March.",
        "The pass closes unless it snows heavily before the middle of March.", "", ""},
       {"Globex was not bought by Acme.", "Acme was not bought by Globex.", "bought", "bought"},
       {"Globex was bought by Acme in May.", "Acme was bought by Globex in May.", "bought", "bought"}});
}

TEST_CASE("single letters are names of a subject and an object that are exchanged") {
  check_rule("roles",
             {{"A acquired B.", "B acquired A.", "acquired", "acquired"},
              {"B acquired A.", "A acquired B.", "acquired", "acquired"},
              {"A acquired B in 2020.", "B acquired A in 2020.", "acquired", "acquired"},
              {"X acquired Y.", "Y acquired X.", "acquired", "acquired"},
              {"In 2020 A acquired B.", "A was acquired by B in 2020.", "acquired", "acquired"},
              {"A was acquired by B.", "A acquired B.", "acquired", "acquired"},
              {"A has since acquired B.", "B will acquire A.", "acquire", "acquired"},
              {"A a racheté B pour dix euros.", "B a racheté A pour dix euros.", "racheté", "racheté"},
              {"A hat B übernommen. C übernahm D.", "D übernahm C.", "übernahm", "übernahm"},
              {"A acquired B.", "B was acquired by A.", "", ""},
              {"A acquired B.", "A acquired B.", "", ""},
              {"A met B in Graz.", "B met A in Graz.", "", ""},
              {"A needs B and B needs A.", "B needs A.", "", ""},
              {"A vitamin B deficiency is rare.", "A vitamin B deficiency is rare.", "", ""},
              {"The plan B replaced plan A.", "A plan B replaced the plan A.", "", ""},
              {"A study of plan B found nothing.", "Plan B study A found nothing.", "", ""}});
}

TEST_CASE("units and their symbols after a number or per are contradicted") {
  check_rule(
      "unit",
      {{"The road is 5 km wide.", "The road is 5 m wide.", "m", "km"},
       {"The cable is 5 cm long.", "The cable is 5 m long.", "m", "cm"},
       {"Take 50 mg of iron.", "Take 50 g of iron.", "g", "mg"},
       {"Take 50 µg of iron.", "Take 50 mg of iron.", "mg", "µg"},
       {"Nehmen Sie 50 mg Eisen.", "Nehmen Sie 50 g Eisen.", "g", "mg"},
       {"The latency is 20 s.", "The latency is 20 ms.", "ms", "s"},
       {"The trip takes 3 min.", "The trip takes 3 h.", "h", "min"},
       {"Copper melts at 1,085 °C.", "Copper melts at 1,085 °F.", "F", "C"},
       {"Wasser kocht bei 100 Grad Celsius.", "Wasser kocht bei 100 Grad Fahrenheit.", "Fahrenheit",
        "Celsius"},
       {"L'eau bout à 100 degrés Celsius.", "L'eau bout à 100 degrés Fahrenheit.", "Fahrenheit", "Celsius"},
       {"El agua hierve a 100 grados Celsius.", "El agua hierve a 100 grados Fahrenheit.", "Fahrenheit",
        "Celsius"},
       {"The book costs 20 EUR.", "The book costs 20 CHF.", "20", "20 EUR"},
       {"Le livre coûte 20 euros.", "Le livre coûte 20 francs.", "20", "20 euros"},
       {"The process takes 5 minutes.", "The process takes 5 seconds.", "seconds", "minutes"},
       {"The API accepts at most 600 requests per minute per key.",
        "The API accepts up to 600 requests per second.", "second", "minute"},
       {"La operación dura 5 minutos.", "La operación dura 5 segundos.", "segundos", "minutos"},
       {"L'opération dure 5 minutes.", "L'opération dure 5 secondes.", "secondes", "minutes"}});
}

TEST_CASE("an abbreviated month and words for all and for must are contradicted") {
  check_rule("month",
             {{"The film was shown in Oct. 2020.", "The film was shown in Sept. 2020.", "Sept", "Oct"}});
  check_rule("quantity", {{"Studenten können das Formular einreichen.",
                           "Studenten müssen das Formular einreichen.", "müssen", "können"},
                          {"Some people were invited.", "Everyone was invited.", "Everyone", "Some"}});
}

TEST_CASE("Portuguese is not read as Spanish") {
  check_rule("negation", {{"A empresa, fundada em Lisboa, opera em todo o Brasil desde 2010.",
                           "A empresa opera no Brasil desde 2010.", "", ""},
                          {"Em 2019 o banco abriu uma agência na cidade do Porto.",
                           "O banco abriu uma agência no Porto em 2019.", "", ""},
                          {"As vendas da empresa caíram durante o segundo trimestre de 2020.",
                           "As vendas caíram no segundo trimestre de 2020.", "", ""},
                          {"O preço subiu de 15 para 20 euros durante o ano passado.",
                           "O preço subiu para 20 euros no ano passado.", "", ""},
                          {"O museu, que abre aos domingos, fica perto do centro de Lisboa.",
                           "O museu fica no centro de Lisboa e abre aos domingos.", "", ""}});
}

TEST_CASE("subject and object exchanged in the perfect tense are contradicted") {
  check_rule(
      "roles",
      {{"YouTube a racheté Google.", "Google a racheté YouTube.", "racheté", "racheté"},
       {"En 2006, YouTube a racheté Google.", "En 2006, Google a racheté YouTube.", "racheté", "racheté"},
       {"YouTube ha comprado Google.", "Google ha comprado YouTube.", "comprado", "comprado"}});
}

TEST_CASE("a word for a decline is a minus sign in each language") {
  check_rule("number",
             {{"Ventas: abril -3 %, mayo +2 %.", "Las ventas de abril cayeron un 3 %.", "", ""},
              {"Ventas: abril -3 %, mayo +2 %.", "Las ventas de abril fueron del 3 %.", "3 %", "-3 %"},
              {"Umsatz im April: -3 %", "Der Umsatz sank im April um 3 %.", "", ""},
              {"Ventes en avril : -3 %", "Les ventes ont baissé de 3 % en avril.", "", ""}});
}

TEST_CASE("opposites of German and French and Spanish verbs are contradicted") {
  check_rule("antonym",
             {{"Die Stadtwerke erhöhen den Preis.", "Die Stadtwerke senken den Preis.", "senken", "erhöhen"},
              {"Der Verein erhöht den Beitrag.", "Der Verein senkt den Beitrag.", "senkt", "erhöht"},
              {"El hospital amplió el horario.", "El hospital redujo el horario.", "redujo", "amplió"},
              {"La ville augmente le budget.", "La ville réduit le budget.", "réduit", "augmente"}});
}

TEST_CASE("what raises is the opposite of what reduces or lowers") {
  check_rule("antonym",
             {{"The filter reduces the noise.", "The filter increases the noise.", "increases", "reduces"},
              {"The city lowered the toll.", "The city raised the toll.", "raised", "lowered"},
              {"The toll was raised.", "The toll is lower.", "", ""},
              {"The firm contracted in June.", "The firm expanded in June.", "expanded", "contracted"},
              {"The firm shortened the contract.", "The firm shortened the contract.", "", ""},
              {"Raising the toll reduced traffic.", "Traffic was reduced by raising the toll.", "", ""},
              {"La ley reduce el gasto.", "La ley aumenta el gasto.", "aumenta", "reduce"}});
}

TEST_CASE("opposites that exclude one another in ordinary prose are contradicted") {
  check_rule(
      "antonym",
      {{"The lease was renewed.", "The lease was cancelled.", "cancelled", "renewed"},
       {"The request was denied.", "The request was granted.", "granted", "denied"},
       {"Parliament rejected the treaty.", "Parliament ratified the treaty.", "ratified", "rejected"},
       {"The state outlawed betting.", "The state legalised betting.", "legalised", "outlawed"},
       {"Growth accelerated in June.", "Growth slowed in June.", "slowed", "accelerated"},
       {"The gap widened in June.", "The gap narrowed in June.", "narrowed", "widened"},
       {"The inner door is red.", "The outer door is red.", "outer", "inner"},
       {"The cups are disposable.", "The cups are reusable.", "reusable", "disposable"},
       {"The tumour was benign.", "The tumour was malignant.", "malignant", "benign"},
       {"The drug is for oral use.", "The drug is for intravenous use.", "intravenous", "oral"},
       {"Die Stadt verlängert die Frist.", "Die Stadt verkürzt die Frist.", "verkürzt", "verlängert"},
       {"Die Lage hat sich verbessert.", "Die Lage hat sich verschlechtert.", "verschlechtert", "verbessert"},
       {"Die Auflagen wurden gelockert.", "Die Auflagen wurden verschärft.", "verschärft", "gelockert"},
       {"Der Stoff ist untersagt.", "Der Stoff ist zugelassen.", "zugelassen", "untersagt"},
       {"Le bail est prolongé.", "Le bail est raccourci.", "raccourci", "prolongé"},
       {"La situation s'améliore.", "La situation s'aggrave.", "aggrave", "améliore"},
       {"La norme est renforcée.", "La norme est affaiblie.", "affaiblie", "renforcée"},
       {"La salud ha mejorado.", "La salud ha empeorado.", "empeorado", "mejorado"},
       {"El filtro está activado.", "El filtro está desactivado.", "desactivado", "activado"}});
}

TEST_CASE("a negation far from its subject and no longer and an answer before it are read") {
  check_rule(
      "negation",
      {{"Tokens expire after 24 hours and cannot be renewed.", "Tokens can be renewed.", "renewed",
        "renewed"},
       {"Tokens cannot be renewed.", "Tokens can be renewed.", "renewed", "renewed"},
       {"Pets, whether large or small, are not allowed.", "Pets are allowed.", "allowed", "allowed"},
       {"Orders ship within 24 hours of payment and cannot be cancelled.", "Orders can be cancelled.",
        "cancelled", "cancelled"},
       {"The service is no longer available in Spain.", "The service is available in Spain.", "available",
        "available"},
       {"The company no longer produces the X1 phone.", "The company still produces the X1 phone.",
        "produces", "produces"},
       {"No, the plan costs $1,499.", "The plan does not cost $1,499.", "cost", "costs"},
       {"Yes, the plan costs $1,499.", "The plan does not cost $1,499.", "cost", "costs"},
       {"No, returns are possible in the shop.", "Returns are not possible.", "possible", "possible"}});
}

TEST_CASE("keinesfalls and keineswegs and nowhere negate") {
  check_rule("negation", {{"Die Fenster dürfen keinesfalls gekippt werden.",
                           "Die Fenster dürfen gekippt werden.", "gekippt", "gekippt"},
                          {"Die Fenster dürfen keineswegs gekippt werden.",
                           "Die Fenster dürfen nicht gekippt werden.", "", ""},
                          {"Die Fenster sind keineswegs dicht.", "Die Fenster sind dicht.", "dicht", "dicht"},
                          {"Camping is nowhere allowed.", "Camping is allowed.", "allowed", "allowed"}});
}

TEST_CASE("what a claim only contrasts with a value of the source is not negated") {
  constexpr std::string_view tax = "The tax rate was raised from 19% to 21% in 2015.";
  constexpr std::string_view pump = "First press the red button. The green button starts the pump.";
  check_rule(
      "negation",
      {{tax, "Since 2015 the tax rate has been 21%, not 19%.", "", ""},
       {pump, "First press the red button, not the green one.", "", ""},
       {pump, "The button that starts the pump is not green.", "green", "green"},
       {"The plan covers dental and vision.", "The plan covers dental, not vision.", "vision", "vision"},
       {"Für Mitglieder ist es kostenlos.", "Für Mitglieder, nicht kostenlos.", "kostenlos", "kostenlos"},
       {"Bei Verspätung wird eine Gebühr erhoben.", "Bei Verspätung, keine Gebühr.", "Gebühr", "Gebühr"},
       {"The plan is available in Asia.", "The plan is available in Europe, not in Asia.", "Asia", "Asia"},
       {"If you cancel late, a refund is given.", "If you cancel late, no refund is given.", "refund",
        "refund"}});
}

TEST_CASE("a word that only begins like a decline is not one") {
  check_rule("number", {{"The margin was 5% in Europe for each download.", "The margin was -5% in Europe.",
                         "-5%", "5%"},
                        {"The margin was down 5% in Europe.", "The margin was -5% in Europe.", "", ""},
                        {"Output contracts 4% per year.", "Output growth is -4% per year.", "", ""}});
}

TEST_CASE("only metric units are powers of ten of one another") {
  check_rule("scale", {{"The cable is 25 inches long.", "The cable is 250 km long.", "250", "25"},
                       {"The cable is 250 m long.", "The cable is 0.25 km long.", "", ""},
                       {"The tank holds 25 gallons.", "The tank holds 250 litres.", "250", "25"}});
}

TEST_CASE("micrograms are milligrams in every language") {
  check_rule("number",
             {{"La dose est de 0,05 mg par jour.", "La dose est de 50 microgrammes par jour.", "", ""},
              {"La dosis es de 0,05 mg al día.", "La dosis es de 50 microgramos al día.", "", ""},
              {"Die Dosis beträgt 0,05 mg am Tag.", "Die Dosis beträgt 50 Mikrogramm am Tag.", "", ""}});
}

TEST_CASE("an amount of pounds is not a weight") {
  check_rule("unit",
             {{"The price is 500 kg per unit.", "The price is £500 per unit.", "£500", "500"},
              {"The price is 500 pounds per unit.", "The price is £500 per unit.", "", ""},
              {"Die Gebühr beträgt 20 Pfund pro Person.", "Die Gebühr beträgt £20 pro Person.", "", ""}});
}

TEST_CASE("opposites that cancel contradict nothing") {
  check_rule("antonym",
             {{"Output growth was -0.3% in 2023.", "Output shrank by 0.3% in 2023.", "", ""},
              {"Output growth was 0.3% in 2023.", "Output shrank by 0.3% in 2023.", "shrank", "growth"},
              {"In 1990, more people smoked than today.", "Fewer people smoke today than in 1990.", "", ""},
              {"The price before the discount is higher.", "The price is lower after the discount.", "", ""},
              {"After the law was changed, smoking was banned. Until then it had been allowed.",
               "Before the law was changed, smoking was allowed.", "", ""}});
}

TEST_CASE("a comparison of another quality contradicts nothing") {
  check_rule("comparison",
             {{"Buses are cheaper than trains, but trains are faster than buses.",
               "Trains are faster than buses.", "", ""},
              {"Copper conducts electricity better than aluminium, but aluminium is lighter and cheaper.",
               "Aluminium is lighter than copper.", "", ""},
              {"Rust programs run faster than Python programs, but Python is easier to learn.",
               "Python is easier to learn than Rust.", "", ""},
              {"Men die earlier than women, who live longer.", "Women live longer than men.", "", ""},
              {"Der Bus ist billiger als der Zug, aber der Zug ist schneller.",
               "Der Zug ist schneller als der Bus.", "", ""},
              {"Le bus est plus confortable que le train, mais le train est plus rapide que le bus.",
               "Le train est plus rapide que le bus.", "", ""}});
}

TEST_CASE("an object or adverb in front of a verb exchanges no roles") {
  check_rule(
      "roles",
      {{"Der Minister besuchte gestern Berlin.", "Gestern besuchte der Minister Berlin.", "", ""},
       {"Der Direktor unterzeichnete den Vertrag am Montag.",
        "Den Vertrag unterzeichnete der Direktor am Montag.", "", ""},
       {"Das Unternehmen produziert Elektroautos in Leipzig.",
        "In Leipzig produziert das Unternehmen Elektroautos.", "", ""},
       {"Die Firma beschäftigt heute 300 Mitarbeiter.", "Heute beschäftigt die Firma 300 Mitarbeiter.", "",
        ""},
       {"Der Konzern meldete zuletzt einen Verlust.", "Zuletzt meldete der Konzern einen Verlust.", "", ""},
       {"Die Fähre transportiert täglich 500 Autos.", "Täglich transportiert die Fähre 500 Autos.", "", ""},
       {"El presidente firmó el acuerdo ayer.", "Ayer firmó el presidente el acuerdo.", "", ""},
       {"El museo abre a las nueve en verano.", "En verano abre el museo a las nueve.", "", ""},
       {"El presidente firmó el acuerdo.", "El acuerdo lo firmó el presidente.", "", ""},
       {"Las exportaciones de aceite cayeron un 11 % en marzo.",
        "En marzo cayeron las exportaciones de aceite.", "", ""}});
}

TEST_CASE("one of two numbers before a noun contradicts nothing") {
  check_rule("number", {{"Adults may take one or two tablets of 500 mg every four hours.",
                         "One tablet contains 500 mg.", "", ""}});
}

TEST_CASE("a negation of another case contradicts nothing") {
  check_rule("negation",
             {{"Kinder unter sechs Jahren zahlen keinen Eintritt, Erwachsene zahlen 6 Euro.",
               "Für Erwachsene kostet der Eintritt 6 Euro.", "", ""},
              {"La farmacia abre de lunes a sábado de 9 a 21 horas; los domingos permanece cerrada.",
               "Los domingos la farmacia no abre.", "", ""}});
}

TEST_CASE("a limit after a negated verb denies the verb only beyond it") {
  constexpr std::string_view one = "The couples never raise more than one chick a year.";
  check_rule(
      "negation",
      {{"Les couples n'élèvent qu'un seul jeune par an.", "Un couple n'élève jamais plus d'un jeune par an.",
        "", ""},
       {"The couples raise one chick a year.", one, "", ""},
       {"The couples raise two chicks a year.", one, "raise", "raise"},
       {"The couples raise chicks.", "The couples never raise chicks.", "raise", "raise"},
       {"The plan costs $5 a month.", "The plan does not cost more than $5 a month.", "", ""},
       {"Tenants may keep more than two dogs.", "Tenants may not keep more than two dogs.", "keep", "keep"},
       {"Children may not take more than 3 tablets.", "Children may take more than 3 tablets.", "take",
        "take"},
       {"The park is open every day.", "The park is not open for more than one hour.", "open", "open"}});
}

TEST_CASE("what is free of something in German lacks it") {
  check_rule("negation", {{"Der Saft enthält Sorbitol, aber weder Alkohol noch Zucker.",
                           "Der Hustensaft ist frei von Alkohol und Zucker.", "", ""},
                          {"Das Parken ist frei von 18 Uhr bis 8 Uhr und am Sonntag.",
                           "Das Parken ist am Sonntag nicht frei.", "frei", "frei"}});
}

TEST_CASE("a number in a range of its noun is not another number of it") {
  constexpr std::string_view doses =
      "Children aged 2 to 6 years take 2.5 ml twice a day, children aged 6 to 12 years 5 ml twice a day.";
  check_rule("number", {{doses, "A child of five years takes 2.5 ml twice a day.", "", ""},
                        {"The house has 10 rooms and 12 baths.", "The house has 12 rooms.", "12", "10"}});
}

TEST_CASE("the other part of a contrast contradicts nothing") {
  check_rule("negation",
             {{"The lid is a replica, while the handle is genuine.",
               "Unlike the handle, the lid is not genuine.", "", ""},
              {"The lid is genuine.", "Unlike the handle, the lid is not genuine.", "genuine", "genuine"}});
}

TEST_CASE("what is missing is what there is nothing of") {
  check_rule("negation", {{"Kästen ohne Aufschrift werden zurückgeschickt und im Protokoll vermerkt.",
                           "Fehlt bei einem Kasten die Aufschrift, so wird er zurückgeschickt und dies im "
                           "Protokoll festgehalten.",
                           "", ""}});
}

TEST_CASE("an accent makes another word of a negator") {
  check_rule("negation",
             {{"L'architecte est né à Lyon en 1901.", "L'architecte est originaire de Lyon.", "", ""},
              {"L'architecte n'est pas de Lyon.", "L'architecte est originaire de Lyon.", "Lyon", "Lyon"}});
}

TEST_CASE("born is the opposite of dead in French") {
  check_rule("antonym",
             {{"L'architecte est mort à Lyon.", "L'architecte est né à Lyon.", "né", "mort"},
              {"La naissance de l'architecte fut à Lyon.", "L'architecte est né à Lyon.", "", ""}});
}

TEST_CASE("a time in hours and minutes equals the same in minutes") {
  check_rule(
      "number",
      {{"The crossing takes an hour and twenty minutes.", "The crossing takes 80 minutes.", "", ""},
       {"La travesía dura una hora y veinte minutos.", "La travesía dura 80 minutos.", "", ""},
       {"The crossing takes an hour and twenty minutes.", "The crossing takes 70 minutes.", "70", "twenty"}});
}

TEST_CASE("must and may before other verbs contradict nothing") {
  check_rule("quantity",
             {{"Unused leave of up to 5 days may be carried over until 31 March. It must be used by then.",
               "Carried-over leave must be used by 31 March.", "", ""}});
}

TEST_CASE("words between the verb of a report and that belong to the lead-in") {
  CHECK(verdict_of("As weak demand in Asia shows, sales rose by 20% in 2023.",
                   "Sales rose by 20% in 2023 because of strong demand in Asia.") ==
        claim_verdict::contradicted);
  CHECK(verdict_of("As per our pricing guide, the plan costs $10.", "The plan costs $10.") ==
        claim_verdict::supported);
  CHECK(verdict_of("The report explains clearly that sales rose by 5 percent.", "Sales rose by 5 percent.") ==
        claim_verdict::supported);
  CHECK(verdict_of("The study from Oslo reports in its annex that sales rose by 5 percent.",
                   "Sales rose by 5 percent.") == claim_verdict::supported);
}

TEST_CASE("an unknown language is compared by its numbers only") {
  CHECK(verdict_of("Muzeum przyciągnęło ponad 300 gości podczas wielkiej wystawy sztuki nowoczesnej latem",
                   "Muzeum przyciągnęło ponad 300 gości podczas wielkiej wystawy sztuki nowoczesnej zimą") !=
        claim_verdict::contradicted);
  CHECK(verdict_of("Muzeum przyciągnęło ponad 400 gości podczas wielkiej wystawy sztuki nowoczesnej latem",
                   "Muzeum przyciągnęło ponad 300 gości podczas wielkiej wystawy sztuki nowoczesnej latem") ==
        claim_verdict::contradicted);
}

TEST_CASE("what is done to avoid something else is not denied") {
  check_rule(
      "negation",
      {{"Take the tablet with food to avoid nausea.", "Do not take the tablet with food.", "take", "Take"},
       {"Avoid alcohol and take the tablet with food.", "Do not take the tablet with food.", "take", "take"},
       {"Prenez le comprimé avec un repas pour éviter les nausées.",
        "Ne prenez pas le comprimé avec un repas.", "prenez", "Prenez"},
       {"Tome la tableta con comida para evitar náuseas.", "No tome la tableta con comida.", "tome", "Tome"},
       {"Nehmen Sie die Tablette mit Essen ein, um Übelkeit zu vermeiden.",
        "Nehmen Sie die Tablette nicht mit Essen ein.", "Essen", "Essen"},
       {"Avoid drinking alcohol, as it increases the side effects.",
        "Drinking alcohol increases the side effects.", "", ""},
       {"Avoid using batteries that leak.", "Used batteries leak.", "", ""},
       {"Delays are common in summer, so book early.", "Book early to avoid delays in summer.", "", ""}});
}

TEST_CASE("nothing after a verb negates the verb and not what follows its preposition") {
  check_rule("negation",
             {{"Shipping is free for orders above 50 euros.",
               "Shipping costs nothing for orders over 50 euros.", "", ""},
              {"Shipping costs 5 euros for orders over 50 euros.",
               "Shipping costs nothing for orders over 50 euros.", "costs", "costs"},
              {"Shipping costs 5 euros. Members get it free.", "Shipping costs nothing for members.", "", ""},
              {"Der Versand ist kostenlos für Bestellungen über 50 Euro.",
               "Der Versand kostet nichts für Bestellungen über 50 Euro.", "", ""},
              {"Der Versand kostet 5 Euro für Bestellungen über 50 Euro.",
               "Der Versand kostet nichts für Bestellungen über 50 Euro.", "kostet", "kostet"},
              {"La livraison est gratuite pour les commandes de plus de 50 euros.",
               "La livraison ne coûte rien pour les commandes de plus de 50 euros.", "", ""},
              {"El envío es gratuito para pedidos de más de 50 euros.",
               "El envío no cuesta nada para pedidos de más de 50 euros.", "", ""},
              {"Nothing in the contract allows subletting.", "The contract allows subletting.", "contract",
               "contract"},
              {"The report says nothing about prices.", "The report gives prices.", "prices", "prices"},
              {"The report mentions nothing about prices.", "The report lists prices.", "prices", "prices"}});
}

TEST_CASE("what may become so is not so yet") {
  check_rule("antonym",
             {{"Registration may become mandatory.", "Registration is voluntary.", "", ""},
              {"Registration could become mandatory.", "Registration is voluntary.", "", ""},
              {"Registration became mandatory.", "Registration is voluntary.", "voluntary", "mandatory"}});
}

TEST_CASE("what is open until a time closes then") {
  check_rule("antonym",
             {{"The museum is open until 18:00.", "The museum closes at 6 pm.", "", ""},
              {"The museum is open from 10:00 to 18:00.", "The museum closes at 6 pm.", "", ""},
              {"The museum opens at 6 pm.", "The museum closes at 6 pm.", "closes", "opens"},
              {"The museum is open until 18:00.", "The museum is closed until 6 pm.", "closed", "open"},
              {"Registration is open until 5 May.", "Registration closes on 5 May.", "", ""},
              {"The exhibition is open from 1 May to 5 June.", "The exhibition is closed on 5 June.",
               "closed", "open"},
              {"Das Museum ist bis 18 Uhr geöffnet.", "Das Museum schließt um 18 Uhr.", "", ""},
              {"Das Museum öffnet um 18 Uhr.", "Das Museum schließt um 18 Uhr.", "schließt", "öffnet"},
              {"Le musée est ouvert de 9 h à 18 h.", "Le musée ferme à 18 h.", "", ""},
              {"Le musée est ouvert jusqu'à 18 heures.", "Le musée ferme à 18 heures.", "", ""},
              {"Le musée ouvre à 18 heures.", "Le musée ferme à 18 heures.", "ferme", "ouvre"},
              {"El museo está abierto hasta las 18 horas.", "El museo cierra a las 18 horas.", "", ""},
              {"El museo abre a las 18 horas.", "El museo cierra a las 18 horas.", "cierra", "abre"}});
}

TEST_CASE("a year that other numbers precede ends no opening time") {
  check_rule("antonym",
             {{"On 3 May 2020 the branch closed.", "The branch opened in May 2020.", "opened", "closed"}});
}

TEST_CASE("hours without a number are not a time between two events") {
  check_rule(
      "unit",
      {{"Opening hours: 10:00-18:00, every day.", "The museum is open daily from 10 am to 6 pm.", "", ""},
       {"Support hours: 9:00 to 18:00, seven days a week.", "Support is available daily.", "", ""},
       {"Store hours are 9 to 5.", "The store is open every day.", "", ""},
       {"Horas abiertas: de 10 a 18.", "El museo está abierto cada día.", "", ""},
       {"Heures ouvertes : de 10 h à 18 h.", "Le musée est ouvert chaque jour.", "", ""},
       {"The newsletter is sent weekly.", "The newsletter is sent daily.", "daily", "weekly"},
       {"The newsletter is sent every week.", "The newsletter is sent every day.", "day", "week"},
       {"The bill passed last month.", "The bill passed last week.", "week", "month"},
       {"Recovery takes days.", "Recovery takes weeks.", "weeks", "days"},
       {"Der Newsletter erscheint wöchentlich.", "Der Newsletter erscheint täglich.", "täglich",
        "wöchentlich"},
       {"Le bulletin paraît chaque semaine.", "Le bulletin paraît chaque jour.", "jour", "semaine"},
       {"El boletín sale cada semana.", "El boletín sale cada día.", "día", "semana"}});
}

TEST_CASE("a number in front of a claim is part of it and no lead-in") {
  check_rule("number", {{"From the age of 18, residents may vote in local elections.",
                         "From the age of 16, residents may vote in local elections.", "16", "18"},
                        {"The drug reduced pain in 300 patients.",
                         "Based on 500 patients, the drug reduced pain.", "500", "300"},
                        {"El medicamento redujo el dolor en 300 pacientes.",
                         "Con base en 500 pacientes, el medicamento redujo el dolor.", "500", "300"}});
  constexpr std::string_view text = "Sales rose by 5%.";
  for (const std::string_view lead :
       {"From our 2023 sales report, ", "From the FAQs, ", "From the press release, ",
        "Based on the 3 documents provided, ", "Based on ISO 9001, ", "Based on section 5 of the contract, ",
        "Based on 500 customer interviews, ", "Based on our audit of 2023, "}) {
    INFO(lead);
    CHECK(verdict_of(std::string(lead) + "sales rose by 5%.", text) == claim_verdict::supported);
  }
}

TEST_CASE("a negation in front of a question does not change a bare answer") {
  citestream::question_scorer scorer;
  const auto verdict = [&](std::string_view claim, std::string_view question, std::string_view reference) {
    const std::string_view references[] = {reference};
    return scorer.score(claim, question, references).found.verdict;
  };
  constexpr std::string_view free = "Returns are free of charge.";
  constexpr std::string_view not_free = "Returns are not free of charge.";
  for (const std::string_view question :
       {"Aren't returns free of charge?", "Aren’t returns free of charge?"}) {
    INFO(question);
    CHECK(verdict("No.", question, free) == claim_verdict::contradicted);
    CHECK(verdict("Yes.", question, free) == claim_verdict::supported);
    CHECK(verdict("No.", question, not_free) == claim_verdict::supported);
    CHECK(verdict("Yes.", question, not_free) == claim_verdict::contradicted);
  }
  constexpr std::string_view gratis = "¿No son gratuitas las devoluciones?";
  CHECK(verdict("No.", gratis, "Las devoluciones son gratuitas.") == claim_verdict::contradicted);
  CHECK(verdict("Sí.", gratis, "Las devoluciones son gratuitas.") == claim_verdict::supported);
  CHECK(verdict("Yes, within 30 days.", "Can't items be returned?",
                "Items can be returned within 30 days.") == claim_verdict::supported);
}

TEST_CASE("a word of the question that an answer denies is not compared") {
  citestream::question_scorer scorer;
  const auto verdict = [&](std::string_view claim, std::string_view question, std::string_view reference) {
    const std::string_view references[] = {reference};
    return scorer.score(claim, question, references).found.verdict;
  };
  struct answered {
    std::string_view question;
    std::string_view claim;
    std::string_view says;
    std::string_view denies;
  };
  for (const answered& each : {
           answered{"Are returns free?", "No, they are not free.", "Returns are not free.",
                    "Returns are free."},
           {"Are returns free?", "Returns aren't free.", "Returns are not free.", "Returns are free."},
           {"Is smoking allowed in rooms?", "No, smoking is not allowed.", "Smoking is not allowed in rooms.",
            "Smoking is allowed in rooms."},
           {"Ist die Rückgabe kostenlos?", "Nein, Rückgabe ist nicht kostenlos.",
            "Die Rückgabe ist nicht kostenlos.", "Die Rückgabe ist kostenlos."},
           {"Est-ce que le retour est gratuit ?", "Non, le retour n'est pas gratuit.",
            "Le retour n'est pas gratuit.", "Le retour est gratuit."},
           {"¿Está el hotel abierto?", "No, el hotel no está abierto.", "El hotel no está abierto.",
            "El hotel está abierto."},
       }) {
    INFO(each.claim);
    CHECK(verdict(each.claim, each.question, each.says) == claim_verdict::supported);
    CHECK(verdict(each.claim, each.question, each.denies) == claim_verdict::contradicted);
  }
}
