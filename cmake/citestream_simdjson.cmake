# Selects simdjson:
# - CITESTREAM_SIMDJSON_SOURCE: a folder with simdjson.h and simdjson.cpp, which are compiled into the library;
# - or else an existing target `simdjson::simdjson` or `simdjson`, for example from FetchContent;
# - or else the system's.
set(CITESTREAM_SIMDJSON_SOURCE "" CACHE PATH "Folder with simdjson.h and simdjson.cpp to compile in; empty: the system's simdjson")

if(CITESTREAM_SIMDJSON_SOURCE)
  set(citestream_simdjson_found OFF)
elseif(TARGET simdjson AND NOT TARGET simdjson::simdjson)
  add_library(simdjson::simdjson ALIAS simdjson)
  set(citestream_simdjson_found ON)
else()
  if(NOT TARGET simdjson::simdjson)
    find_package(simdjson REQUIRED)
  endif()
  set(citestream_simdjson_found ON)
endif()

function(citestream_use_simdjson TARGET)
  if(citestream_simdjson_found)
    target_link_libraries(${TARGET} PRIVATE simdjson::simdjson)
  else()
    target_sources(${TARGET} PRIVATE ${CITESTREAM_SIMDJSON_SOURCE}/simdjson.cpp)
    set_source_files_properties(${CITESTREAM_SIMDJSON_SOURCE}/simdjson.cpp PROPERTIES COMPILE_OPTIONS -w)
    target_include_directories(${TARGET} SYSTEM PRIVATE $<BUILD_INTERFACE:${CITESTREAM_SIMDJSON_SOURCE}>)
  endif()
endfunction()
