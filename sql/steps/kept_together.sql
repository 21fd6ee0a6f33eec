-- That the columns which leave as they are do not tell together who a row is about, though none
-- does by itself; those that are accepted are not counted, as nobody else can know them.
-- Yields: kept_together_is_fine
-- Reads: kept_rows, columns_that_tell, all_who_are_kept
-- Takes: keep, allow_identifying, max_singled_out

step values_together
    select
        [{for c in tanon._without_names(keep, allow_identifying) joined by ', '}
        any_value(tanon._value_text({c:name})){end}]::varchar[] as tanon_texts,
        min(tanon_whose) as tanon_least, max(tanon_whose) as tanon_most, count(*) as tanon_n
    from {kept_rows}
    {if len(tanon._without_names(keep, allow_identifying)) > 1}
    group by {for c in tanon._without_names(keep, allow_identifying) joined by ', '}
        tanon._order_key({c:name}){end}
    {else}
    where false
    having count(*) > 0
    {end}
end

step alone_with_all
    select tanon_least as tanon_only
    from {values_together}
    where tanon_least = tanon_most or tanon_n = 1
end

step singled_out_together
    select count(distinct tanon_only) + count(*) filter (tanon_only is null) as tanon_alone
    from {alone_with_all}
end

guard kept_together_is_fine
    select {keep:argument} || ' must be columns that do not tell together who a row is about, got '
        || concat_ws(
            ', ', '' {for c in tanon._without_names(keep, allow_identifying) joined by ''}, {c}{end}
        )[3:]
        || printf(
            ' (%.2f of the %s have values of their own)',
            ceil(round(100 * tanon_alone / tanon_n, 6)) / 100, tanon_people
        ) || '; columns named in allow_identifying are released all the same'
    from {singled_out_together}, {all_who_are_kept}
    where tanon_alone > {max_singled_out} * tanon_n and not exists (from {columns_that_tell})
end
