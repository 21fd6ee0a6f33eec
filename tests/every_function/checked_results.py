"""What must hold of any result: the columns of the header, and the same rows however rows lie.

What is promised holds, no row is lost, and counts are those of a plain GROUP BY.
"""

import re
from collections import Counter

from every_function.argument_values import LEFT_OUT, create_tables
from every_function.covering_calls import written

from oracles.diversity import equal, hierarchical, of_table, ordered
from oracles.granules import granule, instant
from oracles.itemsets import closed, frequent, maximal
from tanon_duck.macros import catalog
from tanon_duck.quoting import identifier

# The order of the rows may decide these: the time taken, and which of several is the first.
OF_THE_RUN = {"seconds"}
TYPES = {"list of items": r".*\[\]", "as in source": ".*", "as in release": ".*"}


def create_worlds(con):
    """The tables of the calls twice: as they are, and with their rows in another order."""
    con.execute("attach ':memory:' as plain; attach ':memory:' as shuffled; use plain")
    create_tables(con)
    tables = con.execute(
        "select table_name from duckdb_tables() where database_name = 'plain'"
    ).fetchall()
    for (name,) in tables:
        con.execute(
            f"create table shuffled.{identifier(name)} as "
            f"select t.* from {identifier(name)} as t order by sha256(t::varchar) asc"
        )


def result_of(con, sql, name="result_of_call"):
    """Keep the result of a call; an expression's as a table of one column."""
    con.execute(f"create or replace temp table {name} as {sql}")


def asked(con, sql):
    return con.execute(sql).fetchall()


def asked_answer(function, call):
    """Find the answer that a call asks for."""
    return catalog.function(function).header.answer((call.get("result") or "").strip("'"))


def check_result(con, function, call):
    """All that is known of the result of this call, which stands in result_of_call."""
    if not catalog.function(function).is_scalar:
        check_columns(con, function, call)
    check_rows_are_kept(con, function, call)
    check_promise(con, function, call)
    if function in REFERENCES:
        REFERENCES[function](con, function, call)
    check_order_of_rows(con, function, call)


def check_columns(con, function, call):
    """Names and types are those of the header."""
    columns = asked_answer(function, call).columns
    told = {result.name: result.type for result in columns}
    found = {n: t for n, t, *_ in asked(con, "describe result_of_call")}
    passes = [r for r in columns if not re.fullmatch(r"\w+", r.name) or " as " in r.name]
    for name, type in found.items():
        if name not in told:
            assert passes, f"{name} is no result of the header"
        elif " as " not in f" {told[name]}":
            pattern = TYPES.get(told[name], re.escape(told[name]))
            assert re.fullmatch(pattern, type), f"{name} is {type}, not {told[name]}"
    always = [r.name for r in columns if r not in passes and not r.meaning.startswith("(")]
    assert [n for n in always if n not in found] == [], f"columns {list(found)}"


def check_order_of_rows(con, function, call):
    """Tables with their rows in another order give the same rows."""
    con.execute("use shuffled")
    try:
        result_of(con, written(function, call), "shuffled_result")
    finally:
        con.execute("use plain")
    columns = [n for n, *_ in asked(con, "describe result_of_call") if n not in OF_THE_RUN]
    shown = ", ".join(map(identifier, columns))
    both = [f"select {shown} from {t}" for t in ("result_of_call", "shuffled_result")]
    ((one, other),) = asked(
        con,
        f"select (select count(*) from ({both[0]} except all {both[1]})), "
        f"(select count(*) from ({both[1]} except all {both[0]}))",
    )
    assert (one, other) == (0, 0), f"shuffled rows give {one} rows less and {other} others"


def check_promise(con, function, call):
    """The check that the header names holds of the release."""
    header = catalog.function(function).header
    if asked_answer(function, call).audience != "others" or call.get("for_owner") == "true":
        return
    values = {a.name: a.default for a in header.arguments}
    values |= {name: x for name, x in call.items() if x is not LEFT_OUT}
    values["tanon_owner"] = "'owners_of_call'"
    name, _, rest = header.promises.partition("(")
    if "$tanon_owner" in rest:
        result_of(con, written(function, call | {"for_owner": "true"}), "owners_of_call")
    rest = re.sub(r"\$(\w+)", lambda found: f"{values[found[1]]}", rest)
    told = asked(con, f"from tanon.{name}('result_of_call', {rest}")
    assert told
    assert [row for row in told if row[-1] is not True] == []


