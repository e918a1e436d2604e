/* Kernels that never end: told, stopped, and the exit status says so. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

static unsigned *flag;

static void begin(void)
{
  program_begin();
  CHECK_EQUAL(cudaMallocManaged((void **)&flag, 4, 1), cudaSuccess);
}

static cudaError_t wait_for_flag(unsigned rounds, unsigned blocks)
{
  return launch(&wait_for, blocks, 64, (void *[]){ &flag, &rounds });
}

static void return_while_it_waits(void)
{
  begin();
  CHECK_EQUAL(wait_for_flag(0, 5), cudaSuccess);
}

static void return_while_it_loops(void)
{
  program_begin();
  CHECK_EQUAL(launch(&no_end, 2, 64, NULL), cudaSuccess);
}

static void synchronise_and_look(void)
{
  begin();
  wait_for_flag(0, 1);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
}

static void exit_with_3(void)
{
  begin();
  wait_for_flag(0, 1);
  exit(3);
}

BEHAVIOUR(wait_that_nobody_ends_is_stopped)
{
  const char *text;
  CHECK_EQUAL(in_child(return_while_it_waits, 2, &text), 1);
  CHECK_HAS(text, "a kernel that never ends");
  CHECK_HAS(text, "in kernel wait_for");
  CHECK_HAS(text, "ld.volatile.u32");
}

BEHAVIOUR(loop_without_end_is_stopped)
{
  const char *text;
  CHECK_EQUAL(in_child(return_while_it_loops, 2, &text), 1);
  CHECK_HAS(text, "a kernel that never ends");
  CHECK_HAS(text, "in kernel no_end");
}

/* A program that sees the error, or has a status of its own, keeps it. */
BEHAVIOUR(status_of_the_program_is_kept)
{
  CHECK_EQUAL(in_child(synchronise_and_look, 2, NULL), 0);
  CHECK_EQUAL(in_child(exit_with_3, 2, NULL), 3);
}

static void *set_the_flag(void *nothing)
{
  sleep(4);
  *(volatile unsigned *)flag = 1;
  return nothing;
}

/* Another thread of the program may do something: it does. */
BEHAVIOUR(wait_that_a_thread_ends_goes_on)
{
  pthread_t thread;
  begin();
  CHECK_EQUAL(pthread_create(&thread, NULL, set_the_flag, NULL), 0);
  CHECK_EQUAL(wait_for_flag(0, 3), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  pthread_join(thread, NULL);
}

static bool sets_flag_when_asked;

/* The device lists the process's threads to learn whether any is left. This
 * one sets the flag and is gone at that very moment: the worst case. */
DIR *opendir(const char *path)
{
  DIR *(*next)(const char *) =
      (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
  if (sets_flag_when_asked)
    *(volatile unsigned *)flag = 1;
  sets_flag_when_asked = false;
  return next(path);
}

BEHAVIOUR(thread_that_ends_it_with_its_last_act_is_not_missed)
{
  begin();
  sets_flag_when_asked = true;
  CHECK_EQUAL(wait_for_flag(0, 3), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  CHECK_EQUAL(sets_flag_when_asked, false);
}

static double seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns how long it took. */
static double count_to(unsigned rounds)
{
  double start = seconds();

  CHECK_EQUAL(wait_for_flag(rounds, 1), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  CHECK_EQUAL(*flag, rounds);
  return seconds() - start;
}

/* It looks at memory for longer than the two seconds after which a wait is
 * stopped at the earliest, but a register changes. How many rounds that takes
 * depends on the machine, and on whether a sanitizer watches. */
BEHAVIOUR(long_work_comes_to_its_end)
{
  enum { A_FEW = 50 * 1000 };
  double least = 1, rounds;

  begin();
  for (int i = 0; i < 5; i++) {
    double took = count_to(A_FEW);

    least = took < least ? took : least;
  }
  rounds = 4 * A_FEW / least;
  count_to(rounds < UINT32_MAX ? (unsigned)rounds : UINT32_MAX);
}
