// Two things: the options that a request sets for itself in `X-Citestream-` fields, and what is done with the
// body of a request. Signed and compressed bodies are never changed.
#include "request_rewriting.hpp"

#include <citestream/session/rewrite_mode.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/web_url.hpp"
#include "http/forwarding.hpp"

namespace citestream {
namespace {

http::own_error bad_option(std::string_view message) noexcept {
  return {400, "invalid_request_option", message};
}

template <class Table>
std::string names_of(const Table& table) {
  std::string out;
  for (const auto* one : table) out.append(out.empty() ? "" : ", ").append(one->name);
  return out;
}

http::own_error read_style(std::string_view value, per_request_options& out) {
  static const std::string wrong = "X-Citestream-Style must be one of " + names_of(styles());
  out.style = find_style(value);
  return out.style == nullptr ? bad_option(wrong) : http::own_error{};
}

http::own_error read_markers(std::string_view value, per_request_options& out) {
  static const std::string wrong =
      "X-Citestream-Markers must be a comma-separated list of " + names_of(grammars());
  while (const auto name = http::next_element(value)) {
    const grammar* found = find_grammar(*name);
    if (found == nullptr) return bad_option(wrong);
    if (std::ranges::find(out.markers, found) == out.markers.end()) out.markers.push_back(found);
  }
  return out.markers.empty() ? bad_option(wrong) : http::own_error{};
}

http::own_error read_offsets(std::string_view value, per_request_options& out) {
  out.offsets = offset_unit_from_name(value);
  return out.offsets ? http::own_error{}
                     : bad_option("X-Citestream-Offsets must be one of utf8, utf16, codepoint");
}

http::own_error read_bypass(std::string_view value, per_request_options& out) {
  out.bypass = value == "1";
  return value == "1" || value == "0" ? http::own_error{} : bad_option("X-Citestream-Bypass must be 1 or 0");
}

struct known_option {
  std::string_view name;  ///< after the prefix
  http::own_error (*read)(std::string_view value, per_request_options& out);
};

constexpr std::array<known_option, 4> known{{{"style", &read_style},
                                             {"markers", &read_markers},
                                             {"offsets", &read_offsets},
                                             {"bypass", &read_bypass}}};

}  // namespace

void per_request_options::apply_to(session_options& options) const {
  if (style != nullptr) options.style = style;
  if (!markers.empty()) options.grammars = markers;
  if (offsets) options.offsets = *offsets;
}

http::own_error read_request_options(const http::fields& all, per_request_options& out) {
  for (const http::field& one : all) {
    const auto name = http::request_option_name(one.name);
    if (!name) continue;
    if (http::count(all, one.name) > 1) return bad_option("an X-Citestream field is repeated");
    const auto is_it = [&](const known_option& option) { return http::same_name(option.name, *name); };
    const auto found = std::ranges::find_if(known, is_it);
    if (found == known.end())
      return bad_option("unknown X-Citestream field: there are -Style, -Markers, -Offsets and -Bypass");
    if (const http::own_error no = found->read(one.value, out)) return no;
  }
  return {};
}

namespace {

/// Decodes the name of a query parameter (RFC 3986, 2.1).
std::string decoded(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::optional<char> byte = percent_decoded(name, i);
    out += byte.value_or(name[i]);
    if (byte) i += 2;
  }
  return out;
}

/// Returns true if \p path has the query of a presigned URL.
bool is_presigned(std::string_view path) {
  const std::size_t mark = path.find('?');
  if (mark == std::string_view::npos) return false;
  std::string_view query = path.substr(mark + 1);
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    const std::string name = decoded(parameter.substr(0, parameter.find('=')));
    if (http::same_name(name, "x-amz-signature") || http::same_name(name, "x-amz-algorithm")) return true;
  }
  return false;
}

/// Returns true if the request has a signature over its body (AWS Signature Version 4), in a field or in its
/// query.
bool is_signed(const http::fields& all, std::string_view path) {
  const auto* const found = http::find(all, "authorization");
  return (found != nullptr && found->value.starts_with("AWS4-")) || is_presigned(path);
}

/// `curl -d` does not send `application/json`, and servers accept that. So a body that looks like a JSON
/// object counts as JSON.
bool starts_object(std::string_view body) noexcept {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && body[first] == '{';
}

}  // namespace

rewritten_request rewrite_request(const http::request_head& head, std::string_view path,
                                  const request_rewrite_options& how, std::string& body) {
  rewritten_request out;
  if (head.method != "POST" || body.empty()) return out;
  const request_kind kind = find_api(path).kind;
  if (kind == request_kind::other) return out;
  const bool changeable = !is_signed(head.all, path);
  const bool chat = kind == request_kind::chat;
  std::uint32_t work = chat ? request_work::structured_output : 0;
  if (how.references && chat) work |= request_work::documents;
  if (changeable) work |= request_work::remove_own;
  if (changeable && how.inline_citations && kind != request_kind::history)
    work |= request_work::inline_citations;
  if (changeable && how.provenance && chat) work |= request_work::keys;
  if (work == 0) return out;
  if (!http::same_name(http::media_type(head.all), "application/json") && !starts_object(body)) return out;
  if (!http::is_encoded(head.all)) return work_on_request(work | request_work::each_step, how.sources, body);
  constexpr auto wanted = request_work::keys | request_work::inline_citations | request_work::documents;
  if ((work & wanted) != 0) out.error = {errc::invalid_json, 0};
  return out;
}

}  // namespace citestream
