"""tanon.publish_events: what is published, what is not, and that it is checked."""

from collections import Counter
from fractions import Fraction

import duckdb
import pyarrow as pa
import pytest

from oracles.dated_rows import create_calendar, create_rows, dated_rows, label, up
from oracles.finer import finer
from oracles.generalization import (
    bits_lost,
    exhaustive_least,
    metrics,
    minimal_nodes,
    respondents,
)

OFFER = ["fiscal year", "week", "month", "shift", "3 days"]
KEPT = "keep := ['note'], allow_identifying := ['note']"
QI = ["q1", "q 2"]
LENGTH = {"shift": 1, "3 days": 2, "week": 3, "month": 4, "fiscal year": 5}


def call(k, suppression=0, offer=OFFER, function="publish_events", result=""):
    kept = KEPT + (f", result := '{result}'" if result else "")
    return (
        f"from tanon.{function}('events', respondent := 'the one', qi := ['q1', 'q 2'], "
        f"ts := 'when', granularities := {offer}, k := {k}, max_suppression := {suppression}, "
        f"calendar := 'calendar'{', ' + kept if function == 'publish_events' else ''})"
    )


def chosen(rows, k, suppression, offer=OFFER):
    """Of those acceptable with none acceptable that is finer, the one that loses fewest bits."""
    ups = {name: up(name) for name in offer}
    levels = {q: [lambda value: value] for q in QI}
    given = (rows, "the one", QI, "when", ups, finer, levels, k, Fraction(suppression))

    def cost(node):
        columns = {q: (lambda r, q=q: r[q], lambda r, q=q: r[q]) for q in QI}
        columns["when"] = (lambda r: r["when"], lambda r: ups[node[1]](r["when"]))
        bits = bits_lost(rows, columns, {}, float(found[node][2]))
        return round(bits, 9), LENGTH[node[1]]

    found = minimal_nodes(*given)
    return min(found, key=cost, default=(None, None))[1]


@pytest.mark.parametrize("suppression", [0, "0.3"])
def test_the_release_is_what_the_definitions_give(con, suppression):
    create_calendar(con)
    published = 0
    for seed in range(16):
        rows = dated_rows(seed)
        create_rows(con, rows)
        best = chosen(rows, 2, suppression)
        if best is None:
            with pytest.raises(duckdb.Error, match=r"granularities must hold one .* got none"):
                con.execute(call(2, suppression)).fetchall()
            continue
        sets = respondents(rows, "the one", ["q1", "q 2"], "when", up(best))
        wanted = Counter(
            (r["q1"], r["q 2"], label(best, r["when"]), r["note"])
            for r in rows
            if len(sets[(r["q1"], r["q 2"], up(best)(r["when"]))]) >= 2
        )
        assert Counter(con.execute(call(2, suppression)).fetchall()) == wanted
        published += bool(wanted)
    assert published > 3


def test_granularities_of_a_calendar_alone(con):
    create_calendar(con)
    for seed in range(6):
        rows = dated_rows(seed)
        create_rows(con, rows)
        offer = ["fiscal year", "shift"]
        found = {
            name: metrics(rows, "the one", ["q1", "q 2"], "when", up(name), 2, Fraction(1, 2))
            for name in offer
        }
        least = exhaustive_least(found, finer)
        listed = con.execute(call(2, "0.5", offer, "least_generalization")).fetchall()
        assert {row[0] for row in listed} == least
        if least:
            best = chosen(rows, 2, "0.5", offer)
            published = con.execute(call(2, "0.5", offer)).fetchall()
            left_out = con.execute(call(2, "0.5", offer, result="suppressed")).fetchall()
            assert len(published) == len(rows) - found[best].suppressed_tuples
            assert sum(row[4] for row in left_out) == found[best].suppressed_tuples


def test_no_respondent_and_the_columns_in_place(demo_con):
    described = demo_con.execute(
        "describe from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], "
        "ts := 'admitted', granularities := ['month', 'year'], k := 5, "
        "keep := ['Diagnosis', 'age'])"
    ).fetchall()
    assert [tuple(row[:2]) for row in described] == [
        ("sex", "VARCHAR"),
        ("admitted", "VARCHAR"),
        ("diagnosis", "VARCHAR"),
        ("age", "BIGINT"),
    ]


def test_what_is_not_named_stays_home(demo_con):
    described = demo_con.execute(
        "describe from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], "
        "ts := 'admitted', granularities := ['month', 'year'], k := 5)"
    ).fetchall()
    assert [row[0] for row in described] == ["sex", "admitted"]


