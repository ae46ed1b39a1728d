/// \file
/// The JSON body of a request, parsed once for all steps that read or edit it. The steps do what the
/// functions of the same names in citestream/provenance/provenance.hpp do with the bytes.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/status.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/provenance/provenance.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "rewrite/splice.hpp"

namespace citestream::provenance {

/// A request body and its JSON, which is parsed when a step first needs it.
class parsed_request {
 public:
  /// \p body must outlive this.
  explicit parsed_request(std::string_view body) : body_(body) {}

  /// Another body; keeps memory.
  void reset(std::string_view body) noexcept {
    body_ = body;
    parsed_ = false;
  }

  [[nodiscard]] std::string_view body() const noexcept { return body_; }

  /// Returns an error if the body is too large or not JSON. After a step that found a duplicate key, the
  /// body is parsed again, so that the next step reports only its own. All calls must have the same
  /// `max_json_depth`.
  [[nodiscard]] status parse(const limits& bounds) {
    if (body_.size() > bounds.max_body_bytes) return {errc::body_too_large, bounds.max_body_bytes};
    if (!parsed_ || json_.duplicate()) {
      json_.limit(bounds.max_json_depth);
      error_ = json_.parse(body_);
      parsed_ = true;
    }
    return error_;
  }
  /// Valid after parse().
  [[nodiscard]] const document& json() const noexcept { return json_; }

  /// Appends the body to \p out with the edits that \p edit makes: `edit(json_value root, splicer& edits)`.
  /// Returns an error and appends the body unchanged if parse() fails, or if an object in which \p edit
  /// looked for a key has it twice.
  template <typename Edit>
  [[nodiscard]] status edit(const limits& bounds, std::string& out, const Edit& edit) {
    splicer edits(body_);
    status error = parse(bounds);
    if (!error) {
      edit(json_.root(), edits);
      if (json_.duplicate()) error = {errc::duplicate_key, 0};
    }
    if (error) {
      out.append(body_);
    } else {
      edits.apply(out);
    }
    return error;
  }

 private:
  std::string_view body_;
  document json_;
  bool parsed_{};
  status error_;  ///< of the last parse
};

status add_provenance(parsed_request& request, const provenance_options& options, std::string& out,
                      std::vector<reference>& references);
status read_request_references(parsed_request& request, std::vector<reference>& out, const limits& bounds);
[[nodiscard]] bool requests_json(parsed_request& request, const limits& bounds);
/// Returns false if remove_own_citations() would not change \p body. Only searches the bytes.
[[nodiscard]] bool may_have_own_citations(std::string_view body) noexcept;
status remove_own_citations(parsed_request& request, std::string& out, const limits& bounds);
status add_inline_citations(parsed_request& request, std::string& out, const limits& bounds);

}  // namespace citestream::provenance
