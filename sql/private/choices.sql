-- Levels and weights by attribute, as {'zip': 2} or as a map, and what they decide.

create or replace macro tanon._numbers_by_name(x) as try_cast(to_json(x) as map (varchar, double));

create or replace macro tanon._names_by_number(x) as
    coalesce(map_keys(tanon._numbers_by_name(x)), []::varchar[]);

create or replace macro tanon._number_by_name(x, name) as list_filter(
    map_entries(tanon._numbers_by_name(x)),
    lambda e: tanon._folded(e['key']) = tanon._folded(name))[1]['value'];

create or replace macro tanon._are_named_numbers(x, is_right) as
    len(tanon._names_by_number(x)) > 0
    and list_unique(list_transform(tanon._names_by_number(x), lambda e: tanon._folded(e)))
        = len(tanon._names_by_number(x)) and is_right;

-- One number, or a list of them, as a list.
create or replace macro tanon._numbers_text(x) as
    concat('[', array_to_string(tanon._list(x), ', '), ']::bigint[]');

create or replace macro tanon._are_levels(x) as tanon._are_named_numbers(x, list_bool_and(
    list_transform(map_values(tanon._numbers_by_name(x)),
        lambda v: coalesce(v >= 0 and v <= 1000 and v = floor(v), false))));

create or replace macro tanon._preferences() as
    ['least', 'gen_s', 'discernibility', 'entropy'];

create or replace macro tanon._is_preference(x) as
    list_contains(tanon._preferences(), x::varchar)
    or tanon._are_named_numbers(x, list_bool_and(list_transform(
        map_values(tanon._numbers_by_name(x)),
        lambda v: coalesce(isfinite(v) and v >= 0, false))));

-- The level at which an attribute is fixed, as text; empty where it is not.
create or replace macro tanon._level_literal(name, levels) as
    tanon._text(coalesce(tanon._number_by_name(levels, name)::integer::varchar, ''));

create or replace macro tanon._weight_text(name, choose_by) as
    coalesce(tanon._number_by_name(choose_by, name), 1)::varchar || '::double';

-- What choices are ordered by before their levels and granularities.
create or replace macro tanon._preference_text(choose_by) as case
    when choose_by is null then 'tanon_bits asc nulls last,'
    else concat(case choose_by::varchar
        when 'least' then 'tanon_m asc nulls first,'
        when 'gen_s' then ''
        when 'discernibility' then 'tanon_discernibility asc nulls last,'
        else 'tanon_bits asc nulls last,' end, 'tanon_s desc nulls last, ',
        'tanon_discernibility asc nulls last, tanon_bits asc nulls last,') end;

-- Whether choices above the minimal ones are compared too: they may leave out fewer rows.
create or replace macro tanon._looks_above(choose_by, share) as
    share > 0 and choose_by is not null
        and not list_contains(['least', 'gen_s'], choose_by::varchar);

create or replace macro tanon._is_discerned(choose_by) as
    coalesce(choose_by::varchar = 'discernibility', false);

-- Attributes that leave as text: those that a hierarchy may generalize.
create or replace macro tanon._recoded(qi, hierarchies, levels) as case
    when hierarchies is null then []::varchar[]
    else list_filter(tanon._list(qi),
        lambda q: coalesce(tanon._number_by_name(levels, q), 1) > 0) end;

-- A granularity alone is found by a walk over the granularities; all else by a search of levels.
create or replace macro tanon._is_searched(ts, hierarchies, choose_by, limits, presence) as
    ts is null or hierarchies is not null or choose_by is not null or limits is not null
    or presence is not null;

-- What a release is that does more than make time coarser and leave rows out.
create or replace macro tanon._is_more_than_time
    (ts, hierarchies, choose_by, limits, presence, suppression, remainder) as
    tanon._is_searched(ts, hierarchies, choose_by, limits, presence)
    or suppression = 'cells' or remainder;

-- How many attributes there are, the position of one of them, and the bit that stands for it.
create or replace macro tanon._number_of(qi) as len(tanon._list(qi))::varchar;

create or replace macro tanon._position_text(name, qi) as
    list_position(tanon._list(qi), name)::varchar;

create or replace macro tanon._bit_text(name, qi) as
    (1 << (list_position(tanon._list(qi), name) - 1))::varchar;

-- Names of qi, and of what is offered beside them: ts, or granularities.
create or replace macro tanon._roles(qi, ts) as list_concat(tanon._list(qi), tanon._list(ts));

-- Limits of diversity, as {'distinct_l': 3, 't': 0.2}.
create or replace macro tanon._limit_names() as
    ['distinct_l', 'frequency_l', 'entropy_l', 'recursive_c', 'recursive_l', 't', 'beta'];

-- What is asked of the population.
create or replace macro tanon._presence_names() as ['k_map', 'delta_low', 'delta_high'];

create or replace macro tanon._are_limits(x) as
    tanon._are_named_numbers(x, list_bool_and(list_transform(
        map_entries(tanon._numbers_by_name(x)),
        lambda e: list_contains(tanon._limit_names(), e['key'])
            and coalesce(isfinite(e['value']), false) and case
                when e['key'] in ('distinct_l', 'recursive_l')
                    then e['value'] >= 2 and e['value'] = floor(e['value'])
                when e['key'] in ('frequency_l', 'entropy_l') then e['value'] > 1
                when e['key'] = 't' then e['value'] >= 0 and e['value'] < 1
                else e['value'] > 0 end)))
    and (tanon._number_by_name(x, 'recursive_l') is null)
        >= (tanon._number_by_name(x, 'recursive_c') is null);