def test_ties_go_to_the_shorter_granules(con):
    con.execute(
        "create table r as select u, 'q' as q, date '2024-05-01' as t from range(4) as rows(u)"
    )
    for offer in (["month", "week", "dekad"], ["dekad", "month", "week"]):
        found = con.execute(f"from tanon.publish_events('r', 'u', 'q', 't', {offer}, 2)").fetchall()
        assert found == [("q", "2024-W18")] * 4


def test_an_empty_table_is_published_empty(con):
    create_calendar(con)
    create_rows(con, [])
    assert con.execute(call(3)).fetchall() == []


def test_the_release_is_counted_again(con):
    """With the search made to lie, the release itself is what stops it."""
    con.execute("create table r as select 1 as u, 'q' as q, date '2024-05-01' as t")
    text = tanon_text(con, "publish_events")
    lying = text.replace("having sum(tanon_f) < 2", "having false").replace(
        "tanon_suppressed <= 0 * tanon_rows", "true"
    )
    assert lying != text
    with pytest.raises(duckdb.Error, match="k must hold in the release, got 1 groups"):
        con.execute(lying).fetchall()


@pytest.mark.parametrize(
    "values",
    [
        "['-0'::float, 0, 0, 0]",
        "[{'a': -0.0::double}, {'a': 0}, {'a': 0}, {'a': 0}]",
        "[interval 1 month, interval 30 days, interval 30 days, interval 30 days]",
    ],
)
def test_the_spelling_of_equal_values_tells_nobody_apart(con, values):
    con.execute(
        "create table r as select unnest(range(4)) as u, "
        f"unnest({values}) as q, date '2024-05-01' as t"
    )
    call = "from tanon.publish_events('r', 'u', 'q', 't', ['day'], {})"
    with pytest.raises(duckdb.Error, match="k must hold in the release, got 1 groups"):
        con.execute(call.format(3)).fetchall()
    con.execute("insert into r select u + 4, q, t from r")
    assert len(con.execute(call.format(2)).fetchall()) == 8


def test_the_spelling_of_collated_text_tells_nobody_apart(con):
    con.execute("create table r (u integer, q varchar collate nocase, t date)")
    con.execute("insert into r values (1, 'Bo', '2024-05-01'), (2, 'bo', '2024-05-01')")
    call = "from tanon.publish_events('r', 'u', 'q', 't', ['day'], 2)"
    said = "got 2 groups of fewer respondents, where values that a collation takes for one but that"
    with pytest.raises(duckdb.Error, match=f"k must hold in the release, {said} are spelled"):
        con.execute(call).fetchall()
    alike = call.replace("'r'", "'(select * replace (lower(q) as q) from r)'")
    assert [row[0] for row in con.execute(alike).fetchall()] == ["bo", "bo"]
    con.execute("insert into r select u + 2, q, t from r")
    assert [row[0] for row in con.execute(call).fetchall()] == ["Bo", "Bo", "bo", "bo"]


def test_no_more_is_left_out_than_may_be(con):
    """With the groups to be left out made to lie, the release itself is what stops it."""
    con.execute(
        "create table r as select u, 'q' as q, date '2024-05-01' as t from range(4) as _(u)"
    )
    text = tanon_text(con, "publish_events")
    lying = text.replace("having sum(tanon_f) < 2", "having true")
    assert lying != text
    with pytest.raises(duckdb.Error, match=r"max_suppression must hold .* got 4 of 4 rows left"):
        con.execute(lying).fetchall()


TWINS = """
select i // 2 as "the one", (['a', 'A', 'b', 'B'])[1 + i % 4] collate nocase as q,
    timestamp '2024-05-01' + to_hours(i::int % 40) as "when",
    case when i % 4 < 2 then '-0'::double else 0 end as zero,
    case when i % 3 = 0 then interval 1 month else interval 30 days end as long,
    [case when i % 5 = 0 then '-0'::float else 0 end] as nested,
    (['É', 'é', 'E'])[1 + i % 3] collate nocase as letter
from range(4000) as _(i)
"""


def files(con, call, folder):
    """The bytes of a release as CSV, Parquet and Arrow."""
    found = []
    for ending in ("csv", "parquet"):
        path = folder / f"release.{ending}"
        con.execute(f"copy ({call}) to '{path}' (format {ending})")
        found.append(path.read_bytes())
    table = con.sql(call).to_arrow_table().combine_chunks()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return [*found, sink.getvalue().to_pybytes()]


