"""Settings of DuckDB change no result: the same rows, or a refusal that names the function."""

import os
import random
import re

import duckdb
import pytest
from drawn import is_long
from every_function.examples import EXAMPLES, answer_of, example

import tanon_duck
from tanon_duck import demo, quoting
from tanon_duck.quoting import literal

SEED = int(os.environ.get("TANON_TEST_SEED", "27"))
DRAWN = 2  # of the settings below, for each function; a long run tries all

# What could change a result, and the values that are tried.
COULD = {
    "Calendar": ["japanese", "buddhist"],
    "TimeZone": ["Asia/Kathmandu", "America/St_Johns"],
    "approximate_join_order_threshold": ["1"],
    "arrow_large_buffer_size": ["true"],
    "arrow_lossless_conversion": ["true"],
    "arrow_output_list_view": ["true"],
    "arrow_output_version": ["1.5"],
    "asof_loop_join_threshold": ["0"],
    "binary_as_string": ["true"],
    "default_collation": ["nocase", "nocase.noaccent"],
    "default_null_order": ["nulls_first", "nulls_first_on_asc_last_on_desc"],
    "default_order": ["desc"],
    "delim_join_as_cte": ["false"],
    "dialect_compatibility_mode": ["spark"],
    "disable_timestamptz_casts": ["true"],
    "disabled_optimizers": [
        "common_subexpressions,expression_rewriter,filter_pushdown,statistics_propagation",
        "cte_inlining,deliminator,join_order,materialized_cte,unused_columns",
    ],
    "dynamic_or_filter_threshold": ["0"],
    "enable_fsst_vectors": ["true"],
    "enable_macro_dependencies": ["true"],
    "enable_optimizer": ["false"],
    "enable_view_dependencies": ["true"],
    "error_on_division_by_zero": ["false"],
    "errors_as_json": ["true"],
    "ieee_floating_point_ops": ["false"],
    "immediate_transaction_mode": ["true"],
    "index_scan_max_count": ["0"],
    "index_scan_percentage": ["1"],
    "integer_division": ["true"],
    "json_geometry_format": ["geojson"],
    "late_materialization_max_rows": ["0"],
    "legacy_disable_null_type": ["true"],
    "merge_join_threshold": ["0"],
    "nested_loop_join_threshold": ["0"],
    "null_order": ["nulls_first"],
    "order_by_non_integer_literal": ["true"],
    "ordered_aggregate_threshold": ["1"],
    "pandas_analyze_sample": ["0"],
    "perfect_ht_threshold": ["0"],
    "pivot_filter_threshold": ["0"],
    "prefer_range_joins": ["true"],
    "preserve_identifier_case": ["lowercase", "uppercase"],
    "preserve_insertion_order": ["false"],
    "python_enable_replacements": ["false"],
    "python_scan_all_frames": ["true"],
    "regex_match_operator_semantics": ["full"],
    "scalar_subquery_error_on_multiple_rows": ["false"],
    "scheduler_process_partial": ["true"],
    "show_behavior": ["SETTING"],
    "table_function_identifier_conversion": ["ENABLE_IMPLICIT_STRING"],
    "threads": ["4"],
    "variant_minimum_shredding_size": ["0"],
}

