#include <citestream/session/session.hpp>

#include <algorithm>
#include <utility>

#include "stream.hpp"

namespace citestream {

struct session::impl {
  impl(session_options options, session_memory* shared) : work(std::move(options), shared) {}
  stream work;
};

workspace::workspace() : memory_(std::make_unique<session_memory>()) {}
workspace::~workspace() = default;

session::session(session_options options, workspace* shared)
    : impl_(std::make_unique<impl>(std::move(options), shared == nullptr ? nullptr : shared->memory_.get())) {
}
session::~session() = default;
session::session(session&&) noexcept = default;
session& session::operator=(session&&) noexcept = default;

[[gnu::hot]] status session::write(std::string_view bytes, std::string& out) {
  return impl_->work.write(bytes, out);
}

status session::finish(std::string& out, stream_end how, std::string_view message, std::string_view code) {
  return impl_->work.finish(out, how, message, code);
}

status session::rewrite_body(std::string_view body, std::string& out) {
  return impl_->work.rewrite_body(body, out);
}

bool session::next(session_event& out) {
  return impl_->work.events.next(out);
}

session_statistics session::statistics() const noexcept {
  const stream& work = impl_->work;
  session_statistics counts = work.counts;
  for (std::size_t i = 0; i < work.choice_count; ++i) {
    const answer& text = work.choices[i]->text;
    counts.held += text.held();
    counts.held_max = std::max<std::uint64_t>(counts.held_max, text.held_max());
    counts.abandoned += text.abandoned();
    counts.resolved += work.choices[i]->resolved;
    counts.unresolved += work.choices[i]->unresolved;
    counts.egress += text.egress_count();
    counts.pending += text.cites().all().size() - work.choices[i]->counted;
  }
  for (const auto& one : work.beside().all()) {
    counts.held += one->guard.held();
    counts.egress += one->guard.recorded();
    counts.abandoned += one->guard.abandoned();
  }
  return counts;
}

bool session::upstream_error() const noexcept {
  return impl_->work.upstream_error();
}
const dialect* session::recognised() const noexcept {
  return impl_->work.spoken;
}
std::size_t session::choices() const noexcept {
  return impl_->work.choice_count;
}
std::uint32_t session::choice(std::size_t place) const {
  return impl_->work.choices.at(place)->choice;
}
const citations& session::cites(std::size_t place) const {
  return impl_->work.choices.at(place)->text.cites();
}
std::span<const egress_record> session::egress(std::size_t place) const {
  return impl_->work.choices.at(place)->text.egress();
}
void session::reset() noexcept {
  impl_->work.reset();
}

}  // namespace citestream
