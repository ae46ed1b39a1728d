#include "faults/fault_cases.hpp"

#include <cstdio>

#include "support/strings.hpp"

namespace citestream_tests {
namespace {

using citestream::failure;

constexpr std::string_view last_chunk = "0\r\n\r\n";

std::string with_size(std::size_t size, std::string_view data) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "%zx\r\n", size);
  return digits + std::string(data) + "\r\n";
}

/// A body that is complete according to HTTP.
fault_case whole_case(const std::string& name, const fault_stream& of, const std::string& body) {
  return {name + " in " + of.name,
          &of,
          {{fault_head + framed(body) + std::string(last_chunk)}, {}, false},
          body,
          {},
          200,
          {},
          false};
}

std::vector<std::string> with(const std::vector<std::string>& events, std::size_t at,
                              const std::string& more) {
  std::vector<std::string> out = events;
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), more);
  return out;
}

/// The same bytes, with the event at \p at divided into 100 writes.
fault_case split_case(const fault_stream& of, std::size_t at) {
  fault_case out = whole_case("an event in 100 writes", of, of.raw());
  out.plan.writes = {fault_head};
  for (std::size_t i = 0; i < of.events.size(); ++i) {
    const std::string wire = framed(of.events[i]);
    const std::size_t parts = i == at ? 100 : 1;
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t begin = wire.size() * part / parts;
      out.plan.writes.push_back(wire.substr(begin, wire.size() * (part + 1) / parts - begin));
    }
  }
  out.plan.writes.emplace_back(last_chunk);
  return out;
}

}  // namespace

const std::string fault_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

std::string framed(std::string_view data) {
  return data.empty() ? std::string() : with_size(data.size(), data);
}

fault_case cut_case(const fault_stream& of, const std::string& raw, std::size_t size, std::size_t kind) {
  const std::string part = raw.substr(0, size);
  fault_case out{{}, &of,  {{fault_head + framed(part)}, afterwards::fin, false}, part, failure::closed, 200,
                 {}, false};
  std::string& wire = out.plan.writes[0];
  switch (kind) {
    case 0:
      out.name = "FIN";
      break;
    case 1:
      out.name = "RST";
      out.plan.then = afterwards::rst;
      out.why = failure::reset;
      break;
    case 2:
      out.name = "garbage";
      wire += std::string("\0zz garbage\r\n\r\n", 15);
      out.plan.then = afterwards::stall;
      out.why = failure::malformed;
      break;
    case 3:
      out.name = "a chunk that breaks off";
      wire = fault_head + with_size(size + 100, part);
      wire.resize(wire.size() - 2);
      break;
    case 4:  // a size of 0 would end the body
      out.name = "a size that is too small";
      if (size < 2) break;
      wire = fault_head + with_size(size - 1, part);
      out.plan.then = afterwards::stall;
      out.arrived.pop_back();
      out.why = failure::malformed;
      break;
    case 5:
      out.name = "a size that is too large";
      wire = fault_head + with_size(size + 3, part) + std::string(last_chunk);
      out.plan.then = afterwards::stall;
      out.arrived += "\r\n0";
      out.why = failure::malformed;
      break;
    default:
      out.name = "the last chunk";
      wire += last_chunk;
      out.plan.then = afterwards::keep;
      out.why = failure::none;
      break;
  }
  out.known = kind >= 1 && kind <= 4;  // the text is the same as for a FIN
  out.name += " after byte " + std::to_string(size) + " of " + of.name;
  return out;
}

fault_case silent_case(const fault_stream& of, const std::string& raw, std::size_t size) {
  fault_case out = cut_case(of, raw, size, 0);
  out.name = "silence after byte " + std::to_string(size) + " of " + of.name;
  out.plan.then = afterwards::stall;
  out.why = failure::idle_timeout;
  return out;
}

std::vector<fault_case> event_cases(const fault_stream& of) {
  std::vector<fault_case> out;
  const auto add = [&](const std::string& name, const std::vector<std::string>& events) {
    out.push_back(whole_case(name, of, joined(events)));
  };
  const std::size_t finish = of.events.size() - (of.events.back().starts_with("data: [DONE]") ? 2 : 1);
  const std::string done = "data: [DONE]\n\n";
  for (std::size_t at = 0; at <= of.events.size(); ++at) {
    const std::string place = " at event " + std::to_string(at);
    add("another finish" + place, with(of.events, at, of.events[finish]));
    // A stream that is not recognised as a RAG server's before its text starts is read with other grammars.
    const bool otherwise = of.references == 0 && at == 0;
    out.back().known = otherwise;
    add("references again" + place, with(of.events, at, of.events[of.references]));
    add("[DONE]" + place, with(of.events, at, done));
    add("[DONE] twice" + place, with(of.events, at, done + done));
    add("no JSON" + place, with(of.events, at, "data: {\"choices\":[\n\n"));
    add("bytes that are no event" + place, with(of.events, at, "\x01\xFF\x7F nothing\n\n"));
    if (at == of.events.size()) continue;
    std::vector<std::string> without = of.events;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
    add("one event less" + place, without);
    out.back().known = otherwise;
    out.push_back(split_case(of, at));
  }
  std::vector<std::string> never = of.events;
  never.erase(never.begin() + static_cast<std::ptrdiff_t>(of.references));
  add("references never", never);
  out.back().known = of.references == 0;  // without references it is not recognised as a RAG stream
  for (const char* more : {"\n", "data: more\n\n", "\x01\xFF",
                           "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"[x](y)\"}}]}\n\n"}) {
    add("bytes after [DONE]", with(of.events, of.events.size(), done + more));
  }
  out.push_back(whole_case("bytes after the body", of, of.raw()));
  out.back().plan.writes[0] += "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
  out.back().plan.last = true;
  out.push_back(whole_case("byte by byte", of, of.raw()));
  std::string& wire = out.back().plan.writes[0];
  std::vector<std::string> bytes;
  for (const char byte : wire) bytes.emplace_back(1, byte);
  out.back().plan.writes = std::move(bytes);
  return out;
}

std::vector<fault_case> head_cases() {
  std::vector<fault_case> out;
  for (std::size_t size = 0; size < fault_head.size(); ++size) {
    for (const bool reset : {false, true}) {
      out.push_back({"the head ends after byte " + std::to_string(size),
                     nullptr,
                     {{fault_head.substr(0, size)}, reset ? afterwards::rst : afterwards::fin, false},
                     {},
                     reset ? failure::reset : failure::closed,
                     502,
                     {},
                     false});
    }
  }
  return out;
}

}  // namespace citestream_tests