# Where data are kept, how much memory may be used, what is logged, what may be loaded, and what
# cannot be set while a database is open: they change no row of a query that ends.
HARMLESS_NAMES = """
access_mode active_grammar_extensions allocator_background_threads
allocator_bulk_deallocation_flush_threshold allocator_flush_threshold allow_community_extensions
allow_extension_repositories allow_extensions_metadata_mismatch allow_parser_override_extension
allow_persistent_secrets allow_unredacted_secrets allow_unsigned_extensions allowed_configs
allowed_directories allowed_paths async_threads auto_checkpoint_skip_wal_threshold
autoinstall_extension_repository autoinstall_known_extensions autoload_known_extensions
block_allocator_memory cache_local_files catalog_error_max_schemas checkpoint_on_detach
checkpoint_threshold current_dialect current_transaction_invalidation_policy
custom_extension_repository custom_user_agent debug_checkpoint_scan_sleep_ms default_block_size
default_secret_storage default_transaction_invalidation_policy disable_database_invalidation
disable_parquet_prefetching disabled_compression_methods disabled_filesystems disabled_log_types
duckdb_api enable_external_access enable_external_file_cache enable_geoparquet_conversion
enable_http_metadata_cache enable_logging enable_optimistic_write enable_profiling
enable_progress_bar enable_progress_bar_print enabled_log_types experimental_metadata_reuse
explain_output extension_directories extension_repository_directory
external_file_cache_local_max_block_size external_file_cache_remote_max_block_size
external_file_cache_remote_min_block_size external_file_cache_request_sizing
external_file_cache_spill external_threads file_search_path force_column_metadata_reuse
force_compression fsync_mode geometry_minimum_shredding_size home_directory
http_client_pool_capacity http_proxy http_proxy_password http_proxy_username ignore_unknown_crs
initial_column_segment_size lock_configuration log_query_path logging_level logging_mode
logging_storage max_execution_time max_expression_depth max_memory max_streaming_buffer_size
max_temp_directory_size max_vacuum_tasks memory_limit operator_memory_limit
parquet_metadata_cache parquet_prefetch_column_gap partitioned_write_flush_threshold
partitioned_write_max_open_files password pin_threads pivot_limit prefetch_all_parquet_files
profile_output profiling_coverage profiling_output profiling_renderer_settings progress_bar_time
read_ahead_depth redact_http_logs schema search_path secret_directory standard_vector_size
storage_block_prefetch storage_compatibility_version streaming_buffer_size temp_directory
temp_file_encryption tracked_metrics user username validate_external_file_cache
wal_autocheckpoint wal_autocheckpoint_entries warnings_as_errors worker_threads
write_buffer_row_group_count write_buffer_row_group_memory_limit zstd_min_string_length
"""
HARMLESS = set(HARMLESS_NAMES.split())
VALUES = [(name, value) for name, values in COULD.items() for value in values]
# The examples as they are read, with a time zone where the table below has one.
ZONED = ("visits", "cases")


def whole(name):
    """The example without its last ORDER BY and LIMIT; an order within it gets directions."""
    sql, depth = example(name), 0
    for token in quoting.tokens(sql):
        depth += (token[0] in "([{") - (token[0] in ")]}")
        if depth == 0 and token[0].lower() in ("order", "limit"):
            sql = sql[: token.start()]
            break
    sql = re.sub(r"\border by all\b", "order by all asc nulls last", sql)
    results = {result.name for result in answer_of(name).columns}
    return f"select * exclude (seconds) from ({sql})" if "seconds" in results else sql


def found(con, sql):
    """The rows as a multiset, or the first line of the error."""
    try:
        return sorted(map(repr, con.execute(sql).fetchall()))
    except duckdb.Error as error:
        return str(error).split("\n")[0]


def set_to(con, name, value):
    con.execute(f"set {name} = {literal(value)}")


def set_back(con, name, value):
    con.execute(f"set {name} = {literal(value)}" if value else f"reset {name}")


def value_of(con, name):
    ((value,),) = con.execute(
        "select value from duckdb_settings() where lower(name) = lower($name)", {"name": name}
    ).fetchall()
    return value


def many_rows(con):
    """The demo's tables; each series, and its row of the release, three times."""
    demo.create_tables(con)
    copies = "unnest(range(3)) as copies(i)"
    con.execute(
        "create or replace table incomes as select name || ['', ' b', ' c'][1 + i] as name, "
        f"incomes, charity + 1000 * i as charity from incomes, {copies}"
    )
    con.execute(
        "create or replace table published_incomes as "
        f"select p.* replace (charity + 1000 * i as charity) from published_incomes as p, {copies}"
    )


@pytest.fixture(scope="module")
def tables():
    with tanon_duck.connect() as con:
        many_rows(con)
        for table in (*ZONED, "incomes", "published_incomes"):
            assert con.execute(f"select count(*) from {table}").fetchall()[0][0] >= 300
        yield con


def is_fine(name, plain, under):
    """The same rows, or a refusal of a function that the user called."""
    if under == plain:
        return True
    refusal = re.match(r"(?:\w+ )+Error: tanon\.(\w+): the setting \w+ must be ", str(under))
    return refusal is not None and f"tanon.{refusal[1]}(" in example(name)


def drawn(name):
    if is_long():
        return VALUES
    return random.Random(f"{SEED} {name}").sample(VALUES, DRAWN)


@pytest.mark.sweep
@pytest.mark.parametrize("name", EXAMPLES)
def test_no_setting_changes_the_example(tables, name):
    sql = whole(name)
    plain, wrong = found(tables, sql), {}
    assert not isinstance(plain, str), plain
    for setting, value in drawn(name):
        before = value_of(tables, setting)
        set_to(tables, setting, value)
        try:
            under = found(tables, sql)
        finally:
            set_back(tables, setting, before)
        if not is_fine(name, plain, under):
            wrong[setting, value] = under if isinstance(under, str) else len(under)
    assert wrong == {}


