// How words with the same meaning are found.
//
// stem() cuts regular endings, so `rises` and `rising` have the stem `ris`. Irregular forms (`rose`),
// abbreviations (`jan`) and some synonyms have other stems. `groups` maps each of these to its group.
//
// The table of groups is sorted. `group_starts` indexes it by first letter. A word is found by binary search
// among the entries with its first letter.
#include "check/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace citestream::check_detail {
namespace {

/// Sorted.
constexpr std::array<std::string_view, 298> stop_words{
    "a",          "about",     "above",     "according",   "across",    "actually",   "after",
    "again",      "against",   "ago",       "all",         "almost",    "along",      "already",
    "also",       "although",  "always",    "am",          "among",     "an",         "and",
    "another",    "any",       "anyone",    "anything",    "are",       "aren",       "around",
    "as",         "at",        "away",      "back",        "based",     "be",         "became",
    "because",    "become",    "becomes",   "been",        "before",    "behind",     "being",
    "below",      "besides",   "between",   "both",        "but",       "by",         "can",
    "cannot",     "could",     "couldn",    "d",           "did",       "didn",       "do",
    "does",       "doesn",     "doing",     "don",         "done",      "due",        "during",
    "each",       "eg",        "either",    "else",        "enough",    "especially", "etc",
    "eur",        "even",      "ever",      "every",       "everyone",  "everything", "few",
    "for",        "from",      "further",   "gbp",         "get",       "gets",       "getting",
    "given",      "gives",     "go",        "goes",        "going",     "gone",       "got",
    "had",        "hadn",      "has",       "hasn",        "have",      "haven",      "having",
    "he",         "hence",     "her",       "here",        "hers",      "herself",    "him",
    "himself",    "his",       "how",       "however",     "i",         "ie",         "if",
    "in",         "include",   "included",  "includes",    "including", "indeed",     "instead",
    "into",       "is",        "isn",       "it",          "its",       "itself",     "just",
    "ll",         "lot",       "lots",      "m",           "made",      "make",       "makes",
    "making",     "many",      "may",       "maybe",       "me",        "might",      "mine",
    "more",       "moreover",  "most",      "mostly",      "much",      "must",       "mustn",
    "my",         "myself",    "namely",    "near",        "nearly",    "neither",    "nevertheless",
    "no",         "nobody",    "none",      "nonetheless", "nor",       "not",        "nothing",
    "now",        "o",         "of",        "off",         "often",     "on",         "once",
    "one",        "ones",      "only",      "onto",        "or",        "other",      "others",
    "otherwise",  "our",       "ours",      "ourselves",   "out",       "over",       "own",
    "per",        "perhaps",   "please",    "put",         "quite",     "rather",     "re",
    "really",     "regarding", "s",         "said",        "same",      "say",        "says",
    "see",        "seem",      "seemed",    "seems",       "seen",      "several",    "shall",
    "she",        "should",    "shouldn",   "since",       "so",        "some",       "somehow",
    "someone",    "something", "sometimes", "somewhat",    "soon",      "still",      "such",
    "t",          "than",      "that",      "the",         "their",     "theirs",     "them",
    "themselves", "then",      "there",     "thereby",     "therefore", "these",      "they",
    "thing",      "things",    "this",      "those",       "though",    "through",    "throughout",
    "thus",       "to",        "together",  "too",         "toward",    "towards",    "under",
    "unless",     "until",     "unto",      "up",          "upon",      "us",         "usd",
    "use",        "used",      "uses",      "using",       "usually",   "various",    "ve",
    "very",       "via",       "was",       "wasn",        "way",       "ways",       "we",
    "well",       "were",      "weren",     "what",        "whatever",  "when",       "whenever",
    "where",      "whereas",   "wherever",  "whether",     "which",     "while",      "who",
    "whoever",    "whole",     "whom",      "whose",       "why",       "will",       "with",
    "within",     "without",   "won",       "would",       "wouldn",    "yet",        "you",
    "your",       "yours",     "yourself",  "yourselves"};
static_assert(std::is_sorted(stop_words.begin(), stop_words.end()));

/// Groups of stems with the same meaning, one after the other; `groups` has their limits. The entries are
/// results of stem(): `ris` is the stem of `rise`, `januari` that of `january`.
constexpr std::array<std::string_view, 413> group_words{
    "grow",          "grew",       "grown",      "growth",     "ris",           "ros",
    "risen",         "fal",        "fel",        "fallen",     "buy",           "bought",
    "sel",           "sold",       "sal",        "hold",       "held",          "lead",
    "led",           "begin",      "began",      "begun",      "writ",          "wrot",
    "written",       "speak",      "spok",       "spoken",     "driv",          "drov",
    "driven",        "giv",        "gav",        "tak",        "took",          "taken",
    "com",           "cam",        "find",       "found",      "build",         "built",
    "send",          "sent",       "spend",      "spent",      "leav",          "left",
    "mean",          "meant",      "meet",       "met",        "pay",           "paid",
    "teach",         "taught",     "think",      "thought",    "bring",         "brought",
    "catch",         "caught",     "fight",      "fought",     "seek",          "sought",
    "know",          "knew",       "known",      "show",       "shown",         "fly",
    "flew",          "flown",      "draw",       "drew",       "drawn",         "throw",
    "threw",         "thrown",     "break",      "brok",       "broken",        "choos",
    "chos",          "chosen",     "steal",      "stol",       "stolen",        "wear",
    "wor",           "worn",       "tear",       "tor",        "torn",          "bear",
    "bor",           "born",       "swear",      "swor",       "sworn",         "shrink",
    "shrank",        "shrunk",     "sing",       "sang",       "sung",          "sink",
    "sank",          "sunk",       "swim",       "swam",       "swum",          "drink",
    "drank",         "drunk",      "run",        "ran",        "stand",         "stood",
    "understand",    "understood", "sit",        "sat",        "feel",          "felt",
    "keep",          "kept",       "sleep",      "slept",      "sweep",         "swept",
    "tel",           "told",       "feed",       "fed",        "bleed",         "bled",
    "shoot",         "shot",       "strik",      "struck",     "stick",         "stuck",
    "dig",           "dug",        "hang",       "hung",       "lay",           "laid",
    "lie",           "lain",       "eat",        "ate",        "eaten",         "forget",
    "forgot",        "forgotten",  "hid",        "hidden",     "rid",           "rod",
    "ridden",        "shak",       "shook",      "shaken",     "freez",         "froz",
    "frozen",        "wak",        "wok",        "woken",      "lend",          "lent",
    "bend",          "bent",       "burn",       "burnt",      "learn",         "learnt",
    "deal",          "dealt",      "dream",      "dreamt",     "child",         "children",
    "man",           "men",        "woman",      "women",      "person",        "peopl",
    "foot",          "feet",       "tooth",      "teeth",      "mous",          "mic",
    "goos",          "gees",       "lif",        "liv",        "wif",           "wiv",
    "half",          "halv",       "shelf",      "shelv",      "good",          "better",
    "best",          "bad",        "wors",       "worst",      "analysis",      "analys",
    "crisis",        "cris",       "index",      "indic",      "datum",         "data",
    "criterion",     "criteria",   "phenomenon", "phenomena",  "medium",        "media",
    "januari",       "jan",        "februari",   "feb",        "march",         "mar",
    "april",         "apr",        "juli",       "jul",        "august",        "aug",
    "september",     "sep",        "sept",       "october",    "oct",           "november",
    "nov",           "december",   "dec",        "color",      "colour",        "center",
    "centr",         "defens",     "defenc",     "organiz",    "organis",       "labor",
    "labour",        "behavior",   "behaviour",  "favor",      "favour",        "tv",
    "televis",       "vs",         "versus",     "kg",         "kilogram",      "km",
    "kilometer",     "kilometr",   "meter",      "metr",       "hour",          "hr",
    "minut",         "min",        "approximat", "rough",      "mondai",        "mon",
    "tuesdai",       "tue",        "wednesdai",  "wed",        "thursdai",      "thu",
    "fridai",        "fri",        "sundai",     "sun",        "hear",          "heard",
    "doubl",         "twic",       "compani",    "firm",       "cost",          "pric",
    "car",           "automobil",  "doctor",     "physician",  "film",          "movi",
    "decid",         "decis",      "acquir",     "acquisit",   "reduc",         "reduct",
    "produc",        "product",    "expand",     "expans",     "conclud",       "conclus",
    "describ",       "descript",   "explain",    "explanat",   "los",           "lost",
    "die",           "dead",       "death",      "long",       "length",        "strong",
    "strength",      "wid",        "width",      "high",       "height",        "deep",
    "depth",         "abl",        "abiliti",    "discover",   "discoveri",     "deliver",
    "deliveri",      "approv",     "approval",   "propos",     "proposal",      "arriv",
    "arrival",       "receiv",     "receipt",    "destroi",    "destruct",      "introduc",
    "introduct",     "permit",     "permis",     "emploi",     "employe",       "employer",
    "compet",        "competit",   "competitor", "manag",      "manager",       "nation",
    "national",      "region",     "regional",   "cultur",     "cultural",      "environ",
    "environmental", "economi",    "economic",   "scienc",     "scientific",    "scientist",
    "politic",       "political",  "financ",     "financial",  "industri",      "industrial",
    "histori",       "historic",   "historical", "technologi", "technological", "america",
    "american",      "europ",      "european",   "germani",    "german",        "franc",
    "french",        "china",      "chines",     "japan",      "japanes",       "russia",
    "russian",       "india",      "indian",     "britain",    "british",       "canada",
    "canadian",      "itali",      "italian",    "spain",      "spanish"};

struct group_entry {
  std::string_view stem;
  std::uint16_t begin;  ///< of the stem's group in `group_words`
  std::uint16_t end;
};

/// The group of each stem, sorted by stem.
constexpr std::array<group_entry, 413> groups{{{"abiliti", 337, 339},
                                               {"abl", 337, 339},
                                               {"acquir", 308, 310},
                                               {"acquisit", 308, 310},
                                               {"america", 389, 391},
                                               {"american", 389, 391},
                                               {"analys", 214, 216},
                                               {"analysis", 214, 216},
                                               {"approv", 343, 345},
                                               {"approval", 343, 345},
                                               {"approximat", 278, 280},
                                               {"apr", 234, 236},
                                               {"april", 234, 236},
                                               {"arriv", 347, 349},
                                               {"arrival", 347, 349},
                                               {"ate", 152, 155},
                                               {"aug", 238, 240},
                                               {"august", 238, 240},
                                               {"automobil", 300, 302},
                                               {"bad", 211, 214},
                                               {"bear", 95, 98},
                                               {"began", 19, 22},
                                               {"begin", 19, 22},
                                               {"begun", 19, 22},
                                               {"behavior", 259, 261},
                                               {"behaviour", 259, 261},
                                               {"bend", 174, 176},
                                               {"bent", 174, 176},
                                               {"best", 208, 211},
                                               {"better", 208, 211},
                                               {"bled", 136, 138},
                                               {"bleed", 136, 138},
                                               {"bor", 95, 98},
                                               {"born", 95, 98},
                                               {"bought", 10, 12},
                                               {"break", 80, 83},
                                               {"bring", 58, 60},
                                               {"britain", 405, 407},
                                               {"british", 405, 407},
                                               {"brok", 80, 83},
                                               {"broken", 80, 83},
                                               {"brought", 58, 60},
                                               {"build", 40, 42},
                                               {"built", 40, 42},
                                               {"burn", 176, 178},
                                               {"burnt", 176, 178},
                                               {"buy", 10, 12},
                                               {"cam", 36, 38},
                                               {"canada", 407, 409},
                                               {"canadian", 407, 409},
                                               {"car", 300, 302},
                                               {"catch", 60, 62},
                                               {"caught", 60, 62},
                                               {"center", 251, 253},
                                               {"centr", 251, 253},
                                               {"child", 184, 186},
                                               {"children", 184, 186},
                                               {"china", 397, 399},
                                               {"chines", 397, 399},
                                               {"choos", 83, 86},
                                               {"chos", 83, 86},
                                               {"chosen", 83, 86},
                                               {"color", 249, 251},
                                               {"colour", 249, 251},
                                               {"com", 36, 38},
                                               {"compani", 296, 298},
                                               {"compet", 360, 363},
                                               {"competit", 360, 363},
                                               {"competitor", 360, 363},
                                               {"conclud", 316, 318},
                                               {"conclus", 316, 318},
                                               {"cost", 298, 300},
                                               {"cris", 216, 218},
                                               {"crisis", 216, 218},
                                               {"criteria", 222, 224},
                                               {"criterion", 222, 224},
                                               {"cultur", 369, 371},
                                               {"cultural", 369, 371},
                                               {"data", 220, 222},
                                               {"datum", 220, 222},
                                               {"dead", 324, 327},
                                               {"deal", 180, 182},
                                               {"dealt", 180, 182},
                                               {"death", 324, 327},
                                               {"dec", 247, 249},
                                               {"december", 247, 249},
                                               {"decid", 306, 308},
                                               {"decis", 306, 308},
                                               {"deep", 335, 337},
                                               {"defenc", 253, 255},
                                               {"defens", 253, 255},
                                               {"deliver", 341, 343},
                                               {"deliveri", 341, 343},
                                               {"depth", 335, 337},
                                               {"describ", 318, 320},
                                               {"descript", 318, 320},
                                               {"destroi", 351, 353},
                                               {"destruct", 351, 353},
                                               {"die", 324, 327},
                                               {"dig", 144, 146},
                                               {"discover", 339, 341},
                                               {"discoveri", 339, 341},
                                               {"doctor", 302, 304},
                                               {"doubl", 294, 296},
                                               {"drank", 113, 116},
                                               {"draw", 74, 77},
                                               {"drawn", 74, 77},
                                               {"dream", 182, 184},
                                               {"dreamt", 182, 184},
                                               {"drew", 74, 77},
                                               {"drink", 113, 116},
                                               {"driv", 28, 31},
                                               {"driven", 28, 31},
                                               {"drov", 28, 31},
                                               {"drunk", 113, 116},
                                               {"dug", 144, 146},
                                               {"eat", 152, 155},
                                               {"eaten", 152, 155},
                                               {"economi", 373, 375},
                                               {"economic", 373, 375},
                                               {"emploi", 357, 360},
                                               {"employe", 357, 360},
                                               {"employer", 357, 360},
                                               {"environ", 371, 373},
                                               {"environmental", 371, 373},
                                               {"europ", 391, 393},
                                               {"european", 391, 393},
                                               {"expand", 314, 316},
                                               {"expans", 314, 316},
                                               {"explain", 320, 322},
                                               {"explanat", 320, 322},
                                               {"fal", 7, 10},
                                               {"fallen", 7, 10},
                                               {"favor", 261, 263},
                                               {"favour", 261, 263},
                                               {"feb", 230, 232},
                                               {"februari", 230, 232},
                                               {"fed", 134, 136},
                                               {"feed", 134, 136},
                                               {"feel", 124, 126},
                                               {"feet", 192, 194},
                                               {"fel", 7, 10},
                                               {"felt", 124, 126},
                                               {"fight", 62, 64},
                                               {"film", 304, 306},
                                               {"financ", 380, 382},
                                               {"financial", 380, 382},
                                               {"find", 38, 40},
                                               {"firm", 296, 298},
                                               {"flew", 71, 74},
                                               {"flown", 71, 74},
                                               {"fly", 71, 74},
                                               {"foot", 192, 194},
                                               {"forget", 155, 158},
                                               {"forgot", 155, 158},
                                               {"forgotten", 155, 158},
                                               {"fought", 62, 64},
                                               {"found", 38, 40},
                                               {"franc", 395, 397},
                                               {"freez", 166, 169},
                                               {"french", 395, 397},
                                               {"fri", 288, 290},
                                               {"fridai", 288, 290},
                                               {"froz", 166, 169},
                                               {"frozen", 166, 169},
                                               {"gav", 31, 33},
                                               {"gees", 198, 200},
                                               {"german", 393, 395},
                                               {"germani", 393, 395},
                                               {"giv", 31, 33},
                                               {"good", 208, 211},
                                               {"goos", 198, 200},
                                               {"grew", 0, 4},
                                               {"grow", 0, 4},
                                               {"grown", 0, 4},
                                               {"growth", 0, 4},
                                               {"half", 204, 206},
                                               {"halv", 204, 206},
                                               {"hang", 146, 148},
                                               {"hear", 292, 294},
                                               {"heard", 292, 294},
                                               {"height", 333, 335},
                                               {"held", 15, 17},
                                               {"hid", 158, 160},
                                               {"hidden", 158, 160},
                                               {"high", 333, 335},
                                               {"histori", 384, 387},
                                               {"historic", 384, 387},
                                               {"historical", 384, 387},
                                               {"hold", 15, 17},
                                               {"hour", 274, 276},
                                               {"hr", 274, 276},
                                               {"hung", 146, 148},
                                               {"index", 218, 220},
                                               {"india", 403, 405},
                                               {"indian", 403, 405},
                                               {"indic", 218, 220},
                                               {"industri", 382, 384},
                                               {"industrial", 382, 384},
                                               {"introduc", 353, 355},
                                               {"introduct", 353, 355},
                                               {"itali", 409, 411},
                                               {"italian", 409, 411},
                                               {"jan", 228, 230},
                                               {"januari", 228, 230},
                                               {"japan", 399, 401},
                                               {"japanes", 399, 401},
                                               {"jul", 236, 238},
                                               {"juli", 236, 238},
                                               {"keep", 126, 128},
                                               {"kept", 126, 128},
                                               {"kg", 267, 269},
                                               {"kilogram", 267, 269},
                                               {"kilometer", 269, 272},
                                               {"kilometr", 269, 272},
                                               {"km", 269, 272},
                                               {"knew", 66, 69},
                                               {"know", 66, 69},
                                               {"known", 66, 69},
                                               {"labor", 257, 259},
                                               {"labour", 257, 259},
                                               {"laid", 148, 150},
                                               {"lain", 150, 152},
                                               {"lay", 148, 150},
                                               {"lead", 17, 19},
                                               {"learn", 178, 180},
                                               {"learnt", 178, 180},
                                               {"leav", 46, 48},
                                               {"led", 17, 19},
                                               {"left", 46, 48},
                                               {"lend", 172, 174},
                                               {"length", 327, 329},
                                               {"lent", 172, 174},
                                               {"lie", 150, 152},
                                               {"lif", 200, 202},
                                               {"liv", 200, 202},
                                               {"long", 327, 329},
                                               {"los", 322, 324},
                                               {"lost", 322, 324},
                                               {"man", 186, 188},
                                               {"manag", 363, 365},
                                               {"manager", 363, 365},
                                               {"mar", 232, 234},
                                               {"march", 232, 234},
                                               {"mean", 48, 50},
                                               {"meant", 48, 50},
                                               {"media", 226, 228},
                                               {"medium", 226, 228},
                                               {"meet", 50, 52},
                                               {"men", 186, 188},
                                               {"met", 50, 52},
                                               {"meter", 272, 274},
                                               {"metr", 272, 274},
                                               {"mic", 196, 198},
                                               {"min", 276, 278},
                                               {"minut", 276, 278},
                                               {"mon", 280, 282},
                                               {"mondai", 280, 282},
                                               {"mous", 196, 198},
                                               {"movi", 304, 306},
                                               {"nation", 365, 367},
                                               {"national", 365, 367},
                                               {"nov", 245, 247},
                                               {"november", 245, 247},
                                               {"oct", 243, 245},
                                               {"october", 243, 245},
                                               {"organis", 255, 257},
                                               {"organiz", 255, 257},
                                               {"paid", 52, 54},
                                               {"pay", 52, 54},
                                               {"peopl", 190, 192},
                                               {"permis", 355, 357},
                                               {"permit", 355, 357},
                                               {"person", 190, 192},
                                               {"phenomena", 224, 226},
                                               {"phenomenon", 224, 226},
                                               {"physician", 302, 304},
                                               {"politic", 378, 380},
                                               {"political", 378, 380},
                                               {"pric", 298, 300},
                                               {"produc", 312, 314},
                                               {"product", 312, 314},
                                               {"propos", 345, 347},
                                               {"proposal", 345, 347},
                                               {"ran", 116, 118},
                                               {"receipt", 349, 351},
                                               {"receiv", 349, 351},
                                               {"reduc", 310, 312},
                                               {"reduct", 310, 312},
                                               {"region", 367, 369},
                                               {"regional", 367, 369},
                                               {"rid", 160, 163},
                                               {"ridden", 160, 163},
                                               {"ris", 4, 7},
                                               {"risen", 4, 7},
                                               {"rod", 160, 163},
                                               {"ros", 4, 7},
                                               {"rough", 278, 280},
                                               {"run", 116, 118},
                                               {"russia", 401, 403},
                                               {"russian", 401, 403},
                                               {"sal", 12, 15},
                                               {"sang", 104, 107},
                                               {"sank", 107, 110},
                                               {"sat", 122, 124},
                                               {"scienc", 375, 378},
                                               {"scientific", 375, 378},
                                               {"scientist", 375, 378},
                                               {"seek", 64, 66},
                                               {"sel", 12, 15},
                                               {"send", 42, 44},
                                               {"sent", 42, 44},
                                               {"sep", 240, 243},
                                               {"sept", 240, 243},
                                               {"september", 240, 243},
                                               {"shak", 163, 166},
                                               {"shaken", 163, 166},
                                               {"shelf", 206, 208},
                                               {"shelv", 206, 208},
                                               {"shook", 163, 166},
                                               {"shoot", 138, 140},
                                               {"shot", 138, 140},
                                               {"show", 69, 71},
                                               {"shown", 69, 71},
                                               {"shrank", 101, 104},
                                               {"shrink", 101, 104},
                                               {"shrunk", 101, 104},
                                               {"sing", 104, 107},
                                               {"sink", 107, 110},
                                               {"sit", 122, 124},
                                               {"sleep", 128, 130},
                                               {"slept", 128, 130},
                                               {"sold", 12, 15},
                                               {"sought", 64, 66},
                                               {"spain", 411, 413},
                                               {"spanish", 411, 413},
                                               {"speak", 25, 28},
                                               {"spend", 44, 46},
                                               {"spent", 44, 46},
                                               {"spok", 25, 28},
                                               {"spoken", 25, 28},
                                               {"stand", 118, 120},
                                               {"steal", 86, 89},
                                               {"stick", 142, 144},
                                               {"stol", 86, 89},
                                               {"stolen", 86, 89},
                                               {"stood", 118, 120},
                                               {"strength", 329, 331},
                                               {"strik", 140, 142},
                                               {"strong", 329, 331},
                                               {"struck", 140, 142},
                                               {"stuck", 142, 144},
                                               {"sun", 290, 292},
                                               {"sundai", 290, 292},
                                               {"sung", 104, 107},
                                               {"sunk", 107, 110},
                                               {"swam", 110, 113},
                                               {"swear", 98, 101},
                                               {"sweep", 130, 132},
                                               {"swept", 130, 132},
                                               {"swim", 110, 113},
                                               {"swor", 98, 101},
                                               {"sworn", 98, 101},
                                               {"swum", 110, 113},
                                               {"tak", 33, 36},
                                               {"taken", 33, 36},
                                               {"taught", 54, 56},
                                               {"teach", 54, 56},
                                               {"tear", 92, 95},
                                               {"technologi", 387, 389},
                                               {"technological", 387, 389},
                                               {"teeth", 194, 196},
                                               {"tel", 132, 134},
                                               {"televis", 263, 265},
                                               {"think", 56, 58},
                                               {"thought", 56, 58},
                                               {"threw", 77, 80},
                                               {"throw", 77, 80},
                                               {"thrown", 77, 80},
                                               {"thu", 286, 288},
                                               {"thursdai", 286, 288},
                                               {"told", 132, 134},
                                               {"took", 33, 36},
                                               {"tooth", 194, 196},
                                               {"tor", 92, 95},
                                               {"torn", 92, 95},
                                               {"tue", 282, 284},
                                               {"tuesdai", 282, 284},
                                               {"tv", 263, 265},
                                               {"twic", 294, 296},
                                               {"understand", 120, 122},
                                               {"understood", 120, 122},
                                               {"versus", 265, 267},
                                               {"vs", 265, 267},
                                               {"wak", 169, 172},
                                               {"wear", 89, 92},
                                               {"wed", 284, 286},
                                               {"wednesdai", 284, 286},
                                               {"wid", 331, 333},
                                               {"width", 331, 333},
                                               {"wif", 202, 204},
                                               {"wiv", 202, 204},
                                               {"wok", 169, 172},
                                               {"woken", 169, 172},
                                               {"woman", 188, 190},
                                               {"women", 188, 190},
                                               {"wor", 89, 92},
                                               {"worn", 89, 92},
                                               {"wors", 211, 214},
                                               {"worst", 211, 214},
                                               {"writ", 22, 25},
                                               {"written", 22, 25},
                                               {"wrot", 22, 25}}};
static_assert(std::is_sorted(groups.begin(), groups.end(),
                             [](const group_entry& a, const group_entry& b) { return a.stem < b.stem; }));

constexpr std::array<std::string_view, 12> months{"januari",   "februari", "march",    "april",
                                                  "may",       "jun",      "juli",     "august",
                                                  "september", "october",  "november", "december"};

/// Returns for each letter the index of the first entry of \p list that starts with it, then the size of the
/// list, which must be sorted.
template <typename List, typename Word>
[[nodiscard]] constexpr std::array<std::uint16_t, 27> starts_of(const List& list, Word word_of) {
  std::array<std::uint16_t, 27> out{};
  for (std::size_t letter = 0; letter < 27; ++letter) {
    std::uint16_t at = 0;
    while (at < list.size() && word_of(list[at])[0] < static_cast<char>('a' + letter)) ++at;
    out[letter] = at;
  }
  return out;
}
constexpr auto group_starts = starts_of(groups, [](const group_entry& entry) { return entry.stem; });

/// Returns the entries of \p list that start with the same letter as \p word.
template <typename List>
[[nodiscard]] auto entries_for(const List& list, const std::array<std::uint16_t, 27>& starts,
                               std::string_view word) noexcept {
  if (word.empty() || word[0] < 'a' || word[0] > 'z') return std::span(list).first(0);
  const auto letter = static_cast<std::size_t>(word[0] - 'a');
  return std::span(list).subspan(starts[letter], std::size_t{starts[letter + 1]} - starts[letter]);
}

[[nodiscard]] bool is_vowel(char c) noexcept {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y';
}

/// A word from which suffixes are cut.
class ending {
 public:
  explicit ending(std::span<char> word) noexcept : word_(word), size_(word.size()) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool is(std::string_view tail) const noexcept {
    if (size_ < tail.size()) return false;
    return std::equal(tail.begin(), tail.end(),
                      word_.begin() + static_cast<std::ptrdiff_t>(size_ - tail.size()));
  }
  /// The letter at \p place, counted from 1 at the end.
  [[nodiscard]] char& back(std::size_t place) const noexcept { return word_[size_ - place]; }
  void cut(std::size_t count) noexcept { size_ -= count; }
  [[nodiscard]] bool has_vowel_before(std::size_t count) const noexcept {
    return std::any_of(word_.begin(), word_.begin() + static_cast<std::ptrdiff_t>(size_ - count), is_vowel);
  }

