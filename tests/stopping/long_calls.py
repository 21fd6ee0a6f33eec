"""Calls that are long in Python, by the Python function that they spend the time in."""

TABLES = """
create table items as
    select i as transaction, unnest([j for j in range(26) if hash(i * 41 + j) % 10 < 6]) as item
    from range(20000) t(i);
create table series as
    select i as id, [(hash(i * 50 + j) % 100000) / 1000.0 for j in range(20)] as s, i % 50 as sec
    from range(60000) t(i);
create table records as
    select i as id, timestamp '2020-01-01' + interval (i // 40) minute as ts,
        'v' || (hash(i) % 30) as sensitive
    from range(200000) t(i);
"""
RELEASES = """
create table mined as from tanon.frequent_itemsets('items', 'transaction', 'item', 600);
create table owned as
    from tanon.publish_series('series', 'id', 's', 10, 2, sensitive := 'sec', for_owner := true);
create table published as select low, high, word, level, sec from owned;
create table customized as
    from tanon.publish_series_parts('published', range(1, 16), range(5, 21));
"""
_PLACES = "'(select id % 50000 as place, sensitive from records)'"
_NEAR = (
    "'(select i::varchar as value, j::varchar as replacement "
    "from range(50) t(i), range(50) u(j) where i <> j)'"
)
_SETS = "list({'codes': list_transform(itemset, lambda i: (i + 1)::integer), 'support': support})"
CALLS = {
    "count_queries": f"from tanon.evaluate_events({_PLACES}, {_PLACES}, "
    "qi := ['place', 'sensitive'], queries := 20000)",
    "deal_records": "from tanon.diverse_groups('(select hash(id) % 5000 as person, sensitive from "
    "records)', "
    "sensitive := 'sensitive', l := 10, respondent := 'person')",
    "derive_rules": "from tanon.association_rules('mined', min_confidence := 0.1)",
    "diversify": "from tanon.publish_perturbed_series('published', 'sec', 2, epsilon := 30)",
    "draw_places": "from tanon.publish_stream('(select * from records, range(10))', 'ts', "
    "'sensitive', "
    "3, 50, "
    "granularity := 'minute', rows_are_persons := true)",
    "estimate_cells": "select max(_tanon_estimate_cells(low, high, word, level, [], 'ranges')."
    "answer.consistent) from customized, range(20)",
    "estimate_uniques": "select _tanon_estimate_uniques(s, list_reverse(s), 0.1) "
    "from (select range(1, 300000)::double[] as s)",
    "evaluate_workload": "from tanon.evaluate_series('owned', 'series', 'id', 's', "
    "queries := 20000)",
    "find_channels": "from tanon.inference_channels('items', 'transaction', 'item', 50, k := 10)",
    "k_groups": "from tanon.publish_series_ranges('series', 'id', 's', 10)",
    "kp_groups": "from tanon.publish_series('series', 'id', 's', 10, 3, split := 'sequential')",
    "merge_parts": "select len(_tanon_merge_parts({'function': 'tanon.frequent_itemsets', "
    f"'sought': 'closed', 'sets': {_SETS}, 'codes': range(1, 27)::integer[], 'n_rows': 20000, "
    "'min_count': 600, 'max_length': null}).answer) from mined where len(itemset) > 0",
    "mine_itemsets": "from tanon.frequent_itemsets('items', 'transaction', 'item', 50)",
    "mine_part": "select len(_tanon_mine_part({'function': 'tanon.frequent_itemsets', 'sought': "
    "'frequent', 'ranks': list(ranks), 'copies': list(1), 'first': 0, 'own': 40, 'is_common': "
    "false, 'min_count': 50, 'max_length': null}).answer) from (select list(distinct item::integer "
    "order by item::integer) as ranks from items group by transaction)",
    "pattern_loss": "select max(tanon.series_pattern_loss(s, repeat('ab', 10), 3)) "
    "from series, range(300)",
    "read_channels": "from tanon.itemset_violations('mined', k := 50)",
    "replace_values": "from tanon.publish_perturbed_series('(select * replace (sec::varchar as "
    "sec) from "
    f"published)', 'sec', 2, replacements := {_NEAR})",
    "reposition": "from tanon.publish_stream('records', 'ts', 'sensitive', 3, 50, granularity := "
    "'minute', "
    "method := 'window', rows_are_persons := true)",
    "sanitize": "from tanon.publish_itemsets('items', 'transaction', 'item', 50, k := 10)",
    "sanitize_collection": "select len(_tanon_sanitize_collection({'function': "
    f"'tanon.publish_itemsets', 'sets': {_SETS}, 'texts': range(26)::varchar[]}}, 20000, 10, "
    "false, null).answer['itemsets']) from mined",
    "sax": "select max(tanon.sax(s, 5, 7)) from series, range(300)",
    "sax_series": "select max(tanon.sax_series(repeat('ab', 8 + (id % 4)::int), 20)) "
    "from series, range(300)",
    "summarize_sanitization": "from tanon.publish_itemsets('items', 'transaction', 'item', 50, k "
    ":= 10, "
    "result := 'summary')",
    "try_settings": "from tanon.tune_series('series', 'id', 's', [10], [3])",
    "words_at_levels": "from tanon.series_breach('published', 'series', 'id', 's', sensitive := "
    "'sec')",
    "z_normalize": "select max(tanon.z_normalize(s)) from series, range(300)",
}
# They read a word, a number, a comment or one call: short for as much as memory holds.
SHORT = {"any_roles", "declared_roles", "held_secret", "minimum_count", "text_of"}