def test_every_setting_of_duckdb_is_in_a_list(con):
    known = {name for (name,) in con.execute("select name from duckdb_settings()").fetchall()}
    assert known - HARMLESS == set(COULD)
    assert HARMLESS - known == set()


# The worst of what was found once: each function on each of these settings is tried always.
ORDERED = [
    "frequent_itemsets",
    "granularity_metrics",
    "publish_series_ranges",
    "publish_series",
    "publish_events",
    "quantile_hierarchy",
    "publish_stream",
    "row_digest",
]


@pytest.mark.parametrize("name", ORDERED)
@pytest.mark.parametrize(
    ("setting", "value"), [("default_order", "desc"), ("default_null_order", "nulls_first")]
)
def test_no_default_order_decides(tables, name, setting, value):
    plain = found(tables, whole(name))
    before = value_of(tables, setting)
    set_to(tables, setting, value)
    try:
        assert found(tables, whole(name)) == plain
    finally:
        set_back(tables, setting, before)


def test_released_ranges_hold_their_rows_under_any_default_order(con):
    """The reproduction: 295 of 300 rows lay outside the ranges that they were given."""
    con.execute(
        "create table ser as select i as id, "
        "list_transform(range(6), lambda j: (hash(i * 41 + j) % 1000)::double) as s "
        "from range(300) t(i)"
    )
    con.execute("set default_order = 'desc'")
    con.execute(
        "create table r as from tanon.publish_series('ser', series_id := 'id', series := 's', k "
        ":= 6, "
        "p := 2, for_owner := true)"
    )
    outside = con.execute(
        "select count(*) from r join ser using (id) where exists (select 1 from "
        "(select unnest(s) v, unnest(low) l, unnest(high) h) where v < l or v > h)"
    )
    assert outside.fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("default_order", "desc"),
        ("default_null_order", "nulls_first"),
        ("ieee_floating_point_ops", "false"),
        ("preserve_insertion_order", "false"),
        ("regex_match_operator_semantics", "full"),
    ],
)
def test_set_before_the_tables_are_made(tables, setting, value):
    names = random.Random(f"{SEED} {setting}").sample(ORDERED, 3)
    with tanon_duck.connect(config={setting: value}) as con:
        many_rows(con)
        for name in names:
            assert found(con, whole(name)) == found(tables, whole(name)), name


@pytest.mark.parametrize("setting", ["TimeZone", "Calendar"])
def test_times_with_zone_are_the_same_instants(con, setting):
    """What the caller's tz says decides, not the session's zone; another calendar is refused."""
    con.execute("set timezone = 'UTC'")
    demo.create_tables(con)
    con.execute(
        "create or replace table visits as select * replace (admitted::timestamptz as admitted) "
        "from visits"
    )
    calls = [
        "from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], "
        "ts := 'admitted', granularities := ['week', 'month', 'quarter'], k := 5, "
        "tz := 'Europe/Zurich')",
        "select tanon.granule_label(admitted, 'week', tz := 'Europe/Zurich') from visits",
        "from tanon.granularity_metrics('visits', respondent := 'patient', qi := ['sex'], "
        "ts := 'admitted', granularities := ['day', 'week', 'month'], k := 2, "
        "tz := 'Europe/Zurich')",
        "from tanon.row_digest('visits')",
        "select * exclude (admitted) from tanon.diverse_groups('visits', respondent := 'patient', "
        "sensitive := 'diagnosis', l := 2)",
    ]
    plain = [found(con, call) for call in calls]
    assert [rows for rows in plain if isinstance(rows, str)] == []
    set_to(con, setting, {"TimeZone": "Asia/Kathmandu", "Calendar": "japanese"}[setting])
    for call, wanted in zip(calls, plain, strict=True):
        under = found(con, call)
        refused = isinstance(under, str) and "the setting Calendar must be gregorian" in under
        assert under == wanted or (setting == "Calendar" and refused), call


def test_an_attack_without_a_target_divides_by_nothing(con):
    con.execute("create table t as select i as u, i % 5 as q from range(300) t(i)")
    call = (
        "from tanon.publish_events('t', respondent := 'u', qi := ['q'], k := 5, result := "
        "'attacks')"
    )
    plain = found(con, call)
    con.execute("set ieee_floating_point_ops = false")
    assert found(con, call) == plain
