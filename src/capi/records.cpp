// The results of a session as plain structs: counters, citations, typed events.
#include "rewrite/json.hpp"
#include "session_handle.hpp"

namespace citestream::capi {
namespace {

static_assert(CITESTREAM_SOURCE_AGENT == static_cast<int>(source_type::agent));
static_assert(CITESTREAM_SOURCE_PLACE == static_cast<int>(source_type::place));
static_assert(CITESTREAM_UNRESOLVED == static_cast<int>(citation_status::unresolved));
static_assert(CITESTREAM_MATCH_NORMALIZED == static_cast<int>(match_kind::normalized));
static_assert(CITESTREAM_MATCH_REPAIRED == static_cast<int>(match_kind::repaired));
static_assert(CITESTREAM_MATCH_NATIVE == static_cast<int>(match_kind::native));
static_assert(CITESTREAM_SOURCE_UNIT_CHUNK == static_cast<int>(source_unit::chunk));
static_assert(CITESTREAM_UNIT_CODEPOINT == static_cast<int>(offset_unit::codepoint));
static_assert(CITESTREAM_ORIGIN_BOTH == static_cast<int>(citation_origin::both));
static_assert(CITESTREAM_ANCHOR_NONE == static_cast<int>(citation_anchor::none));
static_assert(CITESTREAM_UNSURE == static_cast<int>(claim_verdict::unsure));
static_assert(CITESTREAM_EVENT_END == static_cast<int>(session_event_type::end));

constexpr std::size_t first_statistics_size = CITESTREAM_SIZE_UP_TO(citestream_statistics, upstream_error);
constexpr std::size_t first_event_size = CITESTREAM_SIZE_UP_TO(citestream_event, citation);

citestream_position position_of(const text_offset& from) noexcept {
  return {from.utf8, from.utf16, from.codepoint};
}

}  // namespace

citestream_reference struct_of(const reference& from) noexcept {
  citestream_reference to{};
  to.struct_size = sizeof to;
  to.type = static_cast<std::int32_t>(from.type);
  if (from.score) to.has |= CITESTREAM_HAS_SCORE;
  if (from.page) to.has |= CITESTREAM_HAS_PAGE;
  if (from.number) to.has |= CITESTREAM_HAS_NUMBER;
  to.score = from.score.value_or(0);
  to.page = from.page.value_or(0);
  to.number = from.number.value_or(0);
  to.id = text(from.id);
  to.cite = text(from.cite);
  to.title = text(from.title);
  to.url = text(from.url);
  to.text = text(from.text);
  to.tool = text(from.tool);
  to.tool_call_id = text(from.tool_call_id);
  to.file_path = text(from.file_path);
  to.container = text(from.container);
  to.opaque = text(from.opaque);
  to.uses = text(from.uses);
  to.excerpt_count = from.excerpts.size();
  to.span_unit = from.span ? static_cast<std::int32_t>(from.span->unit) : CITESTREAM_SOURCE_UNIT_NONE;
  if (!from.span) return to;
  to.span_start = from.span->start;
  to.span_end = from.span->end;
  to.span_base = static_cast<std::int32_t>(from.span->base);
  return to;
}

/// Fills the structs of the references, and their excerpts.
void citation_record::fill_references(const citation& from, const citations& all) {
  references_.clear();
  pointers_.clear();
  for (const std::uint32_t index : from.references) references_.push_back(struct_of(all.references()[index]));
  for (const citestream_reference& one : references_) pointers_.push_back(&one);
  excerpts_.clear();
  for (const std::uint32_t index : from.references) {
    for (const std::string& one : all.references()[index].excerpts) excerpts_.push_back(text(one));
  }
  const citestream_text* next = excerpts_.data();
  for (citestream_reference& one : references_) {
    one.excerpts = one.excerpt_count > 0 ? next : nullptr;
    next += one.excerpt_count;
  }
}

/// Fills the members about the check of the claim.
void citation_record::fill_finding(const claim_finding* found, const citations& all, offset_unit unit) {
  finding_.clear();
  append_finding(found, all, unit, finding_);
  if (found != nullptr) finding_.replace(0, 1, "{").push_back('}');
  citation_.finding = text(finding_);
  citation_.support = found != nullptr ? found->support : 0;
  citation_.verdict = found != nullptr ? static_cast<std::int32_t>(found->verdict) : CITESTREAM_VERDICT_NONE;
  citation_.attributed_to = found != nullptr ? text(found->attributed_to) : text({});
}

const citestream_citation* citation_record::fill(std::uint32_t choice, const citation& from,
                                                 const citations& all, const claim_finding* found,
                                                 offset_unit unit) {
  fill_references(from, all);
  citation_ = {};
  citation_.struct_size = sizeof citation_;
  citation_.choice = choice;
  citation_.number = from.number;
  citation_.label = text(from.label);
  citation_.identifier = text(from.identifier);
  citation_.marker = text(from.marker);
  citation_.start = position_of(from.start);
  citation_.end = position_of(from.end);
  citation_.claim_start = position_of(from.claim_start);
  citation_.claim_end = position_of(from.claim_end);
  citation_.status = static_cast<std::int32_t>(from.status);
  citation_.match = from.match ? static_cast<std::int32_t>(*from.match) : CITESTREAM_MATCH_NONE;
  citation_.source_type = from.type ? static_cast<std::int32_t>(*from.type) : CITESTREAM_SOURCE_UNKNOWN;
  citation_.references = pointers_.empty() ? nullptr : pointers_.data();
  citation_.reference_count = pointers_.size();
  citation_.title = references_.empty() ? text({}) : references_.front().title;
  citation_.group = from.group;
  citation_.origin = static_cast<std::int32_t>(from.origin);
  citation_.anchor = static_cast<std::int32_t>(from.anchor);
  citation_.native = text(from.native.json);
  citation_.native_unit =
      from.native.unit ? static_cast<std::int32_t>(*from.native.unit) : CITESTREAM_UNIT_NONE;
  citation_.score = from.native.score.value_or(0);
  citation_.has = from.native.score ? CITESTREAM_HAS_SCORE : 0;
  path_.clear();
  append_path_json(from.path, path_);
  citation_.path = text(path_);
  fill_finding(found, all, unit);
  return &citation_;
}

}  // namespace citestream::capi

