// A small blocking HTTP client: it connects, sends one request and reads the response head. It decodes the
// body and prints the content of each event as it arrives. The last citation record is stored and printed at
// the end. Only the proxy's own demonstration uses it, so it has no timeouts and no retries.
#include "demo_question.hpp"

#include <citestream/chunk/document.hpp>

#include <array>
#include <cstdint>
#include <netdb.h>
#include <set>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "framing/sse_decoder.hpp"
#include "http/body_decoder.hpp"
#include "http/message_head.hpp"
#include "http/upstream_url.hpp"

namespace citestream::tools {

namespace {

constexpr std::string_view question =
    R"({"model":"demo","stream":true,"messages":[{"role":"user","content":"How quiet is the Aurora 4?"}]})";

/// A blocking TCP connection. The destructor closes it.
class connection {
 public:
  explicit connection(const std::string& address) {
    std::string host;
    std::string port;
    if (!http::parse_listen_address(address, host, port)) return;
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0) return;
    fd_ = ::socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol);
    if (fd_ >= 0 && ::connect(fd_, found->ai_addr, found->ai_addrlen) != 0) close();
    ::freeaddrinfo(found);
  }
  ~connection() { close(); }
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  [[nodiscard]] bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Returns the bytes of one read, or an empty view at the end or after an error.
  [[nodiscard]] std::string_view read() {
    const auto got = ::recv(fd_, buffer_.data(), buffer_.size(), 0);
    return {buffer_.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
  }

 private:
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  int fd_{-1};
  std::array<char, 16 * 1024> buffer_{};
};

/// Prints the text of an answer as it arrives and its citations at the end.
class answer_printer {
 public:
  explicit answer_printer(std::FILE* out) : out_(out) {}

  void take(std::string_view bytes) {
    events_.feed(bytes);
    frame item;
    while (events_.next(item)) {
      if (item.kind == frame_kind::event) take_event(item);
    }
    std::fflush(out_);
  }

  /// Prints the citations. \return true if the answer is complete and reported no error
  [[nodiscard]] bool end() {
    std::fputs("\n\n", out_);
    print_citations();
    std::fflush(out_);
    return finished_ && !failed_;
  }

 private:
  void take_event(const frame& event) {
    failed_ = failed_ || event.event == "error";
    if (payload_.parse(event.data)) return;
    const json_value choice = payload_.root()["choices"][0];
    print(choice["delta"]["content"].string());
    finished_ = finished_ || choice["finish_reason"].is_string();
    if (const json_value record = payload_.root()["citestream"]) record_ = record.raw();
  }

  void print(std::string_view text) const { std::fwrite(text.data(), 1, text.size(), out_); }

  void print_citations() {
    if (record_.empty() || payload_.parse(record_)) return;
    print("Citations\n");
    std::set<std::int64_t> shown;
    for (json_value one = payload_.root()["citations"].first(); one; one = one.next()) {
      const std::int64_t number = one["number"].integer().value_or(0);
      if (!shown.insert(number).second) continue;
      print("  [" + std::to_string(number) + "] ");
      print_source(one);
      print("  (");
      print(one["status"].string());
      print(")\n");
    }
  }

  void print_source(const json_value& citation) const {
    const std::string_view title = citation["title"].string();
    print(title.empty() ? citation["label"].string() : title);
    if (const auto page = citation["page"].integer()) print(", page " + std::to_string(*page));
    if (const std::string_view url = citation["url"].string(); !url.empty()) {
      print(", ");
      print(url);
    }
  }

  std::FILE* out_;
  sse_decoder events_;
  document payload_;
  std::string record_;
  bool finished_{};
  bool failed_{};
};

std::string request_to(const std::string& address) {
  std::string out = "POST /v1/chat HTTP/1.1\r\nHost: " + address + "\r\nContent-Type: application/json\r\n";
  out += "Connection: close\r\nContent-Length: " + std::to_string(question.size()) + "\r\n\r\n";
  return out.append(question);
}

/// Reads the response head. \param raw  receives the head and the bytes that arrived after it
/// \param size  receives the size of the head \return true if the head is valid
bool read_head(connection& from, std::string& raw, http::response_head& head, std::size_t& size) {
  constexpr std::size_t max_bytes = 64 * 1024;
  constexpr std::size_t max_fields = 256;
  http::head_finder finder(max_bytes);
  http::head_state state = http::head_state::more;
  while (state == http::head_state::more) {
    const std::string_view bytes = from.read();
    if (bytes.empty()) return false;
    raw += bytes;
    state = finder.scan(raw);
  }
  size = finder.size();
  if (state != http::head_state::found) return false;
  return http::parse_response_head(std::string_view(raw).substr(0, size), max_fields, "POST", head);
}

}  // namespace

std::string ask_demo_question(const std::string& address, std::FILE* out) {
  connection to(address);
  if (!to.send(request_to(address))) return "cannot connect to " + address;
  std::string raw;
  http::response_head head;
  std::size_t head_size = 0;
  if (!read_head(to, raw, head, head_size)) return "no answer from " + address;
  if (head.status != 200) return address + " returned status " + std::to_string(head.status);
  http::body_decoder body(head.body, head.length);
  answer_printer printer(out);
  std::string_view bytes = std::string_view(raw).substr(head_size);
  std::string text;
  for (;;) {
    text.clear();
    static_cast<void>(body.feed(bytes, text));
    printer.take(text);
    if (body.complete() || body.malformed()) break;
    bytes = to.read();
    if (bytes.empty()) break;
  }
  const bool whole = printer.end() && body.complete();
  return whole ? std::string{} : "the answer was cut off";
}

std::string demo_curl_line(const std::string& address) {
  return "curl -N http://" + address + "/v1/chat -d '{\"model\":\"demo\",\"stream\":true}'";
}

}  // namespace citestream::tools
