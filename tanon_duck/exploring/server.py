"""The page on this machine alone: who may ask, what is answered, and nothing besides."""

from __future__ import annotations

import hmac
import json
import secrets
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

import duckdb

from tanon_duck.errors import TanonError, one_line
from tanon_duck.exploring.table import Explored

_ADDRESS = "127.0.0.1"
_SCRIPTS = (
    "drawn", "events", "judge", "levels", "main", "roles", "series", "server", "taken",
)  # fmt: skip
_PAGE = {
    "": ("index.html", "text/html"),
    "explorer.css": ("explorer.css", "text/css"),
    **{f"{name}.js": (f"{name}.js", "text/javascript") for name in _SCRIPTS},
}
# Scripts, styles and answers come from here alone; nothing is sent anywhere else.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_LONGEST_QUESTION = 1_000_000


class ExplorerServer(ThreadingHTTPServer):
    """Serves the page of one table at an address that holds a secret word."""

    daemon_threads = True

    def __init__(self, explored: Explored) -> None:
        self.explored = explored
        self.token = secrets.token_urlsafe(24)
        super().__init__((_ADDRESS, 0), _Answering)

    def server_bind(self) -> None:
        """As a plain server does: one of HTTP would ask the network for the name of the machine."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = _ADDRESS, int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever went away meanwhile is no news; anything else is told in one line."""
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError | TimeoutError):
            print(f"tanon-duck: {type(error).__name__}: {one_line(error)}", file=sys.stderr)

    @property
    def host(self) -> str:
        """What a browser calls us; anything else came by another name."""
        return f"{_ADDRESS}:{self.server_port}"

    @property
    def url(self) -> str:
        """Where the page is, with the word without which nothing is answered."""
        return f"http://{self.host}/{self.token}/"


class _Answering(BaseHTTPRequestHandler):
    server: ExplorerServer
    server_version, sys_version = "tanon", ""
    timeout = 60

    def do_GET(self) -> None:
        """A part of the page."""
        name = self._asked_for()
        if name is None:
            return
        if name not in _PAGE:
            self._say(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        file, kind = _PAGE[name]
        self._send(HTTPStatus.OK, kind, resources.files(__package__).joinpath("page", file)
                   .read_bytes())  # fmt: skip

    def do_POST(self) -> None:
        """A question about the table."""
        name = self._asked_for()
        if name is None:
            return
        if self.headers.get("Content-Type") != "application/json":
            self._say(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "questions must be application/json")
            return
        try:
            self._answer(HTTPStatus.OK, self.server.explored.answer(name, self._question()))
        except (TanonError, duckdb.Error) as error:  # of whoever chooses, not of the page
            self._answer(HTTPStatus.OK, {"error": one_line(error)})
        except ValueError as error:
            self._answer(HTTPStatus.BAD_REQUEST, {"error": one_line(error)})

    def _question(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _LONGEST_QUESTION:
            raise ValueError("a question must tell its length, and be short")
        question = json.loads(self.rfile.read(int(length)))
        if not isinstance(question, dict):
            raise ValueError("a question must be an object of JSON")
        return question

    def _asked_for(self) -> str | None:
        """What the address names below the secret word; None if whoever asks may not."""
        wrong = self._wrong_name() or self._wrong_origin()
        path = urlsplit(self.path).path
        _, word, name = [*path.split("/", 2), "", "", ""][:3]
        if not wrong and not hmac.compare_digest(word.encode(), self.server.token.encode()):
            wrong = "the address must hold the word that tanon-duck explore printed"
        if wrong:
            self._say(HTTPStatus.FORBIDDEN, wrong)
            return None
        return name

    def _wrong_name(self) -> str:
        """A foreign name that leads here is how a foreign page would get to read us."""
        if self.headers.get_all("Host") != [self.server.host]:
            return f"the page is known as {self.server.host} only"
        return ""

    def _wrong_origin(self) -> str:
        """What a browser says of the page that asks."""
        origin = self.headers.get("Origin", f"http://{self.server.host}")
        site = self.headers.get("Sec-Fetch-Site", "none")
        if origin != f"http://{self.server.host}" or site not in ("none", "same-origin"):
            return "another page may not ask"
        return ""

    def _say(self, status: HTTPStatus, words: str) -> None:
        self._send(status, "text/plain", words.encode())

    def _answer(self, status: HTTPStatus, found: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(found, allow_nan=False).encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        """Whatever is sent, an error of the protocol as well, says what a browser may do."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the address holds the secret word."""
