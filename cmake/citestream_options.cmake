# Compile options of the project's own targets. Users of the library do not inherit them.
add_library(citestream_options INTERFACE)
target_compile_features(citestream_options INTERFACE cxx_std_20)
target_compile_options(citestream_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  # If sources are compiled together, a local name may hide a constant of another source.
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>)
if(CITESTREAM_WERROR)
  target_compile_options(citestream_options INTERFACE -Werror)
endif()
if(CITESTREAM_SANITIZE)
  # Applies to all targets, even Catch2's main, because all of a program must be instrumented.
  add_compile_options(-fsanitize=${CITESTREAM_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CITESTREAM_SANITIZE})
  if(CITESTREAM_SANITIZE MATCHES "undefined")
    # The vptr check opens a pipe. Without a free file descriptor it would report valid objects.
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=vptr)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/undefined_behaviour_ignored.txt)
    endif()
  endif()
endif()

# With clang's AddressSanitizer, fuzzed code counts its edges for libFuzzer. It does not trace comparisons
# (-fsanitize=fuzzer-no-link): with that, all tests of the core take 1.6 to 2 times as long. The dictionaries of the targets
# have the words that inputs are compared with.
set(CITESTREAM_FUZZERS OFF)
set(CITESTREAM_FUZZ_OPTIONS "")
if(CITESTREAM_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(CITESTREAM_FUZZERS ON)
  set(CITESTREAM_FUZZ_OPTIONS -fsanitize-coverage=inline-8bit-counters,pc-table)
endif()
# citestream_fuzzed(SOURCES...): instruments these sources of a target for the fuzzers, but not the other sources.
function(citestream_fuzzed)
  if(CITESTREAM_FUZZERS)
    set_source_files_properties(${ARGN} PROPERTIES
      COMPILE_OPTIONS "${CITESTREAM_FUZZ_OPTIONS}" SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# The core records which of its lines and branches were executed (clang; tools/coverage).
if(CITESTREAM_COVERAGE)
  add_link_options(-fprofile-instr-generate)
endif()

# Large headers are compiled once per target, and some sources are compiled together. Not with a compiler cache, which works
# best with single files.
set(CITESTREAM_COMPILE_ONCE ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(CITESTREAM_COMPILE_ONCE OFF)
endif()

# citestream_precompile(TARGET HEADER)
#
# Compiles HEADER once for the sources of TARGET.
function(citestream_precompile TARGET HEADER)
  if(CITESTREAM_COMPILE_ONCE)
    target_precompile_headers(${TARGET} PRIVATE ${HEADER})
  endif()
endfunction()

# citestream_together(TARGET NAME SOURCE...)
#
# Compiles these sources of TARGET as one, so that shared templates of Asio, Beast or CLI11, which are most of the cost, are
# instantiated once. The sources share one unnamed namespace and must not define the same name twice.
function(citestream_together TARGET NAME)
  if(NOT CITESTREAM_COMPILE_ONCE)
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${TARGET} PROPERTIES UNITY_GROUP ${NAME})
  # g++ treats the included sources as headers and warns about members with types from an unnamed namespace.
  target_compile_options(${TARGET} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# citestream_inline_as_alone(TARGET)
#
# For libraries whose speed matters. g++ inlines less in large sources: without this, comparing a claim takes 18 % more
# instructions than if each source is compiled alone, and rewriting a stream 4 to 11 % more.
function(citestream_inline_as_alone TARGET)
  target_compile_options(${TARGET} PRIVATE $<$<CXX_COMPILER_ID:GNU>:--param=large-unit-insns=100000>)
endfunction()

# citestream_folders_together(TARGET)
#
# Compiles the other sources of TARGET as one source for each folder, which takes half the time. Not `chunk`, in which one
# source alone sees simdjson.
function(citestream_folders_together TARGET)
  get_target_property(sources ${TARGET} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    get_source_file_property(group "${source}" TARGET_DIRECTORY ${TARGET} UNITY_GROUP)
    if(NOT group AND NOT "${folder}" STREQUAL "chunk" AND NOT "${source}" MATCHES "^\\$<")
      citestream_together(${TARGET} "folder_${folder}" "${source}")
    endif()
  endforeach()
endfunction()
