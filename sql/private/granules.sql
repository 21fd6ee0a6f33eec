{% from "fragments/granules.sql" import granules %}

-- A bucket such as '15 minutes' as an interval, NULL for anything else.
create or replace macro tanon._bucket(granularity) as try_cast(regexp_extract(granularity,
    '^[1-9][0-9]{0,11} (second|minute|hour|day|week|month|quarter|year|decade)s?$', 0) as interval);

create or replace macro tanon._bucket_months(bucket) as year(bucket) * 12 + month(bucket);

create or replace macro tanon._bucket_label(bucket) as case
    when year(bucket) > 0 and month(bucket) = 0 then '%Y'
    when tanon._bucket_months(bucket) > 0 then '%Y-%m'
    when epoch_us(bucket) % 86400000000 = 0 then '%Y-%m-%d'
    when epoch_us(bucket) % 60000000 = 0 then '%Y-%m-%d %H:%M'
    else '%Y-%m-%d %H:%M:%S' end;

create or replace macro tanon._covered(t, x) as
    case when t >= timestamp '0001-01-01' and t < timestamp '10000-01-01' then x end;

create or replace macro tanon._index(tanon_t, granularity) as case granularity
{% for name, index, start, end, label in granules %}
    when '{{ name }}' then {{ index }}
{% endfor %}
    else case when tanon._bucket_months(tanon._bucket(granularity)) = 0
        then (epoch_us(time_bucket(tanon._bucket(granularity), tanon_t))
            - epoch_us(time_bucket(tanon._bucket(granularity), timestamp '1970-01-01')))
            // epoch_us(tanon._bucket(granularity))
        else date_diff('month', time_bucket(tanon._bucket(granularity), timestamp '1970-01-01'),
            time_bucket(tanon._bucket(granularity), tanon_t))
            // tanon._bucket_months(tanon._bucket(granularity)) end end;

create or replace macro tanon._start(tanon_t, granularity) as case granularity
{% for name, index, start, end, label in granules %}
    when '{{ name }}' then {{ start }}
{% endfor %}
    else time_bucket(tanon._bucket(granularity), tanon_t) end;

create or replace macro tanon._end(tanon_t, granularity) as case granularity
{% for name, index, start, end, label in granules %}
    when '{{ name }}' then {{ start ~ " + " ~ end if end.startswith("interval") else end }}
{% endfor %}
    else time_bucket(tanon._bucket(granularity), tanon_t) + tanon._bucket(granularity) end;

create or replace macro tanon._label(tanon_t, granularity) as case granularity
{% for name, index, start, end, label in granules %}
    when '{{ name }}' then {{ label }}
{% endfor %}
    else strftime(
        greatest(time_bucket(tanon._bucket(granularity), tanon_t), timestamp '0001-01-01'),
        tanon._bucket_label(tanon._bucket(granularity))) end;

create or replace macro tanon._built_in() as
    ['{{ granules | map(attribute=0) | join("', '") }}'];

create or replace macro tanon._is_granularity(x) as
    list_contains(tanon._built_in(), x) or tanon._bucket(x) <= interval 9999 years;

create or replace macro tanon._wrong_granularity(say, granularity) as tanon._got(
    say || ' must be a built-in granularity or a bucket such as ''15 minutes''', granularity)
|| coalesce('; did you mean ''' || list_min(list_transform(tanon._built_in(),
    lambda e: (levenshtein(e, granularity), e)))[2] || '''?', '');

-- An expression over t for a granularity that exists, an error for another; t makes it wait.
create or replace macro tanon._known(function, t, granularity, x) as case
    when coalesce(tanon._is_granularity(granularity), false) then tanon._covered(t, x)
    else error(tanon._wrong_granularity(function || ': granularity', granularity)
        || left(t::varchar, 0)) end;
