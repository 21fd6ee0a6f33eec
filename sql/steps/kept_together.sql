-- That the columns which leave as they are do not tell together who a row is about, though none
-- does by itself; those that are accepted are not counted, as nobody else can know them.
-- Yields: kept_together_is_fine
-- Reads: kept_rows, columns_that_tell, all_who_are_kept
-- Takes: keep, accept

step singled_out_together
    {if len(tanon._without_names(keep, accept)) > 1}
    select count(distinct tanon_only) + count(*) filter (tanon_only is null) as tanon_alone
    from (
        select min(tanon_whose) as tanon_only
        from {kept_rows}
        group by {for c in tanon._without_names(keep, accept) joined by ', '}
            tanon._order_key({c:name}){end}
        having min(tanon_whose) = max(tanon_whose) or count(*) = 1
    )
    {else}
    select 0 as tanon_alone
    {end}
end

guard kept_together_is_fine
    select {keep:argument} || ' must be columns that do not tell together who a row is about, got '
        || concat_ws(
            ', ', '' {for c in tanon._without_names(keep, accept) joined by ''}, {c}{end}
        )[3:]
        || printf(
            ' (%.2f of the %s have values of their own)',
            ceil(round(100 * tanon_alone / tanon_n, 6)) / 100, tanon_people
        ) || '; those that nobody else can know may be named in accept'
    from {singled_out_together}, {all_who_are_kept}
    where tanon_alone > 0.2 * tanon_n and not exists (from {columns_that_tell})
end
