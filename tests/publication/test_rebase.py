"""A source that is elsewhere or otherwise is gone on from, and nothing leaves twice."""

from datetime import date

import pytest
from publication.streams import BEGIN, published, whole

import tanon_duck
from tanon_duck import TanonError, cli, demo, publication

MIDDLE, LAST = date(2024, 3, 20), date(2024, 4, 11)
SAYS_WHERE = r"; pass its new name to rebase\(source\) or --rebase"


def begun(con):
    stream = publication(con, "flu", "cases", **BEGIN)
    stream.advance(MIDDLE)
    return stream


def finished(con):
    stream = publication(con, "flu")
    stream.advance(LAST)
    stream.finish()
    stream.verify()
    return published(con)


# What happens to the source, what a step says then, where the source is said to be.
MOVES = {
    "a table renamed": ("alter table cases rename to stays", "got 'cases': .*cases", "stays"),
    "a column renamed": (
        "alter table cases rename disease to diagnosis",
        "sensitive must be a column of source, got 'disease'",
        "(select * exclude (diagnosis), diagnosis as disease from cases)",
    ),
    "another type that holds more": (
        "alter table cases alter age type double; update cases set age = age + 0.25",
        '468 values of "age" that are not of type BIGINT',
        "(select * replace (floor(age)::bigint as age) from cases)",
    ),
    "a time of the day": (
        "alter table cases alter day type timestamp; update cases set day = day + interval 9 hour",
        '468 values of "day" that are not of type DATE',
        "(select * replace (day::date as day) from cases)",
    ),
}


@pytest.mark.parametrize(("change", "message", "now"), MOVES.values(), ids=MOVES)
def test_a_source_elsewhere_is_gone_on_from(demo_con, change, message, now):
    begun(demo_con)
    wanted, before = whole(demo_con), published(demo_con)
    demo_con.execute(change)
    stream = publication(demo_con, "flu")
    with pytest.raises(TanonError, match=f"tanon.publication: .*{message}.*{SAYS_WHERE}"):
        stream.advance(LAST)
    assert stream.released().fetchall() == before[0]
    stream.rebase(now)
    assert stream.parameters.source == stream.manifest()["source"] == now
    assert published(demo_con) == before
    assert finished(demo_con) == wanted


def test_what_was_released_can_be_read_without_a_source(demo_con):
    stream = begun(demo_con)
    read = [stream.released, stream.suppressed, stream.individuals, stream.values]
    before = [part().fetchall() for part in read]
    demo_con.execute("drop table cases")
    stream = publication(demo_con, "flu")
    read = [stream.released, stream.suppressed, stream.individuals, stream.values]
    assert [part().fetchall() for part in read] == before
    assert stream.manifest()["seen_upto"] == MIDDLE


OTHERS = {
    "a value": ("select * replace (age + 1 as age) from cases", "records with other values at"),
    "a row less": ("select * from cases where day <> '2024-03-02'", "0 records instead of 8 at"),
    "a row twice": (
        "select * from cases union all (select * from cases where day < '2024-03-02')",
        "12 records instead of 6 at 2024-03-01",
    ),
    "values exchanged among people": (
        "select * replace (coalesce(lag(age) over (partition by day order by person), "
        "last(age) over (partition by day order by person "
        "rows between unbounded preceding and unbounded following)) as age) from cases",
        "records with other values at",
    ),
}


@pytest.mark.parametrize(("query", "message"), OTHERS.values(), ids=OTHERS)
def test_other_rows_are_refused_and_nothing_changes(demo_con, query, message):
    stream = begun(demo_con)
    wanted, manifest = whole(demo_con), stream.manifest()
    demo_con.execute(f"create table others as {query}")
    with pytest.raises(TanonError, match=f"source must keep the snapshots.*{message}"):
        stream.rebase("others")
    assert stream.manifest() == manifest
    assert finished(demo_con) == wanted


def test_rows_that_were_not_released_so_are_refused(demo_con):
    stream = begun(demo_con)
    demo_con.execute("update flu.released set age = age + 1 where rowid = 3")
    with pytest.raises(TanonError, match="released must contain the rows that tanon wrote"):
        stream.rebase("(from cases)")
    assert stream.manifest()["source"] == "cases"


def test_later_rows_may_come_from_elsewhere(demo_con):
    """The source of the first days is kept, that of later ones is another."""
    begun(demo_con)
    wanted = whole(demo_con)
    demo_con.execute(f"create table old as from cases where day <= date '{MIDDLE}'")
    demo_con.execute(f"create table new as from cases where day > date '{MIDDLE}'")
    cases = demo_con.sql("from cases").to_arrow_table()
    demo_con.execute("drop table cases")
    publication(demo_con, "flu").rebase("(from old union all by name from new)")
    demo_con.register("cases", cases)
    assert finished(demo_con) == wanted


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere", "source must be a table, .* got 'nowhere': .*nowhere does not exist"),
        ("", "source must be a table, a view or a query in parentheses, got ''"),
        (5, "source must be a table, a view or a query in parentheses, got 5"),
        (
            "(select day, person, age, disease from cases)",
            "qi must be columns of source, .*'district'",
        ),
        ("(select * replace ('north' as district) from cases)", ".* records with other values at"),
        ("(select * replace ('x' as age) from cases)", '.*468 values of "age" that are not of'),
    ],
)
def test_what_cannot_be_a_source_is_refused(demo_con, source, message):
    stream = begun(demo_con)
    with pytest.raises(TanonError, match=f"tanon.publication: {message}"):
        stream.rebase(source)
    assert publication(demo_con, "flu").advance(LAST).records > 0


def test_another_source_beside_the_name_is_told_how(demo_con):
    begun(demo_con)
    demo_con.execute("create view more as from cases")
    with pytest.raises(TanonError, match=f"source must be 'cases', as 'flu'.*{SAYS_WHERE}"):
        publication(demo_con, "flu", "more")


def test_from_the_command_line(tmp_path, capsys):
    path = str(tmp_path / "cases.duckdb")
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
        wanted_of = begun(con).manifest()["records"]
        con.execute("alter table cases rename to stays")
    assert cli.main(["stream", path, "flu", "--upto", "2024-04-11"]) == 1
    assert "pass its new name to rebase(source) or --rebase" in capsys.readouterr().err
    moved = ["stream", path, "flu", "--rebase", "stays", "--upto", "2024-04-11", "--finish"]
    assert cli.main(moved) == 0
    with tanon_duck.connect(path) as con:
        con.execute("create view cases as from stays")
        assert published(con) == whole(con)
        manifest = publication(con, "flu").manifest()
        assert (manifest["source"], manifest["records"] > wanted_of) == ("stays", True)
