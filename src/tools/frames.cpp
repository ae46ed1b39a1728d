#include "frames.hpp"

#include "rewrite/json.hpp"
#include "utf8.hpp"

namespace citestream::tools {

namespace {

void append_text(std::string_view bytes, std::string& out) {
  std::string text;
  append_replacing_invalid_utf8(bytes, text);
  append_json_string(text, out);
}

}  // namespace

void append_frame_line(const frame& item, std::string& out) {
  if (item.kind != frame_kind::event) return;
  out += "{\"event\":";
  append_text(item.event.empty() ? "message" : item.event, out);
  out += ",\"data\":";
  append_text(item.data, out);
  out += ",\"id\":";
  append_text(item.id, out);
  out += ",\"retry\":";
  out += item.retry ? std::to_string(*item.retry) : "null";
  out += "}\n";
}

}  // namespace citestream::tools
