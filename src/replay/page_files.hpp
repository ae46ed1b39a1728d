/// \file
/// The files of a web page, read once from a folder and served from memory.
///
/// \code
///   replay_options options;
///   options.page = load_page("/usr/share/citestream/page");
/// \endcode
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// One file.
struct page_file {
  std::string path;          ///< of its URL: `/page.css`; the file index.html is `/`
  std::string content_type;  ///< from its file extension
  std::string body;
};

/// Returns the files of \p folder and of the folders in it, by path. Only files whose names end like those of
/// a page are read: .html, .css, .js, .json, .svg and .wasm; symbolic links and files over 16 MiB are not.
/// Empty if the folder has no index.html.
[[nodiscard]] std::vector<page_file> load_page(const std::filesystem::path& folder);

/// Returns the response header fields for \p file, each with CRLF: no script, style, connection or frame of
/// another origin, and a context in which clocks are precise. The worker connect.js may connect anywhere, and
/// nothing else.
[[nodiscard]] std::string page_fields(const page_file& file);

}  // namespace citestream
