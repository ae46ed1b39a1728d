#include "byte_input.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "commands.hpp"
#include "framing/frame.hpp"
#include "input_files.hpp"

namespace citestream::tools {

byte_input::byte_input(const std::string& file) {
  open(file);
}

byte_input::byte_input(const input_document& from) {
  if (!from.bytes) {
    open(from.file);
    return;
  }
  name_ = from.file;
  bytes_ = *from.bytes;
  size_ = bytes_->size();
}

void byte_input::open(const std::string& file) {
  const bool standard = file.empty() || file == "-";
  name_ = standard ? "standard input" : file;
  buffer_ = std::make_unique_for_overwrite<char[]>(buffer_bytes);
  if (!standard) {
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw command_error(file + ": " + std::generic_category().message(errno));
  }
  struct stat about {};
  if (::fstat(descriptor_, &about) != 0 || !S_ISREG(about.st_mode)) return;
  size_ = static_cast<std::uint64_t>(about.st_size);
  ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

byte_input::~byte_input() {
  if (descriptor_ > 0) ::close(descriptor_);
}

bool byte_input::is_terminal() const noexcept {
  return !bytes_ && ::isatty(descriptor_) == 1;
}

std::string_view byte_input::read() {
  if (bytes_) return std::exchange(ended_, true) ? std::string_view() : *bytes_;
  while (!ended_) {
    const auto count = ::read(descriptor_, buffer_.get(), buffer_bytes);
    ended_ = count == 0;
    if (count >= 0) return {buffer_.get(), static_cast<std::size_t>(count)};
    if (errno != EINTR) throw command_error(name_ + ": " + std::generic_category().message(errno));
  }
  return {};
}

std::string read_all(byte_input& input) {
  std::string bytes;
  for (std::string_view part = input.read(); !part.empty(); part = input.read()) bytes += part;
  bytes.erase(0, bytes.size() - without_byte_order_mark(bytes).size());
  return bytes;
}

std::string read_whole_file(const std::string& path) {
  byte_input input(path);
  return read_all(input);
}

std::string message_with_place(status error) {
  // The offset of a duplicate key is that of the JSON it is in.
  if (error.code == errc::duplicate_key && error.offset == 0) return std::string(message(error.code));
  return std::string(message(error.code)) + " at byte " + std::to_string(error.offset);
}

void write_to(int descriptor, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const auto count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      throw command_error("cannot write to " + name + ": " + std::generic_category().message(errno));
    }
  }
}

void write_to_standard_output(std::string_view bytes) {
  write_to(STDOUT_FILENO, bytes, "standard output");
}

}  // namespace citestream::tools
