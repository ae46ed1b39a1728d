/* The two filters: the head says what is done with an answer, the body is done it to. */
#include "module.h"

/* A bit of c->buffered that no module of nginx's uses: bytes wait here until the client has taken others. */
#define CITESTREAM_BUFFERED 0x40

/* What has been read leaves at once, or together with what nginx is about to read: up to so many bytes, as many as
   one TLS record has. Each write costs more than all that is done to the bytes. */
#define CITESTREAM_LARGEST_WRITE 16384

static ngx_http_output_header_filter_pt next_header_filter;
static ngx_http_output_body_filter_pt next_body_filter;

/* Room to parse in, for all sessions of a worker: only one of them is at work at a time. */
static citestream_workspace* workspace;

static citestream_text text(const ngx_str_t* from) {
  citestream_text out = {(const char*)from->data, from->data == NULL ? 0 : from->len};
  return out;
}

/* A citestream_treatment, as the library decides on the types that it knows. A type that the configuration
   adds is taken for an event stream. */
static int treatment_of(ngx_http_request_t* r, location_conf* conf) {
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

/* What is said about exact bytes, or parts of them, is no longer true. */
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
        fields[i].hash = 0; /* nginx's way to leave a field out */
      }
    }
  }
}

static void free_session(void* session) {
  citestream_session_free(session);
}

static ngx_int_t begin(ngx_http_request_t* r, const citestream_options* options, int how) {
  answer_state* answer = ngx_pcalloc(r->pool, sizeof(answer_state));
  ngx_pool_cleanup_t* cleanup = ngx_pool_cleanup_add(r->pool, 0);
  if (answer == NULL || cleanup == NULL) return NGX_ERROR;
  if (workspace == NULL && citestream_workspace_create(&workspace) != CITESTREAM_OK) return NGX_ERROR;
  if (citestream_session_create(options, how, workspace, &answer->session) != CITESTREAM_OK) return NGX_ERROR;
  cleanup->handler = free_session;
  cleanup->data = answer->session;
  answer->events = how == CITESTREAM_EVENTS;
  answer->upstream = r->upstream != NULL && r->upstream->cleanup != NULL;
  answer->last_arrival = ngx_current_msec;
  ngx_http_set_ctx(r, answer, ngx_http_citestream_module);
  r->filter_need_in_memory = 1;
  return NGX_OK;
}

static ngx_int_t header_filter(ngx_http_request_t* r) {
  location_conf* conf = ngx_http_get_module_loc_conf(r, ngx_http_citestream_module);
  const ngx_uint_t status = r->headers_out.status;
  if (conf->options == NULL || r != r->main || status == NGX_HTTP_NO_CONTENT) return next_header_filter(r);
  if (ngx_http_get_module_ctx(r, ngx_http_citestream_module) != NULL) return next_header_filter(r);
  const int how = treatment_of(r, conf);
  if (how != CITESTREAM_EVENTS && how != CITESTREAM_JSON) return next_header_filter(r);
  drop_fields_of_exact_bytes(r);
  if (r->header_only || r->method == NGX_HTTP_HEAD) return next_header_filter(r);
  if (begin(r, conf->options, how) != NGX_OK) return NGX_ERROR;
  return next_header_filter(r);
}

/* Whether nginx says, by a flush of nothing behind which no end comes, that the upstream has broken off. Without
   the flush it is what nginx had put by, in a file perhaps, and the client takes only now. */
static int has_broken_off(const ngx_http_request_t* r, const answer_state* answer, const ngx_chain_t* in) {
  if (!answer->upstream || r->upstream->cleanup != NULL) return 0;
  int flush = 0;
  for (; in != NULL; in = in->next) {
    if (in->buf->last_buf) return 0;
    flush |= in->buf->flush && ngx_buf_size(in->buf) == 0;
  }
  return flush;
}

/* Below 0: it cannot go on. Above 0 a code is about single events, which have passed as they came. */
static ngx_int_t check(ngx_http_request_t* r, answer_state* answer, int code) {
  if (code != CITESTREAM_OK && !answer->reported) {
    const ngx_uint_t level = code < 0 ? NGX_LOG_ALERT : NGX_LOG_INFO;
    ngx_log_error(level, r->connection->log, 0, "citestream: %s", citestream_message(code));
    answer->reported = 1;
  }
  return code < 0 ? NGX_ERROR : NGX_OK;
}

