-- Rows of a window of the source with their snapshot, and whether each is a repeat. Of the records
-- of a person in one snapshot one is drawn.
select
    * exclude (tanon_several, tanon_only_repeats),
    {% if repeats %}
    tanon_only_repeats or tanon_several and 1 < row_number() over (
        partition by {{ respondent }}, tanon_home, tanon_several
        order by
            case when tanon_several then tanon._keyed({{ draw_key }}, concat(
                tanon_home, ' ', {{ drawn_by }})) end asc nulls last,
            tanon._order_key({{ sensitive }}) asc nulls last,
            case when tanon_several then tanon._keyed({{ draw_key }}, concat(
                tanon_home, ' ', {{ drawn_by }}, {{ drawn_with }})) end asc nulls last,
            {{ ts }} asc nulls last
    ) as tanon_is_repeat
    {% else %} false as tanon_is_repeat {% endif %}

from (
    select
        source.*,
        {% if repeats %}
        count(*) over (partition by source.{{ respondent }}, tanon_home) > 1 as tanon_several,
        state.home is not null as tanon_only_repeats
        {% else %} false as tanon_several, false as tanon_only_repeats {% endif %}

    from (
        select tanon._snapshot({{ ts }}, {{ pace }}) as tanon_home, * from {{ source }}
        where {{ ts }} < {{ until }}
            {% if from_ts is defined %} and {{ ts }} >= {{ from_ts }} {% endif %}

    ) as source
    {% if repeats %}
    left join {{ schema }}.state_repeats as state
        on source.{{ respondent }} = state.respondent and tanon_home = state.home
    {% endif %}

)
