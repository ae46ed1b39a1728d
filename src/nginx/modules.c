/* The tables that nginx reads from a dynamic module. */
#include <ngx_config.h>
#include <ngx_core.h>

#define EXPORTED __attribute__((visibility("default")))

extern ngx_module_t ngx_http_citestream_module;

EXPORTED extern ngx_module_t* ngx_modules[];
EXPORTED extern char* ngx_module_names[];
EXPORTED extern char* ngx_module_order[];

ngx_module_t* ngx_modules[] = {&ngx_http_citestream_module, NULL};
char* ngx_module_names[] = {"ngx_http_citestream_module", NULL};
/* Listed before the copy filter, so it runs after it: bodies are in memory and not yet compressed. */
char* ngx_module_order[] = {"ngx_http_citestream_module", "ngx_http_copy_filter_module", NULL};
