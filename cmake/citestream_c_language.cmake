# C, with the compiler that belongs to the one for C++. To be included where a folder has sources in C.
if(NOT CMAKE_C_COMPILER)
  string(REGEX REPLACE "clang\\+\\+" "clang" c_compiler "${CMAKE_CXX_COMPILER}")
  string(REGEX REPLACE "g\\+\\+" "gcc" c_compiler "${c_compiler}")
  if(NOT c_compiler STREQUAL CMAKE_CXX_COMPILER AND EXISTS "${c_compiler}")
    set(CMAKE_C_COMPILER "${c_compiler}")
  endif()
endif()
enable_language(C)
