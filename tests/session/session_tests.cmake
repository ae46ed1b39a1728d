# Tests of whole streams.
add_library(stream_runs STATIC ${CMAKE_CURRENT_LIST_DIR}/stream_runs.cpp ${CMAKE_CURRENT_LIST_DIR}/golden_cases.cpp)
target_include_directories(stream_runs PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(stream_runs PUBLIC citestream::core PRIVATE citestream_options)
target_compile_definitions(stream_runs PRIVATE CITESTREAM_DATA_DIR="${CITESTREAM_DATA}")

citestream_test(session_golden_test SOURCES golden_test.cpp LIBRARIES stream_runs LABELS golden)
citestream_test(session_recordings_test SOURCES recordings_test.cpp LIBRARIES stream_runs LABELS unit)
