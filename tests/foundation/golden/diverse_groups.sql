with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "diagnosis", null as "patient" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.diverse_groups: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.diverse_groups: source must be a relation without columns a_group, got one with '
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
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_source, (values
                (0, 'diagnosis', 'diagnosis', 'tanon.diverse_groups: sensitive must be a column of source', '', ''),
                (2000000, 'patient', 'patient', 'tanon.diverse_groups: respondent must be a column of source', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.diverse_groups: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/l_diversity/diverse_groups.sql
tanon_dealing_key as materialized (
    select tanon._key(tanon._answer("_tanon_held_secret"(true)), 'tanon.anatomize', list(
        column_type order by column_type asc nulls last
    )) as tanon_key
    from tanon_columns_of_source
),
-- sql/functions/l_diversity/diverse_groups.sql
tanon_dealt_rows as materialized (
    select
        *,
        tanon._keyed(
            (select tanon_key from tanon_dealing_key), tanon._cell_text(row(*columns(*)))
        ) as tanon_hash,
        tanon._order_key("patient") as tanon_order
    from tanon_source
),
-- sql/steps/anatomy/groups.sql
tanon_repeated_deals as materialized (
    select tanon_hash from tanon_dealt_rows group by tanon_hash having count(*) > 1
),
-- sql/steps/anatomy/groups.sql
tanon_rows_told_apart as (
    from tanon_dealt_rows anti join tanon_repeated_deals using (tanon_hash)
    union all
    select * exclude (tanon_copy) replace (
        case when tanon_copy = 1 then tanon_hash else tanon._keyed(
            (select tanon_key from tanon_dealing_key), concat(tanon_copy, ' of ', tanon_hash)
        ) end as tanon_hash)
    from (
        select *, row_number() over (partition by tanon_hash order by tanon_order asc nulls last) as tanon_copy
        from tanon_dealt_rows semi join tanon_repeated_deals using (tanon_hash)
    )
),
-- sql/steps/anatomy/groups.sql
tanon_counts_to_deal as (
    select "diagnosis" as tanon_sa, count(*) as tanon_n
    from tanon_source
    group by "diagnosis"
),
-- sql/steps/anatomy/groups.sql
tanon_sizes_of_values as (
    select sum(tanon_n)::bigint as tanon_size, max(tanon_n) as tanon_level
    from tanon_counts_to_deal
),
-- sql/steps/anatomy/groups.sql
tanon_records_of_persons as (
    select "patient" as tanon_who, count(*) as tanon_n
    from tanon_source
    group by "patient"
),
-- sql/steps/anatomy/groups.sql
tanon_levels_of_persons as (
    select max(tanon_n) as tanon_most
    from tanon_records_of_persons
),
-- sql/steps/anatomy/groups.sql
tanon_sizes_of_partitions as (
    select
        tanon_v.*, tanon_most as tanon_most,
        tanon._anatomy_groups(
            tanon_size, greatest(tanon_level,
                tanon_most), '2'
        ) as tanon_deals
    from tanon_sizes_of_values as tanon_v
    join tanon_levels_of_persons as tanon_p on true
),
-- sql/steps/anatomy/groups.sql
tanon_partition_offsets as materialized (
    select
        *,
        coalesce(sum(tanon_deals) over (
            rows between unbounded preceding and 1 preceding
        ), 0)::bigint as tanon_first
    from tanon_sizes_of_partitions
),
-- sql/steps/anatomy/groups.sql
tanon_partitions_are_eligible as (
select coalesce(error('tanon.diverse_groups' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'every partition must be l-eligible for l = ' || '2'
        || ', got ' || count(*) || ' that are not, the first with '
        || arg_min(
            case when tanon_most > tanon_level then tanon_most || ' rows of one person'
                else tanon_level || ' equal values' end, tanon_first)
        || ' among ' || arg_min(tanon_size, tanon_first) || ' rows'
        || ': tanon.publish_stream makes every snapshot of a stream l-eligible'
    from tanon_partition_offsets
    where tanon._exceeds_share(greatest(tanon_level, tanon_most), tanon_size, '2')
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/anatomy/groups.sql
tanon_places_of_values as materialized (
    select
        tanon_sa,
        (row_number() over (order by tanon_sa asc nulls last) - 1) * 79228162514264337593543950336
            as tanon_above
    from (select distinct tanon_sa from tanon_counts_to_deal)
    where (select tanon_fine from tanon_partitions_are_eligible)
),
-- sql/steps/anatomy/groups.sql
tanon_turns_of_rows as (
    select
        tanon_row.*,
        row_number() over (
            order by tanon_above + tanon_hash asc nulls last
        ) - 1 as tanon_turn
    from tanon_rows_told_apart as tanon_row join tanon_places_of_values
        on tanon_row."diagnosis" is not distinct from tanon_sa
),
-- sql/steps/anatomy/groups.sql
tanon_turns_kept as materialized (
    select tanon_turns.*, tanon_first, tanon_deals, tanon_n
    from tanon_turns_of_rows as tanon_turns
    join tanon_partition_offsets as tanon_offsets on true
    join tanon_records_of_persons as tanon_persons on tanon_turns."patient" = tanon_who
),
-- sql/steps/anatomy/groups.sql
tanon_rows_of_repeated as (
    select
        tanon_first, list({'tanon_turn': tanon_turn, 'tanon_first': tanon_one}) as tanon_rows,
        min(tanon_hash)::varchar as tanon_seed
    from (
        select
            tanon_first, tanon_turn, tanon_hash,
            min(tanon_turn) over (partition by tanon_first, "patient") as tanon_one
        from tanon_turns_kept
        where tanon_n > 1
    )
    group by tanon_first
),
-- sql/steps/anatomy/groups.sql
tanon_counts_of_values as (
    select
        tanon_first, any_value(tanon_deals) as tanon_deals,
        list(tanon_n::bigint order by tanon_above asc nulls last) as tanon_counts
    from tanon_counts_to_deal as tanon_counts
    join tanon_partition_offsets as tanon_offsets on true
    join tanon_places_of_values as tanon_places
        on tanon_counts.tanon_sa is not distinct from tanon_places.tanon_sa
    group by tanon_first
),
-- sql/steps/anatomy/groups.sql
tanon_dealt_anew as (
    select
        tanon_first, unnest(tanon_dealt) as tanon_place,
        generate_subscripts(tanon_dealt, 1) - 1 as tanon_turn
    from (
        select
            tanon_first,
            tanon._answer(
                "_tanon_deal_records"(tanon_seed, tanon_deals, tanon_counts, tanon_rows)
            ) as tanon_dealt
        from tanon_rows_of_repeated join tanon_counts_of_values using (tanon_first)
    )
),
-- sql/steps/anatomy/groups.sql
tanon_anatomy as (
    select
        tanon_turns.* exclude (
            tanon_turn, tanon_hash, tanon_order, tanon_first, tanon_deals, tanon_n
        ),
        tanon_turns.tanon_first + coalesce(tanon_place, tanon_turns.tanon_turn % tanon_deals) + 1
            as a_group
    from tanon_turns_kept as tanon_turns left join tanon_dealt_anew as tanon_anew
        on tanon_turns.tanon_first = tanon_anew.tanon_first
        and tanon_turns.tanon_turn = tanon_anew.tanon_turn
)
-- sql/functions/l_diversity/diverse_groups.sql
from tanon_anatomy
