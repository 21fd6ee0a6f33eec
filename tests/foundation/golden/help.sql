with tanon_call as (
select true
),
-- sql/steps/help/told.sql
tanon_functions as (
    select distinct function_name as function, comment
    from duckdb_functions()
    where (database_name = 'tanon' or schema_name = 'tanon') and comment is not null
),
-- sql/steps/help/told.sql
tanon_described as (
    select
        function,
        regexp_extract(comment, '\nTopic: (.*)', 1) as topic,
        regexp_extract(comment, '\nSignature: (.*)', 1) as signature,
        split_part(comment, E'\n', 1) as summary,
        regexp_matches(comment, '\nPython: yes') as needs_python,
        split_part(comment, E'\nExample:\n', 2) as example
    from tanon_functions
),
-- sql/steps/help/told.sql
tanon_named as (
    select regexp_extract_all(comment, '\n(For|Argument|Result)( \w+)?: (.*)', 0) as rows, comment
    from tanon_functions
    where function = regexp_replace('k_anonymity', '^tanon\.', '')
),
-- sql/steps/help/told.sql
tanon_parts as (
    select
        1 as place, 'summary' as part, '' as item, '' as kind,
        split_part(comment, E'\n', 1) as text
    from tanon_named
    union all
    select 2, 'signature', '', '', regexp_extract(comment, '\nSignature: (.*)', 1) from tanon_named
    union all
    select
        2 + place, lower(regexp_extract(line, '\n([\w ]+): ', 1)),
        if(len(cells) = 1, '', trim(cells[1])), if(len(cells) = 1, '', trim(cells[2])),
        trim(cells[-1])
    from (
        select
            generate_subscripts(rows, 1) as place, unnest(rows) as line,
            string_split(regexp_replace(line, '^\n[\w ]+: ', ''), ' | ') as cells
        from tanon_named
    )
    union all
    select 1000, 'details', '', '', regexp_extract(comment, '(?s)\nDetails:\n(.*)\n\nExample:\n', 1)
    from tanon_named
    union all
    select 1001, 'example', '', '', split_part(comment, E'\nExample:\n', 2) from tanon_named
),
-- sql/functions/help/help.sql
tanon_topics as (
    select topic, string_agg(function, ', ' order by function asc nulls last) as names
    from tanon_described group by topic
),
-- sql/functions/help/help.sql
tanon_of_topic_or_term as (
    select function as place, list_concat([function], tanon._wrapped(summary, '    ')) as help
    from tanon_described join tanon_functions using (function)
    where (select count(*) from tanon_named) = 0
        and case when 'k_anonymity' in (select topic from tanon_topics) then topic = 'k_anonymity'
            when tanon._new_name('k_anonymity') is not null then false
            else regexp_matches(comment, '(?i)\b' || regexp_escape('k_anonymity') || '\b') end
),
-- sql/functions/help/help.sql
tanon_known as (
    select if(
        count(*) = 1 or true and (select count(*) from tanon_of_topic_or_term) > 0, true, error(
            'tanon.help: there is no function tanon.' || 'k_anonymity' || coalesce(
                '; it is now called ''' || tanon._new_name('k_anonymity') || '''',
                nullif(tanon._hint('k_anonymity', (select list(function) from tanon_functions)), ''),
                '; from tanon.help() lists all')
        )) as known
    from tanon_named
),
-- sql/functions/help/help.sql
tanon_of_function as (
    select
        place, part in ('signature', 'details', 'example')
        or (part = 'argument' or starts_with(part, 'result'))
        and part <> lag(part, 1, '') over (order by place asc nulls last) as tanon_is_first,
        case
            when part = 'signature' then tanon._wrapped(text, '    ')
            when part = 'details' then tanon._paragraphs(text)
            when part = 'example' then tanon._code_lines(text)
            when starts_with(part, 'for') then ['F' || part[2:] || ': ' || text]
            when part = 'summary' then tanon._wrapped(text, '')
            else tanon._wrapped(concat(item, ' (', kind, '): ', text), '    ') end as tanon_lines,
        case when part = 'argument' then ['Arguments:'] when part = 'example' then ['Example:']
            when starts_with(part, 'result') then ['R' || part[2:] || ':'] else [] end
            as tanon_title
    from tanon_parts where text <> ''
)
-- sql/functions/help/help.sql
select help
from (
    select place, generate_subscripts(help, 1) as line, unnest(help) as help
    from (
    from tanon_of_topic_or_term
    union all
    select lpad(place::varchar, 5, '0'), case when tanon_is_first
        then list_concat([''], tanon_title, tanon_lines) else tanon_lines end
    from tanon_of_function
    where (select known from tanon_known)
    )
)
order by place asc nulls last, line asc nulls last
