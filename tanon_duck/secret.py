"""Draw, read and check the secret that decides random choices of a release.

With the secret, a person can repeat these choices, for example the place of two equal rows. It has
at least 128 random bits, as hexadecimal digits. Set ``TANON_SECRET`` if several commands need the
same secret. Else each process draws its own secret and does not store it.
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
    """Return the secret in ``TANON_SECRET``, or the secret drawn for this process."""
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
    """Return whether a text is long and random enough, by the rules of ``tanon._is_secret``."""
    if not _is_hex(text):
        return False
    found = bytes.fromhex(text[:32])
    if text[:32].isdecimal() or all(0x20 <= byte < 0x7F for byte in found):
        return False
    steps = {(b - a) % 256 for a, b in pairwise(found)}
    return len(set(found)) >= 10 and len(steps) >= 8


def fingerprint(text: str) -> str:
    """Return five hexadecimal digits that distinguish two secrets and do not confirm a guess.

    Each guess costs an adversary 16 MB and some hundredths of a second. One of a million wrong
    guesses has the same fingerprint.
    """
    slow = hashlib.scrypt(
        text.lower().encode(), salt=b"tanon_duck 1 fingerprint", n=2**14, r=8, p=1, dklen=32
    )
    return slow.hex()[:5]


def _is_hex(text: str) -> bool:
    return re.fullmatch("[0-9a-fA-F]{32,512}", text) is not None
