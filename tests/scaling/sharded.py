"""Calls that run on shards, and the rows they give on one machine: the same multiset, or not."""

import random
from dataclasses import replace

import pyarrow as pa

from tanon_duck.macros import catalog
from tanon_duck.scaling import plans

CALENDAR = """(select 'term' as granularity, i as granule, 'term ' || i as label,
    timestamp '2024-01-01' + interval 40 days * (i - 1) as starts,
    timestamp '2024-01-01' + interval 40 days * i as ends
    from range(20) as t(i))"""
GROUPS = {"respondent": "who", "qi": ["zip", "how much"], "ts": "at"}
OFFER = GROUPS | {"k": 3}
TIMES = {"granularities": ["day", "month", "quarter", "year"], "max_suppression": 0.4}
RELEASE = OFFER | TIMES | {"qi": ["zip", "age"]}
# Several of these are acceptable, and none is finer than another.
SEVERAL = RELEASE | {"granularities": ["2 weeks", "month"], "max_suppression": 0.9}
LADDERS = """(select * from (values ('zip', 'a', 'a'), ('zip', 'A', 'a'), ('zip', 'b', 'b'),
    ('zip', '', 'a'), ('age', '1', 'any'), ('age', '2', 'any'), ('age', '3', 'other'))
    as t(attribute, value, generalized), (select unnest([1]) as level))"""
AT_LEVELS = RELEASE | {"granularities": ["month"], "levels": {"zip": 1, "age": 0}}
AT_LEVELS |= {"hierarchies": LADDERS}
DISEASES = """(select * from (values ('sick', 'flu', 'cough'), ('sick', 'cold', 'cough'),
    ('sick', 'gout', 'pain'), ('sick', 'ache', 'pain')) as t(attribute, value, generalized),
    (select 1 as level))"""
EVERYBODY = "(select * replace (who + n * 100 as who) from visits, range(4) as t(n))"
LIMITED = RELEASE | {"granularities": ["quarter"], "max_suppression": 0.9, "sensitive": "sick"}
LIMITED |= {"limits": {"entropy_l": 3.7, "recursive_c": 0.9, "t": 0.25, "beta": 0.9}}
AMONG = AT_LEVELS | {"population": EVERYBODY, "presence": {"k_map": 12, "delta_high": 0.3}}
TIMELESS = {"respondent": "who", "qi": ["zip", "age"], "k": 3, "max_suppression": 0.9}
LADDER_ALONE = {"hierarchies": LADDERS, "levels": {"zip": 1, "age": 0}}
DIVERSE = {"groups": ["zip", "how much"], "sensitive": "sick", "limits": {"entropy_l": 4.5}}
BY_DISEASE = {"distance": "hierarchical", "hierarchies": DISEASES}
STREAM = {"ts": "day", "sensitive": "sick", "l": 2}
MOVED = STREAM | {"w": 5, "rows_are_persons": True}
BY_PERSON = STREAM | {"w": 5, "respondent": "who", "repeats": "one"}
DEAL = {"respondent": "who", "qi": ["zip"], "sensitive": "sick", "l": 2, "partition": ["age"]}

SUMMARY, SUPPRESSED = {"result": "summary"}, {"result": "suppressed"}
CLOSED, MAXIMAL = {"result": "closed"}, {"result": "maximal"}
PLAN, WARNINGS = {"result": "plan"}, {"result": "warnings"}

