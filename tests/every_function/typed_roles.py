"""Calls with a column of any type in a role, and the plain SQL that gives the same counts.

The table is ``typed``: ``c`` is the column, ``u`` a respondent, ``g`` a small group, ``s`` a text,
``d`` a day, ``w`` a number and ``series`` a list of numbers.
"""

from dataclasses import dataclass

ROWS = 60
TABLE = (
    "create or replace table typed as select list_transform([n], lambda n: {})[1] as c, "
    "i // 2 as u, i % 3 as g, ['x', 'y', 'z'][1 + i % 3] as s, "
    "date '2024-01-01' + (i % 4)::integer as d, i::double as w, "
    "[i, i % 3, i // 2]::double[] as series "
    f"from (select i, (i * 7 % 6)::bigint as n from range({ROWS}) as rows(i)) order by i asc"
)
HIERARCHY = "'(from tanon.list_hierarchy(''typed'', attribute := ''c''))'"
SAME_ITEMS = "select unnest(itemset)::varchar, support from result_of_call where len(itemset) = 1"


@dataclass(frozen=True)
class Role:
    """A call, what is read off its result, and the same by a plain GROUP BY."""

    role: str
    function: str
    arguments: str
    found: str = ""  # nothing: only that there is a result
    wanted: str = ""


def _counted(of, by="c"):
    return f"select min({by}::varchar), {of} from typed group by {by}"


PEOPLE = "count(distinct u)"
_GROUPS = "count(*), min(n), sum(n)"
_SIZES = f"select {_GROUPS} from (select {PEOPLE} as n from typed group by c)"
_PUBLISHED = "respondent := 'u', qi := 'c', k := 2, max_suppression := 0.99"

