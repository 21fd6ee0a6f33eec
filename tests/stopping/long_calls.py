"""Calls that take many seconds in Python, by the Python function that they spend them in."""

TABLES = """
create table items as
    select i as tid, unnest([j for j in range(26) if hash(i * 41 + j) % 10 < 6]) as item
    from range(20000) t(i);
create table series as
    select i as id, [(hash(i * 50 + j) % 100000) / 1000.0 for j in range(20)] as s, i % 50 as sec
    from range(60000) t(i);
create table records as
    select i as id, timestamp '2020-01-01' + interval (i // 40) minute as ts,
        'v' || (hash(i) % 30) as sa
    from range(200000) t(i);
"""
_PLACES = "'(select id % 50000 as place, sa from records)'"
CALLS = {
    "count_queries": f"from tanon.evaluate_k_anonymous({_PLACES}, {_PLACES}, "
    "qi := ['place', 'sa'], queries := 20000)",
    "mine_itemsets": "from tanon.frequent_itemsets('items', 'tid', 'item', 50)",
    "find_channels": "from tanon.inference_channels('items', 'tid', 'item', 50, k := 10)",
    "sanitize": "from tanon.sanitize_itemsets('items', 'tid', 'item', 50, k := 10)",
    "summarize_sanitization": "from tanon.sanitize_summary('items', 'tid', 'item', 50, k := 10)",
    "mine_part": "select len(_tanon_mine_part({'function': 'tanon.frequent_itemsets', 'sought': "
    "'frequent', 'ranks': list(ranks), 'copies': list(1), 'first': 0, 'own': 40, 'is_common': "
    "false, 'min_count': 50, 'max_length': null})) from (select list(distinct item::integer "
    "order by item::integer) as ranks from items group by tid)",
    "kp_groups": "from tanon.kp_anonymize('series', 'id', 's', 10, 3, split := 'sequential')",
    "k_groups": "from tanon.k_anonymize_series('series', 'id', 's', 10)",
    "try_settings": "from tanon.tune('series', 'id', 's', [10], [3])",
    "reposition": "from tanon.reposition('records', 'ts', 'sa', 3, 50, granularity := 'minute', "
    "method := 'window')",
}
# Called for some thousands of rows at once, or quick for as much as memory holds.
SHORT = {
    "any_roles",
    "text_of",
    "declared_roles",
    "derive_rules",
    "diversify",
    "draw_places",
    "estimate_cells",
    "estimate_uniques",
    "evaluate_workload",
    "held_secret",
    "merge_parts",
    "minimum_count",
    "pattern_loss",
    "read_channels",
    "replace_values",
    "sanitize_collection",
    "sax",
    "sax_series",
    "words_at_levels",
    "z_normalize",
}
