with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select * replace (charity // 500 * 500 as charity) from published_incomes))
    union all by name select null::DOUBLE[] as low, null::DOUBLE[] as high, null::VARCHAR as word, null::INTEGER as level, null as "charity" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.publish_perturbed_series: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select * replace (charity // 500 * 500 as charity) from published_incomes))
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.publish_perturbed_series: release must be a table, a view or a query in parentheses with columns low, high, word, level'
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
                (0, 'charity', 'charity', 'tanon.publish_perturbed_series: sensitive must be a column of release', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_numbered_classes as (
    select low, high, word, level, row_number() over (
        order by low asc nulls last, high asc nulls last, word asc nulls last, level asc nulls last
    ) as tanon_class
    from (select distinct low, high, word, level from tanon_release)
),
-- sql/steps/kept.sql
tanon_suspects as (
    select
        column_name as tanon_column, folded as tanon_folded,
        case
            when regexp_matches(column_type, '\]$|^(STRUCT|MAP|UNION|VARIANT|JSON)\b') then 'nested'
            when regexp_matches(column_type, '^(DATE|TIME)') then 'a further time'
        end as tanon_what
    from tanon_columns_of_release
    where tanon._is_named(folded, []::varchar[]) and not tanon._is_named(folded,
        []::varchar[])
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_kept_rows as (
    select *, null as tanon_whose from tanon_release
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
-- sql/steps/identifiers.sql
tanon_kept_identifiers as (
    select null::varchar as tanon_id where false
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
                    from tanon_columns_of_release
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
select coalesce(error('tanon.publish_perturbed_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'keep' || ' must be columns that do not tell who a row is about, got '
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
select coalesce(error('tanon.publish_perturbed_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'keep' || ' must be columns that do not tell together who a row is about, got '
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
-- sql/functions/kp/publish_perturbed_series.sql
tanon_spelt_rows as (
    select
        p.low, p.high, p.word, p.level, p."charity" , tanon_class,
        concat(row(p.low, p.high, p.word, p.level)::varchar,
            concat('', strlen(tanon._cell_text(p."charity")), case
            when tanon._cell_text(p."charity") is null then '-' else ':' end, tanon._cell_text(p."charity")),
            concat('', ''))
            as tanon_row
    from tanon_release as p
    join tanon_numbered_classes as c on
        p.low is not distinct from c.low and p.high is not distinct from c.high
        and p.word is not distinct from c.word and p.level is not distinct from c.level
    where (select tanon_fine from tanon_kept_is_fine) and (select tanon_fine from tanon_kept_together_is_fine)
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_key_of_rows as (
    select tanon._key(tanon._answer("_tanon_held_secret"(true)), 'tanon.diversify', 'charity') as tanon_secret
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_keyed_rows as materialized (
    select
        * exclude (tanon_row, tanon_secret), row_number() over () as tanon_place,
        tanon._keyed(tanon_secret, concat(
            row_number() over (partition by encode(tanon_row)), ' ', tanon_row
        ))::varchar as tanon_key
    from tanon_spelt_rows, tanon_key_of_rows
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_listed_values as (
    select
        list(tanon_place order by tanon_place asc nulls last) as places,
        list(tanon_class order by tanon_place asc nulls last) as classes,
        list(tanon_key order by tanon_place asc nulls last) as keys,
        list(
            try_cast(replace(n."charity"::varchar, '.', '') as bigint)
            order by tanon_place asc nulls last
        )
            as steps,
        list(try_cast(n."charity" as double) order by tanon_place asc nulls last) as floats
    from tanon_keyed_rows as n
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_type_of_values as (
    select any_value(column_type) as name
    from tanon_columns_of_release
    where folded = tanon._folded('charity')
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_values_are_numbers as (
select coalesce(error('tanon.publish_perturbed_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'sensitive must be a numeric column unless replacements are given, got '
        || 'charity' || ' of type ' || name
    from tanon_type_of_values
    where not regexp_full_match(
        name, 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*')
) as tanon_messages(tanon_message)
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_drawn_lists as (
    select places, tanon._answer("_tanon_diversify"(
        classes, steps, floats, keys, name, 2, 50, 'minimal', 'column'
    )) as texts
    from tanon_listed_values, tanon_type_of_values
    where (select tanon_fine from tanon_values_are_numbers)
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_drawn_values as (
    select unnest(places) as tanon_place, unnest(texts) as tanon_text from tanon_drawn_lists
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_diversified as materialized (
    select
        low, high, word, level,
        case when tanon_text is null then n."charity"
        else cast_to_type(tanon_text, replace_type(n."charity", null, null::varchar)) end
            as "charity"
        , tanon_text is not null as perturbed
    from tanon_keyed_rows as n left join tanon_drawn_values using (tanon_place)
),
-- sql/functions/kp/publish_perturbed_series.sql
tanon_result_is_diverse as (
select coalesce(error('tanon.publish_perturbed_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'the result must be l-diverse, got ' || count(*) || ' crowded values'
    from (
        select sum(tanon_times) as rows, max(tanon_times) as frequency
        from (
            select low, high, word, level, "charity", count(*) as tanon_times
            from tanon_diversified group by all
        )
        group by low, high, word, level
    )
    where frequency * 2 > rows
    having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/kp/publish_perturbed_series.sql
select low, high, word, level, "charity"
from tanon_diversified
where (select tanon_fine from tanon_result_is_diverse)
order by
    low asc nulls last, high asc nulls last, word asc nulls last, level asc nulls last,
    "charity" asc nulls last ,
        encode(concat('', strlen(tanon._cell_text("charity")), case
        when tanon._cell_text("charity") is null then '-' else ':' end, tanon._cell_text("charity"))) asc nulls last,
    encode(concat('', '')) asc nulls last
