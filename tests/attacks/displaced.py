"""Who knows the true day of a person looks whether, and where, the person is published."""

from collections import Counter

RELEASE = """
    create or replace table released as
    from tanon.publish_stream('cases', respondent := 'person', ts := 'day', sensitive := 'disease',
        l := 2, w := 4, keep := ['age', 'district']{more});
    create or replace table people as from tanon.publish_table_pair('released',
        qi := ['age', 'district'], sensitive := 'disease', l := 2, partition := 'day',
        result := 'individuals', rows_are_persons := true);
    create or replace table secrets as from tanon.publish_table_pair('released',
        qi := ['age', 'district'], sensitive := 'disease', l := 2, partition := 'day',
        result := 'values', rows_are_persons := true)
"""


def release(con, more=""):
    """The two tables for others, by way of reposition."""
    con.execute(RELEASE.format(more=more))


def missing(con):
    """(true value, its day) of all who are not among the people of their own day."""
    return con.execute(
        "select disease, day from cases anti join people using (day, age, district)"
    ).fetchall()


def majority(con):
    """What an outsider guesses of everybody late: the commonest value of the release."""
    return con.execute(
        "select disease from secrets group by all order by sum(records) desc limit 1"
    ).fetchall()[0][0]


def ways(con, more="", width="1 day", call="l := 2, w := 4"):
    """(true value, day, place) of all not published in the granule of their own day."""
    return con.execute(
        "select disease, day, tanon.granule_index(published_ts, $width) "
        f"from tanon.publish_stream('cases', respondent := 'person', ts := 'day', sensitive := "
        f"'disease', "
        f"{call}{more}, for_owner := true) "
        "where tanon.granule_index(published_ts, $width) is distinct from "
        "tanon.granule_index(day, $width)",
        {"width": width},
    ).fetchall()


def right_by_way(late):
    """Right guesses of somebody who knows how often each value goes which way."""
    values = {}
    for value, day, place in late:
        values.setdefault((day, place), Counter())[value] += 1
    return sum(max(counts.values()) for counts in values.values())


def promised(con, days, l):  # noqa: E741
    """Mean over these days of what the promise allows: 1/l, or the top value's share."""
    shares = dict(
        con.execute(
            "select day, max(n) / sum(n) from "
            "(select day, disease, count(*) as n from cases group by all) group by day"
        ).fetchall()
    )
    return sum(max(1 / l, shares[day]) for day in days) / len(days)
