// citestream play: serves a web page that shows what citestream does.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "commands.hpp"
#include "replay_serving.hpp"

namespace citestream::tools {

namespace {

struct play_arguments {
  std::string listen{"127.0.0.1:0"};
  std::string page;
};

int serve(const play_arguments& arguments) {
  replay_options options;
  read_listen(arguments.listen, options);
  options.page = find_page(arguments.page);
  if (options.page.empty() && !arguments.page.empty()) {
    throw command_error(arguments.page + ": no index.html in this folder");
  }
  if (options.page.empty())
    throw command_error(std::string("the web page is not installed: ") + how_to_get_page);
  serve_until_signal(std::move(options), arguments.listen, [](const std::string& url) {
    std::fprintf(stderr, "citestream: open %s/ in a browser\n", url.c_str());
  });
  return exit_success;
}

}  // namespace

void add_play_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("play", "Serve a web page that demonstrates citestream");
  auto arguments = std::make_shared<play_arguments>();
  add_value(*command, "--listen", arguments->listen, "ADDR",
            "Listen address, host:port; port 0 picks a free port");
  add_value(*command, "--page", arguments->page, "DIR",
            "Folder of the page; by default the one that was built or installed with this program");
  command->footer(
      "The page runs citestream in the browser. Answers leave the browser only if an address of an API is "
      "entered.\n"
      "\n"
      "Examples:\n"
      "  citestream play\n"
      "  citestream play --listen 127.0.0.1:8090");
  command->callback([arguments, &exit_code] { exit_code = serve(*arguments); });
}

}  // namespace citestream::tools
