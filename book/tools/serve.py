#!/usr/bin/env python3
"""serve FOLDER PORT [SECONDS]: shows the built book in a browser on this
machine, for ./course serve.

It listens on 127.0.0.1 only; PORT 0 takes any free port. Each page gets a
script that loads it again when it was built anew; the files stay as they are.
The server ends when the process that started it does.

A client has SECONDS (60) to send its request, and as long to read the answer.
"""
import argparse
import http.server
import os
import re
import secrets
import signal
import sys
from typing import NoReturn, Optional

TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".woff2": "font/woff2",
    ".js": "text/javascript; charset=utf-8",
    ".csv": "text/csv; charset=utf-8", ".svg": "image/svg+xml",
    ".png": "image/png", ".pdf": "application/pdf",
}

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
THIS_MACHINE = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?",
                          re.IGNORECASE)


class Handler(http.server.BaseHTTPRequestHandler):
    """One request, in a thread of its own."""
    server: "Server"

    def setup(self) -> None:
        self.timeout = self.server.seconds
        super().setup()

    def log_message(self, format: str, *args: object) -> None:
        """./course serve shows the build's messages, not each request."""

    def parse_request(self) -> bool:
        """Pages elsewhere must not read this server under a name of their own,
        so a request says in exactly one Host header whom it is for. A header
        that can be read in two ways is refused."""
        if not super().parse_request():
            return False
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or self.headers.defects:
            self.send_error(400)
        elif not THIS_MACHINE.fullmatch(hosts[0].strip(" \t")):
            self.send_error(403)
        else:
            return True
        return False

    # ---- The answer -----------------------------------------------------

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def answer(self, kind: str, body: bytes, **headers: str) -> None:
        self.send_response(200)
        for key, value in {"Content-Type": kind,
                           "Content-Length": str(len(body)),
                           **headers}.items():
            self.send_header(key.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def inside(self, target: str) -> Optional[str]:
        """The path of a target of the book, symbolic links followed; None if
        there is none, or if it is outside of the folder."""
        folder = self.server.folder
        path = os.path.realpath(folder + target)
        # Opening a pipe waits for its writer; opening a device may do anything.
        if (path + "/").startswith(folder + "/") and (
                os.path.isdir(path) or os.path.isfile(path) and
                not target.endswith("/")):
            return path
        return None

    def do_GET(self) -> None:
        target = re.split("[?#]", self.path)[0]
        asks_stamp = target.startswith("/.changed/")
        if target == "/.reload.js":
            return self.answer(TYPES[".js"], RELOAD_SCRIPT)
        if target == "/":
            return self.redirect("/html/index.html")
        if asks_stamp:
            target = target[len("/.changed"):]
        # Names of the book are plain: no escapes, nothing hidden or above.
        if not target.startswith("/") or "/." in target or "%" in target:
            return self.send_error(404)
        if asks_stamp:
            return self.send_stamp(target)
        path = self.inside(target)
        if path and os.path.isdir(path):    # stands for its first page
            target = target.rstrip("/") + "/index.html"
            if self.inside(target):
                return self.redirect(target)
            path = None
        if not path:
            return self.send_error(404)
        return self.send_file(path)

    do_HEAD = do_GET

    def redirect(self, target: str) -> None:
        self.send_response(302)
        self.send_header("Location", target)
        self.end_headers()

    def send_file(self, path: str) -> None:
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError:     # it is being built
            return self.send_error(404)
        end = os.path.splitext(path)[1]
        if end == ".html":
            return self.send_page(content)
        return self.answer(TYPES.get(end, "application/octet-stream"), content)

    def send_page(self, page: bytes) -> None:
        nonce = secrets.token_hex(16)
        body, mark, rest = page.partition(b"</body>")
        body = body.replace(b"<script>", b'<script nonce="%s">'
                            % nonce.encode(), 1)
        self.answer(TYPES[".html"], body + RELOAD_ELEMENT + mark + rest,
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
        self.answer("text/plain; charset=utf-8", "".join(lines).encode())


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024
    timeout = 0.5

    def __init__(self, folder: str, port: int, seconds: int) -> None:
        self.folder, self.seconds = folder, seconds
        super().__init__(("127.0.0.1", port), Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is gone is no fault of this server's."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def port_number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > 65535:
        raise ValueError
    return int(text)


def fail(message: str) -> NoReturn:
    print(f"serve: error: {message}", file=sys.stderr)
    sys.exit(1)


def main(arguments: list[str]) -> None:
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parser = argparse.ArgumentParser(prog="serve")
    parser.add_argument("folder")
    parser.add_argument("port", type=port_number)
    parser.add_argument("seconds", type=int, nargs="?", default=60)
    given = parser.parse_args(arguments)
    folder, port = given.folder, given.port
    if not os.path.isdir(folder):
        fail(f"there is no folder '{folder}'")
    try:
        server = Server(os.path.realpath(folder), port, given.seconds)
    except OSError as error:
        fail(f"port {port}: {error.strerror}\n"
             "  choose another one: ./course serve --port 8001")
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    while os.getppid() == parent:
        server.handle_request()


if __name__ == "__main__":
    main(sys.argv[1:])
