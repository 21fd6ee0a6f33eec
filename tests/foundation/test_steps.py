"""Steps find each other by name; what an author gets wrong is told with file and line."""

from contextlib import contextmanager

import duckdb
import pytest

from tanon_duck.errors import TemplateError
from tanon_duck.macros import catalog, create_statements, linker, macro_lint, step_conditions, steps

pytestmark = pytest.mark.quick

TIME = """-- What this file is for.
-- Yields: judged, least
-- Reads: measures
-- Takes: k

step measured materialized
    select {measures} from t where n < {k}
end

step judged
    from {measured}
end

step least
    from {judged}
end
"""
MEASURES = """-- What is measured.
-- Yields: measures

piece measures
    min(f) as m
end
"""


def library(*texts):
    files = [steps.read(f"sql/steps/{i}.sql", text) for i, text in enumerate(texts)]
    return linker.Library(files, ["_beat_text", "_list"])


def link(query, *texts, arguments=("k", "ts")):
    return library(*texts).link(steps.read("sql/functions/f.sql", query), arguments)


def names(plan):
    return [linked.step.name for linked in plan.steps]


def test_what_is_read_comes_first_and_once():
    plan = link("select * from {least}, {judged}", TIME, MEASURES)
    assert names(plan) == ["measured", "judged", "least"]
    assert plan.query.text == "select * from tanon_least, tanon_judged"
    assert plan.steps[0].text == ("    select     min(f) as m from t where n < {k}")


def test_what_nobody_reads_is_left_out():
    assert names(link("from {judged}", TIME, MEASURES)) == ["measured", "judged"]


def test_a_file_is_checked_against_what_it_says():
    shared = library(TIME.replace("Takes: k", "Takes: k, ts"), MEASURES)
    shared.link(steps.read("f.sql", "from {judged}"), ("k",))
    assert list(shared.faults()) == [
        "sql/steps/0.sql:14: least is never used",
        "sql/steps/0.sql: Yields: should say judged",
        "sql/steps/0.sql: Takes: should say k",
    ]


def test_the_files_of_the_package_say_what_is_true():
    for function in catalog.functions().values():
        arguments = [a.name for a in function.header.arguments]
        catalog.library().link(function.file, arguments)
    assert list(catalog.library().faults()) == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("from {jugded}", r"f.sql:1: there is no step or argument jugded; did you mean 'judged'\?"),
        ("from {measured}", "f.sql:1: sql/steps/0.sql does not yield measured"),
        ("from tanon_judged", "f.sql:1: write {judged} for tanon_judged"),
        ("step a\n  select 1\nend\nfrom {judged}", "f.sql:1: a is never used"),
        ("step judged\n  select 1\nend\nfrom {judged}", "0.sql:10 too"),
        (
            "step a\n  from {b}\nend\nstep b\n  from {a}\nend\nfrom {a}",
            "f.sql:1: a reads b reads a",
        ),
        ("step a\n  select 1\nfrom {a}", "f.sql:1: 'step a' has no line `end`"),
        ("step a\n  select 1\n\nstep b\n  select 1\nend", "f.sql:1: 'step a' has no line `end`"),
        (
            "-- A comment.\nstep a\n  select 1\n  from {jugded}\nend\nfrom {a}",
            r"f.sql:4: there is no step or argument jugded; did you mean 'judged'\?",
        ),
        (
            "-- A comment.\n\nselect 1\nfrom {jugded}",
            "f.sql:4: there is no step or argument jugded",
        ),
        (
            "select {tanon_jugded} from {judged}",
            "f.sql:1: there is no step or argument tanon_jugded",
        ),
        (
            "select 1\nfrom {judged} as tanon_a\nwhere {tanon_b.k}",
            r"f.sql:3: there is no tanon_b to read columns from; did you mean 'tanon_a'\?",
        ),
        ("select 1, x.n\nfrom {judged} y", "f.sql:1: there is no x to read columns from"),
        (
            "from {judged}\nwhere {tanon._beet_text(k)}",
            r"f.sql:2: there is no macro tanon._beet_text; did you mean '_beat_text'\?",
        ),
        (
            "from {judged}\n{if tss is null}a{end}",
            r"f.sql:2: there is no argument tss; did you mean 'ts'\?",
        ),
        ("step a when kk > 1\n  select 1\nend\nfrom {a}", "f.sql:1: there is no argument kk"),
        ("use a = judged(x = y)\nfrom {a}", "f.sql:1: judged takes no parameters"),
    ],
)
def test_slips_are_told_with_their_place(query, said):
    with pytest.raises(TemplateError, match=said):
        link(query, TIME, MEASURES)


