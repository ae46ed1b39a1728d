/// \file
/// The questions, one per file. Each adds benchmarks named `what/corpus` or `what/corpus/variant`.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "corpus.hpp"

namespace citestream_bench {

using corpora = std::vector<corpus>;

/// Bytes per read: the smallest, a small piece, a TCP segment over Ethernet, a file.
constexpr std::array<std::size_t, 4> reads{1, 64, 1400, 64 * 1024};
constexpr std::size_t usual_read = 1400;

/// Returns "what/corpus/read".
inline std::string name(const char* what, const corpus& one, std::size_t read) {
  return std::string(what) + "/" + one.name + "/" + std::to_string(read);
}

void add_floors(const corpora& given);       ///< lower bounds (floors_bench.cpp)
void add_sse(const corpora& given);          ///< finding the events (sse_bench.cpp)
void add_chunk(const corpora& given);        ///< reading a payload (chunk_bench.cpp)
void add_envelope(const corpora& given);     ///< reading a stream by known shapes (envelope_bench.cpp)
void add_scanner(const corpora& given);      ///< scanning for markers (scanner_bench.cpp)
void add_answer(const corpora& given);       ///< cleaning the text (answer_bench.cpp)
void add_check(const corpora& given);        ///< scoring a claim (check_claims_bench.cpp)
void add_egress(const corpora& given);       ///< the egress stage (egress_bench.cpp)
void add_cite(const corpora& given);         ///< a citation (cite_bench.cpp)
void add_rewrite(const corpora& given);      ///< rewriting a payload (rewrite_bench.cpp)
void add_session(const corpora& given);      ///< everything together (session_bench.cpp)
void add_filter_file(const corpora& given);  ///< the program with a large file (filter_file_bench.cpp)
void add_memory(const corpora& given);       ///< heap of a session (memory_bench.cpp)
void add_scaling(const corpora& given);      ///< the cost of an event after many others (scaling_bench.cpp)

}  // namespace citestream_bench
