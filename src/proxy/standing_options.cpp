#include "standing_options.hpp"

namespace citestream {
namespace {

/// Goes through options by name.
struct keeper {
  std::string other;

  template <class Value>
  void keep(const char* name, const Value& in_force, Value& next) {
    if (next == in_force) return;
    other.append(other.empty() ? "" : ", ").append(name);
    next = in_force;
  }
};

/// Both mean that there is none.
std::string admin_of(const proxy_options& of) {
  return of.admin == "off" ? std::string{} : of.admin;
}

}  // namespace

std::string keep_standing_options(const proxy_options& in_force, bool log_changed, proxy_options& next) {
  keeper all;
  all.keep("listen", in_force.listen, next.listen);
  all.keep("tls_listen", in_force.tls_listen, next.tls_listen);
  all.keep("unix_mode", in_force.unix_mode, next.unix_mode);
  all.keep("threads", in_force.threads, next.threads);
  if (admin_of(in_force) != admin_of(next)) all.keep("admin", in_force.admin, next.admin);
  if (!log_changed) all.keep("log_level", in_force.log.level, next.log.level);
  all.keep("log_file", in_force.log.file, next.log.file);
  all.keep("record", in_force.record.directory, next.record.directory);
  all.keep("record_max_files", in_force.record.max_files, next.record.max_files);
  all.keep("record_max_bytes", in_force.record.max_bytes, next.record.max_bytes);
  all.keep("record_max_stream_bytes", in_force.record.max_stream_bytes, next.record.max_stream_bytes);
  return all.other;
}

}  // namespace citestream
