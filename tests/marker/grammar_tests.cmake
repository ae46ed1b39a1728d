# Every grammar, alone and together with others.
find_package(simdjson REQUIRED)
citestream_test(grammar_test OPTIMISED
  SOURCES grammar_runs.cpp arbitration_test.cpp file_test.cpp grammar_golden_test.cpp
    lenticular_test.cpp link_test.cpp numeric_test.cpp pattern_test.cpp private_test.cpp ref_test.cpp source_test.cpp
    tag_test.cpp
  LIBRARIES marker_reference simdjson::simdjson LABELS unit)
citestream_test(grammar_time_test OPTIMISED SOURCES grammar_time_test.cpp LABELS pathological)
