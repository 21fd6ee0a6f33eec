"""Numbers, and lists of numbers."""

import re

from tanon_duck.macros.kinds.kind import Kind, sql_boolean, unless
from tanon_duck.macros.kinds.typed import INTEGER, NUMBER, join_list, split_list
from tanon_duck.quoting import literal

_BOUNDS = (
    r"(?: (?P<sign>>=|>|<=|<) (?P<bound>\S+)"
    r"| in (?P<open>[\[(])(?P<low>\S+), (?P<high>\S+)(?P<close>[\])]))?"
)


def _number(text: str, pattern: re.Pattern[str], kind: Kind) -> str:
    if not pattern.fullmatch(text):
        raise ValueError(f"must be {kind.allowed}, got {text!r}")
    return text


class Number(Kind):
    """A number with optional bounds, for example ``number > 0``."""

    pattern = f"number{_BOUNDS}"
    name = "number"
    metavar = "NUMBER"
    _article = "a"
    _whole = False
    _spelt = NUMBER

    @property
    def allowed(self) -> str:
        return f"{self._article} {self.words}"

    @property
    def bounds(self) -> tuple[str, ...]:
        """Return the bounds in the order >, >=, <=, <; a missing bound is infinite."""
        found = self._found()
        given = {found["sign"]: found["bound"]}
        if found["open"]:
            given = {">=" if found["open"] == "[" else ">": found["low"]}
            given["<=" if found["close"] == "]" else "<"] = found["high"]
        low, high = "'-inf'::double", "'inf'::double"
        signs = (">", ">=", "<=", "<")
        return tuple(given.get(sign, low if ">" in sign else high) for sign in signs)

    def wrong(self, x: str, say: str, optional: bool) -> str:
        rule = ", ".join([sql_boolean(self._whole), *self.bounds])
        return f"tanon._wrong_number({say}, {x}, {rule}, {sql_boolean(optional)})"

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._plain({x})"

    def from_typed(self, typed: list[str]) -> str:
        (text,) = typed
        return _number(text, self._spelt, self)


class Integer(Number):
    """A whole number."""

    pattern = f"integer{_BOUNDS}"
    name = "integer"
    metavar = "N"
    _article = "an"
    _whole = True
    _spelt = INTEGER


class Share(Number):
    """A share of rows in decimal digits, so that its product with a count is exact."""

    pattern = "share"
    name = "share"
    allowed = "a number in [0, 1)"
    bounds = ("'-inf'::double", "0", "'inf'::double", "1")

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._share_text({x})"


class Rational(Kind):
    """An exact fraction such as ``5/2``."""

    pattern = r"rational (?P<sign>>=|>) (?P<least>\d+)"
    name = "rational"
    metavar = "VALUE"

    @property
    def allowed(self) -> str:
        found = self._found()
        word = "greater than" if found["sign"] == ">" else "of at least"
        return f"a rational number {word} {found['least']} such as 3, 2.5 or '5/2'"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        found = self._found()
        above = "_above" if found["sign"] == ">" else ""
        return unless(f"tanon._is_rational{above}({x}, {found['least']})", x, say, optional)

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._text({x})"


class CountOrShare(Kind):
    """A count such as 5, or a share such as 0.05."""

    pattern = "count or share"
    name = "count or share"
    metavar = "VALUE"
    allowed = "a count of at least 1, or a share in (0, 1] with a decimal point"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return unless(f"tanon._is_count_or_share({x}::varchar)", x, say, optional)

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._plain({x})"


class Numbers(Kind):
    """A list of numbers, passed on as one typed literal."""

    pattern = "numbers"
    name = "numbers"
    metavar = "NUMBER,..."
    allowed = "a list of two or more finite numbers"
    is_listed = True
    _type = "double[]"
    _spelt = NUMBER

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return unless(f"tanon._are_{self.name}({x})", x, say, optional)

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._text({x}) || {literal('::' + self._type)}"

    def from_typed(self, typed: list[str]) -> str:
        numbers = [_number(text.strip(), self._spelt, self) for text in split_list(typed)]
        return f"[{', '.join(numbers)}]"

    def as_typed(self, values: list[str]) -> list[str]:
        return [join_list(values)]


class Positions(Numbers):
    """Positions in a series, from 1."""

    pattern = "positions"
    name = "positions"
    metavar = "N,..."
    allowed = "a list of positions, counted from 1, none twice"
    _type = "integer[]"
    _spelt = INTEGER


class Sizes(Numbers):
    """Several whole numbers to try."""

    pattern = "sizes"
    name = "sizes"
    metavar = "N,..."
    allowed = "a list of whole numbers above 0, none twice"
    _type = "integer[]"
    _spelt = INTEGER


class Shares(Numbers):
    """Several shares to try."""

    pattern = "shares"
    name = "shares"
    allowed = "a list of numbers in [0, 1), none twice"
    _type = "decimal(19, 18)[]"


class Widths(Numbers):
    """The widths of intervals, one for each level."""

    pattern = "widths"
    name = "widths"
    allowed = "a list of numbers above 0, each a multiple of the one before"


class Ranges(Numbers):
    """Ranges of readings at positions of a series; on the command line typed as SQL."""

    pattern = "ranges"
    name = "ranges"
    metavar = "VALUE"
    allowed = "a list of {'position': 1, 'low': 0, 'high': 9}, no position twice, low <= high"
    is_listed = False
    _type = 'struct("position" integer, low double, high double)[]'

    def from_typed(self, typed: list[str]) -> str:
        return Kind.from_typed(self, typed)

    def as_typed(self, values: list[str]) -> list[str]:
        return Kind.as_typed(self, values)
