/* serve FOLDER PORT: shows the built book to a browser on this machine, for
 * ./course serve. Listens on 127.0.0.1 only. Each page gets a script that
 * loads it again when it was built anew; the files stay as they are.
 * Ends when the process that started it does. PORT 0: any free one. */
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { max_request = 8192, max_path = 1024, idle_seconds = 5 };

static const char reload_script[] =
    "<script>(function () {\n"
    "var seen = null;\n"
    "function ask() {\n"
    "  fetch('/.changed' + location.pathname).then(function (answer) {\n"
    "    return answer.text();\n"
    "  }).then(function (now) {\n"
    "    if (seen === null) seen = now;\n"
    "    else if (now !== seen) location.reload();\n"
    "  }).catch(function () {}).then(function () { setTimeout(ask, 300); });\n"
    "}\n"
    "ask();\n"
    "})();</script>\n";

static const struct { const char *end, *type; } types[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".csv", "text/csv; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".pdf", "application/pdf"}};

static bool ends_with(const char *text, const char *end)
{
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static void send_bytes(int to, const char *bytes, size_t length)
{
  while (length > 0) {
    ssize_t n = write(to, bytes, length);
    if (n <= 0)
      return;
    bytes += n;
    length -= (size_t)n;
  }
}

static void answer(int to, const char *status, const char *type,
                   const char *more, const char *body, size_t length)
{
  char head[512];
  int n = snprintf(head, sizeof head,
                   "HTTP/1.1 %s\r\nContent-Type: %s\r\n"
                   "Content-Length: %zu\r\nCache-Control: no-store\r\n"
                   "Connection: close\r\n%s\r\n",
                   status, type, length, more);
  send_bytes(to, head, (size_t)n);
  send_bytes(to, body, length);
}

static void refuse(int to, const char *status)
{
  answer(to, status, "text/plain; charset=utf-8", "", status,
         strlen(status));
}

static char *read_whole(const char *path, size_t *length)
{
  FILE *file = fopen(path, "rb");
  struct stat about;
  if (!file)
    return NULL;
  char *bytes = NULL;
  if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode))
    bytes = malloc((size_t)about.st_size + 1);
  if (bytes) {
    *length = fread(bytes, 1, (size_t)about.st_size, file);
    bytes[*length] = '\0';
  }
  fclose(file);
  return bytes;
}

static void send_page(int to, const char *bytes, size_t length)
{
  const char *end = strstr(bytes, "</body>");
  size_t before = end ? (size_t)(end - bytes) : length;
  size_t whole = length + sizeof reload_script - 1;
  char *page = malloc(whole);
  if (!page) {
    refuse(to, "500 Out of memory");
    return;
  }
  memcpy(page, bytes, before);
  memcpy(page + before, reload_script, sizeof reload_script - 1);
  memcpy(page + before + sizeof reload_script - 1, bytes + before,
         length - before);
  answer(to, "200 OK", types[0].type, "", page, whole);
  free(page);
}

static void send_file(int to, const char *path)
{
  size_t length = 0;
  char *bytes = read_whole(path, &length);
  const char *type = "application/octet-stream";
  if (!bytes) {
    refuse(to, "404 Not found");
    return;
  }
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (ends_with(path, types[i].end))
      type = types[i].type;
  }
  if (ends_with(path, ".html"))
    send_page(to, bytes, length);
  else
    answer(to, "200 OK", type, "", bytes, length);
  free(bytes);
}

/* Another text whenever the page, a style or a script was built anew. */
static void send_stamp(int to, const char *path)
{
  static const char *const parts[] = {"book.css", "code.css", "book.js",
                                      "search.js"};
  char text[1024];
  size_t used = 0;
  struct stat about;
  const char *slash = strrchr(path, '/');
  int folder = (int)(slash - path);
  for (int i = -1; i < 4; i++) {
    char part[2 * max_path];
    if (i < 0)
      snprintf(part, sizeof part, "%s", path);
    else
      snprintf(part, sizeof part, "%.*s/%s", folder, path, parts[i]);
    if (stat(part, &about) == 0)
      used += (size_t)snprintf(text + used, sizeof text - used,
                               "%lld.%09ld %lld\n",
                               (long long)about.st_mtim.tv_sec,
                               about.st_mtim.tv_nsec,
                               (long long)about.st_size);
  }
  answer(to, "200 OK", "text/plain; charset=utf-8", "", text, used);
}

