/* stream FILE ROUNDS: rewrites the stream in FILE ROUNDS times, in reads of 16 KB, like a gateway in C.
 */
#include <citestream/citestream.h>

#include <stdio.h>
#include <stdlib.h>

int main(int count, char** arguments) {
  static char all[1 << 22];
  citestream_options* options = NULL;
  citestream_session* session = NULL;
  citestream_text out;
  size_t size = 0;
  FILE* file = count > 2 ? fopen(arguments[1], "rb") : NULL;
  if (file == NULL) return 2;
  const size_t length = fread(all, 1, sizeof(all), file);
  fclose(file);
  if (citestream_options_create(&options) != CITESTREAM_OK ||
      citestream_session_create(options, CITESTREAM_EVENTS, NULL, &session) != CITESTREAM_OK) {
    return 1;
  }
  for (int round = atoi(arguments[2]); round > 0; --round) {
    for (size_t at = 0; at < length; at += 16384) {
      citestream_session_write(session, all + at, length - at < 16384 ? length - at : 16384, NULL);
      if (citestream_session_take(session, &out) == CITESTREAM_OK) size += out.size;
    }
    citestream_session_finish(session, NULL);
    if (citestream_session_take(session, &out) == CITESTREAM_OK) size += out.size;
    citestream_session_reset(session);
  }
  citestream_session_free(session);
  citestream_options_free(options);
  return size == 0 && atoi(arguments[2]) > 0 ? 1 : 0;
}
