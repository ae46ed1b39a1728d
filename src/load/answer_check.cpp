#include "answer_check.hpp"

#include <algorithm>
#include <utility>

#include "replay/send_time.hpp"

namespace citestream::load {
namespace {

/// As the session is to read: nothing changed, nothing added, every text and citation told.
session_options reading(session_options options) {
  options.style = &keep_style;
  options.add = additions::never;
  options.typed_events = true;
  return options;
}

}  // namespace

answer_check::answer_check(const check_options& options, tally& counts)
    : counts_(counts),
      markers_allowed_(options.markers_allowed),
      read_every_(options.read_every),
      decoder_(options.reading.bounds.max_event_bytes),
      session_(reading(options.reading)),
      max_body_bytes_(options.reading.bounds.max_body_bytes) {}

void answer_check::begin(const request& asked, body_form form, clock::time_point sent) {
  form_ = form;
  asked_ = &asked;
  read_payloads_ = counts_.begun++ % read_every_ == 0;
  sent_ = sent;
  decoder_.reset();
  session_.reset();
  body_.clear();
  expected_ = events_ = 0;
  differs_ = false;
  last_arrival_.reset();
  send_time_.reset();
}

void answer_check::feed(std::string_view bytes, clock::time_point arrived) {
  counts_.note(&counts::bytes, bytes.size());
  if (form_ == body_form::json) {
    if (body_.size() + bytes.size() > max_body_bytes_) {
      note(fault::too_large, "a body of more than " + std::to_string(max_body_bytes_) + " bytes");
      form_ = body_form::unread;
    } else {
      body_ += bytes;
    }
  }
  if (form_ != body_form::events) return;
  decoder_.feed(bytes);
  read_items(arrived);
  if (!read_payloads_) return;
  rewritten_.clear();
  note_status(session_.write(bytes, rewritten_));
  read_session();
}

void answer_check::read_items(clock::time_point arrived) {
  std::size_t events = 0;
  for (sse_item item; decoder_.next(item);) {
    if (item.kind == sse_kind::other) {
      const auto time = read_send_time(item.raw);
      if (time) send_time_ = time;
      continue;
    }
    if (item.kind == sse_kind::oversize) continue;  // the session says so
    ++events;
    if (item.event == "error") note(fault::error_event, std::string(item.data.substr(0, 200)));
    if (send_time_) counts_.note(counts_.on_the_way, arrived - *send_time_);
    send_time_.reset();
  }
  if (events == 0) return;
  if (events_ == 0) counts_.note(counts_.first_event, arrived - sent_);
  if (last_arrival_) counts_.note(counts_.between_events, arrived - *last_arrival_);
  last_arrival_ = arrived;
  events_ += events;
  counts_.note(&counts::events, events);
}

void answer_check::read_session() {
  for (session_event event; session_.next(event);) {
    if (event.type == session_event_type::text && event.choice == 0) check_text(event.text);
    if (event.type != session_event_type::citation || markers_allowed_) continue;
    note(fault::marker, event.record->marker);
  }
}

void answer_check::check_text(std::string_view text) {
  if (!asked_->text || differs_) return;
  const std::string_view rest = std::string_view(*asked_->text).substr(expected_);
  const std::size_t both = std::min(rest.size(), text.size());
  const auto same =
      std::mismatch(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(both), rest.begin());
  expected_ += static_cast<std::size_t>(same.first - text.begin());
  differs_ = same.first != text.end();
}

void answer_check::note_status(const status& result) {
  if (!result || result.code == errc::upstream_incomplete) return;
  const bool size = result.code == errc::event_too_large || result.code == errc::body_too_large;
  note(size ? fault::too_large : fault::invalid_json,
       std::string(message(result.code)) + ", at byte " + std::to_string(result.offset));
}

void answer_check::finish(bool whole) {
  if (form_ == body_form::events) {
    decoder_.finish();
    read_items(last_arrival_.value_or(sent_));
    if (whole && events_ == 0) note(fault::unfinished, "no event");
  }
  if (form_ == body_form::unread || !read_payloads_ || (form_ == body_form::json && !whole)) return;
  rewritten_.clear();
  const status result = form_ == body_form::json
                            ? session_.rewrite_body(body_, rewritten_)
                            : session_.finish(rewritten_, whole ? stream_end::complete : stream_end::aborted);
  if (whole && result.code == errc::upstream_incomplete) {
    note(fault::unfinished, std::string(message(result.code)));
  }
  note_status(result);
  read_session();
  if (session_.upstream_error()) note(fault::error_event, "an error in a payload");
  if (!whole || !asked_->text) return;
  if (differs_ || expected_ != asked_->text->size()) {
    note(fault::text, "differs after " + std::to_string(expected_) + " bytes");
  }
}

void answer_check::note(fault kind, std::string detail) {
  auto& noted = faults_[static_cast<std::size_t>(kind)];
  if (!noted) noted = std::move(detail);
}

bool answer_check::settle() {
  bool any = false;
  for (std::size_t i = 0; i < faults_.size(); ++i) {
    if (!faults_[i]) continue;
    any = true;
    tally::faults_of_kind& kind = counts_.faults[i];
    if (kind.answers++ == 0) kind.first = std::move(*faults_[i]);
    faults_[i].reset();
  }
  return any;
}

}  // namespace citestream::load
