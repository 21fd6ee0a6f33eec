"""Groups of a table counted once: at levels of hierarchies, with or without a time, and how many
values of a sensitive column each group has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tanon_duck.errors import TanonError
from tanon_duck.quoting import identifier, literal

Ask = Callable[[str, Mapping[str, Any]], list[tuple[Any, ...]]]
# What the slider of different values goes up to: groups that have as many are asked for no more.
MOST_VALUES = 20
# What stands for a granularity where there is no time.
WITHOUT_TIME = "without time"


@dataclass(frozen=True)
class Setting:
    """What groups are made of."""

    respondent: str
    qi: tuple[str, ...]
    ts: str
    granularities: tuple[str, ...]
    levels: Mapping[str, int]
    sensitive: str


def heights(ask: Ask, hierarchies: str) -> list[dict[str, Any]]:
    """The levels of each attribute of a table of hierarchies, and how many values each has."""
    rows = ask(
        'select attribute, "level", count(distinct generalized) '
        f'from {hierarchies} group by attribute, "level" '
        'order by attribute asc nulls last, "level" asc nulls last',
        {},
    )
    return [{"attribute": a, "level": int(n), "values": int(v)} for a, n, v in rows]


def generalized(ask: Ask, source: str, hierarchies: str, levels: Mapping[str, int]) -> str:
    """The source as a relation whose columns stand on these levels, 0 as they are."""
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
    """By granularity: respondents of a group, groups of so many, and the rows in all of them; with
    a sensitive column also its values in a group, and the least l by the most frequent one."""
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
    for granularity, *told in rows:
        found.setdefault(granularity, []).append(told)
    return found


def _sizes_with_values(ask: Ask, source: str, setting: Setting) -> dict[str, list[list[Any]]]:
    """A respondent counts once for each value of theirs in a group, as limits count them. Groups of
    few values come with the numbers of these, so that those of several groups can be told."""
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


def bits_told(ask: Ask, rows: str, column: str) -> float:
    """The mean over rows of log2 of one over the share of rows with the same value in a column."""
    ((bits,),) = ask(
        "select coalesce(log2(sum(n)) - "
        "list_sum(list(n * log2(n) order by n asc nulls last)) / sum(n), 0) "
        f"from (select count(*) as n from {rows} group by {identifier(column)})",
        {},
    )
    return float(bits)


def at_granularity(source: str, ts: str, granularity: str) -> str:
    """The source as a relation whose time is the label of a granule."""
    return f"(from tanon.generalize({', '.join(map(literal, (source, ts, granularity)))}))"


def shorter_first(ask: Ask, granularities: tuple[str, ...]) -> list[str]:
    """Granularities by length and then by name, as the publisher ranks equals."""
    rows = ask(
        "select name from (select unnest($names) as name) order by "
        "regexp_extract(tanon._rule_text(name), '([0-9]+)[)]$', 1)::bigint asc nulls last, "
        "name asc nulls last",
        {"names": list(granularities)},
    )
    return [name for (name,) in rows]


def _dictionary(hierarchies: str, name: str, level: int) -> str:
    return (
        "select tanon._value_text(value) as given, "
        "min(tanon._value_text(generalized)) as meant, "
        f"count(distinct generalized) as meanings from {hierarchies} "
        f'where lower(attribute) = lower({literal(name)}) and "level" = {level} '
        "group by tanon._value_text(value)"
    )


def _refuse_gaps(ask: Ask, source: str, hierarchies: str, name: str, level: int) -> None:
    """Every value must become one other: NULL alone may stay what it is."""
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
