# Every grammar, alone and together with others.
find_package(simdjson REQUIRED)
file(GLOB tests CONFIGURE_DEPENDS *_test.cpp)
list(FILTER tests EXCLUDE REGEX "/(continuations|link_reference|scanner|skip|grammar_time)_test")
citestream_test(grammar_test OPTIMISED
  SOURCES ${tests} LIBRARIES grammar_runs simdjson::simdjson LABELS unit)
citestream_test(grammar_time_test OPTIMISED SOURCES grammar_time_test.cpp LABELS pathological)
