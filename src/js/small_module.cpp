// Stubs for check, keys and egress. Some trap, and are not called: citestream.js loads the full module if an
// option needs them.
#include "cite/list_entry.hpp"
#include "egress/allowed_urls.hpp"
#include "egress/egress_stage.hpp"
#include "module.hpp"
#include "provenance/parsed_request.hpp"

using namespace citestream;

const claim_check* citestream::linked_checker() noexcept {
  return nullptr;
}

bool citestream::is_label(std::string_view) noexcept {
  __builtin_trap();
}
bool citestream::only_names(std::string_view, const reference&) noexcept {
  __builtin_trap();
}
bool citestream::only_introduces(std::string_view, const reference*) noexcept {
  __builtin_trap();
}

status provenance::add_provenance(parsed_request&, const provenance_options&, std::string&,
                                  std::vector<reference>&) {
  __builtin_trap();
}

egress_stage::egress_stage(egress_mode mode, egress_code code, std::vector<egress_pattern> allowed,
                           const limits& bounds)
    : mode_(mode), code_(code), max_records_(0), allowed_(std::move(allowed), bounds.max_reference_bytes) {
  if (mode != egress_mode::off) __builtin_trap();
}
void egress_stage::feed(std::string_view, std::string&, text_edits&) {
  __builtin_trap();
}
void egress_stage::finish(std::string&, text_edits&) {
  __builtin_trap();
}
void egress_stage::append_inert(std::string_view, std::string&) {
  __builtin_trap();
}
void egress_stage::append_inert_url(std::string_view, std::string&) {
  __builtin_trap();
}
void egress_stage::reset() noexcept {}
void allowed_urls::allow(const reference&) {}
