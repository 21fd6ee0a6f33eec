-- For each set of groups that is known, how many respondents are in all of them. Candidates come
-- from the group of fewest respondents and must be in the next five too, the last one again where
-- there are fewer; sets that begin alike share them. The few that are left are held against the
-- whole set. A condition that needs the candidate keeps DuckDB from looking for others first.
-- Yields: followed_trails
-- Reads: known_sets, passages, trails

step questions materialized
    select *, (row_number() over ())::integer as tanon_question,
        {for i in ['1', '2', '3', '4', '5', '6'] joined by ', '}
        tanon_known[least({i}::integer, len(tanon_known))]::bigint as {i:name}
        {end}
    from (select distinct tanon_known from {known_sets})
end

step in_two materialized
    select "1", "2", tanon_trail
    from (select distinct "1", "2" from {questions}) join {passages} on "1" = tanon_cell
    where ("2" << 32) + tanon_trail in (select tanon_step from {passages})
end

step in_three materialized
    select "1", "2", "3", tanon_trail
    from (select distinct "1", "2", "3" from {questions}) join {in_two} using ("1", "2")
    where ("3" << 32) + tanon_trail in (select tanon_step from {passages})
end

step in_six materialized
    select tanon_question, tanon_trail
    from {questions} join {in_three} using ("1", "2", "3")
    where ("4" << 32) + tanon_trail in (select tanon_step from {passages})
        and ("5" << 32) + tanon_trail in (select tanon_step from {passages})
        and ("6" << 32) + tanon_trail in (select tanon_step from {passages})
end

step answers materialized
    select tanon_known, sum(tanon_n)::bigint as tanon_f
    from {in_six} join {questions} using (tanon_question) join {trails} using (tanon_trail)
    where len(tanon_known) <= 6 or list_has_all(tanon_cells, tanon_known)
    group by tanon_known
end

step counted_answers
    select
        tanon_name, tanon_is_all, bool_or(tanon_is_drawn) as tanon_is_drawn, tanon_of,
        sum(tanon_n)::bigint as tanon_n,
        coalesce(sum(tanon_n) filter (tanon_f < 2), 0)::bigint as tanon_alone,
        coalesce(sum(tanon_n) filter (tanon_f < 5), 0)::bigint as tanon_below_5
    from {known_sets} join {answers} using (tanon_known)
    group by tanon_name, tanon_is_all, tanon_of
end

step followed_trails
    select
        tanon_name, tanon_is_all,
        list_sum(list(
            tanon_alone / tanon_of order by tanon_of asc nulls last
        )) / tanon_all as tanon_alone,
        list_sum(list(
            tanon_below_5 / tanon_of order by tanon_of asc nulls last
        )) / tanon_all as tanon_below_5,
        case when bool_or(tanon_is_drawn) then 0.98 / sqrt(tanon_all) else 0 end as tanon_margin
    from (
        select *, list_sum(list(tanon_n / tanon_of order by tanon_of asc nulls last) over (
            partition by tanon_name, tanon_is_all
        )) as tanon_all
        from {counted_answers}
    )
    group by tanon_name, tanon_is_all, tanon_all
end
