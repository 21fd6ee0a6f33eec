"""The secret: what counts as one, who holds it, and the hash that it keys."""

import hashlib
import subprocess
import sys

import pytest

from tanon_duck import TanonError, new_secret, secret

TYPED = [
    "",
    "0",
    "secret",
    "0" * 32,
    "deadbeef" * 8,
    "0123456789abcdef" * 4,
    "00112233445566778899aabbccddeeff",
    "f" * 31,
    "g" * 32,
    "0x" + "1f" * 16,
    "31415926535897932384626433832795",
    b"correct horse battery staple".hex(),
    b"Tr0ub4dor&3 ~|{}".hex().upper(),
]


def test_drawn_secrets_differ_and_are_accepted(con):
    drawn = {new_secret() for _ in range(100)}
    assert len(drawn) == 100
    judged = con.execute(
        "select bool_and(tanon._is_secret(s)) from (select unnest($1) as s)", [list(drawn)]
    )
    assert judged.fetchall() == [(True,)]
    assert all(map(secret.is_secret, drawn))


@pytest.mark.parametrize("text", TYPED)
def test_what_can_be_guessed_is_no_secret(con, text):
    assert not secret.is_secret(text)
    assert con.execute("select tanon._is_secret($1)", [text]).fetchall() == [(False,)]


def test_a_process_holds_one_secret(monkeypatch, con):
    monkeypatch.delenv(secret.VARIABLE, raising=False)
    assert secret.held_secret() == secret.held_secret()
    held = "select (select key from (select tanon._held_secret_text() as key))"
    assert secret.held_secret() not in con.execute(held).fetchall()[0][0]
    other = subprocess.run(
        [sys.executable, "-c", "from tanon_duck import secret; print(secret.held_secret())"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert secret.is_secret(other.stdout.strip())
    assert other.stdout.strip() != secret.held_secret()


def test_the_environment_gives_one(monkeypatch):
    given = new_secret()
    monkeypatch.setenv(secret.VARIABLE, given.upper())
    assert secret.held_secret() == given


def test_a_weak_one_of_the_environment_is_refused_and_not_shown(monkeypatch):
    monkeypatch.setenv(secret.VARIABLE, "hunter2")
    with pytest.raises(TanonError, match=r"must be at least 32 .*, got a text of 7 char") as raised:
        secret.held_secret()
    assert "hunter2" not in str(raised.value)


def test_the_hash_is_sha256_of_key_and_row(con):
    given = new_secret()
    key = hashlib.sha256("\n".join(["tanon_duck 1", given, "deal", "[INTEGER]"]).encode()).digest()
    wanted = int(hashlib.sha256(key + b"2:42").hexdigest()[:24], 16)
    found = con.execute("select tanon._keyed(tanon._key($1, 'deal', ['INTEGER']), '2:42')", [given])
    assert found.fetchall() == [(wanted,)]


def test_no_two_rows_are_encoded_alike(con):
    """Cells that hold what separates cells, empty texts, NULL and the word NULL."""
    cells = [None, "", "NULL", "-", "-1:a", "1:a", "a", "1:a1:a", ":", "0:"]
    con.execute("create table t (a varchar, b varchar)")
    con.executemany("insert into t values (?, ?)", [(a, b) for a in cells for b in cells])
    text = con.execute("select tanon._encoded_text(['a', 'b'], '')").fetchall()[0][0]
    assert con.execute(f"select count(distinct {text}) from t").fetchall() == [(len(cells) ** 2,)]