/* Gives the session all that waits. Sets *last where the answer's end is among it, *flush where a flush is.
 */
static ngx_int_t feed(ngx_http_request_t* r, answer_state* answer, int* last, int* flush) {
  while (answer->in != NULL) {
    ngx_chain_t* link = answer->in;
    ngx_buf_t* from = link->buf;
    if (ngx_buf_in_memory(from) && from->last != from->pos) {
      const int code = citestream_session_write(answer->session, (const char*)from->pos,
                                                (size_t)(from->last - from->pos), NULL);
      if (check(r, answer, code) != NGX_OK) return NGX_ERROR;
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

/* The end, of whichever kind. Sets *last to 0 where the client must not take it for one. */
static ngx_int_t end(ngx_http_request_t* r, answer_state* answer, int* last) {
  int code = 0;
  answer->over = 1;
  if (answer->broken) {
    /* nginx does not say which it was. A timer of its may run out that much too early. */
    const ngx_msec_t silence = ngx_current_msec - answer->last_arrival + NGX_TIMER_LAZY_DELAY;
    const int silent = silence >= r->upstream->conf->read_timeout;
    code = silent ? citestream_session_abort(answer->session, "the upstream stopped sending", "upstream_timeout",
                                             NULL)
                  : citestream_session_abort(answer->session, "the upstream closed the connection early",
                                             "upstream_closed", NULL);
    *last = 0;
  } else {
    code = citestream_session_finish(answer->session, NULL);
    if (code == CITESTREAM_INCOMPLETE) *last = 0;
  }
  /* Without the last chunk, or HTTP/2's END_STREAM, the connection's or stream's end is a failure. */
  if (!*last) r->keepalive = 0;
  return check(r, answer, code);
}

/* Whether nginx reads on at once, so that this filter is called again whatever comes of it. It does where it has
   asked the kernel, which has bytes for it (ngx_unix_recv() sets `available` so), and where its buffer is free: all
   that was in it has been read here. Only where those bytes break the transfer coding it just ends, and what it has
   read goes with them. An upstream with TLS may have bytes and nothing to read in them. */
static int reads_on(const ngx_http_request_t* r) {
#if (nginx_version >= 1017005)
  const ngx_http_upstream_t* upstream = r->upstream;
  if (upstream == NULL || upstream->buffering || upstream->upgrade || upstream->busy_bufs != NULL) return 0;
  const ngx_connection_t* from = upstream->peer.connection;
  if (from == NULL || !from->read->ready || from->read->available <= 0) return 0;
#if (NGX_SSL || NGX_COMPAT) /* nginx may have TLS where these headers were made without */
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

/* Everything that the session has released leaves in one buffer, at once. */
static ngx_int_t release(ngx_http_request_t* r, answer_state* answer, int last, int flush) {
  static ngx_buf_t flush_buf = {.flush = 1};
  citestream_text out;
  if (check(r, answer, citestream_session_take(answer->session, &out)) != NGX_OK) return NGX_ERROR;
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
  /* The next answer's output then stands where this one's stood: in the cache. */
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
  /* Where output is held here nothing need be behind, and nginx's last filter takes a call with nothing for it
     amiss. */
  if ((in == NULL && !holds) || data->pos != data->last) {
    rc = next_body_filter(r, NULL);
    /* The client takes no more for now: what came waits unread, and nginx stops reading from the upstream. */
    if (data->pos != data->last && answer->in != NULL) r->connection->buffered |= CITESTREAM_BUFFERED;
    if (data->pos != data->last || rc == NGX_ERROR) return rc;
  }
  r->connection->buffered &= (unsigned)~CITESTREAM_BUFFERED & 0xff;
  if (answer->in == NULL && !holds) return rc;
  int last = 0;
  int flush = holds; /* what was read then came with one */
  if (feed(r, answer, &last, &flush) != NGX_OK) return NGX_ERROR;
  if ((last || answer->broken) && end(r, answer, &last) != NGX_OK) return NGX_ERROR;
  const int more_fits = answer->held != 0 && answer->held < CITESTREAM_LARGEST_WRITE;
  if (in != NULL && !answer->over && more_fits && reads_on(r)) {
    r->connection->buffered |= CITESTREAM_BUFFERED; /* nginx calls with nothing, too */
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
