"""Attacks on tanon.publish_events: a row is taken for a person's with a chance of 1/k."""

from collections import Counter, defaultdict

import duckdb
import pytest
from attacks.hospital import (
    K,
    by_label,
    create_visits,
    hits_by_columns,
    hits_by_place,
    in_order_of_source,
    release,
)
from attacks.judging import assert_breaks, assert_holds

import tanon_duck


@pytest.fixture
def hospital(con):
    con.execute("set threads = 1")
    create_visits(con)
    return con


def test_the_order_of_rows_tells_nothing_of_times(hospital):
    published = hospital.execute(release()).fetchall()
    assert_holds(*hits_by_place(published, by_label(hospital)), 1 / K)


def test_control_rows_in_the_order_of_the_source_tell_times(hospital):
    sql = tanon_duck.sql(
        "publish_events",
        source="visits",
        respondent="who",
        qi=["sex"],
        ts="came",
        granularities=["week", "month"],
        k=K,
        max_suppression=0.05,
        keep=["note"],
        allow_identifying=["note"],
    )
    published = hospital.execute(in_order_of_source(sql)).fetchall()
    assert_breaks(*hits_by_place(published, by_label(hospital)), 1 / K)


def known_visits(con, granularity="week"):
    """What a neighbour knows of each visit, and the note to be guessed."""
    rows = con.execute(
        f"select sex, zip, age, tanon.granule_label(came, '{granularity}') as came, note "
        "from visits"
    )
    names = [column[0] for column in rows.description]
    return [dict(zip(names, row, strict=True)) for row in rows.fetchall()]


def table(con, sql):
    found = con.execute(sql)
    return [column[0] for column in found.description], found.fetchall()


@pytest.mark.quick
def test_columns_that_nobody_named_do_not_help(hospital):
    columns, published = table(hospital, release())
    assert columns == ["sex", "came", "note"]
    assert_holds(*hits_by_columns(columns, published, known_visits(hospital)), 1 / K)


@pytest.mark.quick
def test_control_with_all_columns_neighbours_find_the_rows(hospital):
    """As if all columns but the respondent had left."""
    columns, published = table(hospital, release(keep="['zip', 'age', 'note']"))
    assert_breaks(*hits_by_columns(columns, published, known_visits(hospital)), 1 / K)


def chosen(con):
    return con.execute(
        "select granularity from tanon.publish_events('visits', respondent := 'who', "
        "qi := ['sex'], ts := 'came', granularities := ['day', '5 days', 'week', 'month'], "
        "k := 5, max_suppression := 0.05, result := 'summary')"
    ).fetchall()


BOUNDARY = "['day', '5 days', 'week', 'month']"


def test_the_choice_tells_nothing_of_what_is_kept(hospital):
    """Choice and suppression hang on respondents, quasi-identifiers and times alone."""
    create_visits(hospital, rows=500)
    before = hospital.execute(release(granularities=BOUNDARY)).fetchall()
    assert len(before) < 500
    hospital.execute(
        "create or replace table visits as select v.* replace (other.note as note) "
        "from (select *, row_number() over (order by came, who) as n from visits) as v "
        "join (select note, row_number() over (order by note) as n from visits) as other using (n) "
        "order by came"
    )
    hospital.execute("alter table visits drop column n")
    after = hospital.execute(release(granularities=BOUNDARY)).fetchall()
    assert Counter(row[:2] for row in before) == Counter(row[:2] for row in after)


def hits_at_the_boundary(con, published, granularity):
    """Guess in the smallest groups that stay, which are k or little more."""
    notes = defaultdict(list)
    for sex, label, note in published:
        notes[sex, label].append(note)
    small = sorted(notes, key=lambda group: (len(notes[group]), group))[:40]
    known = by_label(con, granularity)
    pairs = [(notes[g][0], note) for g in small for note, _ in known[g]]
    return sum(guess == note for guess, note in pairs), len(pairs)


def test_the_smallest_groups_keep_the_promise(hospital):
    create_visits(hospital, rows=500)
    ((granularity,),) = chosen(hospital)
    published = hospital.execute(release(granularities=BOUNDARY)).fetchall()
    assert_holds(*hits_at_the_boundary(hospital, published, granularity), 1 / K)


def test_control_a_granularity_that_is_too_fine_does_not(hospital):
    published = hospital.execute(
        "select sex, tanon.granule_label(came, 'hour'), note from visits order by note"
    ).fetchall()
    assert_breaks(*hits_at_the_boundary(hospital, published, "hour"), 1 / K)


def persons_below(con, granularities):
    """Persons in a group of fewer than k by the labels of all these releases together."""
    labels = ", ".join(f"tanon.granule_label(came, '{g}')" for g in granularities)
    return con.execute(
        "select count(distinct who) from (select who, f from visits join (select sex, labels, "
        f"count(distinct who) as f from (select who, sex, [{labels}] as labels from visits) "
        f"group by all) as g on visits.sex = g.sex and [{labels}] = labels) where f < {K}"
    ).fetchone()[0]


def test_control_two_releases_of_one_table_add_up(demo_con):
    """Not promised, and said so: each release is 5-anonymous, both together are not."""
    demo_con.execute("alter table visits rename patient to who")
    demo_con.execute("alter table visits rename admitted to came")
    for granularity in ("3 weeks", "month"):
        call = release(granularities=f"['{granularity}']", spare=0, keep="[]")
        assert len(demo_con.execute(call).fetchall()) == 450
        assert persons_below(demo_con, [granularity]) == 0
    assert persons_below(demo_con, ["3 weeks", "month"]) == 27


