// A proxy between a test's client and upstream, and streams to send through it.
#pragma once

#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/proxy_server.hpp"
#include "support/loopback.hpp"

namespace loopback {

/// Answers every request on a connection with the same bytes.
inline upstream::script answer_all(std::string answer) {
  return [answer = std::move(answer)](wire& client, int) {
    reader requests(client);
    for (message one = requests.next(); !one.head.empty(); one = requests.next()) client.send(answer);
  };
}

/// Sends \p answer to one request, then closes the connection.
inline upstream::script answer_and_close(std::string answer) {
  return [answer = std::move(answer)](wire& client, int) {
    reader(client).next();
    client.send(answer);
  };
}

/// Sends \p answer to one request, then waits until the client closes the connection.
inline upstream::script answer_and_wait(std::string answer) {
  return [answer = std::move(answer)](wire& client, int) {
    reader(client).next();
    client.send(answer);
    client.read_all();
  };
}

inline const std::string ok_answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// Answers like answer_all() and keeps the requests.
class kept_requests {
 public:
  explicit kept_requests(std::string answer = ok_answer) : answer_(std::move(answer)) {}

  [[nodiscard]] upstream::script script() {
    return [this](wire& client, int) {
      reader requests(client);
      for (message one = requests.next(); !one.head.empty(); one = requests.next()) {
        {
          const std::lock_guard lock(mutex_);
          all_.push_back(one);
        }
        client.send(answer_);
      }
    };
  }
  [[nodiscard]] std::vector<message> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }
  [[nodiscard]] message last() const {
    const std::lock_guard lock(mutex_);
    return all_.empty() ? message() : all_.back();
  }

 private:
  std::string answer_;
  mutable std::mutex mutex_;
  std::vector<message> all_;
};

/// The route of requests that match no other one.
inline citestream::route_options& default_route(citestream::proxy_options& of) {
  citestream::add_default_route({}, of);
  return of.routes.back();
}

/// A proxy in front of the upstream at a URL.
struct running_proxy {
  explicit running_proxy(const std::string& upstream,
                         const std::function<void(citestream::proxy_options&)>& tweak = {})
      : server(options(upstream, tweak)) {
    const std::string why = server.start();
    if (!why.empty()) throw std::runtime_error(why);
  }

  static citestream::proxy_options options(const std::string& upstream,
                                           const std::function<void(citestream::proxy_options&)>& tweak) {
    citestream::proxy_options out;
    out.listen.addresses = "127.0.0.1:0";
    out.upstream.url = upstream;
    out.threads = 2;
    if (tweak) tweak(out);
    return out;
  }

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(server.port()); }

  [[nodiscard]] wire dial(int receive_buffer = 0) const {
    return loopback::dial(server.port(), receive_buffer);
  }

  /// One request on a connection of its own.
  [[nodiscard]] message ask(std::string_view request) const {
    wire client = dial();
    client.send(request);
    return reader(client).next(request.starts_with("HEAD "));
  }

  citestream::proxy_server server;
};

/// The first base of an object with a proxy: the upstream outlives the proxy.
struct upstream_base {
  explicit upstream_base(upstream::script play) : up(std::move(play)) {}
  upstream up;
};

/// An upstream and a proxy in front of it.
struct proxied : upstream_base, running_proxy {
  explicit proxied(upstream::script play, const std::function<void(citestream::proxy_options&)>& tweak = {})
      : upstream_base(std::move(play)), running_proxy(up.url(), tweak) {}
};

inline const std::string get_request = "GET /v1/models HTTP/1.1\r\nHost: proxy\r\n\r\n";
inline const std::string chat_request =
    "POST /v1/chat HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n"
    "{\"stream\":true}";

/// `chat_request` with additional field lines.
inline std::string with_fields(const std::string& lines) {
  return std::string(chat_request).insert(chat_request.find("Content-Type"), lines);
}

inline std::string chunk(std::string_view data) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string size;
  for (std::size_t rest = data.size(); rest != 0; rest /= 16) size.insert(0, 1, digits[rest % 16]);
  return size + "\r\n" + std::string(data) + "\r\n";
}

inline const std::string event_stream_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nX-Request-Id: "
    "r1\r\n\r\n";

/// A JSON body as a whole response.
inline std::string json_answer(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: \"e\"\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// One text delta.
inline std::string delta(std::string_view text, int choice = 0) {
  return "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":" +
         std::to_string(choice) + ",\"finish_reason\":null,\"delta\":{\"content\":\"" + std::string(text) +
         "\"}}]}\n\n";
}

/// The end of a choice, with one file reference that the marker `[x](f1)` means.
inline std::string finish(int choice = 0) {
  return "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":" +
         std::to_string(choice) +
         ",\"finish_reason\":\"stop\",\"delta\":{\"content\":null,\"graph_data\":{\"references\":{\"files\":"
         "[{\"text\":\"snippet\",\"fileId\":\"file-1\",\"score\":0.5,\"cite\":\"f1\"}],\"web\":[]}}}}]}\n\n";
}

inline const std::string done = "data: [DONE]\n\n";

/// Sends a stream in two parts, the second when the gate opens.
inline upstream::script in_two_parts(gate& go_on, std::string first = delta("one"),
                                     std::string second = delta(" [x](f1) two") + finish() + done) {
  return [&go_on, first = std::move(first), second = std::move(second)](wire& client, int) {
    reader requests(client);
    requests.next();
    client.send(event_stream_head + chunk(first));
    go_on.wait();
    client.send(chunk(second) + "0\r\n\r\n");
    requests.next();
  };
}

/// All text of a choice in an event stream of the form that delta() writes.
inline std::string text_of(const std::string& stream, int choice = 0) {
  const std::string mark = "\"index\":" + std::to_string(choice) + ",";
  std::string out;
  for (std::size_t at = stream.find(mark); at != std::string::npos; at = stream.find(mark, at + 1)) {
    const std::size_t begin = stream.find("\"content\":", at) + 10;
    if (stream[begin] == '"') out += stream.substr(begin + 1, stream.find('"', begin + 1) - begin - 1);
  }
  return out;
}

}  // namespace loopback
