"""A publication whose columns are times with zone goes on under any TimeZone."""

import pytest

from tanon_duck import publication
from tanon_duck.quoting import literal

SECRET = "2f8e0d3cb7a6954823f0e1d2c3b4a5968778695a4b3c2d1e0f00112f3a4b5c6d"
TABLE = """
    create table zoned as
    select
        'p' || i as person, (i // 30)::integer as day,
        timestamptz '2024-03-01 22:15:00+00' + to_hours(((i * 13) % 5)::int) as outcome,
        timestamptz '2024-10-27 00:30:00+00' + to_hours(((i * 7) % 4)::int) as opened
    from range(360) as r(i)
"""
OF_ZONED = {
    "respondent": "person", "ts": "day", "sensitive": "outcome", "qi": ["opened"], "l": 2, "w": 3,
    "allow_identifying": ["opened"], "secret": SECRET,
}  # fmt: skip
STEPS = (3, 6, 11)


def followed(con, name, zones, folder, ending):
    """The names and bytes of what is delivered; a zone for each step."""
    folder.mkdir()
    given = {"source": "zoned", **OF_ZONED}
    for zone, day in zip(zones, STEPS, strict=True):
        con.execute(f"set timezone = {literal(zone)}")
        stream, given = publication(con, name, **given), {}
        stream.advance(day, force=True)
        stream.verify()
        stream.deliver(folder, ending=ending)
    stream.finish()
    stream.verify()
    stream.deliver(folder, ending=ending)
    return sorted(
        (path.parent.name.removeprefix(name), path.name, path.read_bytes())
        for path in folder.glob(f"*/*{ending}")
    )


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_goes_on_under_another_time_zone(con, tmp_path, ending):
    con.execute(TABLE)
    found = {}
    for name, zones in (
        ("a", ["UTC", "UTC", "UTC"]),
        ("b", ["Asia/Kathmandu", "America/St_Johns", "UTC"]),
    ):
        found[name] = followed(con, name, zones, tmp_path / name, ending)
        assert len(found[name]) == 2 * (len(STEPS) + 1)
    assert found["a"] == found["b"]
    differ = "select count(*) from (from a.released except all from b.released)"
    assert con.execute(differ).fetchall() == [(0,)]
