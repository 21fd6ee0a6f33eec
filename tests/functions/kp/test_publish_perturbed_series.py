"""Perturbed releases: diverse, near, typed, checked, the same for any row order."""

from collections import Counter

import numpy as np
import pytest
import series_tables

from tanon_duck import new_secret

SKEWED = [0 if i % 3 else 100 * (i % 7) for i in range(150)]


def load(con, secrets=SKEWED, secret_type="integer", p=4):
    series = series_tables.walks(150, 4, 3)
    return series_tables.load(con, series, secrets, 8, p, secret_type=secret_type)


def diversified(con, arguments, source="released"):
    return con.execute(
        "select (k_group, word, level), secret, perturbed, typeof(secret) from "
        f"tanon.publish_perturbed_series('{source}', 'secret', {arguments}, for_owner := true, "
        f"keep := 'k_group') "
        "order by all"
    ).fetchall()


def crowded(rows, least):
    sizes = Counter(row[0] for row in rows)
    pairs = Counter((row[0], row[1]) for row in rows)
    return [pair for pair, n in pairs.items() if n * least > sizes[pair[0]]]


def test_whole_numbers_stay_whole_and_few_change(con):
    published = load(con)
    classes = [(row["k_group"], row["word"], row["level"]) for row in published]
    sizes, before = Counter(classes), Counter()
    for own, row in zip(classes, published, strict=True):
        before[own, row["secret"]] += 1
    rows = diversified(con, "l := 3, epsilon := 40")
    assert not crowded(rows, 3)
    assert {kind for *_, kind in rows} == {"INTEGER"}
    changed = [row for row in rows if row[2]]
    surplus = {key: n - sizes[key[0]] // 3 for key, n in before.items() if n * 3 > sizes[key[0]]}
    assert len(changed) == sum(surplus.values()) > 20
    assert not {row[1] for row in changed} & set(SKEWED)
    assert all(min(abs(row[1] - old) for old in set(SKEWED)) <= 40 for row in changed)
    kept = Counter((row[0], row[1]) for row in rows if not row[2])
    assert kept == before - Counter(surplus)


def test_jitter_moves_whole_classes_on_their_own_grid(con):
    load(con, [value / 4 for value in SKEWED], "double")
    minimal = diversified(con, "l := 2, epsilon := 12")
    assert any(round(row[1], 2) != row[1] for row in minimal)
    rows = diversified(con, "l := 2, epsilon := 200, mode := 'jitter'")
    assert not crowded(rows, 2)
    assert all(row[1] % 25 == 0 for row in rows)
    for group in {row[0] for row in rows}:
        assert len({row[2] for row in rows if row[0] == group}) == 1
    assert {row[0] for row in rows if row[2]} == {row[0] for row in minimal if row[2]}
    with pytest.raises(Exception, match=r"epsilon must be at least 25, the resolution of the rep"):
        diversified(con, "l := 2, epsilon := 24, mode := 'jitter'")


def test_decimals_keep_type_and_scale(con):
    load(con, [value / 100 for value in SKEWED], "decimal(12,3)")
    rows = diversified(con, "l := 2, epsilon := 0.25")
    assert not crowded(rows, 2)
    assert {kind for *_, kind in rows} == {"DECIMAL(12,3)"}
    near = [min(abs(float(row[1]) - value) for value in range(7)) for row in rows if row[2]]
    assert 0.1 < max(near) <= 0.25
    big = [9007199254740993 + value for value in SKEWED]
    load(con, big, "bigint")
    kept = Counter(row[1] for row in diversified(con, "l := 2, epsilon := 5") if not row[2])
    assert set(kept) <= set(big)


def test_other_columns_and_rows_stay(con):
    published = load(con)
    rows = con.execute(
        "select low, high, word, level from "
        "tanon.publish_perturbed_series('released', 'secret', l := 2, epsilon := 9) order by all"
    ).fetchall()
    assert (
        rows == con.execute("select low, high, word, level from released order by all").fetchall()
    )
    assert len(rows) == len(published)


def test_row_order_and_threads_do_not_matter_the_seed_does(con):
    load(con)
    con.execute("create table shuffled as from released order by hash(low, secret, p_group)")
    wanted = diversified(con, "l := 2, epsilon := 30")
    con.execute("set threads = 1")
    assert diversified(con, "l := 2, epsilon := 30", "shuffled") == wanted
    assert diversified(con, f"l := 2, epsilon := 30, secret := '{new_secret()}'") != wanted


def test_which_row_is_perturbed_hangs_on_its_content(con):
    load(con)
    con.execute("create table told as select *, row_number() over () as other from released")
    con.execute("create table shuffled as from told order by hash(other)")
    query = "select other, secret from tanon.publish_perturbed_series('{}', 'secret', l := 3, "
    query += "epsilon := 40, keep := 'other', allow_identifying := 'other')"
    wanted = con.execute(query.format("told")).fetchall()
    assert sorted(con.execute(query.format("shuffled")).fetchall()) == sorted(wanted)


def test_nulls_are_a_value_without_neighbours(con):
    secrets = [None if i in (3, 77) else value for i, value in enumerate(SKEWED)]
    load(con, secrets)
    rows = diversified(con, "l := 2, epsilon := 30")
    assert not crowded(rows, 2)
    assert sum(row[1] is None for row in rows) == sum(value is None for value in secrets)
    con.execute("update released set secret = null where k_group = 1")
    with pytest.raises(Exception, match="more than 1/2 of a class is NULL"):
        diversified(con, "l := 2, epsilon := 30")


def one_class(con, values, secret_type):
    con.execute(
        "create or replace table released as select [1.0, 2] as low, [2.0, 3] as high, "
        f"'ab' as word, 2 as level, 1 as k_group, unnest([{values}]::{secret_type}[]) as secret"
    )


@pytest.mark.parametrize(
    ("values", "secret_type", "least", "most"),
    [
        ("0, 0, 0, 0, 0, 0", "utinyint", 0, 40),
        ("127, 127, 127, 127, 127", "tinyint", 87, 127),
        ("-128, -128, -128, -127", "tinyint", -128, -88),
        ("9.99, 9.99, 9.99, 9.99", "decimal(3,2)", -10, 10),
        ("2147483647, 2147483647, 2147483647", "integer", 2147483607, 2147483647),
        ("7, 7, 7, 7", "hugeint", -33, 47),
    ],
)
def test_a_new_value_fits_the_type(con, values, secret_type, least, most):
    one_class(con, values, secret_type)
    for _ in range(5):
        rows = diversified(con, f"l := 2, epsilon := 40, secret := '{new_secret()}'")
        assert not crowded(rows, 2)
        assert {row[3] for row in rows} == {secret_type.upper()}
        assert any(row[2] for row in rows)
        assert all(least <= row[1] <= most for row in rows)


def test_an_epsilon_beyond_the_type_draws_at_random(con):
    one_class(con, "5, 5, 5, 5", "tinyint")
    drawn = {
        tuple(
            row[1]
            for row in diversified(con, f"l := 4, epsilon := 1e200, secret := '{new_secret()}'")
        )
        for _ in range(5)
    }
    assert len(drawn) == 5


@pytest.mark.parametrize(
    ("values", "secret_type", "allowed"),
    [
        ("9223372036854775807, 9223372036854775807, 1", "bigint", "numbers of at most 18 digits"),
        ("18446744073709551615, 1, 1", "ubigint", "numbers of at most 18 digits, got 1"),
        ("1e30::hugeint, 1, 1", "hugeint", "numbers of at most 18 digits, got 1"),
        ("'nan'::double, 'nan', 'nan'", "double", "free of NaN and infinity, got 3"),
        ("'inf'::double, 1, NULL", "float", "free of NaN and infinity, got 1"),
    ],
)
def test_numbers_that_cannot_move_are_refused(con, values, secret_type, allowed):
    one_class(con, values, secret_type)
    with pytest.raises(
        Exception, match=f"tanon.publish_perturbed_series: sensitive must be {allowed}"
    ):
        diversified(con, "l := 2, epsilon := 5")


@pytest.mark.parametrize("arguments", ["epsilon := 5", "replacements := 'r'"])
def test_a_misspelt_column_is_refused_with_the_nearest_one(con, arguments):
    one_class(con, "1, 1, 2", "int")
    con.execute("create table r as select '1' as value, '2' as replacement")
    said = "sensitive must be a column of [a-z]*, got 'secrt'; did you mean"
    with pytest.raises(Exception, match=f"tanon.publish_perturbed_series: {said}"):
        con.execute(
            "from tanon.publish_perturbed_series("
            f"'released', sensitive := 'secrt', l := 2, {arguments})"
        ).fetchall()


DISEASES = [["flu", "cough", "gout"][(i % 4) // 2 * (i % 3)] for i in range(150)]


def test_texts_need_replacements(con):
    load(con, DISEASES, "varchar")
    with pytest.raises(Exception, match="sensitive must be a numeric column unless replacements"):
        diversified(con, "l := 2, epsilon := 1")
    con.execute(
        "create table allowed as select * from (values ('flu', 'influenza'), ('flu', 'viral'), "
        "('cough', 'airways'), ('gout', 'joints'), ('flu', 'cough')) t(value, replacement)"
    )
    rows = diversified(con, "l := 2, replacements := 'allowed'")
    assert not crowded(rows, 2)
    new = {row[1] for row in rows if row[2]}
    assert new <= {"influenza", "viral", "airways", "joints", "cough"}
    con.execute("delete from allowed where value = 'flu'")
    with pytest.raises(Exception, match="replacements must offer enough other values"):
        diversified(con, "l := 2, replacements := 'allowed'")
    with pytest.raises(Exception, match=r"replacements must be .* with columns value, replacement"):
        diversified(con, "l := 2, replacements := '(select 1 as value)'")


def test_replacements_are_of_the_type_of_the_column(con):
    load(con)
    with pytest.raises(
        Exception, match=r"tanon.publish_perturbed_series: replacements must be .* such as none"
    ):
        diversified(con, "l := 2, replacements := '(select 1 as value, ''none'' as replacement)'")


BAD = [
    ("l := 2", "epsilon must be a number > 0, got NULL"),
    ("l := 2, epsilon := 0", "epsilon must be a number > 0, got 0"),
    ("l := 2, epsilon := -1", "epsilon must be a number > 0, got -1"),
    ("l := 1, epsilon := 1", "l must be an integer > 1, got 1"),
    ("l := 40, epsilon := 1", "l must be at most the smallest class"),
    ("l := 2, epsilon := 1, mode := 'jiter'", "mode must be one of .* did you mean 'jitter'"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_wrong_arguments(con, arguments, message):
    load(con)
    with pytest.raises(Exception, match=f"tanon.publish_perturbed_series: {message}"):
        diversified(con, arguments)


def test_no_room_is_an_error_and_the_class_alone_has_more(con):
    load(con)
    con.execute(
        "update released set secret = case when k_group = 1 then n else 5 end from "
        "(select rowid as r, row_number() over () as n from released where k_group = 1) as t "
        "where released.rowid = r"
    )
    con.execute("update released set secret = 5 where k_group <> 1")
    with pytest.raises(Exception, match="no room"):
        diversified(con, "l := 2, epsilon := 3")
    assert not crowded(diversified(con, "l := 2, epsilon := 40, avoid := 'class'"), 2)


def test_empty_table_and_taken_column(con):
    load(con)
    call = (
        "from tanon.publish_perturbed_series('{}', '{}', l := 2, epsilon := 40, for_owner := "
        "true{})"
    )
    taken = "(select *, 1 as perturbed from released)", "secret", ", keep := 'perturbed'"
    with pytest.raises(Exception, match=r"keep must be other than .* adds, .* perturbed, got 'p"):
        con.execute(call.format(*taken)).fetchall()
    renamed = '(select * rename (secret as "Perturbed") from released)', "Perturbed", ""
    with pytest.raises(Exception, match=r"sensitive must be other than .* adds, .* perturbed, got"):
        con.execute(call.format(*renamed)).fetchall()
    con.execute("delete from released")
    assert diversified(con, "l := 2, epsilon := 1") == []


def test_a_hostile_column_name(con):
    load(con)
    for name in ("text", 'a"b', "o'x", "class"):
        quoted, text = name.replace('"', '""'), name.replace("'", "''")
        con.execute(
            f'create or replace table r as select * rename (secret as "{quoted}") from released'
        )
        got = con.execute(
            f"select \"{quoted}\" from tanon.publish_perturbed_series('r', '{text}', l := 2, "
            f"epsilon := 40)"
        ).fetchnumpy()
        assert np.sum(next(iter(got.values())) % 100 != 0) > 5


def test_nothing_can_be_replaced_by_null(con):
    one_class(con, "'flu', 'flu', 'flu', 'gout'", "varchar")
    allowed = "(select 'flu' as value, unnest(['cough', null]) as replacement)"
    with pytest.raises(Exception, match="replacements must be free of NULL, got 1 NULL"):
        diversified(con, "l := 2, replacements := '" + allowed.replace("'", "''") + "'")


@pytest.mark.parametrize("mode", ["minimal", "jitter"])
@pytest.mark.parametrize("value", [16777216, 16777215, 1e30, 0.1])
def test_two_doubles_that_are_one_float_are_one(con, value, mode):
    """Near 2 ** 24 a FLOAT is a whole number."""
    one_class(con, ", ".join([str(value)] * 6), "float")
    step = value * 2.0**-23
    for _ in range(5):
        arguments = f"l := 3, mode := '{mode}', secret := '{new_secret()}', epsilon := "
        rows = diversified(con, arguments + repr(20 * step))
        assert not crowded(rows, 3)
        assert all(abs(row[1] - rows[0][1]) <= 41 * step for row in rows)
        with pytest.raises(Exception, match="epsilon is too small to change a sensitive value"):
            diversified(con, arguments + repr(step / 8))
