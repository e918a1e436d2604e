/* serve FOLDER PORT [SECONDS CHILDREN]: shows the built book to a browser on
 * this machine, for ./course serve. Listens on 127.0.0.1 only. Each page gets
 * a script that loads it again when it was built anew; the files stay as they
 * are. Ends when the process that started it does. PORT 0: any free one.
 *
 * A client has SECONDS to send its request and six times as long to read the
 * answer. CHILDREN is how many clients are answered at the same time, while
 * the others wait their turn. Tests make both small. */
#define _GNU_SOURCE

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  max_request = 8192,
  max_path = 1024,
  nonce_bytes = 16,
  reading_factor = 6
};

static const char script_name[] = "/.reload.js";
static const char changed[] = "/.changed";

static const char reload_element[] =
    "<script src=\"/.reload.js\" defer></script>\n";

static const char reload_script[] =
    "(function () {\n"
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
    "})();\n";

static const char text_type[] = "text/plain; charset=utf-8";
static const char script_type[] = "text/javascript; charset=utf-8";

static const struct { const char *end, *type; } types[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".woff2", "font/woff2"},
    {".js", script_type},
    {".csv", "text/csv; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".pdf", "application/pdf"}};

/* One connection, and what its client asked for. */
typedef struct {
  int socket;
  bool head_only;
  const char *folder;
} client;

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

/* more: further header lines, each with its line end. */
static void answer(const client *c, const char *status, const char *type,
                   const char *more, const char *body, size_t length)
{
  char head[2 * max_path];
  int n = snprintf(head, sizeof head,
                   "HTTP/1.1 %s\r\nContent-Type: %s\r\n"
                   "Content-Length: %zu\r\nCache-Control: no-store\r\n"
                   "X-Content-Type-Options: nosniff\r\n"
                   "Connection: close\r\n%s\r\n",
                   status, type, length, more);
  if (n < 0 || (size_t)n >= sizeof head)
    return;
  send_bytes(c->socket, head, (size_t)n);
  if (!c->head_only)
    send_bytes(c->socket, body, length);
}

static void refuse(const client *c, const char *status)
{
  answer(c, status, text_type, "", status, strlen(status));
}

static void redirect(const client *c, const char *target)
{
  char more[max_path + 64];
  snprintf(more, sizeof more, "Location: %s\r\n", target);
  answer(c, "302 Found", text_type, more, "", 0);
}

/* The file that a path of the book leads to, with symbolic links followed;
 * false if there is none, or if it lies outside of the folder. */
static bool real_path_inside(const client *c, const char *target, char **real)
{
  char path[2 * max_path];
  size_t n = strlen(c->folder);
  if ((size_t)snprintf(path, sizeof path, "%s%s", c->folder, target) >=
      sizeof path) {
    *real = NULL;
    return false;
  }
  *real = realpath(path, NULL);
  if (*real && strncmp(*real, c->folder, n) == 0 &&
      ((*real)[n] == '/' || (*real)[n] == '\0'))
    return true;
  free(*real);
  *real = NULL;
  return false;
}

/* Asked before it is opened: opening a pipe waits for whoever writes into it,
 * and opening a device may do anything. */
static char *read_whole(const char *path, size_t *length)
{
  struct stat about;
  if (lstat(path, &about) < 0 || !S_ISREG(about.st_mode))
    return NULL;
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0)
    return NULL;
  char *bytes = NULL;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
    bytes = malloc((size_t)about.st_size + 1);
  *length = 0;
  while (bytes && *length < (size_t)about.st_size) {
    ssize_t n = read(file, bytes + *length, (size_t)about.st_size - *length);
    if (n <= 0)
      break;
    *length += (size_t)n;
  }
  if (bytes)
    bytes[*length] = '\0';
  close(file);
  return bytes;
}