def test_control_a_table_that_grows_tells_its_new_rows(con):
    """Not promised, and said so: what is new since yesterday comes alone, or with few."""
    create_visits(con, rows=400)
    con.execute("create table everything as from visits")
    call = release(granularities="['month']", spare=0.5)
    alone = new = 0
    before = Counter()
    for day in range(40, 100):
        con.execute(
            "create or replace table visits as from everything "
            f"where came < timestamp '2024-01-01' + to_days({day})"
        )
        released = Counter(con.execute(call).fetchall())
        if day > 40:
            groups = Counter(row[:2] for row in (released - before).elements())
            alone += sum(size == 1 for size in groups.values())
            new += groups.total()
        before = released
    assert_breaks(alone, new, 1 / (2 * K))


HIDING = (
    "from tanon.publish_events('visits', 'who', ['sex', 'zip'], 'came', ['week'], 5, 0.999, "
    "keep := ['note'], allow_identifying := ['note'], suppression := 'cells', remainder := true)"
)


def hits_by_rerun(con, published, k):
    """Who knows all persons, and so what was hidden in whose rows, guesses the first note.

    They guess where they have the best chance, in the groups that look alike with the fewest rows.
    """
    listed = con.execute(
        "select sex, zip, came, cells from tanon.publish_events('visits', 'who', "
        f"['sex', 'zip'], 'came', ['week'], {k}, 0.999, suppression := 'cells', "
        "result := 'suppressed')"
    )
    hidden = {tuple(map(str, row[:3])): row[3] for row in listed.fetchall()}
    first = {}
    for sex, zip, label, note, _ in published:
        first.setdefault((sex, zip, label), note)
    groups = defaultdict(list)
    for visit in known_visits(con):
        own = (visit["sex"], str(visit["zip"]), visit["came"])
        if cells := hidden.get(own):
            seen = ("*" if "sex" in cells else own[0], "*" if "zip" in cells else own[1], own[2])
            groups[seen].append(first[seen] == visit["note"])
    best = sorted(groups.values(), key=len)[:40]
    guesses = [right for group in best for right in group]
    return sum(guesses), len(guesses)


def few_visits(con, rows, days):
    """Nearly all alone by sex and zip in their week, and nine who are not."""
    create_visits(con, rows, days)
    con.execute(
        "insert into visits select 900 + i, 'f', 1000, 30, timestamp '2024-02-01', 'n' || i "
        "from range(9) as _(i)"
    )


def test_what_is_hidden_tells_nothing_to_who_knows_why(hospital):
    """Hidden is what keeps a group below k: minimality gives away nothing but the group."""
    few_visits(hospital, 700, 1200)
    published = hospital.execute(HIDING).fetchall()
    assert_holds(*hits_by_rerun(hospital, published, K), 1 / K)


def test_control_cells_hidden_until_two_are_alike(hospital):
    few_visits(hospital, 700, 1200)
    published = hospital.execute(HIDING.replace(" 5, 0.999", " 2, 0.999")).fetchall()
    assert_breaks(*hits_by_rerun(hospital, published, 2), 1 / K)


def persons_left_out(con):
    """Whom a neighbour who knows everybody can count behind the remainder of each week."""
    people = defaultdict(set)
    for label, who in con.execute(
        "select came, who from (select *, count(distinct who) over (partition by sex, zip, came) "
        "as f from (select sex, zip, tanon.granule_label(came, 'week') as came, who from visits)) "
        "where f < 5"
    ).fetchall():
        people[label].add(who)
    return people


def test_each_remainder_stands_for_k_persons_or_more(hospital):
    few_visits(hospital, 300, 360)
    published = hospital.execute(HIDING.replace("'cells'", "'rows'")).fetchall()
    shown = {row[2] for row in published if row[3] is None}
    people = persons_left_out(hospital)
    together = {who for label in people.keys() - shown for who in people[label]}
    assert "*" in shown and len(together) >= K
    assert all(len(people[label]) >= K for label in shown - {"*"})


def test_control_a_remainder_of_every_week_points_at_some(hospital):
    few_visits(hospital, 300, 360)
    assert min(map(len, persons_left_out(hospital).values())) < K


@pytest.fixture
def noted(hospital):
    """Doctors write the number of a patient into a twelfth of the notes, their own or another's."""
    hospital.execute(
        "create or replace table visits as select * exclude (who, note), "
        "'p' || lpad(who::varchar, 5, '0') as who, case when hash(came) % 12 = 0 "
        "then 'Pat. P' || lpad(((who + hash(came) // 12 % 2) % 800)::varchar, 5, '0') || ', HIV+' "
        "else 'seen' end as note from visits order by came"
    )
    return hospital


def patients_named(con, published):
    """Who is named: words of the rows that are numbers of patients."""
    known = {who for (who,) in con.execute("select distinct who from visits").fetchall()}
    words = {word.strip(".,").lower() for row in published for word in row[-1].split()}
    return len(words & known)


def test_no_note_names_a_patient(noted):
    with pytest.raises(duckdb.Error, match=r"got note .* words are identifiers of respondents"):
        noted.execute(
            release().replace(
                "allow_identifying := ['note']", "allow_identifying := [], max_singled_out := 1"
            )
        )


def test_control_accepted_notes_name_patients(noted):
    assert patients_named(noted, noted.execute(release()).fetchall()) > 50
