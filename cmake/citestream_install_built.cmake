# citestream_install_built(COMPONENT TARGET...): `cmake --install` first builds each of these targets whose file is missing, so
# that it never stops with half a prefix. It does not rebuild existing files. TARGET=FILE names the file of a custom target.
# Call it before the rules that install the files, in the same folder.
function(citestream_install_built component)
  set(code "set(citestream_missing \"\")\n")
  foreach(target IN LISTS ARGN)
    set(file $<TARGET_FILE:${target}>)
    if(target MATCHES "^([^=]+)=(.+)$")
      set(target ${CMAKE_MATCH_1})
      set(file ${CMAKE_MATCH_2})
    endif()
    string(APPEND code "if(NOT EXISTS \"${file}\")\n  list(APPEND citestream_missing ${target})\nendif()\n")
  endforeach()
  string(APPEND code "if(citestream_missing)
  message(STATUS \"Building what is missing: \${citestream_missing}\")
  execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target \${citestream_missing}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()\n")
  install(CODE "${code}" COMPONENT ${component})
endfunction()
