// Removing `[REF|…]` tags, also where they stand in a JSON string that is to keep its spelling.
#pragma once

#include <string>
#include <string_view>

namespace citestream::provenance {

// Whether something in `text` opens a tag. Where nothing does, nothing is removed: the first tag that goes
// was there in one piece.
[[nodiscard]] bool may_have_tags(std::string_view text) noexcept;

// What strip_provenance_tags() does, for the inside of a JSON string (without its quotes, known to be valid):
// appends what stays, each character spelled as it was.
void strip_tags_in_json(std::string_view inside, std::string& out);

}  // namespace citestream::provenance
