#include <citestream/citestream.hpp>
#include <citestream/version.h>

#include <iostream>
#include <string>

int main() {
  citestream::session_options options;
  options.style = &citestream::numeric_style;
  options.grammars = {&citestream::link_grammar};
  citestream::answer answer(options);
  std::string text;
  answer.push("It grew [Report](f-1).", text);
  answer.finish(text);

  options.style = citestream::find_style("strip");
  citestream::session session(options);
  std::string out;
  const citestream::status wrong = session.write("data: {\"\n\n", out);
  const bool ok = text == "It grew [1]." && answer.cites().all().size() == 1 && out == "data: {\"\n\n" &&
                  wrong.code == citestream::errc::invalid_json && !message(wrong.code).empty() &&
                  citestream::version() == CITESTREAM_VERSION;
  std::cout << citestream::version() << (ok ? "" : " is wrong") << '\n';
  return ok ? 0 : 1;
}
