#include "valid_web_url.hpp"

#include <algorithm>

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "base/ascii.hpp"
#include "base/decimal.hpp"

namespace citestream::tools {

namespace {

/// Returns true if \p name contains a letter or a digit and no empty label, except the last one, which may be
/// empty (RFC 1034, 3.1).
bool is_host_name(std::string_view name) noexcept {
  if (name.starts_with('.') || name.find("..") != std::string_view::npos) return false;
  return std::any_of(name.begin(), name.end(), ascii::is_alphanumeric);
}

}  // namespace

bool is_valid_web_url(std::string_view text) noexcept {
  const auto parsed = boost::urls::parse_uri({text.data(), text.size()});
  if (!parsed) return false;
  const bool web =
      parsed->scheme_id() == boost::urls::scheme::http || parsed->scheme_id() == boost::urls::scheme::https;
  const std::string_view port(parsed->port().data(), parsed->port().size());
  if (!web || !(port.empty() || whole_number<std::uint16_t>(port))) return false;
  const auto host = parsed->encoded_host();
  if (parsed->host_type() != boost::urls::host_type::name) return !host.empty();
  return is_host_name({host.data(), host.size()});
}

}  // namespace citestream::tools
