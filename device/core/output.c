/* A memory stream that all launches print to, flushed to stdout when the host
 * synchronises. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "output.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *stream;
static char *text;
static size_t n_bytes;

void output_lock(void) { pthread_mutex_lock(&lock); }

void output_unlock(void) { pthread_mutex_unlock(&lock); }

/* Where the text of each of the last threads begins, as a ring. */
static struct {
  size_t *begin;
  size_t most, n, first; /* `first` is the oldest of `n` */
  size_t lost;
  size_t end; /* of the last one's text */
} printed;

void output_note(size_t most)
{
  if (printed.begin == NULL) {
    printed.begin = host_new(most, sizeof *printed.begin);
    printed.most = most;
  }
  if (printed.n == printed.most) {
    printed.first = (printed.first + 1) % printed.most;
    printed.n--;
    printed.lost++;
  }
  printed.begin[(printed.first + printed.n++) % printed.most] = printed.end;
  printed.end = (size_t)ftello(stream);
}

static void tell_lost(void)
{
  if (printed.lost == 0)
    return;
  fprintf(stderr,
          "softdevice: %zu printf calls of kernels are lost, the oldest ones: "
          "the buffer holds %zu.\n  cudaDeviceSetLimit("
          "cudaLimitPrintfFifoSize, %zu) before the first kernel that prints "
          "would have kept all.\n",
          printed.lost, printed.most, (printed.lost + printed.most) * 256);
}

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
    size_t from = printed.lost == 0 ? 0 : printed.begin[printed.first];
    fwrite(text + from, 1, n_bytes - from, stdout);
    fflush(stdout);
    tell_lost();
    free(text);
    free(printed.begin);
    memset(&printed, 0, sizeof printed);
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
