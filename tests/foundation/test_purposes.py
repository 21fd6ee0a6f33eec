"""The purposes of keyed hashes are constants: a new purpose changes every draw and digest."""

import re
from pathlib import Path

import tanon_duck
from tanon_duck.macros.catalog import sql_root

PURPOSES = {
    "tanon.anatomize",
    "tanon.diversify",
    "tanon.k_anonymize_series",
    "tanon.kp_anonymize",
    "tanon.publication",
    "tanon.publish_anatomy",
    "tanon.repeats",
    "tanon.reposition",
    "tanon.row_digest",
    "tanon.sanitize_itemsets",
}
PACKAGE = Path(tanon_duck.__file__).parent
# The second argument of the macro tanon._key, or the piece `purpose` that a step passes to it.
A_KEY = re.compile(r"tanon\._key\(\s*((?:\{[^}]*\}|[^,{])+),\s*('[^']*'|\{\w+\})")
A_PIECE = re.compile(r"^piece purpose\n\s*(\S+)", re.MULTILINE)


def purposes():
    files = [*sql_root().rglob("*.sql"), *(PACKAGE / "publishing").rglob("*.py"),
             *(PACKAGE / "scaling").rglob("*.sql")]  # fmt: skip
    for file in files:
        text = file.read_text()
        yield from (found.group(2) for found in A_KEY.finditer(text))
        yield from A_PIECE.findall(text)


def test_every_purpose_is_a_constant_of_this_list():
    found = set(purposes()) - {"{purpose}"}
    assert found == {f"'{purpose}'" for purpose in PURPOSES}
