// How words with the same meaning are found.
//
// stem() cuts regular endings, so `rises` and `rising` have the stem `ris`. Irregular forms (`rose`),
// nominal forms (`arrival`), abbreviations (`jan`) and close synonyms have other stems. group_table maps each
// of these to its group. It is a hash table of all languages, built on first use.
//
// mentions_decline() looks at the start of each word for the stems of its language.
#include "check/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.hpp"
#include "check/unicode_letters.hpp"
#include "check/word_hash.hpp"

namespace citestream::check_detail {
namespace {

/// Groups of words with the same meaning, for each language: words that can replace one another in nearly all
/// texts, and forms of one word that stem() does not unify. The first group of a stem counts.
constexpr std::string_view group_lists[] = {
    "grow grew grown growth|rise rose risen increase raise|fall fell fallen decrease decline drop|reduce "
    "reduction cut|buy bought purchase buyer purchaser acquire acquisition takeover|sell sold sale "
    "seller vendor|hold held|lead led|begin began begun start commence|end finish|stop cease|write wrote "
    "written|speak spoke spoken speech|drive drove driven|give gave given administer|take took taken|"
    "come came|find found|build built construct|send sent|spend spent|leave left|depart departure|mean "
    "meant|meet met|pay paid payment|teach taught|think thought|bring brought|catch caught|fight fought|"
    "seek sought|know knew known knowledge|show shown display|fly flew flown flight|draw drew drawn|"
    "throw threw thrown|break broke broken|choose chose chosen choice select pick|steal stole stolen "
    "theft|wear wore worn|tear tore torn|bear bore|swear swore sworn|shrink shrank shrunk|sing sang sung|"
    "sink sank sunk|swim swam swum|drink drank drunk|run ran|stand stood|understand understood|sit sat|"
    "feel felt|keep kept retain retention|sleep slept asleep|sweep swept|cause trigger|tell told|feed "
    "fed|bleed bled|shoot shot|strike struck|stick stuck|dig dug|hang hung|lay laid|lie lain|eat ate "
    "eaten|forget forgot forgotten|hide hid hidden|ride rode ridden|shake shook shaken|freeze froze "
    "frozen|wake woke woken|lend lent lender|bend bent|burn burnt|learn learnt|deal dealt|dream "
    "dreamt|shine shone|slide slid|ring rang rung|hurt injure injury|cling clung|creep crept|spin spun|"
    "weave wove woven|forgive forgave forgiven|overcome overcame|undertake undertook undertaken|withdraw "
    "withdrew withdrawn withdrawal|rebuild rebuilt|child children kid|man men|woman women|person people|"
    "foot feet|tooth teeth|mouse mice|goose geese|ox oxen|life live|wife wives|knife knives|wolf wolves|"
    "thief thieves|loaf loaves|half halves|shelf shelves|good better best|bad worse worst|analysis "
    "analyses analyse analyze|crisis crises|thesis theses|basis bases|index indices|appendix appendices|"
    "datum data|criterion criteria|phenomenon phenomena|medium media|bacterium bacteria|january jan|"
    "february feb|march mar|april apr|july jul|august aug|september sep sept|october oct|november nov|"
    "december dec|color colour|center centre|defense defence defend|license licence|organize organise "
    "organization organisation|labor labour|behavior behaviour|favor favour|favorite favourite|neighbor "
    "neighbour|honor honour|flavor flavour|harbor harbour|theater theatre|fiber fibre|catalog catalogue|"
    "program programme|gray grey|tire tyre|aluminum aluminium|check cheque|jewelry jewellery|plow plough|"
    "tv television|vs versus|kg kilogram|km kilometer kilometre|meter metre|liter litre|hour hr|minute "
    "min|approximately roughly|monday mon|tuesday tue|wednesday wed|thursday thu|friday fri|saturday|"
    "sunday sun|year annual|hear heard|double twice twofold|triple threefold|company firm|cost price fee "
    "charge|car automobile|doctor physician|film movie|decide decision|expand expansion|conclude "
    "conclusion|describe description|prescribe prescription|subscribe subscription|explain explanation|"
    "lose lost loss|die died dies dying dead death decease|birth born|long length|strong strength|wide "
    "width|high height tall|deep depth|able ability|discover discovery|deliver delivery|approve approval|"
    "propose proposal|arrive arrival|receive receipt obtain|destroy destruction|introduce introduction|"
    "produce product production producer|consume consumption|permit permission allow authorize authorise "
    "authorization|forbid forbade forbidden prohibit ban|employ employee staff worker personnel "
    "workforce|compete competition competitor rival|manage manager|need require necessary mandatory "
    "compulsory obligatory|optional voluntary|nation national|region regional|culture cultural|"
    "environment environmental|economy economic|science scientific scientist|politics political|finance "
    "financial|industry industrial|history historic historical|technology technological|agriculture "
    "agricultural|constitution constitutional|tradition traditional|profession professional|electric "
    "electrical electricity|medicine medication drug medicament|vaccine vaccinate vaccination|dose "
    "dosage|tablet pill|allergy allergic|pregnancy pregnant|infect infection infectious|diabetes "
    "diabetic|disease illness|ill sick|toxic toxicity|book reserve reservation|cancel cancellation|"
    "inform information info|install installation|recommend recommendation|limit limitation|adapt "
    "adaptation|apply application applicant|register registration enroll enrol|confirm confirmation|"
    "observe observation|transform transformation|transport transportation|vary variation|consult "
    "consultation|continue continuation|declare declaration|examine examination exam|expect expectation|"
    "explore exploration|modify modification|notify notification|qualify qualification|verify "
    "verification|identify identification|classify classification|certify certification certificate|"
    "publish publication publisher|restore restoration|accuse accusation|allege allegation|combine "
    "combination|define definition|determine determination|imagine imagination|inspire inspiration|"
    "invite invitation|prepare preparation|preserve preservation|resign resignation quit|summarize "
    "summarise summary|utilize utilise utilization|extend extension prolong|divide division|explode "
    "explosion|invade invasion|persuade persuasion|suspend suspension|admit admission|submit submission|"
    "transmit transmission|emit emission|collide collision|erode erosion|convert conversion|assume "
    "assumption|absorb absorption|resume resumption|redeem redemption|satisfy satisfaction|refuse "
    "refusal|remove removal|renew renewal|dismiss dismissal|survive survival survivor|deny denial|rent "
    "rental lease|bury burial|dispose disposal|accept acceptance|appear appearance|assist assistance "
    "help aid|attend attendance|avoid avoidance|guide guidance|insure insurance|maintain maintenance|"
    "perform performance|resist resistance|rely reliance|depend dependence|differ different difference|"
    "exist existence|occur occurrence happen|prefer preference|refer reference|reside residence|"
    "interfere interference|fail failure|close closure shut|expose exposure|seize seizure|sign signature|"
    "recover recovery|inquire inquiry enquiry|true truth|warm warmth|prove proof proven|believe belief|"
    "advise advice|succeed success successful|compare comparison|respond response|offend offense offence|"
    "criticize criticise criticism critic|complain complaint|weigh weight|marry marriage|invent "
    "invention inventor|safe safety|available availability|possible possibility|secure security|active "
    "activity|valid validity|flexible flexibility|responsible responsibility|similar similarity|accurate "
    "accuracy|efficient efficiency|frequent frequency|urgent urgency|presence present|absence absent|"
    "distant distance|important importance|convenient convenience|independent independence|silent "
    "silence|violent violence|danger dangerous hazard hazardous|risk risky|harm harmful|difficult "
    "difficulty|tourist tourism|big large|bigger larger|biggest largest|quick fast rapid|quicker faster|"
    "cheap inexpensive|easy simple|quiet|entire whole|legal lawful|illegal unlawful|attorney lawyer|"
    "phone telephone|photo photograph picture|trash garbage rubbish|customer client|gasoline petrol|"
    "salary wage|refund reimburse reimbursement|free complimentary|remain stay|replace replacement "
    "substitute|repair mend|provide supply|contain comprise|beat beaten defeat|cede transfer|appoint "
    "appointment|hire recruit|located situated|main principal|trip journey|travel traveler traveller|"
    "usual normal typical|rare seldom|immediate instant|error mistake|answer reply|ask request|america "
    "american|europe european|germany german|france french|china chinese|japan japanese|russia russian|"
    "india indian|britain british|canada canadian|italy italian|spain spanish|england english|scotland "
    "scottish|wales welsh|ireland irish|switzerland swiss|netherlands dutch|sweden swedish|norway "
    "norwegian|denmark danish|finland finnish|poland polish|portugal portuguese|greece greek|turkey "
    "turkish|ukraine ukrainian|austria austrian|belgium belgian|hungary hungarian|romania romanian|"
    "bulgaria bulgarian|serbia serbian|croatia croatian|czechia czech|slovakia slovak|korea korean|"
    "vietnam vietnamese|thailand thai|indonesia indonesian|israel israeli|egypt egyptian|iran iranian|"
    "iraq iraqi|syria syrian|africa african|asia asian|australia australian|brazil brazilian|mexico "
    "mexican|argentina argentine|chile chilean|peru peruvian|kenya kenyan|nigeria nigerian|ethiopia "
    "ethiopian|pakistan pakistani|expire expiry expiration|demolish demolition|luggage baggage|timetable "
    "schedule|rail railway railroad|airplane aeroplane aircraft|bike bicycle|motorbike motorcycle|lorry "
    "truck|toilet restroom|delete erase|achieve accomplish|famous renowned|wrong incorrect|loud noisy|"
    "empty vacant|inhabitant resident|peak summit|mother mom mum|father dad|cure heal|pain painful ache|"
    "jail prison|shareholder stockholder|merge merger|chairman chairwoman chairperson|spokesman "
    "spokeswoman spokesperson|visit visitor|invest investor|create creator|author writer|member "
    "membership|maximum max|laboratory lab|refrigerator fridge|advertisement advert|mathematics maths",

    "beginnen begann begonnen anfang anfangen starten start|enden endet endete beenden beendet ende|"
    "bieten bot geboten|bleiben blieb geblieben|brechen bricht brach gebrochen|denken dachte gedacht|"
    "empfehlen empfiehlt empfahl empfohlen empfehlung|essen isst gegessen|fahren fahrt fuhr gefahren|"
    "finden fand gefunden|fliegen flog geflogen flug|geben gibt gab gegeben|gehen ging gegangen|gelten "
    "gilt galt gegolten|gewinnen gewann gewonnen|halten halt hielt gehalten|heisen hies|helfen hilft "
    "half geholfen hilfe|kennen kannte gekannt|kommen kam gekommen|laden ladt lud geladen|lassen lasst "
    "lies gelassen|laufen lauft|leiden litt gelitten|lesen liest las gelesen|messen misst mas gemessen|"
    "nehmen nimmt nahm genommen|nennen nannte genannt|raten rat riet geraten|rufen rief gerufen|schaffen "
    "schuf geschaffen|scheinen schien|schlafen schlaft schlief|schlagen schlagt schlug geschlagen "
    "besiegen besiegt|schliesen schliest schloss geschlossen schliesung|schneiden schnitt|schreiben "
    "schrieb geschrieben|sehen sieht sah gesehen|sitzen sas gesessen|sprechen spricht sprach gesprochen|"
    "stehen stand gestanden|sterben stirbt starb gestorben tod verstorben verstarb|tragen tragt trug "
    "getragen|treffen trifft traf getroffen|treten tritt trat getreten|trinken trank getrunken|verbieten "
    "verbietet verbot verboten untersagt untersagen unzulassig|verlieren verlor verloren verlust|"
    "vergessen vergisst vergas|vergleichen verglich verglichen vergleich|waschen wascht wusch|werfen "
    "warf geworfen|wissen wusste gewusst|ziehen zog gezogen|entscheiden entschied entschieden "
    "entscheidung entscheid|enthalten enthalt enthielt|bestehen besteht bestand|entstehen entstand "
    "entstanden|erscheinen erschien erschienen|ubernehmen ubernimmt ubernahm ubernommen ubernahme|"
    "teilnehmen teilnimmt teilnahm teilgenommen teilnahme|unterschreiben unterschrieb unterschrieben "
    "unterzeichnen unterzeichnet unterschrift|verlassen verlasst|erhalten erhalt erhielt bekommen "
    "bekommt bekam|steigen stieg gestiegen anstieg ansteigen angestiegen steigerung zunehmen zugenommen "
    "zunahme|wachsen wachst wuchs gewachsen wachstum|sinken sank gesunken ruckgang zuruckgegangen "
    "abgenommen abnahme|senken gesenkt senkung reduzieren reduziert verringern verringert|erhohen erhoht "
    "erhohung|kaufen gekauft kauf erwerben erwirbt erwarb erworben|verkaufen verkauft verkauf|zahlen "
    "gezahlt bezahlen bezahlt zahlung bezahlung|kosten kostet preis|gebuhr entgelt|gratis kostenlos "
    "kostenfrei gebuhrenfrei unentgeltlich umsonst|kostenpflichtig gebuhrenpflichtig|arbeitnehmer "
    "beschaftigte mitarbeiter mitarbeitende angestellte belegschaft personal|kundigen gekundigt "
    "kundigung|stornieren storniert stornierung|buchen gebucht buchung reservieren reserviert "
    "reservierung|bestellen bestellt bestellung|erlaubt gestattet zulassig erlauben gestatten|pflicht "
    "vorgeschrieben verpflichtend obligatorisch zwingend verpflichtet|freiwillig optional|notig "
    "notwendig erforderlich|arzt mediziner|firma unternehmen|auto wagen pkw|handy smartphone "
    "mobiltelefon|jahrlich jahr|monatlich monat|geboren geburt|leben lebt|hoch hohe|gewicht wiegen wiegt "
    "wog gewogen|hergestellt herstellen herstellung produzieren produktion|antrag beantragen beantragt|"
    "genehmigen genehmigt genehmigung|anwenden angewendet angewandt anwendung verwenden verwendet "
    "verwendung benutzen benutzt benutzung|andern geandert anderung|offnen geoffnet offnung offen|"
    "abfahren abfahrt|ankommen ankunft|versichern versichert versicherung|erstatten erstattet erstattung|"
    "verlangern verlangert verlangerung|vermieten vermietet vermietung|lagern gelagert lagerung "
    "aufbewahren aufbewahrt aufbewahrung|einnehmen eingenommen einnahme|austauschen ausgetauscht "
    "austausch auswechseln ausgewechselt ersetzen ersetzt wechseln|fahrrad rad|passagier fahrgast|kunde "
    "kundin|krankheit erkrankung|medikament arznei arzneimittel|umsatz erlos|wohnen wohnt wohnhaft|"
    "schnell rasch|vollstandig komplett|deutschland deutsch|osterreich osterreichisch|schweiz schweizer|"
    "frankreich franzosisch|england englisch|italien italienisch|spanien spanisch|russland russisch|"
    "europa europaisch|amerika amerikanisch|china chinesisch|japan japanisch|polen polnisch|unterliegen "
    "unterlag unterlegen|einwohner bewohner|amt behorde|urlaub ferien|akku batterie|tablette pille|"
    "bildschirm display",

    "acheter achat acquerir acquis acquiert rachat racheter|vendre vend vendu vente|prendre prend "
    "prennent|mettre met mis mettent|tenir tient tenu|venir vient venu viennent|voir voit vu|savoir sait|"
    "rendre rend rendu|perdre perd perdu perte|recevoir recoit recu recoivent percevoir percoit percu "
    "percoivent|construire construit construction|produire produit production|reduire reduit reduction|"
    "naitre nait naissance|mourir meurt mort deces deceder decede|ouvrir ouvre ouvert ouverture|fermer "
    "ferme fermeture|offrir offre offert|ecrire ecrit|lire lu lecture|vivre vit vecu|suivre suit suivi|"
    "elire elu election|choisir choisi choix|payer paie paye paiement|couter coute cout prix tarif|"
    "commencer commence debuter debut|finir fini terminer termine achever fin|durer duree|livrer "
    "livraison|reserver reservation|annuler annulation|resilier resiliation|rembourser remboursement|"
    "autoriser autorise permettre permis permet autorisation|interdire interdit interdiction prohibe "
    "prohiber|obligatoire exige requis imperatif|facultatif optionnel|gratuit gratuitement|salarie "
    "employe travailleur|entreprise societe firme|augmenter augmentation accroitre accru hausse|croitre "
    "croit croissance|diminuer diminution baisser baisse|chuter chute|client clientele|medecin docteur|"
    "medicament remede|maladie malade|voiture automobile|annee an annuel annuellement|mois mensuel|"
    "diriger dirigeant directeur|decider decision|signer signature|partir depart|arriver arrivee|"
    "utiliser utilisation usage|remplacer remplacement|garantir garantie garanti|traiter traitement|"
    "nettoyer nettoyage|conserver conservation|vaincre vaincu battre battu bat|gagner gagne remporter|"
    "quitter quitte|demeurer demeure rester reste|conclure conclu conclusion|proposer proposition|"
    "accepter acceptation|refuser refus|modifier modification|verifier verification|installer "
    "installation|informer information|inscrire inscrit inscription|assurer assurance|louer location|"
    "heberger hebergement|rapide rapidement|necessaire necessiter indispensable|possible possibilite|"
    "different difference|haut hauteur|long longueur|large largeur|poids peser pese|ecole scolaire|eau "
    "hydrique|photo photographie|velo bicyclette|train ferroviaire|bateau navire|allemagne allemand|"
    "france francais|angleterre anglais|espagne espagnol|italie italien|suisse helvetique|belgique belge|"
    "europe europeen|amerique americain|russie russe|chine chinois|japon japonais|autriche autrichien|"
    "portugal portugais|canada canadien|nation national|region regional|admettre admis admission|echouer "
    "echec|reussir reussite succes|oeil yeux|travail travaux|magasin boutique|salaire remuneration|"
    "billet ticket|demissionner demission|marier mariage epouser|auteur ecrivain|courriel email|jour "
    "journee",

    "comprar compra adquirir adquirio adquiere adquisicion|vender venta|empezar empieza comenzar "
    "comienza inicio iniciar comienzo|terminar acabar finalizar|nacer nacio nace nacimiento|morir murio "
    "muere muerto muerte fallecer fallecio fallece fallecimiento|abrir abierto apertura|cerrar cierra "
    "cerrado cierre|aumentar aumento incrementar incremento|subir subida|crecer crecimiento|disminuir "
    "disminuyo disminuye disminucion|bajar bajada descender descenso desciende|reducir redujo reduce "
    "reduccion|caer cayo cae caida|recibir recibe percibir percibe obtener obtuvo|pagar pago|costar "
    "cuesta costo valer vale precio coste|tarifa|permitir permite permitido autorizar autorizado permiso "
    "autorizacion|prohibir prohibe prohibido prohibicion|obligatorio preceptivo|necesitar necesita "
    "necesario|opcional voluntario facultativo|gratuito gratis gratuitamente|empleado trabajador|empresa "
    "compania|ano anual anualmente|mes mensual mensualmente|coche automovil carro|medico doctor|"
    "medicamento farmaco medicina|enfermedad dolencia|cliente clientela|decidir decision|salir salida|"
    "llegar llegada|usar uso utilizar utilizacion|reservar reserva|cancelar cancelacion anular anulacion|"
    "entregar entrega|devolver devolucion devuelve reembolsar reembolso|solicitar solicitud pedir pide|"
    "alquilar alquiler|instalar instalacion|modificar modificacion|verificar verificacion|informar "
    "informacion|inscribir inscripcion|garantizar garantia|sustituir sustituye reemplazar reemplazo|"
    "limpiar limpieza|tratar tratamiento|conservar conservacion|vencer vencio derrotar derroto|ganar "
    "gana victoria|perder pierde perdida|permanecer quedar|concluir conclusion|proponer propuso "
    "propuesta|aceptar aceptacion|rechazar rechazo|elegir elige eleccion eligio|escribir escrito|hacer "
    "hizo hace hecho|decir dijo dice dicho|ver vio visto|venir vino viene|tener tuvo|poner puso pone "
    "puesto|traer trajo|producir produjo produce produccion|construir construyo construccion|introducir "
    "introdujo introduccion|durar dura duracion|rapido veloz|posible posibilidad|diferente distinto "
    "diferencia|alto altura|largo longitud|ancho anchura|peso pesar pesa|foto fotografia|bicicleta bici|"
    "barco buque|alemania aleman|francia frances|inglaterra ingles|espana espanol|italia italiano|suiza "
    "suizo|europa europeo|america americano|rusia ruso|china chino|japon japones|austria austriaco|"
    "portugal portugues|mexico mexicano|nacion nacional|region regional|fracasar fracaso|boleto billete|"
    "ordenador computadora|sueldo salario|escuela colegio|dimitir dimision|autor escritor|pelicula filme"};

/// The number of words in `group_lists`, and of their bytes.
constexpr std::size_t grouped_words = [] {
  std::size_t out = 0;
  for (const std::string_view list : group_lists)
    out += 1 +
           static_cast<std::size_t>(std::ranges::count_if(list, [](char c) { return c == ' ' || c == '|'; }));
  return out;
}();
constexpr std::size_t grouped_bytes = [] {
  std::size_t out = 0;
  for (const std::string_view list : group_lists) out += list.size();
  return out;
}();

/// Finds the group of a stem.
class group_table {
 public:
  group_table() noexcept {
    for (const language in : known_languages) {
      for (std::string_view rest = group_lists[static_cast<std::size_t>(in)]; !rest.empty();)
        add(take_until(rest, "|"), in);
    }
  }

