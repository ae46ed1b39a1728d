/* How the directives become options.
 *
 * A directive that sets an option stores its text in location_conf and is checked at once, by setting the
 * option in an object that is then freed: so nginx reports the line of an invalid value. When nginx merges a
 * location with the one around it, missing texts are inherited. Only then, and only where the module is on,
 * all texts are set in the options that the sessions of the location use. */
#include "ngx_http_citestream_module.h"

static ngx_str_t default_types[] = {ngx_string("text/event-stream"),
                                    ngx_string("application/x-ndjson"),
                                    ngx_string("application/ndjson"),
                                    ngx_string("application/jsonl"),
                                    ngx_string("application/vnd.amazon.eventstream"),
                                    ngx_string("application/json"),
                                    ngx_null_string};

/* The text of a directive in a location_conf. */
static ngx_str_t* value_of(void* conf, const ngx_command_t* cmd) {
  return (ngx_str_t*)(void*)((char*)conf + cmd->offset);
}

static int set(citestream_options* options, const char* name, const ngx_str_t* value) {
  return citestream_options_set(options, name, (const char*)value->data, value->len);
}

/* Joins the arguments of a directive with commas. */
static ngx_int_t join(ngx_conf_t* cf, ngx_str_t* out) {
  const ngx_str_t* arguments = cf->args->elts; /* the first one is the name of the directive */
  size_t size = 0;
  for (ngx_uint_t i = 1; i < cf->args->nelts; ++i) size += arguments[i].len + 1;
  out->data = ngx_pnalloc(cf->pool, size);
  if (out->data == NULL) return NGX_ERROR;
  u_char* end = out->data;
  for (ngx_uint_t i = 1; i < cf->args->nelts; ++i) {
    if (i > 1) *end++ = ',';
    end = ngx_cpymem(end, arguments[i].data, arguments[i].len);
  }
  out->len = (size_t)(end - out->data);
  return NGX_OK;
}

char* citestream_conf_option(ngx_conf_t* cf, ngx_command_t* cmd, void* conf) {
  ngx_str_t* value = value_of(conf, cmd);
  if (value->data != NULL) return "is duplicate";
  if (join(cf, value) != NGX_OK) return NGX_CONF_ERROR;
  citestream_options* trial = NULL;
  if (citestream_options_create(&trial) != CITESTREAM_OK) return NGX_CONF_ERROR;
  const int code = set(trial, cmd->post, value);
  if (code != CITESTREAM_OK) {
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "citestream_%s",
                       citestream_options_problem(trial)); /* "NAME: ..." */
  }
  citestream_options_free(trial);
  return code == CITESTREAM_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}

void* citestream_create_location_conf(ngx_conf_t* cf) {
  location_conf* conf = ngx_pcalloc(cf->pool, sizeof(location_conf));
  if (conf != NULL) conf->on = NGX_CONF_UNSET;
  return conf;
}

static void free_options(void* options) {
  citestream_options_free(options);
}

static ngx_int_t make_options(ngx_conf_t* cf, location_conf* conf) {
  ngx_pool_cleanup_t* cleanup = ngx_pool_cleanup_add(cf->pool, 0);
  if (cleanup == NULL || citestream_options_create(&conf->options) != CITESTREAM_OK) return NGX_ERROR;
  cleanup->handler = free_options;
  cleanup->data = conf->options;
  for (const ngx_command_t* cmd = ngx_http_citestream_module.commands; cmd->name.len > 0; ++cmd) {
    if (cmd->set != citestream_conf_option) continue;
    const ngx_str_t* value = value_of(conf, cmd);
    if (value->len == 0) continue; /* the default of the option */
    if (set(conf->options, cmd->post, value) != CITESTREAM_OK) return NGX_ERROR;
  }
  const char* problem = citestream_options_problem(conf->options); /* options that exclude each other */
  if (*problem == '\0') return NGX_OK;
  ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "citestream_%s", problem);
  return NGX_ERROR;
}

char* citestream_merge_location_conf(ngx_conf_t* cf, void* parent, void* child) {
  const location_conf* from = parent;
  location_conf* to = child;
  ngx_conf_merge_value(to->on, from->on, 0);
  for (const ngx_command_t* cmd = ngx_http_citestream_module.commands; cmd->name.len > 0; ++cmd) {
    if (cmd->set != citestream_conf_option) continue;
    ngx_str_t* value = value_of(to, cmd);
    if (value->data == NULL) *value = *value_of(parent, cmd);
  }
  if (ngx_http_merge_types(cf, &to->types_keys, &to->types, (ngx_array_t**)&from->types_keys,
                           (ngx_hash_t*)&from->types, default_types) != NGX_OK) {
    return NGX_CONF_ERROR;
  }
  if (to->on && make_options(cf, to) != NGX_OK) return NGX_CONF_ERROR;
  return NGX_CONF_OK;
}
