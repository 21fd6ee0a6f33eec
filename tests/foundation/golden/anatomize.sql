with
-- the argument source: sql/private/arguments.sql
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "diagnosis" where false
),
-- the argument source: sql/private/arguments.sql
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.anatomize: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: sql/private/arguments.sql
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.anatomize: source must be a relation without columns a_group, got one with '
            || min(column_name)
        from tanon_columns_of_source
        where list_contains(['a_group']::varchar[], folded)
        having count(*) > 0),
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                tanon._identifier(x))
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, tanon._holds_variant(column_type) as is_mixed
                from tanon_columns_of_source, (values
                (0, 'diagnosis', 'diagnosis', 'tanon.anatomize: sa must be a column of source', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument source: sql/private/arguments.sql
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/l_diversity/anatomize.sql:36
tanon_dealing_key as materialized (
    select tanon._key("_tanon_held_secret"(true), 'tanon.anatomize', list(
        column_type order by column_type asc nulls last
    )) as tanon_key
    from tanon_columns_of_source
),
-- sql/functions/l_diversity/anatomize.sql:43
tanon_dealt_rows as materialized (
    select
        *,
        tanon._keyed(
            (select tanon_key from tanon_dealing_key), row(*columns(*))::varchar
        ) as tanon_hash
    from tanon_source
),
-- sql/steps/copies.sql:7
tanon_repeated_deals as materialized (
    select tanon_hash from tanon_dealt_rows group by tanon_hash having count(*) > 1
),
-- sql/steps/copies.sql:12
tanon_rows_told_apart as (
    from tanon_dealt_rows anti join tanon_repeated_deals using (tanon_hash)
    union all
    select * exclude (tanon_copy) replace (
        case when tanon_copy = 1 then tanon_hash else tanon._keyed(
            (select tanon_key from tanon_dealing_key), concat(tanon_copy, ' of ', tanon_hash)
        ) end as tanon_hash)
    from (
        select *, row_number() over (partition by tanon_hash order by tanon_hash asc nulls last) as tanon_copy
        from tanon_dealt_rows semi join tanon_repeated_deals using (tanon_hash)
    )
),
-- sql/steps/anatomy/groups.sql:11
tanon_counts_to_deal as (
    select "diagnosis" as tanon_sa, count(*) as tanon_n
    from tanon_source
    group by "diagnosis"
),
-- sql/steps/anatomy/groups.sql:17
tanon_sizes_of_partitions as (
    select
        sum(tanon_n)::bigint as tanon_size,
        max(tanon_n) as tanon_level,
        tanon._anatomy_groups(sum(tanon_n), max(tanon_n), '2') as tanon_deals
    from tanon_counts_to_deal
),
-- sql/steps/anatomy/groups.sql:27
tanon_partition_offsets as materialized (
    select
        *,
        coalesce(sum(tanon_deals) over (
            rows between unbounded preceding and 1 preceding
        ), 0)::bigint as tanon_first
    from tanon_sizes_of_partitions
),
-- sql/steps/anatomy/groups.sql:37
tanon_partitions_are_eligible as (
select coalesce(error('tanon.anatomize' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'every partition must be l-eligible for l = ' || '2'
        || ', got ' || count(*) || ' that are not, the first with '
        || arg_min(tanon_level, tanon_first)
        || ' equal values among ' || arg_min(tanon_size, tanon_first) || ' rows'
        || ': tanon.reposition makes every snapshot of a stream l-eligible'
    from tanon_partition_offsets
    where tanon_level * tanon._numerator('2') > tanon_size * tanon._denominator('2')
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/anatomy/groups.sql:52
tanon_places_of_values as materialized (
    select
        tanon_sa,
        (row_number() over (order by tanon_sa asc nulls last) - 1) * 79228162514264337593543950336
            as tanon_above
    from (select distinct tanon_sa from tanon_counts_to_deal)
    where (select tanon_fine from tanon_partitions_are_eligible)
),
-- sql/steps/anatomy/groups.sql:69
tanon_turns_of_rows as (
    select
        tanon_row.* exclude (tanon_hash),
        row_number() over (
            order by tanon_above + tanon_hash asc nulls last
        ) - 1 as tanon_turn
    from tanon_rows_told_apart as tanon_row join tanon_places_of_values
        on tanon_row."diagnosis" is not distinct from tanon_sa
),
-- sql/steps/anatomy/groups.sql:80
tanon_anatomy as (
    select
        tanon_turns.* exclude (tanon_turn),
        tanon_first + tanon_turn % tanon_deals + 1 as a_group
    from tanon_turns_of_rows as tanon_turns join tanon_partition_offsets as tanon_offsets on true
)
-- sql/functions/l_diversity/anatomize.sql
from tanon_anatomy
