/* The check `api`: errors that the program never looked at, and launches beyond
 * a limit, which is named. Does nothing unless the check is wanted. */
#ifndef DEVICE_CORE_API_CHECK_H
#define DEVICE_CORE_API_CHECK_H

#include "calls.h"

/* A call returns an error. */
void api_check_error(cudaError_t error, const char *call)
    EXPORTED(api_check_error);
/* The program asked for the last error, or for an error's name or text. */
void api_check_seen(void) EXPORTED(api_check_seen);
/* A launch is refused because of this. */
void api_check_limit(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* A free of what is not to be freed. */
void api_check_free(const char *title, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Notes who asked for the memory at `address`, for the report of leaks. */
void api_check_site(const void *address);
/* At the end of the process: reports what is left and sets the exit status. */
void api_check_finish(void);

/* Of an error, for messages: asking does not count as looking. */
const char *error_name(cudaError_t error) EXPORTED(error_name);
const char *error_text(cudaError_t error) EXPORTED(error_text);

#endif
