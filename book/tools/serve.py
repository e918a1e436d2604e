#!/usr/bin/env python3
"""serve FOLDER PORT [SECONDS CHILDREN]: shows the built book in a browser on
this machine, for ./course serve.

It listens on 127.0.0.1 only; PORT 0 takes any free port. Each page gets a
script that loads it again when it was built anew; the files stay as they are.
The server ends when the process that started it does.

A client has SECONDS to send its request and six times as long to read the
answer. At most CHILDREN clients are answered at the same time; the others
wait their turn. Tests make both small.
"""
import http.server
import os
import re
import secrets
import signal
import socket
import socketserver
import stat
import sys
import time
from typing import NoReturn, Optional

MAX_REQUEST = 8192
MAX_PATH = 1024
READING_FACTOR = 6

TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".woff2": "font/woff2",
    ".js": "text/javascript; charset=utf-8",
    ".csv": "text/csv; charset=utf-8", ".svg": "image/svg+xml",
    ".png": "image/png", ".pdf": "application/pdf",
}
TEXT = "text/plain; charset=utf-8"

RELOAD_ELEMENT = b'<script src="/.reload.js" defer></script>\n'
RELOAD_SCRIPT = b"""(function () {
var seen = null;
function ask() {
  fetch('/.changed' + location.pathname).then(function (answer) {
    return answer.text();
  }).then(function (now) {
    if (seen === null) seen = now;
    else if (now !== seen) location.reload();
  }).catch(function () {}).then(function () { setTimeout(ask, 300); });
}
ask();
})();
"""
# What a page may do: show what comes from this server, and run the scripts
# that are files of it. Of the scripts written into a page, only the first,
# which is the template's, has the nonce; text that finds its way into a page
# later (a machine's name, a cell of a result) runs nothing. Drawings have
# styles and small pictures written into them. The software device is a
# WebAssembly module, and runs in a worker that run.js makes of its own text.
POLICY = ("default-src 'none'; "
          "script-src 'self' 'wasm-unsafe-eval' 'nonce-{}'; "
          "worker-src blob:; "
          "style-src 'self' 'unsafe-inline'; font-src 'self'; "
          "img-src 'self' data:; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; "
          "frame-ancestors 'none'")

# Any port will do: the server may be seen through a tunnel.
THIS_MACHINE = re.compile(rb"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?",
                          re.IGNORECASE)
FIRST_LINE = re.compile(rb"([^ ]*) ([^ ]*) HTTP/1\.[0-9]")
HEADER = re.compile(rb"([\x21-\x39\x3b-\x7e]+):([\t\x20-\x7e\x80-\xff]*)")


class Refused(Exception):
    """The status line of an answer."""


def check_headers(lines: list[bytes]) -> None:
    """Pages elsewhere must not read this server under a name of their own, so
    a request says in exactly one Host header whom it is for. A header that
    can be read in two ways is refused."""
    hosts = []
    for line in lines:
        header = HEADER.fullmatch(line)
        if not header:
            raise Refused("400 Bad request")
        if header[1].lower() == b"host":
            hosts.append(header[2].strip(b" \t"))
    if len(hosts) != 1:
        raise Refused("400 Bad request")
    if not THIS_MACHINE.fullmatch(hosts[0]):
        raise Refused("403 Not this host")


