// Bytes of a stream to readings: what each event content.
//
//   reader.feed(bytes);
//   for (event_reading one; reader.next(one);) use(one);
//
// The readings' bytes, put together, are the stream again, in the order in which they came. Most events are
// found in the cache (event_cache.hpp); the others are decoded, parsed and read by the dialect. An event that
// a read cut and that may be one of those known is kept aside, without the decoder, until the rest of it has
// come: what its envelope has compared is not compared again. Nothing after the reader depends on which way
// was taken.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event_cache.hpp"
#include "recognition.hpp"
#include "sse/decoder.hpp"

namespace citestream {

enum class reading_kind : std::uint8_t {
  answer,      // something of the answer: `content`
  error,       // an error of the upstream
  done,        // `[DONE]`
  unread,      // an event that could not be read, or that has more choices than are followed
  oversize,    // a piece of an event over the bound
  other,       // bytes without meaning here: comments, heartbeats, all that follows `[DONE]`
  unfinished,  // an event that the stream ended in: it is not sent
};

// Valid until the next call of the reader, `item->raw` until the next feed() if `lasting` is set.
struct event_reading {
  reading_kind kind{};
  const sse_item* item{};
  const dialect_event* content{};  // for `answer`
  const learned_event* known{};    // the cache's, if it was found there: its places, see event_cache
  status why;                      // of this event; for `oversize` with its first piece only
  bool lasting{};
  bool dialect_is_new{};  // by this event the stream was taken for one of another dialect

  // Whether the accumulating mirror of that choice is all of its text if it has the size of it.
  [[nodiscard]] bool mirror_is_all(std::size_t choice) const noexcept {
    const grown_text* const grown = known == nullptr ? nullptr : known->texts[choice].grown;
    return grown != nullptr && grown->is_all;
  }
};

class event_reader {
 public:
  // `parsed`, `content`: used within calls only; all outlive it. `small`: see event_cache.
  event_reader(const session_options& options, document& parsed, dialect_event& content,
               session_statistics& counts, bool small);

  void feed(std::string_view bytes);
  [[nodiscard]] bool next(event_reading& out);
  // The stream has ended: what is left comes out of next(). \return whether it ended inside an event over the
  // bound, which has been given out.
  bool finish();

  // Reads a whole body instead. \return false: it passes unchanged; see `why`.
  [[nodiscard]] bool read_body(std::string_view body, status& why);

  // The event read last changed nothing but texts. `all`: see event_cache; `open`: how many choices there
  // are. \return what was learned, or null.
  const learned_event* learn(const event_reading& last, const std::vector<bool>& all, std::size_t open);

  // The document of the event read last.
  [[nodiscard]] json_value root() const noexcept { return parsed_->root(); }
  [[nodiscard]] const recognition& dialect_of() const noexcept { return recognition_; }
  [[nodiscard]] event_cache& cache() noexcept { return cache_; }
  [[nodiscard]] bool done() const noexcept { return done_; }
  void reset() noexcept;

 private:
  // The start of an event that a read cut.
  struct cut_event {
    enum class state : std::uint8_t {
      none,
      waiting,  // for more
      fed,      // more is in `rest`
      given,    // it was whole, and given out
    };
    state now{state::none};
    std::string bytes;
    std::string_view rest;
  };

  void take_known(learned_event& known, bool lasting, event_reading& out);
  [[nodiscard]] bool go_on(event_reading& out);
  [[nodiscard]] bool find_next(event_reading& out);
  void interpret(event_reading& out);
  void interpret_event(event_reading& out);
  void read_payload(event_reading& out);
  void read_oversize(event_reading& out);
  [[nodiscard]] bool too_many_choices() const noexcept;
  [[nodiscard]] bool is_whole(const sse_item& item);

  const limits* bounds_;
  document* parsed_;
  dialect_event* content_;
  session_statistics* counts_;
  recognition recognition_;
  event_cache cache_;
  sse_decoder decoder_;
  sse_item item_;
  cut_event cut_;
  const char* tried_{};  // the bytes of an event that the cache does not have
  status oversize_;      // the last event over the bound
  bool done_{};          // `[DONE]` has come
  bool ended_{};         // so has the end of the stream
};

}  // namespace citestream
