"""A release has no ENUM: its type would list the values of rows that are left out."""

import pytest

import tanon_duck

TABLE = """
    create type place as enum ('town', 'village', 'SECRET hamlet');
    create table t as
    select
        'p' || i as person,
        (case when i = 0 then 'SECRET hamlet' else ['town', 'village'][1 + i % 2] end)::place
            as home,
        (case when i = 0 then 'SECRET hamlet' else ['town', 'village'][1 + i // 2 % 2] end)::place
            as work,
        [home, work] as both_places, (i // 30)::integer as day, [i % 3, i % 5, 1.5] as series
    from range(90) as r(i)
"""
CALLS = {
    "k-anonymous": "tanon.publish_events('t', respondent := 'person', qi := ['home'], k := 5, "
    "keep := ['work', 'both_places'], allow_identifying := ['both_places'], max_suppression := "
    "0.1)",
    "individuals": "tanon.publish_table_pair('t', qi := ['home'], sensitive := 'work', l := 1.5, "
    "result := 'individuals', respondent := 'person')",
    "values": "tanon.publish_table_pair('t', qi := ['home'], sensitive := 'work', l := 1.5, "
    "result := 'values', respondent := 'person')",
    "(k,P)": "tanon.publish_series('t', series_id := 'person', series := 'series', k := 6, p := 3, "
    "sensitive := ['work'])",
    "series": "tanon.publish_series_ranges('t', series_id := 'person', series := 'series', k := 6, "
    "sensitive := ['work'])",
    "itemsets": "tanon.publish_itemsets('t', transaction := 'person', item := 'both_places', "
    "min_support := 20, k := 2)",
}


@pytest.mark.parametrize("name", CALLS)
def test_no_value_of_a_row_left_out_is_in_a_type(con, name):
    con.execute(TABLE)
    types = [kind for _, kind, *_ in con.execute(f"describe from {CALLS[name]}").fetchall()]
    assert not any("ENUM" in kind for kind in types), types
    assert "ENUM" in str(con.execute("describe t").fetchall())
    schema = con.sql(f"from {CALLS[name]}").to_arrow_table().schema
    assert "dictionary" not in str(schema)


def test_a_publication_tells_no_labels(con):
    con.execute(TABLE)
    stream = tanon_duck.publication(
        con, "s", "t", respondent="person", ts="day", sensitive="work", qi=["home"], l=1.5, w=2
    )
    stream.advance(2, force=True)
    for pair in (stream.individuals(), stream.values()):
        assert "ENUM" not in str(pair.types)
