// How answers are checked.
//
// A stream passes through three readers. event_splitter or message_splitter divides it into events.
// read_payload() reads the JSON of each event, and the text of each choice is collected. When the answer has
// ended, find_raw_marker() searches these texts once. A JSON body is collected and then read as one payload.
//
// Faults are recorded in `faults_`, the first of each kind, and added to the tally by settle(). The limits
// are the proxy's defaults.
#include "answer_reader.hpp"

#include <citestream/base/limits.hpp>

#include <algorithm>
#include <utility>

#include "payload_reader.hpp"
#include "replay/send_time.hpp"

namespace citestream::load {
namespace {

constexpr std::size_t max_event_bytes = limits{}.max_event_bytes;
constexpr std::size_t max_body_bytes = limits{}.max_body_bytes;
constexpr std::size_t max_text_bytes = max_body_bytes;  // of all choices of an answer
constexpr std::size_t max_detail_bytes = 200;

}  // namespace

answer_reader::answer_reader(const check_options& options, tally& counts)
    : counts_(counts), options_(options), splitter_(max_event_bytes), messages_(max_event_bytes) {}

void answer_reader::begin(const request& sent_request, body_form form, clock::time_point sent) {
  answer_ = {};
  answer_.sent_request = &sent_request;
  answer_.form = form;
  answer_.read_payloads = counts_.begun++ % options_.read_every == 0;
  answer_.sent = sent;
  splitter_.reset(form == body_form::lines);
  messages_.reset();
}

void answer_reader::feed(std::string_view bytes, clock::time_point arrived) {
  counts_.note(&counts::bytes, bytes.size());
  if (answer_.form == body_form::json) {
    if (answer_.body.size() + bytes.size() > max_body_bytes) {
      note(fault::too_large, "a body of more than " + std::to_string(max_body_bytes) + " bytes");
      answer_.form = body_form::unread;
    } else {
      answer_.body += bytes;
    }
  }
  if (!answer_.streams()) return;
  if (answer_.form == body_form::messages) {
    messages_.feed(bytes);
  } else {
    splitter_.feed(bytes);
  }
  read_items(arrived);
}

void answer_reader::read_items(clock::time_point arrived) {
  std::size_t events = 0;
  for (stream_item item; next_item(item);) {
    if (item.what == stream_item::kind::comment) {
      const auto time = read_send_time(item.data);
      if (time) answer_.send_time = time;
      continue;
    }
    if (item.what == stream_item::kind::too_large) {
      note(fault::too_large, "an event of more than " + std::to_string(max_event_bytes) + " bytes");
      continue;
    }
    if (item.what == stream_item::kind::damaged) {
      note(fault::unfinished, "a damaged message");
      continue;
    }
    ++events;
    if (answer_.send_time) counts_.note(&latencies::on_the_way, arrived - *answer_.send_time);
    answer_.send_time.reset();
    take_event(item);
  }
  count_events(events, arrived);
}

void answer_reader::take_event(const stream_item& event) {
  if (event.type == "error") {
    note(fault::error_event, std::string(event.data.substr(0, max_detail_bytes)));
    answer_.ended = true;
  }
  if (answer_.read_payloads) take_payload(event.data);
}

/// Counts the last event even without its empty line if its data is complete.
void answer_reader::take_last_event() {
  if (answer_.form == body_form::messages) {
    if (messages_.ended_inside_event()) note(fault::unfinished, "the stream ended inside a message");
    return;
  }
  splitter_.feed("\n\n");
  for (stream_item item; splitter_.next(item);) {
    if (item.what != stream_item::kind::event) continue;
    payload read;
    if (item.data != "[DONE]" && !read_payload(item.data, read).empty()) {
      note(fault::unfinished, "the stream ended inside an event");
      continue;
    }
    count_events(1, answer_.last_arrival.value_or(answer_.sent));
    take_event(item);
  }
}

void answer_reader::count_events(std::size_t events, clock::time_point arrived) {
  if (events == 0) return;
  if (answer_.events == 0) counts_.note(&latencies::first_event, arrived - answer_.sent);
  if (answer_.last_arrival) counts_.note(&latencies::between_events, arrived - *answer_.last_arrival);
  answer_.last_arrival = arrived;
  answer_.events += events;
  counts_.note(&counts::events, events);
}

void answer_reader::take_payload(std::string_view payload_bytes) {
  if (payload_bytes == "[DONE]") {
    answer_.ended = true;
    return;
  }
  payload read;
  if (const std::string why = read_payload(payload_bytes, read); !why.empty()) {
    note(fault::invalid_json, why);
    return;
  }
  if (read.error) {
    note(fault::error_event, "an error in a payload");
    answer_.ended = true;
  }
  if (answer_.dialect.empty()) answer_.dialect = read.dialect;
  for (const payload_choice& each : read.choices) {
    choice& one = answer_.choices[each.index];
    one.finished = one.finished || each.finished;
    if (answer_.text_bytes + each.text.size() > max_text_bytes) {
      note(fault::too_large, "a text of more than " + std::to_string(max_text_bytes) + " bytes");
      continue;
    }
    one.text += each.text;
    answer_.text_bytes += each.text.size();
  }
}

void answer_reader::finish(bool whole) {
  if (answer_.streams()) {
    if (whole && !answer_.ended) take_last_event();
    if (whole && answer_.events == 0) note(fault::unfinished, "no event");
  }
  if (answer_.form == body_form::unread || !answer_.read_payloads) return;
  if (answer_.form == body_form::json && whole) take_payload(answer_.body);
  if (whole) check_whole();
  if (!options_.markers_allowed) check_markers();
  if (whole) check_text();
}

void answer_reader::check_whole() {
  const bool open =
      std::ranges::any_of(answer_.choices, [](const auto& one) { return !one.second.finished; });
  if (answer_.streams() && open && !answer_.ended) {
    note(fault::unfinished, "the stream ended inside the answer");
  }
}

void answer_reader::check_markers() {
  for (const auto& [index, one] : answer_.choices) {
    auto found = find_raw_marker(one.text, options_.markers, answer_.dialect);
    if (found) note(fault::marker, std::move(*found));
  }
}

void answer_reader::check_text() {
  if (!answer_.sent_request->text) return;
  const std::string_view expected = *answer_.sent_request->text;
  const auto first = answer_.choices.find(0);
  const std::string_view text = first == answer_.choices.end() ? std::string_view() : first->second.text;
  if (text == expected) return;
  const auto same = std::ranges::mismatch(text, expected).in1 - text.begin();
  note(fault::text, "differs after " + std::to_string(same) + " bytes");
}

void answer_reader::note(fault kind, std::string detail) {
  auto& noted = faults_[static_cast<std::size_t>(kind)];
  if (!noted) noted = std::move(detail);
}

bool answer_reader::settle() {
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