# Function, arguments, and what parts the rows: by groups, or by respondents.
CALLS = [
    ("frequency_set", {"respondent": "who", "qi": ["zip", "how much"]}, None),
    ("frequency_set", {"respondent": "who", "qi": ["zip", "how much"]}, "respondent"),
    (
        "frequency_set",
        {"respondent": "who", "qi": "zip", "ts": "at", "granularity": "week"},
        "respondent",
    ),
    ("k_anonymity", {"respondent": "who", "qi": ["zip", "how much"], "k": 3}, None),
    ("k_anonymity", {"respondent": "who", "qi": ["zip"]}, "respondent"),
    ("k_anonymity_violations", {"respondent": "who", "qi": ["zip", "how much"], "k": 10}, None),
    (
        "k_anonymity_violations",
        {"respondent": "who", "qi": ["zip", "how much"], "k": 10},
        "respondent",
    ),
    ("granularity_metrics", OFFER | TIMES, None),
    ("least_generalization", OFFER | TIMES, None),
    ("publish_events", RELEASE | {"keep": ["sick", "how much"]}, None),
    ("publish_events", RELEASE | {"for_owner": True}, None),
    ("granularity_metrics", OFFER | TIMES, "respondent"),
    ("granularity_metrics", RELEASE, "respondent"),
    ("least_generalization", RELEASE, "respondent"),
    ("publish_events", RELEASE | {"keep": ["sick", "how much"]}, "respondent"),
    ("publish_events", RELEASE | {"for_owner": True}, "respondent"),
    ("publish_events", SEVERAL | {"for_owner": True}, None),
    ("publish_events", SEVERAL, "respondent"),
    ("publish_events", AT_LEVELS | {"keep": ["sick", "how much"]}, None),
    ("publish_events", AT_LEVELS | {"for_owner": True}, "respondent"),
    ("publish_events", SUPPRESSED | AT_LEVELS | {"levels": {"zip": 0, "AGE": 1}}, None),
    ("publish_events", SUPPRESSED | RELEASE, None),
    ("publish_events", LIMITED | {"keep": ["how much"], "distance": "ordered"}, None),
    ("publish_events", LIMITED | BY_DISEASE | {"levels": {"zip": 0, "age": 0}}, None),
    ("publish_events", SUPPRESSED | LIMITED, None),
    ("publish_events", AMONG | {"for_owner": True}, None),
    ("publish_events", SUPPRESSED | AMONG, None),
    ("publish_events", TIMELESS | LADDER_ALONE | {"keep": ["how much"]}, None),
    ("publish_events", TIMELESS | {"for_owner": True}, None),
    (
        "publish_events",
        SUPPRESSED | TIMELESS | {"k": 8, "qi": ["day"]},
        None,
    ),
    ("diversity_metrics", DIVERSE | BY_DISEASE, None),
    ("limit_violations", DIVERSE | {"respondent": "who", "distance": "ordered"}, None),
    (
        "presence_metrics",
        {"respondent": "who", "qi": ["zip", "age"], "population": EVERYBODY},
        None,
    ),
    ("publish_events", SUMMARY | RELEASE | {"keep": ["sick", "how much"]}, None),
    ("generalize", {"ts": "at", "granularity": "month"}, None),
    ("l_eligibility", STREAM | {"rows_are_persons": True}, None),
    ("l_eligibility", STREAM | {"respondent": "who", "granularity": "week"}, None),
    ("publish_stream", PLAN | MOVED, None),
    ("publish_stream", PLAN | BY_PERSON, None),
    ("publish_stream", SUMMARY | MOVED, None),
    ("publish_stream", SUMMARY | BY_PERSON, None),
    ("publish_stream", WARNINGS | BY_PERSON, None),
    ("publish_stream", MOVED | {"keep": ["zip"]}, None),
    ("publish_stream", MOVED | {"for_owner": True}, None),
    ("publish_stream", BY_PERSON | {"keep": ["zip"]}, None),
    ("publish_stream", BY_PERSON | {"for_owner": True}, None),
    (
        "diverse_groups",
        {"sensitive": "sick", "l": 2, "partition": "age", "respondent": "who"},
        None,
    ),
    (
        "diverse_groups",
        {"sensitive": "sick", "l": 2, "partition": "age", "rows_are_persons": True},
        None,
    ),
    ("publish_table_pair", DEAL | {"result": "individuals"}, None),
    ("publish_table_pair", DEAL | {"result": "values"}, None),
    ("publish_table_pair", DEAL | {"result": "values", "for_owner": True}, None),
    ("group_sizes", GROUPS | {"granularities": ["week", "year"]}, None),
    ("l_diversity_violations", {"groups": ["zip"], "sensitive": "sick", "l": 5}, None),
    ("row_digest", {}, None),
    ("row_digest", {"only_columns": ["how much", "at"], "keyed": True}, None),
    (
        "risk_by_granularity",
        GROUPS | {"granularities": ["day", "month", "year"], "follow": False},
        None,
    ),
    (
        "risk_by_granularity",
        {"respondent": "who", "qi": ["zip", "how much"], "follow": False},
        None,
    ),
    (
        "dominated_total_violations",
        {"respondent": "who", "qi": "zip", "value": "age", "share": 0.01},
        None,
    ),
]
WALKS = {"series_id": "who", "series": "walk", "k": 8}
SECRETIVE = WALKS | {"sensitive": ["owes"], "allow_identifying": ["owes"]}
# Calls on the walks; up to 10,000 series make one shard, whose groups are those of one machine.
SERIES_CALLS = [
    ("publish_series", SECRETIVE | {"p": 3, "for_owner": True}),
    ("publish_series", SECRETIVE | {"p": 2, "algorithm": "shared"}),
    ("publish_series_ranges", SECRETIVE),
    ("publish_series", SUPPRESSED | WALKS | {"p": 3, "algorithm": "kapra"}),
    ("series_items", {"series_id": "who", "series": "walk", "level": 3}),
]
# Calls on the walks, or on a release of them, and what lies in shards then.
KNOWN = {"release": "released", "series_id": "who", "series": "walk"}
LOOKS = [
    ("series_violations", {"k": 20, "p": 9, "sensitive": "owes"}, "released"),
    ("series_breach", KNOWN | {"sensitive": "owes", "known": [1, 2]}, "walks"),
    ("series_loss", KNOWN, "walks"),
]
PASSED_ON = (
    "publish_events",
    "generalize",
    "publish_stream",
    "diverse_groups",
    "publish_table_pair",
)
NAMES = [f"{name}{'' if by is None else ' by ' + by} {n}" for n, (name, _, by) in enumerate(CALLS)]


