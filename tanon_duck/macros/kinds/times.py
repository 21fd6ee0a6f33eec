"""Times, granularities and the width of snapshots."""

from tanon_duck.macros.kinds.kind import Kind, sql_boolean, unless
from tanon_duck.macros.kinds.strings import Value
from tanon_duck.macros.kinds.typed import join_list, list_of_texts, split_list
from tanon_duck.quoting import literal


class Time(Value):
    """A time: a column of a row, or a constant."""

    pattern = "time"
    name = "time"

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._text({x})"


class Granularity(Kind):
    """One granularity."""

    pattern = "granularity"
    name = "granularity"
    metavar = "GRANULARITY"
    allowed = "a built-in granularity, a bucket such as '15 minutes' or one of the calendar"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        known = f"calendar is not null, {sql_boolean(optional)}"
        wrong = f"tanon._wrong_granularities({say}, {x}, {known})"
        one = unless(f"typeof({x}) not like '%]'", x, say, optional)
        return wrong if self.is_listed else f"coalesce({one}, {wrong})"

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._text({x})"

    def form(self, x: str, form: str, prefix: str) -> str | None:
        return super().form(x, form, prefix) or f"tanon._{form}({x})"

    def from_typed(self, typed: list[str]) -> str:
        (text,) = typed
        return literal(text)


class Granularities(Granularity):
    """Several granularities."""

    pattern = "granularities"
    name = "granularities"
    metavar = "GRANULARITY,..."
    allowed = (
        "a list of built-in granularities, buckets such as '15 minutes' or those of the calendar, "
        "none twice"
    )
    is_listed = True

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._texts({x})"

    def as_text(self, x: str) -> str:
        return f"tanon._texts({x})"

    def from_typed(self, typed: list[str]) -> str:
        return list_of_texts(split_list(typed))

    def as_typed(self, values: list[str]) -> list[str]:
        return [join_list(values)]


class Snapshots(Kind):
    """How a stream is cut into snapshots."""

    pattern = "snapshots"
    name = "snapshots"
    metavar = "VALUE"
    allowed = (
        "a unit such as 'hour', 'day', 'week' or 'month', several such as '3 days', "
        "or the width of a snapshot where ts is an integer column"
    )

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return unless(f"tanon._is_snapshots({x}::varchar)", x, say, optional)

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._pace({x}::varchar)"
