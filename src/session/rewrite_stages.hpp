/// \file
/// The stages that rewrite a stream or a body.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/options.hpp>
#include <citestream/session/session.hpp>

#include "additions.hpp"
#include "choice_list.hpp"
#include "choice_rewriter.hpp"
#include "event_adder.hpp"
#include "event_queue.hpp"
#include "event_reader.hpp"
#include "event_template.hpp"
#include "other_text.hpp"
#include "rewrite/event_output.hpp"
#include "rewrite/splice.hpp"
#include "stream_closer.hpp"
#include "template_store.hpp"
#include "unit_rewriter.hpp"

namespace citestream {

/// What a session needs only during a call, so that the sessions of one thread can share it: the content of a
/// \ref workspace, or of a session without one. Nothing in it is used after the call.
struct session_memory {
  document payload;      ///< the current event
  copy_memory copies;    ///< of an event, while another one like it is written
  document annotations;  ///< a list of annotations
  dialect_event read;    ///< the content of the current event
  splicer edits;         ///< the edits of the current event
};

/// The stages of one stream or body. Each may refer to earlier ones.
struct rewrite_stages {
  /// \param small  see event_cache
  rewrite_stages(const session_options& options, session_memory& memory, bool small);
  rewrite_stages(const rewrite_stages&) = delete;
  rewrite_stages& operator=(const rewrite_stages&) = delete;

  /// Adds the choices and references of an event or body.
  void open(const dialect_event& content);
  /// Rewrites the texts next to the answer. \p item: null for a body
  void take_other_texts(const dialect_event& content, const frame* item, event_output& out);
  [[nodiscard]] splicer& edits() noexcept { return space.edits; }
  /// Switches the open choices to the dialect that an event has shown.
  void adopt_dialect();
  [[nodiscard]] session_statistics statistics() const noexcept;
  void reset() noexcept;

  session_memory& space;
  session_statistics counts;  ///< of the reader and the texts: see statistics()
  event_queue events;
  event_reader reader;
  template_store templates;
  event_adder adder;
  choice_list choices;
  other_texts others;
  addition_writer additions;
  choice_rewriter texts;
  unit_rewriter units;
  stream_closer closer;
};

}  // namespace citestream
