#include <citestream/citestream.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  citestream_options* options = NULL;
  citestream_session* session = NULL;
  citestream_text out = {NULL, 0};
  char bytes[16384];
  ssize_t count;
  if (citestream_options_create(&options) < 0) return 1;
  if (citestream_options_set(options, "style", "numeric", CITESTREAM_NUL_TERMINATED) < 0) return 1;
  if (citestream_session_create(options, CITESTREAM_EVENTS, NULL, &session) < 0) return 1;
  while ((count = read(STDIN_FILENO, bytes, sizeof bytes)) > 0) {
    if (citestream_session_write(session, bytes, (size_t)count, NULL) < 0) return 1;
    citestream_session_take(session, &out);
    fwrite(out.data, 1, out.size, stdout);
    fflush(stdout);
  }
  const int end = citestream_session_finish(session, NULL);
  citestream_session_take(session, &out);
  fwrite(out.data, 1, out.size, stdout);
  citestream_session_free(session);
  citestream_options_free(options);
  return end == CITESTREAM_OK ? 0 : 1;
}
