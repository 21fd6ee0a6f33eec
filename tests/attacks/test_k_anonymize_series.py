"""Against tanon.k_anonymize_series: the readings, and an id left in."""

from attacks import series_walks

CALL = (
    "from tanon.k_anonymize_series('t', id := 'who', series := 's', k := 5, "
    "sensitive := 'secret', accept := 'secret'{})"
)


def test_readings_find_k_rows(con):
    series = series_walks.load(con)
    released = series_walks.fetch(con, CALL.format(""))
    assert "who" not in released[0]
    assert series_walks.below(released, series, 5) == 0
    assert [r["k_group"] for r in released] == sorted(r["k_group"] for r in released)


def test_control_an_id_left_in_names_every_row(con):
    series_walks.load(con)
    owned = series_walks.fetch(con, CALL.format(", for_owner := true"))
    assert len({row["who"] for row in owned}) == len(owned) == 300
