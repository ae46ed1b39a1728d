#include "request_rewriting.hpp"

#include <citestream/provenance/provenance.hpp>

#include <utility>

namespace citestream::http {
namespace {

enum class endpoint : std::uint8_t { other, chat, graph_question };

endpoint endpoint_of(std::string_view path) noexcept {
  path = path.substr(0, path.find('?'));
  if (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with("/chat") || path.ends_with("/chat/completions")) return endpoint::chat;
  return path.ends_with("/graphs/question") ? endpoint::graph_question : endpoint::other;
}

/// Clients that chat with `curl -d`, and servers that take what they send, do not say `application/json`:
/// what is rewritten is decided by the path and by what the body is.
bool starts_object(std::string_view body) noexcept {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && body[first] == '{';
}

/// Puts \p made in the place of \p body. \return whether it is another one.
bool take_over(std::string& body, std::string& made) {
  if (made == body) return false;
  body.swap(made);
  return true;
}

void ask_for_citations(const request_rewriting& how, std::string& body, rewritten_request& out) {
  std::string made;
  const status error = add_inline_citations(body, made, how.sources.bounds);
  out.unread = out.unread || error;
  out.changed = take_over(body, made) || out.changed;
}

void name_sources(const request_rewriting& how, std::string& body, rewritten_request& out) {
  std::string made;
  const status error = add_provenance(body, how.sources, made, out.registry);
  out.unread = out.unread || error;
  out.provenance = !error;
  out.changed = take_over(body, made) || out.changed;
}

}  // namespace

rewritten_request rewrite_request(const request_head& head, std::string_view path,
                                  const request_rewriting& how, std::string& body) {
  rewritten_request out;
  const endpoint where = endpoint_of(path);
  const bool provenance = how.provenance && where == endpoint::chat;
  const bool citations = how.inline_citations && where != endpoint::other;
  if (head.method != "POST" || (!provenance && !citations) || body.empty()) return out;
  if (!same_name(media_type(head.all), "application/json") && !starts_object(body)) return out;
  if (is_encoded(head.all)) {
    out.unread = true;
    return out;
  }
  if (citations) ask_for_citations(how, body, out);
  if (provenance) name_sources(how, body, out);
  return out;
}

}  // namespace citestream::http
