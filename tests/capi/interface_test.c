/* The C interface from C11: how a gateway uses it, and invalid use. Without a test framework, which would be
 * C++. */
#include <citestream/citestream.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(int ok, const char* what, int line) {
  if (ok) return;
  ++failures;
  printf("interface_test.c:%d: %s\n", line, what);
}
#define CHECK(what) check((what) ? 1 : 0, #what, __LINE__)

static citestream_text of(const char* text) {
  const citestream_text out = {text, strlen(text)};
  return out;
}

static const char stream[] =
    "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Sales "
    "grew by "
    "20% [Rep\",\"graph_data\":null},\"finish_reason\":null}]}\n\n"
    "data: "
    "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ort.pdf](f-17) "
    "or "
    "[X](f-9).\",\"graph_data\":null},\"finish_reason\":null}]}\n\n"
    "data: "
    "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":null,\"graph_"
    "data\":"
    "{\"references\":{\"files\":[{\"text\":\"Sales rose 20%.\",\"fileId\":\"f-17\",\"score\":0.9,\"page\":3,"
    "\"cite\":\"f-17\"}],\"web\":[]}}},\"finish_reason\":\"stop\"}]}\n\n";

/* Output that a sink collects. */
struct collected {
  char bytes[16384];
  size_t size;
  int refuses;
  citestream_session* session; /* called from within */
  int nested_code;
};

static int collect(void* user, const char* bytes, size_t size) {
  struct collected* to = user;
  if (to->session != NULL) to->nested_code = citestream_session_write(to->session, "x", 1, NULL);
  memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
  return to->refuses;
}

