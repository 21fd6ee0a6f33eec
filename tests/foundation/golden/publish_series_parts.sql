with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "published_incomes")
    union all by name select null::DOUBLE[] as low, null::DOUBLE[] as high, null::VARCHAR as word, null::INTEGER as level, null as "charity" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.publish_series_parts: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published_incomes")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.publish_series_parts: release must be a table, a view or a query in parentheses with columns low, high, word, level'
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
                (1, 'charity', 'charity', 'tanon.publish_series_parts: keep must be columns of release, none twice', '', ''),
                (1000001, 'charity', 'charity', 'tanon.publish_series_parts: allow_identifying must be columns of release, none twice', '', ''),
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
-- sql/steps/kp/release_fits.sql
tanon_release_length as (
    select coalesce(max(len(low)), 0) as points from tanon_release
),
-- sql/steps/kp/release_fits.sql
tanon_release_fits as (
select coalesce(error('tanon.publish_series_parts' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'the release must be ranges and words of one length ('
        || any_value(points) || '), got ' || count(*) || ' rows that are not'
    from tanon_release, tanon_release_length
    where (
        len(low) = points and len(high) = points and length(word) = points and level >= 1
    ) is not true
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/kp/publish_series_parts.sql
tanon_positions_fit as (
select coalesce(error('tanon.publish_series_parts' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'positions must be from 1 to ' || any_value(points) || ', got ' || max(asked)
    from (select unnest(list_concat('[1, 2, 3, 4, 5]'::integer[], '[3, 4, 5, 6, 7, 8]'::integer[])) as asked),
        tanon_release_length
    where points > 0
    having max(asked) > any_value(points)
) as tanon_messages(tanon_message)
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
    where tanon._is_named(folded, ['charity']::varchar[]) and not tanon._is_named(folded,
        ['charity']::varchar[])
),
-- sql/functions/kp/publish_series_parts.sql
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
select coalesce(error('tanon.publish_series_parts' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
select coalesce(error('tanon.publish_series_parts' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/functions/kp/publish_series_parts.sql
tanon_tailored as (
    select
        list_transform(low, lambda x, i: case when list_contains('[1, 2, 3, 4, 5]'::integer[], i) then x end)
            as low,
        list_transform(high, lambda x, i: case when list_contains('[1, 2, 3, 4, 5]'::integer[], i) then x end)
            as high,
        array_to_string(list_transform(string_split(word, ''), lambda x, i:
            case when list_contains('[3, 4, 5, 6, 7, 8]'::integer[], i) then x else '.' end
        ), '') as word,
        level , "charity"
    from (select *, null as tanon_none from tanon_release)
    where (select tanon_fine from tanon_release_fits) and (select tanon_fine from tanon_positions_fit)
        and (select tanon_fine from tanon_kept_is_fine) and (select tanon_fine from tanon_kept_together_is_fine)
),
-- sql/functions/kp/publish_series_parts.sql
tanon_extremes as (
    select
        list(low order by position asc nulls last) as domain_low,
        list(high order by position asc nulls last) as domain_high
    from (
        select position, min(low[position]) as low, max(high[position]) as high
        from tanon_release, tanon_release_length, unnest(range(1, points + 1)) as positions(position)
        group by position
    )
),
-- sql/functions/kp/publish_series_parts.sql
tanon_withheld_is_empty as (
select coalesce(error('tanon.publish_series_parts' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'withheld cells must be empty, got ' || count(*) || ' that are not'
    from (
        select unnest(list_zip(low, high, string_split(word, ''), range(1, len(low) + 1))) as cell
        from (select distinct low, high, word from tanon_tailored)
    )
    where (cell[1] is not null or cell[2] is not null)
        and not list_contains('[1, 2, 3, 4, 5]'::integer[], cell[4])
        or cell[3] <> '.' and not list_contains('[3, 4, 5, 6, 7, 8]'::integer[], cell[4])
    having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/kp/publish_series_parts.sql
select *
from (
    select
        low, high, word, level
         , domain_low, domain_high
        , "charity"
    from tanon_tailored , tanon_extremes
    where (select tanon_fine from tanon_withheld_is_empty)
    order by
        low asc nulls last, high asc nulls last, word asc nulls last, level asc nulls last
        , "charity" asc nulls last,
            encode(concat('', strlen(tanon._cell_text("charity")), case
            when tanon._cell_text("charity") is null then '-' else ':' end, tanon._cell_text("charity"))) asc nulls last
)
