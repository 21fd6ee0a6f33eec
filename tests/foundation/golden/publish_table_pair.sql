with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "age", null as "diagnosis", null as "patient", null as "sex" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.publish_table_pair: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
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
                (1, 'age', 'age', 'tanon.publish_table_pair: qi must be columns of source, none twice', '', ''),
                (2, 'sex', 'sex', 'tanon.publish_table_pair: qi must be columns of source, none twice', '', ''),
                (1000000, 'diagnosis', 'diagnosis', 'tanon.publish_table_pair: sensitive must be a column of source', '', ''),
                (3000000, 'patient', 'patient', 'tanon.publish_table_pair: respondent must be a column of source', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.publish_table_pair: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/l_diversity/publish_table_pair.sql
tanon_dealing_key as materialized (
    select tanon._key(tanon._answer("_tanon_held_secret"(true)), 'tanon.publish_anatomy', list(
        column_type order by column_type asc nulls last
    )) as tanon_key
    from tanon_columns_of_source
    where tanon._is_named(
        folded, list_concat(tanon._list([]::varchar[]), ['age', 'sex']::varchar[], ['diagnosis'])
    )
),
-- sql/functions/l_diversity/publish_table_pair.sql
tanon_dealt_rows as materialized (
    select
         "age", "sex", "diagnosis" , "patient",
        tanon._keyed(
            (select tanon_key from tanon_dealing_key),
            concat(concat('', ''),
                concat('', strlen(tanon._cell_text("age")), case
                when tanon._cell_text("age") is null then '-' else ':' end,
                tanon._cell_text("age"), strlen(tanon._cell_text("sex")), case
                when tanon._cell_text("sex") is null then '-' else ':' end,
                tanon._cell_text("sex")),
                concat('', strlen(tanon._cell_text("diagnosis")), case
                when tanon._cell_text("diagnosis") is null then '-' else ':' end, tanon._cell_text("diagnosis")))
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
select coalesce(error('tanon.publish_table_pair' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
),
-- sql/steps/kept.sql
tanon_suspects as (
    select
        column_name as tanon_column, folded as tanon_folded,
        case
            when regexp_matches(column_type, '\]$|^(STRUCT|MAP|UNION|VARIANT|JSON)\b') then 'nested'
            when regexp_matches(column_type, '^(DATE|TIME)') then 'a further time'
        end as tanon_what
    from tanon_columns_of_source
    where tanon._is_named(folded, ['age', 'sex']::varchar[]) and not tanon._is_named(folded,
        []::varchar[])
),
-- sql/functions/l_diversity/publish_table_pair.sql
tanon_kept_rows as not materialized (
    select "age", "sex", null::integer as tanon_whose from tanon_source
),
-- sql/steps/kept.sql
tanon_values_kept as (
    select
        '' as tanon_folded, '' as tanon_text, min(tanon_whose) as tanon_least,
        max(tanon_whose) as tanon_most, count(*) as tanon_n
    from tanon_kept_rows where false having count(*) > 0
    union all
    select
        tanon._folded('age'), any_value(tanon._value_text("age")), min(tanon_whose),
        max(tanon_whose), count(*)
    from tanon_kept_rows
    group by tanon._order_key("age")
    union all
    select
        tanon._folded('sex'), any_value(tanon._value_text("sex")), min(tanon_whose),
        max(tanon_whose), count(*)
    from tanon_kept_rows
    group by tanon._order_key("sex")
),
-- sql/steps/kept.sql
tanon_alone_with_a_value as (
    select tanon_folded, tanon_least as tanon_only
    from tanon_values_kept
    where tanon_least = tanon_most or tanon_n = 1
),
-- sql/steps/kept.sql
tanon_singled_out as (
    select
        tanon_folded,
        count(distinct tanon_only) + count(*) filter (tanon_only is null) as tanon_alone
    from tanon_alone_with_a_value
    group by tanon_folded
),
-- sql/steps/anatomy/named.sql
tanon_kept_identifiers as (
    select "patient" as tanon_id from tanon_source
),
-- sql/steps/identifiers.sql
tanon_identifiers as (
    select distinct tanon._phrase(tanon._words(tanon._value_text(tanon_id))) as tanon_word
    from tanon_kept_identifiers
    where length(replace(tanon_word, ' ', '')) >= 4
),
-- sql/steps/identifiers.sql
tanon_identifier_lengths as (
    select distinct
        1 + length(tanon_word) - length(replace(tanon_word, ' ', '')) as tanon_several,
        length(tanon_word) as tanon_letters
    from tanon_identifiers
),
-- sql/steps/identifiers.sql
tanon_words_kept as (
    select distinct tanon_folded, tanon_word
    from (
        select
            tanon_folded, tanon_sizes,
            case when tanon_several = 1 then tanon_words[tanon_at]
                else tanon._phrase(tanon_words[tanon_at:tanon_at + tanon_several - 1]) end
                as tanon_word
        from (
            select *, unnest(range(1, len(tanon_words) - tanon_several + 2)) as tanon_at
            from (
                select tanon_folded, tanon._words(tanon_text) as tanon_words
                from tanon_values_kept
                where tanon_folded in (
                    select folded
                    from tanon_columns_of_source
                    where regexp_matches(column_type, '^(VARCHAR|ENUM|UUID)')
                )
            ), (
                select tanon_several, list(tanon_letters) as tanon_sizes
                from tanon_identifier_lengths
                group by tanon_several
            )
        )
    )
    where list_contains(tanon_sizes, length(tanon_word))
),
-- sql/steps/identifiers.sql
tanon_identifiers_found as (
    select tanon_folded, count(*) as tanon_found
    from tanon_words_kept
    where tanon_word in (select tanon_word from tanon_identifiers)
    group by tanon_folded
),
-- sql/steps/kept.sql
tanon_kept_people as (
    select null as tanon_whose, count(*) as tanon_n from tanon_kept_rows
),
-- sql/steps/kept.sql
tanon_all_who_are_kept as (
    select
        count(tanon_whose) + coalesce(sum(tanon_n) filter (tanon_whose is null), 0)::bigint
            as tanon_n,
        case when count(tanon_whose) > 0 then 'respondents' else 'rows' end as tanon_people
    from tanon_kept_people
),
-- sql/steps/kept.sql
tanon_columns_that_tell as (
    from (
        select
            tanon_column, tanon_people,
            coalesce(tanon_what, tanon_found || ' of its words are identifiers of respondents')
                as tanon_what,
            coalesce(tanon_alone / nullif(tanon_n, 0), 0) as tanon_share
        from tanon_suspects left join tanon_singled_out using (tanon_folded)
        left join tanon_identifiers_found using (tanon_folded), tanon_all_who_are_kept
    )
    where tanon_what is not null or tanon_share > 0.05
),
-- sql/steps/kept.sql
tanon_kept_is_fine as (
select coalesce(error('tanon.publish_table_pair' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'qi' || ' must be columns that do not tell who a row is about, got '
        || string_agg(tanon_column || ' (' || coalesce(tanon_what, printf(
            '%.2f of the %s have a value of their own',
            ceil(round(100 * tanon_share, 6)) / 100, tanon_people
        )) || ')', ', ' order by tanon_column asc nulls last)
        || '; columns named in allow_identifying are released all the same'
    from tanon_columns_that_tell
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/anatomy/named.sql
tanon_values_of_sa as (
    select tanon._folded('diagnosis') as tanon_folded,
        any_value(tanon._value_text("diagnosis")) as tanon_text
    from tanon_source
    group by tanon._order_key("diagnosis")
),
-- sql/steps/identifiers.sql
tanon_words_of_sa as (
    select distinct tanon_folded, tanon_word
    from (
        select
            tanon_folded, tanon_sizes,
            case when tanon_several = 1 then tanon_words[tanon_at]
                else tanon._phrase(tanon_words[tanon_at:tanon_at + tanon_several - 1]) end
                as tanon_word
        from (
            select *, unnest(range(1, len(tanon_words) - tanon_several + 2)) as tanon_at
            from (
                select tanon_folded, tanon._words(tanon_text) as tanon_words
                from tanon_values_of_sa
                where tanon_folded in (
                    select folded
                    from tanon_columns_of_source
                    where regexp_matches(column_type, '^(VARCHAR|ENUM|UUID)')
                )
            ), (
                select tanon_several, list(tanon_letters) as tanon_sizes
                from tanon_identifier_lengths
                group by tanon_several
            )
        )
    )
    where list_contains(tanon_sizes, length(tanon_word))
),
-- sql/steps/identifiers.sql
tanon_identifiers_of_sa as (
    select tanon_folded, count(*) as tanon_found
    from tanon_words_of_sa
    where tanon_word in (select tanon_word from tanon_identifiers)
    group by tanon_folded
),
-- sql/steps/anatomy/named.sql
tanon_sa_names_nobody as (
select coalesce(error('tanon.publish_table_pair' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'sensitive must be free of identifiers of respondents, got ' || tanon_found
        || ' of them among its words: take them out'
    from tanon_identifiers_of_sa
) as tanon_messages(tanon_message)
),
-- sql/functions/l_diversity/publish_table_pair.sql
tanon_published_rows as materialized (
    select tanon._without_labels(columns(*))
    from tanon_anatomy where (select tanon_fine from tanon_kept_is_fine) and (select tanon_fine from tanon_sa_names_nobody)
),
-- sql/functions/l_diversity/publish_table_pair.sql
tanon_groups_are_diverse as (
select coalesce(error('tanon.publish_table_pair' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'the release must be l-diverse, got ' || count(*)
        || ' groups that are not: nothing is released'
    from (
        select a_group
        from (select a_group, count(*) as tanon_n from tanon_published_rows
            group by a_group, "diagnosis")
        group by a_group
        having tanon._exceeds_share(max(tanon_n), sum(tanon_n), '2')
        union
        select a_group
        from (select a_group, count(*) as tanon_n from tanon_published_rows
            group by a_group, "patient")
        group by a_group
        having tanon._exceeds_share(max(tanon_n), sum(tanon_n), '2')
    )
    having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/l_diversity/publish_table_pair.sql
from (
    select a_group, "diagnosis", count(*) as records
    from tanon_published_rows
    group by a_group, "diagnosis", tanon._spelling("diagnosis")
)
where (select tanon_fine from tanon_groups_are_diverse)
order by
    a_group asc nulls last, tanon._order_key("diagnosis") asc nulls last