ROLES = [
    # The respondent.
    Role(
        "respondent",
        "frequency_set",
        "respondent := 'c', qi := 'g'",
        "select g, frequency, tuples from result_of_call",
        "select g, count(distinct c), count(*) from typed group by g",
    ),
    Role(
        "respondent",
        "k_anonymity",
        "respondent := 'c', qi := 'g'",
        "select gen_m, gen_s, respondents from result_of_call",
        "select min(n), sum(n), (select count(distinct c) from typed) "
        "from (select count(distinct c) as n from typed group by g)",
    ),
    Role(
        "respondent",
        "publish_events",
        "respondent := 'c', qi := 'g', k := 2, for_owner := true, max_suppression := 0.9",
        "select g, count(distinct c), count(*) from result_of_call group by g",
        "select g, count(distinct c), count(*) from typed group by g having count(distinct c) > 1",
    ),
    Role(
        "respondent",
        "publish_events",
        "respondent := 'c', qi := 'g', k := 2, max_suppression := 0.9, result := 'summary'",
        "select respondents, gen_m from result_of_call",
        "select (select count(distinct c) from typed), min(n) "
        "from (select count(distinct c) as n from typed group by g) where n > 1 "
        "having count(*) > 0",
    ),
    Role(
        "respondent",
        "risk_by_granularity",
        "respondent := 'c', qi := 'g'",
        "select respondents, groups from result_of_call",
        "select count(distinct c), count(distinct g) from typed",
    ),
    Role(
        "respondent",
        "presence_metrics",
        "respondent := 'c', qi := 'g', population := 'typed'",
        "select groups, k_map from result_of_call",
        "select count(*), min(n) from (select count(distinct c) as n from typed group by g)",
    ),
    Role(
        "respondent",
        "diversity_metrics",
        "respondent := 'c', groups := 'g', sensitive := 's'",
        "select distinct_l from result_of_call",
        "select min(n) from (select count(distinct s) as n from typed group by g)",
    ),
    Role(
        "respondent",
        "dominated_total_violations",
        "respondent := 'c', qi := 'g', value := 'w', share := 0.01",
        "select g, respondents, total from result_of_call",
        "select g, count(distinct c), sum(w) from typed group by g",
    ),
    Role(
        "respondent",
        "publish_stream",
        "respondent := 'c', ts := 'd', sensitive := 's', l := 1.5, w := 2, for_owner := true",
        "select s, count(*) from result_of_call group by s",
        "select s, count(*) from typed group by s",
    ),
    Role(
        "respondent",
        "publish_table_pair",
        "respondent := 'c', qi := 'g', sensitive := 's', l := 1.5, result := 'individuals', "
        "allow_identifying := 'g'",
        "select g, count(*) from result_of_call group by g",
        "select g, count(*) from typed group by g",
    ),
    Role("respondent", "identifying_pairs", "respondent := 'c', qi := ['g', 's']"),
    Role("respondent", "suggest_roles", "respondent := 'c'"),
    Role(
        "respondent", "population_uniques", "respondent := 'c', qi := 'g', sampling_fraction := 0.5"
    ),
    Role(
        "respondent",
        "series_from_rows",
        "series_id := 'c', ts := 'd', value := 'w', granularity := 'day', fill := 0",
        "select c::varchar, len(series) from result_of_call",
        "select c::varchar, 4 from typed group by c",
    ),
    # Quasi-identifiers.
    Role(
        "quasi-identifier",
        "frequency_set",
        "respondent := 'u', qi := 'c'",
        "select c::varchar, frequency, tuples from result_of_call",
        _counted(f"{PEOPLE}, count(*)"),
    ),
    Role(
        "quasi-identifier",
        "k_anonymity",
        "respondent := 'u', qi := 'c'",
        "select groups, gen_m, gen_s from result_of_call",
        _SIZES,
    ),
    Role(
        "quasi-identifier",
        "k_anonymity_violations",
        "respondent := 'u', qi := 'c', k := 1000",
        "select c::varchar, frequency, tuples from result_of_call",
        _counted(f"{PEOPLE}, count(*)"),
    ),
    Role(
        "quasi-identifier",
        "publish_events",
        _PUBLISHED,
        "select min(c::varchar), count(*) from result_of_call group by c",
        _counted("count(*)"),
    ),
    Role(
        "quasi-identifier",
        "publish_events",
        f"{_PUBLISHED}, suppression := 'cells', remainder := true",
        "select sum(stands_for) from result_of_call",
        "select count(*) from typed",
    ),
    Role(
        "quasi-identifier",
        "publish_events",
        f"{_PUBLISHED}, sensitive := 's', "
        "limits := {'distinct_l': 2}, ts := 'd', granularities := ['year']",
        "select count(*) from result_of_call",
        "select coalesce(sum(n), 0) from (select count(*) as n from typed group by c "
        "having count(distinct s) > 1)",
    ),
    Role(
        "quasi-identifier",
        "publish_events",
        f"{_PUBLISHED}, result := 'summary'",
        "select groups, gen_m, gen_s from result_of_call",
        _SIZES,
    ),
    Role(
        "quasi-identifier",
        "publish_events",
        "respondent := 'u', qi := ['c', 's'], k := 5, max_suppression := 0.99, result := "
        "'suppressed'",
        "select c::varchar, s, frequency, tuples from result_of_call",
        f"select c::varchar, s, {PEOPLE}, count(*) from typed group by c, s having {PEOPLE} < 5",
    ),
    Role(
        "quasi-identifier",
        "tune_events",
        "respondent := 'u', qi := 'c', k := [2], queries := 1",
        "select groups, gen_m from result_of_call",
        _SIZES.replace(", sum(n)", "", 1),
    ),
    Role(
        "quasi-identifier",
        "granularity_metrics",
        "respondent := 'u', qi := 'c', ts := 'd', granularities := ['year'], k := 2",
        "select groups, gen_m, gen_s from result_of_call",
        _SIZES,
    ),
    Role(
        "quasi-identifier",
        "risk_by_granularity",
        "respondent := 'u', qi := 'c'",
        "select respondents, groups from result_of_call",
        "select (select count(distinct u) from typed), count(*) from (select c from "
        "typed group by c)",
    ),
    Role(
        "quasi-identifier",
        "identifying_pairs",
        "respondent := 'u', qi := ['c', 'g']",
        "select combinations from result_of_call where second_column is not null",
        "select count(*) from (select c, g from typed group by c, g)",
    ),
    Role(
        "quasi-identifier",
        "publish_events",
        f"{_PUBLISHED}, keep := ['s'], result := 'attacks'",
    ),
    Role(
        "quasi-identifier",
        "publish_events",
        f"{_PUBLISHED}, keep := ['s'], result := 'warnings'",
    ),
    Role(
        "quasi-identifier",
        "publish_events",
        f"{_PUBLISHED}, keep := ['s'], result := 'columns'",
    ),
    Role("quasi-identifier", "report_events", f"{_PUBLISHED}, keep := ['s'], queries := 3"),
    Role(
        "quasi-identifier",
        "diversity_metrics",
        "groups := 'c', sensitive := 's'",
        "select groups, distinct_l from result_of_call",
        "select count(*), min(n) from (select count(distinct s) as n from typed group by c)",
    ),
    Role(
        "quasi-identifier",
        "l_diversity_violations",
        "groups := 'c', sensitive := 's', l := 100",
        "select c::varchar, records from result_of_call",
        _counted("count(*)"),
    ),
    Role(
        "quasi-identifier",
        "publish_table_pair",
        "qi := 'c', sensitive := 's', l := 2, rows_are_persons := true, "
        "result := 'individuals', allow_identifying := 'c'",
        "select min(c::varchar), count(*) from result_of_call group by c",
        _counted("count(*)"),
    ),
    Role(
        "quasi-identifier",
        "report_table_pair",
        "qi := 'c', sensitive := 's', l := 2, rows_are_persons := true, allow_identifying := 'c'",
    ),
    Role(
        "quasi-identifier",
        "dominated_total_violations",
        "respondent := 'u', qi := 'c', value := 'w', share := 0.001",
        "select c::varchar, respondents, total from result_of_call",
        _counted(f"{PEOPLE}, sum(w)"),
    ),
    Role(
        "quasi-identifier",
        "check_release",
        "qi := 'c', k := 2",
        "select bool_and(holds) from result_of_call where property <> 'columns'",
        "select min(n) > 1 from (select count(*) as n from typed group by c)",
    ),
    Role(
        "quasi-identifier",
        "evaluate_events",
        "source := 'typed', qi := 'c', queries := 3",
        "select sum(queries) from result_of_call where selectivity <> 'all'",
        "select 3",
    ),
    # The population.
    Role(
        "population",
        "presence_metrics",
        "respondent := 'u', qi := 'c', population := 'typed'",
        "select groups, k_map from result_of_call",
        # By value and by text.
        "select count(*), min(n) from (select count(distinct u) as n from typed "
        "group by hash(c), cast(c as varchar))",
    ),
    Role(
        "population",
        "publish_events",
        f"{_PUBLISHED}, population := 'typed', presence := {{'k_map': 2}}",
        "select min(c::varchar), count(*) from result_of_call group by c",
        _counted("count(*)"),
    ),
    Role(
        "population", "risk_by_granularity", "respondent := 'u', qi := 'c', population := 'typed'"
    ),
    # The sensitive column.
    Role(
        "sensitive",
        "diversity_metrics",
        "groups := 'g', sensitive := 'c'",
        "select groups, distinct_l from result_of_call",
        "select count(*), min(n) from (select count(*) as n from (select distinct g, c from typed) "
        "group by g)",
    ),
    Role(
        "sensitive",
        "publish_events",
        "respondent := 'u', qi := 'g', k := 2, sensitive := 'c', "
        "limits := {'distinct_l': 2}, max_suppression := 0.9",
        "select g, count(*) from result_of_call group by g",
        "select g, sum(n)::bigint from (select g, c, count(*) as n from typed group by g, c) "
        "group by g having count(*) > 1",
    ),
    Role(
        "sensitive",
        "publish_table_pair",
        "qi := 'g', sensitive := 'c', l := 2, rows_are_persons := true, result := 'values', "
        "allow_identifying := 'g'",
        "select min(c::varchar), sum(records) from result_of_call group by c",
        _counted("count(*)"),
    ),
    Role(
        "sensitive",
        "diverse_groups",
        "sensitive := 'c', l := 2, rows_are_persons := true",
        "select min(c::varchar), count(*) from result_of_call group by c",
        _counted("count(*)"),
    ),
    Role(
        "sensitive",
        "l_eligibility",
        "ts := 'd', sensitive := 'c', l := 2",
        "select d, records, level from result_of_call",
        "select d, sum(n)::bigint, max(n) from (select d, c, count(*) as n from typed "
        "group by d, c) group by d",
    ),
    Role(
        "sensitive",
        "l_diversity_violations",
        "groups := 'g', sensitive := 'c', l := 100",
        "select g, records, level from result_of_call",
        "select g, sum(n)::bigint, max(n) from (select g, c, count(*) as n from typed "
        "group by g, c) group by g",
    ),
    Role(
        "sensitive",
        "publish_stream",
        "ts := 'd', sensitive := 'c', l := 2, rows_are_persons := true, w := 2, for_owner := true",
        "select min(c::varchar), count(*) from result_of_call group by c",
        _counted("count(*)"),
    ),
    Role(
        "sensitive",
        "publish_stream",
        "ts := 'd', sensitive := 'c', l := 2, rows_are_persons := true, w := 2, result := 'plan'",
        "select min(c::varchar), sum(records) from result_of_call group by c",
        _counted("count(*)"),
    ),
    Role(
        "sensitive",
        "report_stream",
        "ts := 'd', sensitive := 'c', l := 2, rows_are_persons := true, w := 2",
    ),
    Role(
        "sensitive",
        "check_release",
        "qi := 'g', sensitive := 'c', distinct_l := 2",
        "select bool_and(holds) from result_of_call where property <> 'columns'",
        "select min(n) > 1 from (select count(*) as n from (select distinct g, c from typed) "
        "group by g)",
    ),
    Role(
        "sensitive",
        "publish_series_ranges",
        "series_id := 'u', series := 'series', k := 3, sensitive := 'c', allow_identifying := 'c'",
        "select min(c::varchar), count(*) from result_of_call group by c",
        _counted("count(*)"),
    ),
    # The time.
    Role(
        "time",
        "frequency_set",
        "respondent := 'u', qi := 'g', ts := 'c', granularity := 'year' {tz}",
        "select g, sum(tuples)::bigint from result_of_call group by g",
        "select g, count(*) from typed group by g",
    ),
    Role(
        "time",
        "frequency_set",
        "respondent := 'u', qi := 'g', ts := 'c' {tz}",
        "select g, frequency, tuples from result_of_call",
        f"select g, {PEOPLE}, count(*) from typed group by g, c",
    ),
    Role(
        "time",
        "publish_events",
        "respondent := 'u', qi := 'g', ts := 'c', "
        "granularities := ['day', 'decade'], k := 2, max_suppression := 0.9 {tz}",
        "select count(*) from result_of_call",
        "select count(*) from typed",
    ),
    Role(
        "time",
        "generalize",
        "ts := 'c', granularity := 'month' {tz}",
        "select count(*) from result_of_call",
        "select count(*) from typed",
    ),
    Role(
        "time",
        "risk_by_granularity",
        "respondent := 'u', qi := 'g', ts := 'c', granularities := ['year'] {tz}",
    ),
    Role(
        "time",
        "l_eligibility",
        "ts := 'c', sensitive := 's', l := 2, granularity := {width}",
        "select sum(records) from result_of_call",
        "select count(*) from typed",
    ),
    Role(
        "time",
        "publish_stream",
        "ts := 'c', sensitive := 's', l := 1.5, rows_are_persons := true, w := 2, "
        "granularity := {width}, for_owner := true",
        "select s, count(*) from result_of_call group by s",
        "select s, count(*) from typed group by s",
    ),
    Role(
        "time",
        "series_from_rows",
        "series_id := 'g', ts := 'c', value := 'w', granularity := 'day', fill := 'linear'",
        "select count(*) from result_of_call",
        "select count(distinct g) from typed",
    ),
    Role("time", "date_hierarchy", "attribute := 'c', granularities := ['year', 'decade'] {tz}"),
    # Items and transactions.
    Role(
        "item",
        "frequent_itemsets",
        "transaction := 'u', item := 'c', min_support := 1, max_length := 1",
        SAME_ITEMS,
        f"select c::varchar, {PEOPLE} from {{items}} group by c",
    ),
    Role(
        "item",
        "publish_itemsets",
        "transaction := 'u', item := 'c', min_support := 2, k := 2",
    ),
    Role(
        "item",
        "frequent_itemsets",
        "transaction := 'u', item := 'c', min_support := 2, result := 'closed'",
    ),
    Role(
        "list element",
        "frequent_itemsets",
        "source := '(select u, list_distinct(list(c)) as c from typed "
        "where c is not null group by u)', "
        "transaction := 'u', item := 'c', min_support := 1, max_length := 1",
        SAME_ITEMS,
        _counted(PEOPLE),
    ),
    Role(
        "transaction",
        "frequent_itemsets",
        "transaction := 'c', item := 's', min_support := 1",
        "select itemset[1], support from result_of_call where len(itemset) = 1",
        "select s, count(distinct c) from typed group by s",
    ),
    # Columns that are kept.
    Role(
        "keep",
        "publish_events",
        "respondent := 'u', qi := 'g', k := 2, keep := 'c', allow_identifying := 'c'",
        "select min(c::varchar), count(*) from result_of_call group by c",
        _counted("count(*)"),
    ),
    Role(
        "keep",
        "publish_stream",
        "ts := 'd', sensitive := 's', l := 1.5, rows_are_persons := true, w := 2, keep := 'c'",
        "select sum(n) = (select count(*) from result_of_call) from (select count(*) as n "
        "from result_of_call group by c)",
        "select true",
    ),
    Role(
        "keep",
        "check_release",
        "qi := 'g', keep := 'c', k := 2",
        "select bool_and(holds) from result_of_call where property <> 'columns'",
        "select true",
    ),
    # Columns that are generalized by a hierarchy.
    Role(
        "hierarchy",
        "list_hierarchy",
        "attribute := 'c'",
        "select count(*) from result_of_call where level = 1",
        "select count(distinct c::varchar) from typed",
    ),
    Role("hierarchy", "prefix_hierarchy", "attribute := 'c', lengths := [2, 1]"),
    Role("hierarchy", "interval_hierarchy", "attribute := 'c', widths := [5, 10]"),
    Role("hierarchy", "quantile_hierarchy", "attribute := 'c', bins := [4, 2]"),
    Role(
        "hierarchy",
        "parent_hierarchy",
        "attribute := 'c', child := 'c', levels := ['p'], "
        "parents := '(select distinct c, ''p'' as p from typed)'",
    ),
    Role(
        "hierarchy",
        "publish_events",
        f"respondent := 'u', qi := 'c', k := 2, hierarchies := {HIERARCHY}, levels := {{'c': 1}}",
        "select c, count(*) from result_of_call group by c",
        "select '*', count(*) from typed",
    ),
    Role(
        "hierarchy",
        "publish_events",
        f"respondent := 'u', qi := 'c', k := 2, hierarchies := {HIERARCHY}, max_suppression := 0.9",
    ),
    # Any column of a table.
    Role(
        "table", "row_digest", "", "select rows from result_of_call", "select count(*) from typed"
    ),
    Role("table", "safe_harbor_violations", ""),
    Role("table", "safe_harbor_violations", "ages := 'c'"),
    Role("table", "safe_harbor_violations", "zips := 'c'"),
    Role("table", "roles", ""),
    Role(
        "value",
        "dominated_total_violations",
        "respondent := 'u', qi := 'g', value := 'c', share := 0.001",
    ),
    Role(
        "value",
        "series_from_rows",
        "series_id := 'g', ts := 'd', value := 'c', granularity := 'day'",
    ),
    Role("value", "population_uniques", "respondent := 'u', qi := 'g', weight := 'c'"),
    Role("value", "publish_series", "series_id := 'u', series := 'c', k := 4, p := 2"),
]
