// The framing of a stream is recognised from its first bytes.
#include "framing/frame_decoder.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/decoded_events.hpp"
#include "support/messages.hpp"

using namespace citestream;
using citestream_tests::cut_every;
using citestream_tests::decode;
using citestream_tests::message;
using citestream_tests::owned_item;
using citestream_tests::raw_of;

namespace {

stream_framing framing_of(std::string_view bytes) {
  frame_decoder decoder(1000);
  decoder.feed(bytes);
  for (frame item; decoder.next(item);) continue;
  return decoder.framing();
}

/// The events of a stream, without the bytes between them.
std::vector<std::string> data_of(const std::vector<owned_item>& frames) {
  std::vector<std::string> out;
  for (const owned_item& one : frames) {
    if (one.kind == frame_kind::event || one.kind == frame_kind::unterminated) out.push_back(one.data);
  }
  return out;
}

}  // namespace

TEST_CASE("the first byte after white space decides the framing") {
  for (const char* start : {"", "\n", " \t\r\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\r\n  "}) {
    CAPTURE(start);
    CHECK(framing_of(start) == stream_framing::unknown);
    CHECK(framing_of(std::string(start) + "{") == stream_framing::ndjson);
    CHECK(framing_of(std::string(start) + "[") == stream_framing::array);
    for (const char* other : {"data: {", "event: e", ": ping", "]", "}", "x"}) {
      CHECK(framing_of(std::string(start) + other) == stream_framing::sse);
    }
  }
  frame_decoder decoder(1000);
  decoder.feed("{}\n");
  decoder.reset();
  CHECK(decoder.framing() == stream_framing::unknown);
}

TEST_CASE("a prelude with a valid CRC begins binary messages and any other is not an event") {
  const std::string stream = message("e", "{\"a\":1}") + message("e", "{\"b\":2}");
  CHECK(framing_of(stream) == stream_framing::eventstream);
  CHECK(framing_of(stream.substr(0, 12)) == stream_framing::eventstream);
  CHECK(framing_of(stream.substr(0, 11)) == stream_framing::unknown);
  std::string damaged = stream;
  damaged[11] = static_cast<char>(~damaged[11]);
  CHECK(framing_of(damaged) == stream_framing::sse);
  CHECK(framing_of("\n" + stream) == stream_framing::sse);
  for (const std::string& bytes : {stream, damaged, stream.substr(0, 5), std::string("\0\n\n\0", 4)}) {
    const auto whole = decode<frame_decoder>({bytes});
    CHECK(raw_of(whole) == bytes);
    for (std::size_t at = 0; at <= bytes.size(); ++at) {
      const std::string_view all = bytes;
      CHECK(decode<frame_decoder>({all.substr(0, at), all.substr(at)}) == whole);
    }
    CHECK(decode<frame_decoder>(cut_every(bytes, 1)) == whole);
  }
}

TEST_CASE("the framing and the events do not depend on the reads") {
  for (const char* start : {"", "\n", "\r\n", "\n \n", " \t", "\xEF\xBB\xBF", "\xEF\xBB\xBF\r\n  ",
                            "\r\n\r\n", "\r\r\r", "\n\n", "\r \r\n\r"}) {
    for (const char* rest : {"[{\"a\":1}\n,\r\n{\"b\":2}]\n", "{\"a\":1}\n{\"b\":2}\n\n{\"c\":3}", "{\"a\"",
                             "data: {\"a\":1}\n\ndata: {\"b\":2}\r\n\r\n", "raw\ndata: {\"a\":1}\n\n"}) {
      const std::string stream = std::string(start) + rest;
      CAPTURE(stream);
      const auto whole = decode<frame_decoder>({stream});
      CHECK(raw_of(whole) == stream);
      CHECK(data_of(whole).size() >= 1);
      for (std::size_t at = 0; at <= stream.size(); ++at) {
        const std::string_view all = stream;
        const auto cut = decode<frame_decoder>({all.substr(0, at), all.substr(at)});
        CHECK(raw_of(cut) == stream);
        CHECK(data_of(cut) == data_of(whole));
        CHECK(cut.back().raw == whole.back().raw);  // what is dropped if it is cut off
        std::uint64_t offset = 0;
        for (const owned_item& one : cut) {
          CHECK(one.offset == offset);
          offset += one.raw.size();
        }
      }
      CHECK(data_of(decode<frame_decoder>(cut_every(stream, 1))).size() == data_of(whole).size());
    }
  }
}

