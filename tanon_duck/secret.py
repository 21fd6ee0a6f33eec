"""The secret that decides what must not be guessed: drawn, held for the process, or given.

Whoever knows it can repeat what it decided, for example which of two equal rows went where. It is
at least 128 bits from the operating system, as hexadecimal digits. ``TANON_SECRET`` gives one to
several commands that must agree; without it each process draws its own and forgets it at its end.
"""

import hashlib
import os
import re
import secrets
from functools import cache
from itertools import pairwise

from tanon_duck.errors import SECRET_ALLOWED, TanonError

VARIABLE = "TANON_SECRET"


def new_secret() -> str:
    """Draw a secret of 256 bits from the operating system."""
    return secrets.token_hex(32)


def held_secret() -> str:
    """The secret of the environment, or the one drawn for this process."""
    given = os.environ.get(VARIABLE)
    if not given:
        return _drawn()
    if not is_secret(given):
        got = "one that can be guessed" if _is_hex(given) else f"a text of {len(given)} characters"
        raise TanonError(f"tanon: {VARIABLE} must be {SECRET_ALLOWED}, got {got}")
    return given.lower()


@cache
def _drawn() -> str:
    return new_secret()


def is_secret(text: str) -> bool:
    """Whether a text may be a secret, judged as ``tanon._is_secret`` does."""
    if not _is_hex(text):
        return False
    found = bytes.fromhex(text[:32])
    if text[:32].isdecimal() or all(0x20 <= byte < 0x7F for byte in found):
        return False
    steps = {(b - a) % 256 for a, b in pairwise(found)}
    return len(set(found)) >= 10 and len(steps) >= 8


def fingerprint(text: str) -> str:
    """Enough of a secret to tell two apart, and too little to know a guess for right.

    Whoever guesses (a word whose MD5 somebody took for a secret) pays 16 MB and some hundredths of
    a second for each guess, and one in a million wrong ones looks right.
    """
    slow = hashlib.scrypt(
        text.lower().encode(), salt=b"tanon_duck 1 fingerprint", n=2**14, r=8, p=1, dklen=32
    )
    return slow.hex()[:5]


def _is_hex(text: str) -> bool:
    return re.fullmatch("[0-9a-fA-F]{32,512}", text) is not None
