/// \file
/// Amazon Nova through Bedrock's InvokeModelWithResponseStream.
///
/// The events are those of Converse (bedrock.cpp), each the only member of its name of an object:
/// `{"contentBlockDelta":{"delta":{"text":"On"},"contentBlockIndex":0}}`. The model may put every token into
/// a block of its own, so consecutive text blocks are one text, and the end of a block has no meaning.
/// Another block between them, such as a tool call or a citation, ends the text. A body is that of Converse.
#include <citestream/dialect/dialect.hpp>

#include "dialect/converse.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace nova {
namespace {

bool recognise(json_value root, payload_kind kind) {
  if (kind == payload_kind::body) return false;
  return root["messageStart"]["role"].is_string() ||
         (root["contentBlockDelta"]["contentBlockIndex"].integer() &&
          root["contentBlockDelta"]["delta"].is_object());
}

/// The text before a block of another kind ends, and another one may follow.
void end_text(dialect_event& out) {
  out.choices.emplace_back().unit.ends = true;
  out.choices.emplace_back().unit.begins = true;
}

/// A citation is in a block of its own.
void read_delta(json_value delta, dialect_event& out) {
  if (delta["citation"].is_object()) end_text(out);
  converse::read_delta(delta, {}, citation_anchor::none, out);
}

bool read_event(json_value root, dialect_event& out) {
  if (const json_value delta = root["contentBlockDelta"]; delta.is_object()) {
    read_delta(delta["delta"], out);
  } else if (root["messageStart"].is_object()) {
    out.choices.emplace_back();  // opens the answer: a stream that ends before it has finished is incomplete
  } else if (root["messageStop"].is_object()) {
    out.signals.end = true;
  } else if (root["metadata"].is_object()) {
    out.root = root;
    out.signals.end = out.signals.last = true;
  } else if (const json_value block = root["contentBlockStart"]; block.is_object()) {
    if (!block["start"].empty()) end_text(out);
  } else if (!root["contentBlockStop"].is_object()) {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace nova

extern constinit const dialect nova_dialect{
    .name = "nova", .recognise = &nova::recognise, .read = &read_events<&nova::read_event>};

}  // namespace citestream
