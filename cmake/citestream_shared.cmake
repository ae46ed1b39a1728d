# The shared libraries: libcitestream.so is the C interface, libcitestream++.so the one in C++.
#
# What libcitestream++ exports is what the public headers declare: their classes, functions and tables, read from the
# headers here, so that no second list can differ from them. Everything else is hidden.
set(citestream_exports ${PROJECT_BINARY_DIR}/citestream++.map)

function(citestream_write_exports)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/citestream/*.hpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(patterns "")
  foreach(header IN LISTS headers)
    file(READ ${header} whole)
    string(REPLACE ";" " ;" whole "${whole}")
    string(REGEX REPLACE "//[^\n]*" "" whole "${whole}")
    string(REGEX MATCHALL "\n(class|struct) (\\[\\[nodiscard\\]\\] )?[a-z_0-9]+" classes "${whole}")
    foreach(one IN LISTS classes)
      string(REGEX REPLACE ".* " "" name "${one}")
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
      # `name(`, or `name[abi:cxx11](` where it returns a std::string. A script has no other way to say this.
      list(APPEND patterns "citestream::${name}[!a-z_0-9]*")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES patterns)
  list(SORT patterns)
  list(JOIN patterns ";\n      " patterns)
  file(CONFIGURE OUTPUT ${citestream_exports} @ONLY CONTENT
"CITESTREAM_CXX_@PROJECT_VERSION_MAJOR@ {
  global:
    extern \"C++\" {
      @patterns@;
    };
  local:
    *;
};
")
endfunction()
citestream_write_exports()

add_library(citestream_shared SHARED $<TARGET_OBJECTS:citestream_core>)
add_library(citestream::shared ALIAS citestream_shared)
target_include_directories(citestream_shared INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
target_compile_features(citestream_shared INTERFACE cxx_std_20)
if(citestream_simdjson_found)
  target_link_libraries(citestream_shared PRIVATE simdjson::simdjson)
endif()
target_link_options(citestream_shared PRIVATE -Wl,--version-script=${citestream_exports})
set_target_properties(citestream_shared PROPERTIES
  OUTPUT_NAME citestream++
  EXPORT_NAME shared
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  LINK_DEPENDS ${citestream_exports})
if(NOT PROJECT_IS_TOP_LEVEL)
  set_target_properties(citestream_shared citestream_c PROPERTIES EXCLUDE_FROM_ALL ON)
endif()

# What users of the source tree link: as BUILD_SHARED_LIBS says.
if(BUILD_SHARED_LIBS)
  add_library(citestream::citestream ALIAS citestream_shared)
else()
  add_library(citestream::citestream ALIAS citestream_core)
endif()
