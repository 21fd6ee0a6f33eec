with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select name, low, high, word, level
      from incomes join published_incomes using (charity)))
    union all by name select null::DOUBLE[] as low, null::DOUBLE[] as high, null::VARCHAR as word, null::INTEGER as level, null as "name" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.series_loss: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select name, low, high, word, level
      from incomes join published_incomes using (charity)))
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.series_loss: release must be a table, a view or a query in parentheses with columns low, high, word, level'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['low', 'high', 'word', 'level']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_release)
        having count(*) > 0),
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_release, (values
                (0, 'name', 'name', 'tanon.series_loss: series_id must be a column of release', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.series_loss: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
        from tanon_given_release where "name" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select name, incomes as yearly from incomes))
    union all by name select null as "name", null as "yearly" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.series_loss: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select name, incomes as yearly from incomes))
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_source, (values
                (0, 'name', 'name', 'tanon.series_loss: series_id must be a column of source', '', ''),
                (1000001, 'yearly', 'yearly',
                    'tanon.series_loss: series must be columns of source, none twice, each a column of lists of numbers or a numeric column',
                    '(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\))\[\d*\]|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.series_loss: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
        from tanon_given_source where "name" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/kp/series_loss.sql
tanon_series_rows as (
    select "name" as tanon_id,
        tanon._exact('tanon.series_loss', typeof("yearly"), tanon._readings("yearly"))
     as tanon_values from tanon_source
),
-- sql/functions/kp/series_loss.sql
tanon_rows_published as (
    select "name" as tanon_id, count(*) as tanon_rows from tanon_release group by "name"
),
-- sql/functions/kp/series_loss.sql
tanon_rows_known as (
    select count(*) as tanon_known, count(*) filter (tanon_rows > 1) as tanon_repeated
    from tanon_rows_published semi join tanon_series_rows using (tanon_id)
),
-- sql/functions/kp/series_loss.sql
tanon_no_strangers as (
select coalesce(error('tanon.series_loss' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'release must be a release of source, each series once, got '
        || tanon_published - tanon_known + tanon_repeated
        || ' other rows; make it with for_owner := true'
    from (select count(*) as tanon_published from tanon_rows_published), tanon_rows_known
    where tanon_published - tanon_known + tanon_repeated > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/series/fine.sql
tanon_series_length as (
    select max(len(tanon_values)) as tanon_points from tanon_series_rows
),
-- sql/steps/series/fine.sql
tanon_series_faults as (
    select tanon_id, 1 as tanon_order, 'series_id must be unique, got ' as tanon_fault,
        ' ids that repeat' as tanon_what
    from tanon_series_rows group by tanon_id having count(*) > 1
    union all
    select
        tanon_id,
        case when tanon_values is null or tanon_values is distinct from list_filter(
            tanon_values, lambda v: coalesce(isfinite(v), false)) then 2
        when len(tanon_values) <> tanon_points then 3
        when tanon_points < 2 then 4 else 5 end as tanon_order,
        case tanon_order
            when 2 then 'series must be free of NULL, NaN and infinity, got '
            when 3 then 'series must be of one length (' || tanon_points || ' readings), got '
            when 4 then 'series must be at least 2 readings, got '
            else 'series must be at most 16384 readings, got ' end,
        case tanon_order when 2 then ' series that are not'
            when 3 then ' of other lengths' when 4 then ' shorter series'
            else ' of ' || tanon_points end
    from tanon_series_rows, tanon_series_length
    where tanon_values is null or tanon_points not between 2 and 16384
        or len(tanon_values) <> tanon_points
        or not list_bool_and(list_transform(
            tanon_values, lambda v: coalesce(isfinite(v), false)))
),
-- sql/steps/series/fine.sql
tanon_series_are_fine as (
select coalesce(error('tanon.series_loss' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select any_value(tanon_fault) || count(*) || any_value(tanon_what)
        || ': ' || array_to_string(
            list(tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
        || case when count(*) > 5 then ', ...' else '' end
        || case when min(tanon_order) = 1
            then '; tanon.series_from_rows makes one series of several rows' else '' end
    from tanon_series_faults
    where tanon_order = (select min(tanon_order) from tanon_series_faults)
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/kp/series_loss.sql
tanon_matched as (
    select
        r.low is not null as tanon_is_published,
        tanon.series_value_loss(r.low, r.high) as tanon_value_loss,
        tanon._answer("_tanon_pattern_loss"(tanon_values, r.word, r.level)) as tanon_pattern_loss
    from tanon_series_rows left join tanon_release as r on r."name" = tanon_id
    where (select tanon_fine from tanon_no_strangers) and (select tanon_fine from tanon_series_are_fine)
)
-- sql/functions/kp/series_loss.sql
select
    count(*) filter (tanon_is_published) as records,
    count(*) filter (not tanon_is_published) as suppressed,
    tanon._mean_loss(list(tanon_value_loss order by tanon_value_loss asc nulls last)) as value_loss,
    list_avg(list(tanon_pattern_loss order by tanon_pattern_loss asc nulls last)) as pattern_loss
from tanon_matched
