/* What the device uses of POSIX threads, for WebAssembly, which has one thread
 * here and no <pthread.h>. A lock held by the only thread is never waited for,
 * so locking does nothing; a thread can't be created, and the launch then does
 * that worker's share itself, as it does where the system refuses one. */
#ifndef DEVICE_WEBASSEMBLY_PTHREAD_H
#define DEVICE_WEBASSEMBLY_PTHREAD_H

#include <errno.h>

typedef struct {
  char nothing;
} pthread_mutex_t, pthread_rwlock_t, pthread_mutexattr_t, pthread_attr_t;
typedef int pthread_once_t;
typedef int pthread_t;

#define PTHREAD_MUTEX_INITIALIZER                                              \
  {                                                                            \
    0                                                                          \
  }
#define PTHREAD_RWLOCK_INITIALIZER                                             \
  {                                                                            \
    0                                                                          \
  }
#define PTHREAD_ONCE_INIT 0

static inline int pthread_mutex_init(pthread_mutex_t *lock,
                                     const pthread_mutexattr_t *how)
{
  (void)lock, (void)how;
  return 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *lock)
{
  (void)lock;
  return 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t *lock)
{
  (void)lock;
  return 0;
}
static inline int pthread_mutex_trylock(pthread_mutex_t *lock)
{
  (void)lock;
  return 0;
}
static inline int pthread_mutex_unlock(pthread_mutex_t *lock)
{
  (void)lock;
  return 0;
}

static inline int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
  (void)lock;
  return 0;
}
static inline int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
  (void)lock;
  return 0;
}
static inline int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
  (void)lock;
  return 0;
}

static inline int pthread_once(pthread_once_t *once, void (*run)(void))
{
  if (*once == PTHREAD_ONCE_INIT) {
    *once = 1;
    run();
  }
  return 0;
}

static inline int pthread_create(pthread_t *thread, const pthread_attr_t *how,
                                 void *(*run)(void *), void *context)
{
  (void)thread, (void)how, (void)run, (void)context;
  return EAGAIN;
}
static inline int pthread_join(pthread_t thread, void **result)
{
  (void)thread, (void)result;
  return EINVAL;
}

#endif
