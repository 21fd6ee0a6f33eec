-- What limits promise of groups with their figures, and what the worst of these reaches.
-- Yields: promised_limits
-- Takes: sensitive, limits

piece promised_limits(groups)
    {for n in tanon._asked_of(limits) joined by ' union all '}
    select {n} || ' of ' || array_to_string(tanon._list({sensitive:text}), ', ')
            {if n = 'recursive_c'} || ', l = ' || {tanon._recursive_l(limits)}{end} as property,
        {tanon._promised_words(limits, n)} as promise,
        case when count(*) > 0 and {tanon._worst_text(n)} is null then 'none'
            else tanon._figure({tanon._worst_text(n)}) end as found,
        coalesce(bool_and(true {tanon._limit_holds(limits, n)}), true) as holds
    from {groups}
    {end}
end
