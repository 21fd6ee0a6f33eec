with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "patient" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.suggest_roles: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.suggest_roles: respondent must be a column of source', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.suggest_roles: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
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
-- sql/steps/roles/looked_at.sql
tanon_shape_of_columns as (
    select *, regexp_matches(column_type, '[\[(]') and not regexp_matches(column_type,
            '^(DECIMAL|ENUM)\(') as tanon_is_nested,
        regexp_full_match(column_type, 'DATE|TIMESTAMP.*') as tanon_is_time
    from (
        select column_name, column_type, row_number() over () as tanon_place
        from (describe from "visits")
    )
),
-- sql/steps/roles/looked_at.sql
tanon_numbered_people as materialized (
    select row_number() over () as tanon_who, "patient" as tanon_uid
    from (select distinct "patient" from tanon_source)
),
-- sql/steps/roles/looked_at.sql
tanon_people_of_source as materialized (
    select count(*) as tanon_rows,
        (select count(*)
            from tanon_numbered_people) as tanon_people
    from tanon_source
),
-- sql/steps/roles/looked_at.sql
tanon_hashed_cells as (
    select tanon_who, tanon_name, tanon_hash
    from (
        select
            tanon_p.tanon_who as tanon_who,
            case when columns(tanon_s.*) is null then null else hash(columns(tanon_s.*)) end
        from tanon_source as tanon_s
        join tanon_numbered_people as tanon_p on
            tanon_s."patient" = tanon_uid
    ) unpivot include nulls (tanon_hash for tanon_name in (columns(* exclude (tanon_who))))
),
-- sql/steps/roles/looked_at.sql
tanon_values_of_columns as (
    select tanon_name, tanon_hash, count(*) as tanon_n,
        case when min(tanon_who) = max(tanon_who) then min(tanon_who) end as tanon_only
    from tanon_hashed_cells
    group by tanon_name, tanon_hash
),
-- sql/functions/roles/suggest_roles.sql
tanon_figures_of_columns as (
    select
        column_name, column_type, tanon_place, tanon_is_nested, tanon_is_time, tanon_rows,
        case when tanon._folded(column_name) = tanon._folded('patient') then tanon_people
            else coalesce(tanon_distinct, 0) end
        as tanon_distinct, coalesce(tanon_nulls, 0) as tanon_nulls,
        coalesce(tanon_alone / nullif(tanon_people, 0), 0) as tanon_share,
        lower(column_name) as tanon_spelt
    from tanon_shape_of_columns cross join tanon_people_of_source left join (
        select tanon_name, count(tanon_hash) as tanon_distinct,
            coalesce(sum(tanon_n) filter (where tanon_hash is null), 0)::bigint as tanon_nulls,
            count(distinct tanon_only) as tanon_alone
        from tanon_values_of_columns
        group by tanon_name
    ) on tanon_name = column_name
),
-- sql/functions/roles/suggest_roles.sql
tanon_looks_of_columns as (
    select
        *,
        tanon._folded(column_name) = tanon._folded('patient')
         as tanon_is_uid,
        tanon_is_time and regexp_matches(tanon_spelt, 'birth|born|dob') as tanon_is_birth,
        tanon_is_time and row_number() over (
            order by
                not tanon_is_time
                    or regexp_matches(tanon_spelt, 'birth|born|dob') asc nulls last,
                tanon_place asc nulls last
        ) = 1 as tanon_is_first,
        tanon_rows > 1 and tanon_distinct >= 0.9 * (tanon_rows - tanon_nulls)
            and tanon_distinct > 1 as tanon_is_key
    from tanon_figures_of_columns
)
-- sql/functions/roles/suggest_roles.sql
select
    column_name, column_type, tanon_distinct as distinct_values, tanon_nulls as nulls,
    case when not tanon_is_uid then tanon_share end as singled_out,
    tanon_look['role'] as proposed, tanon_look['how'] as how, tanon_look['reason'] as reason
from (
    select *, case
        when tanon_is_uid then tanon._look('respondent', null,
            'given as respondent' || coalesce((
        select string_agg(
            printf('; %s: %d of them', warning, respondents), '' order by tanon_place asc nulls last
        )
        from tanon_unclean_identifiers
    ), ''))
        when tanon_is_nested
            then tanon._look('drop', null, 'nested: one value may identify a person')
        when tanon_is_birth
            then tanon._look('quasi-identifier', 'dates year, decade', 'a date of birth is known')
        when tanon_is_first and not tanon_is_birth
            then tanon._look('time', 'month, quarter, year', 'the first time')
        when tanon_is_time then tanon._look('drop', null,
            'a further time: it reveals the time that a granularity hides')
        when regexp_matches(tanon_spelt, tanon._known_names()) then tanon._look('quasi-identifier',
            case when regexp_matches(column_type, 'INT|DOUBLE|FLOAT|DECIMAL')
                then 'intervals 5, 10, 20'
                when regexp_matches(tanon_spelt, 'zip|post|plz') then 'prefixes 4, 3' else 'list'
                end, 'its name: others know it')
        when tanon_is_key and not regexp_matches(column_type, 'DOUBLE|FLOAT|DECIMAL')
            then tanon._look('drop', null, 'nearly a key: almost every row has another value')
        when tanon_distinct <= 1 then tanon._look('keep', null, 'the same in every row')
        when regexp_matches(tanon_spelt, tanon._finding_names())
            then tanon._look('sensitive', null, 'its name: a finding about a person')
        when regexp_matches(column_type, 'INT|DOUBLE|FLOAT|DECIMAL') and tanon_distinct > 8
            then tanon._look('quasi-identifier', 'quantiles 8, 4, 2', 'others may know it')
        else tanon._look('quasi-identifier', 'list', 'others may know it') end as tanon_look
    from tanon_looks_of_columns
)
order by tanon_place asc nulls last
