// One thread with an event loop of its own, so that a health check does not wait for a worker. Pages that
// need the workers are answered later, and meanwhile others are served. Connections are few, and the longest
// idle one makes room for a new one. Some file descriptors are kept for the case that the clients of the
// proxy have used up all others.
#include "admin.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fcntl.h>
#include <list>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "asio.hpp"
#include "http/upstream_url.hpp"
#include "listener.hpp"

namespace citestream {
namespace {

namespace beast = boost::beast;

constexpr std::uint32_t max_head_bytes = 8 * 1024;
constexpr std::chrono::seconds request_time{10};
constexpr std::chrono::seconds max_page_time{2};
constexpr std::size_t max_connections = 64;
constexpr std::chrono::milliseconds pause_after_accept_error{100};

class admin_client;

/// File descriptors that are kept for health checks, which must be answered when the process has no other
/// one.
class descriptor_reserve {
 public:
  descriptor_reserve() { refill(); }
  ~descriptor_reserve() {
    while (release()) {
    }
  }
  descriptor_reserve(const descriptor_reserve&) = delete;
  descriptor_reserve& operator=(const descriptor_reserve&) = delete;

  /// Frees one. \return false if none could be freed
  bool release() noexcept {
    const auto kept = std::ranges::find_if(all_, [](int one) { return one >= 0; });
    return kept != all_.end() && ::close(std::exchange(*kept, -1)) == 0;
  }
  /// Takes as many as there is room for.
  void refill() noexcept {
    for (int& one : all_) {
      if (one < 0) one = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
  }

 private:
  std::array<int, 4> all_{-1, -1, -1, -1};
};

/// The open connections. Idle ones wait for a whole request, busy ones for their client to take an answer;
/// both lists begin with the connection that has waited longest.
struct admin_clients {
  std::list<admin_client*> idle;
  std::list<admin_client*> busy;
  descriptor_reserve reserve;
};

/// One connection. Lives as long as one of its operations is pending.
class admin_client : public std::enable_shared_from_this<admin_client> {
 public:
  using protocol = asio::generic::stream_protocol;

  admin_client(protocol::socket socket, const admin_server::page_source& source, admin_clients& open)
      : stream_(std::move(socket)), page_time_(stream_.get_executor()), source_(source), open_(open) {}
  ~admin_client() {
    close();
    open_.reserve.refill();  // at once, before another thread takes the descriptor
  }
  admin_client(const admin_client&) = delete;
  admin_client& operator=(const admin_client&) = delete;

  /// Makes room for another connection. The pending operation ends with an error.
  void close() {
    leave_lists();
    page_time_.cancel();
    stream_.close();
  }

  void read() {
    enter(open_.idle);
    request_.emplace();
    request_->header_limit(max_head_bytes);
    request_->body_limit(0);
    stream_.expires_after(request_time);
    beast::http::async_read(stream_, buffer_, *request_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (!error) self->answer();
                            });
  }

 private:
  void leave_lists() {
    open_.idle.remove(this);
    open_.busy.remove(this);
  }

  void enter(std::list<admin_client*>& list) {
    leave_lists();
    list.push_back(this);
  }

  void answer() {
    enter(open_.busy);
    const auto& request = request_->get();
    waiting_ = true;
    if (request.method() != beast::http::verb::get && request.method() != beast::http::verb::head) {
      return send({405, admin_page{}.type, "GET or HEAD\n"}, request.keep_alive());
    }
    page_time_.expires_after(max_page_time);
    page_time_.async_wait([self = shared_from_this()](error_code cancelled) {
      if (!cancelled) self->send({503, admin_page{}.type, "a worker thread does not respond\n"}, false);
    });
    const std::string_view target(request.target().data(), request.target().size());
    // The timer keeps the connection alive. A late page may find that both are gone.
    source_(target.substr(0, target.find('?')), [client = weak_from_this()](admin_page page) {
      const auto self = client.lock();
      if (self) self->send(std::move(page), self->request_->get().keep_alive());
    });
  }

