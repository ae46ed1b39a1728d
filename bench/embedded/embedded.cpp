// stream FILE ROUNDS: rewrites the stream in FILE ROUNDS times, in reads of 16 KB, like a gateway in
// C++.
#include <citestream/session/session.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

int main(int, char** arguments) {
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  citestream::session_options options;
  citestream::session session(options);
  std::string out;
  std::size_t size = 0;
  for (int round = std::atoi(arguments[2]); round > 0; --round) {
    for (std::size_t at = 0; at < all.size(); at += 16384) {
      static_cast<void>(session.write(std::string_view(all).substr(at, 16384), out));
      size += out.size();
      out.clear();
    }
    static_cast<void>(session.finish(out));
    size += out.size();
    out.clear();
    session.reset();
  }
  return size == 0 && std::atoi(arguments[2]) > 0 ? 1 : 0;
}
