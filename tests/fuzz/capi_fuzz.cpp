// The C interface: invalid options are rejected with a reason, and every way to receive the output gives the
// output of a C++ session. Input: rewrite mode, way of output, cuts, options as `name=value` lines, U+001E,
// the answer.
#include <citestream/citestream.h>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"

namespace citestream_tests {
namespace {

using options_handle = std::unique_ptr<citestream_options, decltype(&citestream_options_free)>;
using session_handle = std::unique_ptr<citestream_session, decltype(&citestream_session_free)>;

enum class taking : std::uint8_t { view, sink, buffer };

int append(void* user, const char* bytes, size_t size) {
  static_cast<std::string*>(user)->append(bytes, size);
  return 0;
}

/// One answer through the C interface.
class c_run {
 public:
  c_run(const citestream_options* options, int mode, taking way, std::size_t room)
      : way_(way), buffer_(room, '\0') {
    citestream_workspace* shared = nullptr;
    code = citestream_workspace_create(&shared);
    workspace_.reset(shared);
    citestream_session* made = nullptr;
    if (code == CITESTREAM_OK) code = citestream_session_create(options, mode, shared, &made);
    session_.reset(made);
  }

  void write(std::string_view bytes) {
    take([&](citestream_output* to) {
      return citestream_session_write(session_.get(), bytes.data(), bytes.size(), to);
    });
  }
  void finish() {
    take([&](citestream_output* to) { return citestream_session_finish(session_.get(), to); });
  }
  [[nodiscard]] citestream_statistics statistics() const {
    citestream_statistics counted{};
    counted.struct_size = sizeof counted;
    (void)citestream_session_statistics(session_.get(), &counted);
    return counted;
  }

  std::string out;
  int code{};  ///< the last one

 private:
  template <typename Call>
  void take(Call call) {
    citestream_output to{};
    to.struct_size = sizeof to;
    if (way_ == taking::view) {
      code = call(nullptr);
      citestream_text text{};
      (void)citestream_session_take(session_.get(), &text);
      out.append(text.data, text.size);
      (void)citestream_session_release(session_.get());
      return;
    }
    to.user = &out;
    to.sink = way_ == taking::sink ? &append : nullptr;
    to.data = buffer_.data();
    to.capacity = buffer_.size();
    code = call(&to);
    if (way_ == taking::sink) return;
    out.append(buffer_, 0, to.size);
    while (code == CITESTREAM_MORE) {
      code = citestream_session_read(session_.get(), &to);
      out.append(buffer_, 0, to.size);
    }
  }

  taking way_;
  std::string buffer_;
  std::unique_ptr<citestream_workspace, decltype(&citestream_workspace_free)> workspace_{
      nullptr, &citestream_workspace_free};
  session_handle session_{nullptr, &citestream_session_free};
};

/// The same options in C++, or nothing if one of them is not compared.
std::optional<citestream::session_options> same_options(std::string_view lines) {
  citestream::session_options out;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (line.empty()) continue;
    const auto* const style = line.starts_with("style=") ? citestream::find_style(line.substr(6)) : nullptr;
    if (style == nullptr) return std::nullopt;
    out.style = style;
  }
  return out;
}

/// Sets options line by line. \return an empty string, or the error in the rejection of one
std::string set_all(citestream_options* options, std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const std::string name(line.substr(0, line.find('=')));
    const std::string value(line.substr(std::min(line.size(), name.size() + 1)));
    // Large limits are skipped, because they would allow gigabytes.
    if (name.starts_with("max_") && value.size() > 6) continue;
    const int code = citestream_options_set(options, name.c_str(), value.data(), value.size());
    const std::string why = citestream_options_problem(options);
    if (code > 0 || (code < 0) == why.empty())
      return "an option is refused without a reason, or none with one: " + name;
  }
  return {};
}

std::string check_answer(const citestream_options* options, int mode, std::string_view answer,
                         std::size_t seed, std::size_t capacity, fuzz_run planted, std::string& whole) {
  c_run first(options, mode, taking::view, 0);
  if (first.code < 0) return {};
  first.write(answer);
  first.finish();
  whole = first.out;
  if (first.statistics().bytes_in != answer.size() || first.statistics().bytes_out != whole.size()) {
    return "bytes are miscounted";
  }
  if (mode == CITESTREAM_PASS && whole != answer) return "what passes changed";
  for (const taking way : {taking::view, taking::sink, taking::buffer}) {
    c_run cut(options, mode, way, capacity);
    for (const std::string_view part : cut_by(answer, seed, 40)) cut.write(part);
    if (planted == fuzz_run::as_it_is || way != taking::buffer) cut.finish();
    if (cut.out != whole) return "another answer when cut: " + shown(cut.out);
    if (cut.statistics().citations != first.statistics().citations) return "other citations when cut";
  }
  return {};
}

}  // namespace

std::string check_capi(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  const int modes[] = {CITESTREAM_EVENTS, CITESTREAM_JSON, CITESTREAM_PASS, -3};
  const int mode = modes[input.choice(4)];
  const std::size_t capacity = 1 + input.choice(61);
  const std::size_t seed = input.choice(251);
  const std::string_view lines = input.until(part_end);

  citestream_options* made = nullptr;
  if (citestream_options_create(&made) != CITESTREAM_OK) return "no options";
  const options_handle options(made, &citestream_options_free);
  std::string wrong = set_all(options.get(), lines);
  std::string whole;
  if (wrong.empty()) wrong = check_answer(options.get(), mode, input.rest(), seed, capacity, how, whole);
  const auto same = same_options(lines);
  if (!wrong.empty() || !same || mode != CITESTREAM_EVENTS) return wrong;
  citestream::session other(*same);
  std::string expected;
  (void)other.write(input.rest(), expected);
  (void)other.finish(expected);
  return whole == expected ? "" : "not what a session in C++ gives: " + shown(whole);
}

}  // namespace citestream_tests
