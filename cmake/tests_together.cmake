# cmake -D SOURCES=<list> -D OUT=<file> -P tests_together.cmake
#
# Writes OUT, which includes all of SOURCES. The headers that they include come first. Then comes each source, in a namespace of
# its own, so that sources may define the same names.
set(headers "")
set(bodies "")
foreach(source IN LISTS SOURCES)
  get_filename_component(folder ${source} DIRECTORY)
  get_filename_component(name ${source} NAME_WE)
  file(STRINGS ${source} includes REGEX "^#include [<\"]")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^#include [<\"]([^>\"]+).*" "\\1" header "${include}")
    if(EXISTS ${folder}/${header})
      set(include "#include \"${folder}/${header}\"")
    endif()
    list(APPEND headers "${include}")
  endforeach()
  list(APPEND bodies "namespace ${name} {" "#include \"${source}\"" "}")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
list(JOIN bodies "\n" bodies)
file(WRITE ${OUT} "${headers}\n${bodies}\n")
