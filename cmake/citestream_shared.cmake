# The shared libraries: libcitestream.so is the C interface, libcitestream++.so the C++ interface, and libcitestream_check.so
# checks answers in C++ and uses libcitestream++.so.
#
# The C++ libraries export the classes, functions and tables that their public headers declare. The names are read from the
# headers here, so there is no second list to maintain. Everything else is hidden.

# citestream_write_exports(MAP VERSION HEADER...): writes a linker's version script.
function(citestream_write_exports map version)
  set(headers ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(patterns "")
  foreach(header IN LISTS headers)
    file(READ ${header} whole)
    string(REPLACE ";" " ;" whole "${whole}")
    string(REGEX REPLACE "//[^\n]*" "" whole "${whole}")
    # Classes that are defined there, and not only declared.
    string(REGEX MATCHALL "\n(class|struct) (\\[\\[nodiscard\\]\\] )?[a-z_0-9]+ [^ ;]" classes "${whole}")
    foreach(one IN LISTS classes)
      string(REGEX REPLACE ".* ([a-z_0-9]+) .$" "\\1" name "${one}")
      # All members but those of the hidden `impl`.
      list(APPEND patterns "citestream::${name}::[!i]*" "citestream::${name}::i[!m]*")
    endforeach()
    string(REGEX MATCHALL "\nextern const [a-z_:]+[ \n]+[a-z_0-9]+" tables "${whole}")
    foreach(one IN LISTS tables)
      string(REGEX REPLACE ".*[ \n]" "" name "${one}")
      list(APPEND patterns "citestream::${name}")
    endforeach()
    string(REGEX MATCHALL "\n(\\[\\[nodiscard\\]\\] )?[a-z][^(){}=\n]*[ *&]\n?[ ]*[a-z_0-9]+\\(" functions "${whole}")
    foreach(one IN LISTS functions)
      string(REGEX REPLACE ".*[ *&\n]" "" name "${one}")
      string(REPLACE "(" "" name "${name}")
      # Matches `name(` and `name[abi:cxx11](`, the name of a function that returns a std::string.
      list(APPEND patterns "citestream::${name}[!a-z_0-9]*")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES patterns)
  list(SORT patterns)
  list(JOIN patterns ";\n      " patterns)
  file(CONFIGURE OUTPUT ${map} @ONLY CONTENT
"@version@_@PROJECT_VERSION_MAJOR@ {
  global:
    extern \"C++\" {
      @patterns@;
    };
  local:
    *;
};
")
endfunction()

# citestream_shared_library(TARGET NAME EXPORT_NAME OBJECTS VERSION HEADER...): makes a shared library from the objects of a
# static one.
function(citestream_shared_library target name export_name objects version)
  set(map ${PROJECT_BINARY_DIR}/${name}.map)
  citestream_write_exports(${map} ${version} ${ARGN})
  add_library(${target} SHARED $<TARGET_OBJECTS:${objects}>)
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name}
    EXPORT_NAME ${export_name}
    LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
    LINK_DEPENDS ${map})
endfunction()

file(GLOB_RECURSE citestream_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/citestream/*.hpp)
set(citestream_check_headers ${citestream_headers})
list(FILTER citestream_headers EXCLUDE REGEX "/include/citestream/check/")
list(FILTER citestream_check_headers INCLUDE REGEX "/include/citestream/check/")

citestream_shared_library(citestream_shared citestream++ shared citestream_core CITESTREAM_CXX ${citestream_headers})
add_library(citestream::shared ALIAS citestream_shared)
if(citestream_simdjson_found)
  target_link_libraries(citestream_shared PRIVATE simdjson::simdjson)
endif()

# Parts of the core that libcitestream++.so does not export, such as the writer of JSON strings, are linked from the static
# library. The order matters: exported symbols must be found in the shared library first.
citestream_shared_library(
  citestream_check_shared citestream_check check_shared citestream_check CITESTREAM_CHECK ${citestream_check_headers})
target_link_libraries(citestream_check_shared PUBLIC citestream_shared PRIVATE citestream_core)

if(NOT PROJECT_IS_TOP_LEVEL)
  set_target_properties(citestream_shared citestream_c citestream_check citestream_check_shared
    PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

# The targets for users of the source tree, selected by BUILD_SHARED_LIBS.
if(BUILD_SHARED_LIBS)
  add_library(citestream::citestream ALIAS citestream_shared)
  add_library(citestream::check ALIAS citestream_check_shared)
else()
  add_library(citestream::citestream ALIAS citestream_core)
  add_library(citestream::check ALIAS citestream_check)
endif()
