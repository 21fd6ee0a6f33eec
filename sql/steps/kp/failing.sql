-- The groups that break (k,P)-anonymity, as a reader of `leaving` sees them. Every column that is
-- not sensitive tells rows apart: p_group where words do, all others where ranges do.
-- Yields: kp_classes, kp_failing
-- Reads: leaving, undeclared
-- Takes: k, p, sensitive

step kp_classes materialized
    select
        low, high, word, level,
        row(*columns(lambda c: c = 'tanon_none' or tanon._folded(c) = 'p_group'
            and not tanon._is_named('p_group', {sensitive:text}))) as tanon_p_group,
        row(*columns(lambda c: not tanon._is_named(tanon._folded(c), list_concat(
            ['low', 'high', 'word', 'level', 'p_group'], {sensitive:text})))) as tanon_others,
        count(*)::bigint as tanon_rows
    from (select 0 as tanon_none, * from {leaving})
    group by all
end

step kp_failing
    select low, high, null::varchar as word, null::integer as level,
        sum(tanon_rows)::bigint as rows,
        'fewer than k rows have these ranges' || tanon_and_more as problem
    from {kp_classes}, {undeclared}
    group by low, high, tanon_others, tanon_and_more having sum(tanon_rows) < {k}
    union all
    select low, high, word, level, tanon_rows,
        'fewer than P rows with these ranges have this word' || tanon_and_more
    from {kp_classes}, {undeclared} where tanon_rows < {p}
    union all
    select low, high, word, level, tanon_rows, 'ranges and letters do not fit together'
    from {kp_classes}
    where len(low) <> len(high) or len(low) <> length(word) or level not between 1 and 26
        or not regexp_full_match(word, '[a-z.]*')
        or list_max(list_transform(string_split(word, ''), lambda c: ascii(c))) > 96 + level
        or list_bool_or(list_transform(low, lambda l, i: l > high[i]))
end