using namespace citestream;
using namespace citestream::capi;

int citestream_session_statistics(const citestream_session* session, citestream_statistics* out) {
  if (const int code = check(session); code != CITESTREAM_OK) return code;
  const session_statistics seen = session->rewriter.statistics();
  citestream_statistics all{};
  all.events = seen.events;
  all.deltas = seen.deltas;
  all.bytes_in = session->bytes_in;
  all.bytes_out = session->bytes_out;
  all.held = seen.held;
  all.held_max = seen.held_max;
  all.abandoned = seen.abandoned;
  all.passed_through = seen.passed_through;
  all.citations = seen.resolved + seen.unresolved + seen.pending;
  all.resolved = seen.resolved;
  all.unresolved = seen.unresolved;
  all.pending = seen.pending;
  all.problem_offset = session->problem.offset;
  all.problem = static_cast<std::int32_t>(session->problem.code);
  all.upstream_error = session->rewriter.upstream_error() ? 1 : 0;
  return write_struct(all, first_statistics_size, out);
}

int citestream_session_dialect(const citestream_session* session, citestream_text* out) {
  if (out == nullptr) return CITESTREAM_BAD_ARGUMENT;
  *out = text({});
  if (const int code = check(session); code != CITESTREAM_OK) return code;
  if (const dialect* one = session->rewriter.recognised(); one != nullptr) *out = text(one->name);
  return CITESTREAM_OK;
}

size_t citestream_session_choices(const citestream_session* session) {
  return check(session) == CITESTREAM_OK ? session->rewriter.choices() : 0;
}

size_t citestream_session_citation_count(const citestream_session* session, size_t place) {
  if (check(session) != CITESTREAM_OK || place >= session->rewriter.choices()) return 0;
  return session->rewriter.cites(place).count();
}

int citestream_session_citation(citestream_session* session, size_t place, size_t index,
                                const citestream_citation** out) {
  if (out == nullptr) return CITESTREAM_BAD_ARGUMENT;
  *out = nullptr;
  if (const int code = check(session); code != CITESTREAM_OK) return code;
  if (index >= citestream_session_citation_count(session, place)) return CITESTREAM_BAD_ARGUMENT;
  return guarded([&] {
    const citations& all = session->rewriter.cites(place);
    const citation& one = all.at(index);
    *out =
        session->record.fill(session->rewriter.choice(place), one, all, one.finding.get(), session->offsets);
    return CITESTREAM_OK;
  });
}

int citestream_session_next(citestream_session* session, citestream_event* out) {
  if (const int code = check(session); code != CITESTREAM_OK) return code;
  citestream_event event{};
  // Checked before an event is taken, so that no event is lost.
  if (const int code = write_struct(event, first_event_size, out); code != CITESTREAM_OK) return code;
  const int code = guarded([&] {
    session_event from;
    if (!session->rewriter.next(from)) return 0;
    event.type = static_cast<std::int32_t>(from.type);
    event.choice = from.choice;
    event.delta = from.delta ? static_cast<std::int64_t>(*from.delta) : -1;
    event.text = text(from.text);
    event.finish_reason = text(from.finish_reason);
    if (from.record == nullptr) return 1;
    const claim_finding* const found =
        from.type == session_event_type::citation ? from.finding : from.record->finding.get();
    event.citation = session->record.fill(from.choice, *from.record, *from.cites, found, session->offsets);
    return 1;
  });
  if (code < 0) return session->broken = code;
  if (code == 1) static_cast<void>(write_struct(event, first_event_size, out));
  return code;
}
