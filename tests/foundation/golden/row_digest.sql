with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "diagnosis" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.row_digest: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_source, (values
                (1, 'admitted', 'admitted', 'tanon.row_digest: only_columns must be columns of source, none twice', '', ''),
                (2, 'diagnosis', 'diagnosis', 'tanon.row_digest: only_columns must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/releases/row_digest.sql
tanon_digested as (
    select "admitted", "diagnosis" from tanon_source
),
-- sql/functions/releases/row_digest.sql
tanon_rows_digested as (
    select count(*) as tanon_rows from tanon_digested
),
-- sql/functions/releases/row_digest.sql
tanon_digest_key as materialized (
    select tanon._key( null , 'tanon.row_digest', array_to_string(
        list_transform([*columns(*)], lambda c: concat(strlen(c), ':', c)), ''
    )) as tanon_key
    from (
        select tanon._column_written(columns(* exclude (tanon_none)))
        from (select 0 as tanon_none) left join tanon_digested on false
    )
),
-- sql/functions/releases/row_digest.sql
tanon_digested_texts as (
    select concat(*columns(*)) as tanon_text
    from (select tanon._measured_text(tanon._cell_text(columns(*))) from tanon_digested)
),
-- sql/functions/releases/row_digest.sql
tanon_row_hashes as (
    select tanon_hash, tanon_hash[:3] as tanon_part
    from (
        select sha256((select tanon_key from tanon_digest_key) || encode(tanon_text)) as tanon_hash
        from tanon_digested_texts
    )
),
-- sql/functions/releases/row_digest.sql
tanon_folded_once as (
    select tanon_part, sha256(tanon_eight) as tanon_hash
    from (
        select
            tanon_part, row_number() over tanon_order as tanon_place,
            concat(tanon_hash
                , lead(tanon_hash, 1) over tanon_order
                , lead(tanon_hash, 2) over tanon_order
                , lead(tanon_hash, 3) over tanon_order
                , lead(tanon_hash, 4) over tanon_order
                , lead(tanon_hash, 5) over tanon_order
                , lead(tanon_hash, 6) over tanon_order
                , lead(tanon_hash, 7) over tanon_order
            ) as tanon_eight
        from tanon_row_hashes
        window tanon_order as (partition by tanon_part order by tanon_hash asc nulls last)
    )
    where tanon_place % 8 = 1
),
-- sql/functions/releases/row_digest.sql
tanon_folded_twice as (
    select tanon_part, sha256(tanon_eight) as tanon_hash
    from (
        select
            tanon_part, row_number() over tanon_order as tanon_place,
            concat(tanon_hash
                , lead(tanon_hash, 1) over tanon_order
                , lead(tanon_hash, 2) over tanon_order
                , lead(tanon_hash, 3) over tanon_order
                , lead(tanon_hash, 4) over tanon_order
                , lead(tanon_hash, 5) over tanon_order
                , lead(tanon_hash, 6) over tanon_order
                , lead(tanon_hash, 7) over tanon_order
            ) as tanon_eight
        from tanon_folded_once
        window tanon_order as (partition by tanon_part order by tanon_hash asc nulls last)
    )
    where tanon_place % 8 = 1
),
-- sql/functions/releases/row_digest.sql
tanon_folded_thrice as (
    select tanon_part, sha256(tanon_eight) as tanon_hash
    from (
        select
            tanon_part, row_number() over tanon_order as tanon_place,
            concat(tanon_hash
                , lead(tanon_hash, 1) over tanon_order
                , lead(tanon_hash, 2) over tanon_order
                , lead(tanon_hash, 3) over tanon_order
                , lead(tanon_hash, 4) over tanon_order
                , lead(tanon_hash, 5) over tanon_order
                , lead(tanon_hash, 6) over tanon_order
                , lead(tanon_hash, 7) over tanon_order
            ) as tanon_eight
        from tanon_folded_twice
        window tanon_order as (partition by tanon_part order by tanon_hash asc nulls last)
    )
    where tanon_place % 8 = 1
),
-- sql/functions/releases/row_digest.sql
tanon_folded_more as (
    select tanon_part, sha256(tanon_eight) as tanon_hash
    from (
        select
            tanon_part, row_number() over tanon_order as tanon_place,
            concat(tanon_hash
                , lead(tanon_hash, 1) over tanon_order
                , lead(tanon_hash, 2) over tanon_order
                , lead(tanon_hash, 3) over tanon_order
                , lead(tanon_hash, 4) over tanon_order
                , lead(tanon_hash, 5) over tanon_order
                , lead(tanon_hash, 6) over tanon_order
                , lead(tanon_hash, 7) over tanon_order
            ) as tanon_eight
        from tanon_folded_thrice
        window tanon_order as (partition by tanon_part order by tanon_hash asc nulls last)
    )
    where tanon_place % 8 = 1
),
-- sql/functions/releases/row_digest.sql
tanon_folded_again as (
    select tanon_part, sha256(tanon_eight) as tanon_hash
    from (
        select
            tanon_part, row_number() over tanon_order as tanon_place,
            concat(tanon_hash
                , lead(tanon_hash, 1) over tanon_order
                , lead(tanon_hash, 2) over tanon_order
                , lead(tanon_hash, 3) over tanon_order
                , lead(tanon_hash, 4) over tanon_order
                , lead(tanon_hash, 5) over tanon_order
                , lead(tanon_hash, 6) over tanon_order
                , lead(tanon_hash, 7) over tanon_order
            ) as tanon_eight
        from tanon_folded_more
        window tanon_order as (partition by tanon_part order by tanon_hash asc nulls last)
    )
    where tanon_place % 8 = 1
),
-- sql/functions/releases/row_digest.sql
tanon_folded_last as (
    select tanon_part, sha256(tanon_eight) as tanon_hash
    from (
        select
            tanon_part, row_number() over tanon_order as tanon_place,
            concat(tanon_hash
                , lead(tanon_hash, 1) over tanon_order
                , lead(tanon_hash, 2) over tanon_order
                , lead(tanon_hash, 3) over tanon_order
                , lead(tanon_hash, 4) over tanon_order
                , lead(tanon_hash, 5) over tanon_order
                , lead(tanon_hash, 6) over tanon_order
                , lead(tanon_hash, 7) over tanon_order
            ) as tanon_eight
        from tanon_folded_again
        window tanon_order as (partition by tanon_part order by tanon_hash asc nulls last)
    )
    where tanon_place % 8 = 1
)
-- sql/functions/releases/row_digest.sql
select
    (select tanon_rows from tanon_rows_digested) as rows,
    '1:' || sha256(concat(
        hex((select tanon_key from tanon_digest_key)),
        (select string_agg(
            tanon_hash, '' order by tanon_part asc nulls last, tanon_hash asc nulls last
        ) from tanon_folded_last)
    )) as digest