@pytest.mark.parametrize(
    "query",
    [
        "{for g in tanon._list(ts) joined by ','}{tanon._beat_text(g)}{end} from {judged}",
        "{if k > 1 and ts is not null}a{end} from (select 1 as n) x, {judged} y where x.n = y.n",
        "select tanon_row.n, 'x.y' from (select {'n': 1} as tanon_row), {judged}",
    ],
)
def test_what_is_right_is_not_a_slip(query):
    assert link(query, TIME, MEASURES).query.text == query.replace("{judged}", "tanon_judged")


K_ANONYMITY = "functions/k_anonymity/k_anonymity.sql"  # whose header includes another file
JUDGED = "steps/time/judged.sql"


@pytest.mark.parametrize(
    ("file", "right", "slip", "said"),
    [
        (K_ANONYMITY, "{frequencies}", "{frequncies}", "there is no step or argument frequncies"),
        (K_ANONYMITY, "{k}", "'{k}'", "a placeholder inside quotes: '{k}'"),
        (JUDGED, "{max_suppression}", "max_suppression *", "the bare word max_suppression"),
        (JUDGED, "step minimal", "step lonely\n  select 1\nend\nstep minimal", "lonely is never"),
    ],
)
def test_a_slip_stops_the_build_at_its_line(file, right, slip, said, monkeypatch):
    real = catalog.file_text
    written = real(file).replace(right, slip)
    line = written[: written.index(slip)].count("\n") + 1
    monkeypatch.setattr(catalog, "file_text", lambda path: written if path == file else real(path))
    with pytest.raises(TemplateError) as error, built_anew():
        create_statements.install_statements()
    assert str(error.value).startswith(f"sql/{file}:{line}: {said}")


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ("tanon._txet(x)", r"there is no macro tanon\._txet; did you mean '_text'\?"),
        ("tanon._text(x, x)", r"tanon\._text takes 1 arguments, got 2"),
        ("tanon._text(x x)", "syntax error at or near"),
    ],
)
def test_a_slip_in_a_private_macro_stops_the_build_at_its_line(slip, said, monkeypatch):
    file, real = "private/arguments.sql", catalog.file_text
    written = real(file).replace("concat(tanon._text(x), '::'", f"concat({slip}, '::'")
    line = written[: written.index(slip)].count("\n") + 1
    monkeypatch.setattr(
        macro_lint, "file_text", lambda path: written if path == file else real(path)
    )
    with built_anew(), pytest.raises(TemplateError, match=f"sql/{file}:{line}: {said}"):
        create_statements.plans()


@contextmanager
def built_anew():
    """Nothing that was read before is remembered, nor is afterwards what is read here."""
    kept = (create_statements.install_statements, create_statements.plans)
    made = (catalog.library, catalog.functions, catalog.function, *kept)
    for each in made:
        each.cache_clear()
    try:
        yield
    finally:
        for each in made:
            each.cache_clear()


def test_one_name_is_defined_once():
    with pytest.raises(TemplateError, match=r"1.sql:6: measured is defined at sql/steps/0.sql:6"):
        library(TIME, TIME)


SEARCH = """-- A search.
-- Yields: search

step search(start, rows) recursive
    select 1 as n from {start} union all select n + 1 from {search}, {rows}
end
"""


def test_a_step_with_parameters_is_made_under_another_name():
    query = (
        "step one\n  select 1\nend\npiece some\n(select 2)\nend\n"
        "use up = search(start = one, rows = some)\nuse down = search(start = one, rows = one)\n"
        "from {up}, {down}"
    )
    plan = link(query, SEARCH)
    assert plan.is_recursive
    assert names(plan) == ["one", "up", "down"]
    assert "from tanon_one union all select n + 1 from tanon_up, (select 2)" in plan.steps[1].text
    assert "from tanon_down, tanon_one" in plan.steps[2].text


NESTED = """-- A step that is made of one of two, and what it makes itself.
-- Yields: weighed, all_of, weighed_whole

use bits = counted(nodes = nodes)

step counted(nodes)
    select count(*) as n from {nodes}
end

step weighed(nodes)
    from {nodes}, {bits}
end

step all_of(nodes)
    from {nodes}
end

use inner = all_of(nodes = bits)

step weighed_whole(nodes)
    from {inner}
end
"""
TWO = "step one\n  select 1\nend\nstep two\n  select 2\nend\n"


def test_what_a_block_makes_of_its_parameter_is_made_of_that():
    for block in ("weighed", "weighed_whole"):
        plan = link(f"{TWO}use x = {block}(nodes = two)\nfrom {{one}}, {{x}}", NESTED)
        (bits,) = (linked for linked in plan.steps if linked.step.name == "bits")
        assert "from tanon_two" in bits.text


@pytest.mark.parametrize("block", ["weighed", "weighed_whole"])
def test_a_name_that_means_two_things_in_one_call_is_refused(block):
    made = f"use x = {block}(nodes = one)\nuse y = {block}(nodes = NODES)\nfrom {{x}}, {{y}}"
    assert link(TWO.partition("step two")[0] + made.replace("NODES", "one"), NESTED)
    said = r"sql/steps/0.sql:\d+: use \w+ is reached twice, and means two things: nodes = \w+"
    with pytest.raises(TemplateError, match=said):
        link(TWO + made.replace("NODES", "two"), NESTED)


