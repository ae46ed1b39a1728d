#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/decoded_body.hpp"

using citestream::http::chunked_decoder;
using namespace citestream_tests;

namespace {

const std::string two_chunks =
    "5\r\nhello\r\n00A;name=\"v\\\"\\\\\";x\r\n0123456789\r\n000\r\nTrailer: no\r\nB: c\r\n\r\nNEXT";

/// Malformed bodies up to the byte that shows the error. The decoder must not need another byte.
const std::vector<std::string> broken{"0x5\r\n",
                                      "+5\r\n",
                                      "-1\r\n",
                                      " 5\r\n",
                                      "\r\n",
                                      ";ext\r\n",
                                      "5 \r\n",
                                      "5\n",
                                      "5\rx",
                                      "5 x\r\n",
                                      "g\r\n",
                                      "1\r\naX",
                                      "1\r\naa",
                                      "1\r\na\n",
                                      "1\r\na\rX",
                                      "1234567890abcdef\r\n",
                                      "0000000000000001\r\n",
                                      "5;a\nhello",
                                      "5;a\x01",
                                      "5;a\rX",
                                      "5;a=\"b\r",
                                      "5;a=\"b\\\"\r",
                                      "0\r\nA: b\n",
                                      "0\r\nA\x02",
                                      "0\r\nA: b\rX",
                                      "0\r\n\rX",
                                      std::string("5\0", 2),
                                      "ffffffffffffffffffff\r\n"};

}  // namespace

TEST_CASE("one read gives the whole body and keeps the next message") {
  const decoded_body all = decode_chunked({two_chunks});
  CHECK(all.body == "hello0123456789");
  CHECK(all.used == two_chunks.size() - 4);
  CHECK(all.done);
}

TEST_CASE("a chunked body decodes the same at every cut in two and in three") {
  const decoded_body whole = decode_chunked({two_chunks});
  const std::string_view bytes = two_chunks;
  for (std::size_t i = 0; i <= bytes.size(); ++i) {
    CHECK(decode_chunked({bytes.substr(0, i), bytes.substr(i)}) == whole);
    for (std::size_t j = i; j <= bytes.size(); ++j) {
      const decoded_body cut = decode_chunked({bytes.substr(0, i), bytes.substr(i, j - i), bytes.substr(j)});
      if (!(cut == whole)) FAIL("cut at " << i << " and " << j);
    }
  }
}

TEST_CASE("malformed chunks are rejected at the same byte for every cut") {
  for (const std::string& bytes : broken) {
    INFO(bytes);
    const decoded_body whole = decode_chunked({bytes});
    CHECK(whole.malformed);
    CHECK_FALSE(whole.done);
    const std::string_view view = bytes;
    for (std::size_t i = 0; i <= view.size(); ++i)
      CHECK(decode_chunked({view.substr(0, i), view.substr(i)}) == whole);
  }
}

TEST_CASE("a truncated body is never complete") {
  const std::string_view body = std::string_view(two_chunks).substr(0, two_chunks.size() - 4);
  for (std::size_t i = 0; i < body.size(); ++i) {
    const decoded_body part = decode_chunked({body.substr(0, i)});
    CHECK_FALSE(part.done);
    CHECK_FALSE(part.malformed);
  }
}

TEST_CASE("extensions and trailers are limited at the same byte for every cut") {
  for (const std::string start : {"1;", "1 ", "0\r\nA:", "0\r\nA: b\r\nC:"}) {
    const std::string filler = start == "1 " ? " " : "x";
    std::string bytes = start;
    while (bytes.size() < 8192) bytes += filler;
    const decoded_body whole = decode_chunked({bytes});
    CHECK(whole.malformed);
    CHECK(whole.used <= chunked_decoder::max_extra_bytes + start.size() + 1);
    std::vector<std::string_view> single;
    for (std::size_t i = 0; i < bytes.size(); ++i) single.push_back(std::string_view(bytes).substr(i, 1));
    chunked_decoder decoder;
    std::string none;
    std::size_t used = 0;
    for (std::size_t i = 0; i < single.size() && !decoder.malformed(); ++i)
      used += decoder.feed(single[i], none);
    CHECK(used == whole.used);
  }
}

TEST_CASE("line ends of trailers count towards the limit") {
  const std::string line = "A: b\r\n";
  const std::size_t most = chunked_decoder::max_extra_bytes / line.size();
  for (const std::size_t lines : {most, most + 1}) {
    std::string bytes = "0\r\n";
    for (std::size_t i = 0; i < lines; ++i) bytes += line;
    const decoded_body all = decode_chunked({bytes + "\r\n"});
    CHECK(all.done == (lines == most));
    CHECK(all.malformed == (lines > most));
  }
}

TEST_CASE("each chunk may have extensions up to the limit") {
  const std::string extension(chunked_decoder::max_extra_bytes, 'e');
  std::string bytes;
  for (int i = 0; i < 3; ++i) bytes += "1;" + extension + "\r\nx\r\n";
  const decoded_body all = decode_chunked({bytes + "0\r\n\r\n"});
  CHECK(all.done);
  CHECK(all.body == "xxx");
}

TEST_CASE("a chunk that was written can be read back") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{15}, std::size_t{16}, std::size_t{70'000}}) {
    std::string bytes;
    citestream::http::append_chunk_start(size, bytes);
    bytes += std::string(size, 'b') + std::string(citestream::http::chunk_end);
    bytes += citestream::http::last_chunk;
    const decoded_body all = decode_chunked({bytes});
    CHECK(all.done);
    CHECK(all.body.size() == size);
  }
}
