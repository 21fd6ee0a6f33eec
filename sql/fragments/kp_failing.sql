{# The groups that break (k,P)-anonymity, from the classes a reader sees: tanon_words. #}
tanon_failing as (
    select low, high, null::varchar as pr, null::integer as level, sum(rows)::bigint as rows,
        'fewer than k rows have these ranges' as problem
    from tanon_words group by low, high having sum(rows) < {k}
    union all
    select *, 'fewer than P rows with these ranges have this word' from tanon_words
    where rows < {p}
    union all
    select *, 'ranges and letters do not fit together' from tanon_words
    where len(low) <> len(high) or len(low) <> length(pr) or level not between 1 and 26
        or not regexp_full_match(pr, '[a-z.]*')
        or list_max(list_transform(string_split(pr, ''), lambda c: ascii(c))) > 96 + level
        or list_bool_or(list_transform(low, lambda l, i: l > high[i]))
)
