-- Returns the help of all tanon functions, of a topic or of one function.
--
-- Without name the result lists all functions by topic. The name of a topic gives the summaries of
-- its functions. The name of a function gives its arguments, result, details and example. Another
-- word lists the functions whose help contains it. Each row is a line of at most 80
-- columns. If a shell shows only some rows, raise its limit, for example with .maxrows 100. With
-- lines := false the result is a table with one row for each function, or for each part of one
-- function.
--
-- Arguments:
--   name   text = NULL     a function with or without tanon. in front, a topic, or a word of the
--       help such as KAPRA
--   lines  boolean = true  whether the result has lines; false: a table
-- Result:
--   help          VARCHAR  (as lines) a line
--   function      VARCHAR  (a table without a name) the function
--   topic         VARCHAR  (a table without a name) the topic
--   signature     VARCHAR  (a table without a name) the arguments and their defaults
--   summary       VARCHAR  (a table without a name) the first sentence
--   needs_python  BOOLEAN  (a table without a name) whether the function needs Python
--   example       VARCHAR  (a table without a name) SQL that can be run on the tables of the demo
--   part          VARCHAR  (a table with a name) summary, signature, for, argument, result,
--                         details or example; for and result with a value of the argument result
--   item          VARCHAR  (a table with a name) the name of the argument or result column
--   kind          VARCHAR  (a table with a name) the kind of the argument, or the type of the
--       column
--   text          VARCHAR  (a table with a name) the text of the part
-- For: anybody
-- Example:
--   from tanon.help('k_anonymity')

step known
    select if(
        count(*) = 1 or {lines} and (select count(*) from {of_topic_or_term}) > 0, true, error(
            'tanon.help: there is no function tanon.' || {name} || coalesce(
                '; it is now called ''' || tanon._new_name({name}) || '''',
                nullif(tanon._hint({name}, (select list(function) from {functions})), ''),
                '; from tanon.help() lists all')
        )) as known
    from {named}
end

step topics
    select topic, string_agg(function, ', ' order by function asc nulls last) as names
    from {described} group by topic
end

step overview
    select topic as place, tanon._wrapped(topic || ': ' || names, '    ') as help
    from {topics}
    union all
    select '~', ['', 'tanon.help(''kp'') tells what the functions of a topic do,',
        'tanon.help(''k_anonymity'') all of one function.']
end

-- The functions of a topic. Any other word that is no function lists the functions whose help
-- contains it: KAPRA, risk, gen_c.
step of_topic_or_term
    select function as place, list_concat([function], tanon._wrapped(summary, '    ')) as help
    from {described} join {functions} using (function)
    where (select count(*) from {named}) = 0
        and case when {name} in (select topic from {topics}) then topic = {name}
            when tanon._new_name({name}) is not null then false
            else regexp_matches(comment, '(?i)\b' || regexp_escape({name}) || '\b') end
end

step of_function
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
    from {parts} where text <> ''
end

{if not lines}
{if name is null}
select function, topic, signature, summary, needs_python, example
from {described}
order by topic asc nulls last, function asc nulls last
{else}
select part, item, kind, text
from {parts}
where (select known from {known}) and text <> ''
order by place asc nulls last
{end}
{else}
select help
from (
    select place, generate_subscripts(help, 1) as line, unnest(help) as help
    from (
    {if name is null}
    from {overview}
    {else}
    from {of_topic_or_term}
    union all
    select lpad(place::varchar, 5, '0'), case when tanon_is_first
        then list_concat([''], tanon_title, tanon_lines) else tanon_lines end
    from {of_function}
    where (select known from {known})
    {end}
    )
)
order by place asc nulls last, line asc nulls last
{end}
