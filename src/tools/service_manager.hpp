/// \file
/// Notifies the service manager (systemd) of the process's state. Implements the protocol of sd_notify(3)
/// without libsystemd.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Sends notifications to the socket in `NOTIFY_SOCKET`. Does nothing if that variable is not set. The
/// constructor removes `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` from the environment, so that
/// child processes do not inherit them.
class service_manager {
 public:
  service_manager();

  /// Reports that startup or a reload is complete.
  void ready() const { tell("READY=1"); }
  /// Reports that the process is shutting down.
  void stopping() const { tell("STOPPING=1"); }
  /// Reports the start of a reload. Call ready() when it is complete.
  void reloading() const;
  /// Resets the watchdog timer. Does nothing if the watchdog is disabled.
  void still_alive() const {
    if (watchdog_.count() > 0) tell("WATCHDOG=1");
  }
  /// Returns the maximum time between calls of still_alive(), or 0 if the watchdog is disabled.
  [[nodiscard]] std::chrono::milliseconds watchdog() const noexcept { return watchdog_; }

 private:
  /// Sends one notification. Errors are ignored.
  void tell(std::string_view what) const;

  std::string socket_;
  std::chrono::milliseconds watchdog_{};
};

}  // namespace citestream::tools
