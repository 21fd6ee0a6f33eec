"""Who may ask the page: only whoever was told the address, from this machine, by its number."""

import http.client
import json
import socket
import threading

import pytest
from waiting import LONGEST

from tanon_duck.exploring import ExploredTable, ExplorerServer
from tanon_duck.exploring.table import Names


class Asked(ExploredTable):
    """Answers without a database: what is asked is what is said."""

    def answer(self, name, question):
        return {"name": name, "question": dict(question)}

    def close(self):
        pass


@pytest.fixture(scope="module")
def server():
    made = ExplorerServer(Asked(None, "source", Names("t", "t", "", "t")))
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def ask(server, path, method="GET", body=None, host=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=LONGEST)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        headers = {"Content-Type": "application/json"} | headers
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or server.host)
    for name, value in headers.items():
        connection.putheader(name, value)
    if body is not None:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), dict(answer.getheaders())


def test_it_listens_on_this_machine_alone(server):
    assert server.socket.getsockname()[0] == "127.0.0.1"
    assert server.url == f"http://127.0.0.1:{server.server_port}/{server.token}/"
    other = ExplorerServer(server.explored)
    other.server_close()
    assert len(server.token) >= 32 and other.token != server.token


def test_no_name_is_asked_of_the_network(monkeypatch):
    def asked(*_):
        raise AssertionError("a name was looked up")

    for name in ("getfqdn", "gethostbyaddr", "getaddrinfo"):
        monkeypatch.setattr(socket, name, asked)
    ExplorerServer(Asked(None, "source", Names("t", "t", "", "t"))).server_close()


@pytest.mark.parametrize("name", ["", "explorer.css", "main.js", "judge.js", "drawn.js"])
def test_the_page_and_its_parts_say_what_a_browser_may_do(server, name):
    status, text, headers = ask(server, f"/{server.token}/{name}")
    assert status == 200 and text
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "*" not in policy
    assert "http" not in policy and "frame-ancestors 'none'" in policy
    assert headers["Referrer-Policy"] == "no-referrer" and headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/columns", "//", "/%2e%2e/etc/passwd", ""])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_nothing_is_told_without_the_word(server, path, method):
    body = b"{}" if method == "POST" else None
    status, text, headers = ask(server, path or "*", method, body)
    assert status == 403 and server.token not in text
    assert "Content-Security-Policy" in headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost", "127.0.0.1", "[::1]", "0.0.0.0"]
)
def test_a_foreign_name_that_leads_here_is_refused(server, host):
    """DNS rebinding: the page of another site, whose name now means this machine."""
    host = host if host != "localhost" else f"localhost:{server.server_port}"
    for method, body in (("GET", None), ("POST", b"{}")):
        status, text, _ = ask(server, f"/{server.token}/columns", method, body, host=host)
        assert status == 403 and "Host header must be 127.0.0.1" in text


def test_another_page_may_not_ask(server):
    path = f"/{server.token}/columns"
    own = f"http://{server.host}"
    for headers in (
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"}, {"Origin": own + "1"},
    ):  # fmt: skip
        assert ask(server, path, "POST", b"{}", **headers)[0] == 403
    assert ask(server, path, "POST", b"{}", Origin=own, Sec_Fetch_Site="same-origin")[0] == 200
    # What a form of another page could send without being asked for leave.
    assert ask(server, path, "POST", b"{}", Content_Type="text/plain")[0] == 415


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff\xfe{}", b"1"])
def test_a_question_that_is_none_gets_a_sentence(server, body):
    status, text, _ = ask(server, f"/{server.token}/columns", "POST", body)
    assert status == 400 and json.loads(text)["error"]


def test_a_question_is_short(server):
    status, text, _ = ask(server, f"/{server.token}/columns", "POST", None,
                          Content_Type="application/json", Content_Length="99999999")  # fmt: skip
    assert status == 400 and "at most 1000000 bytes" in text


def test_other_parts_of_the_machine_are_not_there(server):
    for name in ("nothing", "../table.py", "..%2ftable.py", "page/index.html", "index.html"):
        assert ask(server, f"/{server.token}/{name}")[0] == 404
    assert ask(server, f"/{server.token}/", "DELETE")[0] == 501


def test_who_goes_away_is_no_news_and_a_fault_is_one_line(server, capsys, monkeypatch):
    def gone(*_):
        raise BrokenPipeError

    def broken(*_):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(Asked, "answer", gone)
    with pytest.raises(http.client.RemoteDisconnected):
        ask(server, f"/{server.token}/columns", "POST", b"{}")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(Asked, "answer", broken)
    with pytest.raises(http.client.RemoteDisconnected):
        ask(server, f"/{server.token}/columns", "POST", b"{}")
    assert capsys.readouterr().err == "tanon-duck: RuntimeError: two lines\n"
    assert ask(server, f"/{server.token}/")[0] == 200


def test_a_question_is_answered(server):
    body = json.dumps({"respondent": "Zoë"}).encode()
    status, text, _ = ask(server, f"/{server.token}/columns", "POST", body)
    assert (status, json.loads(text)) == (
        200,
        {"name": "columns", "question": {"respondent": "Zoë"}},
    )
