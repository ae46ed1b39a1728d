/* How the filters work.
 *
 * The header filter decides by the response's head whether the answer is rewritten, and creates a session.
 * The body filter feeds the session and sends its output in one buffer, `data`, whose bytes belong to the
 * session.
 *
 * Back-pressure: while the client has not received all of `data`, new input stays unread in `in`, and a bit
 * in `buffered` makes nginx stop reading from the upstream.
 *
 * Output is sent at once, unless nginx is about to read more bytes that fit into the same write (reads_on()).
 * The session copies its input, so input buffers are free after feed(). */
#include "ngx_http_citestream_module.h"

/* A bit of c->buffered that no nginx module uses. It is set while this filter delays input or output. */
#define CITESTREAM_BUFFERED 0x40

/* Output may be delayed for input that nginx is about to read, up to this many bytes, the size of a TLS
   record. A write costs more than rewriting the bytes. */
#define CITESTREAM_LARGEST_WRITE 16384

static ngx_http_output_header_filter_pt next_header_filter;
static ngx_http_output_body_filter_pt next_body_filter;

/* Memory for parsing, shared by all sessions of a worker, because only one of them runs at a time. */
static citestream_workspace* workspace;

static citestream_text text(const ngx_str_t* from) {
  citestream_text out = {(const char*)from->data, from->data == NULL ? 0 : from->len};
  return out;
}

/* Returns the library's decision, a citestream_rewrite_mode. Types added by the configuration are treated as
   event streams. */
static int rewrite_mode_of(ngx_http_request_t* r, location_conf* conf) {
  if (ngx_http_test_content_type(r, &conf->types) == NULL) return CITESTREAM_PASS;
  static const ngx_str_t stream = ngx_string("text/event-stream");
  static const ngx_str_t json = ngx_string("application/json");
  ngx_str_t type = r->headers_out.content_type;
  type.len = ngx_min(type.len, r->headers_out.content_type_len);
  const int is_json = type.len == json.len && ngx_strncasecmp(type.data, json.data, json.len) == 0;
  const ngx_table_elt_t* coding = r->headers_out.content_encoding;

  citestream_answer_facts facts;
  ngx_memzero(&facts, sizeof(facts));
  facts.struct_size = sizeof(facts);
  facts.status = (int32_t)r->headers_out.status;
  facts.method = text(&r->method_name);
  facts.path = text(&r->uri);
  facts.content_type = text(is_json || conf->types.size == 0 ? &type : &stream);
  if (coding != NULL && coding->hash != 0) facts.content_encoding = text(&coding->value);
  return citestream_decide(conf->options, &facts);
}

/* Removes the fields that describe the exact bytes of the body, or ranges of it. */
static void drop_fields_of_exact_bytes(ngx_http_request_t* r) {
  static const ngx_str_t names[] = {ngx_string("Content-MD5"), ngx_string("Digest"),
                                    ngx_string("Content-Digest"), ngx_string("Repr-Digest")};
  ngx_http_clear_content_length(r);
  ngx_http_clear_accept_ranges(r);
  ngx_http_clear_etag(r);
  for (ngx_list_part_t* part = &r->headers_out.headers.part; part != NULL; part = part->next) {
    ngx_table_elt_t* fields = part->elts;
    for (ngx_uint_t i = 0; i < part->nelts; ++i) {
      for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); ++n) {
        const ngx_str_t* key = &fields[i].key;
        if (key->len != names[n].len || ngx_strncasecmp(key->data, names[n].data, key->len) != 0) continue;
        fields[i].hash = 0; /* nginx does not send fields with this value */
      }
    }
  }
}

static void free_session(void* session) {
  citestream_session_free(session);
}

static ngx_int_t begin(ngx_http_request_t* r, const citestream_options* options, int mode) {
  answer_state* answer = ngx_pcalloc(r->pool, sizeof(answer_state));
  ngx_pool_cleanup_t* cleanup = ngx_pool_cleanup_add(r->pool, 0);
  if (answer == NULL || cleanup == NULL) return NGX_ERROR;
  if (workspace == NULL && citestream_workspace_create(&workspace) != CITESTREAM_OK) return NGX_ERROR;
  if (citestream_session_create(options, mode, workspace, &answer->session) != CITESTREAM_OK)
    return NGX_ERROR;
  cleanup->handler = free_session;
  cleanup->data = answer->session;
  answer->events = mode == CITESTREAM_EVENTS;
  answer->upstream = r->upstream != NULL && r->upstream->cleanup != NULL;
  answer->last_arrival = ngx_current_msec;
  ngx_http_set_ctx(r, answer, ngx_http_citestream_module);
  r->filter_need_in_memory = 1;
  return NGX_OK;
}

