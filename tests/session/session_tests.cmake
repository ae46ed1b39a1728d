# Tests of whole streams.
add_library(golden_cases STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/golden_cases.cpp)
target_link_libraries(golden_cases PUBLIC test_support PRIVATE citestream_options)
citestream_test_definitions(golden_cases)

citestream_test(session_golden_test SOURCES golden_test.cpp LIBRARIES golden_cases LABELS golden)
citestream_test(session_recordings_test SOURCES recordings_test.cpp LIBRARIES test_support LABELS unit)
citestream_test(session_results_test SOURCES recorded_results_test.cpp LIBRARIES test_support LABELS golden)
citestream_test(session_dialects_test SOURCES dialects_test.cpp array_streams_test.cpp interleaved_texts_test.cpp ollama_streams_test.cpp only_known_test.cpp records_test.cpp worked_examples_test.cpp LIBRARIES test_support LABELS unit)
citestream_test(session_annotations_test SOURCES annotations_test.cpp native_records_test.cpp LIBRARIES test_support LABELS unit)
citestream_test(session_events_test SOURCES events_test.cpp LIBRARIES golden_cases LABELS unit)
citestream_test(session_test SOURCES reuse_test.cpp faults_test.cpp unfinished_test.cpp egress_test.cpp other_text_test.cpp final_message_test.cpp option_table_test.cpp ${PROJECT_SOURCE_DIR}/tests/egress/payloads.cpp
  LIBRARIES golden_cases LABELS unit)
citestream_test(session_claims_test SOURCES claim_checks_test.cpp LIBRARIES test_support citestream_check LABELS split)
citestream_test(session_unresolved_test SOURCES unresolved_test.cpp LABELS split)
citestream_test(session_rag_test SOURCES rag_answers_test.cpp LIBRARIES test_support LABELS split)
citestream_test(session_workspace_test
  SOURCES workspace_test.cpp LIBRARIES test_support LABELS unit)
citestream_test(session_property_test OPTIMISED SOURCES property_test.cpp limits_test.cpp LIBRARIES test_support citestream_check LABELS split)
citestream_test(session_growth_test OPTIMISED SOURCES growth_test.cpp LIBRARIES test_support LABELS pathological)
citestream_test(session_envelope_test OPTIMISED
  SOURCES event_cache_test.cpp envelope_difference.cpp shaped_streams.cpp LIBRARIES test_support LABELS unit)
citestream_test(session_alloc_test SOURCES session_alloc_test.cpp LABELS alloc)
citestream_test(session_memory_test SOURCES choices_memory_test.cpp LABELS alloc)
citestream_test(session_event_order_test OPTIMISED
  SOURCES event_order_test.cpp LIBRARIES grammar_runs answer_harness golden_cases LABELS split)
