"""Visits of a hospital, what an adversary knows of them, and which row they take for whose.

The note stands for what the adversary wants to read: every row has one of its own, and it has
nothing to do with the other columns. A guess is right if the note is that of the row meant.
"""

from collections import defaultdict

K = 5
CALL = (
    "from tanon.publish_events('visits', respondent := 'who', qi := {}, ts := 'came', "
    "granularities := {}, k := 5, max_suppression := {}, keep := {}, allow_identifying := {})"
)


def create_visits(con, rows=1200, days=120):
    """In the order of their times, as tables of events are; a third of the persons come again."""
    con.execute(
        "create or replace table visits as "
        "select (i * 7919) % 800 as who, ['f', 'm'][1 + (draw[1:2]::int) % 2] as sex, "
        "1000 + (draw[3:5]::int) % 40 as zip, 20 + (draw[6:8]::int) % 60 as age, "
        "timestamp '2024-01-01' + "
        f"to_seconds((draw[9:16]::bigint % ({days} * 86400))::int) as came, "
        "sha256('note ' || i)[:12] as note "
        "from (select i, translate(sha256(i::varchar), 'abcdef', '012345') as draw "
        f"from range({rows}) as _(i)) order by came"
    )


def release(qi="['sex']", granularities="['week', 'month']", spare=0.05, keep="['note']"):
    """The call; whatever is kept is accepted."""
    return CALL.format(qi, granularities, spare, keep, keep)


def in_order_of_source(sql):
    """The same release as it would leave without its last clause."""
    body, found, _ = sql.rpartition("order by")
    assert found
    return body


def by_label(con, granularity="week"):
    """What is known: (sex, label) of every row in the order of time, with its note and person."""
    groups = defaultdict(list)
    for sex, label, note, who in con.execute(
        f"select sex, tanon.granule_label(came, '{granularity}'), note, who from visits "
        "order by came"
    ).fetchall():
        groups[sex, label].append((note, who))
    return groups


def hits_by_place(published, known):
    """Who knows all times takes the n-th row of a group for the n-th visit: (right, tried)."""
    notes = defaultdict(list)
    for sex, label, note in published:
        notes[sex, label].append(note)
    pairs = [
        (guess, note)
        for group, guesses in notes.items()
        for guess, (note, _) in zip(guesses, known[group], strict=True)
    ]
    return sum(guess == note for guess, note in pairs), len(pairs)


def hits_by_columns(columns, published, known):
    """Who knows some columns of a visit takes the first row that has them: (right, tried)."""
    shared = [c for c in columns if c != "note"]
    first = {}
    for row in published:
        told = dict(zip(columns, row, strict=True))
        first.setdefault(tuple(told[c] for c in shared), told["note"])
    found = [(first.get(tuple(visit[c] for c in shared)), visit["note"]) for visit in known]
    return sum(guess == note for guess, note in found), len(found)
