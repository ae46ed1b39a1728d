// The HTTP parser: Boost.Beast reads everything that it accepts and forwards in the same way.
#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "http/body_decoder.hpp"
#include "http/forwarding.hpp"
#include "http/message_head.hpp"
#include "support/decoded_body.hpp"

namespace citestream_tests {
namespace {

namespace beast = boost::beast::http;
using namespace citestream::http;

constexpr std::size_t max_head_bytes = 16 * 1024;
constexpr std::size_t max_fields = 100;

template <bool IsRequest>
struct beast_reading {
  beast::parser<IsRequest, beast::string_body> parser;
  boost::system::error_code error;
  std::size_t used{};
};

/// The result of Beast for \p bytes.
template <bool IsRequest>
void read_by_beast(std::string_view bytes, beast_reading<IsRequest>& out, bool skip_body) {
  out.parser.header_limit(std::numeric_limits<std::uint32_t>::max());
  out.parser.body_limit(boost::none);
  out.parser.eager(true);
  out.parser.skip(skip_body);
  while (out.used < bytes.size() && !out.parser.is_done() && !out.error) {
    const std::size_t used = out.parser.put(boost::asio::buffer(bytes.substr(out.used)), out.error);
    out.used += used;
    if (used == 0) break;
  }
  if (out.error == beast::error::need_more) out.error = {};
}

std::string_view view(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

template <bool IsRequest>
std::string compare_fields(const fields& ours, const beast_reading<IsRequest>& theirs) {
  const auto& message = theirs.parser.get();
  for (const field& one : ours) {
    const boost::beast::string_view name(one.name.data(), one.name.size());
    std::vector<std::string_view> mine;
    std::vector<std::string_view> other;
    for (const field& same : ours) {
      if (same_name(same.name, one.name)) mine.push_back(same.value);
    }
    const auto [begin, end] = message.equal_range(name);
    for (auto at = begin; at != end; ++at) other.push_back(view(at->value()));
    if (mine != other) return "Beast reads other values of " + shown(one.name);
  }
  const auto many = static_cast<std::size_t>(std::distance(message.begin(), message.end()));
  return many == ours.size() ? "" : "Beast reads " + std::to_string(many) + " fields";
}

/// Finds the end of a head, and checks that it is the same for every cut.
std::string find_head(std::string_view bytes, std::size_t seed, head_state& state, std::size_t& size) {
  head_finder whole(max_head_bytes);
  state = whole.scan(bytes);
  size = whole.size();
  for (const std::size_t longest : {1U, 9U, 80U}) {
    head_finder cut(max_head_bytes);
    head_state got = head_state::more;
    std::size_t seen = 0;
    for (const std::string_view part : cut_by(bytes, seed, longest)) {
      if (got != head_state::more) break;
      got = cut.scan(bytes.substr(0, seen += part.size()));
    }
    if (got != state || (state == head_state::found && cut.size() != size))
      return "another end of the head when cut";
  }
  return {};
}

template <bool IsRequest>
std::string compare_framing(framing how, std::uint64_t length, const beast_reading<IsRequest>& theirs) {
  const bool chunked = theirs.parser.chunked();
  const auto said = theirs.parser.content_length();
  if (chunked != (how == framing::chunked)) return "Beast reads another framing";
  if (how == framing::length && (!said || *said != length)) return "Beast reads another length";
  if (IsRequest && how == framing::none && said && *said != 0) return "Beast reads a body";
  return {};
}

std::string check_request(std::string_view head, fuzz_run how) {
  request_head ours;
  if (const own_error no = parse_request_head(head, max_fields, ours)) {
    return no.status >= 400 && no.status < 600 && !no.message.empty() ? "" : "a refusal that says nothing";
  }
  // The request for the upstream. Beast must accept it and read the same.
  const bool bodied = ours.body != framing::none;
  const std::uint64_t length = 12;
  upstream_framing wanted;
  wanted.target = ours.target;
  wanted.host = "up.example";
  wanted.body_bytes = length;
  wanted.request_id = "id-1";
  wanted.via = "proxy-1";
  const std::string sent = upstream_request_head(ours, wanted);
  beast_reading<true> upstream;
  read_by_beast(sent, upstream, true);
  if (upstream.error) return "upstream would refuse (" + upstream.error.message() + "): " + shown(sent);
  const std::uint64_t told = how == fuzz_run::planted ? length + 1 : length;
  std::string wrong = compare_framing(bodied ? framing::length : framing::none, told, upstream);
  if (!wrong.empty()) return wrong + " at upstream: " + shown(sent);
  request_head again;
  if (parse_request_head(sent, max_fields + 9, again)) return "we would refuse ourselves: " + shown(sent);
  if (wrong = compare_fields(again.all, upstream); !wrong.empty())
    return wrong + " at upstream: " + shown(sent);
  // The client's request. If Beast accepts it, it must read the same.
  beast_reading<true> client;
  read_by_beast(head, client, true);
  if (client.error || !client.parser.is_header_done()) return {};
  const auto& message = client.parser.get();
  if (view(message.method_string()) != ours.method) return "Beast reads another method";
  if (!view(message.target()).ends_with(ours.target)) return "Beast reads another target";
  if (message.version() != (ours.version == http_version::http_1_1 ? 11U : 10U))
    return "Beast reads another version";
  wrong = compare_fields(ours.all, client);
  return wrong.empty() ? compare_framing(ours.body, ours.length, client) : wrong;
}

std::string check_response(std::string_view head, std::string_view method, fuzz_run how) {
  response_head ours;
  if (!parse_response_head(head, max_fields, method, ours)) return {};
  beast_reading<false> upstream;
  read_by_beast(head, upstream, true);
  if (!upstream.error && upstream.parser.is_header_done()) {
    const auto& message = upstream.parser.get();
    if (message.result_int() != ours.status) return "Beast reads another status";
    // Beast inserts one if there is none.
    if (!ours.reason.empty() && view(message.reason()) != ours.reason) return "Beast reads another reason";
    std::string wrong = compare_fields(ours.all, upstream);
    if (wrong.empty() && ours.body != framing::none)
      wrong = compare_framing(ours.body, ours.length, upstream);
    if (!wrong.empty()) return wrong;
  }
  std::string sent;
  const client_framing body{ours.body == framing::until_close ? framing::chunked : ours.body,
                            ours.length,
                            true,
                            false,
                            "id-1",
                            true,
                            true};
  append_client_head(ours, body, sent);
  if (how == fuzz_run::planted) sent.insert(sent.size() - 2, "X-Planted: a\nb\r\n");
  beast_reading<false> client;
  read_by_beast(sent, client, true);
  if (client.error) return "a client would refuse (" + client.error.message() + "): " + shown(sent);
  if (client.parser.get().result_int() != ours.status) return "a client reads another status: " + shown(sent);
  if (body.body == framing::none) return {};
  return compare_framing(body.body, body.length, client);
}

}  // namespace

/// Input: request or answer, cuts, then a head.
std::string check_http_head(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  const std::size_t kind = input.choice(4);
  const std::size_t seed = input.choice(251);
  head_state state{};
  std::size_t size = 0;
  std::string wrong = find_head(input.rest(), seed, state, size);
  if (!wrong.empty() || state != head_state::found) return wrong;
  const std::string head(input.rest().substr(0, size));
  if (kind < 2) return check_request(head, how);
  return check_response(head, kind == 2 ? "POST" : "HEAD", how);
}

namespace {

std::string written(std::string_view body, std::size_t seed) {
  std::string out;
  for (const std::string_view part : cut_by(body, seed, 20)) {
    if (part.empty()) continue;
    append_chunk_start(part.size(), out);
    out.append(part).append(chunk_end);
  }
  return out.append(last_chunk);
}

const std::string chunked_answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Checks that Beast reads back the chunks that are written.
std::string check_written(std::string_view body, std::size_t seed, fuzz_run how) {
  std::string sent = written(body, seed);
  if (how == fuzz_run::planted) sent.insert(0, "1\r\nx\r\n");
  beast_reading<false> theirs;
  read_by_beast(chunked_answer + sent, theirs, false);
  if (theirs.error || !theirs.parser.is_done()) return "Beast does not take what we write: " + shown(sent);
  return theirs.parser.get().body() == body ? ""
                                            : "Beast reads another body of what we write: " + shown(sent);
}

}  // namespace

/// Input: cuts, then a chunked body and more.
std::string check_chunked_body(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  const std::size_t seed = input.choice(251);
  const std::string_view body = input.rest();
  const decoded_body whole = decode_chunked({body});
  for (const std::size_t longest : {1U, 5U, 60U}) {
    if (decode_chunked(cut_by(body, seed, longest)) != whole) return "not the same when cut";
  }
  std::string wrong = check_written(whole.body, seed, how);
  if (!wrong.empty() || whole.malformed) return wrong;
  beast_reading<false> theirs;
  read_by_beast(chunked_answer + std::string(body), theirs, false);
  // Beast parses extensions and trailers, which are dropped here. It may reject them, but must not read
  // another body.
  const std::string& got = theirs.parser.get().body();
  if (!whole.body.starts_with(got)) return "Beast reads another body";
  if (theirs.error) return {};
  if (theirs.parser.is_done() != whole.done) return "Beast sees the end elsewhere";
  if (whole.done && got != whole.body) return "Beast reads less of the body";
  if (whole.done && theirs.used != chunked_answer.size() + whole.used)
    return "Beast takes other bytes for the next message";
  return {};
}

}  // namespace citestream_tests
