#include <string>

#include "base/web_url.hpp"
#include "json.hpp"

namespace citestream {

namespace {

constexpr std::string_view file_id_field = "{file_id}";
constexpr std::string_view page_field = "{page}";
constexpr std::string_view title_field = "{title}";

/// Appends \p text with every byte that is not unreserved as `%XX`.
void append_component(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (is_unreserved(c)) {
      out.push_back(c);
    } else {
      append_percent_encoded(c, out);
    }
  }
}

/// Appends \p part with its placeholders replaced by values from \p ref.
void append_filled(std::string_view part, const reference& ref, std::string& out) {
  while (!part.empty()) {
    const auto take = [&part](std::string_view field) {
      if (part.substr(0, field.size()) != field) return false;
      part.remove_prefix(field.size());
      return true;
    };
    if (take(file_id_field)) {
      append_component(ref.id, out);
    } else if (take(title_field)) {
      append_component(ref.title, out);
    } else if (take(page_field)) {
      if (ref.page) out.append(std::to_string(*ref.page));
    } else {
      out.push_back(part.front());
      part.remove_prefix(1);
    }
  }
}

/// Appends \p mark (`?` or `#`) and the `&`-separated \p parameters after it. Omits parameters that contain
/// `{page}` if the page is unknown.
void append_parameters(char mark, std::string_view parameters, const reference& ref, std::string& out) {
  bool first = true;
  for (bool more = true; more;) {
    const std::size_t end = parameters.find('&');
    more = end != std::string_view::npos;
    const std::string_view parameter = parameters.substr(0, end);
    parameters.remove_prefix(more ? end + 1 : parameters.size());
    if (!ref.page && parameter.find(page_field) != std::string_view::npos) continue;
    out.push_back(first ? mark : '&');
    first = false;
    append_filled(parameter, ref, out);
  }
}

}  // namespace

std::string_view unknown_placeholder(std::string_view pattern) noexcept {
  for (std::size_t at = pattern.find('{'); at != std::string_view::npos; at = pattern.find('{', at + 1)) {
    const std::string_view rest = pattern.substr(at);
    if (rest.starts_with(file_id_field) || rest.starts_with(page_field) || rest.starts_with(title_field))
      continue;
    const std::size_t end = rest.find_first_of("{}", 1);
    return rest.substr(0, end != std::string_view::npos && rest[end] == '}' ? end + 1 : end);
  }
  return {};
}

void append_file_url(std::string_view pattern, const reference& ref, std::string& out) {
  const std::size_t fragment = pattern.find('#');
  const std::string_view before = pattern.substr(0, fragment);
  const std::size_t query = before.find('?');
  append_filled(before.substr(0, query), ref, out);
  if (query != std::string_view::npos) append_parameters('?', before.substr(query + 1), ref, out);
  if (fragment != std::string_view::npos) append_parameters('#', pattern.substr(fragment + 1), ref, out);
}

}  // namespace citestream
