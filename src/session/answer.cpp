#include <citestream/session/answer.hpp>

#include "answer_stages.hpp"

namespace citestream {

answer::answer(const session_options& options, const dialect* by)
    : stages_(std::make_unique<answer_stages>(options, by == nullptr ? options.dialect : by, options.check)) {
}
answer::~answer() = default;
answer::answer(answer&&) noexcept = default;
answer& answer::operator=(answer&&) noexcept = default;

void answer::push(std::string_view delta, std::string& out) {
  stages_->push(delta, out);
}
bool answer::pass(std::string_view delta, std::string& out) {
  return stages_->pass(delta, out);
}
void answer::cite(std::string_view key) {
  stages_->cite(key);
}
void answer::finish(std::string& out) {
  stages_->finish(out);
}
bool answer::add_reference(const reference& ref) {
  return stages_->add_reference(ref);
}
void answer::resolve() {
  stages_->resolve();
}
std::vector<std::uint32_t> answer::resolve_late() {
  return stages_->resolve_late();
}
void answer::append_list(std::string& out) {
  stages_->append_list(out);
}
const citations& answer::cites() const noexcept {
  return stages_->cites();
}
std::size_t answer::held() const noexcept {
  return stages_->held();
}
std::size_t answer::held_max() const noexcept {
  return stages_->held_max();
}
std::uint64_t answer::abandoned() const noexcept {
  return stages_->abandoned();
}
std::span<const egress_record> answer::egress() const noexcept {
  return stages_->sent().records();
}
void answer::reset() noexcept {
  stages_->reset();
}

}  // namespace citestream
