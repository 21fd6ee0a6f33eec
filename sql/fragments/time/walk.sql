{# Algorithm 1 as a chain of stages: stage i measures the granularity of rank i unless one that is
   finer has been accepted. Where a gate stays shut its stage reads no row. #}
tanon_extents as (
    select null::varchar as tanon_name, 0::bigint as tanon_extent where false
    {for g in tanon._built(granularities) joined by ''}
    union all
    select {g}, {g:extent_text} from tanon_span
    {end}
),
{# Being finer is handed on by those that cover every time, though not by calendars as such: what
   lies between two of them may end before both. #}
tanon_above as materialized (
    with recursive tanon_path as (
        select tanon_fine, tanon_coarse
        from tanon_finer join tanon_order on tanon_coarse = tanon_name
        union
        select tanon_path.tanon_fine, tanon_finer.tanon_coarse
        from tanon_path join tanon_finer on tanon_path.tanon_coarse = tanon_finer.tanon_fine
            join tanon_order on tanon_finer.tanon_coarse = tanon_name
    )
    from tanon_path
),
{for i in tanon._stages(granularities) joined by ''}
{i:gate} as materialized (
    select tanon_name
    from tanon_order
    where tanon_rank = {i}::bigint and tanon_name not in (
        select tanon_coarse
        from tanon_above
        where false
        {for j in tanon._stages_before(i) joined by ''}
            or tanon_fine in (from {j:stage}_accepted)
        {end}
    )
),
{i:stage} as materialized (
    select *
    from (select tanon_name from {i:gate}), (
        select
{% include "fragments/time/measures.sql" %}
        from (
            {if len(tanon._built(granularities)) > 0}
            select
                count(*) as tanon_n, count(case
                    when case tanon_name
                        {for g in tanon._built(granularities) joined by ''}
                        when {g} then ({g:previous_index_text}) = ({g:index_text})
                        {end}
                    end then null else 1
                end) as tanon_f
            from tanon_sorted, {i:gate} join tanon_extents using (tanon_name)
            group by tanon_value * tanon_extent + case tanon_name
                {for g in tanon._built(granularities) joined by ''}
                when {g} then {g:index_text}
                {end}
            end
            {end}
            {if len(tanon._of_calendar(granularities)) > 0}
            {if len(tanon._built(granularities)) > 0} union all {end}
            select
                count(*) as tanon_n,
                count(case when tanon_previous >= tanon_starts then null else 1 end) as tanon_f
            from tanon_sorted, tanon_tick, tanon_found join {i:gate} using (tanon_name)
            where tanon_found.tanon_tick
                = (epoch_us(tanon_sorted.tanon_t) + 62135596800000000) // tanon_width
            group by tanon_value, tanon_granule
            {end}
        )
    )
),
{i:stage}_accepted as materialized (
    select tanon_name
    from {i:stage}, tanon_span
    where tanon_suppressed <= {max_suppression} * tanon_rows
),
{end}
tanon_measured as (
    {for i in tanon._stages(granularities) joined by ' union all '}
    from {i:stage}
    {end}
),
