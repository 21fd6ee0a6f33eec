"""tanon.report_stream says what the functions say by which anybody can ask the same."""

import duckdb
import pytest

CALL = "'cases', respondent := 'person', ts := 'day', sensitive := 'disease', l := {l}, w := 4"


@pytest.mark.parametrize("l", ["2", "'5/2'"])
def test_eligibility_distances_and_loss_are_those_of_their_functions(demo_con, l):  # noqa: E741
    call = CALL.format(l=l)
    rows = demo_con.execute(
        f"from tanon.report_stream({call}, qi := ['age', 'district'])"
    ).fetchall()
    found = {(section, fact, about): rest for section, fact, about, *rest in rows}
    before = demo_con.execute(
        f"select day::varchar, eligible from "
        f"tanon.l_eligibility('cases', 'day', 'disease', {l}, respondent := 'person') "
        "where records > 0"
    ).fetchall()
    for day, eligible in before:
        assert found["eligibility", "before", day][2] == eligible
    assert all(rest[2] for key, rest in found.items() if key[:2] == ("eligibility", "after"))
    columns = "suppressed, information_loss, max_distance, distances"
    ((suppressed, loss, farthest, distances),) = demo_con.execute(
        f"select {columns} from tanon.publish_stream({call}, result := 'summary')"
    ).fetchall()
    assert found["release", "suppressed", None][0] == suppressed
    assert found["loss", "information loss", None][0] == loss
    assert found["promise", "longest move", None][:3] == [farthest, 3, True]
    told = {int(key[2]): rest[0] for key, rest in found.items() if key[0] == "distances"}
    assert told == distances


def test_without_quasi_identifiers_the_day_alone_is_known(demo_con):
    call = CALL.format(l="2")
    rows = demo_con.execute(f"from tanon.report_stream({call})").fetchall()
    told = {(section, fact, about): value for section, fact, about, value, *_ in rows}
    by_day = demo_con.execute(
        "select sum(most) / sum(n) from (select max(n) as most, sum(n) as n from "
        "(select day, disease, count(*) as n from cases group by all) group by day)"
    ).fetchall()
    assert [(told["attacks", "control", "the snapshot"],)] == by_day


def test_warnings_and_the_pair_are_those_of_their_functions(demo_con):
    call = CALL.format(l="2")
    rows = demo_con.execute(
        f"from tanon.report_stream({call}, qi := ['age', 'district'], queries := 100)"
    ).fetchall()
    demo_con.execute(
        f"create table moved as from tanon.publish_stream({call}, keep := ['age', 'district'])"
    )
    for part, owner in (("individuals", "false"), ("values", "false"), ("individuals", "true")):
        demo_con.execute(
            f"create table its_{part if owner == 'false' else 'owners'} as "
            "from tanon.publish_table_pair('moved', partition := 'day', respondent := 'person', "
            f"qi := ['age', 'district'], sensitive := 'disease', l := 2, result := '{part}', "
            f"allow_identifying := ['age'], for_owner := {owner})"
        )
    warned = demo_con.execute(
        "select warning, affects, share "
        f"from tanon.publish_stream({call}, result := 'warnings') union all "
        "select warning, affects, share from tanon.table_pair_warnings('its_individuals', "
        "'its_values', qi := ['age', 'district'], sensitive := 'disease', partition := 'day', "
        "owner := 'its_owners', respondent := 'person')"
    ).fetchall()
    told = [tuple(row[i] for i in (1, 2, 3)) for row in rows if row[0] == "warnings"]
    assert sorted(told, key=repr) == sorted(warned, key=repr)
    evaluated = demo_con.execute(
        "from tanon.evaluate_table_pair('its_individuals', 'its_values', 'cases', "
        "qi := ['age', 'district'], sensitive := 'disease', queries := 100)"
    ).fetchall()
    told = [row[3] for row in rows if row[0] == "utility"]
    assert told == [value for row in evaluated for value in row[1:]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("ts := 'nope'", "ts must be an integer column or a DATE or TIMESTAMP column of source"),
        (
            "ts := 'disease', sensitive := 'day'",
            "ts must be an integer column or a DATE or TIMESTAMP",
        ),
        ("sensitive := 'nope'", "sensitive must be a column of source, got 'nope'"),
        ("granularity := 3", "granularity must be of whole days where ts is a DATE column, got 3"),
        ("granularity := 'hour'", "granularity must be of whole days where .*, got hour"),
    ],
)
def test_it_speaks_as_itself(demo_con, change, message):
    given = {
        "ts": "'day'",
        "sensitive": "'disease'",
        "l": "2",
        "w": "4",
        "rows_are_persons": "true",
    }
    given |= dict(each.split(" := ") for each in change.split(", "))
    call = ", ".join(f"{n} := {v}" for n, v in given.items())
    with pytest.raises(duckdb.Error, match=rf"tanon\.report_stream: {message}"):
        demo_con.execute(f"from tanon.report_stream('cases', {call})").fetchall()