/* A word that nothing in the page can know in advance. */
static bool make_nonce(char nonce[2 * nonce_bytes + 1])
{
  unsigned char bytes[nonce_bytes];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return false;
  for (int i = 0; i < nonce_bytes; i++)
    snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

/* What a page may do: show what comes from this server, and run the scripts
 * that are files of it. Of those written into the page, only the first, which
 * is the template's, has the nonce; text that finds its way into a page later
 * (a machine's name, a cell of a result) runs nothing. Drawings have styles
 * and small pictures written into them. */
static void send_page(const client *c, const char *bytes, size_t length)
{
  static const char plain[] = "<script>";
  char nonce[2 * nonce_bytes + 1], marked[64], policy[512];
  const char *script = strstr(bytes, plain), *end = strstr(bytes, "</body>");
  if (!make_nonce(nonce)) {
    refuse(c, "500 No random bytes");
    return;
  }
  snprintf(marked, sizeof marked, "<script nonce=\"%s\">", nonce);
  snprintf(policy, sizeof policy,
           "Content-Security-Policy: default-src 'none'; "
           "script-src 'self' 'nonce-%s'; style-src 'self' 'unsafe-inline'; "
           "font-src 'self'; "
           "img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
           "form-action 'none'; frame-ancestors 'none'\r\n", nonce);
  size_t whole = 0;
  char *page = malloc(length + sizeof marked + sizeof reload_element);
  if (!page) {
    refuse(c, "500 Out of memory");
    return;
  }
  const char *from = bytes, *stop = bytes + length;
  if (!end)
    end = stop;
  if (script && script < end) {
    memcpy(page, from, (size_t)(script - from));
    whole = (size_t)(script - from);
    memcpy(page + whole, marked, strlen(marked));
    whole += strlen(marked);
    from = script + sizeof plain - 1;
  }
  memcpy(page + whole, from, (size_t)(end - from));
  whole += (size_t)(end - from);
  memcpy(page + whole, reload_element, sizeof reload_element - 1);
  whole += sizeof reload_element - 1;
  memcpy(page + whole, end, (size_t)(stop - end));
  whole += (size_t)(stop - end);
  answer(c, "200 OK", types[0].type, policy, page, whole);
  free(page);
}

static void send_file(const client *c, const char *path)
{
  size_t length = 0;
  char *bytes = read_whole(path, &length);
  const char *type = "application/octet-stream";
  if (!bytes) {
    refuse(c, "404 Not found");
    return;
  }
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (ends_with(path, types[i].end))
      type = types[i].type;
  }
  if (ends_with(path, ".html"))
    send_page(c, bytes, length);
  else
    answer(c, "200 OK", type, "", bytes, length);
  free(bytes);
}

/* Another text whenever the page, a style or a script was built anew. */
static void send_stamp(const client *c, const char *target)
{
  static const char *const parts[] = {"book.css", "code.css", "book.js",
                                      "search.js", "cards.js"};
  char text[1024];
  size_t used = 0;
  struct stat about;
  const char *slash = strrchr(target, '/');
  int folder = (int)(slash - target);
  for (int i = -1; i < (int)(sizeof parts / sizeof *parts); i++) {
    char part[2 * max_path], *real;
    if (i < 0)
      snprintf(part, sizeof part, "%s", target);
    else
      snprintf(part, sizeof part, "%.*s/%s", folder, target, parts[i]);
    if (!real_path_inside(c, part, &real))
      continue;
    if (stat(real, &about) == 0)
      used += (size_t)snprintf(text + used, sizeof text - used,
                               "%lld.%09ld %lld\n",
                               (long long)about.st_mtim.tv_sec,
                               about.st_mtim.tv_nsec,
                               (long long)about.st_size);
    free(real);
  }
  answer(c, "200 OK", text_type, "", text, used);
}

/* Is this the value of a Host header that names this machine itself? Any port
 * will do: the server may be seen through a tunnel. */
static bool names_this_machine(const char *value, size_t length)
{
  static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t n = strlen(names[i]);
    if (length < n || strncasecmp(value, names[i], n) != 0)
      continue;
    if (length == n)
      return true;
    if (value[n] != ':' || length == n + 1)
      continue;
    size_t at = n + 1;
    while (at < length && isdigit((unsigned char)value[at]))
      at++;
    if (at == length)
      return true;
  }
  return false;
}

/* Pages elsewhere must not read this server under a name of their own, so a
 * request says in exactly one Host header whom it is for. A header that can be
 * read in two ways is refused. Returns the status to refuse with, or NULL. */
