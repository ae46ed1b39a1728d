# abi_test.cmake: the binary interface of libcitestream.so is that of the snapshot, apart from added functions.
#
# After a change that is meant, with a new major version where programs break: copy what the test says it wrote to
# tests/capi/libcitestream.abi.
# Alone in a folder: the types of the C++ headers next to it are private here.
file(COPY ${HEADER} DESTINATION ${NOW}.headers)
execute_process(COMMAND ${ABIDW} --no-corpus-path --no-comp-dir-path --no-show-locs --drop-private-types
  --exported-interfaces-only --headers-dir ${NOW}.headers --out-file ${NOW} ${LIBRARY} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "abidw failed: ${result}")
endif()
execute_process(COMMAND ${ABIDIFF} --no-added-syms ${SNAPSHOT} ${NOW} RESULT_VARIABLE result OUTPUT_VARIABLE said
  ERROR_VARIABLE said)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "The binary interface is another one (${NOW}):\n${said}")
endif()
