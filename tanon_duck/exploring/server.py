"""Serve the page on this machine: check each request, then answer it."""

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
from tanon_duck.exploring.table import ExploredTable

_ADDRESS = "127.0.0.1"
_SCRIPTS = (
    "drawn", "events", "judge", "levels", "main", "roles", "series", "server", "taken",
)  # fmt: skip
_PAGE = {
    "": ("index.html", "text/html"),
    "explorer.css": ("explorer.css", "text/css"),
    **{f"{name}.js": (f"{name}.js", "text/javascript") for name in _SCRIPTS},
}
# The page loads from and sends to this server only.
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
_MAX_QUESTION_BYTES = 1_000_000


class ExplorerServer(ThreadingHTTPServer):
    """Serves the page of one table at an address that contains a secret token."""

    daemon_threads = True

    def __init__(self, explored: ExploredTable) -> None:
        self.explored = explored
        self.token = secrets.token_urlsafe(24)
        super().__init__((_ADDRESS, 0), _RequestHandler)

    def server_bind(self) -> None:
        """Bind without asking the network for the name of the machine.

        The inherited method of an HTTP server would ask.
        """
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = _ADDRESS, int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print one line about an error; ignore closed connections."""
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError | TimeoutError):
            print(f"tanon-duck: {type(error).__name__}: {one_line(error)}", file=sys.stderr)

    @property
    def host(self) -> str:
        """Return address and port, the only Host header that is accepted."""
        return f"{_ADDRESS}:{self.server_port}"

    @property
    def url(self) -> str:
        """Return the address of the page with its secret token."""
        return f"http://{self.host}/{self.token}/"


class _RequestHandler(BaseHTTPRequestHandler):
    """Answers requests that have the secret token and the right headers."""

    server: ExplorerServer
    server_version, sys_version = "tanon", ""
    timeout = 60

    def do_GET(self) -> None:
        """Send a file of the page."""
        name = self._requested_name()
        if name is None:
            return
        if name not in _PAGE:
            self._send_text(HTTPStatus.NOT_FOUND, "this page does not exist")
            return
        file, kind = _PAGE[name]
        self._send(HTTPStatus.OK, kind, resources.files(__package__).joinpath("page", file)
                   .read_bytes())  # fmt: skip

    def do_POST(self) -> None:
        """Answer a question about the table as JSON.

        An error of the user's choices has status 200, because the page shows it. A malformed
        request has status 400.
        """
        name = self._requested_name()
        if name is None:
            return
        if self.headers.get("Content-Type") != "application/json":
            self._send_text(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "questions must be application/json")
            return
        try:
            self._send_json(HTTPStatus.OK, self.server.explored.answer(name, self._question()))
        except (TanonError, duckdb.Error) as error:  # the user can change the choice
            self._send_json(HTTPStatus.OK, {"error": one_line(error)})
        except ValueError as error:
            self._send_json(HTTPStatus.BAD_REQUEST, {"error": one_line(error)})

    def _question(self) -> dict[str, Any]:
        """Read the JSON object of a request."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _MAX_QUESTION_BYTES:
            raise ValueError("a question must have a Content-Length of at most 1000000 bytes")
        question = json.loads(self.rfile.read(int(length)))
        if not isinstance(question, dict):
            raise ValueError("a question must be a JSON object")
        return question

    def _requested_name(self) -> str | None:
        """Return the path after the token; send 403 and return None if refused."""
        wrong = self._wrong_host() or self._wrong_origin()
        path = urlsplit(self.path).path
        _, token, name = [*path.split("/", 2), "", "", ""][:3]
        if not wrong and not hmac.compare_digest(token.encode(), self.server.token.encode()):
            wrong = "the address must contain the token that tanon-duck explore printed"
        if wrong:
            self._send_text(HTTPStatus.FORBIDDEN, wrong)
            return None
        return name

    def _wrong_host(self) -> str:
        """Return why the Host header is refused, or ''.

        A foreign host name could let a foreign page read the table (DNS rebinding).
        """
        if self.headers.get_all("Host") != [self.server.host]:
            return f"the Host header must be {self.server.host}"
        return ""

    def _wrong_origin(self) -> str:
        """Return why the browser's origin headers are refused, or ''."""
        origin = self.headers.get("Origin", f"http://{self.server.host}")
        site = self.headers.get("Sec-Fetch-Site", "none")
        if origin != f"http://{self.server.host}" or site not in ("none", "same-origin"):
            return "only the page of this server may send requests"
        return ""

    def _send_text(self, status: HTTPStatus, words: str) -> None:
        """Send plain text."""
        self._send(status, "text/plain", words.encode())

    def _send_json(self, status: HTTPStatus, found: dict[str, Any]) -> None:
        """Send an object as JSON."""
        self._send(status, "application/json", json.dumps(found, allow_nan=False).encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        """Send a response with this status, content type and body."""
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        """Add the security headers to every response, errors included."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, because the address contains the secret token."""
