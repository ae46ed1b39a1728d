/// \file
/// The run of a stream or body: one session.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "answer_run.hpp"
#include "replay/input_start.hpp"

namespace citestream::tools {

/// Runs one stream or body through a session. A body is collected and rewritten at the end of the input.
class session_run final : public answer_run {
 public:
  session_run(session_options options, input_form form);

  /// Processes \p bytes and appends the rewritten stream.
  void rewrite(std::string_view bytes, std::string& rewritten);
  /// Ends the input and appends the rest of the stream, or the body. \return an empty string, or the error:
  /// the input is not a stream, the stream is truncated or reports an error, or the body could not be read
  [[nodiscard]] std::string finish_rewriting(std::string& rewritten);

  void write(std::string_view bytes, const event_taker& take) override;
  [[nodiscard]] std::string finish(const event_taker& take) override;
  [[nodiscard]] std::string no_answer() const override;
  [[nodiscard]] bool unknown_form() const override;
  /// Returns the first error about a single event, or else a hint about a probable mistake.
  [[nodiscard]] std::string notice() override;
  [[nodiscard]] const citations* cites(std::uint32_t choice) const override;
  [[nodiscard]] std::span<const egress_record> egress(std::uint32_t choice) const override;
  [[nodiscard]] session_statistics statistics() const override { return session_.statistics(); }

 private:
  void drain(const event_taker& take);
  [[nodiscard]] bool body() const noexcept { return form_ == input_form::json; }
  [[nodiscard]] std::optional<std::size_t> place_of(std::uint32_t choice) const;
  [[nodiscard]] std::string hint() const;
  [[nodiscard]] std::string missed_markers() const;
  [[nodiscard]] std::string body_error(status error) const;
  [[nodiscard]] const char* foreign() const;

  bool by_dialect_;  ///< true if the dialect selects the markers; initialised before the options are moved
  session session_;
  input_form form_;
  input_start start_{"", false};
  input_kind kind_{};
  std::string collected_;
  std::string rewritten_;  ///< discarded if the events are taken
  status first_error_;
};

/// Returns a notice about an event that was not read, or an empty string if there is no \p error.
[[nodiscard]] std::string notice_about(status error);

}  // namespace citestream::tools
