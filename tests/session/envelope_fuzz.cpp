// libFuzzer: whatever the bytes and however they are cut, a stream read with envelopes gives what it gives
// when each event is parsed. The first byte chooses how it is read: the others stand behind events from which
// envelopes are learned, so that most inputs are compared with one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "session/envelope_difference.hpp"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static citestream_tests::envelope_difference difference;
  if (size == 0) return 0;
  const std::size_t reads[] = {1, 7, 64, 1400, 65536};
  std::string stream = (data[0] & 8U) != 0 ? learned : std::string();
  stream.append(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string what = difference.of(stream, reads[(data[0] & 7U) % 5]);
  if (!what.empty()) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
  }
  return 0;
}
