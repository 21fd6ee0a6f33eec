"""How many random tables a test draws: a third of them where everybody waits for the tests.

``TANON_TEST_LONG=1`` draws all: worth it after a change of what they are about.
"""

import os

LONG = bool(os.environ.get("TANON_TEST_LONG"))


def seeds(all_of_them: int) -> range:
    return range(all_of_them if LONG else -(-all_of_them // 3))
