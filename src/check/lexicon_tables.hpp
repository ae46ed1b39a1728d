/// \file
/// The words of the lexicon, for lexicon.cpp: lists in lower case without accents, as word_reader folds them.
///
/// Function words are found by all their letters, content words by their stem, so one form of each regular
/// word is enough. `classes` has classes separated by semicolons, and their members separated by bars: words
/// of one member mean much the same, words of different members exclude one another. The first class of a
/// word counts. Each language has classes of its own, because the same letters may be another word elsewhere
/// (`Fall` is a case in German).
#pragma once

#include <string_view>

#include "check/lexicon.hpp"

namespace citestream::check_detail::lexicon_tables {

inline constexpr auto english = language::english;
inline constexpr auto german = language::german;
inline constexpr auto french = language::french;
inline constexpr auto spanish = language::spanish;

/// Words of English that do not show what a text is about: articles, pronouns, auxiliaries and the like.
/// Those of other languages are among the function words: see is_stop_role().
inline constexpr std::string_view english_stop_words =
    "a about above according across actually additionally after again against ago all almost along already "
    "also although always am among an and another any anyone anything are aren around as at away back based "
    "be became because become becomes been before behind being below besides between both but by can cannot "
    "consequently could couldn d did didn do does doesn doing don done due during each eg either else enough "
    "especially etc eur even ever every everyone everything few finally for from further furthermore gbp get "
    "gets getting go goes going gone got had hadn has hasn have haven having he hence her here hers herself "
    "him himself his how however i ie if in include included includes including indeed instead into is isn "
    "it its itself just likewise ll lot lots m made make makes making many may maybe me might mine more "
    "moreover most mostly much must mustn my myself namely near nearly neither nevertheless no nobody none "
    "nonetheless nor not notably nothing now o of off often on once one ones only onto or other others "
    "otherwise our ours ourselves out over overall own per perhaps please put quite rather re really "
    "regarding s said same say says see seem seemed seems seen several shall she should shouldn similarly "
    "since so some somehow someone something sometimes somewhat soon specifically still such t than that the "
    "their theirs them themselves then there thereby therefore these they thing things this those though "
    "through throughout thus to together too toward towards ultimately under unless until unto up upon us "
    "usd use used uses using usually various ve very via vs was wasn way ways we well were weren what "
    "whatever when whenever where whereas wherever whether which while who whoever whole whom whose why will "
    "with within without won would wouldn yet you your yours yourself yourselves";

/// Returns true if function words with this role do not show what a text is about.
[[nodiscard]] constexpr bool is_stop_role(word_role role) noexcept {
  return role != word_role::except && role != word_role::denial && role != word_role::limiter &&
         role != word_role::bound && role != word_role::fraction && role != word_role::adjacent &&
         role != word_role::expectation && role != word_role::obligation && role != word_role::times &&
         role != word_role::rest;
}

/// Function words with the same meaning.
struct function_row {
  constexpr function_row(language of, word_role role, std::string_view all) noexcept
      : function_row(of, {.role = role, .stop = of != english && is_stop_role(role)}, all) {}
  constexpr function_row(language of, rounding rounds, std::string_view all) noexcept
      : function_row(of, {.rounds = rounds}, all) {}
  constexpr function_row(language of, const word_sense& common, std::string_view all) noexcept
      : in(of), sense(common), words(all) {}

