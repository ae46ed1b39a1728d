#include <citestream/style/style.hpp>

namespace citestream {

extern const style markdown_style;

namespace {

/// One line per style, in the order in which `--help` lists them.
constexpr const style* table[] = {
    &strip_style,        //
    &keep_style,         //
    &numeric_style,      //
    &footnote_style,     //
    &superscript_style,  //
    &html_style,         //
    &label_style,        //
    &markdown_style,     //
};

}  // namespace

std::span<const style* const> styles() noexcept {
  return table;
}

const style* find_style(std::string_view name) noexcept {
  for (const style* one : table) {
    if (one->name == name) return one;
  }
  return nullptr;
}

}  // namespace citestream
