"""The SQL of a call taken apart at its steps: up to one of them, or with some given as tables."""

import re
from collections.abc import Collection

from tanon_duck.doors.preview import cut

_NAME = re.compile(r'"tanon_(?:[^"]|"")+"|\btanon_\w+')


class Text:
    """What ``tanon_duck.sql`` gave, as CTEs by name and the query behind them."""

    def __init__(self, sql: str) -> None:
        ctes, self.query = cut(sql)
        self._recursive = sql.lower().startswith("with recursive")
        self._ctes = {
            head["name"].strip('"'): f"{head['name']} as {head['how'] or ''}({body})"
            for head, body in ctes
        }

    def has(self, name: str) -> bool:
        """Whether there is such a CTE."""
        return name in self._ctes

    def up_to(self, name: str, given: Collection[str]) -> str:
        """The SQL of one CTE; those that are given are tables of the same names."""
        return self.whole(f"from {name}", given)

    def whole(self, query: str, given: Collection[str]) -> str:
        """A query behind the CTEs that it reads, by itself or through others."""
        wanted, left = set(), [query]
        while left:
            for name in (found.strip('"') for found in _NAME.findall(left.pop())):
                if name in self._ctes and name not in wanted and name not in given:
                    wanted.add(name)
                    left.append(self._ctes[name])
        ctes = [text for name, text in self._ctes.items() if name in wanted]
        opening = "with recursive " if self._recursive else "with "
        return (opening + ",\n".join(ctes) + "\n" if ctes else "") + query
