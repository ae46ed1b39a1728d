# Enables C with the C compiler that belongs to the C++ compiler. Include it in folders with C sources.
if(NOT CMAKE_C_COMPILER)
  string(REGEX REPLACE "clang\\+\\+" "clang" c_compiler "${CMAKE_CXX_COMPILER}")
  string(REGEX REPLACE "g\\+\\+" "gcc" c_compiler "${c_compiler}")
  if(NOT c_compiler STREQUAL CMAKE_CXX_COMPILER AND EXISTS "${c_compiler}")
    set(CMAKE_C_COMPILER "${c_compiler}")
  endif()
endif()
enable_language(C)
