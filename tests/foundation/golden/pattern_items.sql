with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "published")
    union all by name select null::VARCHAR as word, null::INTEGER as level where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.pattern_items: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.pattern_items: release must be a table, a view or a query in parentheses with columns word, level'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['word', 'level']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_release)
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
)
-- sql/functions/itemsets/pattern_items.sql
select
    row_number() over (order by word asc nulls last, level asc nulls last) as transaction,
    [
        {'position': tanon_at::integer, 'letter': word[tanon_at], 'level': level::integer}
        for tanon_at in range(1, len(word) + 1)
        if word[tanon_at] <> '.'
    ] as item
from tanon_release
where word is not null