def rows_in(con, relation):
    text = asked(con, f"select {relation}")[0][0]
    return asked(con, f"select count(*) from {text}")[0][0]


def rows_out(con, column="1"):
    return asked(con, f"select coalesce(sum({column}), 0)::bigint from result_of_call")[0][0]


def without(function, call, *names, **given):
    """The same call of another function, without some arguments."""
    return written(function, {n: x for n, x in call.items() if n not in names} | given)


def check_rows_are_kept(con, function, call):
    """Rows of the source are in the result, or counted as suppressed."""
    if (call.get("result") or "'release'") != "'release'":
        return
    if function == "publish_events":
        source = rows_in(con, call["source"])
        is_one_by_one = call["remainder"] is LEFT_OUT or call["for_owner"] == "true"
        released = rows_out(con) if is_one_by_one else rows_out(con, "stands_for")
        ((records, suppressed),) = asked(
            con,
            f"select records, suppressed {without(function, call, 'for_owner', result=SUMMARY)}",
        )
        assert records + suppressed == source
        assert released == (records if call["remainder"] is LEFT_OUT else source)
        ((listed,),) = asked(
            con,
            "select coalesce(sum(tuples) filter (where cells_are_none), 0) from (select tuples, "
            f"{'cells is null' if call['suppression'] == CELLS else 'true'} as cells_are_none "
            f"{without(function, call, 'for_owner', result=SUPPRESSED)})",
        )
        assert listed == suppressed
    elif function == "publish_series":
        left_out = asked(
            con, f"select count(*) {written(function, call | {'result': SUPPRESSED})}"
        )[0][0]
        assert rows_out(con) + left_out == rows_in(con, call["source"])
    elif function == "publish_stream":
        summary = without(function, call, "keep", "for_owner", result=SUMMARY)
        ((records, suppressed),) = asked(con, f"select records, suppressed {summary}")
        assert records == rows_in(con, call["source"])
        kept = suppressed if call["for_owner"] is LEFT_OUT else 0
        assert rows_out(con) + kept == records
    elif function in SAME_ROWS:
        relation, column = SAME_ROWS[function]
        if function == "publish_table_pair" and call["result"] == "'individuals'":
            column = "1"
        assert rows_out(con, column) == rows_in(con, call[relation])


CELLS, SUMMARY, SUPPRESSED = "'cells'", "'summary'", "'suppressed'"
# Whose rows are those of a relation: its name, and the column of the result that counts them.
SAME_ROWS = {
    "diverse_groups": ("source", "1"),
    "publish_series_parts": ("release", "1"),
    "publish_perturbed_series": ("release", "1"),
    "estimate_withheld_words": ("release", "1"),
    "estimate_withheld_ranges": ("release", "1"),
    "frequency_set": ("source", "tuples"),
    "generalize": ("source", "1"),
    "k_anonymity": ("source", "tuples"),
    "publish_series_ranges": ("source", "1"),
    "publish_table_pair": ("source", "records"),
    "row_digest": ("source", "rows"),
}


def values(con, sql):
    """A list that an argument gives, of one text too."""
    found = asked(con, f"select {sql}")[0][0]
    return [] if found is None else [found] if isinstance(found, str) else list(found)


def labelled_rows(con, call):
    """The rows of the source as dicts, and each with the label of its granule."""
    relation = asked(con, f"select {call['source']}")[0][0]
    ts = (call.get("ts") or "NULL").strip("'")
    clock = (
        f", {ts} at time zone 'Europe/Zurich' as tanon_clock"
        if ts == "seen"
        else (f", {ts} as tanon_clock" if ts != "NULL" else "")
    )
    cursor = con.execute(
        f"select * exclude (seen), {ts}::varchar as granule{clock} from {relation}"
    )
    names = [name for name, *_ in cursor.description]
    rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    terms = asked(con, "select label, starts, ends from terms")
    for row in rows:
        if "tanon_clock" in row:
            at, name = row["tanon_clock"], (call.get("granularity") or "NULL").strip("'")
            if name == "term":
                row["granule"] = next(label for label, a, b in terms if a <= at < b)
            elif name != "NULL":
                row["granule"] = granule(name, instant(at)).label
    return rows


