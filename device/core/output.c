/* A memory stream that all launches print to, flushed to stdout when the host
 * synchronises. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "output.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *stream;
static char *text;
static size_t n_bytes;

void output_lock(void) { pthread_mutex_lock(&lock); }

void output_unlock(void) { pthread_mutex_unlock(&lock); }

FILE *output_stream(void)
{
  if (stream == NULL)
    stream = open_memstream(&text, &n_bytes);
  return stream;
}

void output_flush(void)
{
  output_lock();
  if (stream != NULL) {
    fclose(stream);
    stream = NULL;
    fwrite(text, 1, n_bytes, stdout);
    fflush(stdout);
    free(text);
  }
  output_unlock();
}

void output_at_exit(void)
{
  if (stream == NULL || fflush(stream) != 0 || n_bytes == 0)
    return;
  fprintf(stderr,
          "softdevice: %zu bytes of device printf were never shown: the "
          "program ended without\n  cudaDeviceSynchronize() or another call "
          "that waits for the device.\n",
          n_bytes);
}
