-- One fact of a report: what is told of what, what it is held to and whether it does, and whether
-- others than the owner may see it.
create or replace macro tanon._fact(fact, about, value, bound, holds, text, public) as {
    'fact': fact::varchar, 'about': about::varchar, 'value': value::double, 'bound': bound::double,
    'holds': holds::boolean, 'text': text::varchar, 'public': public::boolean};

-- The sizes of groups from 1 on in classes: those below k each by itself, then from k doubling.
create or replace macro tanon._size_class(f, k) as case when f < k then f
    else (k * power(2, floor(log2(f / k))))::bigint end;

create or replace macro tanon._size_class_text(class, k) as case
    when class < k or 2 * class - 1 = class then class::varchar
    else class || ' to ' || (2 * class - 1) end;