  /// Returns the group of \p stem, which is in it; empty if the stem is in no group.
  [[nodiscard]] std::span<const std::string_view> find(std::string_view stem, language in) const noexcept {
    const slot& found = slots_[place_of(stem, in)];
    return std::span(stems_).subspan(found.begin, found.size);
  }

 private:
  struct slot {
    std::uint64_t hash{};
    std::uint16_t begin{};  ///< of the group in `stems_`
    std::uint16_t size{};   ///< 0: empty
  };
  static constexpr std::size_t size = 8192;  // slots; a power of two
  static_assert(grouped_words * 2 < size);

  /// Returns the place of a stem in `slots_`, or the empty one where it belongs.
  [[nodiscard]] std::size_t place_of(std::string_view stem, language in) const noexcept {
    const std::uint64_t hash = word_hash(static_cast<std::uint64_t>(in))(stem);
    std::size_t at = hash % size;
    while (slots_[at].size != 0 && slots_[at].hash != hash) at = (at + 1) % size;
    return at;
  }

  /// Adds a group of words. A stem stays in its first group.
  void add(std::string_view words, language in) noexcept {
    const std::size_t begin = stem_count_;
    while (!words.empty()) {
      const std::string_view word = take_until(words, " ");
      char* const bytes = bytes_.data() + byte_count_;
      std::ranges::copy(word, bytes);
      const std::string_view stemmed(bytes, stem({bytes, word.size()}, in));
      const auto group = std::span(stems_).subspan(begin, stem_count_ - begin);
      if (std::ranges::find(group, stemmed) != group.end()) continue;
      stems_[stem_count_++] = stemmed;
      byte_count_ += word.size();
    }
    for (std::size_t i = begin; i < stem_count_; ++i) {
      slot& each = slots_[place_of(stems_[i], in)];
      if (each.size != 0) continue;
      each = {word_hash(static_cast<std::uint64_t>(in))(stems_[i]), static_cast<std::uint16_t>(begin),
              static_cast<std::uint16_t>(stem_count_ - begin)};
    }
  }

