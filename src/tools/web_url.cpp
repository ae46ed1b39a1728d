#include "web_url.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace citestream::tools {

bool is_valid_web_url(std::string_view text) noexcept {
  const auto parsed = boost::urls::parse_uri({text.data(), text.size()});
  if (!parsed) return false;
  const bool web =
      parsed->scheme_id() == boost::urls::scheme::http || parsed->scheme_id() == boost::urls::scheme::https;
  return web && !parsed->encoded_host().empty();
}

}  // namespace citestream::tools
