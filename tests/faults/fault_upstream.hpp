/// \file
/// An upstream that answers thousands of requests, each according to a plan: one thread, raw sockets.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace citestream_tests {

enum class afterwards : std::uint8_t {
  keep,   ///< the connection stays open for another request
  fin,    ///< it is closed
  rst,    ///< it is reset after the proxy's kernel has received everything
  stall,  ///< nothing more is sent
};

/// The answer to one request.
struct fault_plan {
  std::vector<std::string> writes;  ///< bytes of the answer, each sent with a separate write
  afterwards then{};
  bool last{};  ///< the connection stays open, but must not be used for another request
};

class fault_upstream {
 public:
  /// Requests name their plan in the target: `/17`. \p plans must outlive the upstream.
  explicit fault_upstream(const std::vector<fault_plan>& plans);
  ~fault_upstream();
  fault_upstream(const fault_upstream&) = delete;
  fault_upstream& operator=(const fault_upstream&) = delete;

  [[nodiscard]] std::string url() const;
  [[nodiscard]] std::size_t open() const { return open_; }  ///< open connections
  [[nodiscard]] std::size_t requests() const { return requests_; }
  [[nodiscard]] std::size_t misused() const {
    return misused_;
  }  ///< requests on connections that must not be reused

 private:
  struct link {
    std::string unread;
    bool last{};
  };
  void run();
  void accept_all();
  void read(int fd);
  bool answer(int fd, link& on);
  void drop(int fd);

  const std::vector<fault_plan>& plans_;
  std::uint16_t port_{};
  int listener_;
  int waiting_;
  int ending_;
  std::map<int, link> links_;
  std::atomic<std::size_t> open_{};
  std::atomic<std::size_t> requests_{};
  std::atomic<std::size_t> misused_{};
  std::thread thread_;
};

}  // namespace citestream_tests
