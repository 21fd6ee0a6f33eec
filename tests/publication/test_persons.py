"""Persons with several records in a stream that is published step by step."""

import random
from collections import Counter
from datetime import date

import pytest
from publication.streams import BEGIN
from tables import create

from oracles import persons
from tanon_duck import publication
from tanon_duck.errors import TanonError

SECRET = "1f8e0d3cb7a6954823f0e1d2c3b4a5968778695a4b3c2d1e0f00112f3a4b5c6d"
VISITS = {"day": "integer", "who": "varchar", "sick": "varchar", "age": "integer"}
OF_VISITS = {"respondent": "who", "ts": "day", "sensitive": "sick", "qi": "age", "l": 2, "w": 3}
CALL = (
    "from tanon.publish_stream('visits', 'day', 'sick', 2, 3, respondent := 'who', keep := 'age', "
    f"for_owner := true, secret := '{SECRET}', repeats := '{{}}')"
)


def streamed(con, draw, people):
    values = ["flu", "flu", "cold", "gout", "ache", None]
    rows = [
        (draw.randrange(40), f"p{draw.randrange(people)}", draw.choice(values), index % 7)
        for index in range(300)
    ]
    create(con, "visits", VISITS, [dict(zip(VISITS, row, strict=True)) for row in rows])
    return rows


def stepwise(con, draw, name, **more):
    """A publication moved on by steps of drawn lengths, to its end."""
    stream = publication(con, name, "visits", **(OF_VISITS | more), secret=SECRET)
    for day in [*sorted(draw.sample(range(3, 39), 6)), 39]:
        stream.advance(day, force=True)
        stream.verify()
    stream.finish()
    stream.verify()
    return stream


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("repeats", ["one", "separate"])
def test_step_by_step_as_in_one_call(con, seed, repeats):
    draw = random.Random(seed)
    rows = streamed(con, draw, 25 if repeats == "one" else 150)
    wanted = con.execute(CALL.format(repeats)).fetchall()
    stream = stepwise(con, draw, "p", repeats=repeats)
    released = stream.released().fetchall()
    suppressed = stream.suppressed().fetchall()
    assert Counter((day, sick) for day, _, _, sick in released) == Counter(
        (row[4], row[2]) for row in wanted if row[4] is not None
    )
    assert Counter((r[0], r[3], r[4]) for r in suppressed) == Counter(
        (r[0], r[2], r[7]) for r in wanted if r[4] is None
    )
    told = Counter(
        (day, who, sick, age) for day, who, age, sick, why in suppressed if why == "repeat"
    )
    left_out = persons.repeats(rows, 3, SECRET) if repeats == "one" else ()
    assert told == Counter(rows[index] for index in left_out)
    assert len(left_out) > 20 or repeats == "separate"
    assert not persons.skewed([(day, who, sick) for day, who, _, sick in released], 2)
    manifest = stream.manifest()
    assert (manifest["records"], manifest["suppressed"]) == (300, len(suppressed))
    lost = [row[6] for row in wanted if row[6] is not None]
    assert manifest["information_loss"] == sum(lost)


def test_who_could_have_too_much_stops_the_step(con):
    streamed(con, random.Random(5), 4)
    stream = publication(con, "p", "visits", **OF_VISITS)
    with pytest.raises(
        TanonError, match=r"got \d persons who could in \d+ snapshots; pass repeats 'one'"
    ):
        stream.advance(30)
    assert stream.released().fetchall() == []
    assert stream.manifest()["records"] == 0


def test_the_last_check_counts_persons(con, monkeypatch):
    streamed(con, random.Random(5), 4)
    stream = publication(con, "p", "visits", **OF_VISITS)
    monkeypatch.setattr(type(stream.tables), "_refuse_persons_together", lambda *_: None)
    with pytest.raises(TanonError, match="found a person with more than one l-th of a snapshot"):
        stream.advance(30)


def test_a_person_is_not_released(demo_con):
    stream = publication(demo_con, "flu", "cases", **BEGIN)
    stream.advance(date(2024, 3, 20))
    assert "person" in stream.released().columns
    for table in (stream.individuals(), stream.values()):
        assert "person" not in table.columns


def test_persons_are_named_or_rows_are(demo_con):
    without = {name: value for name, value in BEGIN.items() if name != "respondent"}
    with pytest.raises(
        TanonError, match="publication: respondent must be the column of the respondent"
    ):
        publication(demo_con, "flu", "cases", **without)
    with pytest.raises(
        TanonError, match="publication: rows_are_persons must be false if respondent"
    ):
        publication(demo_con, "flu", "cases", **BEGIN, rows_are_persons=True)
    with pytest.raises(
        TanonError, match="qi must be columns other than respondent, ts and sensitive"
    ):
        publication(demo_con, "flu", "cases", **(BEGIN | {"qi": ["age", "person"]}))
    stream = publication(demo_con, "flu", "cases", **without, rows_are_persons=True)
    assert stream.parameters.respondent is None
    assert publication(demo_con, "flu").parameters.rows_are_persons


def test_the_pair_holds_for_persons_who_are_twice_in_a_snapshot(con):
    """Persons of a snapshot may have several records there, each then in another group."""
    streamed(con, random.Random(11), 90)
    stream = stepwise(con, random.Random(11), "p")
    twice = "select day, who from p.released group by all having count(*) > 1"
    assert con.execute(twice).fetchall()
    individuals, values = stream.individuals().fetchall(), stream.values().fetchall()
    assert len(individuals) == sum(row[-1] for row in values) == len(stream.released().fetchall())
    con.execute("create table individuals as " + stream.pair("individuals"))
    con.execute("create table counts as " + stream.pair("values"))
    checked = stream.check("individuals", "counts")
    assert {row[checked.columns.index("holds")] for row in checked.fetchall()} == {True}
    for_owner = stream.pair("individuals").replace("secret :=", "for_owner := true, secret :=")
    owned = con.execute(for_owner)
    names = [column[0] for column in owned.description]
    met = Counter(
        (row[names.index("who")], row[names.index("a_group")]) for row in owned.fetchall()
    )
    assert max(met.values()) == 1
