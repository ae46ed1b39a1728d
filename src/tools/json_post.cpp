// One coroutine connects, sends the request and reads the response. The deadline of the stream covers all of
// it.
#include "json_post.hpp"

#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace citestream::tools {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace beast_http = boost::beast::http;

using boost::system::error_code;

/// One request and its response.
class json_exchange {
 public:
  json_exchange(const http::upstream_url& url, std::string_view body,
                const std::function<bool(std::string_view)>& take)
      : url_(url), take_(take) {
    request_.method(beast_http::verb::post);
    request_.target(url.base_path.empty() ? "/" : url.base_path);
    request_.set(beast_http::field::host, url.authority);
    request_.set(beast_http::field::content_type, "application/json");
    request_.keep_alive(false);
    request_.body() = body;
    request_.prepare_payload();
    response_.header_limit(64 * 1024);
    response_.body_limit(std::numeric_limits<std::uint64_t>::max());
  }

  /// Returns an empty string, or why the response is missing or incomplete.
  std::string run(std::chrono::milliseconds time) {
    error_code error;
    asio::ip::tcp::resolver resolver(io_);
    const auto addresses = resolver.resolve(url_.host, url_.port, error);
    if (error) return "cannot be reached";
    stream_.expires_after(time);
    std::string why;
    asio::co_spawn(io_, talk(addresses), [&](const std::exception_ptr& thrown, std::string result) {
      if (thrown) std::rethrow_exception(thrown);
      why = std::move(result);
    });
    io_.run();
    return why;
  }

 private:
  using addresses = asio::ip::tcp::resolver::results_type;

  asio::awaitable<std::string> talk(const addresses& to) {
    error_code error;
    auto token = asio::redirect_error(asio::use_awaitable, error);
    co_await stream_.async_connect(to, token);
    if (error) co_return reason(error, "cannot be reached");
    error_code unsent;
    auto sending = asio::redirect_error(asio::use_awaitable, unsent);
    co_await beast_http::async_write(stream_, request_, sending);
    // A server may answer before it has read everything, and close.
    co_await beast_http::async_read_header(stream_, buffer_, response_, token);
    if (error) co_return reason(error, unsent ? "closed the connection" : "gave no answer");
    const unsigned code = response_.get().result_int();
    if (code != 200) co_return "returned status " + std::to_string(code);
    std::array<char, 16 * 1024> piece;
    while (!response_.is_done()) {
      beast_http::buffer_body::value_type& body = response_.get().body();
      body.data = piece.data();
      body.size = piece.size();
      co_await beast_http::async_read_some(stream_, buffer_, response_, token);
      if (error == beast_http::error::need_buffer) error = {};
      const std::string_view bytes(piece.data(), piece.size() - body.size);
      if (!bytes.empty() && !take_(bytes)) break;
      if (error) co_return reason(error, "gave an incomplete answer");
    }
    co_return std::string{};
  }

  static std::string reason(const error_code& error, const char* otherwise) {
    return error == beast::error::timeout ? "gave no answer in time" : otherwise;
  }

  const http::upstream_url& url_;
  const std::function<bool(std::string_view)>& take_;
  beast_http::request<beast_http::string_body> request_;
  beast_http::response_parser<beast_http::buffer_body> response_;
  beast::flat_buffer buffer_;
  asio::io_context io_{1};
  beast::tcp_stream stream_{io_};
};

}  // namespace

std::string post_json(const http::upstream_url& url, std::string_view body, std::chrono::milliseconds time,
                      const std::function<bool(std::string_view)>& take) {
  return json_exchange(url, body, take).run(time);
}

}  // namespace citestream::tools
