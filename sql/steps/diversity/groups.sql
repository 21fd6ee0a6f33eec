-- The groups of a table with their figures: rows are counted, or, where respondent is given,
-- respondents once for each of their values in a group.
-- Yields: measured_groups
-- Reads: group_figures, sensitive_values
-- Takes: source, groups, sensitive, respondent, distance, limits

step diverse_groups materialized
    select {groups}, row_number() over () as tanon_group from {source} group by {groups}
end

step counted_once not materialized
    select {groups}, {sensitive} as tanon_sensitive
    from {source}
    {if respondent is not null}group by {groups}, {sensitive}, {respondent}{end}
end

step value_counts materialized
    select tanon_group, tanon_value, count(*) as tanon_n
    from {counted_once} as tanon_s join {diverse_groups} as tanon_g
        on {for g in tanon._list(groups) joined by ' and '}
            tanon_s.{g:name} is not distinct from tanon_g.{g:name}
        {end}
    join {sensitive_values} as tanon_v
        on tanon_s.tanon_sensitive is not distinct from tanon_v.tanon_sensitive
    group by tanon_group, tanon_value
end

step value_shares materialized
    select tanon_value, sum(tanon_n) / (select sum(tanon_n) from {value_counts}) as tanon_p
    from {value_counts}
    group by tanon_value
end

use figures_of_groups = group_figures(counts = value_counts, shares = value_shares)

step measured_groups materialized
    select *, {tanon._limits_text(limits)} as tanon_holds
    from ({figures_of_groups}) join {diverse_groups} using (tanon_group)
end