def plan_of(name: str, arguments: dict[str, object]) -> str:
    """Name the plan of a call."""
    return plans.name_of(catalog.function(name), arguments)


def visits(seed: int, rows: int = 240) -> pa.Table:
    """Visits with NULL, NaN, both zeros, texts that a collation holds for equal, and few people."""
    draw = random.Random(seed)
    amounts = [None, float("nan"), 0.0, -0.0, 1.5]
    return pa.table(
        {
            "who": pa.array([draw.randint(1, 40) for _ in range(rows)], pa.int32()),
            "zip": [draw.choice(["a", "A", "b", None, ""]) for _ in range(rows)],
            "how much": [draw.choice(amounts) for _ in range(rows)],
            "at": pa.array(
                [1704067200 + 60 * draw.randint(0, 300000) for _ in range(rows)], pa.timestamp("s")
            ).cast(pa.timestamp("us")),
            "day": pa.array([19723 + draw.randint(0, 30) for _ in range(rows)], pa.int32()).cast(
                pa.date32()
            ),
            "sick": [draw.choice(["flu", "cold", "gout", None, "ache"]) for _ in range(rows)],
            "age": pa.array([draw.choice([1, 2]) for _ in range(rows)], pa.int8()),
        }
    )


def walks(con, rows: int, points: int = 8, seed: int = 1) -> None:
    """Create a table of random walks with rounded readings, so that some are equal."""
    con.execute(
        f"""create or replace table walks as
        select i as who, list_transform(range(1, {points + 1}), lambda j: round(
            start + list_sum(steps[:j]), 1)) as walk, start::integer as owes
        from (select i, hash(i, {seed}) % 100 / 10 as start, list_transform(
            range({points}), lambda j: hash(i, j, {seed}) % 1000 / 500 - 1) as steps
            from range({rows}) as t(i))"""
    )


def released(con) -> None:
    """Create a release of the walks, all but one of which are in it."""
    con.execute(
        "create table released as from tanon.publish_series('(from walks where who <> 7)', "
        "series_id := 'who', series := 'walk', k := 8, p := 3, sensitive := 'owes', "
        "allow_identifying := 'owes', "
        "for_owner := true)"
    )


def without_numbers(table: pa.Table) -> pa.Table:
    """A release of series without the numbers of its groups, which another runner makes others."""
    kept = [c for c in table.column_names if c not in ("k_group", "p_group")]
    return table.select(kept)


