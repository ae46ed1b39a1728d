# citestream_test(NAME SOURCES ... [LABELS ...] [LIBRARIES ...])
#
# One Catch2 executable, each of its test cases a ctest case named "<NAME>:<test case>".
# - A case whose name ctest cannot pass on would match nothing and "pass": that is made to fail.
# - A case that prints "SKIPPED: " and fails nowhere counts as skipped. One that fails stays failed.
# - Programs labelled "alloc" replace operator new to count calls. Sanitizers do so too: there they are left out.
# - ThreadSanitizer gets those alone in which threads meet: labels "net" and "threads".
# - What is left out is a target all the same, built when asked for.
# - Programs labelled "pathological" count instructions under valgrind, which knows no sanitizer: there they are left out.
include(Catch)

# What every test is compiled with.
function(citestream_test_definitions TARGET)
  target_include_directories(${TARGET} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${TARGET} PRIVATE
    CITESTREAM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    CITESTREAM_DATA_DIR="${CITESTREAM_DATA}"
    CITESTREAM_BINARY="${PROJECT_BINARY_DIR}/citestream")
endfunction()

# Sets LEFT_OUT to EXCLUDE_FROM_ALL where a program with these labels finds nothing in this build.
function(citestream_left_out LABELS)
  set(LEFT_OUT "" PARENT_SCOPE)
  if((CITESTREAM_SANITIZE AND ("alloc" IN_LIST LABELS OR "pathological" IN_LIST LABELS))
      OR (CITESTREAM_SANITIZE MATCHES "thread" AND NOT ("net" IN_LIST LABELS OR "threads" IN_LIST LABELS)))
    set(LEFT_OUT EXCLUDE_FROM_ALL PARENT_SCOPE)
  endif()
endfunction()

function(citestream_test NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LABELS;LIBRARIES" ${ARGN})
  citestream_left_out("${ARG_LABELS}")
  add_executable(${NAME} ${LEFT_OUT} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE citestream::core citestream_options catch_main ${ARG_LIBRARIES})
  citestream_test_definitions(${NAME})
  if(TARGET catch_header)
    target_precompile_headers(${NAME} REUSE_FROM catch_header)
  endif()
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(LEFT_OUT)
    return()
  endif()
  set(properties
    FAIL_REGULAR_EXPRESSION "No test cases matched"
    # ctest lets a skip outweigh a failure, so the end of Catch's report is part of the pattern.
    SKIP_REGULAR_EXPRESSION "SKIPPED: .*(All tests passed|assertions: - none -)"
    TIMEOUT 300)
  if("pathological" IN_LIST ARG_LABELS AND CITESTREAM_PYTHON3)
    set_target_properties(${NAME} PROPERTIES CROSSCOMPILING_EMULATOR
      "${CITESTREAM_PYTHON3};-B;${PROJECT_SOURCE_DIR}/tests/support/counting.py")
  endif()
  catch_discover_tests(${NAME} TEST_PREFIX "${NAME}:" PROPERTIES ${properties})

  # Labels are a list, which PROPERTIES above would take apart; discovery leaves the names in <NAME>_TESTS.
  if(ARG_LABELS)
    set(labels_file ${CMAKE_CURRENT_BINARY_DIR}/${NAME}_labels.cmake)
    file(WRITE ${labels_file}
      "if(${NAME}_TESTS)\n  set_tests_properties(\${${NAME}_TESTS} PROPERTIES LABELS \"${ARG_LABELS}\")\nendif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels_file})
  endif()
endfunction()

# citestream_python_test(NAME LABEL SCRIPT ARGUMENT...)
#
# One ctest case in Python. It can import the modules in tests/support. To be skipped it prints "SKIPPED: " and why.
find_program(CITESTREAM_PYTHON3 python3)

function(citestream_python_test NAME LABEL SCRIPT)
  if(CITESTREAM_PYTHON3)
    add_test(NAME "${NAME}" COMMAND ${CITESTREAM_PYTHON3} -B ${CMAKE_CURRENT_SOURCE_DIR}/${SCRIPT} ${ARGN})
  else()
    add_test(NAME "${NAME}" COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: python3 is not installed")
  endif()
  set_tests_properties("${NAME}" PROPERTIES LABELS ${LABEL} TIMEOUT 300 SKIP_REGULAR_EXPRESSION "^SKIPPED: "
    ENVIRONMENT_MODIFICATION "PYTHONPATH=path_list_prepend:${PROJECT_SOURCE_DIR}/tests/support")
endfunction()
