-- Snapshots from now on in which a person has only repeats: less than w after a published one. Of
-- the snapshots before, at most one is within w of those that arrive, and is no repeat.

insert into {{ schema }}.state_repeats
with homes as (
    select distinct {{ respondent }} as respondent, tanon._snapshot({{ ts }}, {{ pace }}) as home
    from {{ source }}
    where {{ ts }} < {{ until }}
        {% if near_ts is defined %} and {{ ts }} >= {{ near_ts }} {% endif %}

),
persons as (
    select respondent, list(home order by home asc nulls last) as homes
    from homes anti join {{ schema }}.state_repeats using (respondent, home)
    group by respondent
    having count(*) > 1
),
greedy as (
    select respondent, homes, list_reduce(
        list_transform(homes, lambda h: [h]),
        lambda kept, h: if(h[1] >= kept[-1] + {{ w }}, kept || h, kept)
    ) as kept
    from persons
)
select respondent, unnest(list_filter(homes, lambda h: not list_contains(kept, h))) as home
from greedy
order by home asc nulls last, respondent asc nulls last;