TEST_CASE("a frame is written and closed as its framing requires") {
  const auto written = [](stream_framing how, std::string_view type, std::string_view line_end) {
    std::string out;
    append_frame({how, line_end, frame_gap::none, false}, type, "{}", out);
    return out;
  };
  CHECK(written(stream_framing::sse, "", "\n") == "data: {}\n\n");
  CHECK(written(stream_framing::sse, "e", "\r\n") == "event: e\r\ndata: {}\r\n\r\n");
  CHECK(written(stream_framing::ndjson, "e", "\n") == "{}\n");
  CHECK(written(stream_framing::ndjson, "", "\r\n") == "{}\r\n");
  CHECK(written(stream_framing::ndjson, "", "\r") == "{}\n");
  CHECK(written(stream_framing::eventstream, "e", "\n") == message("e", "{}"));
  const auto element = [](frame_gap gap, bool last) {
    std::string out;
    append_frame({stream_framing::array, "\n", gap, last}, "e", "{}", out);
    return out;
  };
  CHECK(element(frame_gap::none, false) == "{},\n");
  CHECK(element(frame_gap::comma, false) == "{},\n");
  CHECK(element(frame_gap::element, false) == ",\n{}");
  CHECK(element(frame_gap::comma, true) == "{}\n]");
  CHECK(element(frame_gap::element, true) == ",\n{}\n]");
  const auto closing = [](stream_framing how, std::string_view last, std::string_view line_end = "\n") {
    std::string out;
    close_frame(how, last, line_end, out);
    return out;
  };
  CHECK(closing(stream_framing::ndjson, "").empty());
  CHECK(closing(stream_framing::ndjson, "{}\n").empty());
  CHECK(closing(stream_framing::ndjson, "{}") == "\n");
  CHECK(closing(stream_framing::ndjson, "{}\r") == "\n");
  CHECK(closing(stream_framing::eventstream, "a").empty());
  CHECK(closing(stream_framing::sse, "a\n") == "\n");
  CHECK(closing(stream_framing::sse, "a\r") == "\n\n");
  CHECK(closing(stream_framing::sse, "\n\n").empty());
  CHECK(closing(stream_framing::sse, "a", "\r\n") == "\r\n\r\n");
  CHECK(closing(stream_framing::sse, "a\r", "\r\n") == "\n\r\n");
  CHECK(closing(stream_framing::sse, "a\r\n", "\r\n") == "\r\n");
  CHECK(closing(stream_framing::sse, "a", "\r") == "\r\r");
  CHECK(closing(stream_framing::sse, "a\r", "\r") == "\r");
  CHECK(closing(stream_framing::sse, "\r\n\r\n", "\r\n").empty());
}

TEST_CASE("an empty read inside the first bytes of a stream decides nothing") {
  const std::string streams[] = {message("event", "{}") + message("event", "[]"), "data: a\n\n",
                                 "{\"a\":1}\n", "[{\"a\":1},{\"b\":2}]"};
  for (const std::string& stream : streams) {
    const std::vector<owned_item> whole = decode<frame_decoder>({stream}, 1000);
    for (std::size_t at = 0; at <= stream.size(); ++at) {
      const std::string_view bytes = stream;
      CHECK(decode<frame_decoder>({bytes.substr(0, at), {}, bytes.substr(at)}, 1000) == whole);
    }
  }
}

TEST_CASE("an event that the end cuts off is a frame of its own kind in every framing") {
  const std::string whole = message("e", "{}");
  for (const auto& [stream, kind] :
       std::vector<std::pair<std::string, frame_kind>>{{"data: a", frame_kind::unterminated},
                                                       {"event: a\nda", frame_kind::cut},
                                                       {"ev", frame_kind::cut},
                                                       {": comment", frame_kind::other},
                                                       {"x", frame_kind::foreign},
                                                       {"{\"a\":", frame_kind::unterminated},
                                                       {"[{\"a\":", frame_kind::unterminated},
                                                       {whole.substr(0, 14), frame_kind::cut},
                                                       {whole + whole.substr(0, 3), frame_kind::cut}}) {
    INFO(stream);
    const std::vector<owned_item> frames = decode<frame_decoder>({stream});
    CHECK(frames.back().kind == kind);
  }
}

TEST_CASE("an oversize event that the end cuts off is known around the last frame") {
  const std::string blanks(40, ' ');
  for (const std::string& stream :
       {"data: " + blanks + "\n\n", "{" + blanks + "}\n", "[{" + blanks + "}]", message("e", blanks)}) {
    for (const std::size_t missing : {0U, 1U, 2U}) {
      INFO(stream << ' ' << missing);
      const bool complete = missing == 0;
      frame_decoder decoder(20);
      decoder.feed(std::string_view(stream).substr(0, stream.size() - missing));
      for (frame item; decoder.next(item);) continue;
      decoder.finish();
      CHECK(decoder.cut_off() == !complete);
      for (frame item; decoder.next(item);) continue;
      CHECK(decoder.cut_off() == !complete);
    }
  }
}