def regular_file(path: str) -> Optional[bytes]:
    """What the file holds. Asked before it is opened: opening a pipe waits for
    its writer, and opening a device may do anything."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(number, "rb") as file:
            if stat.S_ISREG(os.fstat(number).st_mode):
                return file.read()
    except OSError:
        pass
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    """One request in a process of its own: browsers open connections that
    stay silent."""
    server: "Server"
    protocol_version = request_version = "HTTP/1.1"

    def handle(self) -> None:
        self.server.socket.close()
        self.command, self.head_only = "", False
        signal.alarm(self.server.seconds)   # ends this process
        try:
            target = self.read_request()
            signal.alarm(READING_FACTOR * self.server.seconds)
            self.serve(target)
        except Refused as refused:
            self.answer(str(refused), TEXT, str(refused).encode())
        self.hang_up()

    # ---- The request ----------------------------------------------------

    def read_request(self) -> str:
        """The target of a request that is allowed."""
        request = b""
        while b"\r\n\r\n" not in request:
            if len(request) == MAX_REQUEST:
                raise Refused("431 Too long a request")
            part = self.connection.recv(MAX_REQUEST - len(request))
            if not part:
                raise ConnectionError
            request += part
            if b"\0" in request:
                raise Refused("400 Bad request")
        head = request[:request.index(b"\r\n\r\n")]
        first, *headers = head.split(b"\r\n")
        words = FIRST_LINE.fullmatch(first)
        if not words:
            raise Refused("400 Bad request")
        self.head_only = words[1] == b"HEAD"
        if words[1] not in (b"GET", b"HEAD"):
            raise Refused("405 Only GET and HEAD")
        if not words[2].startswith(b"/"):
            raise Refused("400 Bad request")
        check_headers(headers)
        return re.split("[?#]", words[2].decode("latin-1"))[0]

    # ---- The answer -----------------------------------------------------

    def answer(self, status: str, kind: str, body: bytes,
               **headers: str) -> None:
        code, _, reason = status.partition(" ")
        self.send_response_only(int(code), reason)
        for key, value in {"Content-Type": kind,
                           "Content-Length": str(len(body)),
                           "Cache-Control": "no-store",
                           "X-Content-Type-Options": "nosniff",
                           "Connection": "close", **headers}.items():
            self.send_header(key.replace("_", "-"), value)
        self.end_headers()
        if not self.head_only:
            self.connection.sendall(body)

    def hang_up(self) -> None:
        """Lets the client read the answer before the connection ends: closing
        it while something sent is unread would take the answer away."""
        self.connection.shutdown(socket.SHUT_WR)
        while self.connection.recv(65536):
            pass

    def inside(self, target: str) -> Optional[str]:
        """The path of a target of the book, symbolic links followed; None if
        there is none, or if it is outside of the folder."""
        folder = self.server.folder
        path = os.path.realpath(folder + target)
        if os.path.exists(path) and (path + "/").startswith(folder + "/") and \
                (os.path.isdir(path) or not target.endswith("/")):
            return path
        return None

    def serve(self, target: str) -> None:
        if target == "/.reload.js":
            return self.answer("200 OK", TYPES[".js"], RELOAD_SCRIPT)
        asks_stamp = target.startswith("/.changed")
        if asks_stamp:
            target = target[len("/.changed"):]
        if target == "/":
            return self.redirect("/html/index.html")
        # Names of the book are plain: no escapes, nothing hidden or above.
        if not target.startswith("/") or "/." in target or "%" in target or \
                len(target) >= MAX_PATH:
            raise Refused("404 Not found")
        if asks_stamp:
            return self.send_stamp(target)
        path = self.inside(target)
        if path and os.path.isdir(path):    # stands for its first page
            target = target.rstrip("/") + "/index.html"
            if self.inside(target):
                return self.redirect(target)
            path = None
        if not path:
            raise Refused("404 Not found")
        return self.send_file(path)

    def redirect(self, target: str) -> None:
        self.answer("302 Found", TEXT, b"", Location=target)

    def send_file(self, path: str) -> None:
        content = regular_file(path)
        if content is None:
            raise Refused("404 Not found")
        end = os.path.splitext(path)[1]
        if end == ".html":
            self.send_page(content)
        else:
            self.answer("200 OK", TYPES.get(end, "application/octet-stream"),
                        content)

    def send_page(self, page: bytes) -> None:
        nonce = secrets.token_hex(16)
        body, mark, rest = page.partition(b"</body>")
        body = body.replace(b"<script>", b'<script nonce="%s">'
                            % nonce.encode(), 1)
        self.answer("200 OK", TYPES[".html"],
                    body + RELOAD_ELEMENT + mark + rest,
                    Content_Security_Policy=POLICY.format(nonce))

    def send_stamp(self, target: str) -> None:
        """Another text whenever the page, a style or a script was built."""
        folder, lines = target.rpartition("/")[0], []
        for part in (target, *(f"{folder}/{name}" for name in (
                "book.css", "code.css", "book.js", "search.js", "cards.js"))):
            path = self.inside(part)
            if path:
                about = os.stat(path)
                lines.append(f"{about.st_mtime_ns} {about.st_size}\n")
        self.answer("200 OK", TEXT, "".join(lines).encode())


class Server(socketserver.ForkingMixIn, socketserver.TCPServer):
    allow_reuse_address = True
    request_queue_size = 1024
    timeout = 0.5

    def __init__(self, folder: str, port: int, seconds: int,
                 children: int) -> None:
        self.folder, self.seconds, self.children = folder, seconds, children
        super().__init__(("127.0.0.1", port), Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is gone is no fault of this server's."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def reap(self) -> int:
        """How many children are at work."""
        for child in list(self.active_children or ()):
            if os.waitpid(child, os.WNOHANG)[0]:
                self.active_children.discard(child)
        return len(self.active_children or ())

    def serve_while(self, parent: int) -> None:
        """While there are as many children as may be, further clients wait
        in the listener's queue."""
        while os.getppid() == parent:
            if self.reap() < self.children:
                self.handle_request()
            else:
                time.sleep(0.02)


def number_of(text: str, least: int, most: int) -> int:
    if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
        print("usage: serve FOLDER PORT [SECONDS CHILDREN]", file=sys.stderr)
        sys.exit(2)
    return int(text)


def fail(message: str) -> NoReturn:
    print(f"serve: error: {message}", file=sys.stderr)
    sys.exit(1)


def main(arguments: list[str]) -> None:
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if len(arguments) not in (2, 4):
        number_of("", 0, 0)
    folder = arguments[0]
    port = number_of(arguments[1], 0, 65535)
    seconds, children = 10, 64
    if len(arguments) == 4:
        seconds = number_of(arguments[2], 1, 3600)
        children = number_of(arguments[3], 1, 1000)
    if not os.path.isdir(folder):
        fail(f"there is no folder '{folder}'")
    try:
        server = Server(os.path.realpath(folder), port, seconds, children)
    except OSError as error:
        fail(f"port {port}: {error.strerror}\n"
             "  choose another one: ./course serve --port 8001")
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    server.serve_while(parent)


if __name__ == "__main__":
    main(sys.argv[1:])
