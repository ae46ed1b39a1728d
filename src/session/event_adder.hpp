/// \file
/// Adds events of our own between those of the upstream.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/session/options.hpp>

#include <string>
#include <string_view>

#include "choice.hpp"
#include "event_cache.hpp"
#include "event_output.hpp"
#include "event_template.hpp"

namespace citestream {

/// Adds events to one stream, and keeps the templates for them.
class event_adder {
 public:
  /// \param reader  used only during calls
  event_adder(const session_options& options, document& reader, event_cache& cache) noexcept
      : options_(&options), reader_(&reader), cache_(&cache), kept_(options.bounds.max_event_bytes) {}

  /// Call this at the start of each call of the session: the reader may have been used for something else.
  void begin() noexcept { kept_.forget_reading(); }

  /// Adds an event that looks like the last one of the choice.
  void add(choice_state& one, event_content content, event_output& out);
  /// The same with the template of another text.
  void add(event_template& shape, const event_content& content, event_output& out);
  /// Adds `event: error`, the only form of failure that every client library of this API raises.
  void add_error(std::string_view message, std::string_view code, event_output& out);

  /// Makes the template of the choice if that is pending.
  void settle(choice_state& one) { one.own_event.settle(*cache_, kept_); }
  [[nodiscard]] kept_events& kept() noexcept { return kept_; }

  /// The bytes passed last end with a blank line.
  void note_whole() noexcept { open_.clear(); }
  /// The bytes passed last may lack their blank line. An added event must not become part of their block.
  void note_open(std::string_view raw);
  void reset() noexcept { open_.clear(); }

 private:
  void end_block(std::string& out);

  const session_options* options_;
  document* reader_;
  event_cache* cache_;
  kept_events kept_;
  std::string open_;  ///< the last bytes, at most four, of a block without its blank line
};

}  // namespace citestream