 private:
  std::span<char> word_;
  std::size_t size_;
};

void cut_plural(ending& word) noexcept {
  if (word.back(1) != 's') return;
  if (word.is("ies") && word.size() > 4) {
    word.cut(2);
    word.back(1) = 'y';
  } else if (word.is("sses") || word.is("shes") || word.is("ches") || word.is("xes") || word.is("zes")) {
    word.cut(2);
  } else if (word.back(2) != 's' && word.back(2) != 'u' && word.back(2) != 'i') {
    word.cut(1);
  }
}

void cut_suffix(ending& word) noexcept {
  const std::size_t size = word.size();
  switch (word.back(1)) {
    case 'g':
      if (size >= 6 && word.is("ing") && word.has_vowel_before(3)) word.cut(3);
      return;
    case 'd':
      if (size > 4 && word.is("ied")) {
        word.cut(2);
        word.back(1) = 'y';
      } else if (size >= 5 && word.is("ed") && word.has_vowel_before(2) && word.back(3) != 'e') {
        word.cut(2);
      }
      return;
    case 'y':
      if (size >= 6 && word.is("ly")) word.cut(2);
      return;
    case 't':
      if (size >= 8 && word.is("ment")) word.cut(4);
      return;
    case 's':
      if (size >= 8 && word.is("ness")) word.cut(4);
      return;
    case 'n':
      if (size >= 8 && word.is("ion") && (word.back(4) == 's' || word.back(4) == 't')) word.cut(3);
      return;
    default:
      return;
  }
}

/// The endings that are cut in a language, longest first.
[[nodiscard]] std::span<const std::string_view> endings_of(language in) noexcept {
  static constexpr std::array<std::string_view, 10> german{"ern", "en", "er", "em", "es",
                                                           "et",  "e",  "n",  "s",  "t"};
  static constexpr std::array<std::string_view, 12> french{"ees", "ent", "ee", "es", "er", "ez",
                                                           "ir",  "aux", "al", "e",  "s",  "x"};
  static constexpr std::array<std::string_view, 22> spanish{
      "ieron", "ando", "aron", "ados", "adas", "idos", "idas", "ado", "ada", "ido", "ida",
      "ios",   "io",   "os",   "as",   "es",   "an",   "en",   "a",   "o",   "e",   "s"};
  if (in == language::german) return german;
  if (in == language::french) return french;
  return spanish;
}

}  // namespace

