with
-- the argument individuals: tanon_duck/macros/source_ctes.py
tanon_given_individuals as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "people")
    union all by name select null::BIGINT as a_group, null as "age", null as "sex" where false
),
-- the argument individuals: tanon_duck/macros/source_ctes.py
tanon_columns_of_individuals as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.table_pair_warnings: individuals must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "people")
),
-- the argument individuals: tanon_duck/macros/source_ctes.py
tanon_individuals_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.table_pair_warnings: individuals must be a table, a view or a query in parentheses with columns a_group'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['a_group']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_individuals)
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
                from tanon_columns_of_individuals, (values
                (1, 'age', 'age', 'tanon.table_pair_warnings: qi must be columns of individuals, none twice', '', ''),
                (2, 'sex', 'sex', 'tanon.table_pair_warnings: qi must be columns of individuals, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument individuals: tanon_duck/macros/source_ctes.py
tanon_individuals as not materialized (
    from tanon_given_individuals where (select fine from tanon_individuals_is_fine)
),
-- the argument counts: tanon_duck/macros/source_ctes.py
tanon_given_counts as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "diseases")
    union all by name select null::BIGINT as a_group, null::BIGINT as records, null as "diagnosis" where false
),
-- the argument counts: tanon_duck/macros/source_ctes.py
tanon_columns_of_counts as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.table_pair_warnings: counts must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "diseases")
),
-- the argument counts: tanon_duck/macros/source_ctes.py
tanon_counts_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.table_pair_warnings: counts must be a table, a view or a query in parentheses with columns a_group, records'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['a_group', 'records']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_counts)
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
                from tanon_columns_of_counts, (values
                (0, 'diagnosis', 'diagnosis', 'tanon.table_pair_warnings: sensitive must be a column of counts', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument counts: tanon_duck/macros/source_ctes.py
tanon_counts as not materialized (
    from tanon_given_counts where (select fine from tanon_counts_is_fine)
),
-- sql/steps/anatomy/pair.sql
tanon_values_in_groups as materialized (
    select tanon._value_text("diagnosis") as "diagnosis", a_group as tanon_group,
        sum(records)::bigint as tanon_n
    from tanon_counts
    group by all
),
-- sql/steps/anatomy/pair.sql
tanon_people_in_groups as materialized (
    select
        tanon._value_text("age") as "age",
        tanon._value_text("sex") as "sex",
        a_group as tanon_group, count(*) as tanon_n
    from tanon_individuals
    group by all
),
-- sql/steps/anatomy/pair.sql
tanon_groups_fit as (
select coalesce(error('tanon.table_pair_warnings' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'individuals must have the groups of counts, each of as many rows, got ' || count(*)
        || ' groups that differ'
    from (
        select tanon_group, sum(tanon_n) as tanon_n from tanon_people_in_groups group by tanon_group
    ) as tanon_p full join (
        select tanon_group, sum(tanon_n) as tanon_n from tanon_values_in_groups group by tanon_group
    ) as tanon_v on tanon_p.tanon_group = tanon_v.tanon_group
    where tanon_p.tanon_n is distinct from tanon_v.tanon_n
        or tanon_p.tanon_group is null
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/anatomy/warned.sql
tanon_values_weighed as materialized (
    select
        tanon_group, tanon_n, sum(tanon_n) over (partition by tanon_group) as tanon_size,
        sum(tanon_n) over (partition by "diagnosis") as tanon_of_value,
            sum(tanon_n) over () as tanon_rows
    from tanon_values_in_groups
    where tanon_n > 0 and (select tanon_fine from tanon_groups_fit)
),
-- sql/steps/anatomy/warned.sql
tanon_groups_weighed as materialized (
    select
        tanon_group, any_value(tanon_size)::bigint as tanon_size, count(*) as tanon_values,
        max(tanon_n / tanon_size) as tanon_worst,
        max(tanon_n / tanon_size * tanon_rows / tanon_of_value) as tanon_gain
    from tanon_values_weighed
    group by tanon_group
),
-- sql/steps/anatomy/warned.sql
tanon_rows_weighed as materialized (
    select
        sum(tanon_size)::bigint as tanon_rows, count(*) as tanon_groups,
        max(tanon_worst) as tanon_worst
    from tanon_groups_weighed
),
-- sql/steps/anatomy/warned.sql
tanon_warned_of_values as (
    select
        1 as tanon_place, 'best guess' as warning, 'diagnosis' as affects,
        sum(tanon_size) filter (g.tanon_worst = r.tanon_worst)::bigint as rows,
        any_value(r.tanon_worst) as share,
        'whoever finds the group of somebody and guesses its most frequent value is right so '
            || 'often, in ' || count(*) filter (g.tanon_worst = r.tanon_worst) || ' of '
            || count(*) || ' groups: l = ' || round(1 / any_value(r.tanon_worst), 3)
            || ' promises no less, if nobody learns from the tables which values go with whom'
            as advice
    from tanon_groups_weighed as g, tanon_rows_weighed as r
    having count(*) > 0
    union all
    select
        2, 'two values', 'diagnosis', sum(tanon_size)::bigint,
        sum(tanon_size) / any_value(tanon_rows),
        'groups of two values: whoever can rule one out knows the other, and in a group of two '
            || 'rows each knows the value of the other; take a larger l'
    from (from tanon_groups_weighed where tanon_values <= 2), (select tanon_rows from tanon_rows_weighed)
    having count(*) > 0
    union all
    select
        3, 'rare value', 'diagnosis', sum(tanon_size)::bigint,
        sum(tanon_size) / any_value(tanon_rows),
        'their group has a value that is up to ' || round(max(tanon_gain), 1)
            || ' times as likely there as in the whole release: l bounds the chance, not what '
            || 'is learnt'
    from (from tanon_groups_weighed where tanon_gain >= 10),
        (select tanon_rows from tanon_rows_weighed)
    having count(*) > 0
),
-- sql/steps/anatomy/warned.sql
tanon_found_present as materialized (
    select "age", "sex", any_value(a_group) as tanon_group, count(*) as tanon_n
    from tanon_individuals
    group by "age", "sex"
),
-- sql/steps/anatomy/warned.sql
tanon_groups_alike as (
    select tanon_group from tanon_people_in_groups group by tanon_group having count(*) = 1
),
-- sql/steps/anatomy/warned.sql
tanon_warned_of_individuals as (
    select
        4 as tanon_place, 'who is in it' as warning, null::varchar as affects, count(*) as rows,
        count(*) / any_value(tanon_rows) as share,
        'no other row there has their quasi-identifiers, which are released as they are: whoever '
            || 'knows them sees that they are in it, and in which group' as advice
    from (from tanon_found_present where tanon_n = 1), (select tanon_rows from tanon_rows_weighed)
    having count(*) > 0
    union all
    select
        5, 'one kind of people', null, sum(tanon_size)::bigint,
        sum(tanon_size) / any_value(tanon_rows),
        'all in their group have the same quasi-identifiers: what values these have between them '
            || 'is told exactly'
    from (from tanon_groups_weighed semi join tanon_groups_alike using (tanon_group) where tanon_size > 1),
        (select tanon_rows from tanon_rows_weighed)
    having count(*) > 0
),
-- sql/steps/anatomy/warned.sql
tanon_further_columns_of_pair as (
    select column_name as tanon_column
    from tanon_columns_of_individuals
    where folded <> 'a_group'
        and not tanon._is_named(folded, list_concat(['age', 'sex']::varchar[], tanon._list([]::varchar[])))
    union
    select column_name
    from tanon_columns_of_counts
    where folded not in ('a_group', 'records')
        and not tanon._is_named(folded, list_concat(['diagnosis'],
            tanon._list([]::varchar[])))
),
-- sql/steps/anatomy/warned.sql
tanon_warned_of_pair as (
    from tanon_warned_of_values
    union all
    from tanon_warned_of_individuals
    union all
    select
        8, 'unnamed column', tanon_column, tanon_rows, 1::double,
        'no promise holds for it: leave it out, or name it in qi'
    from tanon_further_columns_of_pair, tanon_rows_weighed
    where tanon_rows > 0
)
-- sql/functions/l_diversity/table_pair_warnings.sql
select warning, affects, rows, share, advice
from tanon_warned_of_pair
order by tanon_place asc nulls last, affects asc nulls last
