#include "page_files.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace citestream {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_file_bytes = 16U * 1024 * 1024;
constexpr std::size_t max_files = 256;

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> content_types{{
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".svg", "image/svg+xml"},
    {".wasm", "application/wasm"},
}};

std::string_view content_type_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  const auto found = std::ranges::find(content_types, extension, [](const auto& one) { return one.first; });
  return found == content_types.end() ? std::string_view() : found->second;
}

/// Reads the file at \p path, if it belongs to a page.
std::optional<page_file> read_file(const fs::path& path, const fs::path& folder) {
  const std::string_view type = content_type_of(path);
  std::error_code error;
  const bool regular = fs::is_regular_file(fs::symlink_status(path, error));
  if (type.empty() || error || !regular || fs::file_size(path, error) > max_file_bytes || error) return {};
  std::ifstream in(path, std::ios::binary);
  std::string body{std::istreambuf_iterator<char>(in), {}};
  if (!in) return {};
  const std::string name = path.lexically_relative(folder).generic_string();
  return page_file{name == "index.html" ? "/" : '/' + name, std::string(type), std::move(body)};
}

}  // namespace

std::vector<page_file> load_page(const fs::path& folder) {
  std::vector<page_file> out;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error); !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    if (auto file = read_file(at->path(), folder)) out.push_back(std::move(*file));
    if (out.size() == max_files) break;
  }
  std::ranges::sort(out, {}, &page_file::path);
  if (out.empty() || out.front().path != "/") out.clear();
  return out;
}

std::string page_fields(const page_file& file) {
  // Models write what the page shows, so the page may not connect to other servers. Only the worker, which
  // shows nothing, may, to the address that the user has entered.
  constexpr std::string_view of_page =
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
      "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  constexpr std::string_view of_worker = "default-src 'none'; connect-src http: https:";
  std::string out = "Content-Security-Policy: ";
  out.append(file.path == "/connect.js" ? of_worker : of_page).append("\r\n");
  out +=
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-cache\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n";
  return out;
}

}  // namespace citestream
