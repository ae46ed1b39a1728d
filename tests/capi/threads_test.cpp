// Threads may share options, in both languages. A session is used by one thread at a time.
#include <citestream/citestream.h>
#include <citestream/session/session.hpp>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

namespace {

constexpr std::size_t thread_count = 4;
constexpr int rounds = 20;

const std::string stream =
    "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"It grew "
    "[ref:k] and [R](f).\"},\"finish_reason\":null}]}\n\n"
    "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":"
    "\"stop\"}]}\n\ndata: [DONE]\n\n";

/// Runs \p work in several threads at once. \return the result of each
template <typename Work>
std::vector<std::string> in_threads(const Work& work) {
  std::vector<std::string> results(thread_count);
  std::vector<std::thread> threads;
  for (std::string& result : results) threads.emplace_back([&] { result = work(); });
  for (std::thread& thread : threads) thread.join();
  return results;
}

/// Calls \p work with each event of the stream, each time in a new thread after the previous one has ended.
template <typename Work>
void each_in_its_own_thread(const Work& work) {
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t end = stream.find("\n\n", at) + 2;
    std::thread([&] { work(std::string_view(stream).substr(at, end - at)); }).join();
    at = end;
  }
}

void are_alike(const std::vector<std::string>& results) {
  CHECK(results.front().find("It grew [1] and [2].") != std::string::npos);
  for (const std::string& result : results) CHECK(result == results.front());
}

}  // namespace

TEST_CASE("threads share options with patterns and references") {
  citestream::session_options options;
  options.style = &citestream::numeric_style;
  options.grammars = {&citestream::link_grammar};
  citestream::pattern_error why;
  const auto pattern = citestream::compile_marker_pattern("[ref:{key}]", why);
  REQUIRE(pattern);
  options.patterns.push_back(*pattern);
  citestream::reference known;
  known.cite = "k";
  options.references.push_back(known);
  const citestream::session_options& shared = options;

  are_alike(in_threads([&] {
    std::string all;
    for (int round = 0; round < rounds; ++round) {
      citestream::session session(shared);
      for (const char byte : stream) static_cast<void>(session.write({&byte, 1}, all));
      static_cast<void>(session.finish(all));
    }
    return all;
  }));
}

TEST_CASE("threads share options of the C interface") {
  citestream_options* options = nullptr;
  REQUIRE(citestream_options_create(&options) == CITESTREAM_OK);
  REQUIRE(citestream_options_set(options, "style", "numeric", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  REQUIRE(citestream_options_set(options, "markers", "link", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  REQUIRE(citestream_options_set(options, "marker", "[ref:{key}]", CITESTREAM_NUL_TERMINATED) ==
          CITESTREAM_OK);

  are_alike(in_threads([&] {
    std::string all;
    for (int round = 0; round < rounds; ++round) {
      citestream_session* session = nullptr;
      citestream_text out{};
      if (citestream_session_create(options, CITESTREAM_EVENTS, nullptr, &session) != CITESTREAM_OK)
        return all;
      static_cast<void>(citestream_session_write(session, stream.data(), stream.size(), nullptr));
      static_cast<void>(citestream_session_finish(session, nullptr));
      static_cast<void>(citestream_session_take(session, &out));
      all.append(out.data, out.size);
      citestream_session_free(session);
    }
    return all;
  }));
  citestream_options_free(options);
}

TEST_CASE("a session moves between threads") {
  citestream::session_options options;
  options.style = &citestream::numeric_style;
  options.grammars = {&citestream::link_grammar};
  citestream::session alone(options);
  citestream::session handed(options);
  for (int round = 0; round < rounds; ++round) {
    std::string expected;
    std::string all;
    CHECK_FALSE(alone.write(stream, expected));
    CHECK_FALSE(alone.finish(expected));
    CHECK(expected.find("[1]") != std::string::npos);
    each_in_its_own_thread([&](std::string_view event) {
      const std::size_t half = event.size() / 2;  // the rest of an event is processed by another thread
      std::thread([&] { static_cast<void>(handed.write(event.substr(0, half), all)); }).join();
      static_cast<void>(handed.write(event.substr(half), all));
    });
    std::thread([&] { static_cast<void>(handed.finish(all)); }).join();
    CHECK(all == expected);
    CHECK(handed.statistics().events == alone.statistics().events);
    alone.reset();
    std::thread([&] { handed.reset(); }).join();
  }
}

TEST_CASE("a C session moves between threads and is freed by another") {
  citestream_options* options = nullptr;
  REQUIRE(citestream_options_create(&options) == CITESTREAM_OK);
  REQUIRE(citestream_options_set(options, "style", "numeric", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  const auto take = [](citestream_session* session, std::string& to) {
    citestream_text out{};
    static_cast<void>(citestream_session_take(session, &out));
    to.append(out.data, out.size);
  };
  std::string expected;
  std::string all;
  for (std::string* to : {&expected, &all}) {
    citestream_session* session = nullptr;
    REQUIRE(citestream_session_create(options, CITESTREAM_EVENTS, nullptr, &session) == CITESTREAM_OK);
    const auto write = [&](std::string_view event) {
      static_cast<void>(citestream_session_write(session, event.data(), event.size(), nullptr));
      take(session, *to);
    };
    const auto end = [&] {
      static_cast<void>(citestream_session_finish(session, nullptr));
      take(session, *to);
      citestream_session_free(session);
    };
    if (to == &all) {
      each_in_its_own_thread(write);
      std::thread(end).join();
    } else {
      write(stream);
      end();
    }
  }
  citestream_options_free(options);
  CHECK(expected.find("It grew") != std::string::npos);
  CHECK(all == expected);
}

TEST_CASE("the static library rejects check with UNSUPPORTED") {
  citestream_options* options = nullptr;
  REQUIRE(citestream_options_create(&options) == CITESTREAM_OK);
  CHECK(citestream_options_set(options, "check", "off", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  CHECK(citestream_options_set(options, "check", "report", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_UNSUPPORTED);
  CHECK(std::string(citestream_options_problem(options)).find("shared library") != std::string::npos);
  citestream_options_free(options);
}
