/**
 * \file
 * An nginx module that rewrites the answers of language models: a body filter over the C interface.
 */
#ifndef CITESTREAM_NGINX_MODULE_H
#define CITESTREAM_NGINX_MODULE_H

#include <citestream/citestream.h>

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

/** What a location is told. */
typedef struct {
  ngx_flag_t on;
  ngx_str_t style; /* these as the C interface takes them; .data NULL: not said */
  ngx_str_t markers;
  ngx_str_t offsets;
  ngx_str_t file_url;
  ngx_hash_t types; /* of answers that are rewritten */
  ngx_array_t* types_keys;
  citestream_options* options; /* of all these; NULL where it is off */
} location_conf;

/** One answer that is rewritten. */
typedef struct {
  citestream_session* session; /* lives as long as the request's pool */
  ngx_chain_t* in;             /* not read yet, because the client has not taken `data` */
  ngx_buf_t data;              /* what the session released last: its bytes are the session's */
  size_t held;                 /* bytes read since output left last; between calls: of what waits for more */
  ngx_msec_t last_arrival;
  unsigned events : 1;   /* an event stream; else one JSON body */
  unsigned upstream : 1; /* it comes from an upstream, which may break off */
  unsigned broken : 1;   /* the upstream did */
  unsigned reported : 1; /* a problem stands in the error log */
  unsigned over : 1;     /* all that is left for the client stands in `data` */
} answer_state;

extern ngx_module_t ngx_http_citestream_module;

/** Directives of a location: \p cmd->post is the option's name. */
char* citestream_conf_option(ngx_conf_t* cf, ngx_command_t* cmd, void* conf);
void* citestream_create_location_conf(ngx_conf_t* cf);
char* citestream_merge_location_conf(ngx_conf_t* cf, void* parent, void* child);

/** Puts the two filters into nginx's chains. */
ngx_int_t citestream_install_filters(ngx_conf_t* cf);
/** Frees what sessions of this process share. */
void citestream_exit_process(ngx_cycle_t* cycle);

#endif
