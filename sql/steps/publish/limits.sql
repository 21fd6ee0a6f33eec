-- Whether the groups of some rows, which have a tanon_label and a tanon_secret, are within the
-- limits. A respondent counts once for each value, in a group and in the source, whose shares of
-- values are what those of a group are compared with, whatever is left out.
-- Yields: group_limits, source_shares
-- Reads: group_figures, sensitive_values
-- Takes: source, respondent, qi, sensitive, limits

step source_shares materialized
    select tanon_value, count(*) / sum(count(*)) over () as tanon_p
    from (
        select {sensitive} as tanon_secret from {source} group by {sensitive}, {respondent}
    ) as tanon_s join {sensitive_values} as tanon_v
        on tanon_s.tanon_secret is not distinct from tanon_v.tanon_sensitive
    group by tanon_value
end

use figures_of_rows = group_figures(counts = tanon_pairs_met, shares = source_shares)

piece group_limits(rows)
    with tanon_keyed as materialized (
        select {qi}, tanon_label, row_number() over () as tanon_group
        from {rows}
        group by {qi}, tanon_label
    ),
    tanon_pairs_met as materialized (
        select tanon_group, tanon_value, count(*) as tanon_n
        from (
            select {qi}, tanon_label, tanon_secret
            from {rows}
            group by {qi}, tanon_label, tanon_secret, {respondent}
        ) as tanon_s join tanon_keyed as tanon_g
            on {for q in tanon._list(qi) joined by ' and '}
                tanon_s.{q:name} is not distinct from tanon_g.{q:name}
            {end} and tanon_s.tanon_label is not distinct from tanon_g.tanon_label
        join {sensitive_values} as tanon_v
            on tanon_s.tanon_secret is not distinct from tanon_v.tanon_sensitive
        group by tanon_group, tanon_value
    )
    select *, {tanon._limits_text(limits)} as tanon_holds
    from tanon_keyed join (
        {figures_of_rows}
    ) using (tanon_group)
end