static citestream_options* options_with(const char* name, const char* value) {
  citestream_options* options = NULL;
  CHECK(citestream_options_create(&options) == CITESTREAM_OK);
  if (name != NULL)
    CHECK(citestream_options_set(options, name, value, CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  return options;
}

static citestream_session* session_of(const citestream_options* options, int how) {
  citestream_session* session = NULL;
  CHECK(citestream_session_create(options, how, NULL, &session) == CITESTREAM_OK);
  return session;
}

/* What the stream becomes, by views. */
static void expected(struct collected* to) {
  citestream_options* options = options_with("style", "numeric");
  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  citestream_text out = {NULL, 0};
  CHECK(citestream_session_write(session, stream, strlen(stream), NULL) == CITESTREAM_OK);
  CHECK(citestream_session_finish(session, NULL) == CITESTREAM_OK);
  CHECK(citestream_session_take(session, &out) == CITESTREAM_OK);
  memset(to, 0, sizeof *to);
  memcpy(to->bytes, out.data, out.size);
  to->size = out.size;
  CHECK(strstr(to->bytes, "Sales grew by 20%") != NULL);
  CHECK(strstr(to->bytes, "[1] or [2].") != NULL);
  CHECK(citestream_session_take(session, &out) == CITESTREAM_OK && out.size == 0 && out.data != NULL);
  citestream_session_free(session);
  citestream_options_free(options);
}

static void a_sink_gets_what_a_view_shows(const struct collected* expected_output) {
  static struct collected got;
  citestream_options* options = options_with("style", "numeric");
  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  citestream_output out = {.struct_size = sizeof out, .sink = collect, .user = &got};
  for (size_t at = 0; at < strlen(stream); ++at) {
    CHECK(citestream_session_write(session, stream + at, 1, &out) == CITESTREAM_OK);
  }
  CHECK(citestream_session_finish(session, &out) == CITESTREAM_OK);
  CHECK(got.size == expected_output->size && memcmp(got.bytes, expected_output->bytes, got.size) == 0);
  citestream_session_free(session);
  citestream_options_free(options);
}

static void a_small_buffer_is_filled_again(const struct collected* expected_output) {
  char bytes[16384];
  size_t size = 0;
  citestream_options* options = options_with("style", "numeric");
  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  char small[7];
  citestream_output out = {.struct_size = sizeof out, .data = small, .capacity = sizeof small};
  int code = citestream_session_write(session, stream, strlen(stream), &out);
  for (int ended = 0; ended < 2;) {
    CHECK(out.size <= sizeof small);
    memcpy(bytes + size, small, out.size);
    size += out.size;
    if (code == CITESTREAM_MORE) {
      CHECK(out.waiting > 0);
      code = citestream_session_read(session, &out);
    } else {
      CHECK(code == CITESTREAM_OK && out.waiting == 0);
      if (++ended == 1) code = citestream_session_finish(session, &out);
    }
  }
  CHECK(size == expected_output->size && memcmp(bytes, expected_output->bytes, size) == 0);
  citestream_session_free(session);
  citestream_options_free(options);
}

/* Takes what waits. */
static const char* take_to(citestream_session* session, struct collected* to) {
  citestream_text view = {NULL, 0};
  CHECK(citestream_session_take(session, &view) == CITESTREAM_OK);
  memcpy(to->bytes + to->size, view.data, view.size);
  to->size += view.size;
  return view.data;
}

static void sessions_of_a_workspace_share_what_is_released(const struct collected* expected_output) {
  static struct collected got[2];
  static const char comment[] =
      ": so long that it stands in memory of its own, with or without an answer\n\n";
  citestream_options* options = options_with("style", "numeric");
  citestream_workspace* room = NULL;
  citestream_session* both[2] = {NULL, NULL};
  CHECK(citestream_workspace_create(&room) == CITESTREAM_OK);
  for (int i = 0; i < 2; ++i) {
    CHECK(citestream_session_create(options, CITESTREAM_EVENTS, room, &both[i]) == CITESTREAM_OK);
    CHECK(citestream_session_write(both[i], comment, strlen(comment), NULL) == CITESTREAM_OK);
  }
  CHECK(citestream_session_release(both[0]) == CITESTREAM_OK); /* output waits: nothing is done */
  const char* const first = take_to(both[0], &got[0]);
  const char* const second = take_to(both[1], &got[1]);
  CHECK(first != second && strcmp(got[0].bytes, comment) == 0 && memcmp(first, comment, got[0].size) == 0);

  CHECK(citestream_session_release(both[0]) == CITESTREAM_OK);
  CHECK(citestream_session_release(both[1]) == CITESTREAM_OK);
  const char* lent = NULL;
  for (int i = 0; i < 4; ++i) {
    CHECK(citestream_session_write(both[i % 2], comment, strlen(comment), NULL) == CITESTREAM_OK);
    const char* const place = take_to(both[i % 2], &got[0]);
    CHECK(place == first || place == second);
    CHECK(lent == NULL || place == lent);
    lent = place;
    CHECK(citestream_session_release(both[i % 2]) == CITESTREAM_OK);
  }

  memset(got, 0, sizeof got);
  for (size_t at = 0; at < strlen(stream); ++at) {
    for (int i = 0; i < 2; ++i) {
      CHECK(citestream_session_write(both[i], stream + at, 1, NULL) == CITESTREAM_OK);
      take_to(both[i], &got[i]);
      CHECK(citestream_session_release(both[i]) == CITESTREAM_OK);
    }
  }
  for (int i = 0; i < 2; ++i) {
    CHECK(citestream_session_finish(both[i], NULL) == CITESTREAM_OK);
    take_to(both[i], &got[i]);
    CHECK(got[i].size == expected_output->size &&
          memcmp(got[i].bytes, expected_output->bytes, expected_output->size) == 0);
    citestream_session_free(both[i]);
  }
  citestream_workspace_free(room);
  citestream_options_free(options);
}

static void events_and_citations_are_pulled(void) {
  citestream_options* options = options_with("events", "on");
  citestream_reference known = {.struct_size = sizeof known,
                                .type = CITESTREAM_SOURCE_FILE,
                                .cite = of("f-17"),
                                .title = of("Q3 2024")};
  known.has = CITESTREAM_HAS_SCORE | CITESTREAM_HAS_PAGE;
  known.score = 1;
  known.page = 3;
  CHECK(citestream_options_add_reference(options, &known) == CITESTREAM_OK);
  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  CHECK(citestream_session_write(session, stream, strlen(stream), NULL) == CITESTREAM_OK);
  CHECK(citestream_session_finish(session, NULL) == CITESTREAM_OK);
  int count[4] = {0, 0, 0, 0};
  uint64_t given = 0;
  citestream_event event = {.struct_size = sizeof event};
  while (citestream_session_next(session, &event) == 1) {
    ++count[event.type];
    if (event.type == CITESTREAM_EVENT_TEXT) given += event.text.size;
    if (event.type == CITESTREAM_EVENT_CITATION) CHECK(event.citation->end.utf8 == given);
    CHECK((event.citation != NULL) ==
          (event.type == CITESTREAM_EVENT_CITATION || event.type == CITESTREAM_EVENT_RESOLVED));
    if (event.type == CITESTREAM_EVENT_END) {
      CHECK(event.finish_reason.size == 4 && memcmp(event.finish_reason.data, "stop", 4) == 0);
    }
  }
  CHECK(count[0] > 0 && count[1] == 2 && count[2] == 2 && count[3] == 1);

  const citestream_citation* cite = NULL;
  CHECK(citestream_session_choices(session) == 1 && citestream_session_citation_count(session, 0) == 2);
  CHECK(citestream_session_citation(session, 0, 0, &cite) == CITESTREAM_OK);
  CHECK(cite->struct_size == sizeof *cite && cite->number == 1 && cite->choice == 0);
  CHECK(cite->status == CITESTREAM_RESOLVED && cite->match == CITESTREAM_MATCH_EXACT);
  CHECK(cite->marker.size == strlen("[Report.pdf](f-17)") &&
        memcmp(cite->marker.data, "[Report.pdf](f-17)", cite->marker.size) == 0);
  CHECK(cite->reference_count == 2 && cite->references[0]->page == 3);
  CHECK(cite->references[0]->has == (CITESTREAM_HAS_SCORE | CITESTREAM_HAS_PAGE));
  CHECK(cite->title.size == 7 && memcmp(cite->title.data, "Q3 2024", 7) == 0);
  CHECK(cite->start.utf8 == 17 && cite->start.utf16 == 17 && cite->end.codepoint == 17);
  CHECK(cite->origin == CITESTREAM_ORIGIN_MARKER && cite->anchor == CITESTREAM_ANCHOR_MARKER &&
        cite->group == 0);
  CHECK(citestream_session_citation(session, 0, 1, &cite) == CITESTREAM_OK);
  CHECK(cite->status == CITESTREAM_UNRESOLVED && cite->reference_count == 0 && cite->references == NULL);
  CHECK(cite->title.size == 0 && cite->title.data != NULL && cite->group == 1);
  CHECK(cite->verdict == CITESTREAM_VERDICT_NONE && cite->finding.size == 0);
  CHECK(citestream_session_citation(session, 0, 2, &cite) == CITESTREAM_BAD_ARGUMENT && cite == NULL);
  CHECK(citestream_session_citation(session, 1, 0, &cite) == CITESTREAM_BAD_ARGUMENT);

  citestream_statistics seen = {.struct_size = sizeof seen};
  CHECK(citestream_session_statistics(session, &seen) == CITESTREAM_OK);
  CHECK(seen.citations == 2 && seen.resolved == 1 && seen.unresolved == 1 && seen.pending == 0);
  CHECK(seen.events == 3 && seen.bytes_in == strlen(stream) && seen.problem == 0);
  citestream_text dialect;
  CHECK(citestream_session_dialect(session, &dialect) == CITESTREAM_OK && dialect.size == 6 &&
        memcmp(dialect.data, "writer", 6) == 0);
  citestream_session_free(session);
  citestream_options_free(options);
}

static void claims_are_checked(void) {
  citestream_options* options = options_with("check", "report");
  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  CHECK(citestream_session_write(session, stream, strlen(stream), NULL) == CITESTREAM_OK);
  CHECK(citestream_session_finish(session, NULL) == CITESTREAM_OK);
  const citestream_citation* cite = NULL;
  CHECK(citestream_session_citation(session, 0, 0, &cite) == CITESTREAM_OK);
  CHECK(cite->verdict == CITESTREAM_UNSURE && cite->support > 0.5 && cite->support < 0.6);
  CHECK(cite->attributed_to.size == 0 && cite->attributed_to.data != NULL);
  static const char begin[] = "{\"support\":0.5515,\"verdict\":\"unsure\",\"evidence\":{";
  CHECK(cite->finding.size > strlen(begin) && memcmp(cite->finding.data, begin, strlen(begin)) == 0);
  CHECK(cite->finding.data[cite->finding.size - 1] == '}');
  CHECK(citestream_session_citation(session, 0, 1, &cite) == CITESTREAM_OK);
  CHECK(cite->verdict == CITESTREAM_VERDICT_NONE && cite->support == 0 && cite->finding.size == 0);
  citestream_session_free(session);
  citestream_options_free(options);
}

static void limits_of_verdicts_must_not_cross(void) {
  citestream_options* options = options_with("not_found", "0.9");
  citestream_session* session = NULL;
  CHECK(citestream_session_create(options, CITESTREAM_EVENTS, NULL, &session) == CITESTREAM_BAD_VALUE);
  CHECK(session == NULL);
  CHECK(strcmp(citestream_options_problem(options), "not_found (0.9) must not exceed supported (0.85)") == 0);
  CHECK(citestream_options_set(options, "supported", "0.95", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  CHECK(citestream_options_problem(options)[0] == '\0');
  CHECK(citestream_options_set(options, "supported", "1.5", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_BAD_VALUE);
  CHECK(citestream_session_create(options, CITESTREAM_EVENTS, NULL, &session) == CITESTREAM_OK);
  citestream_session_free(session);
  citestream_options_free(options);
}

static const char body[] =
    "{\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
    "\"content\":\"A [B](c).\"},\"finish_reason\":\"stop\"}]}";

static void a_body_leaves_at_its_end(void) {
  citestream_options* options = options_with("style", "strip");
  citestream_session* session = session_of(options, CITESTREAM_JSON);
  citestream_text out;
  CHECK(citestream_session_write(session, body, strlen(body), NULL) == CITESTREAM_OK);
  CHECK(citestream_session_take(session, &out) == CITESTREAM_OK && out.size == 0);
  CHECK(citestream_session_finish(session, NULL) == CITESTREAM_OK);
  CHECK(citestream_session_take(session, &out) == CITESTREAM_OK);
  CHECK(out.size > 0 && memcmp(out.data, body, 80) == 0);
  CHECK(citestream_session_citation_count(session, 0) == 1);
  CHECK(citestream_session_write(session, body, 1, NULL) == CITESTREAM_BAD_STATE);
  citestream_session_free(session);
  citestream_options_free(options);
}

// The bytes in two writes, cut at `at`. With one more than `max_body_bytes` all pass through unchanged.
static void a_body_is_bounded_at(const char* body, size_t size, size_t bound, size_t at) {
  char digits[24];
  snprintf(digits, sizeof digits, "%zu", bound);
  citestream_options* options = options_with("max_body_bytes", digits);
  citestream_session* session = session_of(options, CITESTREAM_JSON);
  const int first = citestream_session_write(session, body, at, NULL);
  CHECK(first == (at > bound ? CITESTREAM_BODY_TOO_LARGE : CITESTREAM_OK));
  const int second = citestream_session_write(session, body + at, size - at, NULL);
  CHECK(second ==
        (at <= bound && size > bound ? CITESTREAM_BODY_TOO_LARGE : CITESTREAM_OK));  // returned once
  CHECK(citestream_session_finish(session, NULL) == CITESTREAM_OK);
  citestream_text out;
  CHECK(citestream_session_take(session, &out) == CITESTREAM_OK);
  const int untouched = out.size == size && memcmp(out.data, body, size) == 0;
  CHECK(untouched == (size > bound));
  CHECK(citestream_session_citation_count(session, 0) == (size > bound ? 0 : 1));
  citestream_session_free(session);
  citestream_options_free(options);
}

static void a_body_is_bounded_at_every_cut(void) {
  static const char body[] =
      "{\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
      "\"content\":\"A [B](c).\"},\"finish_reason\":\"stop\"}]}";
  const size_t size = strlen(body);
  for (size_t at = 0; at <= size; ++at) {
    for (size_t bound = size - 1; bound <= size + 1; ++bound) a_body_is_bounded_at(body, size, bound, at);
    a_body_is_bounded_at(body, size, 10, at);
  }
}

static void the_decision_is_the_proxys(void) {
  citestream_options* options = options_with("json_paths", "/v1/chat, /api");
  citestream_answer_facts facts = {.struct_size = sizeof facts, .status = 200, .method = of("POST")};
  facts.path = of("/v1/chat/completions?a=b");
  facts.content_type = of("Text/Event-Stream; charset=utf-8");
  CHECK(citestream_decide(options, &facts) == CITESTREAM_EVENTS);
  facts.content_encoding = of("gzip");
  CHECK(citestream_decide(options, &facts) == CITESTREAM_BYPASSED);
  facts.content_encoding = of("identity");
  facts.content_type = of("application/json");
  CHECK(citestream_decide(options, &facts) == CITESTREAM_JSON);
  facts.path = of("//v1/%63hat");
  CHECK(citestream_decide(options, &facts) == CITESTREAM_JSON);
  facts.method = of("GET");
  CHECK(citestream_decide(options, &facts) == CITESTREAM_PASS);
  facts.method = of("POST");
  facts.path = of("/v1/chatter");
  CHECK(citestream_decide(options, &facts) == CITESTREAM_PASS);
  facts.path = of("/api");
  facts.bypass = 1;
  CHECK(citestream_decide(options, &facts) == CITESTREAM_BYPASSED);
  facts.bypass = 0;
  for (facts.status = 204; facts.status <= 206; ++facts.status)
    CHECK(citestream_decide(options, &facts) == CITESTREAM_PASS);
  CHECK(citestream_decide(NULL, &facts) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_decide(options, NULL) == CITESTREAM_BAD_ARGUMENT);
  citestream_options_free(options);
}

static void options_say_what_is_wrong(void) {
  citestream_options* options = options_with(NULL, NULL);
  CHECK(citestream_options_set(options, "stile", "strip", 5) == CITESTREAM_UNKNOWN_OPTION);
  CHECK(strstr(citestream_options_problem(options), "stile") != NULL);
  CHECK(citestream_options_set(options, "style", "bold", 4) == CITESTREAM_BAD_VALUE);
  CHECK(strstr(citestream_options_problem(options), "strip, keep, numeric") != NULL);
  CHECK(citestream_options_set(options, "style", "numericXX", 7) == CITESTREAM_OK);
  CHECK(citestream_options_problem(options)[0] == '\0');
  CHECK(citestream_options_set(options, "markers", "link, numeric", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_OK);
  CHECK(citestream_options_set(options, "markers", "link, nothing", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_BAD_VALUE);
  CHECK(citestream_options_set(options, "marker", "[ref:{key}]", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  CHECK(citestream_options_set(options, "marker", "{key}", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_BAD_VALUE);
  CHECK(strstr(citestream_options_problem(options), "character 1") != NULL);
  CHECK(citestream_options_set(options, "dialect", "auto", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  CHECK(citestream_options_set(options, "dialect", "klingon", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_BAD_VALUE);
  CHECK(citestream_options_set(options, "offsets", "codepoint", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  CHECK(citestream_options_set(options, "identifiers", "uuid", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  CHECK(citestream_options_set(options, "citations", "never", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  CHECK(citestream_options_set(options, "only_known", "yes", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_BAD_VALUE);
  CHECK(citestream_options_set(options, "only_known", "on", CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  CHECK(citestream_options_set(options, "egress", "on", CITESTREAM_NUL_TERMINATED) == CITESTREAM_BAD_VALUE);
  CHECK(citestream_options_set(options, "egress_allow", "example.com", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_BAD_VALUE);
  CHECK(strstr(citestream_options_problem(options), "https://*.host") != NULL);
  CHECK(citestream_options_set(options, "json_paths", "v1", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_BAD_VALUE);
  CHECK(citestream_options_set(options, "json_paths", "/\xff", 2) == CITESTREAM_BAD_VALUE);
  CHECK(citestream_options_set(options, "max_choices", "-1", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_BAD_VALUE);
  CHECK(citestream_options_set(options, "max_choices", "99999999999999999999999",
                               CITESTREAM_NUL_TERMINATED) == CITESTREAM_BAD_VALUE);
  CHECK(citestream_options_set(options, "file_url", "foo", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_BAD_VALUE);
  CHECK(strstr(citestream_options_problem(options), "https://") != NULL);
  CHECK(citestream_options_set(options, "file_url", "https://a/\xff", 11) == CITESTREAM_BAD_VALUE);
  CHECK(strstr(citestream_options_problem(options), "file_url is not UTF-8") != NULL);
  CHECK(citestream_options_set(options, "file_url", NULL, 0) == CITESTREAM_OK);

  citestream_reference reference = {
      .struct_size = sizeof reference, .type = CITESTREAM_SOURCE_WEB, .cite = of("k"), .title = of("T")};
  CHECK(citestream_options_add_reference(options, &reference) == CITESTREAM_OK);
  reference.title = of("\xc3\x28");
  CHECK(citestream_options_add_reference(options, &reference) == CITESTREAM_BAD_ARGUMENT);
  reference.title = of("T");
  reference.type = 99;
  CHECK(citestream_options_add_reference(options, &reference) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_options_add_reference(options, NULL) == CITESTREAM_BAD_ARGUMENT);

  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  CHECK(citestream_options_set(options, "style", "strip", 5) == CITESTREAM_BAD_STATE);
  reference.type = CITESTREAM_SOURCE_WEB;
  CHECK(citestream_options_add_reference(options, &reference) == CITESTREAM_BAD_STATE);
  citestream_options_free(options); /* before the session, which has its own copy */
  CHECK(citestream_session_write(session, stream, strlen(stream), NULL) == CITESTREAM_OK);
  citestream_session_free(session);
}

static void foreign_addresses_are_made_inert(void) {
  static const char foreign[] =
      "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a "
      "![b](https://evil.example/c) ![d](https://a.good.example/e)\"},\"finish_reason\":null}]}\n\n";
  citestream_options* options = options_with("egress", "enforce");
  citestream_text out = {NULL, 0};
  CHECK(citestream_options_set(options, "egress_allow", "https://b.example, https://*.good.example",
                               CITESTREAM_NUL_TERMINATED) == CITESTREAM_OK);
  CHECK(citestream_options_set(options, "max_egress_records", "5", CITESTREAM_NUL_TERMINATED) ==
        CITESTREAM_OK);
  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  CHECK(citestream_session_write(session, foreign, strlen(foreign), NULL) == CITESTREAM_OK);
  CHECK(citestream_session_take(session, &out) == CITESTREAM_OK);
  CHECK(strstr(out.data, "\"a ![b]\\\\(https[://]evil[.]example/c) ![d](https://a.good.example/e)\"") !=
        NULL);
  citestream_session_free(session);
  citestream_options_free(options);
}

static const char request_body[] =
    "{\"documents\":[{\"title\":\"Report\",\"text\":\"It grew.\"}],\"messages\":[{\"role\":\"assistant\","
    "\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"ask\",\"arguments\":\"{}\"}}]},"
    "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"12%\"}],\"tools\":[{\"type\":\"graph\","
    "\"function\":{}}]}";

static citestream_request* request_of(uint32_t work, const char* body, int code) {
  const citestream_request_rules rules = {
      .struct_size = sizeof rules, .work = work, .agent_tools = of("look, ask")};
  citestream_request* request = NULL;
  CHECK(citestream_request_create(&rules, body, strlen(body), &request) == code);
  CHECK(request != NULL);
  return request;
}

static int body_is(const citestream_request* request, const char* expected) {
  citestream_text body = {NULL, 0};
  CHECK(citestream_request_body(request, &body) == CITESTREAM_OK);
  return body.size == strlen(expected) && memcmp(body.data, expected, body.size) == 0;
}

static int body_has(const citestream_request* request, const char* words) {
  static char copy[4096];
  citestream_text body = {NULL, 0};
  CHECK(citestream_request_body(request, &body) == CITESTREAM_OK && body.size < sizeof copy);
  memcpy(copy, body.data, body.size);
  copy[body.size] = '\0';
  return strstr(copy, words) != NULL;
}

static void requests_are_rewritten_as_the_rules_say(void) {
  citestream_request* request = request_of(0, request_body, CITESTREAM_OK);
  CHECK(body_is(request, request_body) && citestream_request_reference_count(request) == 0);
  citestream_request_free(request);
  request = request_of(CITESTREAM_REQUEST_DOCUMENTS, request_body, CITESTREAM_OK);
  CHECK(body_is(request, request_body) && citestream_request_reference_count(request) == 1);
  citestream_request_free(request);
  request = request_of(CITESTREAM_REQUEST_KEYS, request_body, CITESTREAM_OK);
  CHECK(body_has(request, "[REF|a_1]\\n12%") && !body_has(request, "How to cite"));
  citestream_request_free(request);
  request =
      request_of(CITESTREAM_REQUEST_KEYS | CITESTREAM_REQUEST_INSTRUCTIONS, request_body, CITESTREAM_OK);
  CHECK(body_has(request, "[REF|a_1]\\n12%") && body_has(request, "How to cite"));
  citestream_request_free(request);
  request =
      request_of(CITESTREAM_REQUEST_KEYS | CITESTREAM_REQUEST_CONTENT_KEYS, request_body, CITESTREAM_OK);
  CHECK(body_has(request, "[REF|a_") && !body_has(request, "[REF|a_1]"));
  citestream_request_free(request);
  const citestream_request_rules others = {
      .struct_size = sizeof others, .work = CITESTREAM_REQUEST_KEYS, .tools = of("look")};
  CHECK(citestream_request_create(&others, request_body, strlen(request_body), &request) == CITESTREAM_OK);
  CHECK(body_is(request, request_body) && citestream_request_reference_count(request) == 0);
  citestream_request_free(request);
  request = request_of(CITESTREAM_REQUEST_INLINE_CITATIONS, request_body, CITESTREAM_OK);
  CHECK(body_has(request, "\"inline_citations\":true"));
  citestream_request_free(request);
  request =
      request_of(CITESTREAM_REQUEST_REMOVE_OWN,
                 "{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"citations\":[{\"encrypted_index\":"
                 "\"\"}]}]}]}",
                 CITESTREAM_OK);
  CHECK(body_is(request, "{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"citations\":null}]}]}"));
  citestream_request_free(request);
  request = request_of(63, "{\"documents\":[\"a\"],", CITESTREAM_INVALID_JSON);
  CHECK(body_is(request, "{\"documents\":[\"a\"],") && citestream_request_reference_count(request) == 0);
  citestream_request_free(request);
}

static void an_answer_cites_its_request(void) {
  static const char answer[] =
      "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Up "
      "[1], by 12% [REF|a_1].\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
  citestream_options* options = options_with(NULL, NULL);
  citestream_request* request =
      request_of(CITESTREAM_REQUEST_DOCUMENTS | CITESTREAM_REQUEST_KEYS, request_body, CITESTREAM_OK);
  const citestream_reference* reference = NULL;
  CHECK(citestream_request_reference_count(request) == 2);
  CHECK(citestream_request_reference(request, 0, &reference) == CITESTREAM_OK);
  CHECK(reference->title.size == 6 && reference->number == 1 && reference->excerpts == NULL);
  CHECK(citestream_request_reference(request, 1, &reference) == CITESTREAM_OK);
  CHECK(reference->type == CITESTREAM_SOURCE_AGENT && reference->cite.size == 3);
  CHECK(citestream_request_reference(request, 2, &reference) == CITESTREAM_BAD_ARGUMENT && reference == NULL);
  citestream_session* session = NULL;
  CHECK(citestream_session_create_for(options, request, CITESTREAM_EVENTS, NULL, &session) == CITESTREAM_OK);
  citestream_request_free(request); /* before the session, which has its own copy */
  citestream_statistics seen = {.struct_size = sizeof seen};
  for (int again = 0; again < 2; ++again) {
    CHECK(citestream_session_write(session, answer, strlen(answer), NULL) == CITESTREAM_OK);
    CHECK(citestream_session_finish(session, NULL) == CITESTREAM_OK);
    CHECK(citestream_session_statistics(session, &seen) == CITESTREAM_OK && seen.resolved == 2);
    CHECK(citestream_session_reset(session) == CITESTREAM_OK);
  }
  citestream_session_free(session);
  citestream_options_free(options);
}

static void an_answer_in_json_is_unchanged(void) {
  static const char answer[] =
      "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":"
      "\"{\\\"up\\\":[1]}\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
  citestream_options* options = options_with("style", "numeric");
  for (int json = 0; json < 2; ++json) {
    const char* const body = json != 0
                                 ? "{\"documents\":[\"a\"],\"response_format\":{\"type\":\"json_object\"}}"
                                 : "{\"documents\":[\"a\"],\"response_format\":{\"type\":\"text\"}}";
    citestream_request* request = request_of(CITESTREAM_REQUEST_DOCUMENTS, body, CITESTREAM_OK);
    citestream_session* session = NULL;
    citestream_text sent;
    CHECK(citestream_session_create_for(options, request, CITESTREAM_EVENTS, NULL, &session) ==
          CITESTREAM_OK);
    CHECK(citestream_session_write(session, answer, strlen(answer), NULL) == CITESTREAM_OK);
    CHECK(citestream_session_finish(session, NULL) == CITESTREAM_OK);
    CHECK(citestream_session_take(session, &sent) == CITESTREAM_OK);
    CHECK((sent.size == strlen(answer) && memcmp(sent.data, answer, sent.size) == 0) == (json != 0));
    citestream_session_free(session);
    citestream_request_free(request);
  }
  citestream_options_free(options);
}

static void misuse_of_requests_gives_codes(void) {
  citestream_options* options = options_with(NULL, NULL);
  citestream_session* session = NULL;
  citestream_request* request = NULL;
  citestream_text body;
  citestream_request_rules rules = {.struct_size = sizeof rules};
  const citestream_reference* reference = NULL;
  CHECK(citestream_request_create(NULL, "{}", 2, &request) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_request_create(&rules, NULL, 2, &request) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_request_create(&rules, "{}", 2, NULL) == CITESTREAM_BAD_ARGUMENT);
  rules.work = 64;
  CHECK(citestream_request_create(&rules, "{}", 2, &request) == CITESTREAM_UNSUPPORTED && request == NULL);
  rules.work = 0;
  rules.struct_size = 8;
  CHECK(citestream_request_create(&rules, "{}", 2, &request) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_request_body(NULL, &body) == CITESTREAM_BAD_ARGUMENT && body.size == 0);
  CHECK(citestream_request_body((citestream_request*)(void*)options, &body) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_request_reference(NULL, 0, &reference) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_request_reference_count(NULL) == 0);
  CHECK(citestream_session_create_for(options, NULL, CITESTREAM_EVENTS, NULL, &session) ==
        CITESTREAM_BAD_ARGUMENT);
  citestream_request_free(NULL);
  citestream_options_free(options);
}

static void misuse_gives_codes(void) {
  citestream_options* options = options_with(NULL, NULL);
  citestream_session* session = NULL;
  citestream_text text;
  citestream_event event = {.struct_size = sizeof event};
  citestream_statistics seen = {.struct_size = 8};
  CHECK(citestream_options_create(NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_workspace_create(NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_options_set(NULL, "style", "strip", 5) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_options_set(options, NULL, "strip", 5) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_options_set(options, "style", NULL, 5) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_options_set(options, "style", NULL, CITESTREAM_NUL_TERMINATED) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_options_problem(NULL)[0] == '\0');
  CHECK(citestream_session_create(options, 4, NULL, &session) == CITESTREAM_BAD_ARGUMENT && session == NULL);
  CHECK(citestream_session_create(options, -1, NULL, &session) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_create(NULL, CITESTREAM_EVENTS, NULL, &session) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_create(options, CITESTREAM_EVENTS, NULL, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_write(NULL, "x", 1, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_finish(NULL, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_abort(NULL, NULL, NULL, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_read(NULL, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_take(NULL, &text) == CITESTREAM_BAD_ARGUMENT && text.size == 0);
  CHECK(citestream_session_release(NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_reset(NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_next(NULL, &event) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_choices(NULL) == 0 && citestream_session_citation_count(NULL, 0) == 0);
  citestream_session_free(NULL);
  citestream_options_free(NULL);
  citestream_workspace_free(NULL);

  session = session_of(options, CITESTREAM_EVENTS);
  /* A handle of another kind is told from a session. */
  citestream_workspace* room = NULL;
  CHECK(citestream_workspace_create(&room) == CITESTREAM_OK);
  CHECK(citestream_session_write((citestream_session*)(void*)room, "x", 1, NULL) == CITESTREAM_BAD_ARGUMENT);
  citestream_options_free((citestream_options*)(void*)room);
  CHECK(citestream_session_create((citestream_options*)(void*)room, CITESTREAM_EVENTS, NULL, NULL) ==
        CITESTREAM_BAD_ARGUMENT);
  citestream_workspace_free(room);

  CHECK(citestream_session_write(session, NULL, 1, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_write(session, NULL, 0, NULL) == CITESTREAM_OK);
  CHECK(citestream_session_read(session, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_take(session, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_next(session, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_statistics(session, &seen) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_statistics(session, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_statistics(NULL, &seen) == CITESTREAM_BAD_ARGUMENT);
  citestream_output out = {.struct_size = sizeof out, .capacity = 10};
  CHECK(citestream_session_write(session, "x", 1, &out) == CITESTREAM_BAD_ARGUMENT);
  out.struct_size = 8;
  CHECK(citestream_session_write(session, "x", 1, &out) == CITESTREAM_BAD_ARGUMENT);
  out.struct_size = (size_t)-1;
  CHECK(citestream_session_write(session, "x", 1, &out) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_finish(session, NULL) == CITESTREAM_OK);
  CHECK(citestream_session_finish(session, NULL) == CITESTREAM_BAD_STATE);
  CHECK(citestream_session_write(session, "x", 1, NULL) == CITESTREAM_BAD_STATE);
  CHECK(citestream_session_reset(session) == CITESTREAM_OK);
  CHECK(citestream_session_write(session, "x", CITESTREAM_NUL_TERMINATED, NULL) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_session_write(session, "x", 1, NULL) == CITESTREAM_OK);
  citestream_session_free(session);
  citestream_options_free(options);
}

static int freeing(void* user, const char* bytes, size_t size) {
  (void)bytes;
  (void)size;
  citestream_session_free(user);
  return 0;
}

static void a_sink_cannot_call_its_session(void) {
  static struct collected got;
  citestream_options* options = options_with(NULL, NULL);
  citestream_session* session = session_of(options, CITESTREAM_PASS);
  got.session = session;
  got.refuses = 1;
  citestream_output out = {.struct_size = sizeof out, .sink = collect, .user = &got};
  CHECK(citestream_session_write(session, "abc", 3, &out) == CITESTREAM_STOPPED);
  CHECK(got.nested_code == CITESTREAM_BAD_STATE && got.size == 3);
  out.sink = freeing;
  out.user = session;
  CHECK(citestream_session_write(session, "abc", 3, &out) == CITESTREAM_OK); /* freed now */
  citestream_options_free(options);
}

static void structs_may_be_of_another_version(void) {
  struct {
    citestream_statistics known;
    uint64_t later;
  } longer = {.known = {.struct_size = sizeof longer}, .later = 7};
  struct {
    citestream_reference known;
    uint64_t later;
  } reference = {.known = {.struct_size = sizeof reference}, .later = 0};
  citestream_options* options = options_with(NULL, NULL);
  CHECK(citestream_options_add_reference(options, &reference.known) == CITESTREAM_OK);
  reference.later = 1;
  CHECK(citestream_options_add_reference(options, &reference.known) == CITESTREAM_UNSUPPORTED);
  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  CHECK(citestream_session_statistics(session, &longer.known) == CITESTREAM_OK);
  CHECK(longer.later == 0 && longer.known.struct_size == sizeof longer);
  citestream_session_free(session);
  citestream_options_free(options);
}

static void an_answer_that_breaks_off_says_so(void) {
  citestream_options* options = options_with(NULL, NULL);
  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  citestream_text out;
  char seen[4096] = "";
  CHECK(citestream_session_write(session, stream, (size_t)(strstr(stream, "\n\n") - stream) + 2, NULL) ==
        CITESTREAM_OK);
  CHECK(citestream_session_abort(session, "it went", "gone", NULL) == CITESTREAM_INCOMPLETE);
  CHECK(citestream_session_take(session, &out) == CITESTREAM_OK && out.size < sizeof seen);
  memcpy(seen, out.data, out.size);
  CHECK(strstr(seen, "event: error") != NULL && strstr(seen, "it went") != NULL &&
        strstr(seen, "gone") != NULL);
  citestream_statistics counts = {.struct_size = sizeof counts};
  CHECK(citestream_session_statistics(session, &counts) == CITESTREAM_OK &&
        counts.problem == CITESTREAM_INCOMPLETE);
  citestream_session_free(session);
  citestream_options_free(options);
}

/* Memory with a mark in front: what is released must have been allocated here. */
struct memory {
  size_t live;
  size_t total;
  size_t fail_at; /* the allocation, from 1, that fails; 0: none */
  int exhausted;  /* all after it fail, too */
  size_t largest; /* of one allocation, in bytes */
  int foreign;
};

static const size_t mark = 0x6d61726b6d61726b;

static void* allocate(void* user, size_t size) {
  struct memory* memory = user;
  ++memory->total;
  if (memory->total == memory->fail_at) return NULL;
  if (memory->exhausted && memory->fail_at != 0 && memory->total > memory->fail_at) return NULL;
  size_t* block = malloc(size + 16);
  if (block == NULL) return NULL;
  block[0] = mark;
  if (size > memory->largest) memory->largest = size;
  ++memory->live;
  return block + 2;
}

static void release(void* user, void* address) {
  struct memory* memory = user;
  size_t* block = (size_t*)address - 2;
  if (block[0] != mark) memory->foreign = 1;
  block[0] = 0;
  --memory->live;
  free(block);
}

/* Reads the events, if \p code is no error, and returns the first error. */
static int read_events(citestream_session* session, int code) {
  citestream_event event = {.struct_size = sizeof event};
  int more = code < 0 ? 0 : 1;
  while (more > 0) more = citestream_session_next(session, &event);
  return more < 0 ? more : code;
}

/* Writes \p bytes in small pieces, so that output grows in every call. */
static int whole_answer(citestream_session* session, const char* bytes, size_t size) {
  enum { piece = 61 };
  int code = CITESTREAM_OK;
  for (size_t at = 0; at < size && code >= 0; at += piece) {
    code = citestream_session_write(session, bytes + at, size - at < piece ? size - at : piece, NULL);
    code = read_events(session, code);
  }
  if (code >= 0) code = citestream_session_finish(session, NULL);
  return read_events(session, code);
}

/* An answer, and after reset() one that breaks off. */
static int whole_life(int mode, const char* answer) {
  const citestream_request_rules rules = {.struct_size = sizeof rules,
                                          .work = CITESTREAM_REQUEST_DOCUMENTS | CITESTREAM_REQUEST_KEYS};
  const citestream_reference known = {.struct_size = sizeof known, .id = of("f-1"), .title = of("Uncited")};
  const citestream_answer_facts facts = {.struct_size = sizeof facts,
                                         .status = 200,
                                         .method = of("GET"),
                                         .path = of("/v1/conversations/a_long_name/items"),
                                         .content_type = of("application/json")};
  citestream_options* options = NULL;
  citestream_request* request = NULL;
  citestream_workspace* room = NULL;
  citestream_session* session = NULL;
  int code = citestream_options_create(&options);
  if (code >= 0) code = citestream_decide(options, &facts);
  if (code >= 0) code = citestream_options_set(options, "events", "on", 2);
  if (code >= 0) code = citestream_options_set(options, "style", "footnote", 8);
  if (code >= 0) code = citestream_options_add_reference(options, &known);
  if (code >= 0) code = citestream_request_create(&rules, request_body, strlen(request_body), &request);
  if (code >= 0) code = citestream_workspace_create(&room);
  if (code >= 0) code = citestream_session_create_for(options, request, mode, room, &session);
  if (code >= 0) code = whole_answer(session, answer, strlen(answer));
  if (code >= 0) code = citestream_session_reset(session);
  if (code >= 0) code = whole_answer(session, answer, strlen(answer) * 2 / 3);
  if (code < 0 && session != NULL) CHECK(citestream_session_finish(session, NULL) == code);
  citestream_session_free(session);
  citestream_workspace_free(room);
  citestream_request_free(request);
  citestream_options_free(options);
  return code;
}

static void all_memory_comes_from_the_hooks(void) {
  struct memory memory = {0};
  citestream_allocator hooks = {
      .struct_size = sizeof hooks, .allocate = allocate, .release = release, .user = &memory};
  CHECK(citestream_set_allocator(&hooks) == CITESTREAM_OK);
  CHECK(whole_life(CITESTREAM_EVENTS, stream) == CITESTREAM_INCOMPLETE);
  CHECK(memory.total > 20 && memory.live == 0 && memory.foreign == 0);

  citestream_options* options = options_with(NULL, NULL);
  CHECK(citestream_set_allocator(NULL) == CITESTREAM_BAD_STATE);
  citestream_options_free(options);
  hooks.release = NULL;
  CHECK(citestream_set_allocator(&hooks) == CITESTREAM_BAD_ARGUMENT);
  CHECK(citestream_set_allocator(NULL) == CITESTREAM_OK);
}

/* Ten bytes always wait, as with a slow client. */
static void output_that_was_read_needs_no_memory(void) {
  static const char event[] = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a word\"}}]}\n\n";
  struct memory memory = {0};
  citestream_allocator hooks = {
      .struct_size = sizeof hooks, .allocate = allocate, .release = release, .user = &memory};
  CHECK(citestream_set_allocator(&hooks) == CITESTREAM_OK);
  citestream_options* options = options_with(NULL, NULL);
  citestream_session* session = session_of(options, CITESTREAM_EVENTS);
  char read[sizeof event];
  citestream_output out = {.struct_size = sizeof out, .data = read, .capacity = sizeof event - 11};
  size_t size = 0;
  for (int i = 0; i < 10000; ++i) {
    CHECK(citestream_session_write(session, event, sizeof event - 1, &out) == CITESTREAM_MORE);
    out.capacity = sizeof event - 1;
    size += out.size;
    CHECK(out.waiting == 10);
  }
  CHECK(size == 10000 * (sizeof event - 1) - 10);
  CHECK(memory.largest < 65536);
  citestream_session_free(session);
  citestream_options_free(options);
  CHECK(memory.live == 0 && citestream_set_allocator(NULL) == CITESTREAM_OK);
}

/* Each allocation fails once, alone or with all after it. */
static void memory_ends_anywhere(int mode, const char* answer) {
  for (int exhausted = 0; exhausted < 2; ++exhausted) {
    struct memory memory = {.exhausted = exhausted};
    citestream_allocator hooks = {
        .struct_size = sizeof hooks, .allocate = allocate, .release = release, .user = &memory};
    CHECK(citestream_set_allocator(&hooks) == CITESTREAM_OK);
    do {
      memory.total = 0;
      ++memory.fail_at;
      const int code = whole_life(mode, answer);
      CHECK(code == CITESTREAM_NO_MEMORY || memory.total < memory.fail_at);
      CHECK(memory.live == 0 && memory.foreign == 0);
    } while (memory.total >= memory.fail_at && memory.fail_at < 10000);
    CHECK(memory.fail_at > 100 && memory.fail_at < 10000); /* the last one never got so far */
    CHECK(citestream_set_allocator(NULL) == CITESTREAM_OK);
  }
}

static void memory_may_end_anywhere(void) {
  static char events[65536];
  static char spaces[32768];
  memset(spaces, ' ', sizeof spaces - 1);
  /* The parser of a large event has more room for strings, but not for values. */
  snprintf(events, sizeof events, "%sdata: {\"choices\":[]%s}\n\n%s", stream, spaces, stream);
  memory_ends_anywhere(CITESTREAM_EVENTS, stream);
  memory_ends_anywhere(CITESTREAM_EVENTS, events);
  memory_ends_anywhere(CITESTREAM_JSON, body);
}

static void every_code_has_a_message(void) {
  CHECK(strcmp(citestream_version(), CITESTREAM_VERSION) == 0);
  CHECK(citestream_version_number() == CITESTREAM_VERSION_NUMBER);
  for (int code = -10; code < 40; ++code) CHECK(citestream_message(code)[0] != '\0');
  CHECK(strcmp(citestream_message(CITESTREAM_EVENT_TOO_LARGE), "event exceeds max_event_bytes") == 0);
  CHECK(strcmp(citestream_message(CITESTREAM_INCOMPLETE), "the stream or body is incomplete") == 0);
  CHECK(strcmp(citestream_message(CITESTREAM_BAD_ARGUMENT), "an argument is null or out of range") == 0);
  CHECK(strcmp(citestream_message(CITESTREAM_BAD_STATE), "the call is not allowed in this state") == 0);
  CHECK(strcmp(citestream_message(CITESTREAM_STOPPED), "the sink returned an error") == 0);
  CHECK(strcmp(citestream_message(CITESTREAM_NO_MEMORY), citestream_message(12345)) != 0);
}

int main(int count, char** arguments) {
  static struct collected expected_output;
  const int hooks = count < 2 || strcmp(arguments[1], "--no-hooks") != 0;
  expected(&expected_output);
  a_sink_gets_what_a_view_shows(&expected_output);
  a_small_buffer_is_filled_again(&expected_output);
  sessions_of_a_workspace_share_what_is_released(&expected_output);
  events_and_citations_are_pulled();
  claims_are_checked();
  limits_of_verdicts_must_not_cross();
  a_body_leaves_at_its_end();
  a_body_is_bounded_at_every_cut();
  the_decision_is_the_proxys();
  options_say_what_is_wrong();
  foreign_addresses_are_made_inert();
  requests_are_rewritten_as_the_rules_say();
  an_answer_cites_its_request();
  an_answer_in_json_is_unchanged();
  misuse_of_requests_gives_codes();
  misuse_gives_codes();
  a_sink_cannot_call_its_session();
  structs_may_be_of_another_version();
  an_answer_that_breaks_off_says_so();
  every_code_has_a_message();
  if (hooks) all_memory_comes_from_the_hooks();
  if (hooks) output_that_was_read_needs_no_memory();
  if (hooks) memory_may_end_anywhere();
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