  /// Answers the request, once.
  void send(admin_page page, bool keep_alive) {
    if (!std::exchange(waiting_, false)) return;
    page_time_.cancel();
    const auto& request = request_->get();
    response_ = {static_cast<beast::http::status>(page.status), request.version()};
    if (page.status == 405) response_.set(beast::http::field::allow, "GET, HEAD");
    response_.set(beast::http::field::content_type, page.type);
    response_.set(beast::http::field::cache_control, "no-store");
    response_.keep_alive(keep_alive);
    response_.body() = std::move(page.body);
    response_.prepare_payload();
    if (request.method() == beast::http::verb::head) response_.body().clear();
    stream_.expires_after(request_time);
    beast::http::async_write(stream_, response_, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error && self->response_.keep_alive()) self->read();
    });
  }

  beast::basic_stream<protocol> stream_;
  asio::steady_timer page_time_;  ///< runs while the page is made
  const admin_server::page_source& source_;
  admin_clients& open_;
  beast::flat_buffer buffer_;
  std::optional<beast::http::request_parser<beast::http::empty_body>> request_;
  beast::http::response<beast::http::string_body> response_;
  bool waiting_{};  ///< for the page
};

}  // namespace

struct admin_server::impl {
  explicit impl(page_source given) : source(std::move(given)) {}

  std::string bind(const std::string& listen);
  void accept();
  void run() noexcept;
  void make_room();

  page_source source;
  admin_clients open;
  std::string address;
  bool shared{};  ///< another process listens on the same port
  std::thread thread;
  asio::io_context io{1};  ///< after everything that its pending operations use
  acceptor_type acceptor{io};
  asio::steady_timer pause{io};
};

bool parse_admin_address(const std::string& text, std::string& host, std::string& port) {
  const std::string whole = text.find(':') == std::string::npos ? ":" + text : text;
  if (!http::parse_listen_address(whole, host, port)) return false;
  if (host.empty()) host = "127.0.0.1";
  return true;
}

std::string admin_server::impl::bind(const std::string& listen) {
  const std::string failed = "cannot listen on '" + listen + "' for administration: ";
  listen_address at;
  if (!parse_admin_address(listen, at.host, at.port)) return failed + "not a valid host:port";
  bound_address bound;
  const error_code error = bind_tcp(at, {&io}, bound);
  if (error) return failed + error.message();
  acceptor = std::move(bound.acceptors.front());
  address = bound.url.substr(std::string_view("http://").size());
  shared = bound.shared;
  return {};
}

/// An idle connection must not keep a health check out, so the one that has been idle longest is closed
/// first. If every client is busy, the one that has been reading its answer longest is closed.
void admin_server::impl::make_room() {
  if (open.idle.size() + open.busy.size() < max_connections) return;
  (open.idle.empty() ? open.busy : open.idle).front()->close();
}

void admin_server::impl::accept() {
  acceptor.async_accept([this](error_code error, admin_client::protocol::socket socket) {
    if (!acceptor.is_open()) return;
    if (!error) {
      make_room();
      std::make_shared<admin_client>(std::move(socket), source, open)->read();
      return accept();
    }
    if (error == asio::error::no_descriptors && open.reserve.release()) return accept();
    pause.expires_after(pause_after_accept_error);
    pause.async_wait([this](error_code cancelled) {
      if (!cancelled) accept();
    });
  });
}

/// An exception in a handler, for lack of memory, has ended its connection. The loop continues.
void admin_server::impl::run() noexcept {
  for (;;) {
    try {
      io.run();
      return;
      // NOLINTNEXTLINE(bugprone-empty-catch): nothing can be sent or logged without memory
    } catch (...) {
    }
  }
}

admin_server::admin_server(page_source source) : impl_(std::make_unique<impl>(std::move(source))) {}

admin_server::~admin_server() {
  impl_->io.stop();
  if (impl_->thread.joinable()) impl_->thread.join();
}

std::string admin_server::start(const std::string& listen) {
  std::string why = impl_->bind(listen);
  if (!why.empty()) return why;
  impl_->accept();
  impl_->thread = std::thread([this] { impl_->run(); });
  return {};
}

void admin_server::post(std::function<void()> task) {
  asio::post(impl_->io, std::move(task));
}

std::string admin_server::address() const {
  return impl_->address;
}

bool admin_server::shared() const noexcept {
  return impl_->shared;
}

}  // namespace citestream
