"""Count the groups of a table by size, at levels of hierarchies and granularities.

With a sensitive column, groups are also counted by their number of values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tanon_duck.errors import TanonError
from tanon_duck.quoting import identifier, literal

Ask = Callable[[str, Mapping[str, Any]], list[tuple[Any, ...]]]
# The largest number of values that is counted; larger groups count as this.
MOST_VALUES = 20
# The name that replaces a granularity if the table has no time.
WITHOUT_TIME = "without time"


@dataclass(frozen=True)
class Setting:
    """The columns, granularities and levels that form the groups."""

    respondent: str
    qi: tuple[str, ...]
    ts: str
    granularities: tuple[str, ...]
    levels: Mapping[str, int]
    sensitive: str


def heights(ask: Ask, hierarchies: str) -> list[dict[str, Any]]:
    """Return the levels of each attribute, and how many values each level has.

    One element is {'attribute': 'zip', 'level': 1, 'values': 12}.
    """
    rows = ask(
        'select attribute, "level", count(distinct generalized) '
        f'from {hierarchies} group by attribute, "level" '
        'order by attribute asc nulls last, "level" asc nulls last',
        {},
    )
    return [{"attribute": a, "level": int(n), "values": int(v)} for a, n, v in rows]


def generalized(ask: Ask, source: str, hierarchies: str, levels: Mapping[str, int]) -> str:
    """Return SQL for the source with columns generalized to these levels.

    Level 0 leaves a column unchanged.
    """
    raised = {name: level for name, level in levels.items() if level > 0}
    if not raised:
        return source
    joins, replaced = [], []
    for place, (name, level) in enumerate(raised.items()):
        _refuse_gaps(ask, source, hierarchies, name, level)
        step, column = f"step_{place}", identifier(name)
        joins.append(
            f" left join ({_dictionary(hierarchies, name, level)}) as {step} "
            f"on {step}.given is not distinct from tanon._value_text(s.{column})"
        )
        replaced.append(f"{step}.meant as {column}")
    return f"(select s.* replace ({', '.join(replaced)}) from {source} as s{''.join(joins)})"


def sizes(ask: Ask, source: str, setting: Setting) -> dict[str, list[list[Any]]]:
    """Return the groups of each granularity, counted by size.

    Each element is [respondents in a group, number of such groups, rows of these groups]. With a
    sensitive column it also has the number of values, the smallest l by the most frequent value,
    and the numbers of the values.
    """
    if setting.sensitive:
        return _sizes_with_values(ask, source, setting)
    if setting.ts:
        given = {"source": source, "respondent": setting.respondent, "qi": list(setting.qi),
                 "ts": setting.ts, "offer": list(setting.granularities)}  # fmt: skip
        rows = ask(
            "from tanon.group_sizes($source, respondent := $respondent, qi := $qi, ts := $ts, "
            "granularities := $offer)",
            given,
        )
    else:
        rows = ask(
            "select $name, frequency, count(*), sum(tuples)::bigint "
            "from tanon.frequency_set($source, respondent := $respondent, qi := $qi) "
            "group by frequency order by frequency asc nulls last",
            {
                "name": WITHOUT_TIME,
                "source": source,
                "respondent": setting.respondent,
                "qi": list(setting.qi),
            },
        )
    found: dict[str, list[list[Any]]] = {}
    for granularity, *counted in rows:
        found.setdefault(granularity, []).append(counted)
    return found


def _sizes_with_values(ask: Ask, source: str, setting: Setting) -> dict[str, list[list[Any]]]:
    """Count groups by respondents and by their number of sensitive values."""
    keys = [*setting.qi, *([setting.ts] if setting.ts else [])]
    named = "".join(f"{identifier(name)}, " for name in keys)
    respondent, value = identifier(setting.respondent), identifier(setting.sensitive)
    grouped = f"group by {', '.join(map(identifier, keys))}" if keys else ""
    found: dict[str, list[list[Any]]] = {}
    for name in setting.granularities if setting.ts else [WITHOUT_TIME]:
        rows = source
        if setting.ts:
            rows = at_granularity(source, setting.ts, name)
        found[name] = [
            list(row)
            for row in ask(
                f"""
                select f, count(*), sum(n)::bigint, d, min(l), case when d < {MOST_VALUES}
                    then list_sort(list_distinct(flatten(list(v))), 'ASC', 'NULLS LAST')
                        [:{MOST_VALUES}] end
                from (
                    select count(distinct {respondent}) as f, sum(n)::bigint as n,
                        count(distinct number) as d, list(distinct number) as v,
                        count(*) / max(alike) as l
                    from (
                        select *, count(*) over (partition by {named}{value}) as alike,
                            dense_rank() over (order by {value} asc nulls last) as number
                        from (
                            select {named}{value}, {respondent}, count(*) as n
                            from {rows} group by {named}{value}, {respondent}
                        )
                    )
                    {grouped}
                )
                where n > 0 group by f, d order by f asc nulls last, d asc nulls last
                """,
                {},
            )
        ]
    return found


def entropy(ask: Ask, rows: str, column: str) -> float:
    """Return the entropy of a column in bits, as the mean over its rows."""
    ((bits,),) = ask(
        "select coalesce(log2(sum(n)) - "
        "list_sum(list(n * log2(n) order by n asc nulls last)) / sum(n), 0) "
        f"from (select count(*) as n from {rows} group by {identifier(column)})",
        {},
    )
    return float(bits)


def at_granularity(source: str, ts: str, granularity: str) -> str:
    """Return SQL for the source with its time replaced by the granule."""
    return f"(from tanon.generalize({', '.join(map(literal, (source, ts, granularity)))}))"


def by_length(ask: Ask, granularities: tuple[str, ...]) -> list[str]:
    """Sort granularities by length and then by name, as the publisher does."""
    rows = ask(
        "select name from (select unnest($names) as name) order by "
        "regexp_extract(tanon._rule_text(name), '([0-9]+)[)]$', 1)::bigint asc nulls last, "
        "name asc nulls last",
        {"names": list(granularities)},
    )
    return [name for (name,) in rows]


def _dictionary(hierarchies: str, name: str, level: int) -> str:
    """Return SQL that maps each value to its generalized value on a level."""
    return (
        "select tanon._value_text(value) as given, "
        "min(tanon._value_text(generalized)) as meant, "
        f"count(distinct generalized) as meanings from {hierarchies} "
        f'where lower(attribute) = lower({literal(name)}) and "level" = {level} '
        "group by tanon._value_text(value)"
    )


def _refuse_gaps(ask: Ask, source: str, hierarchies: str, name: str, level: int) -> None:
    """Raise unless each value has one generalized value; NULL may have none."""
    column = identifier(name)
    rows = ask(
        f"select count(*), min(v) from (select distinct tanon._value_text({column}) as v "
        f"from {source}) "
        f"left join ({_dictionary(hierarchies, name, level)}) on given is not distinct from v "
        "where meanings > 1 or (meanings is null and v is not null)",
        {},
    )
    if rows[0][0]:
        raise TanonError(
            f"explore: hierarchies must generalize every value of {name} once on level {level}, "
            f"got {rows[0][0]} values that are not, such as {rows[0][1]}"
        )
