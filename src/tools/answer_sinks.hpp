/// \file
/// Converts an answer that arrives as deltas to text, events or a JSON document.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/session/options.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Receives the deltas of one answer and appends the output to `out`.
class delta_sink {
 public:
  virtual ~delta_sink() = default;
  /// Adds a delta. \p text must be UTF-8, except for text output, which accepts any bytes.
  virtual void delta(std::string_view text, std::string& out) = 0;
  /// Adds a reference that the answer may cite.
  virtual void add_reference(const reference& ref) = 0;
  /// Ends the answer and appends the rest of the output.
  virtual void end(std::string& out) = 0;
};

/// Writes the rewritten text. \param colours  true to show citations in colour
[[nodiscard]] std::unique_ptr<delta_sink> make_text_sink(const session_options& options, bool colours);
/// Writes typed events as JSON lines.
[[nodiscard]] std::unique_ptr<delta_sink> make_event_sink(const session_options& options);
/// Writes one JSON document. \param file  value of its member `file`; empty to omit that member
[[nodiscard]] std::unique_ptr<delta_sink> make_document_sink(const session_options& options,
                                                             std::string file);

}  // namespace citestream::tools
