"""tanon.age_in_years against counting birthdays one by one."""

import datetime
import random

import duckdb
import pytest


def birthdays(born, day):
    """How many birthdays were kept; of 29 February on 1 March where there is no 29th."""
    count = 0
    for year in range(born.year + 1, day.year + 1):
        try:
            birthday = born.replace(year=year)
        except ValueError:
            birthday = datetime.date(year, 3, 1)
        count += birthday <= day
    return count


def test_as_many_as_birthdays(con):
    draw = random.Random(15)
    first = datetime.date(1900, 1, 1)
    days = [first + datetime.timedelta(days=draw.randrange(45_000)) for _ in range(400)]
    days += [datetime.date(2000, 2, 29), datetime.date(2001, 2, 28), datetime.date(2001, 3, 1)]
    pairs = [sorted(draw.sample(days, 2)) for _ in range(400)]
    pairs += [[days[-3], days[-2]], [days[-3], days[-1]], [days[-3], days[-3]]]
    for born, day in pairs:
        found = con.execute("select tanon.age_in_years(?, ?)", [born, day]).fetchall()
        assert found == [(birthdays(born, day),)], (born, day)


def test_null_stays_null_and_the_time_of_day_does_not_count(con):
    asked = "tanon.age_in_years(timestamp '2000-05-05 20:00', timestamp '2001-05-05 01:00')"
    assert con.execute(
        f"select {asked}, tanon.age_in_years(null, date '2000-01-01')"
    ).fetchall() == [(1, None)]


def test_nobody_is_there_before_birth(con):
    with pytest.raises(
        duckdb.Error, match=r"tanon\.age_in_years: birth must be at or before the event"
    ):
        con.execute("select tanon.age_in_years(date '2000-01-02', date '2000-01-01')").fetchall()


@pytest.mark.parametrize("wrong", ["2000", "'soon'", "date 'infinity'", "date '-infinity'"])
def test_what_is_no_day_is_named(con, wrong):
    day = "date '2024-01-01'"
    for name, given in (("birth", f"{wrong}, {day}"), ("event", f"{day}, {wrong}")):
        with pytest.raises(duckdb.Error, match=rf"tanon\.age_in_years: {name} must be a date, got"):
            con.execute(f"select tanon.age_in_years({given})").fetchall()
