"""The attacks of tanon.publish_events against adversaries who look at every row."""

import random
from collections import Counter

import pytest

from oracles.dated_rows import create_rows, dated_rows, up
from oracles.known_columns import (
    alone,
    best_linked,
    groups_of,
    linked,
    people,
    released,
    told,
)

CALL = (
    "from tanon.publish_events('events', respondent := 'the one', qi := ['q1'], ts := 'when', "
    "granularities := ['month'], k := 2, max_suppression := 0.99, keep := ['note'], "
    "result := 'attacks')"
)


def share(part, whole):
    return float(part / whole) if whole else None


def close(found, wanted):
    return found == (None if wanted is None else pytest.approx(wanted, abs=1e-8))


def test_as_adversaries_who_look_at_every_row(con):
    for seed in range(12):
        rows = dated_rows(seed, largest=40)
        create_rows(con, rows)
        found = {row[0]: row for row in con.execute(CALL).fetchall()}
        groups = released(rows, "the one", ["q1"], "when", up("month"), 2)
        out = [row for own in groups.values() for row in own]
        raw = groups_of(rows, "the one", ["q1"], "when", lambda t: t)
        row = found["singling out"]
        assert row[3:5] == (len(people(out, "the one")), len(alone(groups, "the one", ["note"])))
        everybody = people(rows, "the one")
        assert close(row[9], share(len(alone(raw, "the one", [])), len(everybody)))
        row = found["linkability"]
        shown = [row | {"when": up("month")(row["when"])} for row in out]
        targets, hits, lucky = best_linked(shown, "the one", ["q1", "when", "note"])
        assert row[3] == targets and close(row[4], float(hits))
        assert close(row[8], share(lucky, targets))
        of_source = best_linked(rows, "the one", ["q1", "q 2", "when", "note"])
        assert close(row[9], share(of_source[1], of_source[0]))
        row = found["inference"]
        _, _, guessed, usual, _ = told(groups, "the one", "note")
        assert row[1] == "note" and row[3:5] == (len(out), guessed)
        assert close(row[5], share(guessed, len(out))) and close(row[8], share(usual, len(out)))
        read_off = sum(len(own) == 1 for own in raw.values())
        assert close(row[9], share(read_off, len(rows)))
        assert out == [] or row[6] <= row[5] <= row[7]


def test_the_attacks_work_where_nothing_is_protected(demo_con):
    rows = demo_con.execute(
        "select hit_rate, control from tanon.publish_events('visits', respondent := 'patient', "
        "qi := ['sex'], ts := 'admitted', granularities := ['month'], k := 5, result := 'attacks')"
    ).fetchall()
    (alone_here, alone_in_source), (linked_here, linked_in_source) = rows
    assert (alone_here, alone_in_source) == (0, 1)
    assert linked_here < 0.05 < 0.5 < linked_in_source


def test_the_oracle_of_all_sets_is_the_one_that_looks_at_every_row():
    rows = dated_rows(2, largest=40)
    naive = linked(rows, "the one", lambda r: (r["q1"], r["note"]))
    joined = [{"the one": r["the one"], "both": (r["q1"], r["note"])} for r in rows]
    assert best_linked(joined, "the one", ["both"]) == naive


ADMISSIONS = """
create table admissions as
select
    who, case when who % 2 = 0 then 'f' else 'm' end as sex, 1930 + hash(who) % 80 as born,
    'z' || hash(who, 'zip') % 60 as zip, 'w' || hash(who, stay) % 8 as ward,
    timestamp '2024-01-01' + to_minutes((hash(who, stay, 1) % 525600)::int) as admitted,
    'e' || row_number() over (order by who, stay) as encounter
from range(1500) as p(who), range(1 + who % 4) as s(stay)
"""
OF_ADMISSIONS = (
    "respondent := 'who', qi := ['sex', 'born', 'zip'], ts := 'admitted', granularities := "
    "['year'], "
    "k := 5, max_suppression := 0.999999, keep := ['ward']"
)


def test_row_ids_and_times_do_not_hide_who_can_be_linked(con):
    """Sex, year of birth and zip link most rows of the source, which has other columns too."""
    con.execute(ADMISSIONS)
    ((by_three,),) = con.execute("""
        select sum(n * (n - 1) / (m - 1)) / (
            select sum(n) from (select count(*) as n from admissions group by who) where n > 1
        )
        from (
            select count(*) as n, sum(count(*)) over (partition by sex, born, zip) as m
            from admissions group by sex, born, zip, who
        )
        where n > 1
    """).fetchall()
    ((control,),) = con.execute(
        f"select control from tanon.publish_events('admissions', {OF_ADMISSIONS}, "
        "result := 'attacks') where criterion = 'linkability'"
    ).fetchall()
    assert by_three > 0.6
    assert control >= by_three - 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_an_adversary_with_up_to_three_columns_does_not_beat_the_figures(con, seed):
    """He tries sets of columns of his own, by a self-join of all rows."""
    draw = random.Random(seed)
    names = [f"c{n}" for n in range(12)]
    people = [[draw.randrange(2 + n * 3) for n in range(6)] for _ in range(60)]
    rows = []
    for number in range(160):
        who = draw.randrange(60)
        own = [v if draw.random() > 0.1 * n else -1 for n, v in enumerate(people[who])]
        noise = [draw.randrange(3 + 40 * n) for n in range(5)]
        rows.append([who, *own, *noise, number])
    con.execute(f"create table r (who int, {', '.join(f'{n} int' for n in names)})")
    con.executemany(f"insert into r values ({', '.join('?' * 13)})", rows)
    ((rate, control, columns),) = con.execute(
        "select hit_rate, control, affects from tanon.publish_events('r', respondent := 'who', "
        "qi := ['c0', 'c1'], k := 2, max_suppression := 0.99, keep := ['c2', 'c3', 'c6'], "
        "allow_identifying := ['c2', 'c3', 'c6'], result := 'attacks') where criterion = "
        "'linkability'"
    ).fetchall()
    released = [row for row in rows if len({r[0] for r in rows if r[1:3] == row[1:3]}) >= 2]
    for table, places, figure in ((released, (1, 2, 3, 4, 7), rate), (rows, range(1, 13), control)):
        several = Counter(row[0] for row in table)
        targets = [i for i, row in enumerate(table) if several[row[0]] > 1]
        best = 0
        for _ in range(60):
            chosen = draw.sample(list(places), draw.randint(1, 3))
            right = 0
            for i in targets:
                fits = [
                    j
                    for j, r in enumerate(table)
                    if j != i and all(r[p] == table[i][p] for p in chosen)
                ]
                right += sum(table[j][0] == table[i][0] for j in fits) / max(len(fits), 1)
            best = max(best, right / len(targets))
        assert 0 < best <= figure + 1e-9
    assert columns.split(", ")[0] in names
