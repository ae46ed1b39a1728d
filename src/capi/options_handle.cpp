#include "options_handle.hpp"

#include <algorithm>

#include "base/field_text.hpp"
#include "chunk/json_scan.hpp"
#include "session/option_table.hpp"

namespace citestream::capi {
namespace {

constexpr std::size_t first_reference_size = CITESTREAM_SIZE_UP_TO(citestream_reference, file_path);

bool are_texts(const citestream_reference& from) noexcept {
  const auto ok = [](const citestream_text& text) {
    return is_text(text.data, text.size) && json_scan::is_utf8(view(text));
  };
  return std::ranges::all_of(
      std::initializer_list<citestream_text>{from.id, from.cite, from.title, from.url, from.text, from.tool,
                                             from.tool_call_id, from.file_path},
      ok);
}

reference copy_of(const citestream_reference& from) {
  reference to;
  to.type = static_cast<source_type>(from.type);
  to.id = view(from.id);
  to.cite = view(from.cite);
  to.title = view(from.title);
  to.url = view(from.url);
  to.text = view(from.text);
  to.tool = view(from.tool);
  to.tool_call_id = view(from.tool_call_id);
  to.file_path = view(from.file_path);
  if ((from.has & CITESTREAM_HAS_SCORE) != 0) to.score = from.score;
  if ((from.has & CITESTREAM_HAS_PAGE) != 0) to.page = from.page;
  if ((from.has & CITESTREAM_HAS_NUMBER) != 0) to.number = from.number;
  return to;
}

/// Sets `json_paths`, the only option that is not in the table of session options: paths beginning with `/`.
std::string set_json_paths(std::string_view list, std::vector<std::string>& to) {
  if (!json_scan::is_utf8(list)) return "is not UTF-8";
  std::vector<std::string> paths;
  while (const auto path = http::next_element(list)) {
    if (path->front() != '/') return "is not a list of paths, each beginning with /";
    paths.emplace_back(*path);
  }
  to = std::move(paths);
  return {};
}

/// Sets one option. \return a code; if it is not CITESTREAM_OK, \p problem is the reason
int set_by_name(std::string_view name, std::string_view value, option_values& to, std::string& problem) {
  const session_option* const option = find_session_option(name);
  if (option == nullptr && name != "json_paths") {
    problem.append("no option has the name ").append(name);
    return CITESTREAM_UNKNOWN_OPTION;
  }
  if (name == "check" && value != "off" && linked_checker() == nullptr) {
    problem = "check needs the shared library: the static one has no vocabulary";
    return CITESTREAM_UNSUPPORTED;
  }
  to.session.checker = linked_checker();
  const std::string why =
      option == nullptr ? set_json_paths(value, to.json_paths) : set_option(*option, value, to.session);
  if (why.empty()) return CITESTREAM_OK;
  problem.append(name).append(" ").append(why);
  return CITESTREAM_BAD_VALUE;
}

}  // namespace

bool is_options(const citestream_options* options) noexcept {
  return options != nullptr && options->type_tag == tag::options;
}

}  // namespace citestream::capi

using namespace citestream;
using namespace citestream::capi;

int citestream_options_create(citestream_options** out) {
  return create(out);
}

void citestream_options_free(citestream_options* options) {
  if (is_options(options)) destroy(options);
}

int citestream_options_set(citestream_options* options, const char* name, const char* value, size_t size) {
  const bool terminated = size == CITESTREAM_NUL_TERMINATED && value != nullptr;
  if (!is_options(options) || name == nullptr || !(terminated || is_text(value, size)))
    return CITESTREAM_BAD_ARGUMENT;
  return guarded([&]() -> int {
    if (options->in_use.load()) return CITESTREAM_BAD_STATE;
    options->problem.clear();
    const std::string_view given = terminated ? std::string_view(value) : view({value, size});
    const int code = set_by_name(name, given, options->values, options->problem);
    if (code == CITESTREAM_OK) options->problem = option_conflict(options->values.session);
    return code;
  });
}

const char* citestream_options_problem(const citestream_options* options) {
  return is_options(options) ? options->problem.c_str() : "";
}

int citestream_options_add_reference(citestream_options* options, const citestream_reference* given) {
  citestream_reference from;
  if (!is_options(options)) return CITESTREAM_BAD_ARGUMENT;
  if (const int code = read_struct(given, first_reference_size, from); code != CITESTREAM_OK) return code;
  const bool known_type = from.type >= CITESTREAM_SOURCE_FILE && from.type <= CITESTREAM_SOURCE_PLACE;
  if (!known_type || !are_texts(from)) return CITESTREAM_BAD_ARGUMENT;
  return guarded([&] {
    if (options->in_use.load()) return CITESTREAM_BAD_STATE;
    options->values.session.references.push_back(copy_of(from));
    return CITESTREAM_OK;
  });
}