def groups_of(con, call):
    """Who is in each group, and how many rows it has."""
    rows = labelled_rows(con, call)
    columns = values(con, call["qi"]) + (["granule"] if call["ts"] is not LEFT_OUT else [])
    people, tuples = {}, Counter()
    for row in rows:
        value = tuple(row[c] for c in columns)
        people.setdefault(value, set()).add(row["patient"])
        tuples[value] += 1
    return {v: (len(p), tuples[v]) for v, p in people.items()}, rows


def frequencies(con, function, call):
    wanted, _ = groups_of(con, call)
    if function == "k_anonymity_violations":
        least = int(call["k"])
        wanted = {value: counts for value, counts in wanted.items() if counts[0] < least}
    named = [identifier(name) for name in values(con, call["qi"])]
    if call["ts"] is not LEFT_OUT:
        named.append(f"{call['ts'][1:-1]}::varchar")
    found = asked(con, f"select {', '.join(named)}, frequency, tuples from result_of_call")
    assert {row[:-2]: row[-2:] for row in found} == wanted
    assert len(found) == len(wanted)


def sizes(con, function, call):
    groups, rows = groups_of(con, call)
    counted = [people for people, _ in groups.values()]
    wanted = (min(counted), sum(counted), len(groups), len(rows), len({r["patient"] for r in rows}))
    counts = asked(con, "select gen_m, gen_s, groups, tuples, respondents from result_of_call")
    assert counts == [wanted]
    if call["k"] is not LEFT_OUT:
        holds = min(counted) >= int(call["k"])
        assert asked(con, "select holds from result_of_call") == [(holds,)]


def released_groups(con, function, call):
    """Every group of the release has k respondents, however it is generalized."""
    if call["remainder"] is not LEFT_OUT or call["for_owner"] != "true" or call["result"]:
        return
    columns = values(con, call["qi"]) + (["admitted"] if call["ts"] == "'admitted'" else [])
    columns += ["seen"] if call["ts"] == "'seen'" else []
    shown = ", ".join(map(identifier, columns))
    asked_for = f"select count(distinct patient) as n from result_of_call group by {shown}"
    ((least,),) = asked(con, f"select min(n) from ({asked_for})")
    assert least is None or least >= int(call["k"])


def diversity(con, function, call):
    rows = labelled_rows(con, {"source": call["source"]})
    groups = values(con, call["groups"])
    lung = {"flu": "lung", "asthma": "lung"}
    cost = {
        LEFT_OUT: equal,
        "'ordered'": ordered,
        "'hierarchical'": hierarchical([lambda v: lung.get(v, "other")]),
    }[call["distance"]]
    respondent = None if call["respondent"] is LEFT_OUT else call["respondent"].strip("'")
    wanted = of_table(rows, groups, "diagnosis", cost, respondent)
    names = ("distinct_l", "frequency_l", "entropy_l", "t", "beta")
    found = asked(con, f"select {', '.join(names)} from result_of_call")
    if function == "diversity_metrics":
        worst = [max if name in ("t", "beta") else min for name in names]
        wanted = [
            tuple(w(f[n] for f in wanted.values()) for w, n in zip(worst, names, strict=True))
        ]
    else:
        found = asked(con, f"select {', '.join(groups)}, {', '.join(names)} from result_of_call")
        wanted = [g + tuple(f[n] for n in names) for g, f in wanted.items()]
        wanted = [w for w in wanted if any(_alike(w, row) for row in found)]
        assert len(wanted) == len(found)
        return
    assert len(found) == len(wanted)
    assert all(_alike(a, b) for a, b in zip(found, wanted, strict=True))


def _alike(one, other):
    return all(
        abs(a - b) < 1e-9 if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in zip(one, other, strict=True)
    )


def itemsets(con, function, call):
    held = {}
    for patient, item in asked(con, "select patient, diagnosis from visits"):
        held.setdefault(patient, set()).add(item)
    least = asked(con, f"select {call['min_support']}")[0][0]
    longest = 99 if call["max_length"] is LEFT_OUT else int(call["max_length"])
    found = frequent([frozenset(items) for items in held.values()], least, longest)
    kept = {"'closed'": closed, "'maximal'": maximal}.get(call["result"], dict)(found)
    told = {frozenset(items): support for items, support in asked(con, "from result_of_call")}
    assert told == kept


REFERENCES = {
    "diversity_metrics": diversity,
    "limit_violations": diversity,
    "frequency_set": frequencies,
    "frequent_itemsets": itemsets,
    "k_anonymity": sizes,
    "k_anonymity_violations": frequencies,
    "publish_events": released_groups,
}
assert set(REFERENCES) <= set(catalog.functions())