  std::array<char, grouped_bytes> bytes_{};
  std::array<std::string_view, grouped_words> stems_{};  ///< one group after the other
  std::array<slot, size> slots_{};                       ///< open addressing
  std::size_t byte_count_{};
  std::size_t stem_count_{};
};

constexpr std::array<std::string_view, 12> months{"januari",   "februari", "march",    "april",
                                                  "mai",       "jun",      "juli",     "august",
                                                  "september", "october",  "november", "december"};

[[nodiscard]] bool is_vowel(char c) noexcept {
  return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y';
}

/// A word from which suffixes are cut.
class stemmed_word {
 public:
  explicit stemmed_word(std::span<char> word) noexcept : word_(word), size_(word.size()) {}

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

void cut_plural(stemmed_word& word) noexcept {
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

void cut_suffix(stemmed_word& word) noexcept {
  const std::size_t size = word.size();
  if (size > 4 && word.is("ied")) {
    word.cut(2);
    word.back(1) = 'y';
  } else if (size >= 6 && word.is("ing") && word.has_vowel_before(3)) {
    word.cut(3);
  } else if (size >= 5 && word.is("ed") && word.has_vowel_before(2) && word.back(3) != 'e') {
    word.cut(2);
  } else if (size >= 6 && word.is("ly")) {
    word.cut(2);
  } else if (size >= 8 && (word.is("ment") || word.is("ness"))) {
    word.cut(4);
  } else if (size >= 8 && (word.is("sion") || word.is("tion"))) {
    word.cut(3);
  }
}

/// The suffixes that are cut in a language, in the order in which they are tried.
[[nodiscard]] std::span<const std::string_view> suffixes_of(language in) noexcept {
  static constexpr auto german = list_of("ern", "en", "er", "em", "es", "et", "e", "n", "s", "t");
  static constexpr auto french =
      list_of("ees", "ent", "ee", "es", "er", "ez", "ir", "aux", "al", "e", "s", "x");
  static constexpr auto spanish =
      list_of("ieron", "ando", "aron", "ados", "adas", "idos", "idas", "ado", "ada", "ido", "ida", "ios",
              "io", "os", "as", "es", "an", "en", "a", "o", "e", "s");
  if (in == language::german) return german;
  if (in == language::french) return french;
  return spanish;
}

}  // namespace

std::size_t stem(std::span<char> word, language in) noexcept {
  if (word.size() <= 3) return word.size();
  stemmed_word rest(word);
  if (vocabulary_of(in) != language::english) {
    for (const std::string_view tail : suffixes_of(in)) {
      if (tail.back() != word.back() || word.size() < tail.size() + 3 || !rest.is(tail)) continue;
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
  if (rest.size() > 3 && rest.back(1) == 'y') rest.back(1) = 'i';
  return rest.size();
}

std::span<const std::string_view> same_meaning(std::string_view stem, language in) noexcept {
  static const group_table groups;
  return groups.find(stem, in);
}

std::string_view month_stem(unsigned number) noexcept {
  return months[number - 1];
}

bool mentions_decline(std::string_view text, language in) noexcept {
  using stem_list = std::span<const std::string_view>;
  // A stem that ends with a dot is a whole word: `down` says more than `download`.
  static constexpr auto english =
      list_of("fall", "fell", "drop.", "drops.", "dropp", "declin", "decreas", "loss", "lost", "losing",
              "negat", "down.", "low.", "lower", "minus", "below", "shrink", "shrank", "shrunk", "reduc",
              "slid", "sank", "contracted", "contracting", "contraction", "contracts.", "cutting", "cutback",
              "lows.", "downsiz", "downgrad", "downbeat", "downturn", "downward", "cut.", "cuts.", "deficit");
  static constexpr auto german = list_of("minus", "sank", "sink", "gesunk", "fiel", "fallen", "gefallen",
                                         "rückgang", "zurück", "verlust", "verlor", "vermindert", "verring",
                                         "senk", "reduz", "abnahm", "nahm", "defizit", "schrumpf");
  static constexpr std::string_view french[] = {"baiss", "recul", "chut",  "diminu",
                                                "repli", "perte", "perdu", "déficit"};
  static constexpr std::string_view spanish[] = {"caí",    "cay",     "bajó",   "bajar", "bajado",
                                                 "descen", "disminu", "pérdid", "perdi", "déficit"};
  const std::array<stem_list, known_languages.size()> lists{english, german, french, spanish};
  const stem_list stems = lists[static_cast<std::size_t>(vocabulary_of(in))];
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && starts_letter(text[at - 1])) continue;
    const char initial = ascii::lower(text[at]);
    for (std::string_view stem : stems) {
      if (stem[0] != initial) continue;
      const bool whole = stem.ends_with('.');
      if (whole) stem.remove_suffix(1);
      const std::string_view rest = text.substr(at);
      const bool same = rest.size() >= stem.size() &&
                        std::ranges::equal(rest.substr(0, stem.size()), stem, {}, ascii::lower);
      if (same && !(whole && rest.size() > stem.size() && starts_letter(rest[stem.size()]))) return true;
    }
  }
  return false;
}

}  // namespace citestream::check_detail
