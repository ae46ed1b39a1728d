// Text, events or a document made of an answer that arrives as deltas.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/session/options.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Takes the deltas of one answer and appends the output to `out`.
class delta_sink {
 public:
  virtual ~delta_sink() = default;
  /// Text in UTF-8. With text output, \p text may be any bytes.
  virtual void delta(std::string_view text, std::string& out) = 0;
  virtual void add_reference(const reference& ref) = 0;
  /// Ends the answer.
  virtual void end(std::string& out) = 0;
};

[[nodiscard]] std::unique_ptr<delta_sink> make_text_sink(const session_options& options, bool colours);
[[nodiscard]] std::unique_ptr<delta_sink> make_event_sink(const session_options& options);
/// \param file  its name in the document; empty: none
[[nodiscard]] std::unique_ptr<delta_sink> make_document_sink(const session_options& options,
                                                             std::string file);

}  // namespace citestream::tools
