-- One fact of a report: what is told of what, what it is held to and whether it does, and whether
-- others than the owner may see it.
create or replace macro tanon._fact(fact, about, value, bound, holds, text, public) as {
    'fact': fact::varchar, 'about': about::varchar, 'value': value::double, 'bound': bound::double,
    'holds': holds::boolean, 'text': text::varchar, 'public': public::boolean};

-- What one simulated attack finds, and beside it what it is compared with.
create or replace macro tanon._attack_facts
    (criterion, about, rate, span, bound, knows, baseline, control, targets) as [
    tanon._fact(criterion, about, rate, bound, null, knows, true),
    tanon._fact('low', about, span['low'], null, null, criterion, true),
    tanon._fact('high', about, span['high'], null, null, criterion, true),
    tanon._fact('baseline', about, baseline, null, null, criterion, true),
    tanon._fact('control', about, control, null, null, criterion, true),
    tanon._fact('targets', about, targets, null, null, criterion, false)];

-- What a report tells of limits: whether the figure of all groups is within, and what it means;
-- sums of shares may be off in their last digits.
create or replace macro tanon._is_within(name, found, bound) as case
    when name = 'recursive_c' then found < bound
    when name in ('t', 'beta', 'delta_high') then found <= bound + 1e-9
    else found >= bound - 1e-9 end;

-- What the bound of a limit, or of what is asked of the population, means.
create or replace macro tanon._bound_means(name) as case name
    when 'distinct_l' then 'sensitive values in a group, at least'
    when 'frequency_l' then 'rows of a group over those of its most frequent value, at least'
    when 'entropy_l' then 'equally frequent values that are as hard to guess, at least'
    when 'recursive_c' then 'the most frequent value over the rarer ones, below'
    when 't' then 'distance of a group from the whole table, at most'
    when 'beta' then 'gain in likelihood of a value in a group, at most'
    when 'k_map' then 'respondents of the population who are like a group, at least'
    when 'delta_high' then 'share of them who are in the source, at most'
    else 'share of them who are in the source, at least' end;
