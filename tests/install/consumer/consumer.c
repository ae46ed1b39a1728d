#include <citestream/citestream.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  citestream_options* options = NULL;
  citestream_session* session = NULL;
  citestream_text out = {NULL, 0};
  int ok = citestream_options_create(&options) == CITESTREAM_OK &&
           citestream_session_create(options, CITESTREAM_EVENTS, NULL, &session) == CITESTREAM_OK &&
           citestream_session_write(session, ": a\n\n", 5, NULL) == CITESTREAM_OK &&
           citestream_session_take(session, &out) == CITESTREAM_OK && out.size == 5 &&
           strcmp(citestream_version(), CITESTREAM_VERSION) == 0;
  citestream_session_free(session);
  citestream_options_free(options);
  puts(citestream_version());
  return ok ? 0 : 1;
}
