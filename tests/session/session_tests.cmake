# Tests of whole streams.
add_library(stream_runs STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/stream_runs.cpp
  ${CMAKE_CURRENT_LIST_DIR}/golden_cases.cpp ${CMAKE_CURRENT_LIST_DIR}/composed_streams.cpp)
target_include_directories(stream_runs PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(stream_runs PUBLIC citestream::core PRIVATE citestream_options)
target_compile_definitions(stream_runs PRIVATE CITESTREAM_DATA_DIR="${CITESTREAM_DATA}")

citestream_test(session_golden_test SOURCES golden_test.cpp LIBRARIES stream_runs LABELS golden)
citestream_test(session_recordings_test SOURCES recordings_test.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_results_test SOURCES recorded_results_test.cpp LIBRARIES stream_runs LABELS golden)
citestream_test(session_dialects_test SOURCES dialects_test.cpp only_known_test.cpp worked_examples_test.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_events_test SOURCES events_test.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_test SOURCES reuse_test.cpp faults_test.cpp egress_test.cpp ${PROJECT_SOURCE_DIR}/tests/egress/payloads.cpp
  LIBRARIES stream_runs LABELS unit)
target_include_directories(session_test PRIVATE ${PROJECT_SOURCE_DIR}/src)
citestream_test(session_workspace_test
  SOURCES workspace_test.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_property_test SOURCES property_test.cpp limits_test.cpp LIBRARIES stream_runs LABELS split)
citestream_test(session_growth_test SOURCES growth_test.cpp LIBRARIES stream_runs LABELS pathological)
citestream_test(session_envelope_test
  SOURCES envelope_test.cpp envelope_difference.cpp shaped_streams.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_alloc_test SOURCES session_alloc_test.cpp LABELS alloc)

# A fuzzer for what envelopes must not change: the sources that know them are instrumented, the rest comes from the core.
# More than the few seconds of the test: build/asan/fuzz/envelope_fuzz tests/session/fuzz_corpus
if(CITESTREAM_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_package(simdjson REQUIRED)
  file(GLOB envelope_sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/src/chunk/*.cpp ${PROJECT_SOURCE_DIR}/src/sse/*.cpp
    ${PROJECT_SOURCE_DIR}/src/session/event_memory.cpp ${PROJECT_SOURCE_DIR}/src/session/stream.cpp)
  add_executable(envelope_fuzz envelope_fuzz.cpp envelope_difference.cpp ${envelope_sources})
  target_compile_options(envelope_fuzz PRIVATE -fsanitize=fuzzer)
  target_link_options(envelope_fuzz PRIVATE -fsanitize=fuzzer)
  target_include_directories(envelope_fuzz PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(envelope_fuzz PRIVATE citestream::core citestream_options stream_runs simdjson::simdjson)
  set_target_properties(envelope_fuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  add_test(NAME "fuzz: envelopes" COMMAND envelope_fuzz -seed=1 -max_total_time=15 -max_len=4096 -timeout=10
    -artifact_prefix=${PROJECT_BINARY_DIR}/fuzz/ ${PROJECT_BINARY_DIR}/fuzz/corpus ${CMAKE_CURRENT_SOURCE_DIR}/fuzz_corpus)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz/corpus)
  set_tests_properties("fuzz: envelopes" PROPERTIES LABELS fuzz TIMEOUT 120)
endif()
