with
-- the argument individuals: tanon_duck/macros/source_ctes.py
tanon_given_individuals as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "people")
    union all by name select null::BIGINT as a_group, null as "age", null as "sex" where false
),
-- the argument individuals: tanon_duck/macros/source_ctes.py
tanon_columns_of_individuals as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.evaluate_table_pair: individuals must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "people")
),
-- the argument individuals: tanon_duck/macros/source_ctes.py
tanon_individuals_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.evaluate_table_pair: individuals must be a table, a view or a query in parentheses with columns a_group'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['a_group']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_individuals)
        having count(*) > 0),
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
                from tanon_columns_of_individuals, (values
                (1, 'age', 'age', 'tanon.evaluate_table_pair: qi must be columns of individuals, none twice', '', ''),
                (2, 'sex', 'sex', 'tanon.evaluate_table_pair: qi must be columns of individuals, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument individuals: tanon_duck/macros/source_ctes.py
tanon_individuals as not materialized (
    from tanon_given_individuals where (select fine from tanon_individuals_is_fine)
),
-- the argument counts: tanon_duck/macros/source_ctes.py
tanon_given_counts as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "diseases")
    union all by name select null::BIGINT as a_group, null::BIGINT as records, null as "diagnosis" where false
),
-- the argument counts: tanon_duck/macros/source_ctes.py
tanon_columns_of_counts as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.evaluate_table_pair: counts must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "diseases")
),
-- the argument counts: tanon_duck/macros/source_ctes.py
tanon_counts_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.evaluate_table_pair: counts must be a table, a view or a query in parentheses with columns a_group, records'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['a_group', 'records']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_counts)
        having count(*) > 0),
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
                from tanon_columns_of_counts, (values
                (0, 'diagnosis', 'diagnosis', 'tanon.evaluate_table_pair: sensitive must be a column of counts', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument counts: tanon_duck/macros/source_ctes.py
tanon_counts as not materialized (
    from tanon_given_counts where (select fine from tanon_counts_is_fine)
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "age", null as "diagnosis", null as "sex" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.evaluate_table_pair: source must be a relation without columns that begin with tanon_, got one with '
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
                (1, 'age', 'age', 'tanon.evaluate_table_pair: qi must be columns of source, none twice', '', ''),
                (2, 'sex', 'sex', 'tanon.evaluate_table_pair: qi must be columns of source, none twice', '', ''),
                (1000000, 'diagnosis', 'diagnosis', 'tanon.evaluate_table_pair: sensitive must be a column of source', '', ''),
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
-- sql/steps/utility/errors.sql
tanon_selectivities as (
    from (values
        (1, 'none', -1, 0), (2, 'below 0.1 %', 0, 0.001), (3, '0.1 to 1 %', 0.001, 0.01),
        (4, '1 to 10 %', 0.01, 0.1), (5, '10 % and more', 0.1, 2), (6, 'all', -1, 2)
    ) as tanon_v(tanon_place, tanon_class, tanon_above, tanon_upto)
),
-- sql/steps/utility/leaves.sql
tanon_leaves as materialized (
    select
        'age' as tanon_attribute, tanon_text, tanon_n, tanon_is_ordered,
        row_number() over (order by tanon_raw asc nulls first, tanon_text asc nulls first) - 1
            as tanon_leaf
    from (
        select
            tanon._value_text("age") as tanon_text,
            any_value("age") as tanon_raw, count(*) as tanon_n,
            regexp_matches(any_value(typeof("age")),
                '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|BIGNUM|DECIMAL.*|DATE|TIME.*)$'
            ) as tanon_is_ordered
        from tanon_source
        group by tanon._value_text("age")
    )
     union all
    select
        'sex' as tanon_attribute, tanon_text, tanon_n, tanon_is_ordered,
        row_number() over (order by tanon_raw asc nulls first, tanon_text asc nulls first) - 1
            as tanon_leaf
    from (
        select
            tanon._value_text("sex") as tanon_text,
            any_value("sex") as tanon_raw, count(*) as tanon_n,
            regexp_matches(any_value(typeof("sex")),
                '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|BIGNUM|DECIMAL.*|DATE|TIME.*)$'
            ) as tanon_is_ordered
        from tanon_source
        group by tanon._value_text("sex")
    )
     union all
    select
        'diagnosis' as tanon_attribute, tanon_text, tanon_n, tanon_is_ordered,
        row_number() over (order by tanon_raw asc nulls first, tanon_text asc nulls first) - 1
            as tanon_leaf
    from (
        select
            tanon._value_text("diagnosis") as tanon_text,
            any_value("diagnosis") as tanon_raw, count(*) as tanon_n,
            regexp_matches(any_value(typeof("diagnosis")),
                '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|BIGNUM|DECIMAL.*|DATE|TIME.*)$'
            ) as tanon_is_ordered
        from tanon_source
        group by tanon._value_text("diagnosis")
    )
),
-- sql/steps/utility/leaves.sql
tanon_attributes_told as (
    select
        list_position(list_concat(['age', 'sex']::varchar[], tanon._list('diagnosis')), tanon_attribute)
            as tanon_place,
        {
            'rows': list(tanon_n order by tanon_leaf asc nulls last),
            'is_ordered': bool_and(tanon_is_ordered),
            'has_null': bool_or(tanon_text is null)
        } as tanon_told
    from tanon_leaves
    group by tanon_attribute
),
-- sql/functions/l_diversity/evaluate_table_pair.sql
tanon_texts_of_rows as (
    select
        tanon._value_text("age") as "age",
        tanon._value_text("sex") as "sex",
        tanon._value_text("diagnosis") as "diagnosis",
        count(*) as tanon_n
    from tanon_source
    group by all
),
-- sql/steps/utility/leaves.sql
tanon_coded_rows_met as materialized (
    select
        tanon_c.*, [
            "tanon_dictionary_age".tanon_leaf
            ,
            "tanon_dictionary_sex".tanon_leaf
            ,
            "tanon_dictionary_diagnosis".tanon_leaf
        ] as tanon_codes
    from tanon_texts_of_rows as tanon_c
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'age'
    ) as "tanon_dictionary_age"
        on tanon_c."age" is not distinct from "tanon_dictionary_age".tanon_text
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'sex'
    ) as "tanon_dictionary_sex"
        on tanon_c."sex" is not distinct from "tanon_dictionary_sex".tanon_text
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'diagnosis'
    ) as "tanon_dictionary_diagnosis"
        on tanon_c."diagnosis" is not distinct from "tanon_dictionary_diagnosis".tanon_text
),
-- sql/steps/anatomy/pair.sql
tanon_people_in_groups as materialized (
    select
        tanon._value_text("age") as "age",
        tanon._value_text("sex") as "sex",
        a_group as tanon_group, count(*) as tanon_n
    from tanon_individuals
    group by all
),
-- sql/steps/anatomy/pair.sql
tanon_values_in_groups as materialized (
    select tanon._value_text("diagnosis") as "diagnosis", a_group as tanon_group,
        sum(records)::bigint as tanon_n
    from tanon_counts
    group by all
),
-- sql/steps/anatomy/pair.sql
tanon_groups_fit as (
select coalesce(error('tanon.evaluate_table_pair' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'individuals must have the groups of counts, each of as many rows, got ' || count(*)
        || ' groups that differ'
    from (
        select tanon_group, sum(tanon_n) as tanon_n from tanon_people_in_groups group by tanon_group
    ) as tanon_p full join (
        select tanon_group, sum(tanon_n) as tanon_n from tanon_values_in_groups group by tanon_group
    ) as tanon_v on tanon_p.tanon_group = tanon_v.tanon_group
    where tanon_p.tanon_n is distinct from tanon_v.tanon_n
        or tanon_p.tanon_group is null
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/l_diversity/evaluate_table_pair.sql
tanon_expected as materialized (
    select
        "age", "sex", "diagnosis",
        list_sum(list(tanon_n order by tanon_group asc nulls last)) as tanon_n
    from (
        select
            tanon_p."age", tanon_p."sex",
            tanon_v."diagnosis", tanon_group,
            tanon_p.tanon_n * tanon_v.tanon_n / tanon_all as tanon_n
        from tanon_people_in_groups as tanon_p join (
            select *, sum(tanon_n) over (partition by tanon_group) as tanon_all
            from tanon_values_in_groups
        ) as tanon_v using (tanon_group)
        where (select tanon_fine from tanon_groups_fit)
    )
    group by all
),
-- sql/steps/utility/leaves.sql
tanon_cells_expected as materialized (
    select
        tanon_c.*, [
            "tanon_dictionary_age".tanon_leaf
            ,
            "tanon_dictionary_sex".tanon_leaf
            ,
            "tanon_dictionary_diagnosis".tanon_leaf
        ] as tanon_codes
    from tanon_expected as tanon_c
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'age'
    ) as "tanon_dictionary_age"
        on tanon_c."age" is not distinct from "tanon_dictionary_age".tanon_text
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'sex'
    ) as "tanon_dictionary_sex"
        on tanon_c."sex" is not distinct from "tanon_dictionary_sex".tanon_text
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'diagnosis'
    ) as "tanon_dictionary_diagnosis"
        on tanon_c."diagnosis" is not distinct from "tanon_dictionary_diagnosis".tanon_text
),
-- sql/functions/l_diversity/evaluate_table_pair.sql
tanon_pair_is_of_source as (
select coalesce(error('tanon.evaluate_table_pair' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'individuals and counts must hold values of source, got '
        || round(tanon_all - tanon_known)::bigint || ' rows with others'
    from (select coalesce(sum(tanon_n), 0) as tanon_all from tanon_people_in_groups),
        (select coalesce(sum(tanon_n), 0) as tanon_known from tanon_cells_expected)
    where tanon_all - tanon_known > 0.5
) as tanon_messages(tanon_message)
),
-- sql/functions/l_diversity/evaluate_table_pair.sql
tanon_cells_listed as (
    select list(list_concat(tanon_codes, [tanon_n, 0])::double[]) as tanon_released
    from tanon_cells_expected
    where (select tanon_fine from tanon_pair_is_of_source)
),
-- sql/functions/l_diversity/evaluate_table_pair.sql
tanon_answers_of_pair as materialized (
    select unnest(tanon._answer("_tanon_count_queries"(
        tanon_attributes, [], 1, tanon_cells, tanon_members, [], tanon_released, 1,
        1000, 0
    )), recursive := true)
    from (
        select
            list(tanon_told order by tanon_place asc nulls last) as tanon_attributes,
            list(null::bigint[][] order by tanon_place asc nulls last) as tanon_members
        from tanon_attributes_told
    ), (
        select list(list_concat(tanon_codes, [tanon_n])) as tanon_cells from tanon_coded_rows_met
    ), tanon_cells_listed
)
-- sql/functions/l_diversity/evaluate_table_pair.sql
    select
        tanon_class as selectivity, count(truth) as queries,
        median(abs(estimate - truth) / nullif(truth, 0)) as median_relative_error,
        quantile_cont(abs(estimate - truth) / nullif(truth, 0), 0.9) as ninth_decile,
        median(abs(estimate - truth)) as median_absolute_error
    from tanon_selectivities left join (
        select truth, estimate, truth / (select count(*) from tanon_source) as tanon_share
        from tanon_answers_of_pair
    )
        on case tanon_class when 'all' then true when 'none' then truth = 0
            else truth > 0 and tanon_share >= tanon_above and tanon_share < tanon_upto end
    group by tanon_place, tanon_class
    order by tanon_place asc nulls last
