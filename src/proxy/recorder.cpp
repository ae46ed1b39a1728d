// Streams put orders (begin, piece, end) into a queue, and one thread carries them out. If `queue_bytes`
// is reached, only pieces are rejected; begin and end always fit, so that every file is closed. A piece that
// is rejected, a write that fails or a stream that is too large makes the recording lost; its file is removed
// at its end.
//
// A file is written as `.part`, with a lock that shows other processes that it is in use, and renamed when it
// is complete. Then the oldest files are removed until number and size are below their limits. The list of
// files is read once at start and kept up to date, so that the directory is not scanned for each stream.

#include "recorder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "http/ascii_text.hpp"
#include "log_line.hpp"
#include "replay/recording.hpp"

namespace citestream {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view complete_name = ".ndjson";
constexpr std::string_view part_name = ".ndjson.part";

/// Returns true for names as made below (time, process, number): `20261121T193015.123Z-0001234-000000001`.
bool is_ours(std::string_view name, std::string_view extension) {
  if (!name.ends_with(extension)) return false;
  name.remove_suffix(extension.size());
  constexpr std::string_view shape = "00000000T000000.000Z-0000000-000000000";
  return std::ranges::equal(name, shape,
                            [](char c, char s) { return s == '0' ? ascii::is_digit(c) : c == s; });
}

std::string file_name(std::chrono::system_clock::time_point when, std::uint64_t number) {
  std::string time;
  append_time(when, time);
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  char digits[40];
  std::snprintf(digits, sizeof digits, "-%07u-%09u", static_cast<unsigned>(::getpid()) % 10'000'000,
                static_cast<unsigned>(number % 1'000'000'000));
  return time + digits;
}

/// Returns true if the value of header \p name is recorded. Other values become `[redacted]`.
bool is_recorded_header(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 22> known{
      "accept",         "accept-encoding",      "cache-control",  "connection",  "content-encoding",
      "content-length", "content-type",         "date",           "expect",      "host",
      "openai-model",   "openai-processing-ms", "openai-version", "retry-after", "retry-after-ms",
      "server",         "transfer-encoding",    "user-agent",     "vary",        "x-accel-buffering",
      "x-request-id",   "x-should-retry"};
  return http::is_one_of(known, name);
}

void append_headers(std::string_view key, const http::fields* all, std::string& out) {
  if (all == nullptr) return;
  out.append(",\"").append(key).append("\":{");
  std::set<std::string_view> seen;
  for (const http::field& one : *all) {
    if (!seen.insert(one.name).second) continue;
    if (seen.size() > 1) out += ',';
    append_ascii_json(one.name, out);
    out += ':';
    append_ascii_json(is_recorded_header(one.name) ? one.value : "[redacted]", out);
  }
  out += '}';
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto wrote = ::write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

/// Returns the text of an `errno`, in static storage.
const char* reason_of(int error) {
  const char* const known = ::strerrordesc_np(error);
  return known == nullptr ? "unknown error" : known;
}

/// The complete files in the directory. Removes the oldest ones over the limits.
class kept_files {
 public:
  explicit kept_files(const record_options& limits) : directory_(limits.directory), limits_(limits) {}
  /// The path of a file of this name.
  [[nodiscard]] fs::path path(std::string_view name, std::string_view extension) const {
    return directory_ / (std::string(name) + std::string(extension));
  }
  void add(std::string name, std::uint64_t bytes) {
    all_.emplace_back(std::move(name), bytes);
    bytes_ += bytes;
  }
  void find_earlier();
  void tidy();

 private:
  fs::path directory_;
  const record_options& limits_;
  std::deque<std::pair<std::string, std::uint64_t>> all_;  ///< names and sizes, oldest first
  std::uint64_t bytes_{};
};

/// Removes unfinished files of processes that have ended. A running process holds a lock on its files.
void remove_unfinished(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return;
  std::error_code ignored;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) fs::remove(path, ignored);
  ::close(fd);
}

void kept_files::tidy() {
  while (!all_.empty() && (all_.size() > limits_.max_files || bytes_ > limits_.max_bytes)) {
    std::error_code ignored;
    fs::remove(directory_ / all_.front().first, ignored);
    bytes_ -= all_.front().second;
    all_.pop_front();
  }
}

/// Takes over the files of earlier processes.
void kept_files::find_earlier() {
  std::error_code failed;
  for (fs::directory_iterator at(directory_, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (is_ours(name, part_name)) remove_unfinished(at->path());
    if (!is_ours(name, complete_name)) continue;
    const std::uintmax_t size = fs::file_size(at->path(), ignored);
    if (!ignored) add(name, size);
  }
  std::ranges::sort(all_);
}

}  // namespace

std::string recording_header(const recording_note& of, std::chrono::system_clock::time_point when) {
  std::string line = ndjson_header({});
  line.resize(line.find(",\"content_type\""));
  const auto text = [&](std::string_view key, std::string_view value) {
    line.append(",\"").append(key).append("\":");
    append_ascii_json(value, line);
  };
  text("content_type", of.content_type);
  std::string time;
  append_time(when, time);
  text("recorded", time);
  text("request_id", of.request_id);
  text("method", of.method);
  text("path", of.target.substr(0, of.target.find('?')));
  text("route", of.route);
  line += ",\"status\":" + std::to_string(of.status);
  append_headers("request_headers", of.request, line);
  append_headers("answer_headers", of.answer, line);
  return line += "}\n";
}

/// A file being written. `lost` is set by both sides; everything else belongs to the thread of the recorder.
struct recorder::stream::file {
  explicit file(std::string name_) : name(std::move(name_)) {}
  ~file() { static_cast<void>(close()); }
  file(const file&) = delete;
  file& operator=(const file&) = delete;
  bool close() { return fd < 0 || ::close(std::exchange(fd, -1)) == 0; }
  std::string name;
  std::atomic<const char*> lost{};  ///< why the recording will not be kept; null: it will
  int fd{-1};
  std::uint64_t bytes{};
};

/// What the thread of the recorder does next with a file.
struct recorder::stream::order {
  enum class act : std::uint8_t { begin, piece, end };
  std::shared_ptr<file> into;
  act what{};
  recording_piece piece;
};

/// The orders of all streams. Thread-safe.
class recorder::stream::order_queue {
 public:
  explicit order_queue(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Queues the only element of \p one. \p cost: its bytes; 0: it always fits. \return false if the queue is
  /// full or stopped.
  bool push(std::list<order>& one, std::size_t cost) noexcept {
    {
      const std::lock_guard lock(mutex_);
      if (stopped_ || (cost != 0 && bytes_ + cost > max_bytes_)) return false;
      bytes_ += one.front().piece.bytes.size();
      orders_.splice(orders_.end(), one);
    }
    changed_.notify_one();
    return true;
  }
  /// Waits for orders and takes them. \return none after stop()
  std::list<order> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !orders_.empty() || stopped_; });
    return std::exchange(orders_, {});
  }
  /// Makes room for the bytes of an order that is carried out.
  void release(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ -= bytes;
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_one();
  }

 private:
  const std::size_t max_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<order> orders_;
  std::size_t bytes_{};
  bool stopped_{};
};

struct recorder::impl {
  impl(record_options given, request_log& log_to)
      : options(std::move(given)), log(log_to), queue(options.queue_bytes), kept(options) {}