create or replace macro tanon._recursive_l(limits) as
    coalesce(tanon._number_by_name(limits, 'recursive_l'), 2)::integer::varchar;

create or replace macro tanon._limit_bound_text(limits, name) as
    tanon._number_by_name(limits, name)::varchar || '::double';

-- What the figures of a group must meet under one limit, empty if it is not given; sums of shares
-- may be off in their last digits.
create or replace macro tanon._limit_holds(limits, name) as coalesce(' and ' || format(case name
    when 'distinct_l' then 'tanon_distinct >= {}'
    when 'frequency_l' then 'tanon_frequency_l >= {} - 1e-9'
    when 'entropy_l' then 'tanon_entropy_l >= {} - 1e-9'
    when 'recursive_c' then 'coalesce(tanon_recursive_c < {}, false)'
    when 't' then 'tanon_t <= {} + 1e-9'
    when 'beta' then 'tanon_beta <= {} + 1e-9' end, tanon._limit_bound_text(limits, name)), '');

create or replace macro tanon._limits_text(limits) as concat('true', array_to_string(
    list_transform(tanon._limit_names(), lambda n: tanon._limit_holds(limits, n)), ''));

-- The limits, or what is asked of the population, that were given; what their worst group reaches,
-- and how it is said.
create or replace macro tanon._asked_of(given) as list_filter(
    list_concat(tanon._limit_names(), tanon._presence_names()), lambda n:
        n <> 'recursive_l' and list_contains(tanon._names_by_number(given), n));

create or replace macro tanon._worst_text(name) as case name
    when 'distinct_l' then 'min(tanon_distinct)'
    when 'frequency_l' then 'min(tanon_frequency_l)'
    when 'entropy_l' then 'min(tanon_entropy_l)'
    when 'recursive_c' then
        'case when bool_and(tanon_recursive_c is not null) then max(tanon_recursive_c) end'
    when 't' then 'max(tanon_t)'
    when 'beta' then 'max(tanon_beta)'
    when 'k_map' then 'min(tanon_wide)'
    when 'delta_low' then 'min(coalesce(tanon_f, 0) / tanon_wide)'
    when 'delta_high' then 'max(tanon_f / tanon_wide)' end;

create or replace macro tanon._promised_words(given, name) as tanon._text(concat(
    case when ends_with(name, '_l') or name in ('k_map', 'delta_low') then 'at least '
        when name = 'recursive_c' then 'less than ' else 'at most ' end,
    tanon._figure(tanon._number_by_name(given, name))));

-- What an offer lists, as a list or with commas between.
create or replace macro tanon._names_listed(x) as
    try_cast(case when x like '[%]' then x else concat('[', x, ']') end as varchar[]);

create or replace macro tanon._wrong_choices(say, x, optional) as tanon._wrong_unless(say, x,
    len(tanon._entries(x)) > 0 and list_bool_and(list_transform(tanon._entries(x), lambda e:
        coalesce(len(tanon._names_listed(e['value'])) > 0
            and list_count(tanon._names_listed(e['value'])) = len(tanon._names_listed(e['value'])),
            false))), optional);

create or replace macro tanon._names_offered(x) as flatten(list_transform(
    tanon._entries(x), lambda e: tanon._names_listed(e['value'])));

-- Whether choices name granularities and columns alone, and each a granularity where there is time.
create or replace macro tanon._are_of(choices, granularities, qi) as list_bool_and(list_transform(
    tanon._entries(choices), lambda e:
        list_bool_and(list_transform(tanon._names_listed(e['value']), lambda n:
            list_contains(tanon._list(granularities), n) or tanon._has_names(qi, [n])))
        and (granularities is null
            or list_has_any(tanon._names_listed(e['value']), tanon._list(granularities)))));

-- What is asked of the population, as {'k_map': 5, 'delta_high': 0.5}.
create or replace macro tanon._are_presence(x) as
    tanon._are_named_numbers(x, list_bool_and(list_transform(
        map_entries(tanon._numbers_by_name(x)),
        lambda e: list_contains(tanon._presence_names(), e['key'])
            and coalesce(isfinite(e['value']), false) and case
                when e['key'] = 'k_map' then e['value'] >= 2 and e['value'] = floor(e['value'])
                else e['value'] >= 0 and e['value'] <= 1 end)))
    and coalesce(tanon._number_by_name(x, 'delta_low')
        <= tanon._number_by_name(x, 'delta_high'), true);

create or replace macro tanon._asked_text(presence, name, text) as coalesce(
    ' and coalesce(' || format(text, tanon._limit_bound_text(presence, name)) || ', false)', '');

-- Of a group, by how many of it there are here and in the population; without the first, only what
-- more of the population cannot break.
create or replace macro tanon._presence_text(presence, here, wide) as concat('true',
    tanon._asked_text(presence, 'k_map', wide || ' >= {}'),
    tanon._asked_text(presence, 'delta_high', here || ' / ' || wide || ' <= {}'),
    case when tanon._number_by_name(presence, 'delta_low') > 0
        then tanon._asked_text(presence, 'delta_low', here || ' / ' || wide || ' >= {}') end);

-- A group that is left out has nobody in the release.
create or replace macro tanon._may_leave_out(share, presence) as
    coalesce(tanon._number_by_name(presence, 'delta_low'), 0) = 0 or share = 0;
