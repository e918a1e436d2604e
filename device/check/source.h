/* Source lines, for messages. */
#ifndef DEVICE_CHECK_SOURCE_H
#define DEVICE_CHECK_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/* The text of line `line` (from 1) of `file`, without its newline; cut where
 * it is longer. False when it cannot be read. */
bool source_text(const char *file, unsigned line, char *text, size_t n_text);

/* From now on source_text finds nothing: the page that shows the messages has
 * the sources. */
void source_hide(void);

/* `file` as a reader wants it: without `..`, and below SOFTDEVICE_SOURCE_BASE,
 * or the current directory, relative to there. Valid until this thread's next
 * call. */
const char *source_name(const char *file);

#endif