/* Pages elsewhere must not read this server under a name of their own. */
static bool names_this_machine(const char *request)
{
  const char *host = strstr(request, "\r\nHost: ");
  if (!host)
    return true;
  host += strlen("\r\nHost: ");
  size_t n = strcspn(host, ":\r");
  return (n == 9 && (strncmp(host, "127.0.0.1", 9) == 0 ||
                     strncmp(host, "localhost", 9) == 0));
}

static void serve_one(int from, const char *folder)
{
  static const char changed[] = "/.changed";
  char request[max_request + 1], path[max_path];
  size_t length = 0;
  struct timeval patience = {.tv_sec = idle_seconds};
  setsockopt(from, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  do {
    ssize_t n = read(from, request + length, max_request - length);
    if (n <= 0)
      return;
    length += (size_t)n;
    request[length] = '\0';
  } while (!strstr(request, "\r\n\r\n") && length < max_request);

  if (strncmp(request, "GET /", 5) != 0) {
    refuse(from, "405 Only GET");
    return;
  }
  if (!names_this_machine(request)) {
    refuse(from, "403 Not this host");
    return;
  }
  char *target = request + 4;
  target[strcspn(target, " ?\r\n")] = '\0';
  bool asks_stamp = strncmp(target, changed, sizeof changed - 1) == 0;
  if (asks_stamp)
    target += sizeof changed - 1;
  if (strcmp(target, "/") == 0) {
    answer(from, "302 Found", "text/plain",
           "Location: /html/index.html\r\n", "", 0);
    return;
  }
  /* Names of the book are plain: no escapes, nothing hidden or above. */
  if (target[0] != '/' || strstr(target, "/.") || strchr(target, '%') ||
      (size_t)snprintf(path, sizeof path, "%s%s", folder, target) >=
          sizeof path) {
    refuse(from, "404 Not found");
    return;
  }
  if (asks_stamp)
    send_stamp(from, path);
  else
    send_file(from, path);
}

static int listen_here(unsigned port)
{
  int yes = 1;
  struct sockaddr_in at = {.sin_family = AF_INET,
                           .sin_port = htons((unsigned short)port)};
  socklen_t size = sizeof at;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (listener < 0 ||
      setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
      bind(listener, (struct sockaddr *)&at, size) < 0 ||
      listen(listener, 64) < 0 ||
      getsockname(listener, (struct sockaddr *)&at, &size) < 0) {
    fprintf(stderr, "serve: error: port %u: %s\n  choose another one: "
            "./course serve --port 8001\n", port, strerror(errno));
    return -1;
  }
  printf("http://127.0.0.1:%u/\n", (unsigned)ntohs(at.sin_port));
  fflush(stdout);
  return listener;
}

int main(int n_args, char **args)
{
  char *rest = "";
  unsigned long port = n_args == 3 ? strtoul(args[2], &rest, 10) : 65536;
  if (n_args != 3 || *rest || !*args[2] || port > 65535) {
    fputs("usage: serve FOLDER PORT\n", stderr);
    return 2;
  }
  pid_t parent = getppid();
  int listener = listen_here((unsigned)port);
  if (listener < 0)
    return 1;
  signal(SIGCHLD, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  while (getppid() == parent) {
    struct pollfd wait = {.fd = listener, .events = POLLIN};
    if (poll(&wait, 1, 500) <= 0)
      continue;
    int connection = accept(listener, NULL, NULL);
    if (connection < 0)
      continue;
    /* A process each: browsers open connections that stay silent. */
    pid_t child = fork();
    if (child == 0) {
      close(listener);
      serve_one(connection, args[1]);
      _exit(0);
    }
    close(connection);
  }
  return 0;
}
