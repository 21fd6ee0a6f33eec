"""What is left of dates, ages and ZIP codes, against lists of what is right and what is wrong."""

import datetime
import random
import uuid

import duckdb
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

# How a day is spelt: {y} {yy} {m} {mm} {d} {dd} and names of months in three languages.
SPELLINGS = """
{y}-{mm}-{dd} | {y}-{mm}-{dd} 10:15:00 | {y}-{mm}-{dd}T10:15:00+01:00 | {y}-{m}-{d}
{y}/{mm}/{dd} | {y}.{mm}.{dd} | {y}_{mm}_{dd} | {y} {mm} {dd} | {y}-{mm} | {y}-{m} | {y}/{mm}
{y}_{mm} | {y}.{mm} | {y}年{m}月{d}日 | {dd}.{mm}.{y} | {d}. {m}. {y} | {m}/{d}/{y} | {dd}-{mm}-{y}
{mm}/{y} | {m}/{y} | {mm}-{y} | {mm}.{y} | {dd}/{mm}/{yy} | {m}/{d}/{yy} | {dd}.{mm}.{yy}
{yy}-{mm}-{dd} | {dd}-{mm}-{yy} | {y}{mm}{dd} | {y}{mm}{dd}.0 | {y}{mm}{dd}T101500Z
{y}{mm}{dd}101500 | {y}{mm}{dd}1015 | {dd}{mm}{y} | {mm}{dd}{y} | {m}{dd}{y} | {y}{mm}
{y}-{nth} | {y}/{nth} | {y}{nth} | IMG_{y}{mm}{dd}.jpg | {y}Q{q} | {y}-Q{q} | {y} Q{q}
Q{q} {y} | Q{q}/{y} | {q}Q{y} | {y}q{q} | {q}. Quartal {y} | {q}st quarter of {y} | {y}H1
H2 {y} | {y}M{mm} | {y}m{m} | {y}W{ww} | {y}-W{ww} | {y}-W{ww}-5 | {y}W{ww}5 | W{ww}/{y}
KW {ww} {y} | KW{ww}/{y} | week {ww} of {y} | {y}, week {ww} | {y}w{ww} | {dd}{mon}{y}
{dd}{mon}{yy} | {mon}{y} | {y}{mon} | {y}{mon}{dd} | {dd}{mon}{y}:10:15:00 | {y}-{mon}-{dd}
{y} {mon} {d} | {y}, {month} {d} | {d} {mon} {y} | {d}. {month} {y} | {month} {d}, {y}
{month} {d}th, {y} | the {d}th of {month} {y} | {month} of {y} | {mon} {y} | {mon}. {y}
{mon}-{y} | {mon}-{yy} | {dd}-{mon}-{yy} | {d} {mon} {yy} | Thu {mon} {d} 10:15:00 {y}
Thu {mon} {d} 10:15:00 UTC {y}
"""
SPELLINGS = [each.strip() for each in SPELLINGS.replace("\n", "|").split("|") if each.strip()]
ALIKE = settings(
    derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
AROUND = ["{}", "seen on {}, again later", "[{}, {}]", "({})", "of {}"]
MONTHS = [
    ("January", "Januar", "janvier", "jan", "janv"),
    ("February", "Februar", "février", "feb", "févr"),
    ("March", "März", "mars", "mar", "mrz"),
    ("April", "April", "avril", "apr", "avr"),
    ("May", "Mai", "mai", "may", "mai"),
    ("June", "Juni", "juin", "jun", "juin"),
    ("July", "Juli", "juillet", "jul", "juil"),
    ("August", "August", "août", "aug", "août"),
    ("September", "September", "septembre", "sep", "sept"),
    ("October", "Oktober", "octobre", "oct", "okt"),
    ("November", "November", "novembre", "nov", "nov"),
    ("December", "Dezember", "décembre", "dec", "dez"),
]
YEARS = (
    "2024", "2024-01-01", "2024-01-01 00:00:00", "in 2024", "2019-2024", "2019-20", "", "10-12",
    "1234-5678", "12.5.3", "marker 2024", "Janssen 2021", "decade 2020", "2024 may have", "may 5",
    "10.0.12.24", "120/80", "E11 2024", "2024 H10", "99/2024", "2024-0001", "20240229.5", "1850.5",
    "555-12-3456", "0002-1433-80",
)  # fmt: skip
AGES = {
    91: True,
    90: False,
    89: False,
    0: False,
    "90+": False,
    ">89": False,
    ">= 90": False,
    "85-89": False,
    "90-94": True,
    "[90, inf)": False,
    "95+": True,
    "103": True,
    "old": False,
}


def told(con, query, **arguments):
    arguments = {"ages": [], "zips": []} | arguments
    named = "".join(f", {name} := ${name}" for name in arguments)
    rows = con.execute(
        f"select item, tells, tuples from tanon.safe_harbor_violations($query{named}) order by all",
        {"query": f"({query})"} | arguments,
    ).fetchall()
    return {item: (tells, tuples) for item, tells, tuples in rows}


def dated(con, columns):
    """The columns, lists of texts of one length by name, that tell a date, and in how many rows."""
    con.register("drawn", pa.table(columns))
    return {item: tuples for item, (_, tuples) in told(con, "from drawn").items()}


def spelt(day, spelling, language):
    month = MONTHS[day.month - 1]
    return spelling.format(
        y=day.year,
        yy=f"{day.year % 100:02}",
        m=day.month,
        mm=f"{day.month:02}",
        d=day.day,
        dd=f"{day.day:02}",
        q=(day.month + 2) // 3,
        ww=f"{day.isocalendar().week:02}",
        nth=f"{day.timetuple().tm_yday:03}",
        month=month[language],
        mon=month[3 + language % 2],
    )


@settings(ALIKE, max_examples=6)
@given(
    day=st.dates(datetime.date(1800, 1, 2), datetime.date(2199, 12, 31)).filter(
        lambda d: (d.month, d.day) != (1, 1)
    ),
    language=st.integers(0, 2),
    around=st.sampled_from(AROUND),
    shout=st.booleans(),
    others=st.lists(st.integers(0, 99_999), max_size=3),
)
def test_more_than_a_year_is_told_in_every_spelling(con, day, language, around, shout, others):
    """Beside numbers of fewer digits, too."""
    columns = {}
    for number, spelling in enumerate(SPELLINGS):
        text = around.replace("{}", spelt(day, spelling, language))
        columns[f"{number}: {spelling}"] = [text.upper() if shout else text, *map(str, others)]
    assert dated(con, columns) == dict.fromkeys(columns, 1)


# Columns of what is no date, by what draws one value.
OTHERS = {
    "year": lambda r: str(r.randint(1800, 2199)),
    "span": lambda r: f"{r.randint(1900, 1999)}-{r.randint(2000, 2099)}",
    "in words": lambda r: (
        f"{r.choice(['seen', 'born', 'marker', 'may'])} in {r.randint(1900, 2024)}"
    ),
    "uuid": lambda r: str(uuid.UUID(int=r.getrandbits(128), version=4)),
    "hash": lambda r: f"{r.getrandbits(128):032x}",
    "icd": lambda r: (
        f"{r.choice('ABCDEFGHIJKLMNOPQRSTVWXYZ')}{r.randint(0, 99):02}.{r.randint(0, 99)}"
    ),
    "three letters": lambda r: f"{r.choice('ABCHQWM')}{r.randint(0, 99):02}",
    "loinc": lambda r: f"{r.randint(100, 99999)}-{r.randint(0, 9)}",
    "case of a year": lambda r: f"{r.randint(1, 9999)}/{r.randint(2000, 2024)}",
    "year and number": lambda r: f"{r.randint(2000, 2024)}-{r.randint(1000, 9999)}",
    "season": lambda r: (lambda y: f"{y}/{(y + 1) % 100:02}")(r.randint(1970, 2030)),
    "ward": lambda r: f"{r.choice(['ICU', 'ONC', 'MED', 'SUR', 'DEC'])}-{r.randint(10, 99)}",
    "amount": lambda r: f"{r.uniform(0, 5000):.2f}",
    "measured": lambda r: f"{r.uniform(0, 5000):.1f}",
    "long decimals": lambda r: f"{r.uniform(0, 50):.4f}",
    "phone": lambda r: f"{r.randint(200, 999)}-{r.randint(200, 999)}-{r.randint(0, 9999):04}",
    "pressure": lambda r: f"{r.randint(90, 220)}/{r.randint(40, 120)}",
    "zip and four": lambda r: f"{r.randint(10000, 99999)}-{r.randint(1000, 9999)}",
    **{
        f"{n} digits": lambda r, n=n: str(r.randint(10 ** (n - 1), 10**n - 1)) for n in range(1, 16)
    },
}


@settings(ALIKE, max_examples=3)
@given(seed=st.integers(0, 2**32), size=st.integers(100, 200))
def test_numbers_and_identifiers_are_no_dates(con, seed, size):
    drawn = random.Random(seed)
    columns = {name: [draw(drawn) for _ in range(size)] for name, draw in OTHERS.items()}
    assert dated(con, columns) == {}


@settings(ALIKE, max_examples=4)
@given(
    seed=st.integers(0, 2**32),
    name=st.sampled_from(["8 digits", "12 digits", "case of a year", "6 digits"]),
)
def test_dates_among_numbers_of_their_form_are_weighed(con, seed, name):
    """As soon as half of the values of the form can be dates, the column tells dates."""
    drawn = random.Random(seed)
    forms = {
        "8 digits": "{y}{mm}{dd}",
        "12 digits": "{y}{mm}{dd}1015",
        "case of a year": "{mm}/{y}",
        "6 digits": "{y}{mm}",
    }
    day = datetime.date(2000, 1, 1)
    dates = [
        spelt(day + datetime.timedelta(drawn.randint(0, 9000)), forms[name], 0) for _ in range(60)
    ]
    others = [OTHERS[name](drawn) for _ in range(40)]
    found = dated(con, {"x": dates + others, "some": ["1"] * 40 + others + ["7"] * 20})
    assert found.keys() == {"x"}
    assert 60 <= found["x"] <= 70


@pytest.mark.parametrize("text", YEARS)
def test_a_year_is_not(con, text):
    con.execute("create table t as select $text as x", {"text": text})
    assert told(con, "from t") == {}


def test_dates_of_every_type(con):
    day = datetime.datetime(2024, 2, 29)
    con.execute(
        "create table t (a date, b timestamp, c timestamptz, d bigint, e varchar, f date[])"
    )
    con.execute(
        "insert into t values ($d::date, $d, $d, 20240229, '20240229', [$d::date]), "
        "(date '2024-01-01', timestamp '2024-01-01', null, 20240301, null, null)",
        {"d": day},
    )
    found = told(con, "from t")
    assert found == {
        "a": ("a date", 1),
        "b": ("a date", 1),
        "c": ("a date", 1),
        "d": ("a date", 2),
        "e": ("a date", 1),
        "f": ("a date", 1),
    }


def test_packed_dates_are_seen_beside_other_numbers(con):
    con.execute("create table t as select unnest([20240229, 0, 7, 123456, null]) as x")
    assert told(con, "from t") == {"x": ("a date", 1)}


def test_first_of_january_alone_is_a_year(con):
    con.execute("create table t as select date '2024-01-01' as a, 20249999 as b, 20240229.5 as c")
    assert told(con, "from t") == {}


@pytest.mark.parametrize("age", AGES, ids=str)
def test_ages(con, age):
    con.execute("create table t as select $age as age, 91 as other", {"age": age})
    assert told(con, "from t", ages="age") == ({"age": ("an age", 1)} if AGES[age] else {})


def test_places(con):
    con.execute(
        "create table t as select unnest(['100', '10001', '036', '36', '100**', null]) as z"
    )
    assert told(con, "from t", zips=["z"]) == {"z": ("a place", 1)}
    assert told(con, "from t", zips="z", small_zips=["036"]) == {"z": ("a place", 3)}


def test_an_empty_table_tells_nothing(con):
    con.execute("create table t (a date, b integer, c varchar)")
    assert told(con, "from t", ages="b", zips="c") == {}


def test_hostile_names(con):
    con.execute("""create table t as select date '2024-02-29' as "a ""b'", 99 as "select" """)
    assert told(con, "from t", ages="select") == {
        "a \"b'": ("a date", 1),
        "select": ("an age", 1),
    }


def test_columns_named_like_those_of_the_steps_and_nested_ones(con):
    con.execute(
        "create table t as select date '2024-02-29' as item, '2024Q1' as value, 'x' as name, "
        "20240229 as tuples, {'a': date '2024-02-29'} as spelling, time '10:15:00' as dates"
    )
    assert {item: tuples for item, (_, tuples) in told(con, "from t").items()} == dict.fromkeys(
        ["item", "value", "tuples", "spelling"], 1
    )


def test_a_column_that_is_not_there(con):
    con.execute("create table t as select 1 as age")
    with pytest.raises(duckdb.Error, match=r"ages must be columns of source.*did you mean age"):
        con.execute("from tanon.safe_harbor_violations('t', ages := 'agee', zips := [])")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "ages must be columns of source, or \\[\\] if none has ages, got NULL"),
        (", zips := []", "ages must be columns of source, or \\[\\] if none has ages"),
        (", ages := 'age'", "zips must be columns of source, or \\[\\] if none has ZIP codes"),
        (", ages := [], zips := null", "zips must be columns of source, or \\[\\] if none"),
    ],
)
def test_it_is_undecided_until_ages_and_zips_are_named_or_none(con, given, said):
    con.execute("create table t as select '10001' as zip, 97 as age, 2024 as year")
    with pytest.raises(duckdb.Error, match=said):
        con.execute(f"from tanon.safe_harbor_violations('t'{given})")
    named = "from tanon.safe_harbor_violations('t', ages := ['age'], zips := ['zip']) order by all"
    found = con.execute(named).fetchall()
    assert found == [("age", "an age", 1), ("zip", "a place", 1)]
    absent = "from tanon.safe_harbor_violations('t', ages := [], zips := [])"
    assert con.execute(absent).fetchall() == []
