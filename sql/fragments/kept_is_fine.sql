{# One row, or an error: no column that leaves as it is tells by itself who a row is about. Set
   `kept` to the argument that names them and `respondent` to {uid}, or to none where each row is
   somebody else. A column singles out a respondent who alone has one of its values. #}
{% set people = "respondents" if respondent else "rows" %}
{% set named = "{" ~ kept ~ ":text}" %}
tanon_suspects as (
    select
        column_name as tanon_column, folded as tanon_folded,
        case
            when regexp_matches(column_type, '\]$|^(STRUCT|MAP|UNION|VARIANT|JSON)\b') then 'nested'
            when regexp_matches(column_type, '^(DATE|TIME)') then 'a further time'
        end as tanon_what
    from tanon_columns_of_source
    where tanon._is_named(folded, {{ named }}) and not tanon._is_named(folded, {accept:text})
),
tanon_singled as (
    select '' as tanon_folded, 0 as tanon_alone where false
    {for c in tanon._without_names({{ kept }}, accept) joined by ''}
    union all
    {% if respondent %}
    select tanon._folded({c}), count(distinct tanon_only)
    from (
        select min({{ respondent }}) as tanon_only
        from {source}
        group by {c:name}, tanon._spelling({c:name})
        having min({{ respondent }}) = max({{ respondent }})
    )
    {% else %}
    select tanon._folded({c}), count(*) filter (tanon_n = 1)
    from (select count(*) as tanon_n from {source} group by {c:name}, tanon._spelling({c:name}))
    {% endif %}
    {end}
),
tanon_all as (
    select count({% if respondent %}distinct {{ respondent }}{% else %}*{% endif %}) as tanon_n
    from {source}
),
tanon_kept_is_fine as (
    select coalesce((
        select error({function}
            || ': {{ kept }} must be columns that do not tell who a row is about, got '
            || string_agg(tanon_column || ' (' || coalesce(tanon_what, printf(
                '%.2f of the {{ people }} have a value of their own',
                ceil(round(100 * tanon_share, 6)) / 100
            )) || ')', ', ' order by tanon_column)
            || '; those that nobody else can know may be named in accept')
        from (
            select *, coalesce(tanon_alone / nullif(tanon_n, 0), 0) as tanon_share
            from tanon_suspects join tanon_singled using (tanon_folded), tanon_all
        )
        where tanon_what is not null or tanon_share > 0.2
        having count(*) > 0
    ), true) as tanon_fine
)
