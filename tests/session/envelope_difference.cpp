#include "session/envelope_difference.hpp"

#include <tuple>
#include <utility>

namespace citestream_tests {

using namespace citestream;

namespace {

session_options typed(session_options options, std::size_t envelopes) {
  options.typed_events = true;
  options.bounds.max_envelopes = envelopes;
  return options;
}

auto numbers(const session_statistics& s) {
  return std::tuple(s.events, s.deltas, s.bytes_in, s.held, s.held_max, s.abandoned, s.passed_through,
                    s.resolved, s.unresolved, s.pending);
}

auto place(const citation& cite) {
  return std::tuple(cite.start, cite.end, cite.claim_start, cite.claim_end);
}

bool same_record(const citation* a, const citation* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return std::tuple(a->number, a->label, a->identifier, a->marker, a->status, a->references.size()) ==
             std::tuple(b->number, b->label, b->identifier, b->marker, b->status, b->references.size()) &&
         place(*a) == place(*b);
}

std::string compare_events(session& a, session& b) {
  while (true) {
    session_event one;
    session_event other;
    const bool has = a.next(one);
    if (has != b.next(other)) return "one has a typed event more";
    if (!has) return {};
    const bool same =
        std::tuple(one.type, one.choice, one.delta, one.text, one.finish_reason) ==
            std::tuple(other.type, other.choice, other.delta, other.text, other.finish_reason) &&
        same_record(one.record, other.record);
    if (!same) return "a typed event with text '" + std::string(one.text) + "' is not the same";
  }
}

std::string compare_step(session& a, session& b, const std::pair<status, status>& results,
                         const std::string& out, const std::string& expected) {
  if (out != expected) return "left:\n" + out + "\nexpected:\n" + expected;
  const auto& [one, other] = results;
  if (one.code != other.code || one.offset != other.offset) return "the status is not the same";
  if (numbers(a.statistics()) != numbers(b.statistics())) return "the counters are not the same";
  if (a.upstream_error() != b.upstream_error()) return "the error is not the same";
  if (a.recognised() != b.recognised() || a.choices() != b.choices()) return "the choices are not the same";
  return compare_events(a, b);
}

std::string compare_ends(const session& a, const session& b) {
  for (std::size_t i = 0; i < a.choices(); ++i) {
    const citations& one = a.cites(i);
    const citations& other = b.cites(i);
    if (one.references().size() != other.references().size() ||
        one.dropped_references() != other.dropped_references()) {
      return "the references are not the same";
    }
    for (std::size_t k = 0; k < one.references().size(); ++k) {
      if (!(one.references()[k] == other.references()[k])) return "a reference is not the same";
    }
  }
  return {};
}

}  // namespace

envelope_difference::envelope_difference(const session_options& options)
    : envelope_difference(options, options) {}

envelope_difference::envelope_difference(const session_options& options, const session_options& other)
    : with_(typed(options, options.bounds.max_envelopes)), without_(typed(other, 0)) {}

std::string envelope_difference::of(std::string_view bytes, std::size_t read) {
  std::vector<std::size_t> cuts;
  for (std::size_t at = read; at < bytes.size(); at += read) cuts.push_back(at);
  return of(bytes, cuts);
}

std::string envelope_difference::of(std::string_view bytes, const std::vector<std::size_t>& cuts) {
  with_.reset();
  without_.reset();
  std::string out;
  std::string expected;
  std::size_t at = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    out.clear();
    expected.clear();
    // A copy of exactly this size, so that sanitizers detect reads past its end.
    const std::string part(bytes.substr(at, i < cuts.size() ? cuts[i] - at : bytes.npos));
    const status one = with_.write(part, out);
    const status other = without_.write(part, expected);
    const std::string found = compare_step(with_, without_, {one, other}, out, expected);
    if (!found.empty()) return "in the read at " + std::to_string(at) + ": " + found;
    at += part.size();
  }
  out.clear();
  expected.clear();
  const status one = with_.finish(out);
  const status other = without_.finish(expected);
  deltas = with_.statistics().deltas;
  known_shape = with_.statistics().known_shape;
  const std::string found = compare_step(with_, without_, {one, other}, out, expected);
  if (!found.empty()) return "at the end: " + found;
  if (without_.statistics().known_shape != 0) return "envelopes are not off";
  return compare_ends(with_, without_);
}

}  // namespace citestream_tests