static ngx_int_t header_filter(ngx_http_request_t* r) {
  location_conf* conf = ngx_http_get_module_loc_conf(r, ngx_http_citestream_module);
  const ngx_uint_t status = r->headers_out.status;
  const int empty = status == NGX_HTTP_NO_CONTENT || r->headers_out.content_length_n == 0;
  if (conf->options == NULL || r != r->main || empty) return next_header_filter(r);
  if (ngx_http_get_module_ctx(r, ngx_http_citestream_module) != NULL) return next_header_filter(r);
  const int mode = rewrite_mode_of(r, conf);
  if (mode != CITESTREAM_EVENTS && mode != CITESTREAM_JSON) return next_header_filter(r);
  drop_fields_of_exact_bytes(r);
  if (r->header_only || r->method == NGX_HTTP_HEAD) return next_header_filter(r);
  if (begin(r, conf->options, mode) != NGX_OK) return NGX_ERROR;
  return next_header_filter(r);
}

/* Returns whether the upstream has failed. nginx shows this only indirectly: its upstream request is closed,
   and an empty flush arrives without last_buf. Input without that flush was buffered earlier, perhaps in a
   file. */
static int has_broken_off(const ngx_http_request_t* r, const answer_state* answer, const ngx_chain_t* in) {
  if (!answer->upstream || r->upstream->cleanup != NULL) return 0;
  int flush = 0;
  for (; in != NULL; in = in->next) {
    if (in->buf->last_buf) return 0;
    flush |= in->buf->flush && ngx_buf_size(in->buf) == 0;
  }
  return flush;
}

/* Logs the first code that is not OK. Codes below 0 end the request. Codes above 0 are about single events,
   which passed through unchanged. */
static ngx_int_t result_of(ngx_http_request_t* r, answer_state* answer, int code) {
  if (code != CITESTREAM_OK && !answer->reported) {
    const ngx_uint_t level = code < 0 ? NGX_LOG_ALERT : NGX_LOG_INFO;
    ngx_log_error(level, r->connection->log, 0, "citestream: %s", citestream_message(code));
    answer->reported = 1;
  }
  return code < 0 ? NGX_ERROR : NGX_OK;
}

/* Feeds the session all unread input. Sets *last if the input has the end of the answer, *flush if it has a
 * flush. */
static ngx_int_t feed(ngx_http_request_t* r, answer_state* answer, int* last, int* flush) {
  while (answer->in != NULL) {
    ngx_chain_t* link = answer->in;
    ngx_buf_t* from = link->buf;
    if (ngx_buf_in_memory(from) && from->last != from->pos) {
      const int code = citestream_session_write(answer->session, (const char*)from->pos,
                                                (size_t)(from->last - from->pos), NULL);
      if (result_of(r, answer, code) != NGX_OK) return NGX_ERROR;
      answer->held += (size_t)(from->last - from->pos);
      from->pos = from->last;
    }
    *last |= from->last_buf;
    *flush |= from->flush;
    answer->in = link->next;
    ngx_free_chain(r->pool, link);
  }
  return NGX_OK;
}

/* Ends the answer. Sets *last to 0 if the answer is incomplete, so that the client does not see a proper end.
 */
static ngx_int_t end(ngx_http_request_t* r, answer_state* answer, int* last) {
  int code = 0;
  answer->over = 1;
  if (answer->broken) {
    /* nginx does not report whether the upstream closed or timed out, so the time since the last input
       decides. nginx's timers may expire early by NGX_TIMER_LAZY_DELAY. */
    const ngx_msec_t silence = ngx_current_msec - answer->last_arrival + NGX_TIMER_LAZY_DELAY;
    const int silent = silence >= r->upstream->conf->read_timeout;
    code = silent ? citestream_session_abort(answer->session, "the upstream stopped sending",
                                             "upstream_timeout", NULL)
                  : citestream_session_abort(answer->session, "the upstream closed the connection early",
                                             "upstream_closed", NULL);
    *last = 0;
  } else {
    code = citestream_session_finish(answer->session, NULL);
    if (code == CITESTREAM_INCOMPLETE) *last = 0;
  }
  /* If last_buf is missing, no last chunk or END_STREAM is sent, and clients see the end as a failure. */
  if (!*last) r->keepalive = 0;
  return result_of(r, answer, code);
}

/* Returns whether nginx will read from the upstream immediately after this call, and then call this filter
   again. It does if the kernel has bytes for it (ngx_unix_recv() sets `available`) and its buffer is free,
   because all of it was read here. The exception is an invalid transfer coding: then nginx ends the request,
   and the delayed output is lost. With TLS, available bytes may contain no data, so the answer is 0. */
