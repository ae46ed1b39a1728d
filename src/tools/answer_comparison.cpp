// How answers are paired and compared.
//
// pair_by() pairs answers with equal keys, in their order: the question and the file name, the question, the
// file name, the name without its extension. Claims are paired in the same way by their words, which ignores
// case, punctuation and blanks. Claims that are left are compared each with each (Dice's coefficient of their
// words), at most max_claims_by_similarity on each side, so that a long answer does not take quadratic time.
#include "answer_comparison.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <boost/algorithm/string/split.hpp>

#include "base/ascii.hpp"

namespace citestream::tools {

namespace {

constexpr std::size_t max_claims_by_similarity = 200;
constexpr double least_similarity = 0.5;
/// Sums of shares are not exact.
constexpr double rounding = 1e-9;

std::optional<double> share(std::uint64_t part, std::uint64_t whole) noexcept {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

template <claim_verdict Verdict>
std::optional<double> share_of(const answer_figures& of) noexcept {
  return share(of.verdicts[static_cast<std::size_t>(Verdict)],
               std::reduce(of.verdicts.begin(), of.verdicts.end()));
}

constexpr std::array<measure, 11> all_measures{{
    {"markers", measure_unit::count, better::neither,
     [](const answer_figures& of) { return std::optional(static_cast<double>(of.markers)); }},
    {"resolved", measure_unit::share, better::higher,
     [](const answer_figures& of) { return share(of.resolved, of.markers); }},
    {"invented", measure_unit::share, better::lower,
     [](const answer_figures& of) { return share(of.invented, of.markers); }},
    {"cited_claims", measure_unit::share, better::higher,
     [](const answer_figures& of) { return share(of.cited, of.claims); }},
    {"supported", measure_unit::share, better::higher, &share_of<claim_verdict::supported>},
    {"contradicted", measure_unit::share, better::lower, &share_of<claim_verdict::contradicted>},
    {"not_found", measure_unit::share, better::lower, &share_of<claim_verdict::not_found>},
    {"unsure", measure_unit::share, better::neither, &share_of<claim_verdict::unsure>},
    {"uncited", measure_unit::count, better::neither,
     [](const answer_figures& of) { return std::optional(static_cast<double>(of.uncited)); }},
    {"held_max", measure_unit::bytes, better::neither,
     [](const answer_figures& of) {
       return of.held_max ? std::optional(static_cast<double>(*of.held_max)) : std::nullopt;
     }},
    {"first_text_seconds", measure_unit::seconds, better::neither,
     [](const answer_figures& of) { return of.first_text_seconds; }},
}};

/// Which entries of two lists belong together.
class partners {
 public:
  partners(std::size_t older, std::size_t newer) : of_old_(older), taken_(newer) {}

  /// Pairs entries without a partner whose keys are equal and not empty.
  template <typename OldKey, typename NewKey, typename Allow>
  void pair_by(const OldKey& old_key, const NewKey& new_key, const Allow& allowed) {
    std::map<std::string, std::vector<std::size_t>> open;  // last first
    for (std::size_t i = taken_.size(); i-- > 0;) {
      if (!taken_[i]) open[new_key(i)].push_back(i);
    }
    for (std::size_t i = 0; i < of_old_.size(); ++i) {
      if (of_old_[i]) continue;
      const std::string key = old_key(i);
      const auto found = open.find(key);
      if (key.empty() || found == open.end()) continue;
      std::vector<std::size_t>& candidates = found->second;
      const auto first = std::find_if(candidates.rbegin(), candidates.rend(),
                                      [&](std::size_t candidate) { return allowed(i, candidate); });
      if (first == candidates.rend()) continue;
      join(i, *first);
      candidates.erase(std::next(first).base());
    }
  }

  void join(std::size_t older, std::size_t newer) {
    of_old_[older] = newer;
    taken_[newer] = true;
  }

  [[nodiscard]] const std::optional<std::size_t>& of_old(std::size_t index) const { return of_old_[index]; }
  [[nodiscard]] bool taken(std::size_t index) const { return taken_[index]; }
  [[nodiscard]] std::size_t old_size() const noexcept { return of_old_.size(); }
  [[nodiscard]] std::size_t new_size() const noexcept { return taken_.size(); }

 private:
  std::vector<std::optional<std::size_t>> of_old_;
  std::vector<bool> taken_;
};

/// The words of a text in lower case, separated by blanks. Bytes of UTF-8 are kept.
std::string words_in(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (ascii::is_alphanumeric(c) || !ascii::is_ascii(c)) {
      out += ascii::lower(c);
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

std::set<std::string> word_set(const std::string& words) {
  std::set<std::string> out;
  boost::algorithm::split(out, words, [](char c) { return c == ' '; });
  out.erase("");
  return out;
}

/// Dice's coefficient: twice the number of common words by the number of all.
double similarity(const std::set<std::string>& a, const std::set<std::string>& b) {
  if (a.empty() || b.empty()) return 0;
  const auto common = std::ranges::count_if(a, [&](const std::string& word) { return b.contains(word); });
  return 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

/// Pairs the claims that are left, the most similar first.
void pair_similar(const std::vector<judged_claim>& older, const std::vector<judged_claim>& newer,
                  partners& found) {
  struct candidate {
    double similar;
    std::size_t older;
    std::size_t newer;
  };
  const auto open = [](const std::vector<judged_claim>& claims, const auto& is_taken) {
    std::vector<std::pair<std::size_t, std::set<std::string>>> out;
    for (std::size_t i = 0; i < claims.size() && out.size() < max_claims_by_similarity; ++i) {
      if (!is_taken(i)) out.emplace_back(i, word_set(words_in(claims[i].text)));
    }
    return out;
  };
  const auto olds = open(older, [&](std::size_t i) { return found.of_old(i).has_value(); });
  const auto news = open(newer, [&](std::size_t i) { return found.taken(i); });
  std::vector<candidate> candidates;
  for (const auto& [i, one] : olds) {
    for (const auto& [j, other] : news) {
      const double similar = similarity(one, other);
      if (similar >= least_similarity) candidates.push_back({similar, i, j});
    }
  }
  std::ranges::sort(candidates, {},
                    [](const candidate& each) { return std::tuple(-each.similar, each.older, each.newer); });
  for (const candidate& each : candidates) {
    if (!found.of_old(each.older) && !found.taken(each.newer)) found.join(each.older, each.newer);
  }
}

/// A claim has no verdict if its references have no text or have not arrived. Unless a citation is invented,
/// such a claim has not changed.
bool is_change(const judged_claim& older, const judged_claim& newer) {
  if (older.invented != newer.invented) return true;
  return older.verdict != newer.verdict && (newer.invented || (older.verdict && newer.verdict));
}

std::vector<changed_claim> changed_claims(const std::vector<judged_claim>& older,
                                          const std::vector<judged_claim>& newer) {
  partners found(older.size(), newer.size());
  found.pair_by([&](std::size_t i) { return words_in(older[i].text); },
                [&](std::size_t i) { return words_in(newer[i].text); },
                [](std::size_t, std::size_t) { return true; });
  pair_similar(older, newer, found);
  std::map<std::size_t, changed_claim> changed;  // by the place of the new claim
  for (std::size_t i = 0; i < older.size(); ++i) {
    const auto& other = found.of_old(i);
    if (other && is_change(older[i], newer[*other]))
      changed.emplace(*other, changed_claim{older[i], newer[*other]});
  }
  std::vector<changed_claim> out;
  out.reserve(changed.size());
  for (auto& [place, each] : changed) out.push_back(std::move(each));
  return out;
}

/// Adds the figures of one answer to those of several.
/// \param claims_known  the claims of both answers of the pair are known
void add_figures(const answer_figures& one, bool claims_known, answer_figures& sum) {
  sum.markers += one.markers;
  sum.resolved += one.resolved;
  sum.invented += one.invented;
  sum.claims += claims_known ? one.claims : 0;
  sum.cited += claims_known ? one.cited : 0;
  for (std::size_t i = 0; i < sum.verdicts.size(); ++i) sum.verdicts[i] += one.verdicts[i];
  sum.uncited += one.uncited;
  if (one.held_max) sum.held_max = std::max(sum.held_max.value_or(0), *one.held_max);
}

/// Returns the mean of the times that are known, of one answer of each pair.
std::optional<double> mean_seconds(const answer_set& of, const std::vector<answer_pair>& pairs,
                                   std::size_t answer_pair::*which) {
  double sum{};
  std::size_t count{};
  for (const answer_pair& pair : pairs) {
    const std::optional<double> seconds = of.answers[pair.*which].figures.first_text_seconds;
    sum += seconds.value_or(0);
    if (seconds) ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

/// Returns a name without its extension, but with the number of its line: `a:7` for `a.jsonl:7`.
std::string stem_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const std::size_t line = name.find(':', std::min(dot, name.size()));
  return name.substr(0, dot) + (line == std::string::npos ? std::string() : name.substr(line));
}

partners pair_answers(const std::vector<measured_answer>& older, const std::vector<measured_answer>& newer) {
  partners found(older.size(), newer.size());
  if (older.size() == 1 && newer.size() == 1) {
    found.join(0, 0);
    return found;
  }
  const auto one_question = [&](std::size_t i, std::size_t j) {
    return older[i].question.empty() || newer[j].question.empty() || older[i].question == newer[j].question;
  };
  const auto by = [&](const auto& key) {
    found.pair_by([&](std::size_t i) { return key(older[i]); }, [&](std::size_t i) { return key(newer[i]); },
                  one_question);
  };
  by([](const measured_answer& one) { return one.question.empty() ? "" : one.question + '\n' + one.name; });
  by([](const measured_answer& one) { return one.question; });
  by([](const measured_answer& one) { return one.name; });
  by([](const measured_answer& one) { return stem_of(one.name); });
  return found;
}

}  // namespace

std::span<const measure> measures() noexcept {
  return all_measures;
}

answer_comparison compare_answers(const answer_set& older, const answer_set& newer) {
  answer_comparison out;
  const partners found = pair_answers(older.answers, newer.answers);
  for (std::size_t i = 0; i < found.old_size(); ++i) {
    if (!found.of_old(i)) {
      out.only_old.push_back(i);
      continue;
    }
    const measured_answer& one = older.answers[i];
    const measured_answer& other = newer.answers[*found.of_old(i)];
    out.pairs.push_back({i, *found.of_old(i), changed_claims(one.claims, other.claims)});
    const bool claims_known = one.figures.claims_known && other.figures.claims_known;
    add_figures(one.figures, claims_known, out.old_total);
    add_figures(other.figures, claims_known, out.new_total);
  }
  out.old_total.first_text_seconds = mean_seconds(older, out.pairs, &answer_pair::old_answer);
  out.new_total.first_text_seconds = mean_seconds(newer, out.pairs, &answer_pair::new_answer);
  for (std::size_t i = 0; i < found.new_size(); ++i) {
    if (!found.taken(i)) out.only_new.push_back(i);
  }
  return out;
}

bool is_worse(const measure& by, const answer_figures& older, const answer_figures& newer,
              double tolerance) noexcept {
  const double change = by.value(newer).value_or(0) - by.value(older).value_or(0);
  if (by.direction == better::higher) return -change > tolerance + rounding;
  return by.direction == better::lower && change > tolerance + rounding;
}

}  // namespace citestream::tools
