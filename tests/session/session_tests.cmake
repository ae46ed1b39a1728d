# Tests of whole streams.
add_library(stream_runs STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/stream_runs.cpp
  ${CMAKE_CURRENT_LIST_DIR}/golden_cases.cpp ${CMAKE_CURRENT_LIST_DIR}/composed_streams.cpp)
target_include_directories(stream_runs PUBLIC ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(stream_runs PUBLIC citestream::core PRIVATE citestream_options)
target_compile_definitions(stream_runs PRIVATE CITESTREAM_DATA_DIR="${CITESTREAM_DATA}")

citestream_test(session_golden_test SOURCES golden_test.cpp LIBRARIES stream_runs LABELS golden)
citestream_test(session_recordings_test SOURCES recordings_test.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_results_test SOURCES recorded_results_test.cpp LIBRARIES stream_runs LABELS golden)
citestream_test(session_dialects_test SOURCES dialects_test.cpp only_known_test.cpp worked_examples_test.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_events_test SOURCES events_test.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_test SOURCES reuse_test.cpp faults_test.cpp egress_test.cpp beside_test.cpp option_table_test.cpp ${PROJECT_SOURCE_DIR}/tests/egress/payloads.cpp
  LIBRARIES stream_runs LABELS unit)
citestream_test(session_workspace_test
  SOURCES workspace_test.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_property_test SOURCES property_test.cpp limits_test.cpp LIBRARIES stream_runs LABELS split)
citestream_test(session_growth_test SOURCES growth_test.cpp LIBRARIES stream_runs LABELS pathological)
citestream_test(session_envelope_test
  SOURCES envelope_test.cpp envelope_difference.cpp shaped_streams.cpp LIBRARIES stream_runs LABELS unit)
citestream_test(session_alloc_test SOURCES session_alloc_test.cpp LABELS alloc)
