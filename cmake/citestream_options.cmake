# Compile options of the project's own targets. Consumers of the library inherit none of them.
add_library(citestream_options INTERFACE)
target_compile_features(citestream_options INTERFACE cxx_std_20)
target_compile_options(citestream_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor)
if(CITESTREAM_WERROR)
  target_compile_options(citestream_options INTERFACE -Werror)
endif()
if(CITESTREAM_SANITIZE)
  # Every target, Catch2's main included: one half of a program instrumented is no use.
  add_compile_options(-fsanitize=${CITESTREAM_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CITESTREAM_SANITIZE})
  if(CITESTREAM_SANITIZE MATCHES "undefined")
    # The vptr check opens a pipe; without a free file descriptor it reports valid objects.
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=vptr)
  endif()
endif()

# With AddressSanitizer of clang, what is fuzzed tells libFuzzer where it has been; in other programs nobody listens.
set(CITESTREAM_FUZZERS OFF)
if(CITESTREAM_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(CITESTREAM_FUZZERS ON)
endif()
# citestream_fuzzed(SOURCES...): sources of a target in this folder that is not fuzzed as a whole.
function(citestream_fuzzed)
  if(CITESTREAM_FUZZERS)
    set_source_files_properties(${ARGN} PROPERTIES
      COMPILE_OPTIONS -fsanitize=fuzzer-no-link SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# The core notes which of its lines and branches were run (clang; tools/coverage).
if(CITESTREAM_COVERAGE)
  add_link_options(-fprofile-instr-generate)
endif()

# Large headers are compiled once a target, and templates of theirs once for some sources. Not with a compiler cache, which
# knows each file by what it includes.
set(CITESTREAM_COMPILE_ONCE ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(CITESTREAM_COMPILE_ONCE OFF)
endif()

# citestream_precompile(TARGET HEADER SOURCE...)
#
# Compiles HEADER once for these sources of TARGET. The other sources do not include it: for them it would be a load.
function(citestream_precompile TARGET HEADER)
  if(NOT CITESTREAM_COMPILE_ONCE)
    return()
  endif()
  target_precompile_headers(${TARGET} PRIVATE ${HEADER})
  get_target_property(others ${TARGET} SOURCES)
  list(REMOVE_ITEM others ${ARGN})
  set_source_files_properties(${others} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# citestream_together(TARGET NAME SOURCE...)
#
# Compiles these sources of TARGET as one: what they instantiate of the same templates is instantiated once, which is
# most of their cost where they use Asio, Beast or CLI11. They share a file's namespace then: no two functions of one name.
function(citestream_together TARGET NAME)
  if(NOT CITESTREAM_COMPILE_ONCE)
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${NAME})
  # g++ takes what is included for a header, where a member of a type from an unnamed namespace would be a mistake.
  target_compile_options(${TARGET} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
