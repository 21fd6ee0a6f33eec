-- Limits and presence, and tables without a time, where whole groups lie in each shard and nothing
-- is left to choose: what groups are compared with is counted over all shards, and whether too much
-- is left out as well. For shards alone.
-- Yields: secrets_here, secrets_met, sensitive_values_met, shares_met, rows_here, rows_of_span,
--   choice_offered, left_out_here, choice_taken
-- Reads: feasibility, groups_below_k, numbered_secrets, rows_in_choice, shares_of_secrets, span,
--   told_by_absence, wide_met
-- Takes: source, respondent, qi, ts, max_suppression, sensitive, limits, presence

step secrets_here when limits is not null
    select {sensitive} as tanon_sensitive, {respondent} as tanon_whose
    from {source}
    group by {sensitive}, {respondent}
end

step secrets_met when limits is not null
    select tanon_sensitive, count(*) as tanon_n from {secrets_here} group by tanon_sensitive
end

use numbered_secrets_met = numbered_secrets(secrets = secrets_met)
use shares_of_those = shares_of_secrets(secrets = secrets_met, values = sensitive_values_met)

-- As sensitive_values, of those of all shards.
step sensitive_values_met when limits is not null
    {numbered_secrets_met}
end

-- As source_shares, of all shards.
step shares_met when limits is not null
    {shares_of_those}
end

step rows_here when ts is null
    select count(*) as tanon_rows from {source}
end

-- As row_count.
step rows_of_span
    select tanon_rows as tanon_rows_of_all from {if ts is null}{rows_here}{else}{span}{end}
end

-- The only choice there is: the rows as they are, in the granularity that is offered.
step choice_offered
    select
        {for q in tanon._list(qi) joined by ''}0 as {q:name}, {end}
        {if ts is null}null::varchar as tanon_name, 1::bigint as tanon_place
        {else}
        tanon_name, 1::bigint as tanon_place
    from {feasibility}
    where tanon_reason is null
        {end}
end

step left_out_here
    select
        (select coalesce(sum(tanon_tuples), 0)::bigint from {groups_below_k}) as tanon_left,
        (
            select count(*)
            from (
                select distinct
                    {for q in tanon._list(qi) joined by ''}
                    tanon._value_text({q:name}) as {q:name}, {end}
                    tanon_granule
                from {rows_in_choice}
            )
        ) as tanon_groups
end

-- With delta_low a group of the population that nobody is of counts as left out.
step choice_taken
    select c.*
    from {choice_offered} as c, {rows_of_span}, {left_out_here}
    where tanon_left
        {if tanon._number_by_name(presence, 'delta_low') > 0}
        + (select count(*) from {wide_met}) - tanon_groups
        {end}
        <= {max_suppression} * tanon_rows_of_all
        {if limits is not null}
        and not exists (
            {told_by_absence}
        )
        {end}
end
