with
-- the argument published: tanon_duck/macros/sources.py
tanon_given_published as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "published")
    union all by name select null::VARCHAR as pr, null::INTEGER as level where false
),
-- the argument published: tanon_duck/macros/sources.py
tanon_columns_of_published as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.pattern_items: published must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published")
),
-- the argument published: tanon_duck/macros/sources.py
tanon_published_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.pattern_items: published must be a table, a view or a query in parentheses with columns pr, level'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['pr', 'level']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_published)
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument published: tanon_duck/macros/sources.py
tanon_published as not materialized (
    from tanon_given_published where (select fine from tanon_published_is_fine)
)
-- sql/functions/itemsets/pattern_items.sql
select
    row_number() over (order by pr asc nulls last, level asc nulls last) as tid,
    [
        {'position': tanon_at::integer, 'letter': pr[tanon_at], 'level': level::integer}
        for tanon_at in range(1, len(pr) + 1)
        if pr[tanon_at] <> '.'
    ] as item
from tanon_published
where pr is not null
