// What becomes of an answer that comes as deltas: text, events or a document.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/session/options.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Takes the deltas of one answer; appends to `out` what leaves.
class delta_sink {
 public:
  virtual ~delta_sink() = default;
  /// Text in UTF-8. For text out, \p text may be any bytes.
  virtual void delta(std::string_view text, std::string& out) = 0;
  virtual void add_reference(const reference& ref) = 0;
  /// The answer has ended.
  virtual void end(std::string& out) = 0;
};

[[nodiscard]] std::unique_ptr<delta_sink> make_text_sink(const session_options& options);
[[nodiscard]] std::unique_ptr<delta_sink> make_event_sink(const session_options& options);
[[nodiscard]] std::unique_ptr<delta_sink> make_document_sink(const session_options& options);

}  // namespace citestream::tools
