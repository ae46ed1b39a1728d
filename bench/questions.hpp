// The questions, one a file. Each adds its benchmarks, named `what/corpus` or `what/corpus/variant`.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "corpus.hpp"

namespace citestream_bench {

using corpora = std::vector<corpus>;

// Bytes that one read brings: the worst there is, a small piece, a TCP segment over Ethernet, a file.
constexpr std::array<std::size_t, 4> reads{1, 64, 1400, 64 * 1024};
constexpr std::size_t usual_read = 1400;

// "what/corpus/read"
inline std::string name(const char* what, const corpus& one, std::size_t read) {
  return std::string(what) + "/" + one.name + "/" + std::to_string(read);
}

void add_floors(const corpora& given);    // what does it cost to do less than we do? (floors.cpp)
void add_sse(const corpora& given);       // what does it cost to find the events? (sse.cpp)
void add_chunk(const corpora& given);     // what does it cost to read a payload? (chunk.cpp)
void add_envelope(const corpora& given);  // what does a known shape cost? (envelope.cpp)
void add_scanner(const corpora& given);   // what does it cost to look for markers? (scanner.cpp)
void add_answer(const corpora& given);    // what does it cost to clean the text? (answer.cpp)
void add_check(const corpora& given);     // what does it cost to score a claim? (check_claims.cpp)
void add_egress(const corpora& given);    // what does the egress guard cost? (egress.cpp)
void add_cite(const corpora& given);      // what does a citation cost? (cite.cpp)
void add_rewrite(const corpora& given);   // what does a changed payload cost? (rewrite.cpp)
void add_session(const corpora& given);   // what does the whole cost? (session.cpp)
void add_filter_file(
    const corpora& given);              // does a large file go at the pipeline's speed? (filter_file.cpp)
void add_memory(const corpora& given);  // what does a session weigh? (memory.cpp)
void add_scaling(
    const corpora& given);  // does an event cost the same however many came before? (scaling.cpp)

}  // namespace citestream_bench
