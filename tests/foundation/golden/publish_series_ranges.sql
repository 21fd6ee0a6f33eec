with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "incomes")
    union all by name select null as "charity", null as "incomes", null as "name" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.publish_series_ranges: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "incomes")
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
                (0, 'name', 'name', 'tanon.publish_series_ranges: series_id must be a column of source', '', ''),
                (1000001, 'incomes', 'incomes',
                    'tanon.publish_series_ranges: series must be columns of source, none twice, each a column of lists of numbers or a numeric column',
                    '(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\))\[\d*\]|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (2000001, 'charity', 'charity', 'tanon.publish_series_ranges: sensitive must be columns of source, none twice', '', ''),
                (3000001, 'charity', 'charity', 'tanon.publish_series_ranges: allow_identifying must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.publish_series_ranges: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
        from tanon_given_source where "name" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/kp/publish_series_ranges.sql
tanon_series_rows as (
    select "name" as tanon_id,
        tanon._exact('tanon.publish_series_ranges', typeof("incomes"), tanon._readings("incomes"))
     as tanon_values , tanon_s."charity"
    from tanon_source as tanon_s
),
-- sql/steps/series/numbered.sql
tanon_key_of_series as (
    select tanon._key(tanon._answer("_tanon_held_secret"(true)), 'tanon.k_anonymize_series', any_value(typeof(tanon_id))) as tanon_key
    from tanon_series_rows
),
-- sql/steps/series/numbered.sql
tanon_enough_series as (
select coalesce(error('tanon.publish_series_ranges' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'source must be at least k = ' || 12 || ' series, got ' || count(*)
    from tanon_series_rows
    having count(*) between 1 and 12 - 1
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
select coalesce(error('tanon.publish_series_ranges' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/steps/series/numbered.sql
tanon_numbered_series as materialized (
    select
        row_number() over (
            order by
                tanon._keyed(tanon_key, tanon._cell_text(tanon_id)) asc nulls last,
                tanon_id asc nulls last
        ) as tanon_row,
        tanon_s.*
    from tanon_series_rows as tanon_s, tanon_key_of_series
    where (select tanon_fine from tanon_enough_series) and (select tanon_fine from tanon_series_are_fine)
),
-- sql/functions/kp/publish_series_ranges.sql
tanon_k_answer as materialized (
    select
        tanon._answer("_tanon_k_groups"(
            list(tanon_values order by tanon_row asc nulls last), 12, 'exchange', 'none'
        )) as tanon_answer
    from tanon_numbered_series
),
-- sql/functions/kp/publish_series_ranges.sql
tanon_k_series as (
    select
        generate_subscripts(tanon_answer['found'], 1) as tanon_row,
        unnest(tanon_answer['found']) as k_group
    from tanon_k_answer
),
-- sql/functions/kp/publish_series_ranges.sql
tanon_k_envelopes as materialized (
    select
        generate_subscripts(tanon_answer['envelopes'], 1) as k_group,
        unnest(tanon_answer['envelopes'], recursive := true)
    from tanon_k_answer
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
    where tanon._is_named(folded, ['charity']::varchar[]) and not tanon._is_named(folded,
        ['charity']::varchar[])
),
-- sql/functions/kp/publish_series_ranges.sql
tanon_kept_rows as (
    select *, null as tanon_whose from tanon_source
),
-- sql/steps/kept.sql
tanon_values_kept as (
    select
        '' as tanon_folded, '' as tanon_text, min(tanon_whose) as tanon_least,
        max(tanon_whose) as tanon_most, count(*) as tanon_n
    from tanon_kept_rows where false having count(*) > 0
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
-- sql/functions/kp/publish_series_ranges.sql
tanon_kept_identifiers as (
    select "name" as tanon_id from tanon_source
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
select coalesce(error('tanon.publish_series_ranges' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'sensitive' || ' must be columns that do not tell who a row is about, got '
        || string_agg(tanon_column || ' (' || coalesce(tanon_what, printf(
            '%.2f of the %s have a value of their own',
            ceil(round(100 * tanon_share, 6)) / 100, tanon_people
        )) || ')', ', ' order by tanon_column asc nulls last)
        || '; columns named in allow_identifying are released all the same'
    from tanon_columns_that_tell
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/kept_together.sql
tanon_values_together as (
    select
        []::varchar[] as tanon_texts,
        min(tanon_whose) as tanon_least, max(tanon_whose) as tanon_most, count(*) as tanon_n
    from tanon_kept_rows
    where false
    having count(*) > 0
),
-- sql/steps/kept_together.sql
tanon_alone_with_all as (
    select tanon_least as tanon_only
    from tanon_values_together
    where tanon_least = tanon_most or tanon_n = 1
),
-- sql/steps/kept_together.sql
tanon_singled_out_together as (
    select count(distinct tanon_only) + count(*) filter (tanon_only is null) as tanon_alone
    from tanon_alone_with_all
),
-- sql/steps/kept_together.sql
tanon_kept_together_is_fine as (
select coalesce(error('tanon.publish_series_ranges' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'sensitive' || ' must be columns that do not tell together who a row is about, got '
        || concat_ws(
            ', ', ''
        )[3:]
        || printf(
            ' (%.2f of the %s have values of their own)',
            ceil(round(100 * tanon_alone / tanon_n, 6)) / 100, tanon_people
        ) || '; columns named in allow_identifying are released all the same'
    from tanon_singled_out_together, tanon_all_who_are_kept
    where tanon_alone > 0.05 * tanon_n and not exists (from tanon_columns_that_tell)
) as tanon_messages(tanon_message)
),
-- sql/functions/kp/publish_series_ranges.sql
tanon_k_share_ranges as (
select coalesce(error('tanon.publish_series_ranges' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'the release failed its own check: fewer than k share ranges'
    from (
        select count(*) as tanon_rows
        from tanon_k_series join tanon_k_envelopes using (k_group)
        group by k_group, low, high
    )
    where tanon_rows < 12 having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/kp/publish_series_ranges.sql
select k_group, low, high
    , tanon._without_labels("charity") as "charity"
from tanon_k_series
join tanon_numbered_series using (tanon_row)
join tanon_k_envelopes using (k_group)
where (select tanon_fine from tanon_kept_is_fine) and (select tanon_fine from tanon_kept_together_is_fine)
    and (select tanon_fine from tanon_k_share_ranges)
order by
    k_group asc nulls last , "charity" asc nulls last,
        encode(concat('', strlen(tanon._cell_text("charity")), case
        when tanon._cell_text("charity") is null then '-' else ':' end, tanon._cell_text("charity"))) asc nulls last
