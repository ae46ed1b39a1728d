/// \file
/// Runs of `citestream load` and their reports.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/answer_inputs.hpp"
#include "support/child.hpp"
#include "support/parsed_json.hpp"
#include "support/served.hpp"

namespace citestream_tests {

struct load_result {
  int code{};
  std::string err;
  citestream::document report;

  [[nodiscard]] std::int64_t number(std::string_view key) const {
    return report.root()[key].integer().value_or(-1);
  }
  [[nodiscard]] std::int64_t total(std::string_view key) const {
    return report.root()["total"][key].integer().value_or(-1);
  }
  /// The number of answers with a fault of that kind; 0 if it was not reported.
  [[nodiscard]] std::int64_t fault(std::string_view kind) const {
    return report.root()["faults"][kind]["answers"].integer().value_or(0);
  }
  /// The kinds of fault, each followed by a blank.
  [[nodiscard]] std::string faults() const {
    std::string out;
    for (auto each = report.root()["faults"].first(); each; each = each.next())
      out += std::string(each.key()) + ' ';
    return out;
  }
};

/// Runs `citestream load --url URL --to json ARGUMENTS…` to its end.
inline load_result load(const std::string& url, const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"load", "--url", url, "--to", "json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const run_result done = run(all);
  load_result out{done.code, done.err, citestream::document()};
  const auto error = out.report.parse(done.out);
  INFO(done.out << done.err);
  REQUIRE_FALSE(error);
  return out;
}

}  // namespace citestream_tests