std::span<const std::string_view> english_stop_words() noexcept {
  return stop_words;
}

std::size_t stem(std::span<char> word, language in) noexcept {
  if (word.size() <= 3) return word.size();
  ending rest(word);
  if (in == language::german || in == language::french || in == language::spanish) {
    for (const std::string_view tail : endings_of(in)) {
      if (word.size() < tail.size() + 3 || !rest.is(tail)) continue;
      rest.cut(tail.size());
      if (in == language::german && rest.size() > 4 && rest.is("t")) rest.cut(1);  // `ermäßigte`, `ermäßigt`
      break;
    }
    return rest.size();
  }
  cut_plural(rest);
  cut_suffix(rest);
  if (rest.size() >= 4 && rest.back(1) == 'e') rest.cut(1);
  if (rest.size() >= 4 && rest.back(1) == rest.back(2) && rest.back(1) >= 'b' && rest.back(1) <= 'z' &&
      !is_vowel(rest.back(1))) {
    rest.cut(1);
  }
  if (rest.size() >= 3 && rest.back(1) == 'y') rest.back(1) = 'i';
  return rest.size();
}

std::span<const std::string_view> same_meaning(std::string_view stem) noexcept {
  const auto entries = entries_for(groups, group_starts, stem);
  const auto found =
      std::lower_bound(entries.begin(), entries.end(), stem,
                       [](const group_entry& entry, std::string_view wanted) { return entry.stem < wanted; });
  if (found == entries.end() || found->stem != stem) return {};
  return std::span(group_words).subspan(found->begin, std::size_t{found->end} - found->begin);
}

std::string_view month_stem(unsigned number) noexcept {
  return months[number - 1];
}

}  // namespace citestream::check_detail