GUARDED = """-- A guarded step.
-- Yields: fine, none_fails

step fine
    select 1
end

guard none_fails on fine
    select 'it must not, got ' || count(*) having count(*) > 0
end
"""


def test_a_guard_that_nobody_checks_is_checked_by_the_query():
    plan = link("from {fine}", GUARDED)
    assert names(plan) == ["fine", "none_fails"]
    assert plan.query.text.endswith("where (select tanon_fine from tanon_none_fails)")
    assert "error({function} || ': ' || min(coalesce(tanon_message, '" in plan.steps[1].text


def test_a_guard_whose_message_is_null_does_not_pass():
    plan = link("from {fine}", GUARDED.replace("count(*) having", "max(null::text) having"))
    ctes = (f"{linked.step.cte} as ({linked.text})" for linked in plan.steps)
    steps = ", ".join(ctes).replace("{function}", "'tanon.f'")
    with pytest.raises(duckdb.Error, match=r"tanon\.f: a check failed"):
        duckdb.execute(f"with {steps} {plan.query.text}")


def test_a_guard_that_is_checked_is_not_checked_twice():
    plan = link("from {fine} where {checked none_fails}", GUARDED)
    assert plan.query.text == "from tanon_fine where (select tanon_fine from tanon_none_fails)"


def test_a_step_is_there_where_what_reads_it_is():
    query = """step a
  select 1
end
step b
  {if ts is null} from {a} {else} select 2 {end}
end
step c
  from {a}
end
from {b} {if k > 3}, {c}{end}"""
    needed = {linked.step.name: linked.needed for linked in link(query).steps}
    more, timeless = frozenset({"(k > 3)"}), frozenset({"(ts is null)"})
    assert needed == {"a": {more, timeless}, "b": {frozenset()}, "c": {more}}


def test_the_other_branch_is_the_opposite():
    query = (
        "step a\n  select 1\nend\n{if k > 3}select 2{else}{if ts is null}{else}from {a}{end}{end}"
    )
    (step,) = link(query).steps
    assert step.needed == {frozenset({"((k > 3) is not true)", "(ts is not null)"})}


@pytest.mark.parametrize(
    "condition",
    [
        "a",
        "k is null",
        "k is not null",
        "(a) is not true",
        "(a) is not true or (b) is not true",
        "((a) is not true or (b) is not true) is not true",
        "k = 1 and a is not true",
    ],
)
def test_the_opposite_holds_exactly_where_the_condition_does_not(condition):
    scene = "(select unnest([true, false, null]) a), (select unnest([true, false, null]) b)"
    scene += ", (select unnest([1, 2, null]) k)"
    for _ in range(2):
        other = step_conditions.opposite(condition)
        with duckdb.connect() as con:
            rows = con.execute(f"select {condition}, {other} from {scene}").fetchall()
        assert {(one is True, two is True) for one, two in rows} <= {(True, False), (False, True)}
        condition = other


def any_of(paths):
    return " or ".join(" and ".join(path) or "true" for path in paths) or "false"


@pytest.mark.parametrize(
    ("paths", "left"),
    [
        ([["(a)", "((a) is not true)"]], []),
        ([["(k is null)", "(k is not null)", "(b)"]], []),
        ([["(a)"], ["((a) is not true)"]], [[]]),
        ([["(a)", "(b)"], ["((a) is not true)", "(b)"]], [["(b)"]]),
        ([["(a)"], ["((a) is not true)", "(b)"]], [["(a)"], ["(b)"]]),
        (
            [["(k is null)", "(b)"], ["(b)", "(c)", "(k is not null)"]],
            [["(k is null)", "(b)"], ["(b)", "(c)"]],
        ),
        ([["(a)"], ["(a)", "(b)"]], [["(a)"]]),
        ([["(ks > 1)", "(k > 1)"]], [["(k > 1)"]]),
    ],
)
def test_conditions_are_kept_short_and_mean_the_same(paths, left):
    found = step_conditions.simplest({frozenset(path) for path in paths}, {"ks": "k"})
    assert found == {frozenset(path) for path in left}
    each = "(select unnest([true, false, null])"
    scene = f"from {each} a), {each} b), {each} c), (select unnest([1, 2, null]) k)"
    before = any_of(paths).replace("ks", "k")
    with duckdb.connect() as con:
        differ = f"select * {scene} where coalesce({before}, false)"
        differ += f" is distinct from coalesce({any_of(found)}, false)"
        assert con.execute(differ).fetchall() == []


def test_a_guard_on_what_is_not_always_there_has_to_be_checked_by_a_step():
    with pytest.raises(TemplateError, match="a step must check none_fails"):
        link("{if k > 3} from {fine} {else} select 1 {end}", GUARDED)
