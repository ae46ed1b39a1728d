# abi_test.cmake: the binary interface of libcitestream.so equals that of the snapshot, except for added functions.
#
# After an intended change, with a new major version if programs break: copy the file that the test names to
# tests/capi/libcitestream.abi.
# Copied into a separate folder, so that the types of the C++ headers next to it count as private.
file(COPY ${HEADER} DESTINATION ${NOW}.headers)
execute_process(COMMAND ${ABIDW} --no-corpus-path --no-comp-dir-path --no-show-locs --drop-private-types
  --exported-interfaces-only --headers-dir ${NOW}.headers --out-file ${NOW} ${LIBRARY} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "abidw failed: ${result}")
endif()
execute_process(COMMAND ${ABIDIFF} --no-added-syms ${SNAPSHOT} ${NOW} RESULT_VARIABLE result OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "The binary interface is another one (${NOW}):\n${output}")
endif()
