/// \file
/// What a service manager is told: sd_notify(3), spoken without its library.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Reads `NOTIFY_SOCKET` and `WATCHDOG_USEC` once and takes them out of the environment, which children
/// inherit. Does nothing where no service manager asked to be told.
class service_manager {
 public:
  service_manager();

  void ready() const { tell("READY=1"); }
  void stopping() const { tell("STOPPING=1"); }
  /// A reload begins; ready() ends it.
  void reloading() const;
  /// Only where watchdog() says so.
  void still_alive() const {
    if (watchdog_.count() > 0) tell("WATCHDOG=1");
  }
  /// How often still_alive() is expected; 0: never.
  [[nodiscard]] std::chrono::milliseconds watchdog() const noexcept { return watchdog_; }

 private:
  void tell(std::string_view what) const;

  std::string socket_;
  std::chrono::milliseconds watchdog_{};
};

}  // namespace citestream::tools
