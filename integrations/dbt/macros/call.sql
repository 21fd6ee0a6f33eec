{#- A function of tanon with its arguments, as it stands behind FROM: a table function in
    parentheses, so that it is a model by itself as well, any other as an expression. -#}
{%- macro call(function) -%}
    {%- set known = tanon.signature(function) -%}
    {%- set asked = '\nFor ' ~ kwargs.get('result', 'release') ~ ': others\n' -%}
    {%- if known and ('\nFor: others\n' in known.help or asked in known.help) -%}
        {%- do tanon.refuse_repeated_releases(function) -%}
    {%- endif -%}
    {{- return(tanon.called(function, known, varargs, kwargs)) -}}
{%- endmacro -%}


{%- macro called(function, known, by_place, by_name) -%}
    {%- set given = [] -%}
    {%- for value in by_place -%}
        {%- do given.append(tanon.literal(value)) -%}
    {%- endfor -%}
    {%- for name, value in by_name.items() -%}
        {%- if execute and name not in known.arguments -%}
            {{- tanon.refuse(function, 'there is no argument ' ~ name ~ '; there are '
                ~ known.arguments | join(', ')) -}}
        {%- endif -%}
        {%- do given.append(name ~ ' := ' ~ tanon.literal(value)) -%}
    {%- endfor -%}
    {%- set text = 'tanon.' ~ function ~ '(' ~ given | join(', ') ~ ')' -%}
    {{- return('(from ' ~ text ~ ')' if known.is_table else text) -}}
{%- endmacro -%}


{#- SQL that is to stand as it is among the arguments: tanon.sql("date '2024-01-01'"). -#}
{%- macro sql(text) -%}
    {{- return({'tanon_sql': text}) -}}
{%- endmacro -%}


{#- A value of Jinja in SQL: relations, texts, numbers, truths, none, lists, mappings, dates. -#}
{%- macro literal(value) -%}
    {%- if value is undefined -%}
        {{- exceptions.raise_compiler_error('tanon: an argument is not defined') -}}
    {%- elif value is none -%}
        {{- return('null') -}}
    {%- elif value is boolean -%}
        {{- return('true' if value else 'false') -}}
    {%- elif value is number -%}
        {{- return(value | string) -}}
    {%- elif value is string -%}
        {{- return("'" ~ value | replace("'", "''") ~ "'") -}}
    {%- elif value.quote_policy is defined -%}
        {{- return(tanon.literal(tanon.relation(value))) -}}
    {%- elif value is mapping and 'tanon_sql' in value -%}
        {{- return(value.tanon_sql) -}}
    {%- elif value is mapping -%}
        {%- set fields = [] -%}
        {%- for name, field in value.items() -%}
            {%- do fields.append(tanon.literal(name | string) ~ ': ' ~ tanon.literal(field)) -%}
        {%- endfor -%}
        {{- return('{' ~ fields | join(', ') ~ '}') -}}
    {%- elif value.isoformat is defined -%}
        {{- return(tanon.literal(value.isoformat())) -}}
    {%- else -%}
        {%- set items = [] -%}
        {%- for item in value -%}
            {%- do items.append(tanon.literal(item)) -%}
        {%- endfor -%}
        {{- return('[' ~ items | join(', ') ~ ']') -}}
    {%- endif -%}
{%- endmacro -%}


{#- The text that names a relation for a function: what dbt made of ref(), source() or where. -#}
{%- macro relation(relation) -%}
    {%- set text = relation | string | trim -%}
    {{- return(text if text.startswith('"') else '(from ' ~ text ~ ')') -}}
{%- endmacro -%}


{#- What the functions on this connection say of one: its arguments, and whom its result is for.
    Nothing while dbt only parses. -#}
{%- macro signature(function) -%}
    {%- if not execute -%}
        {{- return({}) -}}
    {%- endif -%}
    {%- set of_ours -%}
        from duckdb_functions()
        where 'tanon' in (database_name, schema_name) and function_type in ('macro', 'table_macro')
    {%- endset -%}
    {%- set found = run_query(
        "select function_type, array_to_string(parameters, ','), comment " ~ of_ours
        ~ ' and function_name = ' ~ tanon.literal(function) ~ ' order by len(parameters) desc limit 1'
    ).rows -%}
    {%- if found | length == 0 -%}
        {%- set near = run_query(
            'select function_name from (select distinct function_name ' ~ of_ours
            ~ " and contains(comment, 'Topic: ')) order by jaro_winkler_similarity(function_name, "
            ~ tanon.literal(function) ~ ') desc limit 3'
        ).columns[0].values() -%}
        {{- tanon.refuse(function, 'there is no such function; did you mean ' ~ near | join(', ')
            if near else "the functions are not here: name them in the profile, plugins: "
            ~ "[{module: tanon_duck.integrations.dbt}]") -}}
    {%- endif -%}
    {%- set said = found[0][2] or '' -%}
    {{- return({
        'is_table': found[0][0] == 'table_macro',
        'arguments': (found[0][1] or '').split(','),
        'help': said,
        'has_holds': '\nResult: holds |' in said,
    }) -}}
{%- endmacro -%}


{#- A release is made once. What dbt would make again, batch by batch, is refused. -#}
{%- macro refuse_repeated_releases(function) -%}
    {%- if model is defined and model.resource_type == 'model' -%}
        {%- set kind = model.config.materialized -%}
        {%- if kind == 'incremental' -%}
            {{- tanon.refuse(function, 'an incremental model would release each batch by itself, '
                ~ 'at a granularity and in groups of its own, and releases of the same people add '
                ~ 'up. Use tanon.k_anonymous_incremental, which cuts batches where granules end, '
                ~ 'or the table materialization, or tanon-duck stream for a stream') -}}
        {%- elif kind in ('view', 'ephemeral') -%}
            {%- do exceptions.warn('tanon.' ~ function ~ ' in ' ~ model.name ~ ': a model that is '
                ~ ('a view' if kind == 'view' else 'ephemeral') ~ ' is released anew by every '
                ~ "reading, and changed rows add up; say materialized='table'") -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro -%}


{%- macro refuse(function, sentence) -%}
    {{- exceptions.raise_compiler_error('tanon.' ~ function ~ ': ' ~ sentence) -}}
{%- endmacro -%}