  language in;
  word_sense sense;
  std::string_view words;
};

inline constexpr word_sense number_one{.stop = true, .count = 1};
inline constexpr word_sense half{.role = word_role::fraction, .count = 2};

inline constexpr function_row function_words[] = {
    {english, word_sense{.stop = true}, english_stop_words},
    {english, word_role::negator,
     "not no never nor neither nobody none nothing nowhere cannot lack lacks lacked"},
    {english, word_role::lacking, "without"},
    {english, word_role::denial, "impossible unable incapable exempt exempted excluded ineligible"},
    {english, word_role::limiter, "only just merely simply solely"},
    {english, word_role::alternative, "or"},
    {english, word_role::conjunction, "and while but whereas"},
    {english, word_role::preposition,
     "in on at with of for into onto during about against among between over under near as up down out off "
     "to from"},
    {english, word_role::until, "till until through"},
    {english, word_role::condition, "if"},
    {english, word_role::except, "except excepting excluding unless"},
    {english, word_role::article,
     "a an the this that these those its his her their our your my any each every some"},
    {english, word_role::agent, "by"},
    {english, word_role::auxiliary, "is are was were be been being get got gets"},
    {english, word_role::than, "than"},
    {english, word_role::comparative, "more less fewer"},
    {english, word_role::symmetric,
     "meet met marry married border borders equal equals resemble resembles match matches face faces join "
     "joins joined merge merged passed passes versus vs"},
    {english, word_role::bound, "least most maximum minimum"},
    {english, half, "half"},
    {english, word_role::fraction, "third thirds quarter quarters fifth fifths tenth tenths"},
    {english, word_role::adjacent, "previous preceding earlier prior following next later"},
    {english, word_role::expectation,
     "fear feared fearing expect expected expecting hope hoped hoping predict predicted forecast "
     "anticipate anticipated warn warned threaten threatened deny denied doubt doubted attributed believed "
     "thought supposedly allegedly formerly"},
    {english, word_role::obligation, "need needs needed required obliged necessary"},
    {english, word_role::times, "times"},
    {english, word_sense{.role = word_role::times, .count = 2}, "twice"},
    {english, word_role::rest, "rest remaining remainder"},
    {german, word_role::negator,
     "nicht nichts kein keine keinem keinen keiner keines keinesfalls keineswegs nie niemals niemand weder"},
    {german, word_role::lacking, "ohne"},
    {german, word_role::denial, "unmoglich befreit verhindert verhindern"},
    {german, word_role::limiter, "nur blos lediglich allein erst"},
    {german, word_role::alternative, "oder"},
    {german, word_role::conjunction, "und wahrend aber sondern jedoch"},
    {german, word_role::preposition,
     "in im an am auf aus bei beim mit nach seit statt zu zum zur uber unter vor fur gegen um durch"},
    {german, word_role::until, "bis"},
    {german, word_role::condition, "wenn falls sofern solange bevor ehe"},
    {german, word_role::except, "auser ausgenommen"},
    {german, word_role::article, "der die das des dem den ein eine einer eines einem einen"},
    {german, word_role::agent, "von vom"},
    {german, word_role::auxiliary, "wird werden wurde wurden worden ist sind war waren"},
    {german, word_role::maybe_than, "als"},
    {german, word_role::comparative, "mehr weniger"},
    {german, word_role::bound, "mindestens wenigstens minimal minimum hochstens maximal maximum"},
    {german, word_role::none,
     "er sie es wir ihr ich du sich auch hat haben hatte hatten sein seine seiner seinem seinen ihre ihrer "
     "ihrem ihren ihres kann konnen muss mussen soll sollen darf durfen wie so noch nur schon sehr je wenn "
     "dass ob oder denn da dies diese dieser dieses diesem diesen welche welcher welches was wer man uns "
     "unser unsere hier dort dann doch etwa rund zwischen jede jeder jedes alle einige immer manchmal "
     "auserdem zudem ferner insgesamt schlieslich"},
    {german, half, "halb halbe halben halber halbes halfte"},
    {german, word_role::fraction, "drittel viertel funftel zehntel"},
    {german, word_role::adjacent,
     "vorjahr vorjahres zuvor vorigen vergangenen folgejahr folgenden nachsten darauf"},
    {german, word_role::expectation,
     "befurchtet befurchtete befurchteten erwartet erwartete erwarteten gehofft hofft hoffte hofften"},
    {german, word_role::obligation, "brauche brauchen braucht"},
    {german, word_role::times, "mal"},
    {german, word_role::rest, "rest restliche restlichen ubrige ubrigen"},
    {french, word_role::negator, "ne pas jamais aucun aucune rien ni n"},
    {french, word_role::lacking, "sans"},
    {french, word_role::denial,
     "impossible incapable dispense dispenses exempte exemptes empeche empechent empecher"},
    {french, word_role::limiter, "seulement uniquement simplement"},
    {french, word_role::alternative, "ou"},
    {french, word_role::conjunction, "et mais tandis alors"},
    {french, word_role::preposition,
     "dans en sur aux avec pour sous vers chez entre depuis pendant de du des d partir"},
    {french, word_role::until, "au jusqu jusque"},
    {french, word_role::condition, "si tant"},
    {french, word_role::except, "sauf excepte hormis"},
    {french, word_role::article, "le la les l un une"},
    {french, word_role::agent, "par"},
    {french, word_role::auxiliary, "est sont ete etait etaient sera fut furent etre"},
    {french, word_role::maybe_than, "que qu"},
    {french, word_role::comparative, "plus moins"},
    {french, word_role::none,
     "a il elle ils elles on nous vous je tu se s son sa ses leur leurs ce cet cette ces c qui dont ou y "
     "ont avait avaient avoir peut peuvent doit doivent si aussi tres comme donc car tout tous toute "
     "toutes quelques certains chaque lui eux meme encore deja ainsi environ lors apres avant notre nos "
     "votre vos toujours parfois fait aujourd hui outre enfin ailleurs"},
    {french, word_role::bound, "minimum minimale maximum maximale"},
    {french, half, "demi demie moitie"},
    {french, word_role::fraction, "tiers quart quarts"},
    {french, word_role::adjacent, "precedente precedent suivante suivant"},
    {french, word_role::expectation,
     "craint craignait craignaient espere esperait prevoit prevoyait attendait redoutait"},
    {french, word_role::times, "fois"},
    {french, word_role::rest, "reste restant restante"},
    {spanish, word_role::negator, "no nunca jamas nada ningun ninguna ninguno nadie ni tampoco"},
    {spanish, word_role::lacking, "sin"},
    {spanish, word_role::denial, "imposible incapaz exento exenta exentos exentas impide impiden impedir"},
    {spanish, word_role::limiter, "solo solamente unicamente"},
    {spanish, word_role::alternative, "o u"},
    {spanish, word_role::conjunction, "y e pero mientras sino"},
    {spanish, word_role::preposition,
     "en a al con para sobre bajo entre desde hacia contra de del segun durante partir"},
    {spanish, word_role::until, "hasta"},
    {spanish, word_role::condition, "si"},
    {spanish, word_role::except, "excepto salvo"},
    {spanish, word_role::article, "el la los las un una unos unas"},
    {spanish, word_role::agent, "por"},
    {spanish, word_role::auxiliary, "es son fue fueron era eran ser sido esta estan estaba estaban sera"},
    {spanish, word_role::maybe_than, "que"},
    {spanish, word_role::comparative, "mas menos mayor menor mejor peor"},
    {spanish, word_role::none,
     "lo le les se su sus este esta estos estas ese esa esos esas aquel quien cual cuyo donde cuando como "
     "si ya muy tambien o u ha han habia hay haber puede pueden debe deben tiene tienen todo todos toda "
     "todas cada algunos algunas mi tu nos nuestro nuestra asi porque pues aun siempre veces unos cerca "
     "tras ademas asimismo finalmente"},
    {spanish, word_role::bound, "minimo minima maximo maxima"},
    {spanish, half, "medio media mitad"},
    {spanish, word_role::fraction, "tercio tercios cuarto cuartos"},
    {spanish, word_role::adjacent, "anterior previo siguiente"},
    {spanish, word_role::expectation,
     "temia temian temio temen esperaba esperaban espera esperan preveia prevista previsto"},
    {spanish, word_role::times, "veces"},
    {spanish, word_role::rest, "resto restante"},
    {english, rounding::about, "about around roughly approximately circa ca some"},
    {english, rounding::beyond, "over above more exceed exceeds exceeded exceeding"},
    {english, rounding::below, "nearly almost under below less fewer"},
    {german, rounding::about, "rund etwa circa ca ungefahr gut"},
    {german, rounding::beyond, "uber mehr ubersteigen ubersteigt uberschreiten uberschreitet"},
    {german, rounding::below, "fast knapp beinahe unter weniger"},
    {french, rounding::about, "environ pres quelque autour"},
    {french, rounding::beyond, "plus depasse depassent depasser excede exceder"},
    {french, rounding::below, "presque moins"},
    {spanish, rounding::about, "unos unas cerca aproximadamente alrededor"},
    {spanish, rounding::beyond, "mas supera superan superar excede exceder excedera"},
    {spanish, rounding::below, "casi menos"},
    // Forms that differ in meaning from other words with their stem: `lower`, `Fall`, `laut`.
    {english, word_role::none, "lowered lowers lowering contracted lose loses losing paid"},
    {german, word_sense{}, "gefallen geschlossen geschlossene geschlossenen gekurzt gekurzte kurzte lauter"},
    {french, word_sense{}, "legal"},
    // In German, French and Spanish the number 1 is also the indefinite article.
    {english, number_one, "one"},
    {german, number_one, "ein eine einem einen einer eines"},
    {french, number_one, "un une"},
    {spanish, number_one, "un una"},
};

/// Content words that deny something by their meaning, each with all of its stems.
inline constexpr std::string_view undoing_words[] = {
    "remove removal disable suppress prevent prevention avoid ignore omit skip exclude discontinue abolish "
    "withdraw withdrew withdrawn withdrawal cancel cancellation reject suspend suspension revoke repeal "
    "eliminate delete halt cease waive dismiss drop scrap retire deprecate bug missing absent absence",
    "entfernen entfernt abschaffen abgeschafft beheben behoben ablehnen abgelehnt eingestellt absagen "
    "abgesagt streichen gestrichen aufgehoben vermeiden vermeidet vermieden unterdrucken unterdruckt "
    "ignorieren ignoriert ausgeschlossen ausgesetzt entfallen entfallt widerrufen zuruckgezogen deaktivieren "
    "deaktiviert fehlen fehlt fehlte fehlend",
    "supprimer supprime abolir aboli annuler annule rejeter rejete rejette refuser refuse suspendre suspendu "
    "retirer retire eviter evite ignorer ignore desactiver desactive abandonner abandonne exclure exclu "
    "manquer manque manquent absent absence",
    "eliminar elimina eliminado suprimir suprime suprimido anular anulado cancelar cancelado rechazar "
    "rechazado suspender suspendido evitar evita ignorar ignora omitir omite desactivar desactivado retirar "
    "retirado abolir abolido excluir excluido faltar falta faltan ausente ausencia"};

/// What the members of a class have in common.
struct class_type {
  contradiction_rule rule;
  class_kind kind{};
};
inline constexpr class_type antonym{contradiction_rule::antonym};
inline constexpr class_type change{contradiction_rule::antonym, class_kind::change};
inline constexpr class_type transfer{contradiction_rule::antonym, class_kind::transfer};
inline constexpr class_type ban{contradiction_rule::antonym, class_kind::ban};
inline constexpr class_type opening{contradiction_rule::antonym, class_kind::opening};
inline constexpr class_type sequence{contradiction_rule::antonym, class_kind::sequence};
inline constexpr class_type modal{contradiction_rule::quantity, class_kind::modal};
inline constexpr class_type amount{contradiction_rule::quantity, class_kind::amount};
inline constexpr class_type month{contradiction_rule::month};
inline constexpr class_type weekday{contradiction_rule::weekday};
inline constexpr class_type place{contradiction_rule::place};
inline constexpr class_type order{contradiction_rule::order};
inline constexpr class_type unit{contradiction_rule::unit};
inline constexpr class_type metric{contradiction_rule::unit, class_kind::metric};
inline constexpr class_type duration{contradiction_rule::unit, class_kind::duration};
inline constexpr class_type direction{contradiction_rule::direction};

/// Classes of one type that follow one another. Those of places start with continents: see
/// class_member::may_contain().
struct class_run {
  language in;
  class_type type;
  std::string_view classes;
};

inline constexpr class_run classes[] = {
    {english, change,
     "rise rose risen increase grow grew grown growth gain climb surge soar jump swell rebound raise lift "
     "boost hike expand skyrocket escalate uptick upturn|fall fell fallen decrease drop decline shrink "
     "shrank shrunk plunge slump dip slip tumble slid diminish dwindle retreat cut reduce trim "
     "lessen plummet downturn lowered lowers lowering contracted"},
    {english, antonym,
     "upward up|downward down; higher high upper|lower low; more|less fewer; most|least; maximum|minimum; "
     "highest|lowest; above|below; once|twice|thrice; inside|outside"},
    {english, transfer, "buy bought purchase|sell sold; borrow|lend lent"},
    {english, ban,
     "allow permit permission authorize legalize legalise|prohibit forbid forbade forbidden ban banned "
     "disallow outlaw"},
    {english, opening, "open reopen|close shut"},
    {english, sequence, "before|after"},
    {english, antonym,
     "legal lawful|illegal unlawful; accept approve approval grant ratify|reject refuse deny denied decline "
     "veto; enable|disable; enabled|disabled; include included includes including|exclude; start begin began "
     "begun commence|end finish stop cease terminate; win won victory keep kept retain|lose loses losing "
     "lost; winner|loser; import|export; hire recruit appoint|fire dismiss resign; arrive arrival|depart "
     "departure; enter|exit; join stay|leave left quit; add|remove delete erase abolish scrap discontinue; "
     "install|uninstall; connect|disconnect; attach|detach; lock|unlock; encrypt|decrypt; "
     "compress|decompress; upload|download; push|pull; succeed success successful|fail failure unsuccessful; "
     "pass|flunk; improve better|worsen worse deteriorate; best|worst; extend enlarge prolong|contract "
     "shorten; renew|cancel; strengthen|weaken; strong|weak; accelerate faster fast rapid quick quicker "
     "quickly|decelerate slower slow slowly; large larger big bigger|small smaller little; largest "
     "biggest|smallest; longer long tall taller|shorter short; longest|shortest; older old|younger young "
     "newer; oldest|youngest newest; early earlier|late later; heavy heavier|light lighter; wide wider "
     "widen|narrow narrower; inner|outer; deep deeper|shallow shallower; thick thicker|thin thinner; hot "
     "hotter warm warmer|cold colder cool cooler; hottest warmest|coldest coolest; wet|dry; clean|dirty; "
     "strict stricter|lenient; near nearer|far farther; identical|different differ; deposit|withdraw "
     "withdrew withdrawn withdrawal; gross|net; beforehand|afterwards subsequently; full|empty vacant; rich "
     "wealthy|poor; loud louder noisy noisier|quiet quieter; loudest noisiest|quietest; cheap cheaper "
     "inexpensive|expensive dear dearer costlier pricier; cheapest|dearest costliest priciest; easy easier "
     "simple|difficult hard harder; safe|dangerous unsafe hazardous; true correct right|false incorrect "
     "wrong; positive|negative; profit profitable|loss unprofitable; surplus|deficit; asset|liability; "
     "income|expense; credit|debit; demand|supply; public|private; domestic|foreign; internal|external; "
     "urban|rural; local|remote; online|offline; manual|automatic automated; virtual|physical; "
     "temporary|permanent; voluntary optional|mandatory compulsory obligatory required necessary obligation; "
     "free complimentary|paid; visible|invisible hidden; available|unavailable; possible|impossible; "
     "likely|unlikely; common|rare uncommon; usual|unusual; known|unknown; effective|ineffective; "
     "efficient|inefficient; significant|insignificant; complete|incomplete partial; "
     "compatible|incompatible; stable|unstable; valid|invalid void; healthy|unhealthy sick ill; "
     "guilty|innocent; convict|acquit; alive|dead; born birth|died die dying death; male man men|female "
     "woman women; father|mother; brother|sister; husband|wife; son|daughter; boy|girl; adult|child "
     "children; teacher|student pupil; employer|employee; landlord|tenant; friend ally|enemy; peace|war; "
     "attack|defend; support favour favor|oppose opposition; agree|disagree; confirm|refute disprove; "
     "admit|denial; uphold upheld|overturn overrule overruled; praise|criticize criticise condemn; love "
     "like|hate dislike; remember|forget forgot forgotten; create build built construct|destroy demolish; "
     "cause|prevent; major|minor; encourage|discourage; tighten|loosen relax ease; save|spend spent waste; "
     "appear|disappear vanish; float|sink sank sunk; freeze froze frozen|melt thaw; wake|sleep; left|right; "
     "front|rear; top|bottom; ahead|behind; daytime|nighttime; weekend weekends|weekday weekdays; "
     "morning|evening|afternoon; past|future; ancient|modern; natural|artificial synthetic; solid|liquid; "
     "raw|cooked; acid acidic|alkaline; active|inactive passive dormant; vertical|horizontal; odd|even; noon "
     "midday|midnight; dawn sunrise|dusk sunset; indoor indoors|outdoor outdoors; upstairs|downstairs; "
     "clockwise|counterclockwise anticlockwise; ascend|descend descending; inbound|outbound; king|queen; "
     "aunt|uncle; uphill|downhill; senior|junior; advantage benefit|disadvantage drawback; "
     "optimistic|pessimistic; separate|together; wired|wireless; reusable|disposable; acute|chronic; "
     "benign|malignant; oral|intravenous; refundable|nonrefundable; tax|untaxed; unanimous|divided"},
    {english, amount,
     "all every each always entire everyone everybody|most majority many usually often frequently "
     "mostly|some certain sometimes several partly occasionally|few minority least seldom"},
    {english, modal, "must shall|may might"},
    {english, month,
     "january jan|february feb|march|april apr|mai|june jun|july jul|august aug|september sep "
     "sept|october oct|november nov|december dec"},
    {english, weekday,
     "monday mondays|tuesday tuesdays|wednesday wednesdays|thursday thursdays|friday fridays|saturday "
     "saturdays|sunday sundays"},
    {english, month, "spring|summer|autumn|winter"},
    {english, place,
     "eu europe european|africa african|asia asian|usa america american|uk britain british|china "
     "chinese|japan japanese|india indian|russia russian|germany german|france french|spain spanish|italy "
     "italian|canada canadian|brazil brazilian|mexico mexican|australia australian|austria "
     "austrian|switzerland swiss|poland polish|sweden swedish|norway norwegian|denmark danish|finland "
     "finnish|iceland icelandic|netherlands dutch|belgium belgian|luxembourg|portugal portuguese|greece "
     "greek|turkey turkish|ukraine ukrainian|czechia czech|slovakia slovak|slovenia slovenian|hungary "
     "hungarian|romania romanian|bulgaria bulgarian|serbia serbian|croatia croatian|bosnia bosnian|albania "
     "albanian|kosovo|moldova|belarus belarusian|estonia estonian|latvia latvian|lithuania lithuanian|malta "
     "maltese|cyprus cypriot|korea korean|vietnam vietnamese|thailand thai|indonesia indonesian|malaysia "
     "malaysian|singapore|philippines philippine|pakistan pakistani|bangladesh|nepal nepalese|afghanistan "
     "afghan|mongolia mongolian|kazakhstan|uzbekistan|armenia armenian|azerbaijan|israel israeli|lebanon "
     "lebanese|syria syrian|iraq iraqi|iran iranian|qatar|kuwait|yemen|egypt egyptian|libya libyan|tunisia "
     "tunisian|algeria algerian|morocco moroccan|kenya kenyan|tanzania tanzanian|uganda "
     "ugandan|rwanda|ethiopia ethiopian|somalia|sudan|nigeria nigerian|ghana "
     "ghanaian|senegal|cameroon|congo|angola angolan|zambia "
     "zambian|zimbabwe|namibia|botswana|mozambique|madagascar|peru peruvian|argentina argentine|chile "
     "chilean|bolivia bolivian|colombia colombian|ecuador|venezuela venezuelan|uruguay|paraguay|cuba "
     "cuban|haiti|jamaica jamaican|panama|guatemala|honduras|nicaragua|ireland irish; england "
     "english|scotland scottish|wales welsh; north northern|south southern|east eastern|west western"},
    {english, order, "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"},
    {english, metric,
     "mcg microgram ug µg μg|||mg milligram|||g gram grams|||kg kilogram kilo|||tonne ton|/ounce "
     "oz|/pound lb lbs; mm millimetre millimeter|cm centimetre centimeter||m metre meter|||km kilometre "
     "kilometer|/inch inches|/foot feet ft|/yard|/mile miles mi"},
    {english, duration,
     "ms millisecond|s sec second seconds|minute min|h hour hr|day days "
     "daily|week|month|year|decade|century centuries"},
    {english, unit, "c celsius|f fahrenheit|k kelvin"},
    {english, metric,
     "millilitre milliliter ml|cl|dl|l litre liter|/gallon|/pint; byte|||kb kilobyte|||mb megabyte|||gb "
     "gigabyte|||tb terabyte; kbit kilobit|||mbit megabit|||gbit gigabit; watt w|||kw kilowatt|||mw "
     "megawatt|||gw gigawatt; wh|||kwh|||mwh|||gwh|||twh; hz hertz|||khz kilohertz|||mhz megahertz|||ghz "
     "gigahertz; mah|||ah"},
    {english, unit, "yen|franc chf|rupee|yuan|krona kronor krone|peso|dollar|euro"},
    {english, direction, "by|to|from"},

    {german, change,
     "steigen steigt stieg stiegen gestiegen anstieg zunehmen zugenommen zuwachs wuchs gewachsen wachst "
     "erhoht erhohte erhohen erhohung ansteigen angestiegen zunahme zunahm zunimmt steigerung wachstum "
     "aufwarts zulegen zugelegt klettern kletterte|sinken sinkt sank sanken gesunken senken senkt "
     "abgenommen fiel fielen gefallen zuruckgegangen rucklaufig gesenkt senkte senkung verringert "
     "verringerte verringerung reduziert reduzierte reduzierung gekurzt kurzte ruckgang abnahme abwarts "
     "einbruch eingebrochen schrumpfte geschrumpft nachgelassen abnahm"},
    {german, antonym, "hoher hoch|niedriger niedrig; mehr|weniger; uber oberhalb|unter unterhalb"},
    {german, sequence, "vor|nach"},
    {german, transfer, "kaufte gekauft kauft|verkaufte verkauft"},
    {german, ban, "erlaubt zulassig zugelassen gestattet|verboten unzulassig untersagt"},
    {german, opening, "geoffnet offnet eroffnet offen|geschlossen schliest"},
    {german, antonym,
     "beginnt begann begonnen startet|endet endete beendet; gewann gewinnt gewonnen behalten behalt "
     "behielt|verlor verliert verloren; gewinn uberschuss|verlust defizit; groser gros|kleiner klein; "
     "groste|kleinste; langer lang|kurzer kurz; alter|junger|neuer; schneller schnell|langsamer langsam; "
     "warmer warm heis|kalter kalt; billiger gunstiger billig gunstig|teurer teuer; angenommen "
     "genehmigt|abgelehnt verweigert; aktiviert|deaktiviert inaktiv passiv; verlangert verlangern|verkurzt "
     "verkurzen; verbessert verbessern|verschlechtert verschlechtern; verscharft verscharfen|gelockert "
     "lockern; bestatigt|dementiert; enthalten inbegriffen inklusive|ausgeschlossen exklusive; kostenlos "
     "gratis kostenfrei gebuhrenfrei unentgeltlich umsonst|kostenpflichtig gebuhrenpflichtig; freiwillig "
     "optional fakultativ|verpflichtend verpflichtet vorgeschrieben pflicht obligatorisch zwingend "
     "erforderlich notwendig notig; offentlich|privat; sicher|gefahrlich unsicher; moglich|unmoglich; "
     "gultig|ungultig; fruher fruh|spater spat; maximal hochstens maximum|minimal mindestens wenigstens "
     "minimum; import einfuhr|export ausfuhr; lauter|leiser leise; schwerer schwer|leichter leicht; breiter "
     "breit|schmaler schmal; dicker dick|dunner dunn; tiefer tief|flacher flach; starker stark|schwacher "
     "schwach; besser|schlechter; beste|schlechteste; billigste gunstigste|teuerste; schnellste|langsamste; "
     "hochste|niedrigste; alteste|jungste neueste; heller hell|dunkler dunkel; nass|trocken; voll|leer; "
     "innen|ausen; oben|unten; vorn|hinten; naturlich|kunstlich; manuell|automatisch; befristet "
     "vorubergehend|unbefristet dauerhaft; richtig korrekt|falsch; positiv|negativ; legal rechtmasig|illegal "
     "rechtswidrig; ankunft ankommen|abfahrt abfahren; angebot|nachfrage; arbeitgeber|arbeitnehmer; "
     "sieg|niederlage; anwesend|abwesend; bekannt|unbekannt; schuldig|unschuldig; geboren geburt|gestorben "
     "verstorben starb sterben stirbt tod; werktags|wochenende; vormittags|nachmittags; morgens|abends; "
     "brutto|netto; drinnen|drausen; mannlich|weiblich; mutter|vater; bruder|schwester; sohn|tochter; "
     "ehemann|ehefrau; konig|konigin; erfolg erfolgreich|misserfolg erfolglos gescheitert scheiterte; "
     "hinzufugen hinzugefugt|entfernen entfernt; vorab vorher bevor|nachtraglich nachher hinterher nachdem"},
    {german, amount,
     "alle jede jeder jedes immer samtliche|meiste meisten meist viele vielen mehrheit oft haufig "
     "meistens|einige manche manchmal teilweise|wenige wenigen minderheit selten"},
    {german, modal, "muss mussen|darf durfen kann konnen"},
    {german, month, "januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember"},
    {german, weekday,
     "montag montags|dienstag dienstags|mittwoch mittwochs|donnerstag donnerstags|freitag "
     "freitags|samstag samstags sonnabend|sonntag sonntags"},
    {german, month, "fruhling fruhjahr|sommer|herbst|winter"},
    {german, place,
     "eu europa|afrika|asien|usa "
     "amerika|deutschland|osterreich|schweiz|frankreich|spanien|italien|polen|china|japan|indien|russland|"
     "england|kanada|niederlande|belgien|danemark|schweden|norwegen|portugal|griechenland|turkei|ukraine|"
     "tschechien|slowakei|slowenien|ungarn|rumanien|bulgarien|serbien|kroatien|bosnien|albanien|moldau|"
     "belarus|estland|lettland|litauen|finnland|island|irland|luxemburg|liechtenstein|malta|zypern|korea|"
     "vietnam|thailand|indonesien|malaysia|singapur|philippinen|pakistan|bangladesch|nepal|afghanistan|"
     "mongolei|kasachstan|armenien|israel|libanon|syrien|irak|iran|katar|agypten|libyen|tunesien|algerien|"
     "marokko|kenia|tansania|uganda|ruanda|athiopien|somalia|sudan|nigeria|ghana|senegal|kamerun|kongo|"
     "angola|sambia|simbabwe|namibia|mosambik|madagaskar|sudafrika|australien|neuseeland|brasilien|"
     "argentinien|chile|peru|bolivien|kolumbien|ecuador|venezuela|uruguay|paraguay|mexiko|kuba|panama; "
     "schottland|wales; norden nordlich|suden sudlich|osten ostlich|westen westlich"},
    {german, order, "erste ersten|zweite zweiten|dritte dritten|vierte vierten"},
    {german, metric,
     "µg μg mikrogramm|||mg milligramm|||g gramm|||kg kilogramm kilo|||tonne tonnen|/pfund; millimeter "
     "mm|zentimeter cm||m meter|||kilometer km|/meile meilen; ml milliliter|cl|dl|l liter; "
     "kb|||mb|||gb|||tb; watt w|||kw kilowatt|||mw megawatt|||gw gigawatt; wh|||kwh|||mwh|||gwh|||twh"},
    {german, duration,
     "ms millisekunde millisekunden|s sekunde sekunden|minute minuten min|h stunde stunden|tag tage tagen "
     "taglich|woche wochen wochentlich|monat monate monaten monatlich|jahr jahre jahren "
     "jahrlich|jahrzehnt|jahrhundert"},
    {german, unit, "euro|dollar|franken chf|pfund; c celsius|f fahrenheit|k kelvin"},
    {german, direction, "um|auf|von ab"},

    {french, change,
     "augmente augmentent augmentation bondi bondit grimpe progresse progression hausse croissance croit "
     "augmenter accru accroit accroitre accroissement monte montee releve grimper progresser bondir "
     "envole envolee croitre|abaisse ralentit reduit reduire reduisent diminue diminuent diminuer "
     "diminution baisse baissent baisser recule recul reculer chute chuter plonge repli flechi flechit "
     "regresse regression decroit decroissance effondre effondrement"},
    {french, antonym, "eleve elevee superieur|bas basse inferieur; plus|moins"},
    {french, sequence, "avant|apres"},
    {french, transfer, "achete acheter achat|vend vendu vendre"},
    {french, ban, "autorise permis permet admis admise admet legal|interdit interdite prohibe illegal"},
    {french, opening, "ouvre ouvert ouverte ouvrent|ferme fermee ferment"},
    {french, antonym,
     "commence debute|termine finit acheve; gagne remporte garde conserve victoire|perd perdu defaite; "
     "benefice excedent profit|perte deficit; grand grande|petit petite; long longue|court courte; ancien "
     "ancienne vieux|jeune nouveau nouvelle; rapide|lent lente; chaud chaude|froid froide; cher chere "
     "couteux couteuse onereux|abordable economique; accepte approuve adopte|refuse rejette rejete; inclus "
     "incluse inclut compris|exclu exclut exclue; gratuit gratuite|payant payante; obligatoire imperatif "
     "imperative requis requise|facultatif facultative optionnel optionnelle; public publique|prive privee; "
     "positif positive|negatif negative; possible|impossible; tot|tard; maximum maximale|minimum minimale; "
     "importe importation|exporte exportation; active|desactive; prolonge|raccourci; ameliore|aggrave; "
     "renforce|affaibli; confirme|dementi; bruyant bruyante|silencieux silencieuse; lourd lourde|leger "
     "legere; large|etroit etroite; epais epaisse|mince; fort forte|faible; meilleur meilleure|pire; plein "
     "pleine|vide; riche|pauvre; interieur|exterieur; naturel naturelle|artificiel artificielle; cru|cuit; "
     "manuel manuelle|automatique; temporaire provisoire|permanent permanente definitif definitive; correct "
     "exact|incorrect faux fausse inexact; recette|depense; locataire|proprietaire bailleur; "
     "employeur|employe salarie; acheteur|vendeur; connu|inconnu; naissance nait|mort deces meurt mourir "
     "decede; matin|soir; dedans|dehors; pere|mere; frere|soeur; homme|femme; roi|reine; brut|net; succes "
     "reussi reussite|echec echoue; ajoute ajouter|supprime supprimer; demeure reste restent|quitte quitter; "
     "auparavant prealablement|ensuite ulterieurement; ouverture|fermeture"},
    {french, amount,
     "tous tout toutes toute chaque toujours|plupart majorite beaucoup souvent frequemment|certains "
     "certaines quelques parfois plusieurs|peu minorite rarement"},
    {french, modal, "doit doivent|peut peuvent"},
    {french, month, "janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre"},
    {french, weekday,
     "lundi lundis|mardi mardis|mercredi mercredis|jeudi jeudis|vendredi vendredis|samedi "
     "samedis|dimanche dimanches"},
    {french, month, "printemps|ete|automne|hiver"},
    {french, place,
     "ue europe|afrique|asie|usa "
     "amerique|allemagne|autriche|suisse|france|espagne|italie|pologne|chine|japon|inde|russie|angleterre|"
     "canada|belgique|danemark|suede|norvege|portugal|maroc|algerie|grece|turquie|ukraine|tchequie|slovaquie|"
     "slovenie|hongrie|roumanie|bulgarie|serbie|croatie|bosnie|albanie|bielorussie|estonie|lettonie|lituanie|"
     "finlande|islande|irlande|luxembourg|malte|chypre|coree|vietnam|thailande|indonesie|malaisie|singapour|"
     "philippines|pakistan|bangladesh|nepal|afghanistan|mongolie|kazakhstan|armenie|israel|liban|syrie|irak|"
     "iran|qatar|egypte|libye|tunisie|kenya|tanzanie|ouganda|rwanda|ethiopie|somalie|soudan|nigeria|ghana|"
     "senegal|cameroun|congo|angola|zambie|zimbabwe|namibie|mozambique|madagascar|australie|bresil|argentine|"
     "chili|perou|bolivie|colombie|equateur|venezuela|uruguay|paraguay|mexique|cuba|haiti|panama|monaco; "
     "ecosse|galles; nord|sud|est|ouest"},
    {french, order, "premier premiere|deuxieme second seconde|troisieme|quatrieme"},
    {french, metric,
     "µg μg microgrammes|||mg milligrammes|||g gramme grammes|||kg kilogramme kilogrammes kilos|||tonne "
     "tonnes|/livres; millimetre millimetres mm|centimetre centimetres cm||m metre metres|||kilometre "
     "kilometres km; ml millilitres|cl centilitres|dl|l litre litres; ko|||mo|||go; watt watts w|||kw "
     "kilowatts|||mw megawatts|||gw; wh|||kwh|||mwh|||gwh|||twh"},
    {french, duration,
     "ms millisecondes|s seconde secondes|minute minutes min|h heure heures|jour jours|semaine "
     "semaines|mois mensuel mensuelle|an ans annee annees annuel annuelle|decennie|siecle siecles"},
    {french, unit,
     "c celsius|f fahrenheit|k kelvin; euro euros|dollar dollars|franc francs chf|livre livres|yen"},
    {french, direction, "de|a"},

    {spanish, change,
     "aumento aumenta aumentan aumentaron aumentado incremento encarecio subio sube suben subieron subido "
     "crecio crece crecimiento subida alza disparo elevo ascendio ascenso repunto amplio ampliar|disminuyo "
     "disminuyen disminuyeron abarato rebaja rebajo retrocedio bajo bajaron bajan cayo cayeron cae caida "
     "descenso descendio desciende disminucion reduccion retroceso desplomo desplome recorto recorte "
     "bajada bajado redujo redujeron reducir reduce reducen reducido"},
    {spanish, antonym, "alto alta superior|bajo baja inferior; mas|menos; mayor|menor; mejor|peor"},
    {spanish, sequence, "antes|despues"},
    {spanish, transfer, "compro compra|vendio vende"},
    {spanish, ban,
     "permitido permite permitida autorizado admitido admite legal|prohibido prohibe prohibida ilegal"},
    {spanish, opening, "abre abierto abierta abrio|cierra cerrado cerrada cerro"},
    {spanish, antonym,
     "empieza comienza comenzo empezo inicia|termina finaliza termino acaba acabo; gano gana conserva "
     "mantiene victoria|perdio pierde derrota; ganancia beneficio superavit|perdida deficit; grande|pequeno "
     "pequena; largo larga|corto corta; antiguo antigua viejo|nuevo nueva joven; rapido rapida|lento lenta; "
     "caliente|frio fria; caro cara|barato barata; acepto acepta aprobo aprobado|rechazo rechaza rechazado; "
     "incluido incluye incluida|excluido excluye excluida; obligatorio obligatoria preceptivo "
     "imprescindible|opcional voluntario voluntaria facultativo; publico publica|privado privada; positivo "
     "positiva|negativo negativa; posible|imposible; temprano|tarde; maximo maxima|minimo minima; importa "
     "importacion|exporta exportacion; prolongado|acortado; mejorado|empeorado; reforzado|debilitado; "
     "activado|desactivado; confirmado|desmentido; ruidoso ruidosa|silencioso silenciosa; pesado "
     "pesada|ligero ligera liviano; ancho ancha|estrecho estrecha; grueso gruesa|delgado delgada; "
     "fuerte|debil; lleno llena|vacio vacia; rico rica|pobre; interior|exterior; natural|artificial; crudo "
     "cruda|cocido cocida; manual|automatico automatica; temporal provisional|permanente definitivo "
     "indefinido; correcto|incorrecto falso; ingreso|gasto; inquilino arrendatario|arrendador; "
     "empleador|empleado; comprador|vendedor; conocido|desconocido; nacio nace nacimiento|murio muere morir "
     "muerte fallecio fallecimiento; bruto|neto; padre|madre; hombre|mujer; rey|reina; exito|fracaso; anade "
     "anadir|elimina eliminar; previamente|posteriormente"},
    {spanish, amount,
     "todo todos toda todas cada siempre|mayoria muchos muchas frecuentemente|algun algunos algunas "
     "veces|pocos pocas minoria"},
    {spanish, modal, "debe deben|puede pueden"},
    {spanish, month,
     "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"},
    {spanish, weekday, "lunes|martes|miercoles|jueves|viernes|sabado sabados|domingo domingos"},
    {spanish, month, "primavera|verano|otono|invierno"},
    {spanish, place,
     "ue europa|africa|asia|eeuu usa "
     "america|alemania|austria|suiza|francia|espana|italia|polonia|china|japon|india|rusia|inglaterra|canada|"
     "belgica|mexico|argentina|chile|peru|colombia|portugal|brasil|suecia|noruega|dinamarca|finlandia|"
     "islandia|irlanda|holanda|luxemburgo|grecia|turquia|ucrania|chequia|eslovaquia|eslovenia|hungria|"
     "rumania|bulgaria|serbia|croacia|albania|bielorrusia|estonia|letonia|lituania|malta|chipre|corea|"
     "vietnam|tailandia|indonesia|malasia|singapur|filipinas|pakistan|nepal|afganistan|mongolia|kazajistan|"
     "armenia|israel|libano|siria|irak|iran|catar|egipto|libia|tunez|argelia|marruecos|kenia|tanzania|uganda|"
     "ruanda|etiopia|somalia|sudan|nigeria|ghana|senegal|camerun|congo|angola|zambia|zimbabue|namibia|"
     "mozambique|madagascar|australia|bolivia|ecuador|venezuela|uruguay|paraguay|cuba|haiti|panama|guatemala|"
     "honduras|nicaragua; "
     "escocia|gales; norte|sur|este|oeste"},
    {spanish, order, "primer primero primera|segundo segunda|tercer tercero tercera|cuarto cuarta"},
    {spanish, metric,
     "µg μg microgramos|||mg miligramos|||g gramo gramos|||kg kilogramo kilogramos kilos|||tonelada "
     "toneladas|/libras; milimetro milimetros mm|centimetro centimetros cm||m metro metros|||kilometro "
     "kilometros km|/millas; ml mililitros|cl|dl|l litro litros; kb|||mb|||gb|||tb; vatio vatios w|||kw "
     "kilovatios|||mw megavatios|||gw; wh|||kwh|||mwh|||gwh|||twh"},
    {spanish, duration,
     "ms milisegundos|s segundo segundos|minuto minutos min|h hora horas|dia dias|semana semanas|mes "
     "meses mensual|ano anos anual|decada|siglo siglos"},
    {spanish, unit,
     "c celsius|f fahrenheit|k kelvin; euro euros|dolar dolares|franco francos chf|libra libras|peso pesos"},
    {spanish, direction, "un|a al|del de desde"},
};

/// Verbs that a particle, `more` or `less` gives the meaning of another word.
struct verb_phrase {
  struct meaning {
    std::string_view particle;
    std::string_view stem;  ///< of the other word
  };
  language in;
  std::string_view verbs;
  meaning meanings[2];
  bool changes{};  ///< the particles have this meaning before a number, too
};
inline constexpr verb_phrase verb_phrases[] = {
    {english, "go goes going went gone", {{"up", "ris"}, {"down", "fal"}}, true},
    {english,
     "turn turns turned turning switch switches switched switching",
     {{"on", "enabl"}, {"off", "disabl"}}},
    {english, "pass passes passed passing", {{"away", "die"}}},
    {english, "cost costs", {{"more", "expensiv"}, {"less", "cheap"}}},
    {english, "weigh weighs weighed", {{"more", "heavi"}, {"less", "light"}}},
    {german, "kostet kosten kostete", {{"mehr", "teur"}, {"weniger", "billig"}}},
    {german, "wiegt wiegen wog", {{"mehr", "schwer"}, {"weniger", "leich"}}},
    {french, "coûte coûtent", {{"plus", "cher"}, {"moins", "abordabl"}}},
    {french, "pèse pèsent", {{"plus", "lourd"}}},
    {spanish, "cuesta cuestan", {{"mas", "car"}, {"menos", "barat"}}},
    {spanish, "pesa pesan", {{"mas", "pes"}, {"menos", "liger"}}}};

/// Stop words of languages that are only told apart from those of the vocabulary: Portuguese, Italian, Dutch.
inline constexpr std::string_view other_stop_words[] = {
    "o a os as um uma de do da dos das em no na nos nas por pelo pela para com nao que e se ao aos foi sao "
    "ser mais como mas seu sua tambem ate ele ela entre quando muito desde todo toda durante sobre ou ja",
    "il lo la gli le di del della dei delle da dal nel nella con su per tra che non e una un uno si sono ha "
    "anche piu come era dalla alla al nei",
    "het een van de en niet voor met zijn aan op te bij naar ook maar heeft worden werd door uit wordt dat "
    "deze die er om over tot hun"};

}  // namespace citestream::check_detail::lexicon_tables