static int reads_on(const ngx_http_request_t* r) {
#if (nginx_version >= 1017005)
  const ngx_http_upstream_t* upstream = r->upstream;
  if (upstream == NULL || upstream->buffering || upstream->upgrade || upstream->busy_bufs != NULL) return 0;
  const ngx_connection_t* from = upstream->peer.connection;
  if (from == NULL || !from->read->ready || from->read->available <= 0) return 0;
#if (NGX_SSL || NGX_COMPAT) /* nginx may have TLS even if these headers were configured without it */
  if (from->ssl != NULL) return 0;
#endif
  for (const ngx_chain_t* link = upstream->out_bufs; link != NULL; link = link->next) {
    if (ngx_buf_size(link->buf) != 0) return 0;
  }
  return 1;
#else
  (void)r;
  return 0;
#endif
}

/* Sends all output of the session in one buffer. */
static ngx_int_t release(ngx_http_request_t* r, answer_state* answer, int last, int flush) {
  static ngx_buf_t flush_buf = {.flush = 1};
  citestream_text out;
  if (result_of(r, answer, citestream_session_take(answer->session, &out)) != NGX_OK) return NGX_ERROR;
  ngx_buf_t* data = &answer->data;
  ngx_chain_t tail = {&flush_buf, NULL};
  ngx_chain_t head = {data, NULL};
  if (last) {
    tail.buf = ngx_calloc_buf(r->pool);
    if (tail.buf == NULL) return NGX_ERROR;
    tail.buf->last_buf = tail.buf->last_in_chain = 1;
  }
  answer->held = 0;
  if (out.size == 0) return last || flush ? next_body_filter(r, &tail) : NGX_OK;
  ngx_memzero(data, sizeof(*data));
  data->start = data->pos = (u_char*)(uintptr_t)out.data;
  data->end = data->last = data->pos + out.size;
  data->memory = 1;
  data->flush = 1;
  data->tag = (ngx_buf_tag_t)&ngx_http_citestream_module;
  if (last) head.next = &tail;
  const ngx_int_t rc = next_body_filter(r, &head);
  /* The next session reuses this memory, which is in the processor's cache. */
  if (data->pos == data->last) citestream_session_release(answer->session);
  return rc;
}

static ngx_int_t body_filter(ngx_http_request_t* r, ngx_chain_t* in) {
  answer_state* answer = ngx_http_get_module_ctx(r, ngx_http_citestream_module);
  if (answer == NULL || answer->over || r != r->main) return next_body_filter(r, in);
  const ngx_buf_t* data = &answer->data;
  const int holds = answer->held != 0;
  ngx_int_t rc = NGX_OK;
  if (in != NULL) {
    if (ngx_chain_add_copy(r->pool, &answer->in, in) != NGX_OK) return NGX_ERROR;
    if (has_broken_off(r, answer, in)) answer->broken = 1;
    if (!answer->broken) answer->last_arrival = ngx_current_msec;
  }
  /* If this filter delays output, later filters may have nothing to send, and nginx's write filter logs an
     error for an empty call. */
  if ((in == NULL && !holds) || data->pos != data->last) {
    rc = next_body_filter(r, NULL);
    /* The client does not read: input stays here unread, and nginx stops reading from the upstream. */
    if (data->pos != data->last && answer->in != NULL) r->connection->buffered |= CITESTREAM_BUFFERED;
    if (data->pos != data->last || rc == NGX_ERROR) return rc;
  }
  r->connection->buffered &= (unsigned)~CITESTREAM_BUFFERED & 0xff;
  if (answer->in == NULL && !holds) return rc;
  int last = 0;
  int flush = holds; /* the delayed input arrived with a flush */
  if (feed(r, answer, &last, &flush) != NGX_OK) return NGX_ERROR;
  if ((last || answer->broken) && end(r, answer, &last) != NGX_OK) return NGX_ERROR;
  const int more_fits = answer->held != 0 && answer->held < CITESTREAM_LARGEST_WRITE;
  if (in != NULL && !answer->over && more_fits && reads_on(r)) {
    r->connection->buffered |= CITESTREAM_BUFFERED; /* makes nginx call this filter even without new input */
    return NGX_OK;
  }
  return release(r, answer, last, (flush && answer->events) || answer->over);
}

ngx_int_t citestream_install_filters(ngx_conf_t* cf) {
  (void)cf;
  next_header_filter = ngx_http_top_header_filter;
  ngx_http_top_header_filter = header_filter;
  next_body_filter = ngx_http_top_body_filter;
  ngx_http_top_body_filter = body_filter;
  return NGX_OK;
}

void citestream_exit_process(ngx_cycle_t* cycle) {
  (void)cycle;
  citestream_workspace_free(workspace);
  workspace = NULL;
}
