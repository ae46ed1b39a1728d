#include <citestream/check/answer_check.hpp>
#include <citestream/citestream.hpp>

#include <string>

int main() {
  citestream::answer answer({});
  std::string text;
  answer.push("The pump moves 90 litres [catalog.pdf](7f3c).", text);
  answer.finish(text);
  citestream::reference ref;
  ref.id = "7f3c";
  ref.title = "catalog.pdf";
  ref.text = "The pump moves 40 litres.";
  answer.add_reference(ref);
  answer.resolve();
  const citestream::answer_report report = citestream::check_answer(text, answer.cites());
  std::string json;
  append_answer_report_json(report, text, answer.cites(), citestream::offset_unit::utf8, json);
  return report.grounded == citestream::grounding::no && json.find("\"90\"") != std::string::npos ? 0 : 1;
}
