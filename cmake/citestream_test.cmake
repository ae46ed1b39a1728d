# citestream_test(NAME SOURCES ... [LABELS ...] [LIBRARIES ...])
#
# One Catch2 executable, each of its test cases a ctest case named "<NAME>: <test case>".
# A case whose name ctest cannot pass on would match nothing and "pass": that is made to fail.
include(Catch)

function(citestream_test NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LABELS;LIBRARIES" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE citestream::core citestream_options catch_main ${ARG_LIBRARIES})
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${NAME} PRIVATE
    CITESTREAM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    CITESTREAM_DATA_DIR="${CITESTREAM_DATA}"
    CITESTREAM_BINARY="${PROJECT_BINARY_DIR}/citestream")
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set(properties
    FAIL_REGULAR_EXPRESSION "No test cases matched"
    SKIP_REGULAR_EXPRESSION "SKIPPED: "
    TIMEOUT 300)
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  catch_discover_tests(${NAME} TEST_PREFIX "${NAME}: " PROPERTIES ${properties})
endfunction()
