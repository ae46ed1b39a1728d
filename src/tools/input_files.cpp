#include "input_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "commands.hpp"
#include "joined.hpp"

namespace citestream::tools {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& folder, std::span<const std::string_view> endings) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
    std::error_code gone;
    if (name.starts_with('.') || !std::ranges::any_of(endings, ends) || at->is_directory(gone)) continue;
    out.push_back(at->path().string());
  }
  if (error) throw failure("cannot read " + folder + ": " + error.message());
  if (out.empty()) {
    const std::vector<std::string> names(endings.begin(), endings.end());
    throw failure("no " + joined(names, " or ") + " file in " + folder);
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::vector<std::string> input_files(const std::vector<std::string>& given,
                                     std::span<const std::string_view> endings) {
  std::vector<std::string> out;
  for (const std::string& each : given) {
    std::error_code missing;
    if (!fs::is_directory(each, missing)) {
      out.push_back(each);
      continue;
    }
    for (std::string& file : files_in(each, endings)) out.push_back(std::move(file));
  }
  return out;
}

}  // namespace citestream::tools
