// Events of our own, between those that came.
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

class event_adder {
 public:
  // `reader`: used within calls only.
  event_adder(const session_options& options, document& reader, event_cache& cache) noexcept
      : options_(&options), reader_(&reader), cache_(&cache), kept_(options.bounds.max_event_bytes) {}

  // Call first in each call of the session: others have used the reader.
  void begin() noexcept { kept_.forget_reading(); }

  // Adds an event like the last one of that choice.
  void add(choice_state& one, event_content content, event_output& out);
  // The same for another text.
  void add(event_template& shape, const event_content& content, event_output& out);
  // `event: error`, the one form of failure that every client of this API raises.
  void add_error(std::string_view message, std::string_view code, event_output& out);

  // Makes the choice's template that is due.
  void settle(choice_state& one) { one.own_event.settle(*cache_, kept_); }
  [[nodiscard]] kept_events& kept() noexcept { return kept_; }

  // The last bytes that came have their blank line.
  void note_whole() noexcept { open_.clear(); }
  // They may lack it: what is added must not become part of their block.
  void note_open(std::string_view raw);
  void reset() noexcept { open_.clear(); }

 private:
  void end_block(std::string& out);

  const session_options* options_;
  document* reader_;
  event_cache* cache_;
  kept_events kept_;
  std::string open_;  // the last bytes, at most four, of a block whose blank line has not been sent
};

}  // namespace citestream
