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

-- The sizes of groups from 1 on in classes: those below k each by itself, then from k doubling.
create or replace macro tanon._size_class(f, k) as case when f < k then f
    else (k * power(2, floor(log2(f / k))))::bigint end;

create or replace macro tanon._size_class_text(class, k) as case
    when class < k or 2 * class - 1 = class then class::varchar
    else class || ' to ' || (2 * class - 1) end;
