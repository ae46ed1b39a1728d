# Tests of whole answers against the reference in tests/marker.
find_package(simdjson REQUIRED)
add_library(answer_harness STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/answer_harness.cpp)
target_include_directories(answer_harness PUBLIC ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(answer_harness PUBLIC marker_reference Catch2::Catch2 PRIVATE citestream_options)

foreach(name IN ITEMS cited styles short_way)
  citestream_test(answer_${name}_test SOURCES answer_${name}_test.cpp LIBRARIES answer_harness LABELS unit)
endforeach()
foreach(name IN ITEMS hold bound)
  citestream_test(answer_${name}_test OPTIMISED SOURCES answer_${name}_test.cpp LIBRARIES answer_harness LABELS unit)
endforeach()
citestream_test(answer_cuts_test OPTIMISED SOURCES answer_cuts_test.cpp LIBRARIES answer_harness simdjson::simdjson LABELS unit)
citestream_test(answer_time_test OPTIMISED SOURCES answer_time_test.cpp LIBRARIES answer_harness LABELS pathological)
citestream_test(session_combinations_test OPTIMISED
  SOURCES combinations_test.cpp LIBRARIES grammar_runs answer_harness test_support LABELS split)
