/* The directives of a location, checked while nginx reads its configuration. */
#include "module.h"

static ngx_str_t default_types[] = {ngx_string("text/event-stream"), ngx_string("application/json"),
                                    ngx_null_string};

static int set(citestream_options* options, const char* name, const ngx_str_t* value) {
  return citestream_options_set(options, name, (const char*)value->data, value->len);
}

/* Joins the arguments of a directive with commas. */
static ngx_int_t join(ngx_conf_t* cf, ngx_str_t* out) {
  const ngx_str_t* said = cf->args->elts;
  size_t size = 0;
  for (ngx_uint_t i = 1; i < cf->args->nelts; ++i) size += said[i].len + 1;
  out->data = ngx_pnalloc(cf->pool, size);
  if (out->data == NULL) return NGX_ERROR;
  u_char* end = out->data;
  for (ngx_uint_t i = 1; i < cf->args->nelts; ++i) {
    if (i > 1) *end++ = ',';
    end = ngx_cpymem(end, said[i].data, said[i].len);
  }
  out->len = (size_t)(end - out->data);
  return NGX_OK;
}

char* citestream_conf_option(ngx_conf_t* cf, ngx_command_t* cmd, void* conf) {
  ngx_str_t* value = (ngx_str_t*)(void*)((char*)conf + cmd->offset);
  if (value->data != NULL) return "is duplicate";
  if (join(cf, value) != NGX_OK) return NGX_CONF_ERROR;
  citestream_options* tried = NULL;
  if (citestream_options_create(&tried) != CITESTREAM_OK) return NGX_CONF_ERROR;
  const int code = set(tried, cmd->post, value);
  if (code != CITESTREAM_OK) {
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "citestream_%s", citestream_options_problem(tried));
  }
  citestream_options_free(tried);
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
  const struct {
    const char* name;
    const ngx_str_t* value;
  } all[] = {{"style", &conf->style},
             {"markers", &conf->markers},
             {"offsets", &conf->offsets},
             {"file_url", &conf->file_url}};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i) {
    if (all[i].value->data == NULL || all[i].value->len == 0) continue; /* the library's default */
    if (set(conf->options, all[i].name, all[i].value) != CITESTREAM_OK) return NGX_ERROR;
  }
  return NGX_OK;
}

char* citestream_merge_location_conf(ngx_conf_t* cf, void* parent, void* child) {
  const location_conf* from = parent;
  location_conf* to = child;
  ngx_conf_merge_value(to->on, from->on, 0);
  ngx_conf_merge_str_value(to->style, from->style, "");
  ngx_conf_merge_str_value(to->markers, from->markers, "");
  ngx_conf_merge_str_value(to->offsets, from->offsets, "");
  ngx_conf_merge_str_value(to->file_url, from->file_url, "");
  if (ngx_http_merge_types(cf, &to->types_keys, &to->types, (ngx_array_t**)&from->types_keys,
                           (ngx_hash_t*)&from->types, default_types) != NGX_OK) {
    return NGX_CONF_ERROR;
  }
  if (to->on && make_options(cf, to) != NGX_OK) return NGX_CONF_ERROR;
  return NGX_CONF_OK;
}