def test_equal_values_of_different_spelling_have_an_order_too(con, tmp_path):
    call = (
        "from tanon.publish_events('twins', 'the one', ['q'], 'when', ['day', 'month'], 3, "
        "keep := ['zero', 'long', 'nested', 'letter'], allow_identifying := ['nested'])"
    )
    wanted = None
    for threads, order in ((1, "i"), (1, "-i"), (2, "hash(i)"), (2, "hash(i, 1)")):
        con.execute(f"set threads = {threads}")
        con.execute(
            'create or replace table twins ("the one" bigint, q varchar collate nocase, '
            '"when" timestamp, zero double, long interval, nested float[], '
            "letter varchar collate nocase)"
        )
        con.execute(f"insert into twins {TWINS} order by {order}")
        found = files(con, call, tmp_path)
        wanted = wanted or found
        assert found == wanted


def tanon_text(con, function):
    import tanon_duck

    arguments = {"source": "r", "respondent": "u", "qi": ["q"], "ts": "t", "k": 2}
    return tanon_duck.sql(function, granularities=["year"], **arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("k := 1", "k must be an integer > 1"),
        ("k := 2, max_suppression := 1", r"max_suppression must be a number in \[0, 1\)"),
        ("k := 2, tz := 'UTC'", "tz must be NULL for a time without time zone"),
    ],
)
def test_bad_input(demo_con, change, message):
    with pytest.raises(duckdb.Error, match=f"tanon.publish_events: {message}"):
        demo_con.execute(
            "from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], "
            f"ts := 'admitted', granularities := ['month'], {change})"
        ).fetchall()


@pytest.mark.parametrize(
    ("respondent", "qi", "message"),
    [
        ("sex", "['sex']", "respondent must be a column apart from qi and ts"),
        ("Sex", "['sex']", "respondent must be a column apart from qi and ts"),
        ("Admitted", "['sex']", "respondent must be a column apart from qi and ts"),
        ("patient", "['sex', 'Admitted']", "ts must be a column that is not among qi"),
        ("patient", "['sex', 'Sex']", "qi must be columns of source( and population)?, none twice"),
    ],
)
def test_a_column_has_one_role(demo_con, respondent, qi, message):
    for function in ("publish_events", "granularity_metrics", "least_generalization"):
        with pytest.raises(duckdb.Error, match=message):
            demo_con.execute(
                f"from tanon.{function}('visits', respondent := '{respondent}', qi := {qi}, "
                "ts := 'admitted', granularities := ['month'], k := 2)"
            )


def test_a_name_is_found_as_duckdb_finds_it(con):
    """In which É and é are two columns: the wrong one must not count as one without values."""
    con.execute(
        "create table r as select i as u, 's' || i as \"É\", date '2024-05-01' as t "
        "from range(9) as rows(i)"
    )
    with pytest.raises(duckdb.Error, match=r"qi must be .* got 'é'; did you mean É"):
        con.execute("from tanon.publish_events('r', 'U', ['é'], 'T', ['day'], 3)").fetchall()


@pytest.mark.parametrize("name", ["tanon_t", "Tanon_granule", "tanon_release"])
def test_names_of_our_own_are_refused(con, name):
    """A column of that name could be taken for ours, and the times published as they are."""
    con.execute(
        f"create table r as select i as u, 'q' as q, date '2024-05-01' + i::int as t, "
        f"timestamp '2024-05-01' as {name} from range(6) as rows(i)"
    )
    message = (
        r"source must be a relation without columns that begin with tanon_, got one with [tT]anon"
    )
    with pytest.raises(duckdb.Error, match=message):
        con.execute("from tanon.publish_events('r', 'u', 'q', 't', ['day'], 3)").fetchall()
    con.execute(f"alter table r rename to {name}")
    for source, qi in ((name, "q"), (f' "{name}"', "q"), ("r", name)):
        with pytest.raises(duckdb.Error, match="; names that begin with tanon_ are taken"):
            con.execute(f"from tanon.publish_events('{source}', 'u', '{qi}', 't', ['day'], 3)")


def test_a_list_is_no_time(demo_con):
    with pytest.raises(duckdb.Error, match=r"ts must be a DATE or .* got \[admitted\]"):
        demo_con.execute(
            "from tanon.publish_events('visits', 'patient', 'sex', ['admitted'], ['day'], 2)"
        )


def test_a_join_does_not_bring_the_respondent_along(demo_con):
    demo_con.execute("create table people as select distinct patient as Patient, sex from visits")
    joined = "(select * from visits join people on visits.patient = people.patient)"
    call = "from tanon.publish_events('{}', 'patient', 'zip', 'admitted', ['year'], 2)"
    with pytest.raises(duckdb.Error, match="source must have patient once, got Patient_1"):
        demo_con.execute(call.format(joined)).fetchall()
    using = "(from visits join people using (patient))"
    assert len(demo_con.execute(call.format(using)).fetchall()) == 450
