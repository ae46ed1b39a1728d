#include <citestream/session/session.hpp>

#include <utility>

#include "stream_rewriter.hpp"

namespace citestream {

struct session::impl : stream_rewriter {
  using stream_rewriter::stream_rewriter;
};

workspace::workspace() : memory_(std::make_unique<session_memory>()) {}
workspace::~workspace() = default;

void workspace::abandon() {
  std::construct_at(memory_.get());
}

session::session(session_options options, workspace* shared)
    : impl_(std::make_unique<impl>(std::move(options), shared == nullptr ? nullptr : shared->memory_.get())) {
}
session::~session() = default;
session::session(session&&) noexcept = default;
session& session::operator=(session&&) noexcept = default;

[[gnu::hot]] status session::write(std::string_view bytes, std::string& out) {
  return impl_->write(bytes, out);
}

status session::finish(std::string& out, stream_end how, std::string_view message, std::string_view code) {
  return impl_->finish(out, how, message, code);
}

status session::rewrite_body(std::string_view body, std::string& out) {
  return impl_->rewrite_body(body, out);
}

bool session::next(session_event& out) {
  return impl_->next(out);
}

session_statistics session::statistics() const noexcept {
  return impl_->statistics();
}

bool session::upstream_error() const noexcept {
  return impl_->upstream_error();
}
bool session::writes_sse() const noexcept {
  return impl_->writes_sse();
}
const dialect* session::recognised() const noexcept {
  return impl_->recognised();
}
std::size_t session::choices() const noexcept {
  return impl_->choices().size();
}
std::uint32_t session::choice(std::size_t place) const noexcept {
  return impl_->choice_at(place).number;
}
const citations& session::cites(std::size_t place) const noexcept {
  return impl_->choice_at(place).answer.cites();
}
std::span<const egress_record> session::egress(std::size_t place) const noexcept {
  return impl_->choice_at(place).answer.sent().records();
}
void session::reset() noexcept {
  impl_->reset();
}

}  // namespace citestream
