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

/** The configuration of a location. */
typedef struct {
  ngx_flag_t on;
  /* Texts of options, down to egress_allow; .data is NULL without a directive. */
  ngx_str_t style;
  ngx_str_t markers;
  ngx_str_t offsets;
  ngx_str_t file_url;
  ngx_str_t unresolved;
  ngx_str_t repair;
  ngx_str_t check;
  ngx_str_t supported;
  ngx_str_t not_found;
  ngx_str_t egress;
  ngx_str_t egress_code;
  ngx_str_t egress_allow;
  ngx_hash_t types; /* media types of answers to rewrite */
  ngx_array_t* types_keys;
  citestream_options* options; /* with the texts above; NULL if the module is off */
} location_conf;

/** One answer that is rewritten. */
typedef struct {
  citestream_session* session; /* lives as long as the request's pool */
  ngx_chain_t* in;             /* unread input: all of `data` has to be sent first */
  ngx_buf_t data;              /* the last output; its bytes belong to the session */
  size_t held; /* input bytes whose output was not sent yet; if not 0 between calls, output is delayed */
  ngx_msec_t last_arrival; /* time of the last input */
  unsigned events : 1;     /* an event stream; otherwise one JSON body */
  unsigned upstream : 1;   /* the answer is from an upstream, which may fail */
  unsigned broken : 1;     /* the upstream has failed */
  unsigned reported : 1;   /* a problem was written to the error log */
  unsigned over : 1;       /* the answer has ended; `data` is the last output */
} answer_state;

extern ngx_module_t ngx_http_citestream_module;

/** Handles a directive that sets an option. \p cmd->post is the name of the option. */
char* citestream_conf_option(ngx_conf_t* cf, ngx_command_t* cmd, void* conf);
void* citestream_create_location_conf(ngx_conf_t* cf);
char* citestream_merge_location_conf(ngx_conf_t* cf, void* parent, void* child);

/** Adds the two filters to nginx's chains. */
ngx_int_t citestream_install_filters(ngx_conf_t* cf);
/** Frees the memory that all sessions of this process share. */
void citestream_exit_process(ngx_cycle_t* cycle);

#endif
