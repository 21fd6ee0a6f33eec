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
        'tanon.identifier_warnings: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.identifier_warnings: respondent must be a column of source', '', ''),
                (1000001, 'diagnosis', 'diagnosis', 'tanon.identifier_warnings: keep must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.identifier_warnings: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/rows_of_each.sql
tanon_rows_of_each as (
    select "patient" as tanon_uid, count(*) as tanon_n from tanon_source group by "patient"
),
-- sql/steps/identifiers_warned.sql
tanon_texts_of_keep as (
    select '' as tanon_folded, '' as tanon_text where false
    union all
    select tanon._folded('diagnosis'), any_value(tanon._value_text("diagnosis"))
    from tanon_source
    group by tanon._order_key("diagnosis")
),
-- sql/steps/rows_of_each.sql
tanon_kept_identifiers as (
    select tanon_uid as tanon_id from tanon_rows_of_each
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
tanon_words_of_keep as (
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
                from tanon_texts_of_keep
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
tanon_identifiers_of_keep as (
    select tanon_folded, count(*) as tanon_found
    from tanon_words_of_keep
    where tanon_word in (select tanon_word from tanon_identifiers)
    group by tanon_folded
),
-- sql/steps/identifiers_unclean.sql
tanon_plain_identifiers as (
    select
        list_transform(
            [trim(
                lower(tanon._value_text(tanon_uid)), ' ' || chr(9) || chr(10) || chr(13) || chr(160)
            )],
            lambda e: case when e = '' then '' else coalesce(nullif(ltrim(e, '0'), ''), '0') end
        )[1] as tanon_plain,
        count(*) as tanon_n
    from tanon_rows_of_each
    group by tanon_plain
),
-- sql/steps/identifiers_unclean.sql
tanon_unclean_identifiers as (
    select
        'identifiers alike' as warning, 'patient' as affects,
            sum(tanon_n)::bigint as respondents,
        'equal but for case, blanks and leading zeros: one person may count as several' as advice,
        8 as tanon_place
    from tanon_plain_identifiers
    where tanon_n > 1 and tanon_plain <> ''
    having count(*) > 0
    union all
    select
        'empty identifier', 'patient', tanon_n::bigint,
        'empty or blank: rows of several persons may count as one person''s', 9
    from tanon_plain_identifiers
    where tanon_plain = ''
),
-- sql/steps/identifiers_warned.sql
tanon_warned_of_identifiers as (
    select *, respondents / (select count(*) from tanon_rows_of_each) as share
    from (
        select
            'identifier in a text' as warning, column_name as affects,
            tanon_found::bigint as respondents,
            'it names them: leave the column out, or take the identifiers out of it' as advice,
            0 as tanon_place
        from tanon_identifiers_of_keep join tanon_columns_of_source on folded = tanon_folded
        union all
        from tanon_unclean_identifiers
    )
)
-- sql/functions/roles/identifier_warnings.sql
select warning, affects, respondents, share, advice
from tanon_warned_of_identifiers
order by tanon_place asc nulls last, affects asc nulls last