static const char *fault_of_headers(const char *request)
{
  static const char bad[] = "400 Bad request";
  int n_hosts = 0;
  bool is_here = false;
  const char *line = strstr(request, "\r\n") + 2;
  while (strncmp(line, "\r\n", 2) != 0) {
    const char *end = strstr(line, "\r\n");
    const char *colon = memchr(line, ':', (size_t)(end - line));
    if (!colon || colon == line)
      return bad;
    for (const char *p = line; p < colon; p++) {
      if (!isgraph((unsigned char)*p))
        return bad;
    }
    for (const char *p = colon; p < end; p++) {
      if (iscntrl((unsigned char)*p) && *p != '\t')
        return bad;
    }
    const char *value = colon + 1, *stop = end;
    while (value < stop && (*value == ' ' || *value == '\t'))
      value++;
    while (stop > value && (stop[-1] == ' ' || stop[-1] == '\t'))
      stop--;
    if (colon - line == 4 && strncasecmp(line, "host", 4) == 0) {
      n_hosts++;
      is_here = names_this_machine(value, (size_t)(stop - value));
    }
    line = end + 2;
  }
  if (n_hosts != 1)
    return bad;
  return is_here ? NULL : "403 Not this host";
}

/* Reads up to the empty line that ends the headers; NULL or what is wrong. */
static const char *read_request(const client *c, char *request)
{
  size_t length = 0;
  request[0] = '\0';
  while (!strstr(request, "\r\n\r\n")) {
    if (length == max_request)
      return "431 Too long a request";
    ssize_t n = read(c->socket, request + length, max_request - length);
    if (n <= 0)
      _exit(0);
    length += (size_t)n;
    request[length] = '\0';
    if (strlen(request) != length)
      return "400 Bad request";
  }
  return NULL;
}

/* The method and the target of the request's first line; NULL or what is
 * wrong with it. */
static const char *read_first_line(client *c, char *request, char **target)
{
  char *end = strstr(request, "\r\n"), *space = strchr(request, ' ');
  char *second = space && space < end ? strchr(space + 1, ' ') : NULL;
  if (!second || second > end || strncmp(second, " HTTP/1.", 8) != 0 ||
      end - second != 9)
    return "400 Bad request";
  c->head_only = strncmp(request, "HEAD ", 5) == 0;
  if (!c->head_only && strncmp(request, "GET ", 4) != 0)
    return "405 Only GET and HEAD";
  if (space[1] != '/')
    return "400 Bad request";
  const char *fault = fault_of_headers(request);
  *second = '\0';
  *target = space + 1;
  (*target)[strcspn(*target, "?#")] = '\0';
  return fault;
}

/* Names of the book are plain: no escapes, nothing hidden or above. */
static bool is_plain(const char *target)
{
  return target[0] == '/' && !strstr(target, "/.") && !strchr(target, '%') &&
         strlen(target) < max_path;
}

