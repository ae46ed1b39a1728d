/// \file
/// The paths of the providers' APIs: which dialect a request is for, and of what kind it is.
#pragma once

#include <citestream/base/version.hpp>

#include <cstdint>
#include <string_view>

namespace citestream {

struct dialect;

/// What a request is for.
enum class request_kind : std::uint8_t {
  other,
  chat,            ///< an answer to a conversation, in any protocol
  graph_question,  ///< an answer from knowledge graphs
  history          ///< something else about conversations: stored ones, the number of tokens, batches
};

/// A path of an API.
struct api_path {
  std::string_view end;                   ///< the end of the path, in which one `*` matches any text; static
  request_kind kind{request_kind::chat};  ///< what requests to this path are for
};

/// The API and the kind of a request, by its path.
struct api_request {
  const dialect* api{};  ///< the dialect whose API has the longest end of the path; null: unknown
  request_kind kind{};   ///< may be known without `api`
};

/// Decides by the end of the path of \p target, with or without a query: `/v1/chat/completions`,
/// `/v1/messages` and so on. Encoded paths are decoded.
[[nodiscard]] api_request find_api(std::string_view target);

}  // namespace citestream
