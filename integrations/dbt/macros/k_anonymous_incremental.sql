{#- The next batch of a k-anonymous release at one granularity: the granules that have ended and
    that are not released yet. Together the batches are what one release at this granularity would
    have been, and no granule is released twice. -#}
{%- macro k_anonymous_incremental(source, respondent, qi, ts, granularity, k, upto=none) -%}
    {%- do tanon.refuse_other_batches(ts, granularity, kwargs) -%}
    {%- set granule = tanon.granule_of(ts, granularity, kwargs.get('tz')) -%}
    {%- set rows -%}
        (from {{ tanon.relation(source) }}
        where {{ granule.end }} is null
            or {{ tanon.has_ended(granule, source, ts, upto) }}
        {%- if is_incremental() %}
            and {{ granule.label }} > coalesce((select max({{ granule.ts }}) from {{ this }}), '')
        {%- endif -%}
        )
    {%- endset -%}
    {%- do kwargs.update({'respondent': respondent, 'qi': qi, 'ts': ts, 'granularities': [granularity], 'k': k}) -%}
    select *, {{ tanon.literal(granularity) }} as {{ adapter.quote(ts ~ '_granularity') }}
    from {{ tanon.called('publish_events', tanon.signature('publish_events'), [rows], kwargs) }}
{%- endmacro -%}


{#- Which groups of rows the batches so far left at home, and why: for the owner. -#}
{%- macro k_anonymous_incremental_left_out(source, release, respondent, qi, ts, granularity, k, tz=none) -%}
    {%- set columns = [qi] if qi is string else qi -%}
    {%- set label = adapter.quote(ts) -%}
    {%- set arguments = {'respondent': respondent, 'qi': columns, 'ts': ts, 'granularity': granularity} -%}
    {%- do arguments.update({'tz': tz} if tz is not none else {}) -%}
    with tanon_found as (
        from {{ tanon.call('frequency_set', source, **arguments) }}
    ),
    tanon_released as (
        select {% for c in columns %}{{ adapter.quote(c) }}, {% endfor %}{{ label }},
            count(*) as tanon_rows
        from {{ release }}
        group by all
    )
    select
        f.*,
        coalesce(tanon_rows, 0) as released,
        case
            when f.{{ label }} > coalesce((select max({{ label }}) from tanon_released), '')
                then 'its granule is not released yet'
            when tanon_rows is null and frequency < {{ k }} then 'fewer than k'
            else 'came after its granule was released'
        end as reason
    from tanon_found as f
    left join tanon_released as r
        on {% for c in columns %}f.{{ adapter.quote(c) }} is not distinct from r.{{ adapter.quote(c) }}
        and {% endfor %}f.{{ label }} = r.{{ label }}
    where tuples > coalesce(tanon_rows, 0)
{%- endmacro -%}


{#- The SQL of a granule's label and end for each row. -#}
{%- macro granule_of(ts, granularity, tz) -%}
    {%- set column = adapter.quote(ts) -%}
    {%- set given = column ~ ', ' ~ tanon.literal(granularity) -%}
    {%- set given = given if tz is none else given ~ ', ' ~ tanon.literal(tz) -%}
    {{- return({
        'ts': column,
        'label': 'tanon.granule_label(' ~ given ~ ')',
        'end': 'tanon.granule_end(' ~ given ~ ')',
    }) -}}
{%- endmacro -%}


{#- A granule has ended if that was said (upto), or if a row was seen since then that is no later
    than now: a time mistyped into the future ends nothing. -#}
{%- macro has_ended(granule, source, ts, upto) -%}
    {%- if upto is not none -%}
        {{- return(granule.end ~ ' <= ' ~ tanon.literal(upto)) -}}
    {%- endif -%}
    {{- return(granule.end ~ ' <= (select max(' ~ granule.ts ~ ') from ' ~ tanon.relation(source)
        ~ ' where ' ~ granule.ts ~ ' <= now())') -}}
{%- endmacro -%}


{%- macro refuse_other_batches(ts, granularity, arguments) -%}
    {%- set function = 'k_anonymous_incremental' -%}
    {%- if 'granularities' in arguments or granularity is not string -%}
        {{- tanon.refuse(function, 'granularity must be one text: where several are offered, each '
            ~ 'batch would choose for itself, and their granules would cut each other') -}}
    {%- elif 'calendar' in arguments -%}
        {{- tanon.refuse(function, 'calendar is not offered: its labels need not sort like time, '
            ~ 'so that what is released could not be told from what is new') -}}
    {%- endif -%}
    {%- if execute and model is defined and model.resource_type == 'model' -%}
        {%- set kind = model.config.materialized -%}
        {%- set strategy = model.config.incremental_strategy or 'append' -%}
        {%- if kind != 'incremental' -%}
            {{- tanon.refuse(function, 'the model must be incremental, got ' ~ kind
                ~ ', which would release every granule again with what has come since') -}}
        {%- elif strategy != 'append' or model.config.unique_key -%}
            {{- tanon.refuse(function, 'the strategy must be append, without unique_key, got '
                ~ strategy ~ ': what is released is neither cut otherwise nor taken back') -}}
        {%- endif -%}
        {%- if is_incremental() -%}
            {%- do tanon.refuse_another_granularity(function, ts, granularity) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro -%}


{%- macro refuse_another_granularity(function, ts, granularity) -%}
    {%- set column = ts ~ '_granularity' -%}
    {%- set there = adapter.get_columns_in_relation(this) | map(attribute='name') | list -%}
    {%- if column not in there -%}
        {{- tanon.refuse(function, this ~ ' must be a release of this macro, got one without '
            ~ column) -}}
    {%- endif -%}
    {%- set others = run_query('select distinct ' ~ adapter.quote(column) ~ ' from ' ~ this
        ~ ' where ' ~ adapter.quote(column) ~ ' is distinct from ' ~ tanon.literal(granularity)
        ~ ' order by 1').columns[0].values() -%}
    {%- if others -%}
        {{- tanon.refuse(function, 'granularity must be ' ~ others | join(', ')
            ~ ', in which the batches before were released, got ' ~ granularity
            ~ ': its granules would cut theirs') -}}
    {%- endif -%}
{%- endmacro -%}
