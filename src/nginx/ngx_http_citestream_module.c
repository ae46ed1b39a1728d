/* The definition of the module: directives and variables. */
#include "ngx_http_citestream_module.h"

#define EVERYWHERE (NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF | NGX_HTTP_LIF_CONF)
#define OPTION(name, arguments)                                                        \
  {                                                                                    \
    ngx_string("citestream_" #name), EVERYWHERE | (arguments), citestream_conf_option, \
        NGX_HTTP_LOC_CONF_OFFSET, offsetof(location_conf, name), #name                 \
  }

static ngx_command_t commands[] = {
    {ngx_string("citestream"), EVERYWHERE | NGX_CONF_FLAG, ngx_conf_set_flag_slot, NGX_HTTP_LOC_CONF_OFFSET,
     offsetof(location_conf, on), NULL},
    OPTION(style, NGX_CONF_TAKE1),
    OPTION(markers, NGX_CONF_1MORE),
    OPTION(offsets, NGX_CONF_TAKE1),
    OPTION(file_url, NGX_CONF_TAKE1),
    OPTION(unresolved, NGX_CONF_TAKE1),
    OPTION(repair, NGX_CONF_TAKE1),
    OPTION(check, NGX_CONF_TAKE1),
    OPTION(supported, NGX_CONF_TAKE1),
    OPTION(not_found, NGX_CONF_TAKE1),
    OPTION(egress, NGX_CONF_TAKE1),
    OPTION(egress_code, NGX_CONF_TAKE1),
    OPTION(egress_allow, NGX_CONF_1MORE),
    {ngx_string("citestream_types"), EVERYWHERE | NGX_CONF_1MORE, ngx_http_types_slot,
     NGX_HTTP_LOC_CONF_OFFSET, offsetof(location_conf, types_keys), NULL},
    ngx_null_command};

/* Returns a counter. `data` is its offset in citestream_statistics. Not found if the answer is not rewritten.
 */
static ngx_int_t counter_variable(ngx_http_request_t* r, ngx_http_variable_value_t* v, uintptr_t data) {
  const answer_state* answer = ngx_http_get_module_ctx(r->main, ngx_http_citestream_module);
  citestream_statistics all;
  ngx_memzero(&all, sizeof(all));
  all.struct_size = sizeof(all);
  v->not_found = 1;
  if (answer == NULL || citestream_session_statistics(answer->session, &all) != CITESTREAM_OK) return NGX_OK;
  v->data = ngx_pnalloc(r->pool, NGX_INT64_LEN);
  if (v->data == NULL) return NGX_ERROR;
  const uint64_t count = *(const uint64_t*)((const char*)&all + data);
  v->len = (unsigned)(ngx_sprintf(v->data, "%uL", count) - v->data) & 0xfffffff;
  v->valid = 1;
  v->not_found = 0;
  return NGX_OK;
}

static ngx_http_variable_t variables[] = {
    {ngx_string("citestream_citations"), NULL, counter_variable, offsetof(citestream_statistics, citations),
     NGX_HTTP_VAR_NOCACHEABLE, 0},
    {ngx_string("citestream_unresolved"), NULL, counter_variable, offsetof(citestream_statistics, unresolved),
     NGX_HTTP_VAR_NOCACHEABLE, 0},
    ngx_http_null_variable};

static ngx_int_t add_variables(ngx_conf_t* cf) {
  for (ngx_http_variable_t* one = variables; one->name.len != 0; ++one) {
    ngx_http_variable_t* added = ngx_http_add_variable(cf, &one->name, one->flags);
    if (added == NULL) return NGX_ERROR;
    added->get_handler = one->get_handler;
    added->data = one->data;
  }
  return NGX_OK;
}

static ngx_http_module_t context = {
    add_variables,
    citestream_install_filters,
    NULL,
    NULL,
    NULL,
    NULL,
    citestream_create_location_conf,
    citestream_merge_location_conf,
};

ngx_module_t ngx_http_citestream_module = {
    NGX_MODULE_V1, &context, commands, NGX_HTTP_MODULE,         NULL, NULL,
    NULL,          NULL,     NULL,     citestream_exit_process, NULL, NGX_MODULE_V1_PADDING};
