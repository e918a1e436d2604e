#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

static struct behaviour *behaviours;
static char captured[1 << 16];
static int captured_fd, saved_fd;
static FILE *capture_file;

void test_register(struct behaviour *behaviour)
{
  behaviour->next = behaviours;
  behaviours = behaviour;
}

void test_fail(const char *file, int line, const char *what)
{
  fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
  exit(1);
}

void test_equal(const char *file, int line, const char *what, long long actual,
                long long expected)
{
  if (actual == expected)
    return;
  fprintf(stderr, "%s:%d: %s is %lld, expected %lld\n", file, line, what,
          actual, expected);
  exit(1);
}

void test_has(const char *file, int line, const char *what, const char *text,
              const char *part)
{
  if (strstr(text, part) != NULL)
    return;
  fprintf(stderr, "%s:%d: %s lacks \"%s\". It is:\n%s\n", file, line, what,
          part, text);
  exit(1);
}

void test_text(const char *file, int line, const char *what, const char *actual,
               const char *expected)
{
  if (strcmp(actual, expected) == 0)
    return;
  fprintf(stderr, "%s:%d: %s is\n%s\nexpected\n%s\n", file, line, what, actual,
          expected);
  exit(1);
}

void capture_begin(int fd)
{
  fflush(NULL);
  captured_fd = fd;
  saved_fd = dup(fd);
  capture_file = tmpfile();
  if (capture_file == NULL || saved_fd < 0)
    abort();
  dup2(fileno(capture_file), fd);
}

static const char *read_all(FILE *in)
{
  rewind(in);
  size_t n = fread(captured, 1, sizeof captured - 1, in);
  captured[n] = '\0';
  fclose(in);
  return captured;
}

const char *capture_end(void)
{
  fflush(NULL);
  dup2(saved_fd, captured_fd);
  close(saved_fd);
  return read_all(capture_file);
}

int in_child(void (*run)(void), int fd, const char **text)
{
  int status;
  FILE *out = tmpfile();
  fflush(NULL);
  pid_t child = fork();
  if (out == NULL || child < 0)
    abort();
  if (child == 0) {
    dup2(fileno(out), fd);
    run();
    exit(0);
  }
  waitpid(child, &status, 0);
  const char *written = read_all(out);
  if (text != NULL)
    *text = written;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

const char *file_text(const char *path)
{
  FILE *in = fopen(path, "r");
  if (in == NULL)
    test_fail(path, 0, "the file can be read");
  return read_all(in);
}

static struct behaviour *find(const char *name)
{
  struct behaviour *b = behaviours;
  while (b != NULL && strcmp(b->name, name) != 0)
    b = b->next;
  return b;
}

int main(int argc, char **argv)
{
  if (argc > 1 && strcmp(argv[1], "--names") == 0) {
    for (struct behaviour *b = behaviours; b != NULL; b = b->next)
      puts(b->name);
    return 0;
  }
  struct behaviour *b = argc == 2 ? find(argv[1]) : NULL;
  if (b == NULL) {
    fprintf(stderr, "usage: %s <behaviour>\n", argv[0]);
    return 2;
  }
  b->run();
  return 0;
}
