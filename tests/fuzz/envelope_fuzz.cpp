// For any bytes and cuts, a stream read with envelopes gives the same result as with each event parsed.
// Input: the way of reading, then a stream. Depending on the first byte, events from which envelopes are
// learned are inserted before the stream, so that most inputs are matched with one.
#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "session/envelope_difference.hpp"

namespace citestream_tests {
namespace {

const std::string learned =
    R"(data: {"id":"a1","object":"chat.completion.chunk","created":17,"choices":[{"index":0,"delta":{"content":"The"},)"
    R"("finish_reason":null}],"obfuscation":"xk"})"
    "\n\n"
    R"(data: {"id":"a1","object":"chat.completion.chunk","created":18,"choices":[{"index":0,"delta":{"content":" sky"},)"
    R"("finish_reason":null}],"obfuscation":"9qZ"})"
    "\n\n"
    R"(data: {"id":"a1","object":"chat.completion.chunk","created":18,"choices":[{"index":0,"delta":{"content":" [1]"},)"
    R"("finish_reason":null}],"obfuscation":""})"
    "\n\n";

citestream::session_options in_utf8() {
  citestream::session_options out;
  out.offsets = citestream::offset_unit::utf8;
  out.style = &citestream::numeric_style;
  return out;
}

}  // namespace

std::string check_envelope(std::string_view input, fuzz_run how) {
  static envelope_difference difference;
  static envelope_difference faulty({}, in_utf8());
  if (input.empty()) return {};
  const std::size_t reads[] = {1, 7, 64, 1400, 65536};
  const auto choice = static_cast<unsigned char>(input.front());
  std::string stream = (choice & 8U) != 0 ? learned : std::string();
  stream.append(input.substr(1));
  return (how == fuzz_run::planted ? faulty : difference).of(stream, reads[(choice & 7U) % 5]);
}

}  // namespace citestream_tests