def on_one_machine(con, function, arguments, source="visits") -> pa.Table:
    """What the function gives in one database; without a source it is among the arguments."""
    given = ", ".join(f"{name} := ${name}" for name in arguments)
    first = f"'{source}', " if source else ""
    return con.sql(f"from tanon.{function}({first}{given})", params=arguments).to_arrow_table()


def difference(con, function: str, one: pa.Table, other: pa.Table) -> list:
    """Rows that one has more often than the other: none where they are the same multiset.

    Rows that are passed on are compared as they are spelt; of a group that -0.0 and 0.0 share
    either may stand for it.
    """
    con.register("one", one)
    con.register("other", other)
    spelt = "::varchar" if function in PASSED_ON else ""
    columns = ", ".join(f'"{name}"{spelt}' for name in one.column_names)
    one_text, other_text = (f"(select {columns} from {t})" for t in ("one", "other"))
    return con.execute(
        f"({one_text} except all {other_text}) union all ({other_text} except all {one_text})"
    ).fetchall()


BASKETS = {"transaction": "bought by", "item": "article"}
# Calls on baskets, and which of them give no row where nothing is frequent.
ITEMSET_CALLS = [
    ("frequent_itemsets", {"min_support": 9}),
    ("frequent_itemsets", {"min_support": 0.11, "max_length": 2}),
    ("frequent_itemsets", {"min_support": 1000}),
    ("frequent_itemsets", CLOSED | {"min_support": 4}),
    ("frequent_itemsets", CLOSED | {"min_support": 0.05, "max_length": 2}),
    ("frequent_itemsets", MAXIMAL | {"min_support": 5}),
    ("frequent_itemsets", MAXIMAL | {"min_support": 5, "max_length": 2}),
    ("inference_channels", {"min_support": 9, "k": 6}),
    ("publish_itemsets", {"min_support": 9, "k": 5, "for_owner": True}),
    ("publish_itemsets", {"min_support": 0.11, "k": 3, "padding": "k", "max_length": 3}),
    ("publish_itemsets", SUMMARY | {"min_support": 9, "k": 5}),
]
# The last call of each function that gives rows.
ITEMSET_FUNCTIONS = {
    (name, arguments.get("result")): (name, arguments)
    for name, arguments in ITEMSET_CALLS
    if arguments["min_support"] < 1000
}
ITEMSET_NAMES = [f"{name} {n}" for n, (name, _) in enumerate(ITEMSET_CALLS)]


def baskets(seed: int, people: int = 90, lists: bool = False) -> pa.Table:
    """Baskets of skewed articles, some of which go together; one twice, and one that holds none."""
    draw = random.Random(seed)
    common = ["", "A", "a", "é", 'o"k', "x" * 40, "1", "tanon_item", "null"]
    rare = [f"rare {n}" for n in range(30)]
    rows = []
    for who in range(people):
        held = [a for n, a in enumerate(common) if draw.random() < 0.75 / (1 + n / 3)]
        held += ["both", "halves"] if draw.random() < 0.3 else []
        held += draw.sample(rare, draw.randint(0, 2)) or ["A"]
        rows.append((who, [*held, held[0]]))
    if lists:
        return pa.table(
            {
                "bought by": pa.array([who for who, _ in rows] + [people], pa.int32()),
                "article": pa.array([held for _, held in rows] + [[]], pa.list_(pa.string())),
            }
        )
    pairs = [(who, article) for who, held in rows for article in held]
    draw.shuffle(pairs)
    return pa.table(
        {
            "bought by": pa.array([who for who, _ in pairs], pa.int32()),
            "article": [article for _, article in pairs],
        }
    )


# Which functions buckets and Spark are held against one machine with, and by what rows are parted.
COMPARED = {(plan_of(name, given), by) for name, given, by in CALLS} | {
    (plan_of(name, given), None)
    for name, given, *_ in [*SERIES_CALLS, *LOOKS, *ITEMSET_FUNCTIONS.values()]
}


def without(monkeypatch, function, *stages):
    """Let a function run as if these stages were not in its plan."""
    made, found = plans.plan, plans.plan(function)
    left = {
        name: tuple(s for s in getattr(found, name) if not {*s.what} & {*stages})
        for name in ("stages", "by_uid")
    }
    broken = replace(found, **left)
    monkeypatch.setattr(plans, "plan", lambda name: broken if name == function else made(name))