static bool is_folder(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static void serve_target(const client *c, const char *target)
{
  char *real, index[max_path + 16];
  bool asks_stamp = strncmp(target, changed, sizeof changed - 1) == 0;
  if (strcmp(target, script_name) == 0) {
    answer(c, "200 OK", script_type, "", reload_script,
           sizeof reload_script - 1);
    return;
  }
  if (asks_stamp)
    target += sizeof changed - 1;
  if (strcmp(target, "/") == 0) {
    redirect(c, "/html/index.html");
    return;
  }
  if (!is_plain(target)) {
    refuse(c, "404 Not found");
    return;
  }
  if (asks_stamp) {
    send_stamp(c, target);
    return;
  }
  if (!real_path_inside(c, target, &real)) {
    refuse(c, "404 Not found");
    return;
  }
  if (!is_folder(real)) {
    send_file(c, real);
  } else {
    /* A folder stands for its first page. */
    snprintf(index, sizeof index, "%s%sindex.html", target,
             ends_with(target, "/") ? "" : "/");
    free(real);
    if (real_path_inside(c, index, &real))
      redirect(c, index);
    else
      refuse(c, "404 Not found");
  }
  free(real);
}

/* Lets the client read the answer before the connection ends: closing it
 * while something sent is unread would take the answer away. */
static void hang_up(const client *c)
{
  char unread[1024];
  shutdown(c->socket, SHUT_WR);
  while (read(c->socket, unread, sizeof unread) > 0)
    ;
}

/* The alarm ends the process of a client that takes too long. */
static void serve_one(client *c, unsigned seconds)
{
  char request[max_request + 1], *target = NULL;
  alarm(seconds);
  const char *fault = read_request(c, request);
  if (!fault)
    fault = read_first_line(c, request, &target);
  alarm(reading_factor * seconds);
  if (fault)
    refuse(c, fault);
  else
    serve_target(c, target);
  hang_up(c);
}

static int listen_here(unsigned port)
{
  int yes = 1;
  struct sockaddr_in at = {.sin_family = AF_INET,
                           .sin_port = htons((unsigned short)port)};
  socklen_t size = sizeof at;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (listener < 0 ||
      setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0 ||
      bind(listener, (struct sockaddr *)&at, size) < 0 ||
      listen(listener, 1024) < 0 ||
      getsockname(listener, (struct sockaddr *)&at, &size) < 0) {
    fprintf(stderr, "serve: error: port %u: %s\n  choose another one: "
            "./course serve --port 8001\n", port, strerror(errno));
    return -1;
  }
  printf("http://127.0.0.1:%u/\n", (unsigned)ntohs(at.sin_port));
  fflush(stdout);
  return listener;
}

static void on_child(int number) { (void)number; }

/* Serves until `parent`, which started this process, has ended. While there are
 * as many children as may be, further clients wait in the listener's queue. */
static void serve_all(int listener, const char *folder, unsigned seconds,
                      unsigned most, pid_t parent)
{
  unsigned n_children = 0;
  struct sigaction child_ends = {.sa_handler = on_child};
  sigset_t blocked, usual;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, &usual);
  sigdelset(&usual, SIGCHLD);
  sigaction(SIGCHLD, &child_ends, NULL);
  while (getppid() == parent) {
    struct timespec moment = {.tv_nsec = 500000000};
    fd_set wanted;
    FD_ZERO(&wanted);
    if (n_children < most)
      FD_SET(listener, &wanted);
    int n_ready = pselect(listener + 1, &wanted, NULL, NULL, &moment, &usual);
    while (n_children > 0 && waitpid(-1, NULL, WNOHANG) > 0)
      n_children--;
    if (n_ready <= 0)
      continue;
    int connection = accept(listener, NULL, NULL);
    if (connection < 0)
      continue;
    /* A process each: browsers open connections that stay silent. */
    pid_t child = fork();
    if (child == 0) {
      client c = {.socket = connection, .folder = folder};
      close(listener);
      serve_one(&c, seconds);
      _exit(0);
    }
    if (child > 0)
      n_children++;
    close(connection);
  }
}

/* A whole number from `least` to `most`, or -1. */
static long number_of(const char *text, long least, long most)
{
  char *rest;
  errno = 0;
  long n = strtol(text, &rest, 10);
  return !isdigit((unsigned char)*text) || *rest || errno || n < least ||
                 n > most
             ? -1 : n;
}

int main(int n_args, char **args)
{
  pid_t parent = getppid();
  bool all = n_args == 5;
  long port = all || n_args == 3 ? number_of(args[2], 0, 65535) : -1;
  long seconds = all ? number_of(args[3], 1, 3600) : 10;
  long children = all ? number_of(args[4], 1, 1000) : 64;
  if (port < 0 || seconds < 0 || children < 0) {
    fputs("usage: serve FOLDER PORT [SECONDS CHILDREN]\n", stderr);
    return 2;
  }
  char *folder = realpath(args[1], NULL);
  if (!folder || !is_folder(folder)) {
    fprintf(stderr, "serve: error: there is no folder '%s'\n", args[1]);
    return 1;
  }
  int listener = listen_here((unsigned)port);
  if (listener < 0)
    return 1;
  signal(SIGPIPE, SIG_IGN);
  serve_all(listener, folder, (unsigned)seconds, (unsigned)children, parent);
  free(folder);
  return 0;
}
