// How the vocabulary is stored.
//
// The tables below are lists of words in lower case without accents, as word_reader folds them. Function
// words are found by all their letters, content words by their stem, so one form of each regular word is
// enough. A row of `contrasts` has members separated by bars; words of one member mean much the same, words
// of different members exclude one another. Each language has rows of its own, because the same letters may
// be another word elsewhere (`Fall` is a case in German).
//
// All of it is one hash table, built on first use and never changed.
#include "check/lexicon.hpp"

#include <algorithm>
#include <span>

#include "check/vocabulary.hpp"
#include "check/word_hash.hpp"
#include "check/words.hpp"

namespace citestream::check_detail {
namespace {

struct function_row {
  language in;
  word_role role;
  std::string_view words;
};

/// Words of English that do not show what a text is about: articles, pronouns, auxiliaries and the like.
/// Those of other languages are among the function words: see is_stop().
constexpr std::string_view english_stop_words =
    "a about above according across actually after again against ago all almost along already also "
    "although always am among an and another any anyone anything are aren around as at away back based "
    "be became because become becomes been before behind being below besides between both but by can "
    "cannot could couldn d did didn do does doesn doing don done due during each eg either else enough "
    "especially etc eur even ever every everyone everything few for from further gbp get gets getting "
    "given gives go goes going gone got had hadn has hasn have haven having he hence her here hers "
    "herself him himself his how however i ie if in include included includes including indeed instead "
    "into is isn it its itself just ll lot lots m made make makes making many may maybe me might mine "
    "more moreover most mostly much must mustn my myself namely near nearly neither nevertheless no "
    "nobody none nonetheless nor not nothing now o of off often on once one ones only onto or other "
    "others otherwise our ours ourselves out over own per perhaps please put quite rather re really "
    "regarding s said same say says see seem seemed seems seen several shall she should shouldn since "
    "so some somehow someone something sometimes somewhat soon still such t than that the their theirs "
    "them themselves then there thereby therefore these they thing things this those though through "
    "throughout thus to together too toward towards under unless until unto up upon us usd use used "
    "uses using usually various ve very via was wasn way ways we well were weren what whatever when "
    "whenever where whereas wherever whether which while who whoever whole whom whose why will with "
    "within without won would wouldn yet you your yours yourself yourselves";

constexpr std::array function_words{
    function_row{language::english, word_role::negator,
                 "not no never nor neither nobody none nothing cannot lack lacks lacked"},
    function_row{language::english, word_role::lacking, "without"},
    function_row{language::english, word_role::denial,
                 "impossible unable incapable exempt exempted excluded ineligible"},
    function_row{language::english, word_role::limiter, "only just merely simply solely"},
    function_row{language::english, word_role::alternative, "or"},
    function_row{language::english, word_role::conjunction, "and while but whereas"},
    function_row{language::english, word_role::preposition,
                 "in on at with of for into onto during about against among between over under near "
                 "as up down out off"},
    function_row{language::english, word_role::preposition, "to from"},
    function_row{language::english, word_role::until, "till until through"},
    function_row{language::english, word_role::condition, "if"},
    function_row{language::english, word_role::except, "except excepting excluding unless"},
    function_row{language::english, word_role::article,
                 "a an the this that these those its his her their our your my any each every some"},
    function_row{language::english, word_role::agent, "by"},
    function_row{language::english, word_role::auxiliary, "is are was were be been being get got gets"},
    function_row{language::english, word_role::than, "than"},
    function_row{language::english, word_role::comparative, "more less fewer"},
    function_row{language::english, word_role::symmetric,
                 "meet met marry married border borders equal equals resemble resembles match matches face "
                 "faces join joins joined merge merged versus"},
    function_row{language::english, word_role::bound, "least most maximum minimum"},
    function_row{language::english, word_role::fraction,
                 "half third thirds quarter quarters fifth fifths tenth tenths"},
    function_row{language::english, word_role::adjacent,
                 "previous preceding earlier prior following next later"},
    function_row{language::english, word_role::expectation,
                 "fear feared fearing expect expected expecting hope hoped hoping predict predicted forecast "
                 "anticipate anticipated warn warned threaten threatened deny denied doubt doubted"},
    function_row{language::english, word_role::times, "times twice"},
    function_row{language::english, word_role::rest, "rest remaining remainder"},
    function_row{language::german, word_role::negator,
                 "nicht nichts kein keine keinem keinen keiner keines nie niemals niemand weder"},
    function_row{language::german, word_role::lacking, "ohne"},
    function_row{language::german, word_role::denial, "unmoglich befreit verhindert verhindern"},
    function_row{language::german, word_role::limiter, "nur blos lediglich allein erst"},
    function_row{language::german, word_role::alternative, "oder"},
    function_row{language::german, word_role::conjunction, "und wahrend aber sondern jedoch"},
    function_row{
        language::german, word_role::preposition,
        "in im an am auf aus bei beim mit nach seit statt zu zum zur uber unter vor fur gegen um durch"},
    function_row{language::german, word_role::until, "bis"},
    function_row{language::german, word_role::condition, "wenn falls sofern solange bevor ehe"},
    function_row{language::german, word_role::except, "auser ausgenommen"},
    function_row{language::german, word_role::article,
                 "der die das des dem den ein eine einer eines einem einen"},
    function_row{language::german, word_role::agent, "von vom"},
    function_row{language::german, word_role::auxiliary,
                 "wird werden wurde wurden worden ist sind war waren"},
    function_row{language::german, word_role::maybe_than, "als"},
    function_row{language::german, word_role::comparative, "mehr weniger"},
    function_row{language::german, word_role::bound,
                 "mindestens wenigstens minimal minimum hochstens maximal maximum"},
    function_row{language::german, word_role::none,
                 "er sie es wir ihr ich du sich auch "
                 "hat haben hatte hatten sein seine seiner seinem seinen ihre ihrer ihrem ihren ihres kann "
                 "konnen muss mussen soll sollen darf durfen wie so noch nur schon sehr je wenn dass ob "
                 "oder denn da dies diese dieser dieses diesem diesen welche welcher welches was wer man uns "
                 "unser unsere hier dort dann doch etwa rund zwischen jede jeder jedes alle einige "
                 "immer manchmal"},
    function_row{language::german, word_role::fraction,
                 "halb halbe halben halber halbes halfte drittel viertel funftel zehntel"},
    function_row{language::german, word_role::adjacent,
                 "vorjahr vorjahres zuvor vorigen vergangenen folgejahr folgenden nachsten darauf"},
    function_row{
        language::german, word_role::expectation,
        "befurchtet befurchtete befurchteten erwartet erwartete erwarteten gehofft hofft hoffte hofften"},
    function_row{language::german, word_role::times, "mal"},
    function_row{language::german, word_role::rest, "rest restliche restlichen ubrige ubrigen"},
    function_row{language::french, word_role::negator, "ne pas jamais aucun aucune rien ni n"},
    function_row{language::french, word_role::lacking, "sans"},
    function_row{language::french, word_role::denial,
                 "impossible incapable dispense dispenses exempte exemptes empeche empechent empecher"},
    function_row{language::french, word_role::limiter, "seulement uniquement simplement"},
    function_row{language::french, word_role::alternative, "ou"},
    function_row{language::french, word_role::conjunction, "et mais tandis alors"},
    function_row{language::french, word_role::preposition,
                 "dans en sur aux avec pour sous vers chez entre depuis pendant de du des d partir"},
    function_row{language::french, word_role::until, "au jusqu jusque"},
    function_row{language::french, word_role::condition, "si tant"},
    function_row{language::french, word_role::except, "sauf excepte hormis"},
    function_row{language::french, word_role::article, "le la les l un une"},
    function_row{language::french, word_role::agent, "par"},
    function_row{language::french, word_role::auxiliary, "est sont ete etait etaient sera fut furent etre"},
    function_row{language::french, word_role::maybe_than, "que qu"},
    function_row{language::french, word_role::comparative, "plus moins"},
    function_row{language::french, word_role::none,
                 "a il elle ils elles on nous vous je tu se s son sa ses leur leurs ce cet "
                 "cette ces c qui dont ou y ont avait avaient avoir peut peuvent doit doivent si aussi tres "
                 "comme donc car tout tous toute toutes quelques certains chaque lui eux meme encore deja "
                 "ainsi environ lors apres avant notre nos votre vos toujours parfois fait aujourd hui"},
    function_row{language::french, word_role::bound, "minimum minimale maximum maximale"},
    function_row{language::french, word_role::fraction, "demi demie moitie tiers quart quarts"},
    function_row{language::french, word_role::adjacent, "precedente precedent suivante suivant"},
    function_row{language::french, word_role::expectation,
                 "craint craignait craignaient espere esperait prevoit prevoyait attendait redoutait"},
    function_row{language::french, word_role::times, "fois"},
    function_row{language::french, word_role::rest, "reste restant restante"},
    function_row{language::spanish, word_role::negator,
                 "no nunca jamas nada ningun ninguna ninguno nadie ni tampoco"},
    function_row{language::spanish, word_role::lacking, "sin"},
    function_row{language::spanish, word_role::denial,
                 "imposible incapaz exento exenta exentos exentas impide impiden impedir"},
    function_row{language::spanish, word_role::limiter, "solo solamente unicamente"},
    function_row{language::spanish, word_role::alternative, "o u"},
    function_row{language::spanish, word_role::conjunction, "y e pero mientras sino"},
    function_row{language::spanish, word_role::preposition,
                 "en a al con para sobre bajo entre desde hacia contra de del segun durante partir"},
    function_row{language::spanish, word_role::until, "hasta"},
    function_row{language::spanish, word_role::condition, "si"},
    function_row{language::spanish, word_role::except, "excepto salvo"},
    function_row{language::spanish, word_role::article, "el la los las un una unos unas"},
    function_row{language::spanish, word_role::agent, "por"},
    function_row{language::spanish, word_role::auxiliary,
                 "es son fue fueron era eran ser sido esta estan estaba estaban sera"},
    function_row{language::spanish, word_role::maybe_than, "que"},
    function_row{language::spanish, word_role::comparative, "mas menos mayor menor mejor peor"},
    function_row{language::spanish, word_role::none,
                 "lo le les se su sus este esta estos estas ese esa esos esas "
                 "aquel quien cual cuyo donde cuando como si ya muy tambien o u ha han habia hay haber puede "
                 "pueden debe deben tiene tienen todo todos toda todas cada algunos algunas mi tu nos "
                 "nuestro nuestra asi porque pues aun siempre veces unos cerca tras"},
    function_row{language::spanish, word_role::bound, "minimo minima maximo maxima"},
    function_row{language::spanish, word_role::fraction, "medio media mitad tercio tercios cuarto cuartos"},
    function_row{language::spanish, word_role::adjacent, "anterior previo siguiente"},
    function_row{language::spanish, word_role::expectation,
                 "temia temian temio temen esperaba esperaban espera esperan preveia prevista previsto"},
    function_row{language::spanish, word_role::times, "veces"},
    function_row{language::spanish, word_role::rest, "resto restante"},
};

struct rounding_row {
  language in;
  rounding rounds;
  std::string_view words;
};

constexpr std::array rounding_words{
    rounding_row{language::english, rounding::about, "about around roughly approximately circa ca some"},
    rounding_row{language::english, rounding::beyond, "over above more exceed exceeds exceeded exceeding"},
    rounding_row{language::english, rounding::below, "nearly almost under below less fewer"},
    rounding_row{language::german, rounding::about, "rund etwa circa ca ungefahr gut"},
    rounding_row{language::german, rounding::beyond,
                 "uber mehr ubersteigen ubersteigt uberschreiten uberschreitet"},
    rounding_row{language::german, rounding::below, "fast knapp beinahe unter weniger"},
    rounding_row{language::french, rounding::about, "environ pres quelque autour"},
    rounding_row{language::french, rounding::beyond, "plus depasse depassent depasser excede exceder"},
    rounding_row{language::french, rounding::below, "presque moins"},
    rounding_row{language::spanish, rounding::about, "unos unas cerca aproximadamente alrededor"},
    rounding_row{language::spanish, rounding::beyond, "mas supera superan superar excede exceder excedera"},
    rounding_row{language::spanish, rounding::below, "casi menos"},
};

struct one_row {
  language in;
  std::string_view words;
};

/// In German, French and Spanish the number 1 is also the indefinite article.
constexpr std::array words_for_one{
    one_row{language::english, "one"},
    one_row{language::german, "ein eine einem einen einer eines"},
    one_row{language::french, "un une"},
    one_row{language::spanish, "un una"},
};

struct contrast_row {
  language in;
  contrast_rule rule;
  std::string_view members;
};

constexpr auto english = language::english;
constexpr auto german = language::german;
constexpr auto french = language::french;
constexpr auto spanish = language::spanish;
constexpr auto antonym = contrast_rule::antonym;
// The same in several languages.
constexpr std::string_view power_units = "watt w|||kw kilowatt|||mw megawatt|||gw gigawatt";
constexpr std::string_view energy_units = "wh|||kwh|||mwh|||gwh|||twh";

constexpr contrast_row contrasts[] = {
    contrast_row{
        english, antonym,
        "rise rose risen increase grow grew grown growth gain climb surge soar jump swell rebound|fall fell "
        "fallen decrease drop decline shrink shrank shrunk plunge slump dip slip tumble slid diminish "
        "dwindle retreat"},
    contrast_row{english, antonym, "upward up|downward down"},
    contrast_row{english, antonym, "higher high upper|lower low"},
    contrast_row{english, antonym, "more|less fewer"},
    contrast_row{english, antonym, "most|least"},
    contrast_row{english, antonym, "maximum|minimum"},
    contrast_row{english, antonym, "highest|lowest"},
    contrast_row{english, antonym, "above|below"},
    contrast_row{english, antonym, "before|after"},
    contrast_row{english, antonym, "once|twice|thrice"},
    contrast_row{english, antonym, "inside|outside"},
    contrast_row{english, contrast_rule::ban,
                 "allow permit permission authorize|prohibit forbid forbade forbidden ban banned disallow"},
    contrast_row{english, antonym, "legal lawful|illegal unlawful"},
    contrast_row{english, antonym, "accept approve approval|reject refuse deny denied decline veto"},
    contrast_row{english, antonym, "enable|disable"},
    contrast_row{english, antonym, "enabled|disabled"},
    contrast_row{english, antonym, "include included includes including|exclude"},
    contrast_row{english, antonym, "open reopen|close shut"},
    contrast_row{english, antonym, "start begin began begun|end finish stop"},
    contrast_row{english, antonym, "win won|lost"},
    contrast_row{english, antonym, "winner|loser"},
    contrast_row{english, antonym, "buy bought purchase|sell sold sale"},
    contrast_row{english, antonym, "import|export"},
    contrast_row{english, antonym, "hire recruit|fire dismiss"},
    contrast_row{english, antonym, "arrive arrival|depart departure"},
    contrast_row{english, antonym, "enter|exit"},
    contrast_row{english, antonym, "join|leave left"},
    contrast_row{english, antonym, "add|remove delete"},
    contrast_row{english, antonym, "install|uninstall"},
    contrast_row{english, antonym, "connect|disconnect"},
    contrast_row{english, antonym, "attach|detach"},
    contrast_row{english, antonym, "lock|unlock"},
    contrast_row{english, antonym, "encrypt|decrypt"},
    contrast_row{english, antonym, "compress|decompress"},
    contrast_row{english, antonym, "upload|download"},
    contrast_row{english, antonym, "push|pull"},
    contrast_row{english, antonym, "succeed success successful|fail failure unsuccessful"},
    contrast_row{english, antonym, "pass|flunk"},
    contrast_row{english, antonym, "improve better|worsen worse deteriorate"},
    contrast_row{english, antonym, "best|worst"},
    contrast_row{english, antonym, "expand extend enlarge|contract shorten narrow"},
    contrast_row{english, antonym, "strengthen|weaken"},
    contrast_row{english, antonym, "strong|weak"},
    contrast_row{english, antonym, "accelerate|decelerate"},
    contrast_row{english, antonym, "faster fast quick quicker quickly|slower slow slowly"},
    contrast_row{english, antonym, "large larger big bigger|small smaller little"},
    contrast_row{english, antonym, "largest biggest|smallest"},
    contrast_row{english, antonym, "longer long|shorter short"},
    contrast_row{english, antonym, "longest|shortest"},
    contrast_row{english, antonym, "older old|younger young newer"},
    contrast_row{english, antonym, "oldest|youngest newest"},
    contrast_row{english, antonym, "early earlier|late later"},
    contrast_row{english, antonym, "heavy heavier|light lighter"},
    contrast_row{english, antonym, "wide wider|narrower"},
    contrast_row{english, antonym, "deep deeper|shallow shallower"},
    contrast_row{english, antonym, "thick thicker|thin thinner"},
    contrast_row{english, antonym, "hot hotter warm warmer|cold colder cool cooler"},
    contrast_row{english, antonym, "hottest warmest|coldest coolest"},
    contrast_row{english, antonym, "wet|dry"},
    contrast_row{english, antonym, "full|empty"},
    contrast_row{english, antonym, "rich wealthy|poor"},
    contrast_row{english, antonym, "cheap cheaper inexpensive|expensive dear costlier"},
    contrast_row{english, antonym, "easy easier simple|difficult hard harder"},
    contrast_row{english, antonym, "safe|dangerous unsafe hazardous"},
    contrast_row{english, antonym, "true correct right|false incorrect wrong"},
    contrast_row{english, antonym, "positive|negative"},
    contrast_row{english, antonym, "profit profitable|loss unprofitable"},
    contrast_row{english, antonym, "surplus|deficit"},
    contrast_row{english, antonym, "asset|liability"},
    contrast_row{english, antonym, "income|expense"},
    contrast_row{english, antonym, "credit|debit"},
    contrast_row{english, antonym, "demand|supply"},
    contrast_row{english, antonym, "public|private"},
    contrast_row{english, antonym, "domestic|foreign"},
    contrast_row{english, antonym, "internal|external"},
    contrast_row{english, antonym, "urban|rural"},
    contrast_row{english, antonym, "local|remote"},
    contrast_row{english, antonym, "online|offline"},
    contrast_row{english, antonym, "temporary|permanent"},
    contrast_row{english, antonym, "voluntary optional|mandatory compulsory obligatory required"},
    contrast_row{english, antonym, "free|paid"},
    contrast_row{english, antonym, "visible|invisible hidden"},
    contrast_row{english, antonym, "available|unavailable"},
    contrast_row{english, antonym, "possible|impossible"},
    contrast_row{english, antonym, "likely|unlikely"},
    contrast_row{english, antonym, "common|rare uncommon"},
    contrast_row{english, antonym, "usual|unusual"},
    contrast_row{english, antonym, "known|unknown"},
    contrast_row{english, antonym, "effective|ineffective"},
    contrast_row{english, antonym, "efficient|inefficient"},
    contrast_row{english, antonym, "significant|insignificant"},
    contrast_row{english, antonym, "complete|incomplete partial"},
    contrast_row{english, antonym, "compatible|incompatible"},
    contrast_row{english, antonym, "stable|unstable"},
    contrast_row{english, antonym, "valid|invalid void"},
    contrast_row{english, antonym, "healthy|unhealthy sick"},
    contrast_row{english, antonym, "guilty|innocent"},
    contrast_row{english, antonym, "convict|acquit"},
    contrast_row{english, antonym, "alive|dead"},
    contrast_row{english, antonym, "born|died"},
    contrast_row{english, antonym, "male man men|female woman women"},
    contrast_row{english, antonym, "father|mother"},
    contrast_row{english, antonym, "brother|sister"},
    contrast_row{english, antonym, "husband|wife"},
    contrast_row{english, antonym, "son|daughter"},
    contrast_row{english, antonym, "boy|girl"},
    contrast_row{english, antonym, "adult|child children"},
    contrast_row{english, antonym, "teacher|student pupil"},
    contrast_row{english, antonym, "employer|employee"},
    contrast_row{english, antonym, "landlord|tenant"},
    contrast_row{english, antonym, "friend ally|enemy"},
    contrast_row{english, antonym, "peace|war"},
    contrast_row{english, antonym, "victory|defeat"},
    contrast_row{english, antonym, "attack|defend"},
    contrast_row{english, antonym, "support favour favor|oppose opposition"},
    contrast_row{english, antonym, "agree|disagree"},
    contrast_row{english, antonym, "confirm|refute disprove"},
    contrast_row{english, antonym, "admit|denial"},
    contrast_row{english, antonym, "uphold upheld|overturn overrule overruled"},
    contrast_row{english, antonym, "praise|criticize criticise condemn"},
    contrast_row{english, antonym, "love like|hate dislike"},
    contrast_row{english, antonym, "remember|forget forgot forgotten"},
    contrast_row{english, antonym, "create build built|destroy demolish"},
    contrast_row{english, antonym, "cause|prevent"},
    contrast_row{english, antonym, "encourage|discourage"},
    contrast_row{english, antonym, "raise lift boost hike|cut reduce trim slash lessen"},
    contrast_row{english, antonym, "tighten|loosen relax ease"},
    contrast_row{english, antonym, "save|spend spent waste"},
    contrast_row{english, antonym, "appear|disappear vanish"},
    contrast_row{english, antonym, "float|sink sank sunk"},
    contrast_row{english, antonym, "freeze froze frozen|melt thaw"},
    contrast_row{english, antonym, "wake|sleep"},
    contrast_row{english, antonym, "left|right"},
    contrast_row{english, antonym, "front|rear"},
    contrast_row{english, antonym, "top|bottom"},
    contrast_row{english, antonym, "ahead|behind"},
    contrast_row{english, antonym, "daytime|nighttime"},
    contrast_row{english, antonym, "weekend weekends|weekday weekdays"},
    contrast_row{english, antonym, "morning|evening|afternoon"},
    contrast_row{english, antonym, "past|future"},
    contrast_row{english, antonym, "ancient|modern"},
    contrast_row{english, antonym, "natural|artificial synthetic"},
    contrast_row{english, antonym, "solid|liquid"},
    contrast_row{english, antonym, "raw|cooked"},
    contrast_row{english, antonym, "acid acidic|alkaline"},
    contrast_row{english, antonym, "active|inactive passive dormant"},
    contrast_row{english, antonym, "vertical|horizontal"},
    contrast_row{english, antonym, "odd|even"},
    contrast_row{english, antonym, "senior|junior"},
    contrast_row{english, antonym, "advantage benefit|disadvantage drawback"},
    contrast_row{english, antonym, "optimistic|pessimistic"},
    contrast_row{english, antonym, "separate|together"},
    contrast_row{english, antonym, "refundable|nonrefundable"},
    contrast_row{english, antonym, "tax|untaxed"},
    contrast_row{english, antonym, "unanimous|divided"},
    contrast_row{english, contrast_rule::amount,
                 "all every each always entire everyone everybody|most majority many usually often mostly|"
                 "some certain sometimes several partly occasionally|few minority least seldom"},
    contrast_row{english, contrast_rule::quantity, "must shall|may might"},
    contrast_row{
        english, contrast_rule::month,
        "january jan|february feb|march|april apr|may|june jun|july jul|august aug|september sep sept|"
        "october oct|november nov|december dec"},
    contrast_row{english, contrast_rule::weekday,
                 "monday mondays|tuesday tuesdays|wednesday wednesdays|thursday thursdays|friday fridays|"
                 "saturday saturdays|sunday sundays"},
    contrast_row{english, contrast_rule::month, "spring|summer|autumn|winter"},
    contrast_row{
        english, contrast_rule::place,
        "eu europe european|usa america american|uk britain british|china chinese|japan japanese|"
        "india indian|russia russian|germany german|france french|spain spanish|italy italian|"
        "canada canadian|brazil brazilian|mexico mexican|australia australian|africa african|"
        "asia asian|austria austrian|switzerland swiss|poland polish|sweden swedish|norway norwegian|"
        "denmark danish|finland finnish|netherlands dutch|belgium belgian|portugal portuguese|"
        "greece greek|turkey turkish|ukraine ukrainian|korea korean|israel israeli|egypt egyptian|"
        "kenya kenyan|peru peruvian|argentina argentine|chile chilean|ireland irish"},
    contrast_row{english, contrast_rule::place, "north northern|south southern|east eastern|west western"},
    contrast_row{english, contrast_rule::order,
                 "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"},
    contrast_row{
        english, contrast_rule::metric,
        "mcg microgram ug µg μg|||mg milligram|||g gram grams|||kg kilogram kilo|||tonne ton|ounce oz|pound "
        "lb lbs"},
    contrast_row{english, contrast_rule::metric,
                 "mm millimetre millimeter|cm centimetre centimeter||m metre meter|||km kilometre kilometer|"
                 "inch inches|foot feet ft|yard|mile miles mi"},
    contrast_row{english, contrast_rule::duration,
                 "ms millisecond|s sec second seconds|minute min|h hour hr|day days "
                 "daily|week|month|year|decade|century centuries"},
    contrast_row{english, contrast_rule::unit, "c celsius|f fahrenheit|k kelvin"},
    contrast_row{english, contrast_rule::metric, "millilitre milliliter ml|cl|dl|l litre liter|gallon|pint"},
    contrast_row{english, contrast_rule::metric,
                 "byte|||kb kilobyte|||mb megabyte|||gb gigabyte|||tb terabyte"},
    contrast_row{english, contrast_rule::metric, "kbit kilobit|||mbit megabit|||gbit gigabit"},
    contrast_row{english, contrast_rule::metric, power_units},
    contrast_row{english, contrast_rule::metric, energy_units},
    contrast_row{english, contrast_rule::metric, "hz hertz|||khz kilohertz|||mhz megahertz|||ghz gigahertz"},
    contrast_row{english, contrast_rule::metric, "mah|||ah"},
    contrast_row{english, contrast_rule::unit,
                 "yen|franc chf|rupee|yuan|krona kronor krone|peso|dollar|euro"},
    contrast_row{english, contrast_rule::direction, "by|to|from"},

    contrast_row{german, antonym,
                 "steigen steigt stieg stiegen gestiegen anstieg zunehmen zugenommen zuwachs wuchs gewachsen "
                 "wachst erhoht "
                 "erhohte erhohen|sinken sinkt sank sanken gesunken senken senkt abgenommen fiel fielen "
                 "gefallen zuruckgegangen "
                 "gesenkt senkte verringert verringerte reduziert reduzierte gekurzt kurzte ruckgang "
                 "schrumpfte geschrumpft nachgelassen abnahm"},
    contrast_row{german, antonym, "hoher hoch|niedriger niedrig"},
    contrast_row{german, antonym, "mehr|weniger"},
    contrast_row{german, antonym, "uber oberhalb|unter unterhalb"},
    contrast_row{german, antonym, "vor|nach"},
    contrast_row{german, contrast_rule::ban, "erlaubt zulassig gestattet|verboten unzulassig untersagt"},
    contrast_row{german, antonym, "geoffnet offnet eroffnet offen|geschlossen schliest"},
    contrast_row{german, antonym, "beginnt begann begonnen startet|endet endete beendet"},
    contrast_row{german, antonym, "gewann gewinnt gewonnen|verlor verliert verloren"},
    contrast_row{german, antonym, "gewinn uberschuss|verlust defizit"},
    contrast_row{german, antonym, "kaufte gekauft kauft|verkaufte verkauft"},
    contrast_row{german, antonym, "groser gros|kleiner klein"},
    contrast_row{german, antonym, "groste|kleinste"},
    contrast_row{german, antonym, "langer lang|kurzer kurz"},
    contrast_row{german, antonym, "alter|junger|neuer"},
    contrast_row{german, antonym, "schneller schnell|langsamer langsam"},
    contrast_row{german, antonym, "warmer warm heis|kalter kalt"},
    contrast_row{german, antonym, "billiger gunstiger billig gunstig|teurer teuer"},
    contrast_row{german, antonym, "angenommen genehmigt|abgelehnt"},
    contrast_row{german, antonym, "aktiviert|deaktiviert"},
    contrast_row{german, antonym, "enthalten inbegriffen|ausgeschlossen"},
    contrast_row{german, antonym, "kostenlos gratis|kostenpflichtig"},
    contrast_row{german, antonym, "freiwillig|verpflichtend vorgeschrieben"},
    contrast_row{german, antonym, "offentlich|privat"},
    contrast_row{german, antonym, "sicher|gefahrlich unsicher"},
    contrast_row{german, antonym, "moglich|unmoglich"},
    contrast_row{german, antonym, "gultig|ungultig"},
    contrast_row{german, antonym, "fruher fruh|spater spat"},
    contrast_row{german, antonym, "maximal hochstens maximum|minimal mindestens wenigstens minimum"},
    contrast_row{german, antonym, "import|export"},
    contrast_row{german, contrast_rule::amount,
                 "alle jede jeder jedes immer samtliche|meiste meisten meist viele vielen mehrheit oft|"
                 "einige manche manchmal teilweise|wenige wenigen minderheit selten"},
    contrast_row{german, contrast_rule::quantity, "muss mussen|darf durfen kann konnen"},
    contrast_row{german, contrast_rule::month,
                 "januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember"},
    contrast_row{german, contrast_rule::weekday,
                 "montag montags|dienstag dienstags|mittwoch mittwochs|donnerstag donnerstags|"
                 "freitag freitags|samstag samstags sonnabend|sonntag sonntags"},
    contrast_row{german, contrast_rule::month, "fruhling fruhjahr|sommer|herbst|winter"},
    contrast_row{
        german, contrast_rule::place,
        "eu europa|usa amerika|deutschland|osterreich|schweiz|frankreich|spanien|italien|polen|china|"
        "japan|indien|russland|england|kanada|niederlande|belgien|danemark|schweden|norwegen"},
    contrast_row{german, contrast_rule::place, "norden nordlich|suden sudlich|osten ostlich|westen westlich"},
    contrast_row{german, contrast_rule::order, "erste ersten|zweite zweiten|dritte dritten|vierte vierten"},
    contrast_row{german, contrast_rule::metric,
                 "mg milligramm|||g gramm|||kg kilogramm kilo|||tonne tonnen|pfund"},
    contrast_row{german, contrast_rule::metric,
                 "millimeter mm|zentimeter cm||m meter|||kilometer km|meile meilen"},
    contrast_row{german, contrast_rule::metric, "ml milliliter|cl|dl|l liter"},
    contrast_row{german, contrast_rule::metric, "kb|||mb|||gb|||tb"},
    contrast_row{german, contrast_rule::metric, power_units},
    contrast_row{german, contrast_rule::metric, energy_units},
    contrast_row{german, contrast_rule::duration,
                 "ms millisekunde millisekunden|s sekunde sekunden|minute minuten min|h stunde stunden|tag "
                 "tage tagen taglich|woche wochen wochentlich|monat monate "
                 "monaten monatlich|jahr jahre jahren jahrlich|jahrzehnt|jahrhundert"},
    contrast_row{german, contrast_rule::unit, "euro|dollar|franken chf|pfund"},
    contrast_row{german, contrast_rule::unit, "c celsius|f fahrenheit|k kelvin"},
    contrast_row{german, contrast_rule::direction, "um|auf|von ab"},

    contrast_row{
        french, antonym,
        "augmente augmentent augmentation bondi bondit grimpe progresse progression hausse croissance croit "
        "augmenter accru accroit monte montee releve|abaisse ralentit reduit reduire reduisent diminue "
        "diminuent diminution baisse baissent recule recul chute"},
    contrast_row{french, antonym, "eleve elevee superieur|bas basse inferieur"},
    contrast_row{french, antonym, "plus|moins"},
    contrast_row{french, antonym, "avant|apres"},
    contrast_row{french, contrast_rule::ban,
                 "autorise permis permet legal|interdit interdite prohibe illegal"},
    contrast_row{french, antonym, "ouvre ouvert ouverte ouvrent|ferme fermee ferment"},
    contrast_row{french, antonym, "commence debute|termine finit acheve"},
    contrast_row{french, antonym, "gagne remporte|perd perdu"},
    contrast_row{french, antonym, "benefice excedent profit|perte deficit"},
    contrast_row{french, antonym, "achete acheter achat|vend vendu vente vendre"},
    contrast_row{french, antonym, "grand grande|petit petite"},
    contrast_row{french, antonym, "long longue|court courte"},
    contrast_row{french, antonym, "ancien ancienne vieux|jeune nouveau nouvelle"},
    contrast_row{french, antonym, "rapide|lent lente"},
    contrast_row{french, antonym, "chaud chaude|froid froide"},
    contrast_row{french, antonym, "cher chere|abordable"},
    contrast_row{french, antonym, "accepte approuve adopte|refuse rejette rejete"},
    contrast_row{french, antonym, "inclus incluse inclut compris|exclu exclut exclue"},
    contrast_row{french, antonym, "gratuit gratuite|payant payante"},
    contrast_row{french, antonym, "obligatoire|facultatif facultative"},
    contrast_row{french, antonym, "public publique|prive privee"},
    contrast_row{french, antonym, "positif positive|negatif negative"},
    contrast_row{french, antonym, "possible|impossible"},
    contrast_row{french, antonym, "tot|tard"},
    contrast_row{french, antonym, "maximum maximale|minimum minimale"},
    contrast_row{french, antonym, "importe importation|exporte exportation"},
    contrast_row{french, antonym, "active|desactive"},
    contrast_row{french, contrast_rule::amount,
                 "tous tout toutes toute chaque toujours|plupart majorite beaucoup souvent|"
                 "certains certaines quelques parfois plusieurs|peu minorite rarement"},
    contrast_row{french, contrast_rule::quantity, "doit doivent|peut peuvent"},
    contrast_row{french, contrast_rule::month,
                 "janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre"},
    contrast_row{french, contrast_rule::weekday,
                 "lundi lundis|mardi mardis|mercredi mercredis|jeudi jeudis|vendredi vendredis|"
                 "samedi samedis|dimanche dimanches"},
    contrast_row{french, contrast_rule::month, "printemps|ete|automne|hiver"},
    contrast_row{french, contrast_rule::place,
                 "ue europe|usa amerique|allemagne|autriche|suisse|france|espagne|italie|pologne|chine|japon|"
                 "inde|russie|angleterre|canada|belgique|danemark|suede|norvege|portugal|maroc|algerie"},
    contrast_row{french, contrast_rule::place, "nord|sud|est|ouest"},
    contrast_row{french, contrast_rule::order,
                 "premier premiere|deuxieme second seconde|troisieme|quatrieme"},
    contrast_row{
        french, contrast_rule::metric,
        "mg milligrammes|||g gramme grammes|||kg kilogramme kilogrammes kilos|||tonne tonnes|livres"},
    contrast_row{
        french, contrast_rule::metric,
        "millimetre millimetres mm|centimetre centimetres cm||m metre metres|||kilometre kilometres km"},
    contrast_row{french, contrast_rule::metric, "ml millilitres|cl centilitres|dl|l litre litres"},
    contrast_row{french, contrast_rule::metric, "ko|||mo|||go"},
    contrast_row{french, contrast_rule::metric, "watt watts w|||kw kilowatts|||mw megawatts|||gw"},
    contrast_row{french, contrast_rule::metric, energy_units},
    contrast_row{french, contrast_rule::duration,
                 "ms millisecondes|s seconde secondes|minute minutes min|h heure heures|jour jours|semaine "
                 "semaines|mois mensuel mensuelle|"
                 "an ans annee annees annuel annuelle|decennie|siecle siecles"},
    contrast_row{french, contrast_rule::unit, "c celsius|f fahrenheit|k kelvin"},
    contrast_row{french, contrast_rule::unit, "euro euros|dollar dollars|franc francs chf|livre livres|yen"},
    contrast_row{french, contrast_rule::direction, "de|a"},

    contrast_row{spanish, antonym,
                 "aumento aumenta aumentan aumentaron incremento encarecio subio sube suben subieron crecio "
                 "crece crecimiento subida amplio "
                 "ampliar|disminuyo "
                 "disminuyen disminuyeron abarato rebaja rebajo retrocedio bajo bajaron bajan cayo cayeron "
                 "descenso bajada redujo redujeron reducir"},
    contrast_row{spanish, antonym, "alto alta superior|bajo baja inferior"},
    contrast_row{spanish, antonym, "mas|menos"},
    contrast_row{spanish, antonym, "mayor|menor"},
    contrast_row{spanish, antonym, "mejor|peor"},
    contrast_row{spanish, antonym, "antes|despues"},
    contrast_row{spanish, contrast_rule::ban,
                 "permitido permite permitida autorizado legal|prohibido prohibe prohibida ilegal"},
    contrast_row{spanish, antonym, "abre abierto abierta abrio|cierra cerrado cerrada cerro"},
    contrast_row{spanish, antonym, "empieza comienza comenzo empezo|termina termino acaba acabo"},
    contrast_row{spanish, antonym, "gano gana|perdio pierde"},
    contrast_row{spanish, antonym, "ganancia beneficio superavit|perdida deficit"},
    contrast_row{spanish, antonym, "compro compra|vendio vende venta"},
    contrast_row{spanish, antonym, "grande|pequeno pequena"},
    contrast_row{spanish, antonym, "largo larga|corto corta"},
    contrast_row{spanish, antonym, "antiguo antigua viejo|nuevo nueva joven"},
    contrast_row{spanish, antonym, "rapido rapida|lento lenta"},
    contrast_row{spanish, antonym, "caliente|frio fria"},
    contrast_row{spanish, antonym, "caro cara|barato barata"},
    contrast_row{spanish, antonym, "acepto acepta aprobo aprobado|rechazo rechaza rechazado"},
    contrast_row{spanish, antonym, "incluido incluye incluida|excluido excluye excluida"},
    contrast_row{spanish, antonym, "gratuito gratuita gratis|pago"},
    contrast_row{spanish, antonym, "obligatorio obligatoria|opcional voluntario voluntaria"},
    contrast_row{spanish, antonym, "publico publica|privado privada"},
    contrast_row{spanish, antonym, "positivo positiva|negativo negativa"},
    contrast_row{spanish, antonym, "posible|imposible"},
    contrast_row{spanish, antonym, "temprano|tarde"},
    contrast_row{spanish, antonym, "maximo maxima|minimo minima"},
    contrast_row{spanish, antonym, "importa importacion|exporta exportacion"},
    contrast_row{spanish, contrast_rule::amount,
                 "todo todos toda todas cada siempre|mayoria muchos muchas|"
                 "algun algunos algunas veces|pocos pocas minoria"},
    contrast_row{spanish, contrast_rule::quantity, "debe deben|puede pueden"},
    contrast_row{spanish, contrast_rule::month,
                 "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"},
    contrast_row{spanish, contrast_rule::weekday,
                 "lunes|martes|miercoles|jueves|viernes|sabado sabados|domingo domingos"},
    contrast_row{spanish, contrast_rule::month, "primavera|verano|otono|invierno"},
    contrast_row{
        spanish,
        contrast_rule::place,
        "ue europa|eeuu usa america|alemania|austria|suiza|francia|espana|italia|polonia|china|japon|"
        "india|rusia|inglaterra|canada|belgica|mexico|argentina|chile|peru|colombia|portugal|brasil"},
    contrast_row{spanish, contrast_rule::place, "norte|sur|este|oeste"},
    contrast_row{spanish, contrast_rule::order,
                 "primer primero primera|segundo segunda|tercer tercero tercera|cuarto cuarta"},
    contrast_row{
        spanish,
        contrast_rule::metric,
        "mg miligramos|||g gramo gramos|||kg kilogramo kilogramos kilos|||tonelada toneladas|libras"},
    contrast_row{spanish, contrast_rule::metric,
                 "milimetro milimetros mm|centimetro centimetros cm||m metro metros|||kilometro kilometros "
                 "km|millas"},
    contrast_row{spanish, contrast_rule::metric, "ml mililitros|cl|dl|l litro litros"},
    contrast_row{spanish, contrast_rule::metric, "kb|||mb|||gb|||tb"},
    contrast_row{spanish, contrast_rule::metric, "vatio vatios w|||kw kilovatios|||mw megavatios|||gw"},
    contrast_row{spanish, contrast_rule::metric, energy_units},
    contrast_row{spanish, contrast_rule::duration,
                 "ms milisegundos|s segundo segundos|minuto minutos min|h hora horas|dia dias|semana "
                 "semanas|mes meses mensual|ano anos anual|decada|siglo siglos"},
    contrast_row{spanish, contrast_rule::unit, "c celsius|f fahrenheit|k kelvin"},
    contrast_row{spanish, contrast_rule::unit,
                 "euro euros|dolar dolares|franco francos chf|libra libras|peso pesos"},
    contrast_row{spanish, contrast_rule::direction, "un|a al|del de desde"},
};

/// Returns the part of \p rest up to \p mark and removes it.
[[nodiscard]] std::string_view take_until(std::string_view& rest, char mark) noexcept {
  const std::string_view out = rest.substr(0, rest.find(mark));
  rest.remove_prefix(std::min(out.size() + 1, rest.size()));
  return out;
}

constexpr word_hash hash_of(0x243F6A8885A308D3U);

/// Returns the hash of a word in one of the tables, which is not 0.
[[nodiscard]] std::uint32_t seeded(std::uint64_t hash, std::uint32_t seed) noexcept {
  hash = (hash ^ seed) * 0x9E3779B97F4A7C15U;
  return static_cast<std::uint32_t>(hash >> 32U) | 1U;
}

[[nodiscard]] std::uint32_t function_seed(language in) noexcept {
  return static_cast<std::uint32_t>(in);
}
[[nodiscard]] std::uint32_t content_seed(language in) noexcept {
  return static_cast<std::uint32_t>(in) + 0x100;
}

/// Of the other sense of a word: of a month, an amount, or a unit after a number.
[[nodiscard]] std::uint32_t other_seed(language in) noexcept {
  return static_cast<std::uint32_t>(in) + 0x200;
}
constexpr std::uint32_t stop_seed = 0x300;

/// Stop words of languages that are only told apart from those of the vocabulary: Portuguese, Italian, Dutch.
constexpr std::string_view other_stop_words[] = {
    "o a os as um uma de do da dos das em no na nos nas por pelo pela para com nao que e se ao aos foi sao "
    "ser "
    "mais como mas seu sua tambem ate ele ela entre quando muito desde todo toda durante sobre ou ja",
    "il lo la gli le di del della dei delle da dal nel nella con su per tra che non e una un uno si sono ha "
    "anche piu come era dalla alla al nei",
    "het een van de en niet voor met zijn aan op te bij naar ook maar heeft worden werd door uit wordt dat "
    "deze "
    "die er om over tot hun"};

/// Returns true if the words of \p row are stop words. Those of English are in `english_stop_words`.
[[nodiscard]] bool is_stop(const function_row& row) noexcept {
  const bool content =
      row.role == word_role::except || row.role == word_role::denial || row.role == word_role::limiter ||
      row.role == word_role::bound || row.role == word_role::fraction || row.role == word_role::adjacent ||
      row.role == word_role::expectation || row.role == word_role::times || row.role == word_role::rest;
  return row.in != language::english && !content;
}

}  // namespace

lexicon::lexicon() noexcept {
  const auto add_all = [this](std::string_view words, language in, const word_sense& sense) {
    while (!words.empty()) add(take_until(words, ' '), function_seed(in), sense);
  };
  add_all(english_stop_words, language::english, {{}, word_role::none, true});
  for (const function_row& row : function_words) add_all(row.words, row.in, {{}, row.role, is_stop(row)});
  for (const rounding_row& row : rounding_words)
    add_all(row.words, row.in, {{}, word_role::none, false, row.rounds});
  for (const one_row& row : words_for_one) add_all(row.words, row.in, {{}, word_role::none, true, {}, true});
  std::uint32_t next = static_cast<std::uint32_t>(language::other);
  for (std::string_view rest : other_stop_words) {
    while (!rest.empty()) note_stop(take_until(rest, ' '), next);
    ++next;
  }
  std::uint16_t kind = 0;
  for (const contrast_row& row : contrasts) {
    ++kind;
    std::uint8_t member = 0;
    for (std::string_view members = row.members; !members.empty(); ++member) {
      std::string_view rest = take_until(members, '|');
      while (!rest.empty()) add_contrast(take_until(rest, ' '), row.in, {kind, member, row.rule});
    }
  }
}

/// Returns the slot of a word, or the empty slot where it belongs.
const lexicon::slot& lexicon::find(std::uint64_t word_hash, std::uint32_t seed) const noexcept {
  const std::uint32_t hash = seeded(word_hash, seed);
  std::size_t at = (hash >> 1U) % size;
  while (slots_[at].hash != hash && slots_[at].hash != 0) at = (at + 1) % size;
  return slots_[at];
}

/// Notes that a word is a stop word in the language with this number.
void lexicon::note_stop(std::string_view word, std::uint32_t number) noexcept {
  slot& known = slots_[static_cast<std::size_t>(&find(hash_of(word), stop_seed) - slots_.data())];
  known.hash = seeded(hash_of(word), stop_seed);
  known.sense.contrast.member |= static_cast<std::uint8_t>(1U << number);
}

/// Adds what \p sense says to what is known about a word. The first kind and the last role count.
void lexicon::add(std::string_view word, std::uint32_t seed, const word_sense& sense) noexcept {
  slot& known = slots_[static_cast<std::size_t>(&find(hash_of(word), seed) - slots_.data())];
  known.hash = seeded(hash_of(word), seed);
  known.sense.stop = known.sense.stop || sense.stop;
  if (sense.stop) note_stop(word, seed);
  known.sense.one = known.sense.one || sense.one;
  if (sense.rounds != rounding::none) known.sense.rounds = sense.rounds;
  if (sense.role != word_role::none) known.sense.role = sense.role;
  if (known.sense.contrast.kind == 0) known.sense.contrast = sense.contrast;
}

void lexicon::add_contrast(std::string_view word, language in, const contrast& of) noexcept {
  const word_sense sense{of};
  std::array<char, word_reader::max_word_bytes> bytes{};
  std::copy(word.begin(), word.end(), bytes.begin());
  const std::string_view stemmed(bytes.data(), stem({bytes.data(), word.size()}, in));
  const bool taken = find(hash_of(stemmed), content_seed(in)).sense.contrast.kind != 0;
  if ((word == "may" && of.rule == contrast_rule::month) ||
      ((word == "most" || word == "least") && of.rule == contrast_rule::amount) ||
      (of.is_unit() && (taken || word.size() == 1))) {
    add(word, other_seed(in), sense);
  } else if (find(hash_of(word), function_seed(in)).hash != 0) {
    add(word, function_seed(in), sense);
  } else {
    add(stemmed, content_seed(in), sense);
  }
}

const lexicon& lexicon::shared() noexcept {
  static const lexicon words;
  return words;
}

word_sense lexicon::function_word(std::string_view folded, language in) const noexcept {
  return find(hash_of(folded), function_seed(in)).sense;
}

word_sense lexicon::content_word(std::string_view stem, language in) const noexcept {
  return find(hash_of(stem), content_seed(in)).sense;
}

word_sense lexicon::other_sense(std::string_view folded, language in) const noexcept {
  return find(hash_of(folded), other_seed(in)).sense;
}

std::uint8_t lexicon::stop_word_of(std::string_view folded) const noexcept {
  return find(hash_of(folded), stop_seed).sense.contrast.member;
}

namespace {

/// Counts a word in the languages that have its letters.
void count_letters(std::string_view word, std::array<std::size_t, told_apart>& letters) noexcept {
  constexpr std::array<std::string_view, told_apart> own{"", "äöß", "àèêéùîô", "áíóúñ", "ãõç", "", ""};
  const std::size_t at = word.find('\xC3');
  if (at == std::string_view::npos) return;
  for (std::size_t i = 0; i < own.size(); ++i) {
    letters[i] += own[i].find(word.substr(at, 2)) != std::string_view::npos ? 1U : 0U;
  }
}

[[nodiscard]] std::size_t most_stops(const language_count& count) noexcept {
  return *std::max_element(count.stops.begin(), count.stops.end());
}

}  // namespace

language_count::language_count(std::string_view text) noexcept {
  constexpr std::size_t enough = 256;  // bytes
  text = text.substr(0, enough);
  word_reader reader(text);
  for (word seen; reader.next(seen);) {
    if (seen.kind != word::form::plain) continue;
    ++words;
    const unsigned is_stop = lexicon::shared().stop_word_of({reader.bytes().data(), seen.size});
    for (std::size_t i = 0; i < stops.size(); ++i) stops[i] += is_stop >> i & 1U;
    count_letters(text.substr(seen.begin, seen.end - seen.begin), letters);
  }
}

void language_count::add(const language_count& other) noexcept {
  words += other.words;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    stops[i] += other.stops[i];
    letters[i] += other.letters[i];
  }
}

bool language_count::decides() const noexcept {
  const std::size_t most = most_stops(*this);
  if (is_foreign()) return true;
  return most * 4 >= words && std::count(stops.begin(), stops.end(), most) == 1;
}

bool language_count::is_foreign() const noexcept {
  constexpr std::size_t short_text = 8;  // words
  return words > short_text && most_stops(*this) * 10 < words;
}

language language_of(const language_count& claim, const language_count& all) noexcept {
  if (claim.is_foreign()) return language::other;
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.stops.size(); ++i) {
    const bool equal = all.stops[i] == all.stops[best];
    if (all.stops[i] > all.stops[best] || (equal && all.letters[i] > all.letters[best])) best = i;
  }
  const bool few = most_stops(claim) * 4 < claim.words;
  if (few && all.stops[best] * 5 < all.words) return language::english;
  return best < static_cast<std::size_t>(language::other) ? static_cast<language>(best) : language::other;
}

}  // namespace citestream::check_detail