  using order = stream::order;
  using act = order::act;

  void run();
  void carry_out(order& one) noexcept;
  void begin(stream::file& to, std::string_view header);
  void write(stream::file& to, std::string_view bytes);
  void end(stream::file& of);
  void lose(const char* why) noexcept;

  const record_options options;
  request_log& log;
  log_throttle losses;
  stream::order_queue queue;
  std::atomic<std::size_t> open{};
  std::atomic<std::uint64_t> number{};
  std::atomic<std::uint64_t> saved{};
  std::atomic<std::uint64_t> lost{};
  kept_files kept;  ///< after start() used by the thread only
  std::thread thread;
};

void recorder::impl::run() {
  for (;;) {
    std::list<order> now = queue.take();
    if (now.empty()) return;
    for (order& one : now) {
      carry_out(one);
      queue.release(one.piece.bytes.size());
    }
  }
}

void recorder::impl::carry_out(order& one) noexcept {
  stream::file& to = *one.into;
  try {
    if (one.what == act::begin) begin(to, one.piece.bytes);
    if (one.what == act::piece) write(to, ndjson_line(one.piece));
    if (one.what == act::end) end(to);
  } catch (...) {
    to.lost = reason_of(ENOMEM);
    if (one.what == act::end) lose(to.lost);
  }
  if (one.what == act::end) --open;
}

void recorder::impl::begin(stream::file& to, std::string_view header) {
  const fs::path path = kept.path(to.name, part_name);
  to.fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (to.fd < 0 || ::flock(to.fd, LOCK_EX | LOCK_NB) != 0) to.lost = reason_of(errno);
  write(to, header);
}

void recorder::impl::write(stream::file& to, std::string_view bytes) {
  if (to.lost) return;
  to.bytes += bytes.size();
  if (to.bytes > options.max_stream_bytes) {
    to.lost = "the stream is larger than record_max_stream_bytes";
  } else if (!write_all(to.fd, bytes)) {
    to.lost = reason_of(errno);
  }
}

void recorder::impl::end(stream::file& of) {
  const fs::path part = kept.path(of.name, part_name);
  // A full disk may be reported only now.
  const bool made = of.fd >= 0;
  if (!of.close()) of.lost = reason_of(errno);
  std::error_code failed;
  if (of.lost == nullptr) fs::rename(part, kept.path(of.name, complete_name), failed);
  if (failed) of.lost = reason_of(failed.value());
  if (of.lost != nullptr) {
    if (made) fs::remove(part, failed);
    lose(of.lost);
  } else {
    kept.add(of.name + std::string(complete_name), of.bytes);
    kept.tidy();
    saved.fetch_add(1, std::memory_order_relaxed);
  }
}

/// Counts and logs a recording that is lost.
void recorder::impl::lose(const char* why) noexcept {
  lost.fetch_add(1, std::memory_order_relaxed);
  try {
    log.complain(losses, log_level::warn, [&](const std::string& since) {
      return std::string("a recording is lost: ") + why + " (" + since + ")";
    });
    // NOLINTNEXTLINE(bugprone-empty-catch): without memory, the loss is only counted
  } catch (...) {
  }
}

recorder::recorder(record_options options, request_log& log)
    : impl_(std::make_shared<impl>(std::move(options), log)) {}

recorder::~recorder() {
  if (!impl_->thread.joinable()) return;
  impl_->queue.stop();
  impl_->thread.join();
}

std::string recorder::start() {
  const std::string& directory = impl_->options.directory;
  if (directory.empty()) return {};
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(directory, error).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();  // it ends with /
  std::filesystem::create_directories(place.parent_path(), error);
  if (::mkdir(place.c_str(), 0700) != 0 && errno != EEXIST) {
    return "cannot make the directory for recordings '" + directory +
           "': " + std::generic_category().message(errno);
  }
  if (::access(directory.c_str(), W_OK | X_OK) != 0) {
    return "cannot record in '" + directory + "': " + std::generic_category().message(errno);
  }
  impl_->kept.find_earlier();
  impl_->kept.tidy();
  impl_->thread = std::thread([to = impl_.get()] { to->run(); });
  return {};
}

std::unique_ptr<recorder::stream> recorder::begin(const recording_note& of, clock::time_point sent) {
  impl& to = *impl_;
  if (to.options.directory.empty()) return nullptr;
  if (to.open.fetch_add(1) >= to.options.max_open) {
    --to.open;
    to.lose("too many streams are recorded at the same time");
    return nullptr;
  }
  const auto now = std::chrono::system_clock::now();
  try {
    const auto into = std::make_shared<stream::file>(file_name(now, ++to.number));
    std::list<stream::order> first{{into, impl::act::begin, {0, recording_header(of, now)}}};
    auto begun = std::make_unique<stream>(impl_, into, sent);
    to.queue.push(first, 0);  // no limit needed: there is one of these for each stream
    return begun;
  } catch (...) {
    --to.open;
    throw;
  }
}

std::uint64_t recorder::saved() const noexcept {
  return impl_->saved.load(std::memory_order_relaxed);
}

std::uint64_t recorder::lost() const noexcept {
  return impl_->lost.load(std::memory_order_relaxed);
}

recorder::stream::stream(std::shared_ptr<impl> to, std::shared_ptr<file> into, clock::time_point sent)
    : to_(std::move(to)), into_(std::move(into)), end_{{into_, impl::act::end, {}}}, sent_(sent) {}

recorder::stream::~stream() {
  to_->queue.push(end_, 0);
}

void recorder::stream::add(std::string_view bytes, clock::time_point when) {
  if (bytes.empty() || into_->lost.load(std::memory_order_relaxed) != nullptr) return;
  const double seconds = std::chrono::duration<double>(when - sent_).count();
  std::list<order> piece{{into_, impl::act::piece, {seconds, std::string(bytes)}}};
  const bool queued = to_->queue.push(piece, bytes.size());
  if (!queued) into_->lost = "the disk is too slow";
}

}  // namespace citestream
